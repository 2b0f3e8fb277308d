"""Where to look: samples of the picture on the plane of the piece tops, and the cells each line of sight passes.

A line of sight enters the layer of pieces at the plane of their tops in one cell and meets the floor in another,
up to half a cell farther from the camera at 60 degrees. It shows the first occupied cell on its way, else the floor.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose
from vision.align import NO_NUDGE, Nudge, shifts
from vision.light import DARK_FLOOR

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.intp]

SIGHT_HEIGHT_CELLS = 0.145
"""Height in cells at which a piece cuts off the view of what is behind it: less than the height of its top (5 to 6 mm, a
quarter of a cell), as the cells are sunk between ridges and the tops' borders are bevelled (best of 0.13 to 0.26 on renders
of three reliefs at 50 to 60 degrees)."""

MARGIN_CELLS = 1
"""Cells sampled around the grid: the floor of the row nearest the camera is seen through the plane beyond the grid."""

MAX_SHIFT_CELLS = 0.95
"""Longest way of a line of sight through the layer of pieces that is followed (75 degrees); keeps it to three cells."""

GAMMA = 2.2
"""Exponent of the usual picture encoding: near enough, for ratios of channels, to every camera's own curve."""

CLIPPED = 250
"""Channel value from which a channel may have been cut off."""

BLOWN = 200
"""A pixel with a cut-off channel whose lowest channel is above this is blown to white: whose light it is cannot be told."""

TAP_PX = 6.0
"""Pixels between two samples that are worth a tap of their own: bilinear taps reach over two, and blur and JPEG over the rest."""

MOST_TAPS = 3
"""Taps along each axis for one sample: nine of them leave a third of the noise, whatever the size of the picture."""

_LINEAR = ((np.arange(256) / 255.0) ** GAMMA).astype(np.float32)


def linear(value: int) -> float:
    """Linear light 0 to 1 of a picture's value 0 to 255."""
    return float(_LINEAR[value])


@dataclass(frozen=True)
class Window:
    """A rectangle of cells, which alone is sampled: rows ``top`` to ``bottom - 1``, columns ``left`` to ``right - 1``."""

    top: int
    left: int
    bottom: int
    right: int

    @classmethod
    def around(cls, cells: NDArray[np.bool_], ring: int) -> Window:
        """The least one that holds the marked cells (size, size) and so many cells around them."""
        spans = [np.flatnonzero(cells.any(axis)) for axis in (1, 0)]
        (top, bottom), (left, right) = ((max(0, int(s[0]) - ring), min(len(cells), int(s[-1]) + 1 + ring)) for s in spans)
        return cls(top, left, bottom, right)

    @property
    def cells(self) -> tuple[slice, slice]:
        """Its part of an array by cells, (rows, columns)."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def mask(self, size: int) -> NDArray[np.bool_]:
        """(size, size) which of the board's cells are in it."""
        mask = np.zeros((size, size), np.bool_)
        mask[self.cells] = True
        return mask

    @property
    def wide(self) -> tuple[slice, slice]:
        """Its part, with the margin around it, of an array by cells that has a margin around the board."""
        return slice(self.top, self.bottom + 2 * MARGIN_CELLS), slice(self.left, self.right + 2 * MARGIN_CELLS)


@dataclass(frozen=True)
class AxisSight:
    """The lines of sight along one axis of the window of n cells; m = (n + 2 * MARGIN_CELLS) * per_cell.

    Attributes:
        at: (m,) place of the samples on the plane of the tops, in cells of the board.
        top: (m,) index of the cell there, counted from the first margin cell.
        floor: (m,) the same where the line of sight meets the floor; never decreasing.
        floor_place: (m,) part of the floor's cell, 0 to per_cell - 1, where it meets it.
        over_floor: (n * per_cell,) index of the sample that shows the floor at each of the cells' parts.
        crossing: (m,) share of the way at which it passes into the floor's cell; 2 where it does not.
        lean: (m,) cells by which it passes on between the tops and the floor.
        top_share: (m,) probability that ``top`` is right, for the given error of the pose.
        floor_share: (m,) the same for ``floor``.
    """

    at: FloatArray
    top: IntArray
    floor: IntArray
    floor_place: IntArray
    over_floor: IntArray
    crossing: FloatArray
    lean: FloatArray
    top_share: FloatArray
    floor_share: FloatArray

    @property
    def count(self) -> int:
        """Cells of the window along this axis."""
        return int(self.top[-1]) + 1 - 2 * MARGIN_CELLS


@dataclass(frozen=True)
class BoardSamples:
    """Samples of one picture on the plane of the piece tops; r and c of them along the window's rows and columns.

    Attributes:
        size: cells a side of the whole board.
        window: the cells that are sampled, with a margin of `MARGIN_CELLS` around.
        per_cell: samples a cell along each axis.
        cell_px: side of a middling cell in the picture.
        linear_bgr: (3, r, c) float32, linear light 0 to 1.
        blown: (r, c) bool, blown to white (`CLIPPED`, `BLOWN`).
        inside: (r, c) bool, the sample lies in the picture.
        rows: lines of sight along the rows axis (board's y).
        cols: lines of sight along the columns axis (board's x).
    """

    size: int
    window: Window
    per_cell: int
    cell_px: float
    linear_bgr: FloatArray
    blown: NDArray[np.bool_]
    inside: NDArray[np.bool_]
    rows: AxisSight
    cols: AxisSight

    @cached_property
    def level(self) -> FloatArray:
        """(r, c) natural logarithm of the mean of the channels."""
        return np.asarray(np.log(self.linear_bgr.mean(0) + DARK_FLOOR))

    @cached_property
    def floor_level(self) -> FloatArray:
        """(rows, cols, per_cell**2) that of the samples that show each cell's floor where it is seen."""
        return self.by_floor(self.level)

    @property
    def axes(self) -> tuple[FloatArray, FloatArray]:
        """Places of the samples along rows (r,) and columns (c,), -1 to 1 across the board."""
        rows, cols = (axis.at / np.float32(self.size / 2) - 1 for axis in (self.rows, self.cols))
        return rows, cols

    def by_cell(self, values: FloatArray) -> FloatArray:
        """(k, rows, cols, per_cell**2) copy of (k, r, c) sample values, by the window's cell at the plane of the tops."""
        edge, rows, cols, k = MARGIN_CELLS * self.per_cell, self.rows.count, self.cols.count, self.per_cell
        core = values[:, edge:-edge, edge:-edge]
        return core.reshape(len(values), rows, k, cols, k).swapaxes(2, 3).reshape(len(values), rows, cols, k * k)

    def by_floor(self, values: FloatArray) -> FloatArray:
        """(rows, cols, per_cell**2) copy of (r, c) sample values, by the window's cell whose floor they would show."""
        rows, cols, k = self.rows.count, self.cols.count, self.per_cell
        floor = values[self.rows.over_floor][:, self.cols.over_floor]
        return floor.reshape(rows, k, cols, k).swapaxes(1, 2).reshape(rows, cols, k * k)

    def of_cells(self, values: FloatArray) -> FloatArray:
        """(r, c) values of the samples, each that of its cell at the plane of the tops, from (size, size) values of the board's cells."""
        return np.repeat(np.repeat(self._wide(values), self.per_cell, 0), self.per_cell, 1)

    def spread(self, values: FloatArray) -> FloatArray:
        """(r, c) values of the samples from (size, size) values of the board's cells, interpolated between their middles."""
        wide = self._wide(values)
        shape = (wide.shape[1] * self.per_cell, wide.shape[0] * self.per_cell)
        return np.asarray(cv2.resize(wide, shape, interpolation=cv2.INTER_LINEAR), np.float32)

    def _wide(self, values: FloatArray) -> FloatArray:
        """(rows + 2, cols + 2) values of the window's cells and those around it, from (size, size) values of the board's."""
        edge = (MARGIN_CELLS,) * 4
        return np.asarray(cv2.copyMakeBorder(values, *edge, cv2.BORDER_REPLICATE)[self.window.wide], np.float32)


def sample_board(
    image_bgr: NDArray[np.uint8],
    pose: GridPose,
    per_cell: int = 8,
    pose_error: float = 0.1,
    nudge: Nudge = NO_NUDGE,
    window: Window | None = None,
) -> BoardSamples:
    """Samples the picture over the grid and one cell around it.

    Args:
        image_bgr: (h, w, 3) uint8.
        pose: the grid in that picture.
        per_cell: samples a cell along each axis.
        pose_error: standard deviation of the pose's error and of the picture's blur, in cells.
        nudge: a correction of the pose, see `vision.align`.
        window: the cells to sample; None: all.
    """
    window = window or Window(0, 0, pose.size, pose.size)
    taps = _taps(pose, per_cell)
    points = _sample_map(pose, window, per_cell * taps, nudge)
    color = cv2.remap(image_bgr, points, np.empty(0, np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if taps > 1:
        color = cv2.resize(color, (color.shape[1] // taps, color.shape[0] // taps), interpolation=cv2.INTER_AREA)
    height, width = image_bgr.shape[:2]
    x, y = np.moveaxis(points[taps // 2 :: taps, taps // 2 :: taps], -1, 0)
    inside = (x > -0.5) & (y > -0.5) & (x < width - 0.5) & (y < height - 0.5)
    planes = cv2.split(color)
    light = np.asarray(np.stack([cv2.LUT(plane, _LINEAR) for plane in planes]), np.float32)
    blown = (np.maximum.reduce(planes) >= CLIPPED) & (np.minimum.reduce(planes) >= BLOWN)
    rows = _axis_sight(pose, 1, (window.top, window.bottom), per_cell, pose_error)
    cols = _axis_sight(pose, 0, (window.left, window.right), per_cell, pose_error)
    return BoardSamples(pose.size, window, per_cell, _cell_px(pose), light, blown, inside, rows, cols)


def _taps(pose: GridPose, per_cell: int) -> int:
    """Places of the picture along each axis that are averaged for one sample: sensor noise of large pictures is not followed."""
    return int(np.clip(round(_cell_px(pose) / per_cell / TAP_PX), 1, MOST_TAPS))


def _cell_px(pose: GridPose) -> float:
    """Side in the picture of a middling cell."""
    return float(abs(cv2.contourArea(pose.corners_px.astype(np.float32))) ** 0.5) / pose.size


def _sample_map(pose: GridPose, window: Window, per_cell: int, nudge: Nudge) -> FloatArray:
    """(r, c, 2) float32 image points at the plane of the tops; projected once a cell and interpolated between."""
    rows, cols = (
        np.arange(a - MARGIN_CELLS, b + MARGIN_CELLS + 2) - 0.5 for a, b in ((window.top, window.bottom), (window.left, window.right))
    )
    moved = shifts(nudge, *((at / pose.size * 2 - 1).astype(np.float32) for at in (rows, cols)))
    known = pose.project(np.stack(np.meshgrid(cols, rows), -1) + np.moveaxis(moved[::-1], 0, -1), SIGHT_HEIGHT_CELLS)
    shape = (len(cols) * per_cell, len(rows) * per_cell)
    fine = cv2.resize(known.astype(np.float32), shape, interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(fine[per_cell:-per_cell, per_cell:-per_cell])  # beyond the outermost middles nothing is interpolated


def _axis_sight(pose: GridPose, axis: int, span: tuple[int, int], per_cell: int, pose_error: float) -> AxisSight:
    """The lines of sight along one axis: on a plane board the two axes do not depend on each other.

    Args:
        pose: the grid.
        axis: 0 along columns, 1 along rows.
        span: first cell of the window, and the one after its last.
        per_cell: samples a cell.
        pose_error: of the pose, in cells.
    """
    cells = span[1] - span[0] + 2 * MARGIN_CELLS
    begin = span[0] - MARGIN_CELLS
    at = (np.arange(cells * per_cell) + 0.5) / per_cell + begin
    reach = SIGHT_HEIGHT_CELLS / (pose.camera_position[2] - SIGHT_HEIGHT_CELLS)
    shift = np.clip((at - pose.camera_position[axis]) * reach, -MAX_SHIFT_CELLS, MAX_SHIFT_CELLS)
    ground = at + shift
    first, last = np.floor(at), np.floor(ground)
    border = np.maximum(first, last)
    crossing = np.where(first == last, 2.0, (border - at) / np.where(shift == 0, 1, shift))
    floor_part = span[0] + (np.arange((span[1] - span[0]) * per_cell) + 0.5) / per_cell
    over_floor = np.searchsorted(ground[:-1] + np.diff(ground) / 2, floor_part)  # the nearest: the way grows slower than the place
    return AxisSight(
        at.astype(np.float32),
        (first - begin).astype(np.intp),
        np.clip(last - begin, 0, cells - 1).astype(np.intp),
        ((ground - last) * per_cell).astype(np.intp).clip(0, per_cell - 1),
        over_floor,
        crossing.astype(np.float32),
        shift.astype(np.float32),
        _own_share(at - first, pose_error),
        _own_share(ground - last, pose_error),
    )


def _own_share(place: NDArray[np.float64], error: float) -> FloatArray:
    """Probability that a point at a place 0 to 1 within a cell stays in it under a normal (here logistic) error."""
    scale = error * 0.55
    return np.asarray(1 / (1 + np.exp(-place / scale)) - 1 / (1 + np.exp(-(place - 1) / scale)), np.float32)
