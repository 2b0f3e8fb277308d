"""What a coloured patch on the table is made of: unit squares on a lattice of any direction.

The edges of the patch give the lattice's direction, as their angles repeat every quarter turn. The patch is turned upright by it;
then for each of the lattice's places the squares are those that the patch mostly fills, and the place is right where these squares
and the patch agree best. At a slant a patch shows the wall below the near edges of a piece as well: it is taken off first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cells import Cells
from vision.loose_view import CELL_PX, BoolArray, FloatArray, Points

LONGEST_CELLS = 40
"""Most squares of a lattice in a row: longer patches are no pieces."""

AGREES = 0.86
"""Overlap from which squares explain a patch as well as its blur allows: no better ones are looked for."""

HOPELESS = 0.6
"""Overlap below which no small turn makes squares of a patch."""

WALL_PARTS = (1.0, 0.5, 0.0)
"""Parts of the wall's height that may have the piece's colour, the usual one first; the rest is lost in shadow."""

LEAST_TURN = np.radians(1.0)
"""Turn of the edges of a patch without its wall from those of all of it, from which the patch is laid anew."""

SHORT_PX = 0.35 * CELL_PX
"""Length of a wall up to which a square and where its foot is seen cover all that lies between them, but for 2 %."""

BELONGS = 0.1
"""Least cover of a pixel that counts when it is asked how far a patch reaches."""

SPOT = round(0.4 * CELL_PX)
"""Side in px of a spot that belongs to squares or patch alone."""

SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""Steps (row, column) from a square to those beside it."""


@dataclass(frozen=True)
class Sheet:
    """A patch turned so that its squares lie upright, with a cell of table around.

    Attributes:
        unit: (2, 2) directions of its rows and columns on the patch.
        low: (2,) where its first pixel lies along them.
        cover: (h, w) 0 to 1, how far each pixel belongs to the patch; whole cells high and wide.
    """

    unit: Points
    low: Points
    cover: FloatArray

    @classmethod
    def of(cls, cover: FloatArray, angle: float) -> Sheet | None:
        """A patch (h, w) turned by an angle in radians; None when it is too long for pieces, or empty."""
        belongs = (cover > BELONGS).view(np.uint8)
        if not belongs.any():
            return None
        points = cv2.findNonZero(belongs)
        cos, sin = math.cos(angle), math.sin(angle)
        unit = np.array([[cos, sin], [-sin, cos]])
        along = unit.astype(np.float32) @ points[::3, 0].T.astype(np.float32)
        low, high = along.min(1).astype(np.float64) - CELL_PX, along.max(1)
        cols, rows = (math.ceil((float(end) - float(begin)) / CELL_PX) + 2 for begin, end in zip(low, high, strict=True))
        if max(cols, rows) > LONGEST_CELLS:
            return None
        return cls(unit, low, _turned(cover, unit, low, (cols * CELL_PX, rows * CELL_PX)))

    def turned(self, image: NDArray[Any]) -> NDArray[Any]:
        """A picture (H, W) or (H, W, 3) of the patch as this one is turned; 0 outside."""
        return _turned(image, self.unit, self.low, self.cover.shape[::-1])

    @cached_property
    def total(self) -> float:
        """Area in cells."""
        return _sum(self.cover) / CELL_PX**2

    def tops(self, wall: Points) -> FloatArray:
        """(h, w) the patch without the wall (2,) px that is seen below its near edges."""
        tops = self.cover
        for part in _parts(wall):
            tops = np.minimum(tops, _moved(self.cover, -part * wall))
        return tops

    def share(self, tops: FloatArray) -> FloatArray:
        """(rows, CELL_PX, cols, CELL_PX) covered share of each square, for each place (row, column) px of square (0, 0)."""
        share = cv2.boxFilter(tops, -1, (CELL_PX, CELL_PX), anchor=(0, 0), borderType=cv2.BORDER_CONSTANT)
        return np.asarray(share, np.float32).reshape(share.shape[0] // CELL_PX, CELL_PX, -1, CELL_PX)

    def best(self, wall: Points) -> tuple[Cells, tuple[float, float], float] | None:
        """The squares that agree best with the patch but for its wall (2,) px; None when there are none.

        Returns:
            the squares, the place (row, column) in px of square (0, 0), and how much better another number of squares agrees.
        """
        tops = self.tops(wall)
        share = self.share(tops)
        full = share > 0.5
        count, common = _by_place(full, share)
        overlap = common / np.maximum(count + np.float32(_sum(tops) / CELL_PX**2) - common, np.float32(1))
        row, col = divmod(int(overlap.argmax()), CELL_PX)
        if not count[row, col]:
            return None
        rival = float(overlap[count != count[row, col]].max(initial=0)) - float(overlap[row, col])
        cells = frozenset(zip(*(at.tolist() for at in full[:, row, :, col].nonzero()), strict=True))
        return cells, (row + _peak(overlap[:, col], row), col + _peak(overlap[row], col)), rival

    def fit(self, cells: Cells, place: tuple[float, float], wall: Points, rival: float = 0.0, straight: float = 1.0) -> Fit:
        """Squares at a place (row, column) px, with (2,) px of their near walls, compared with the patch."""
        drawn = self.drawn(cells, place, wall)
        off = np.asarray(cv2.absdiff(drawn, self.cover), np.float32)
        total = _sum(off)
        stray = float(cv2.boxFilter(off, -1, (SPOT, SPOT)).max())
        sides = sum((row + down, col + right) not in cells for row, col in cells for down, right in SIDES)
        overlap = 1 - 2 * total / (_sum(drawn) + CELL_PX**2 * self.total + total)  # the greater of two is half of sum and difference
        return Fit(self, cells, place, wall, overlap, rival, total / CELL_PX**2 / sides, stray, straight)

    def drawn(self, cells: Cells, place: tuple[float, float], wall: Points) -> FloatArray:
        """(h, w) 0 to 1, what squares at a place (row, column) px cover, and the wall (2,) px below them."""
        rows, cols = self.cover.shape[0] // CELL_PX, self.cover.shape[1] // CELL_PX
        squares = np.zeros((rows, cols), np.float32)
        squares[tuple(zip(*cells, strict=True))] = 1
        flat = np.asarray(cv2.resize(squares, self.cover.shape[::-1], interpolation=cv2.INTER_NEAREST), np.float32)
        drawn = _moved(flat, at := np.array(place[::-1]))
        for part in _parts(wall):
            drawn = np.maximum(drawn, _moved(flat, at + part * wall))
        return drawn


@dataclass(frozen=True)
class Fit:
    """Squares of a lattice that explain a patch.

    Attributes:
        sheet: the patch, turned upright.
        cells: the squares, rows and columns counted on the sheet.
        place: (row, column) px of square (0, 0) there.
        wall: (2,) px that are seen of their near walls there.
        overlap: what squares and patch have in common, to what either has.
        rival: how much better another number of squares agrees, negative.
        misfit: mean distance of their outlines in cells.
        stray: greatest part of a spot of 0.4 cell that belongs to one of the two only.
        straight: how much the patch's edges keep to two directions at right angles, 0 to 1.
    """

    sheet: Sheet
    cells: Cells
    place: tuple[float, float]
    wall: Points
    overlap: float
    rival: float
    misfit: float
    stray: float
    straight: float

    @cached_property
    def around(self) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        """Each side of the squares: the square beside it, and the step to that one."""
        return [((r + a, c + b), (a, b)) for r, c in self.cells for a, b in SIDES if (r + a, c + b) not in self.cells]

    @property
    def turn_deg(self) -> float:
        """Angle of the rows in the view, 0 to 180 degrees."""
        return float(np.degrees(np.arctan2(*self.sheet.unit[0, ::-1])) % 180)

    @property
    def outline(self) -> Points:
        """(k, 2) points of the patch around the squares; the longest outline when they have several."""
        ring = max(_rings(self.cells), key=len)
        return self.patch_px(np.array(ring)[:, ::-1])

    def drawn(self, shape: tuple[int, ...]) -> FloatArray:
        """(h, w) 0 to 1, what they and their walls cover of the patch."""
        flat = self.sheet.drawn(self.cells, self.place, self.wall)
        inverse = np.column_stack([self.sheet.unit.T, self.sheet.low @ self.sheet.unit])
        return np.asarray(cv2.warpAffine(flat, inverse, (shape[1], shape[0]), flags=cv2.INTER_LINEAR), np.float32)

    @cached_property
    def _on_patch(self) -> tuple[Points, Points]:
        """(2, 2) steps on the patch for each row and each column, and (2,) where the corner of square (0, 0) lies there."""
        return CELL_PX * self.sheet.unit[::-1], (self.sheet.low + self.place[::-1] - 0.5) @ self.sheet.unit

    def patch_px(self, row_col: Points) -> Points:
        """(..., 2) points (x, y) of the patch, of rows and columns (..., 2) counted on the squares' lattice from the corner of (0, 0)."""
        steps, corner = self._on_patch
        return np.asarray(row_col.reshape(-1, 2) @ steps + corner).reshape(row_col.shape)

    def seen(self, image: NDArray[Any], row_col: Points) -> NDArray[Any]:
        """(...) or (..., 3) values of a picture (H, W) or (H, W, 3) of the patch, there; 0 outside."""
        (height, width), at = image.shape[:2], np.rint(self.patch_px(row_col)).astype(np.intp)
        x, y = at[..., 0], at[..., 1]
        inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        if inside.all():
            return np.asarray(image[y, x])
        values = image[np.where(inside, y, 0), np.where(inside, x, 0)]
        return np.asarray(values * (inside[..., None] if image.ndim == 3 else inside))


def fit_squares(cover: FloatArray, wall: Points) -> Fit | None:
    """The squares that explain a patch best; None when there are none.

    Args:
        cover: (h, w) 0 to 1, how far each pixel belongs to the patch; empty along its border.
        wall: (2,) px from the upper edges of its near walls to the lower ones.
    """
    angle, straight = edges(cover)
    best: Fit | None = None
    length = math.hypot(*wall.tolist())
    sheet = Sheet.of(cover, angle)
    if sheet is None:
        return None
    for part in WALL_PARTS if length > 0.1 * CELL_PX else WALL_PARTS[:1]:
        best = _better(best, fit_sheet(sheet, wall * part, straight))
        if best is not None and best.overlap > AGREES:
            return best
    if best is None or best.overlap < HOPELESS:
        return best
    turn, _ = edges(best.sheet.tops(best.wall))  # walls have edges of their own
    turn = (turn + math.pi / 4) % (math.pi / 2) - math.pi / 4
    other = Sheet.of(cover, angle + turn) if abs(turn) > LEAST_TURN else None
    return _better(best, fit_sheet(other, best.wall @ best.sheet.unit, straight)) if other is not None else best


def fit_sheet(sheet: Sheet, wall: Points, straight: float = 1.0) -> Fit | None:
    """The squares that explain a turned patch best, of whose near walls (2,) px of the patch are seen; None when there are none."""
    there = sheet.unit @ wall
    found = sheet.best(there)
    if found is None:
        return None
    cells, place, rival = found
    return sheet.fit(cells, place, there, rival, straight)


def _better(best: Fit | None, other: Fit | None) -> Fit | None:
    """The one that overlaps more; another number of squares that does nearly as well stays its rival."""
    if best is None or other is None:
        return best or other
    first, second = (best, other) if best.overlap >= other.overlap else (other, best)
    if len(first.cells) == len(second.cells):
        return first
    return replace(first, rival=max(first.rival, second.overlap - first.overlap))


def edges(patch: FloatArray) -> tuple[float, float]:
    """Direction of the edges in radians, up to a quarter turn, and how much they keep to it: 1 all of them, 0 those of a disc."""
    gx, gy = (cv2.Sobel(patch, cv2.CV_32F, *order, ksize=3) for order in ((1, 0), (0, 1)))
    gx2, gy2 = gx * gx, gy * gy
    even, odd, strength = gx2 - gy2, 2 * gx * gy, gx2 + gy2 + np.float32(1e-6)  # the gradient's square, as a complex number
    part, total = even / strength, _sum(strength)
    # and the square of that over its length, which is the strength
    real, imaginary = 2 * float(np.vdot(part, even)) - total, 2 * float(np.vdot(part, odd))
    return math.atan2(imaginary, real) / 4, math.hypot(real, imaginary) / total


def _parts(wall: Points) -> tuple[float, ...]:
    """Parts of a wall (2,) px at which its squares are drawn, besides 0: sweeping over a long one takes more."""
    length = math.hypot(*wall.tolist())
    return () if length < 0.5 else (1.0,) if length < SHORT_PX else (0.5, 1.0)


def _by_place(full: BoolArray, share: FloatArray) -> FloatArray:
    """(2, CELL_PX, CELL_PX) for each place how many squares are full, and the sum of their shares; both (rows, CELL_PX, cols, CELL_PX)."""
    rows, _, cols, _ = share.shape
    both = np.empty((2, rows, CELL_PX * cols * CELL_PX), np.float32)
    both[0] = full.reshape(rows, -1)
    np.multiply(share.reshape(rows, -1), both[0], out=both[1])
    return np.asarray(np.add.reduce(np.add.reduce(both, 1).reshape(2, CELL_PX, cols, CELL_PX), 2))


def _sum(values: FloatArray) -> float:
    """The sum of (h, w) values: quicker than an array's own for small ones."""
    return float(cv2.sumElems(values)[0])


def _turned(image: NDArray[Any], unit: Points, low: Points, size: tuple[int, int]) -> NDArray[Any]:
    """A picture of a patch turned so that columns and rows run along ``unit`` (2, 2), from ``low`` (2,) there; its size is (w, h) px."""
    inverse = np.empty((2, 3))
    inverse[:, :2], inverse[:, 2] = unit.T, low @ unit
    return np.asarray(cv2.warpAffine(image, inverse, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP))


def _moved(image: FloatArray, by: Points) -> FloatArray:
    """(h, w) a picture moved by (x, y) px, 0 where nothing is known."""
    move = np.array([[1.0, 0.0, float(by[0])], [0.0, 1.0, float(by[1])]])
    return np.asarray(cv2.warpAffine(image, move, image.shape[::-1], flags=cv2.INTER_LINEAR), np.float32)


def _peak(line: FloatArray, at: int) -> float:
    """Parts of a pixel from the best place to where the overlap is greatest: a parabola through its neighbours, all around a cell."""
    before, here, after = (float(line[(at + step) % CELL_PX]) for step in (-1, 0, 1))
    bend = 2 * here - before - after
    return 0.5 * (after - before) / bend if bend > 1e-6 else 0.0


def _rings(cells: Cells) -> Iterator[list[tuple[int, int]]]:
    """The outlines of squares as corners (col, row), each once around."""
    sides: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for row, col in cells:
        for (down, right), start, end in (
            ((-1, 0), (col, row), (col + 1, row)),
            ((0, 1), (col + 1, row), (col + 1, row + 1)),
            ((1, 0), (col + 1, row + 1), (col, row + 1)),
            ((0, -1), (col, row + 1), (col, row)),
        ):
            if (row + down, col + right) not in cells:
                sides.setdefault(start, []).append(end)
    while sides:
        ring = [next(iter(sides))]
        while ring[-1] in sides:
            ends = sides[ring[-1]]
            following = ends.pop()
            if not ends:
                del sides[ring[-1]]
            ring.append(following)
        yield [
            at for before, at, after in zip(ring[-2:-1] + ring[:-2], ring[:-1], ring[1:], strict=True) if not _straight(before, at, after)
        ]


def _straight(before: tuple[int, int], at: tuple[int, int], after: tuple[int, int]) -> bool:
    """Whether three corners lie in one line."""
    return before[0] == at[0] == after[0] or before[1] == at[1] == after[1]
