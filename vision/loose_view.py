"""The table around the board, seen from straight above: the plane on which the tops of loose pieces lie.

View points are ``(x, y)`` pixels of that picture at `CELL_PX` a cell, pixel centres at whole numbers, y down. Where pieces are is
looked for at `SPOT_PX` a cell.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import PIECE_HEIGHT_CELLS, GridPose, sample
from calibration.views import Views

FloatArray = NDArray[np.float32]
BoolArray = NDArray[np.bool_]
Points = NDArray[np.float64]

TOPS_CELLS = -0.3
"""Height of the tops of pieces that lie beside the board, in cells over the grid: boards are 0.25 to 1 cell thick, pieces a
quarter. The error of half a cell shifts a piece in this view and changes its size by 2 %, which its shape outlives."""

SPOT_PX = 5
"""Pixels a cell of the view, in which pieces are looked for."""

CLOSER = 2
"""How much larger pieces are seen for their shape."""

CELL_PX = SPOT_PX * CLOSER
"""Pixels a cell of a close view: about as many as any cell has in a picture that can be read."""

REACH_CELLS = 12
"""How far from the grid the table is looked at: pieces lie within the reach of the players' hands."""

LEAST_CELL_PX = 6.0
"""Side of a cell in the picture below which no piece is made out: far away at a slant."""

RIM_CELLS = 0.3
"""Rim around every grid on which no piece can lie; wider rims are plain and show no piece anyhow."""

BLOCK_CELLS = 4
"""Side of the blocks of table that are asked whether a colour is seen in them: the table's pattern is in many, a thing on it in few."""

SAMPLE_PX = 3
"""Distance of the places in the coarse view that are asked for it."""

LEAST_ALIKE = 2
"""Places of a block, of 44, at which a colour must be seen."""

LEAST_BENT = 0.1
"""Least growth of the distance from the picture's middle with the angle at which a lens is still described by its one term."""


@dataclass(frozen=True)
class TableView:
    """A picture of the plane of the loose pieces' tops.

    Attributes:
        pose: of the grid in the picture it was taken from.
        close_bgr: (`CLOSER` * h, `CLOSER` * w, 3) uint8 the view at `CELL_PX` a cell.
        bgr: (h, w, 3) uint8 the same at `SPOT_PX` a cell.
        origin: board point (col, row) of the view's top left corner.
        table: (h, w) bool, where the table may be seen, and is seen large enough.
        board: (h, w) bool, where the board and what lies on it is seen.
    """

    pose: GridPose
    close_bgr: NDArray[np.uint8]
    bgr: NDArray[np.uint8]
    origin: tuple[int, int]
    table: BoolArray
    board: BoolArray

    @cached_property
    def light(self) -> FloatArray:
        """(h, w) sum of the channels of the view."""
        blue, green, red = cv2.split(self.bgr)
        return np.asarray(blue.astype(np.uint16) + green + red, np.float32)

    @cached_property
    def _blocks(self) -> tuple[FloatArray, FloatArray, NDArray[np.intp], int]:
        """Colours (n, 3) of the table, some from each cell, their squared lengths (n,), the block of each (n,), and how many there are."""
        bare = cv2.erode(self.table.view(np.uint8), np.ones((2 * SPOT_PX + 1, 2 * SPOT_PX + 1), np.uint8))  # no rim of the board
        rows, cols = np.nonzero(bare[::SAMPLE_PX, ::SAMPLE_PX])
        number = SAMPLE_PX * rows // (BLOCK_CELLS * SPOT_PX) * 100 + SAMPLE_PX * cols // (BLOCK_CELLS * SPOT_PX)
        block = np.cumsum(np.bincount(number) > 0)[number] - 1 if len(number) else number
        colors = self.bgr[SAMPLE_PX * rows, SAMPLE_PX * cols].astype(np.float32)
        return colors, (colors**2).sum(1), block, int(block.max(initial=-1)) + 1

    def spread(self, color: FloatArray, near: float, shades: tuple[float, float] = (1.0, 1.0)) -> float:
        """Share of the table's blocks in which some of a colour (3,) in any of its shades is seen, or one that is so near."""
        colors, length2, block, count = self._blocks
        own2 = max(float(color @ color), 1.0)
        along = colors @ color.astype(np.float32)
        shade = np.clip(along / np.float32(own2), *shades)
        alike = length2 - shade * (2 * along - shade * np.float32(own2)) < near**2
        return float((np.bincount(block[alike], minlength=count) >= LEAST_ALIKE).mean()) if count else 0.0

    def col_row(self, at_px: Points) -> Points:
        """(..., 2) board points of (..., 2) view points."""
        return (at_px + 0.5) / CELL_PX + self.origin

    def picture_px(self, at_px: Points) -> Points:
        """(..., 2) image points of (..., 2) view points."""
        return self.pose.project(self.col_row(at_px), TOPS_CELLS)

    def wall_px(self, at_px: Points) -> Points:
        """(2,) px from the upper edge of a piece at a view point (2,) to where its lower edge is seen: towards the camera."""
        eye = self.pose.camera_position
        return np.asarray((eye[:2] - self.col_row(at_px)) * (CELL_PX * PIECE_HEIGHT_CELLS / (eye[2] - TOPS_CELLS + PIECE_HEIGHT_CELLS)))


def view_table(views: Views, pose: GridPose) -> TableView | None:
    """The table around a board; None when nothing of it is in the picture.

    Args:
        views: of the picture.
        pose: the grid in that picture.
    """
    source, near = _shrunk(views, pose)
    nodes = np.arange(-REACH_CELLS, pose.size + REACH_CELLS + 1.0)
    points = near.project_grid(nodes, nodes, TOPS_CELLS)
    good = _told(near, nodes) & _large(points, LEAST_CELL_PX * near.focal_px / pose.focal_px)
    half = np.array(near.image_wh, np.float32) / 2
    inside = good & (np.abs(points - half) < half).all(-1)
    rows, cols = (np.flatnonzero(inside.any(axis)) for axis in (1, 0))
    if not len(rows):
        return None
    top, left = max(rows[0] - 1, 0), max(cols[0] - 1, 0)
    good = good[top : rows[-1] + 2, left : cols[-1] + 2]
    cells = good[:-1, :-1] & good[1:, :-1] & good[:-1, 1:] & good[1:, 1:]
    across, down = (
        nodes[first] + (np.arange(SPOT_PX * count) + 0.5) / SPOT_PX for first, count in zip((left, top), cells.shape[::-1], strict=True)
    )
    at = near.project_grid(across, down, TOPS_CELLS)
    seen = cells.repeat(SPOT_PX, 0).repeat(SPOT_PX, 1)
    x, y = cv2.split(at)
    seen &= (x > 1) & (x < near.image_wh[0] - 2) & (y > 1) & (y < near.image_wh[1] - 2)
    origin = (int(nodes[left]), int(nodes[top]))
    board = _board_mask(pose, origin, seen.shape)
    close = sample(source, np.asarray(cv2.resize(at, (at.shape[1] * CLOSER, at.shape[0] * CLOSER)), np.float32))
    coarse = np.asarray(cv2.resize(close, at.shape[1::-1], interpolation=cv2.INTER_AREA), np.uint8)
    return TableView(pose, close, coarse, origin, seen & ~board, board)


def _shrunk(views: Views, pose: GridPose) -> tuple[NDArray[np.uint8], GridPose]:
    """The picture and its pose, halved as often as hardly a pixel of it is skipped in the view."""
    times, longer_px = np.median(pose.cell_sizes_px()) / CELL_PX, max(pose.image_wh)
    while times >= 2:
        times, longer_px = times / 2, longer_px // 2
    view = views.at(longer_px)
    return view.image_bgr, replace(pose.scaled(view.factor), image_wh=view.wh)


def _told(pose: GridPose, nodes: Points) -> BoolArray:
    """(n, n) which nodes of the plane lie before the camera, and where its lens is still described by its one term."""
    base = pose.tvec - pose.rotation[:, 2] * TOPS_CELLS
    x, y, depth = (pose.rotation[k, 0] * nodes + pose.rotation[k, 1] * nodes[:, None] + base[k] for k in range(3))
    return np.asarray((depth > 1) & (depth**2 + 3 * pose.k1 * (x * x + y * y) > LEAST_BENT * depth**2))


def _large(points: FloatArray, least_px: float) -> BoolArray:
    """Which nodes (r, c, 2) have cells of at least that side around them."""
    across, down = np.gradient(points, axis=1), np.gradient(points, axis=0)
    return np.asarray(np.abs(across[..., 0] * down[..., 1] - across[..., 1] * down[..., 0]) > least_px**2)


def _board_mask(pose: GridPose, origin: tuple[int, int], shape: tuple[int, ...]) -> BoolArray:
    """(h, w) bool, where the grid, its rim and the pieces on it hide this plane."""
    square, middle = pose.grid_corners, pose.size / 2
    rim = square + RIM_CELLS * np.sign(square - middle)
    lines = ((rim, TOPS_CELLS), (rim, 0.0), (square, PIECE_HEIGHT_CELLS))
    shown = [pose.unproject(pose.project(at, height), TOPS_CELLS) for at, height in lines]
    hull = cv2.convexHull(((np.concatenate(shown) - origin) * SPOT_PX - 0.5).astype(np.float32))
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, hull.round().astype(np.int32), 1)
    return np.asarray(mask > 0)
