"""The table around the board, seen from straight above: the plane on which the tops of loose pieces lie.

View points are ``(x, y)`` pixels of that picture, `CELL_PX` a cell, pixel centres at whole numbers, y down.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import PIECE_HEIGHT_CELLS, GridPose

FloatArray = NDArray[np.float32]
BoolArray = NDArray[np.bool_]
Points = NDArray[np.float64]

TOPS_CELLS = -0.3
"""Height of the tops of pieces that lie beside the board, in cells over the grid: boards are 0.25 to 1 cell thick, pieces a
quarter. The error of half a cell shifts a piece in this view and changes its size by 2 %, which its shape outlives."""

CELL_PX = 6
"""Pixels a cell of the view in which pieces are looked for."""

CLOSER = 2
"""How much larger a piece is seen for its shape: 12 pixels a cell, as many as any cell has in a picture that can be read."""

REACH_CELLS = 12
"""How far from the grid the table is looked at: pieces lie within the reach of the players' hands."""

LEAST_CELL_PX = 7.0
"""Side of a cell in the picture below which no piece is made out: far away at a slant."""

RIM_CELLS = 0.3
"""Rim around every grid on which no piece can lie; wider rims are plain and show no piece anyhow."""


@dataclass(frozen=True)
class TableView:
    """A picture of the plane of the loose pieces' tops.

    Attributes:
        pose: of the grid in the picture it was taken from.
        source: (H, W, 3) that picture, perhaps smaller.
        at: (h, w, 2) float32, where in the source each pixel of the view comes from.
        bgr: (h, w, 3) uint8 the view.
        origin: board point (col, row) of the view's top left corner.
        seen: (h, w) bool, what the picture shows, and shows large enough.
        board: (h, w) bool, where the board and what lies on it is seen.
    """

    pose: GridPose
    source: NDArray[np.uint8]
    at: FloatArray
    bgr: NDArray[np.uint8]
    origin: tuple[int, int]
    seen: BoolArray
    board: BoolArray

    @property
    def table(self) -> BoolArray:
        """(h, w) bool, where the table may be seen."""
        return np.asarray(self.seen & ~self.board)

    def closer(self, part: tuple[slice, slice]) -> NDArray[np.uint8]:
        """(`CLOSER` * h, `CLOSER` * w, 3) a part of the view at `CLOSER` times its size."""
        at = self.at[part]
        size = (at.shape[1] * CLOSER, at.shape[0] * CLOSER)
        return _sampled(self.source, np.asarray(cv2.resize(at, size, interpolation=cv2.INTER_LINEAR), np.float32))

    def col_row(self, at_px: Points) -> Points:
        """(..., 2) board points of (..., 2) view points."""
        return (at_px + 0.5) / CELL_PX + self.origin

    def picture_px(self, at_px: Points) -> Points:
        """(..., 2) image points of (..., 2) view points."""
        return self.pose.project(self.col_row(at_px), TOPS_CELLS)

    def wall(self, at_px: Points) -> Points:
        """(2,) cells from the upper edge of a piece at a view point (2,) to where its lower edge is seen: towards the camera."""
        eye = self.pose.camera_position
        return np.asarray((eye[:2] - self.col_row(at_px)) * PIECE_HEIGHT_CELLS / (eye[2] - TOPS_CELLS + PIECE_HEIGHT_CELLS))


def view_table(image_bgr: NDArray[np.uint8], pose: GridPose) -> TableView | None:
    """The table around a board; None when nothing of it is in the picture.

    Args:
        image_bgr: (h, w, 3) uint8.
        pose: the grid in that picture.
    """
    source, near = _shrunk(image_bgr, pose)
    nodes = np.arange(-REACH_CELLS, pose.size + REACH_CELLS + 1)
    lattice = np.stack(np.meshgrid(nodes, nodes), -1).astype(np.float64)
    points = near.project(lattice, TOPS_CELLS)
    good = _told(near, lattice, points) & _large(points, LEAST_CELL_PX * near.focal_px / pose.focal_px)
    half = np.array(near.image_wh) / 2
    inside = good & (np.abs(points - half) < half).all(-1)
    rows, cols = (np.flatnonzero(inside.any(axis)) for axis in (1, 0))
    if not len(rows):
        return None
    top, left = max(rows[0] - 1, 0), max(cols[0] - 1, 0)
    part = np.s_[top : rows[-1] + 2, left : cols[-1] + 2]
    at = _between(np.where(good[part][..., None], points[part], -1e3).astype(np.float32))
    clear = _between(good[part].astype(np.float32)) > 0.999
    seen = clear & (np.abs(at - half.astype(np.float32)) < half.astype(np.float32) - 1).all(-1)
    origin = (int(nodes[left]), int(nodes[top]))
    return TableView(pose, source, at, _coarse(source, at), origin, seen, _board_mask(pose, origin, seen.shape))


def _shrunk(image_bgr: NDArray[np.uint8], pose: GridPose) -> tuple[NDArray[np.uint8], GridPose]:
    """The picture and its pose at a size at which no pixel of it is skipped in close views."""
    times = int(np.median(pose.cell_sizes_px()) / (CELL_PX * CLOSER))
    return (_smaller(image_bgr, times), pose.scaled(1 / times)) if times > 1 else (image_bgr, pose)


def _smaller(image_bgr: NDArray[np.uint8], times: int) -> NDArray[np.uint8]:
    height, width = (n // times for n in image_bgr.shape[:2])
    whole = image_bgr[: height * times, : width * times]
    return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _coarse(source: NDArray[np.uint8], at: FloatArray) -> NDArray[np.uint8]:
    """(h, w, 3) the view of the source, each pixel the mean of several of it."""
    return _sampled(_smaller(source, CLOSER), ((at + 0.5) / CLOSER - 0.5).astype(np.float32))


def _sampled(image_bgr: NDArray[np.uint8], at: FloatArray) -> NDArray[np.uint8]:
    out = cv2.remap(image_bgr, at, np.empty(0, np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.uint8)


def _told(pose: GridPose, lattice: Points, points: Points) -> BoolArray:
    """Which nodes (r, c, 2) lie before the camera, and where its lens is still described by its one term."""
    depth = lattice @ pose.rotation[2, :2] - pose.rotation[2, 2] * TOPS_CELLS + pose.tvec[2]
    back = pose.unproject(np.nan_to_num(points), TOPS_CELLS)
    return np.asarray((depth > 1) & (np.abs(back - lattice).max(-1) < 0.1))


def _large(points: Points, least_px: float) -> BoolArray:
    """Which nodes (r, c, 2) have cells of at least that side around them."""
    across, down = np.gradient(points, axis=1), np.gradient(points, axis=0)
    return np.asarray(np.abs(across[..., 0] * down[..., 1] - across[..., 1] * down[..., 0]) > least_px**2)


def _between(nodes: FloatArray) -> FloatArray:
    """Values at the view's pixels from those at the corners of the cells (r, c, ...), linear between them."""
    rows, cols = nodes.shape[:2]
    wide = cv2.resize(nodes, (cols * CELL_PX, rows * CELL_PX), interpolation=cv2.INTER_LINEAR)
    half = CELL_PX // 2  # the first corner is the middle of the first block
    return np.ascontiguousarray(wide[half:-half, half:-half], np.float32)


def _board_mask(pose: GridPose, origin: tuple[int, int], shape: tuple[int, ...]) -> BoolArray:
    """(h, w) bool, where the grid, its rim and the pieces on it hide this plane."""
    low, high = -RIM_CELLS, pose.size + RIM_CELLS
    outer = np.array([[low, low], [high, low], [high, high], [low, high]])
    shown = [pose.unproject(pose.project(outer, height), TOPS_CELLS) for height in (TOPS_CELLS, PIECE_HEIGHT_CELLS)]
    hull = cv2.convexHull(((np.concatenate(shown) - origin) * CELL_PX - 0.5).astype(np.float32))
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, hull.round().astype(np.int32), 1)
    return np.asarray(mask > 0)
