"""What one look says about each cell, weighed against what should lie there: the evidence for every explanation.

The rules have no say here: a foul must never be read as the nearest legal move.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.cells import Cell
from vision.observation import EMPTY, UNKNOWN, Observation

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class OddsSettings:
    """How far a single cell's reading is trusted.

    Attributes:
        blunder: probability that a cell's reading means nothing at all, whatever it says: one cell alone can then say
            7.8 nats at most, and the shapes of pieces decide.
        hidden: probability of "unknown" above which a cell counts as hidden.
        unread: log odds of each colour against what was there on a cell where something has come that cannot be read.
    """

    blunder: float = 0.002
    hidden: float = 0.5
    unread: float = 2.0


@dataclass(frozen=True)
class CellOdds:
    """Evidence of one look, cell by cell; N = size * size cells, numbered row * size + col.

    Attributes:
        size: cells a side.
        labels: ``"empty"`` and the colours, the order of the last axis.
        expected: (N,) index into labels of what should lie there.
        gain: (N, labels) natural log likelihood of each label over that of the expected one (0 there).
        hidden: (N,) bool, the cell cannot be seen just now.
    """

    size: int
    labels: tuple[str, ...]
    expected: NDArray[np.intp]
    gain: FloatArray
    hidden: NDArray[np.bool_]

    @property
    def best(self) -> NDArray[np.intp]:
        """(N,) index of the likeliest label, the expected one in a draw."""
        top = self.gain.argmax(1)
        return np.asarray(np.where(self.gain[np.arange(len(top)), top] > 0, top, self.expected))

    def cell(self, number: int) -> Cell:
        """The (row, col) of a cell's number."""
        return divmod(number, self.size)


def cell_odds(
    standing: Mapping[Cell, str],
    seen: Observation,
    *,
    change_log_odds: NDArray[np.floating] | None = None,
    covered: NDArray[np.bool_] | None = None,
    before: Mapping[Cell, str] | None = None,
    unread: NDArray[np.bool_] | None = None,
    settings: OddsSettings | None = None,
) -> CellOdds:
    """Weighs a look against what should lie on the board.

    Args:
        standing: what should lie there: occupied cells and their colours.
        seen: the look's label probabilities.
        change_log_odds: (size, size) log odds from the looks alone that a cell is not what it was at the last judged
            look (`vision.glance.Difference.log_odds`); None when there is nothing to compare with.
        covered: (size, size) cells under a hand or another thing.
        before: what lay there at that look; ``standing`` when None.
        unread: (size, size) empty cells on which something of a piece's shape has come, of a colour that is not known.
        settings: trust in a single cell.
    """
    s = settings or OddsSettings()
    labels = (EMPTY, *seen.colors)
    n = seen.size
    p = np.exp(seen.log_p.astype(np.float64)).reshape(n * n, -1)
    unknown = p[:, seen.labels.index(UNKNOWN)].copy() if UNKNOWN in seen.labels else np.zeros(n * n)
    known = p[:, [seen.labels.index(label) for label in labels]]
    if covered is not None:
        under = covered.ravel()
        unknown[under], known[under] = 1.0, 0.0
    came = np.zeros(n * n, np.bool_) if unread is None else unread.ravel()
    unknown[came], known[came] = 1.0, 0.0
    total = np.log(known + (unknown[:, None] + s.blunder) / len(labels))
    expected = label_numbers(standing, labels, n)
    if change_log_odds is not None:
        was = expected if before is None else label_numbers(before, labels, n)
        change = change_log_odds.ravel().astype(np.float64)
        change = np.where(change > 0, change * (1 - unknown), change)
        total += change[:, None] * (np.arange(len(labels)) != was[:, None])
    total[came, 1:] += s.unread
    gain = total - total[np.arange(n * n), expected][:, None]
    return CellOdds(n, labels, expected, gain, (unknown > s.hidden) & ~came)


def label_numbers(board: Mapping[Cell, str], labels: tuple[str, ...], size: int) -> NDArray[np.intp]:
    """(size * size,) index into ``labels`` of what lies on each cell; a colour that is not among them counts as empty."""
    out = np.zeros(size * size, np.intp)
    for (row, col), color in board.items():
        if color in labels:
            out[row * size + col] = labels.index(color)
    return out
