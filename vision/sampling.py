"""Where to look: samples of the picture on the plane of the piece tops, and the cells each line of sight passes.

A line of sight enters the layer of pieces at the plane of their tops in one cell and meets the floor in another,
up to half a cell farther from the camera at 60 degrees. It shows the first occupied cell on its way, else the floor.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import PIECE_HEIGHT_CELLS, GridPose

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.intp]

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
class BoardSamples:
    """Samples on the plane of the piece tops; m = (size + 2 * MARGIN_CELLS) * per_cell.

    Attributes:
        size: cells a side.
        per_cell: samples a cell along each axis.
        linear_bgr: (m, m, 3) float32, linear light 0 to 1.
        clipped: (m, m) bool, blown to white: `CLIPPED` and `BLOWN`.
        inside: (m, m) bool, the sample lies in the picture.
        top_rc: (m, m) flat index into the padded (size + 2)**2 cells of the cell at the plane of the tops.
        mid_rc: the same for the cell that a diagonal line of sight passes between; equals ``top_rc`` or ``floor_rc`` where there is none.
        floor_rc: the same for the cell where it meets the floor.
        top_inset: (m, m) float32 distance in cells from the plane point to the nearest border of its cell.
        floor_inset: the same for the floor point.
    """

    size: int
    per_cell: int
    linear_bgr: FloatArray
    clipped: NDArray[np.bool_]
    inside: NDArray[np.bool_]
    top_rc: IntArray
    mid_rc: IntArray
    floor_rc: IntArray
    top_inset: FloatArray
    floor_inset: FloatArray

    def by_cell(self, values: FloatArray) -> FloatArray:
        """(size, size, per_cell**2, ...) view of (m, m, ...) sample values, by the cell at the plane of the tops."""
        edge = MARGIN_CELLS * self.per_cell
        core = values[edge:-edge, edge:-edge]
        n, k = self.size, self.per_cell
        blocks = core.reshape(n, k, n, k, *core.shape[2:]).swapaxes(1, 2)
        return np.ascontiguousarray(blocks).reshape(n, n, k * k, *core.shape[2:])


def sample_board(image_bgr: NDArray[np.uint8], pose: GridPose, per_cell: int = 8) -> BoardSamples:
    """Samples the picture over the grid and one cell around it.

    Args:
        image_bgr: (h, w, 3) uint8.
        pose: the grid in that picture.
        per_cell: samples a cell along each axis.
    """
    count = (pose.size + 2 * MARGIN_CELLS) * per_cell
    at = (np.arange(count) + 0.5) / per_cell - MARGIN_CELLS
    points = _interpolated_map(pose, at)
    color = cv2.remap(image_bgr, points, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    height, width = image_bgr.shape[:2]
    x, y = points[..., 0], points[..., 1]
    inside = (x > -0.5) & (y > -0.5) & (x < width - 0.5) & (y < height - 0.5)
    top_rc, mid_rc, floor_rc, top_inset, floor_inset = _lines_of_sight(pose, at)
    return BoardSamples(
        pose.size, per_cell, _LINEAR[color], (color.max(-1) >= CLIPPED) & (color.min(-1) >= BLOWN), inside, top_rc, mid_rc, floor_rc, top_inset, floor_inset
    )


def _interpolated_map(pose: GridPose, at: NDArray[np.float64]) -> FloatArray:
    """(m, m, 2) float32 image points at the plane of the tops; projected twice a cell and interpolated between."""
    nodes = np.arange(2 * (pose.size + 2 * MARGIN_CELLS) + 1) / 2 - MARGIN_CELLS
    known = pose.project(np.stack(np.meshgrid(nodes, nodes), -1), PIECE_HEIGHT_CELLS)
    place = np.clip((at - nodes[0]) * 2, 0, len(nodes) - 1.001)
    left = place.astype(int)
    weight = np.zeros((len(at), len(nodes)), np.float32)
    rows = np.arange(len(at))
    weight[rows, left] = 1 - (place - left)
    weight[rows, left + 1] = place - left
    return np.stack([weight @ known[..., i].astype(np.float32) @ weight.T for i in (0, 1)], -1)


def _lines_of_sight(pose: GridPose, at: NDArray[np.float64]) -> tuple[IntArray, IntArray, IntArray, FloatArray, FloatArray]:
    """The cells passed and the insets, see `BoardSamples`; rows and columns separate but for the order of crossing."""
    reach = PIECE_HEIGHT_CELLS / (pose.camera_position[2] - PIECE_HEIGHT_CELLS)
    wide = pose.size + 2 * MARGIN_CELLS
    top, floor, cross, inset_top, inset_floor = [], [], [], [], []
    for axis in (1, 0):  # rows, then columns
        shift = np.clip((at - pose.camera_position[axis]) * reach, -MAX_SHIFT_CELLS, MAX_SHIFT_CELLS)
        ground = at + shift
        first, last = np.floor(at), np.floor(ground)
        border = np.maximum(first, last)
        top.append((first + MARGIN_CELLS).astype(np.intp))
        floor.append(np.clip(last + MARGIN_CELLS, 0, wide - 1).astype(np.intp))
        cross.append(np.where(first == last, 2.0, (border - at) / np.where(shift == 0, 1, shift)))
        inset_top.append(0.5 - np.abs(at - first - 0.5))
        inset_floor.append(0.5 - np.abs(ground - last - 0.5))
    row_first = cross[0][:, None] < cross[1][None, :]
    mid_row = np.where(row_first, floor[0][:, None], top[0][:, None])
    mid_col = np.where(row_first, top[1][None, :], floor[1][None, :])
    return (
        top[0][:, None] * wide + top[1][None, :],
        mid_row * wide + mid_col,
        floor[0][:, None] * wide + floor[1][None, :],
        np.minimum(inset_top[0][:, None], inset_top[1][None, :]).astype(np.float32),
        np.minimum(inset_floor[0][:, None], inset_floor[1][None, :]).astype(np.float32),
    )
