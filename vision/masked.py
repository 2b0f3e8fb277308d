"""Cells of which a look says nothing: under hands and other things, or blown to white."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cells import Cell, Cells, components, corner_neighbors, side_neighbors
from referee.pieces import identify
from vision.glance import LEVEL_FLOOR, ChangeSettings, Difference, FloatArray, blown_cells, compare, core_means, gain_surface
from vision.observation import EMPTY, UNKNOWN, Observation
from vision.resting import Resting

CellMask = NDArray[np.bool_]

BARE_LOOKS = 3
"""Looks with nothing over the board that are remembered: a hand's shade may have gone unnoticed in the newest of them."""

LEAST_UNREAD = 4
"""Squares of a block that is taken for a piece by its shape alone: smaller shades and spots of light have such shapes too."""


@dataclass(frozen=True)
class Masked:
    """Cells of a look, (size, size) bool each, of which the picture says nothing.

    Attributes:
        covered: under a hand or another thing.
        resting: those of them that have looked the same for long, longest where something reaches in from outside: no hand, but a
            thing that lies there, or a piece beside it.
        blown: blown to white, and not known to look like that when empty; or under a thing that rests there and hides the board's
            lines, as a sheet of paper does that looks like empty cells.
    """

    covered: CellMask
    resting: CellMask
    blown: CellMask

    @property
    def by_hand(self) -> CellMask:
        """Cells under what has come only now."""
        return self.covered & ~self.resting

    @property
    def unasked(self) -> Cells:
        """Cells that are no reason to wait: nobody knows when glare will go away, so that it is rather asked what lies under it."""
        return cells_of(self.blown & ~self.covered)


class Masks:
    """What one game has taught about such cells.

    Args:
        size: cells a side.
    """

    def __init__(self, size: int) -> None:
        self._resting = Resting()
        self._bare: deque[FloatArray] = deque(maxlen=BARE_LOOKS)
        self._white: CellMask = np.zeros((size, size), np.bool_)

    def without_ghosts(self, difference: Difference, glance: FloatArray, settings: ChangeSettings) -> Difference:
        """The difference, without what seems to reach in from outside because it did so in the reference and has left.

        A hand or its shadow may have got into the reference, which is put together from several looks. What lies there now differs
        from every look with nothing over the board as well.

        Args:
            difference: from the reference.
            glance: (m, m, 3) of the look.
            settings: of the comparison.
        """
        if not difference.covered.any():
            self._bare.appendleft(glance)
            return difference
        entered = difference.entered
        for bare in self._bare:
            if entered.any():
                entered = entered & compare(bare, glance, settings).entered
        if (entered == difference.entered).all():
            return difference
        return replace(difference, covered=difference.covered & (entered | ~difference.entered), entered=entered)

    def see(self, glance: FloatArray, difference: Difference | None, steady: CellMask | None) -> Masked:
        """The cells of one look that cannot be seen.

        Args:
            glance: (m, m, 3) of the look.
            difference: from the last look that was understood; None when they cannot be compared.
            steady: (m, m) what looks as it did in the look before; None when that is not known.
        """
        none = np.zeros_like(self._white)
        covered, entered = (none, none) if difference is None else (difference.covered, difference.entered)
        resting = self._resting.see(covered, steady, entered)
        hiding = none if difference is None else resting & difference.unlined
        return Masked(covered, resting, (blown_cells(glance) & ~self._white) | hiding)

    def begin(self, glance: FloatArray, board: Mapping[Cell, str]) -> None:
        """Another game begins, perhaps under another light, with this look (m, m, 3) at the board."""
        self._white[:] = False
        self._bare.clear()
        self._bare.append(glance)
        self.learn(glance, board)

    def learn(self, glance: FloatArray, board: Mapping[Cell, str]) -> None:
        """Remembers where the empty board itself is blown to white, and the cells around, for glare wanders with the camera."""
        white = blown_cells(glance)
        for cell in board:
            white[cell] = False
        self._white |= cv2.dilate(white.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0


def alike(before: FloatArray, now: FloatArray, settings: ChangeSettings) -> CellMask:
    """(m, m) pixels of two glances (m, m, 3) that differ by no more than their light; the short way to what `compare` says of them."""
    mean, level = np.full((1, 3), 1 / 3), float(core_means(now).mean()) + LEVEL_FLOOR
    lit = before * cv2.exp(gain_surface(before, now, settings.gain_spread))
    return np.asarray(cv2.transform(cv2.absdiff(lit, now), mean) < settings.pixel * level / 100)


def cells_of(mask: CellMask) -> Cells:
    """The cells that a (size, size) mask marks."""
    return frozenset((row, col) for row, col in np.argwhere(mask).tolist())


def mask_of(cells: Iterable[Cell], size: int) -> CellMask:
    """The (size, size) mask that marks the cells."""
    out = np.zeros((size, size), np.bool_)
    out[tuple(np.array(sorted(cells), np.intp).reshape(-1, 2).T)] = True
    return out


def unread_pieces(
    seen: Observation, difference: Difference, settings: ChangeSettings, masked: Masked, board: Mapping[Cell, str]
) -> CellMask:
    """(size, size) empty cells of blocks that have surely changed, have the shape of a piece, and are read as empty or unknown.

    A piece whose colour is lost in odd light must not pass unnoticed, or the next one seems to be out of turn; shadows do not
    end all round where cells end.
    """
    out = np.zeros(difference.cell.shape, np.bool_)
    strong = (difference.cell > settings.surely) & ~masked.covered & ~masked.blown
    changed = difference.changed(settings)
    unread = np.isin(seen.best, [seen.labels.index(label) for label in (EMPTY, UNKNOWN) if label in seen.labels])
    cells = ((row, col) for row, col in np.argwhere(strong & unread).tolist())
    for block in components(cell for cell in cells if cell not in board):
        around = frozenset[Cell]().union(*(side_neighbors(cell) | corner_neighbors(cell) for cell in block)) - block
        sharp = not any(changed[cell] for cell in around if min(cell) >= 0 and max(cell) < len(changed))
        if len(block) >= LEAST_UNREAD and identify(block) is not None and sharp:
            out[tuple(np.array(sorted(block), np.intp).T)] = True
    return out
