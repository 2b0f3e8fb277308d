"""What one look at the board says about every cell: probabilities, not labels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from referee.cells import COLOR_LETTER

FloatArray = NDArray[np.float32]

EMPTY = "empty"
UNKNOWN = "unknown"
"""Label of a cell that shows neither the board nor a piece of this set: a hand, a thing, glare."""

MIN_CONFIDENCE = 0.99
"""Below this probability a cell is not given a colour: no colour above it was wrong on the pictures tried."""

MIN_EMPTY_CONFIDENCE = 0.999
"""Below this probability a cell is not called empty: a piece under glare looks empty more often than a board looks like a piece."""


@dataclass(frozen=True)
class Observation:
    """Label probabilities of every cell of one picture.

    Attributes:
        labels: names of the last axis: ``"empty"``, the colours looked for, ``"unknown"``.
        log_p: (size, size, len(labels)) float32 natural logarithms, normalised per cell.
    """

    labels: tuple[str, ...]
    log_p: FloatArray

    def __post_init__(self) -> None:
        if self.log_p.ndim != 3 or self.log_p.shape[2] != len(self.labels):
            raise ValueError(f"log_p has shape {self.log_p.shape}, expected (size, size, {len(self.labels)})")

    @property
    def size(self) -> int:
        """Cells a side."""
        return int(self.log_p.shape[0])

    @property
    def colors(self) -> tuple[str, ...]:
        """The colours looked for, without ``empty`` and ``unknown``."""
        return tuple(label for label in self.labels if label not in (EMPTY, UNKNOWN))

    @cached_property
    def best(self) -> NDArray[np.intp]:
        """(size, size) index into ``labels`` of the likeliest label."""
        return np.asarray(self.log_p.argmax(-1))

    @cached_property
    def confidence(self) -> FloatArray:
        """(size, size) probability of the likeliest label; 0 where that is ``unknown``."""
        top = np.exp(self.log_p.max(-1))
        if UNKNOWN in self.labels:
            top = np.where(self.best == self.labels.index(UNKNOWN), 0, top)
        return np.asarray(top, np.float32)

    def grid(self, min_confidence: float = MIN_CONFIDENCE, min_empty_confidence: float = MIN_EMPTY_CONFIDENCE) -> tuple[str, ...]:
        """Rows of letters: ``.`` empty, the colours' letters, ``?`` where the likeliest label is not sure enough."""
        letter = np.array([letter_of(label) for label in self.labels])[self.best]
        least = np.where(self.best == self.labels.index(EMPTY), min_empty_confidence, min_confidence)
        letter = np.where(self.confidence >= least, letter, "?")
        return tuple("".join(row) for row in letter)

    def log_p_of(self, label: str) -> FloatArray:
        """(size, size) log probability of one label."""
        return np.asarray(self.log_p[..., self.labels.index(label)])


def letter_of(label: str) -> str:
    """The letter of a label in grids: ``.`` for empty, ``?`` for unknown."""
    return {EMPTY: ".", UNKNOWN: "?"}.get(label) or COLOR_LETTER[label]
