"""Where to look: samples of the picture on the plane of the piece tops, and the cells each line of sight passes.

A line of sight enters the layer of pieces at the plane of their tops in one cell and meets the floor in another,
up to half a cell farther from the camera at 60 degrees. It shows the first occupied cell on its way, else the floor.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose
from vision.align import NO_NUDGE, Nudge, shifts

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

_LINEAR = ((np.arange(256) / 255.0) ** GAMMA).astype(np.float32)


@dataclass(frozen=True)
class AxisSight:
    """The lines of sight along one axis of the board; m = (size + 2 * MARGIN_CELLS) * per_cell.

    Attributes:
        at: (m,) place of the samples on the plane of the tops, in cells.
        top: (m,) index of the cell there, counted from the first margin cell.
        floor: (m,) the same where the line of sight meets the floor; never decreasing.
        floor_place: (m,) part of the floor's cell, 0 to per_cell - 1, where it meets it.
        over_floor: (size * per_cell,) index of the sample that shows the floor at each of the grid's parts of a cell.
        crossing: (m,) share of the way at which it passes into the floor's cell; 2 where it does not.
        top_share: (m,) probability that ``top`` is right, for the given error of the pose.
        floor_share: (m,) the same for ``floor``.
    """

    at: FloatArray
    top: IntArray
    floor: IntArray
    floor_place: IntArray
    over_floor: IntArray
    crossing: FloatArray
    top_share: FloatArray
    floor_share: FloatArray


@dataclass(frozen=True)
class BoardSamples:
    """Samples of one picture on the plane of the piece tops.

    Attributes:
        size: cells a side.
        per_cell: samples a cell along each axis.
        linear_bgr: (3, m, m) float32, linear light 0 to 1.
        blown: (m, m) bool, blown to white (`CLIPPED`, `BLOWN`).
        inside: (m, m) bool, the sample lies in the picture.
        rows: lines of sight along the rows axis (board's y).
        cols: lines of sight along the columns axis (board's x).
    """

    size: int
    per_cell: int
    linear_bgr: FloatArray
    blown: NDArray[np.bool_]
    inside: NDArray[np.bool_]
    rows: AxisSight
    cols: AxisSight

    def by_cell(self, values: FloatArray) -> FloatArray:
        """(k, size, size, per_cell**2) copy of (k, m, m) sample values, by the cell at the plane of the tops."""
        edge, n, k = MARGIN_CELLS * self.per_cell, self.size, self.per_cell
        core = values[:, edge:-edge, edge:-edge]
        return core.reshape(len(values), n, k, n, k).swapaxes(2, 3).reshape(len(values), n, n, k * k)

    def by_floor(self, values: FloatArray) -> FloatArray:
        """(size, size, per_cell**2) copy of (m, m) sample values, by the cell whose floor they would show."""
        n, k = self.size, self.per_cell
        floor = values[self.rows.over_floor][:, self.cols.over_floor]
        return floor.reshape(n, k, n, k).swapaxes(1, 2).reshape(n, n, k * k)

    def spread(self, values: FloatArray) -> FloatArray:
        """(m, m) values of the samples from (size, size) values of the cells, interpolated between their middles."""
        wide = np.pad(values, MARGIN_CELLS, mode="edge")
        return np.asarray(cv2.resize(wide, (wide.shape[1] * self.per_cell,) * 2, interpolation=cv2.INTER_LINEAR), np.float32)


def sample_board(
    image_bgr: NDArray[np.uint8], pose: GridPose, per_cell: int = 8, pose_error: float = 0.1, nudge: Nudge = NO_NUDGE
) -> BoardSamples:
    """Samples the picture over the grid and one cell around it.

    Args:
        image_bgr: (h, w, 3) uint8.
        pose: the grid in that picture.
        per_cell: samples a cell along each axis.
        pose_error: standard deviation of the pose's error and of the picture's blur, in cells.
        nudge: a correction of the pose, see `vision.align`.
    """
    count = (pose.size + 2 * MARGIN_CELLS) * per_cell
    at = (np.arange(count) + 0.5) / per_cell - MARGIN_CELLS
    points = _interpolated_map(pose, at, nudge)
    color = cv2.remap(image_bgr, points[..., 0], points[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    height, width = image_bgr.shape[:2]
    x, y = points[..., 0], points[..., 1]
    inside = (x > -0.5) & (y > -0.5) & (x < width - 0.5) & (y < height - 0.5)
    planes = np.ascontiguousarray(np.moveaxis(color, -1, 0))
    blown = (planes.max(0) >= CLIPPED) & (planes.min(0) >= BLOWN)
    rows, cols = (_axis_sight(pose, at, axis, per_cell, pose_error) for axis in (1, 0))
    return BoardSamples(pose.size, per_cell, _LINEAR[planes], blown, inside, rows, cols)


def _interpolated_map(pose: GridPose, at: NDArray[np.float64], nudge: Nudge) -> FloatArray:
    """(m, m, 2) float32 image points at the plane of the tops; projected twice a cell and interpolated between."""
    nodes = np.arange(2 * (pose.size + 2 * MARGIN_CELLS) + 1) / 2 - MARGIN_CELLS
    moved = shifts(nudge, (nodes / pose.size * 2 - 1).astype(np.float32))
    known = pose.project(np.stack(np.meshgrid(nodes, nodes), -1) + np.moveaxis(moved[::-1], 0, -1), SIGHT_HEIGHT_CELLS)
    place = np.clip((at - nodes[0]) * 2, 0, len(nodes) - 1.001)
    left = place.astype(int)
    part = (place - left).astype(np.float32)[:, None, None]
    xy = known.astype(np.float32)
    for _ in range(2):  # rows, then columns
        xy = np.swapaxes(xy[left] * (1 - part) + xy[left + 1] * part, 0, 1)
    return np.ascontiguousarray(xy)


def _axis_sight(pose: GridPose, at: NDArray[np.float64], axis: int, per_cell: int, pose_error: float) -> AxisSight:
    """The lines of sight along one axis: on a plane board the two axes do not depend on each other."""
    reach = SIGHT_HEIGHT_CELLS / (pose.camera_position[2] - SIGHT_HEIGHT_CELLS)
    shift = np.clip((at - pose.camera_position[axis]) * reach, -MAX_SHIFT_CELLS, MAX_SHIFT_CELLS)
    ground = at + shift
    first, last = np.floor(at), np.floor(ground)
    border = np.maximum(first, last)
    crossing = np.where(first == last, 2.0, (border - at) / np.where(shift == 0, 1, shift))
    floor_part = (np.arange(pose.size * per_cell) + 0.5) / per_cell
    over_floor = np.abs(ground[:, None] - floor_part).argmin(0)
    floor = np.clip(last + MARGIN_CELLS, 0, pose.size + 2 * MARGIN_CELLS - 1)
    return AxisSight(
        at.astype(np.float32),
        (first + MARGIN_CELLS).astype(np.intp),
        floor.astype(np.intp),
        ((ground - last) * per_cell).astype(np.intp).clip(0, per_cell - 1),
        over_floor,
        crossing.astype(np.float32),
        _own_share(at - first, pose_error),
        _own_share(ground - last, pose_error),
    )


def _own_share(place: NDArray[np.float64], error: float) -> FloatArray:
    """Probability that a point at a place 0 to 1 within a cell stays in it under a normal (here logistic) error."""
    scale = error * 0.55
    return np.asarray(1 / (1 + np.exp(-place / scale)) - 1 / (1 + np.exp(-(place - 1) / scale)), np.float32)
