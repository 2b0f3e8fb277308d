"""Which 20 by 20 (or 14 by 14) window of a lattice is the playing grid."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fit import shifted
from calibration.pose import EDGE_HEIGHT_CELLS, PIECE_HEIGHT_CELLS, GridPose, sample
from calibration.segments import FloatArray

CELL_PX = 8
"""Resolution at which lattice lines are counted."""


@dataclass(frozen=True)
class Candidate:
    """One possible board: a window of a lattice, and what speaks for it.

    Attributes:
        pose: with its origin at the grid's corner and its size set.
        score: mean line contrast inside, about 0 for no grid and 0.3 to 0.9 for one.
        margin: lead of the weakest border strip of cells over the strongest strip outside it.
        weakest: the least contrast, but for a tenth, of the lines inside and of the strips of cells: another game's board of
            larger squares has every second line missing.
        lead: lead in quality over others that lie half a cell and more from it; infinite when none was seen.
        doubt: probability that the grid does not end where it should, by what lies across its sides; NaN when that was not looked at.
    """

    pose: GridPose
    score: float
    margin: float
    weakest: float
    lead: float = np.inf
    doubt: float = np.nan

    @property
    def clearness(self) -> float:
        """How much the lines look like a grid's: lines inside, none outside, none missing.

        Beyond 0.4 and 0.3, margin and weakest line say no more than that all is well.
        """
        return self.score + min(self.margin, 0.4) + min(self.weakest, 0.3)

    @property
    def quality(self) -> float:
        """By what fitted candidates are ranked: clear lines, all in their places, that end at the border.

        Where the border is of no help, lines alone tell which candidate is worth mending.
        """
        return self.clearness - 3 * self.pose.residual_cells - min(float(np.nan_to_num(self.doubt)), 0.5)


def line_contrast(
    gray: NDArray[np.uint8], pose: GridPose, first: tuple[int, int], cells: tuple[int, int], cell_px: int = CELL_PX
) -> FloatArray:
    """How much each lattice edge stands out against the middle of the cells beside it.

    Args:
        gray: (h, w) uint8.
        pose: lattice pose.
        first: ``(col, row)`` of the window's first cell.
        cells: ``(cols, rows)`` of the window.
        cell_px: pixels a cell.

    Returns:
        (2, rows, cols) in -1 to 1: ``[0]`` the left edge of each cell, ``[1]`` its upper edge; 0 outside the picture.
        The best of the planes in which the board, the edges and the tops of pieces are seen.
    """
    planes = [_contrast_at(gray, pose, first, cells, cell_px, height) for height in _heights(pose)]
    return np.asarray(np.maximum.reduce(planes))


def _heights(pose: GridPose) -> tuple[float, ...]:
    """The planes that the camera sees apart: up to a slope of one half, all lie within a tenth of a cell of one in the middle."""
    slope = np.tan(np.radians(min(pose.tilt_deg, 75.0)))
    if slope < 0.5:
        return (PIECE_HEIGHT_CELLS / 3,)
    return (0.0, EDGE_HEIGHT_CELLS) if slope < 1.2 else (0.0, EDGE_HEIGHT_CELLS, PIECE_HEIGHT_CELLS)


def _contrast_at(
    gray: NDArray[np.uint8],
    pose: GridPose,
    first: tuple[float, float],
    cells: tuple[int, int],
    cell_px: int,
    height: float,
    axes: tuple[int, ...] = (0, 1),
) -> NDArray[np.float32]:
    """(len(axes), rows, cols) contrasts as from `line_contrast`, in one plane."""
    cols, rows = cells
    # Half a cell more to the left and above, so that the edges of the first cells lie inside.
    x = first[0] - 0.5 + (np.arange(cols * cell_px + cell_px) + 0.5) / cell_px
    y = first[1] - 0.5 + (np.arange(rows * cell_px + cell_px) + 0.5) / cell_px
    at = pose.project_grid(x, y, height)
    flat = sample(gray, at)
    out = np.empty((len(axes), rows, cols), np.float32)
    for k, axis in enumerate(axes):
        if axis == 0:
            out[k] = _edges(flat, at, gray.shape, cell_px)
        else:
            out[k] = _edges(np.asarray(cv2.transpose(flat), np.uint8), at.transpose(1, 0, 2), gray.shape, cell_px).T
    return out


def _edges(flat: NDArray[np.uint8], at: NDArray[np.float32], image_hw: tuple[int, ...], cell_px: int) -> NDArray[np.float32]:
    """(rows, cols) contrast of the left edges of the cells of one board image, 0 outside the picture.

    Steps are averaged along each edge with their sign before their size is taken: a faint line keeps its sign, noise does not.
    """
    half = cell_px // 2
    rows, cols = flat.shape[0] // cell_px - 1, flat.shape[1] // cell_px - 1
    # Along the edge: the middle three quarters of each cell, clear of the crossing lines.
    trim = max(1, cell_px // 8)
    bands = flat[half:-half].reshape(rows, cell_px, -1)[:, trim:-trim].astype(np.uint16)
    level = reduce(np.add, np.moveaxis(bands, 1, 0))
    strip = np.zeros(level.shape, np.uint16)
    strip[:, 1:] = cv2.absdiff(level[:, 1:], level[:, :-1])
    known = np.ones(level.shape, bool)
    for edge in (half, half + cell_px - 1):
        x, y = at[edge::cell_px, :, 0][:rows], at[edge::cell_px, :, 1][:rows]
        known &= (x > 1) & (y > 1) & (x < image_hw[1] - 2) & (y < image_hw[0] - 2)
    strip[:, 1:] *= known[:, 1:] & known[:, :-1]
    width = max(1, round(cell_px * 0.19))
    # Columns 0, cell_px .. are the middles of cells, those between them the edges.
    # Strongest step from width - 1 before each place to width after it.
    widest = np.asarray(cv2.dilate(strip, np.ones((1, 2 * width), np.uint8), anchor=(width - 1, 0)))
    widest = widest[:, ::half].astype(np.float32)
    middle, on = widest[:, ::2], widest[:, 1::2][:, :cols]
    beside = (middle[:, :cols] + middle[:, 1 : cols + 1]) / 2
    return np.asarray((on - beside) / (on + beside + np.float32(NOISE_LEVELS * (cell_px - 2 * trim))))


NOISE_LEVELS = 1.2
"""Grey levels that a step may reach by noise alone after averaging along an edge: must not look like a line."""


def find_extent(
    gray: NDArray[np.uint8], pose: GridPose, center: FloatArray, sizes: tuple[int, ...] = (20,), reach: int = 24
) -> Candidate | None:
    """The window of the lattice that holds lines inside and none outside.

    Args:
        gray: (h, w) uint8.
        pose: lattice pose.
        center: (2,) board point near the middle of the board.
        sizes: board sizes to consider.
        reach: cells from ``center`` to the border of the search window.
    """
    first = (round(float(center[0])) - reach, round(float(center[1])) - reach)
    contrast = line_contrast(gray, pose, first, (2 * reach, 2 * reach))
    size, row, col = _fullest(contrast - (0.08 + CHANCE * len(_heights(pose))), sizes)
    window = _Window(gray, pose, first, contrast, size)
    row = window.fullest(0, row, col)
    col, side_cols = window.settle(1, window.fullest(1, col, row), row)
    row, side_rows = window.settle(0, window.fullest(0, row, col), col)
    at = shifted(pose, first[0] + col, first[1] + row)
    inside = contrast[:, row : row + size, col : col + size]
    families = (inside[0, :, 1:].mean(axis=0), inside[0, :, 1:].mean(axis=1), inside[1, 1:].mean(axis=0), inside[1, 1:].mean(axis=1))
    weakest = min(float(np.quantile(family, 0.1)) for family in families)
    score = float(inside[0, :, 1:].mean() + inside[1, 1:].mean()) / 2
    return Candidate(replace(at, size=size), score, min(side_cols, side_rows), weakest)


def likely_window(gray: NDArray[np.uint8], pose: GridPose, center: FloatArray, sizes: tuple[int, ...] = (20,), reach: int = 16) -> GridPose:
    """The window of the lattice with most lines inside, at a glance: it may be a cell off.

    Args:
        gray, pose, center, sizes, reach: as of `find_extent`.
    """
    first = (round(float(center[0])) - reach, round(float(center[1])) - reach)
    contrast = _contrast_at(gray, pose, first, (2 * reach, 2 * reach), GLANCE_PX, PIECE_HEIGHT_CELLS / 3).astype(np.float64)
    size, row, col = _fullest(contrast - (0.08 + CHANCE), sizes)
    window = _Window(gray, pose, first, contrast, size)
    row = window.fullest(0, row, col)
    col = window.fullest(1, col, row)
    return replace(shifted(pose, first[0] + col, first[1] + window.fullest(0, row, col)), size=size)


GLANCE_PX = 6
"""Resolution at which lattice lines are looked for at a glance."""


def _fullest(gain: FloatArray, sizes: tuple[int, ...]) -> tuple[int, int, int]:
    """Size, first row and first column of the window with most in it, of (2, rows, cols) contrasts above those between boards."""
    totals = [_window_sums(gain, size) for size in sizes]
    best = max(range(len(sizes)), key=lambda k: totals[k].max())
    row, col = np.unravel_index(int(totals[best].argmax()), totals[best].shape)
    return sizes[best], int(row), int(col)


TALLEST_CELLS = 0.3
"""Height of the tallest pieces, in cells."""

CHANCE = 0.04
"""Contrast that each further plane brings by chance alone where there are no lines."""


@dataclass(frozen=True)
class _Window:
    """Where on the lattice a board of one size may begin and end.

    Attributes:
        gray: (h, w) uint8.
        pose: lattice pose.
        first: ``(col, row)`` of the first cell of the searched part.
        contrast: (2, rows, cols) as from `line_contrast`.
        size: cells a side.
    """

    gray: NDArray[np.uint8]
    pose: GridPose
    first: tuple[int, int]
    contrast: FloatArray
    size: int

    def fullest(self, axis: int, start: int, across: int) -> int:
        """First strip of the board, near ``start``, by the lines that cross its strips.

        A strip is a row (column) of cells, its value the mean contrast of the lines that cross it: the rim has none, so that
        the strong lines along the rim cannot shift the grid by one.

        Args:
            axis: 0 for rows, 1 for columns.
            start: first strip by the sum of all lines.
            across: first strip of the other axis.
        """
        sums = np.convolve(self._strips(axis, across), np.ones(self.size), "valid")
        low, high = max(0, start - 3), min(len(sums), start + 4)
        return low + int(sums[low:high].argmax())

    def settle(self, axis: int, start: int, across: int) -> tuple[int, float]:
        """First strip of the board, at most one from ``start``, and by how much that is sure.

        The margin is how far the weaker border strip beats the stronger strip outside it.
        """
        strips, size = self._strips(axis, across), self.size
        inside = np.full(size + 2, -1.0)
        first, last = max(0, start - 1), min(len(strips), start + size + 1)
        inside[first - start + 1 : last - start + 1] = strips[first:last]
        low, high = (self._outside(axis, at, across, way, strips) for at, way in ((start - 2, -1), (start + size - 1, 1)))
        # Boards that begin a strip earlier, here, a strip later.
        margins = [float(min(inside[k], inside[k + size - 1]) - max(low[k], high[k])) for k in range(3)]
        best = max((1, 0, 2), key=lambda k: margins[k]) if len(_heights(self.pose)) > 1 else 1
        return start + best - 1, margins[best]

    def _strips(self, axis: int, across: int) -> FloatArray:
        inner = slice(across + 1, across + self.size)
        return np.asarray(self.contrast[0, :, inner].mean(axis=1) if axis == 0 else self.contrast[1, inner].mean(axis=0))

    def _outside(self, axis: int, strip: int, across: int, outward: int, strips: FloatArray) -> FloatArray:
        """(3,) contrast of the lines that cross three strips outside the board, where neither the board nor leaning pieces are seen."""
        if len(_heights(self.pose)) == 1:
            seen = np.zeros(3)
            first, last = max(0, strip), max(0, min(len(strips), strip + 3))
            seen[first - strip : last - strip] = strips[first:last]
            return seen
        along = strip + self.first[1 - axis]
        clear = max(0.0, outward * self._lean(axis, along, TALLEST_CELLS))
        begin = across + self.first[axis] + 1
        planes = []
        for height in _heights(self.pose):
            moved = along + outward * clear - self._lean(axis, along, height)
            corner, cells = ((begin, moved), (self.size - 1, 3)) if axis == 0 else ((moved, begin), (3, self.size - 1))
            planes.append(_contrast_at(self.gray, self.pose, corner, cells, CELL_PX, height, (axis,))[0])
        return np.asarray(np.maximum.reduce(planes).mean(axis=1 - axis))

    def _lean(self, axis: int, along: float, height: float) -> float:
        """Cells by which a point over the middle of the second of three strips appears moved on the board's plane, across them."""
        camera = self.pose.camera_position
        return float((along + 1.5 - camera[1 - axis]) * height / (camera[2] - height))


def _window_sums(gain: FloatArray, size: int) -> FloatArray:
    """Sums over all windows of the edges strictly inside a grid of ``size`` cells: left edges of columns 1.., upper edges of rows 1..."""
    sums = []
    for axis, (rows, cols) in enumerate(((size, size - 1), (size - 1, size))):
        padded = np.zeros((gain.shape[1] + 1, gain.shape[2] + 1))
        padded[1:, 1:] = gain[axis].cumsum(0).cumsum(1)
        r0, c0 = (0, 1) if axis == 0 else (1, 0)
        total = padded[rows:, cols:] - padded[:-rows, cols:] - padded[rows:, :-cols] + padded[:-rows, :-cols]
        sums.append(total[r0 : r0 + gain.shape[1] - size + 1, c0 : c0 + gain.shape[2] - size + 1])
    return np.asarray(sums[0] + sums[1])
