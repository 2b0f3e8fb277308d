"""What a coloured patch on the table is made of: unit squares on a lattice of any direction.

The edges of the patch give the lattice's direction, as their angles repeat every quarter turn. For each of its places the
squares are those that the patch mostly fills, and the place is right where these squares and the patch agree best. At a
slant a patch shows the wall below the near edges of a piece as well: it is taken off first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cells import Cells, side_neighbors

FloatArray = NDArray[np.float32]
Points = NDArray[np.float64]

LONGEST_CELLS = 40
"""Most squares of a lattice in a row: longer patches are no pieces."""

DRAW_PX = 12
"""Pixels a square when squares are drawn."""

AGREES = 0.9
"""Overlap from which squares explain a patch as well as its blur allows: no better ones are looked for."""

TURNS_DEG = (-3.0, 3.0)
"""Directions to be tried about that of the edges: blur and noise shift it by that much."""


@dataclass(frozen=True)
class LatticeFit:
    """Squares of a lattice that explain a patch.

    Attributes:
        cells: the squares, rows and columns counted on the lattice.
        corner: (2,) view point of the corner of square (0, 0) towards smaller numbers.
        step: (2, 2) px from one square to the next in a row, and in a column.
        overlap: what squares and patch have in common, to what either has.
        rival: the greatest overlap with another number of squares.
        straight: how much the patch's edges keep to two directions at right angles, 0 to 1.
    """

    cells: Cells
    corner: Points
    step: Points
    overlap: float
    rival: float
    straight: float = 1.0

    @property
    def outline(self) -> Points:
        """(k, 2) view points around the squares; the longest outline when they have several."""
        return max((np.array(ring) @ self.step + self.corner for ring in _rings(self.cells)), key=len)

    def empty_around(self, empty: FloatArray) -> float:
        """Least share of the places beside the squares that is seen to be empty, by a map (h, w) of what is 1, or 0 out of sight."""
        places = frozenset(near for cell in self.cells for near in side_neighbors(cell)) - self.cells
        spots = (np.stack(np.meshgrid(np.arange(5), np.arange(5)), -1).reshape(-1, 2) + 0.5) / 5
        points = (np.array([(col, row) for row, col in places])[:, None] + spots) @ self.step + self.corner
        at = np.round(points).astype(int)
        inside = np.asarray(((at >= 0) & (at < [empty.shape[1], empty.shape[0]])).all(-1))
        at = np.where(inside[..., None], at, 0)
        return float((empty[at[..., 1], at[..., 0]] * inside).mean(1).min())

    def repeats(self, grey: FloatArray) -> float:
        """How much every square looks the same in a picture (h, w), bevels and grooves: about 1 for plain things, more for pieces.

        The variance of the mean square, over what it would be if the squares had nothing in common.
        """
        along = np.linspace(0.1, 0.9, 9)
        spots = np.stack(np.meshgrid(along, along), -1).reshape(-1, 2)
        corners = np.array([(col, row) for row, col in self.cells], float)
        at = np.round((corners[:, None] + spots) @ self.step + self.corner).astype(int)
        height, width = grey.shape
        fine = grey - cv2.GaussianBlur(grey, (0, 0), float(np.hypot(*self.step[0])) / 4)
        values = fine[np.clip(at[..., 1], 0, height - 1), np.clip(at[..., 0], 0, width - 1)]
        values = (values - values.mean(1, keepdims=True)) / (values.std(1, keepdims=True) + 1e-3)
        return float(values.mean(0).var() * len(values))

    def beside(self, bgr: FloatArray, wall: Points) -> tuple[FloatArray, NDArray[np.bool_]]:
        """Colours of a picture (h, w, 3) right outside each side of the squares, beyond the wall (2,) px.

        Places that the squares or their walls cover are left out, sides without any others too.

        Returns:
            (sides, 3) mean colours, and (sides,) whether the side faces the camera.
        """
        along, out = np.meshgrid(np.linspace(0.2, 0.8, 5), np.array([0.12, 0.2, 0.28]))
        strips, facing = [], []
        for row, col in self.cells:
            for (down, right), start, way in (
                ((-1, 0), (col, row), (1, 0)),
                ((1, 0), (col, row + 1), (1, 0)),
                ((0, -1), (col, row), (0, 1)),
                ((0, 1), (col + 1, row), (0, 1)),
            ):
                if (row + down, col + right) not in self.cells:
                    points = np.array(start) + along[..., None] * way + out[..., None] * (right, down)
                    faces = np.array([right, down]) @ self.step @ wall > 0
                    facing.append(faces)
                    strips.append((points.reshape(-1, 2) @ self.step + self.corner + faces * wall).round().astype(int))
        at = np.stack(strips)
        height, width = bgr.shape[:2]
        x, y = np.clip(at[..., 0], 0, width - 1), np.clip(at[..., 1], 0, height - 1)
        free = (self.drawn((height, width), wall)[y, x] < 0.1)[..., None]
        shown = free.sum(1)[:, 0] > 0
        return (bgr[y, x] * free).sum(1)[shown] / free.sum(1)[shown], np.array(facing)[shown]

    @property
    def turn_deg(self) -> float:
        """Angle of the rows in the view, 0 to 180 degrees."""
        return float(np.degrees(np.arctan2(self.step[0, 1], self.step[0, 0])) % 180)

    @property
    def sides(self) -> int:
        """Length of the outline in cells."""
        return sum(near not in self.cells for cell in self.cells for near in side_neighbors(cell))

    def drawn(self, shape: tuple[int, ...], wall: Points) -> FloatArray:
        """(h, w) 0 to 1, what the squares cover, and the wall (2,) px below them."""
        rows, cols = (max(cell[axis] for cell in self.cells) + 1 for axis in (0, 1))
        squares = np.zeros((rows + 2, cols + 2), np.float32)
        for row, col in self.cells:
            squares[row + 1, col + 1] = 1
        flat = squares.repeat(DRAW_PX, 0).repeat(DRAW_PX, 1)
        back = self.step.T / DRAW_PX
        out = np.zeros((shape[0], shape[1]), np.float32)
        for part in (0.0, 0.5, 1.0) if np.hypot(*wall) >= 1 else (0.5,):
            move = np.column_stack([back, self.corner - self.step.sum(0) + back @ [0.5, 0.5] + wall * part])
            out = np.maximum(out, cv2.warpAffine(flat, move, (shape[1], shape[0]), flags=cv2.INTER_LINEAR))
        return out


def fit_lattice(patch: FloatArray, cell_px: int, turns_deg: tuple[float, ...] = (0.0,)) -> LatticeFit | None:
    """The lattice that explains a patch best; None when it has no squares.

    Args:
        patch: (h, w) 0 to 1, how far each pixel belongs to the patch; empty along its border.
        cell_px: pixels a cell.
        turns_deg: directions tried about that of its edges.
    """
    angle, straight = _edges(patch)
    lattices = (Lattices.over(patch, cell_px, angle + np.radians(turn)) for turn in turns_deg)
    fits = [fit for lattice in lattices if lattice is not None and (fit := lattice.best()) is not None]
    return replace(max(fits, key=lambda fit: fit.overlap), straight=straight) if fits else None


def _edges(patch: FloatArray) -> tuple[float, float]:
    """Direction of the edges in radians, up to a quarter turn, and how much they keep to it: 1 all of them, 0 those of a disc."""
    gx, gy = (cv2.Sobel(patch, cv2.CV_32F, *order, ksize=3) for order in ((1, 0), (0, 1)))
    even, odd = gx * gx - gy * gy, 2 * gx * gy  # the gradient's square, as a complex number
    strength = np.hypot(even, odd) + np.float32(1e-6)
    real, imaginary = float(((even * even - odd * odd) / strength).sum()), float((2 * even * odd / strength).sum())
    return float(np.arctan2(imaginary, real)) / 4, float(np.hypot(real, imaginary)) / float(strength.sum())


@dataclass(frozen=True)
class Lattices:
    """All places of a lattice of one direction over a patch.

    Attributes:
        low: (2,) least coordinates along the lattice's axes, in px.
        unit: (2, 2) directions of its rows and columns.
        cell_px: pixels a cell.
        share: (cell_px ** 2, rows, cols) covered share of each square, for each place.
        total: squares that the patch is large.
    """

    low: Points
    unit: Points
    cell_px: int
    share: FloatArray
    total: float

    @classmethod
    def over(cls, patch: FloatArray, cell_px: int, angle: float) -> Lattices | None:
        """The lattices of that direction (radians); None when the patch is too long for pieces."""
        unit = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        height, width = patch.shape
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]]) @ unit.T
        low = corners.min(0)
        cols, rows = np.ceil((corners.max(0) - low) / cell_px).astype(int) + 1
        if max(cols, rows) > LONGEST_CELLS:
            return None
        inverse = np.column_stack([unit.T, low @ unit])
        size = (int(cols) * cell_px, int(rows) * cell_px)
        flat = cv2.warpAffine(patch, inverse, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        share = cv2.boxFilter(flat, -1, (cell_px, cell_px), anchor=(0, 0), borderType=cv2.BORDER_CONSTANT)
        places = np.asarray(share, np.float32).reshape(rows, cell_px, cols, cell_px).transpose(1, 3, 0, 2).reshape(cell_px**2, rows, cols)
        return cls(low, unit, cell_px, places, float(flat.sum()) / cell_px**2)

    def fit(self, place: int, cells: Cells, overlap: float = 0.0, rival: float = 0.0, shift: tuple[float, float] = (0, 0)) -> LatticeFit:
        """Squares of one of the places, moved by parts of a pixel (column, row)."""
        row, col = divmod(place, self.cell_px)
        corner = (self.low + np.array([col, row]) - 0.5 + shift) @ self.unit
        return LatticeFit(cells, corner, self.unit * self.cell_px, overlap, rival)

    def best(self) -> LatticeFit | None:
        """The place whose squares, those more than half covered, agree best with the patch; None when there are none."""
        full = self.share > 0.5
        count = full.sum((1, 2))
        common = np.where(full, self.share, 0).sum((1, 2))
        overlap = common / np.maximum(count + self.total - common, 1)
        best = int(overlap.argmax())
        if not count[best]:
            return None
        rival = float(overlap[count != count[best]].max(initial=0))
        cells = frozenset((int(r), int(c)) for r, c in zip(*np.nonzero(full[best]), strict=True))
        return self.fit(best, cells, float(overlap[best]), rival, self._shift(overlap, best))

    def _shift(self, overlap: FloatArray, best: int) -> tuple[float, float]:
        """Parts of a pixel (column, row) from the best place to where the overlap is greatest: a parabola through its neighbours."""
        by_place = overlap.reshape(self.cell_px, self.cell_px)  # a whole cell further the places are the same again
        row, col = divmod(best, self.cell_px)
        shift = []
        for line, at in ((by_place[row], col), (by_place[:, col], row)):
            before, here, after = (float(line[(at + step) % self.cell_px]) for step in (-1, 0, 1))
            bend = 2 * here - before - after
            shift.append(0.5 * (after - before) / bend if bend > 1e-6 else 0.0)
        return shift[0], shift[1]


def without_wall(patch: FloatArray, wall: Points) -> FloatArray:
    """(h, w) a patch without the wall (2,) px that is seen below its near edges."""
    if np.hypot(*wall) < 1:
        return patch
    tops = patch
    for part in (0.5, 1.0):
        move = np.array([[1, 0, wall[0] * part], [0, 1, wall[1] * part]])
        moved = cv2.warpAffine(patch, move, patch.shape[::-1], flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        tops = np.minimum(tops, moved)
    return tops


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
