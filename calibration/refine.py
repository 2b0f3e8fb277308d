"""Sub-pixel fit of the grid: each stretch of each grid line is measured on the plane on which it is seen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.extent import NOISE_LEVELS, band_means
from calibration.fit import DEFAULT_FIT, FitSettings, LineMarks, fit_pose
from calibration.pose import EDGE_HEIGHT_CELLS, GridPose, sample
from calibration.segments import FloatArray

CELL_PX = 14
"""Pixels a cell of the board images in which lines are measured: a tenth of a cell is then over a pixel."""


@dataclass(frozen=True)
class Edges:
    """What was measured of the edges of all cells.

    Attributes:
        offset: (2, size + 1, size) distance in cells of the line seen from where it was expected; axis, line, stretch.
        contrast: (2, size + 1, size) 0 to 1, how much it stands out; 0 when it is not in the picture.
        plane: (2, size + 1, size) height in cells of the board image in which it was looked for.
        height: (2, size + 1, size) height in cells at which an edge of its kind is seen.
    """

    offset: FloatArray
    contrast: FloatArray
    plane: FloatArray
    height: FloatArray


def coloured_cells(image_bgr: NDArray[np.uint8], pose: GridPose) -> NDArray[np.bool_]:
    """(size, size) which cells seem to hold a piece: a rough guess, only good enough to choose planes.

    A cell's colour is compared with the light's, taken as the least coloured third of the cells; the split is Otsu's.
    """
    n = pose.size
    flat = pose.rectify(image_bgr, 4, 0.0, EDGE_HEIGHT_CELLS).astype(np.float64)
    cells = flat.reshape(n, 4, n, 4, 3)
    # The middle four of sixteen pixels; the second and third of each, ordered by level, are no glare and no groove.
    middle = np.sort(np.stack([cells[:, i, :, j] for i in (1, 2) for j in (1, 2)]), axis=0)
    mean = middle[1:3].mean(axis=0) + 4.0
    log = np.log(mean)
    chroma = np.stack([log[..., 2] - log[..., 1], log[..., 0] - log[..., 1]], -1).reshape(-1, 2)
    at = (np.arange(n) - n / 2) / n
    field = np.stack([np.ones((n, n)), *np.meshgrid(at, at)], -1).reshape(-1, 3)
    spread = np.abs(chroma).sum(axis=1)
    for _ in range(4):  # the light's own colour, and its drift over the board, must not count as a piece's
        pale = np.argpartition(spread, n * n // 4)[: n * n // 4]
        light = np.linalg.lstsq(field[pale], chroma[pale], rcond=None)[0]
        spread = np.linalg.norm(chroma - field @ light, axis=1)
    level = np.clip(spread / SPREAD_RANGE * 255, 0, 255).astype(np.uint8)
    threshold, _ = cv2.threshold(level.reshape(-1, 1), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    coloured = level > threshold
    if not coloured.any() or spread[coloured].mean() - spread[~coloured].mean() < LEAST_SPREAD:
        return np.zeros((n, n), bool)  # one kind of cells only
    return np.asarray(coloured.reshape(n, n))


SPREAD_RANGE = 0.45
"""Colour distance (logarithms of channel ratios) of a pale piece from the board: everything beyond counts alike, so that the split is
not drawn between pale and strong pieces."""

LEAST_SPREAD = 0.22
"""Least distance between the mean board cell and the mean piece; an empty board's cells split by less than 0.1."""


def measure_edges(image_bgr: NDArray[np.uint8], pose: GridPose, coloured: NDArray[np.bool_], reach_cells: float = 0.32) -> Edges:
    """Look for every edge of every cell near where the pose expects it.

    Args:
        image_bgr: (h, w, 3) uint8.
        pose: estimate, right to about ``reach_cells``.
        coloured: (size, size) cells that seem to hold pieces.
        reach_cells: how far from the expected place to look.
    """
    n = pose.size
    camera = pose.camera_position
    pieces_apart = np.hypot(*(camera[:2] - n / 2)) / camera[2] > SLANT
    planes = (BOARD_PLANE, PIECE_PLANE) if pieces_apart else (MIDDLE_PLANE,)
    found = [_locate_lines(_steps(image_bgr, pose, plane), n, reach_cells) for plane in planes]
    offset, contrast, plane_used, height = (np.zeros((2, n + 1, n)) for _ in range(4))
    for axis in (0, 1):
        grid = coloured if axis == 0 else coloured.T
        before = np.vstack([np.zeros((1, n), bool), grid.T])  # cell on the low side of each line, (line, stretch)
        after = np.vstack([grid.T, np.zeros((1, n), bool)])
        camera_high = camera[axis] > np.arange(n + 1)[:, None]
        away = (before & ~after & ~camera_high) | (~before & after & camera_high)
        facing = (before & ~after & camera_high) | (~before & after & ~camera_high)
        height[axis] = np.select([before & after, away, facing], [GROOVE_HEIGHT, AWAY_HEIGHT, FACING_HEIGHT], LINE_HEIGHT)
        raised = (before & after) | away
        plane_used[axis] = np.where(raised, planes[-1], planes[0])
        offset[axis], contrast[axis] = (np.where(raised, found[-1][k][axis], found[0][k][axis]) for k in (0, 1))
    return Edges(offset, contrast, plane_used, height)


MARGIN = 1
"""Cells around the grid in the board images in which lines are measured."""

BOARD_PLANE, PIECE_PLANE = 0.0, EDGE_HEIGHT_CELLS
"""Heights in cells of the two board images in which lines are looked for."""

MIDDLE_PLANE, SLANT = 0.08, 0.4
"""Height of the one board image that serves for both while the camera stands steeper than that slope: edges then lie within 0.04 cell of
where they are looked for."""

LINE_HEIGHT, FACING_HEIGHT, AWAY_HEIGHT, GROOVE_HEIGHT = -0.03, 0.02, 0.13, 0.165
"""Heights in cells at which edges are seen, measured at 38 to 60 degrees on two sources of pictures with exact poses: a grid line is the
side of a ridge; a wall that faces the camera ends at the board; one that faces away is cut off below its bevel; so is the groove
between two squares."""


def _steps(image_bgr: NDArray[np.uint8], pose: GridPose, height: float) -> NDArray[np.float32]:
    """(2, size, width) mean step along each stretch at each place across columns, and across rows; 0 outside the picture.

    Steps are averaged along a stretch with their sign, then the strongest of the three channels counts.
    """
    n = pose.size
    at = pose.rectify_map(CELL_PX, MARGIN, height)
    flat = sample(image_bgr, at)
    last_xy = np.array(image_bgr.shape[1::-1]) - 1
    rim = np.concatenate([at[0], at[-1], at[:, 0], at[:, -1]])
    whole = bool((rim > 0).all() and (rim < last_xy).all())
    start = MARGIN * CELL_PX
    mean = band_means(n, CELL_PX, CELL_PX // 6)  # clear of the lines that cross a stretch
    out = np.empty((2, n, len(flat) - 1), np.float32)
    for axis, (picture, spots) in enumerate(((flat, at), (cv2.transpose(flat), at.transpose(1, 0, 2)))):
        level = (mean @ picture[start:-start].reshape(mean.shape[1], -1).astype(np.float32)).reshape(n, -1, 3)
        step = np.abs(level[:, 1:] - level[:, :-1])
        out[axis] = reduce(np.maximum, np.moveaxis(step, 2, 0))
        for edge in () if whole else (start, start + CELL_PX - 1):
            spot = spots[edge::CELL_PX][:n]
            known = np.asarray(((spot > 0) & (spot < last_xy)).all(axis=2))
            out[axis] *= known[:, 1:] & known[:, :-1]
    return out


def _locate_lines(strips: NDArray[np.float32], n: int, reach_cells: float) -> tuple[FloatArray, FloatArray]:
    """Offsets in cells and contrasts, both (2, n + 1, n), of the lines in one board image of steps.

    The place is the centroid of what exceeds the median step of the neighbourhood, found twice, the second time round the first.
    """
    # Step k lies between pixels k and k + 1, that is at (k + 1) / CELL_PX - MARGIN cells.
    lines = MARGIN * CELL_PX + np.arange(n + 1) * CELL_PX - 1
    half = CELL_PX // 2 + CELL_PX // 4
    window = np.arange(-half, half + 1, dtype=np.float32)
    patch = strips[:, :, lines[:, None] + np.arange(-half, half + 1)]  # (axis, stretch, line, window)
    base = np.partition(patch, half, axis=3)[..., half : half + 1]
    excess = np.maximum(patch - base, 0)
    center = np.zeros(patch.shape[:3], np.float32)
    near = np.ones_like(patch)
    for reach in (reach_cells * CELL_PX, 0.7 * reach_cells * CELL_PX):
        near = excess * np.clip(np.float32(reach + 1) - np.abs(window - center[..., None]), 0, 1)
        center = (near @ window) / np.maximum(near.sum(axis=3), 1e-6)
    peak = near.max(axis=3)
    contrast = peak / (peak + 2 * base[..., 0] + NOISE_LEVELS)
    return center.transpose(0, 2, 1) / CELL_PX, contrast.transpose(0, 2, 1)


def marks_of_edges(pose: GridPose, edges: Edges, least_contrast: float = 0.12) -> LineMarks:
    """The measured edges as marks for `fit_pose`: one point in the middle of each stretch.

    The outermost lines are left out: a third of a cell beyond them the board's own edge stands out more than they do.
    """
    axis, line, stretch = np.nonzero(edges.contrast[:, 1:-1] > least_contrast)
    line = line + 1
    pick = (axis, line, stretch)
    along, across = stretch + 0.5, line + edges.offset[pick]
    board = np.where((axis == 0)[:, None], np.column_stack([across, along]), np.column_stack([along, across]))
    points = pose.project(board, edges.plane[pick])
    return LineMarks(points, axis, line.astype(float), edges.height[pick], edges.contrast[pick])


def refine(image_bgr: NDArray[np.uint8], pose: GridPose, rounds: int = 3, settings: FitSettings = DEFAULT_FIT) -> GridPose:
    """The pose fitted to the measured edges, some rounds; as it was when too few edges are seen.

    Args:
        image_bgr: (h, w, 3) uint8.
        pose: estimate, right to about a third of a cell.
        rounds: how often to measure and fit.
        settings: numbers of the fit.
    """
    coloured = coloured_cells(image_bgr, pose)
    for k in range(rounds):
        edges = measure_edges(image_bgr, pose, coloured, reach_cells=0.36 if k == 0 else 0.26)
        marks = marks_of_edges(pose, edges)
        if len(marks.line) < 40:
            break
        before, pose = pose, fit_pose(pose, marks, settings)
        moved = np.abs(before.unproject(pose.corners_px) - before.grid_corners).max()
        if moved < STILL_CELLS:
            break
        if moved > OTHER_CELLS:
            coloured = coloured_cells(image_bgr, pose)
    return pose


STILL_CELLS = 0.05
"""Movement of the corners at which another round of measuring would tell nothing new."""

OTHER_CELLS = 0.2
"""Movement of the corners at which the middles of cells are others than those whose colours were looked at."""
