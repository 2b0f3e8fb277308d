"""What a reader of a picture should know besides its letters: cells that show something else, and cells in doubt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.cells import UNSURE, Cells, cells_text, components
from vision.observation import UNKNOWN, Observation


@dataclass(frozen=True)
class Finding:
    """One remark on a picture.

    Attributes:
        kind: ``unknown_object`` (neither board nor a piece of this set: a hand, a cup, a stand-in), or ``unclear`` (glare,
            dark or blur leave a cell in doubt).
        cells: where.
        message: in words.
    """

    kind: str
    cells: Cells
    message: str

    def as_json(self) -> dict[str, Any]:
        """The contract's object, cells in reading order."""
        return {"kind": self.kind, "cells": [list(cell) for cell in sorted(self.cells)], "message": self.message}


def find(seen: Observation, grid: tuple[str, ...]) -> tuple[Finding, ...]:
    """The findings of a reading, in reading order.

    Args:
        seen: the label probabilities.
        grid: the letters made of them; only cells with ``?`` are remarked on.
    """
    unsure = frozenset((row, col) for row, line in enumerate(grid) for col, letter in enumerate(line) if letter == UNSURE)
    return tuple(_findings(seen, unsure))


def _findings(seen: Observation, unsure: Cells) -> Iterator[Finding]:
    foreign = np.exp(seen.log_p_of(UNKNOWN)) if UNKNOWN in seen.labels else np.zeros((seen.size, seen.size))
    for group in components(unsure):
        where = (
            cells_text(group, seen.size) if len(group) <= 5 else f"{len(group)} squares around {cells_text([_middle(group)], seen.size)}"
        )
        if np.mean([foreign[cell] for cell in group]) > 0.5:
            yield Finding("unknown_object", group, f"Something that is neither the board nor a piece lies on {where}.")
        else:
            yield Finding("unclear", group, f"What lies on {where} cannot be told for certain.")


def _middle(group: Cells) -> tuple[int, int]:
    """The cell of a group nearest its middle."""
    row, col = np.mean(list(group), axis=0)
    return min(sorted(group), key=lambda cell: (cell[0] - row) ** 2 + (cell[1] - col) ** 2)
