"""Things that rest on the board: a cup, a phone, a bag of pieces. Hands leave, such things stay, and play goes on around them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.glance import CELL_PX, EDGE_PX

CellMask = NDArray[np.bool_]


@dataclass(frozen=True)
class RestingSettings:
    """When a thing counts as resting.

    Attributes:
        looks: looks, a second or more apart, that must show the same in a covered cell: no hand keeps so still for so long.
        looks_entered: the same where the thing reaches in from outside: a cup at the board's edge does, but so do arms.
        same_share: share of the cell's pixels that must look the same from one to the next.
    """

    looks: int = 4
    looks_entered: int = 8
    same_share: float = 0.8


class Resting:
    """Counts for how long covered cells have looked the same."""

    def __init__(self, settings: RestingSettings | None = None) -> None:
        self.settings = settings or RestingSettings()
        self._looks: NDArray[np.intp] | None = None

    def see(self, covered: CellMask, steady: CellMask | None, entered: CellMask | None = None) -> CellMask:
        """The (size, size) covered cells under a thing that rests there.

        Args:
            covered: (size, size) cells under a thing in this look.
            steady: (m, m) pixels of the glance that look as in the look before; None when there is none to compare with.
            entered: (size, size) cells under one that reaches in from outside, as hands do; None: there is none.
        """
        before = np.zeros(covered.shape, np.intp) if self._looks is None or steady is None else self._looks
        same = np.zeros(covered.shape, np.bool_) if steady is None else self._same(steady, len(covered))
        self._looks = np.where(covered, np.where(same, before, 0) + 1, 0)
        needed = self.settings.looks if entered is None else np.where(entered, self.settings.looks_entered, self.settings.looks)
        return np.asarray(self._looks >= needed)

    def _same(self, steady: CellMask, size: int) -> CellMask:
        grid = steady[EDGE_PX:-EDGE_PX, EDGE_PX:-EDGE_PX].reshape(size, CELL_PX, size, CELL_PX)
        return np.asarray(grid.mean((1, 3)) >= self.settings.same_share)
