"""Sub-pixel fit of the grid: each stretch of each grid line is measured on the plane on which it is seen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from calibration.extent import NOISE_LEVELS
from calibration.fit import DEFAULT_FIT, FitSettings, LineMarks, fit_pose
from calibration.pose import EDGE_HEIGHT_CELLS, GridPose, sample
from calibration.segments import FloatArray

CELL_PX = 14
"""Pixels a cell of the board images in which lines are measured: a tenth of a cell is then over a pixel."""


@dataclass(frozen=True)
class Edges:
    """What was measured of the edges between cells.

    The outermost lines are left out: a third of a cell beyond them the board's own edge stands out more than they do.

    Attributes:
        offset: (2, size - 1, size) distance in cells of the line seen from where it was expected; axis, line, stretch.
        contrast: (2, size - 1, size) 0 to 1, how much it stands out; 0 when it is not in the picture.
        plane: (2, size - 1, size) height in cells of the board image in which it was looked for.
        height: (2, size - 1, size) height in cells at which an edge of its kind is seen.
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
    at = (np.arange(n)[:, None] + np.array([3 / 8, 5 / 8])).reshape(-1)
    cells = sample(image_bgr, pose.project_grid(at, at, EDGE_HEIGHT_CELLS)).reshape(n, 2, n, 2, 3)
    # Of four places in the middle the second and third, ordered by level, are no glare and no groove.
    a, b, c, d = cells[:, 0, :, 0], cells[:, 0, :, 1], cells[:, 1, :, 0], cells[:, 1, :, 1]
    low, high = np.maximum(np.minimum(a, b), np.minimum(c, d)), np.minimum(np.maximum(a, b), np.maximum(c, d))
    log = np.log((low.astype(np.float32) + high) / 2 + 4)
    chroma = (log[..., [2, 0]] - log[..., [1, 1]]).reshape(-1, 2)
    at = (np.arange(n, dtype=np.float32) - n / 2) / n
    field = np.stack([np.ones((n, n), np.float32), *np.meshgrid(at, at)], -1).reshape(-1, 3)
    spread = np.abs(chroma).sum(axis=1)
    for _ in range(4):  # the light's own colour, and its drift over the board, must not count as a piece's
        pale = np.argpartition(spread, n * n // 4)[: n * n // 4]
        few = field[pale]
        light = np.linalg.solve(few.T @ few + RIDGE, few.T @ chroma[pale])
        away = chroma - field @ light
        spread = np.hypot(away[:, 0], away[:, 1])
    level = np.clip(spread / SPREAD_RANGE * 255, 0, 255).astype(np.uint8)
    threshold, _ = cv2.threshold(level.reshape(-1, 1), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    coloured = level > threshold
    if not coloured.any() or spread[coloured].mean() - spread[~coloured].mean() < LEAST_SPREAD:
        return np.zeros((n, n), bool)  # one kind of cells only
    return np.asarray(coloured.reshape(n, n))


SPREAD_RANGE = 0.45
"""Colour distance (logarithms of channel ratios) of a pale piece from the board: everything beyond counts alike, so that the split is
not drawn between pale and strong pieces."""

RIDGE = 1e-3 * np.eye(3, dtype=np.float32)
"""What keeps the drift of the light bounded where all pale cells lie in one line."""

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
    found = [_locate_lines(_steps(image_bgr, pose, plane), reach_cells) for plane in planes]
    offset, contrast, plane_used, height = (np.zeros((2, n - 1, n)) for _ in range(4))
    for axis in (0, 1):
        cells = coloured.T if axis == 0 else coloured
        before, after = cells[:-1], cells[1:]  # cell on the low and on the high side of each line, (line, stretch)
        camera_high = camera[axis] > np.arange(1, n)[:, None]
        away = np.where(camera_high, after & ~before, before & ~after)
        facing = np.where(camera_high, before & ~after, after & ~before)
        kind = 3 * (before & after) + 2 * away + facing
        height[axis] = HEIGHTS[kind]
        raised = (before & after) | away
        plane_used[axis] = np.where(raised, planes[-1], planes[0])
        offset[axis], contrast[axis] = (np.where(raised, found[-1][k][axis], found[0][k][axis]) for k in (0, 1))
    return Edges(offset, contrast, plane_used, height)


ALONG = 6
"""Places at which each stretch of a line is sampled: a bilinear sample stands for about two pixels of what is seen."""

CLEAR = 1 / 6
"""Share of a stretch left out at both of its ends, clear of the lines that cross it."""

BOARD_PLANE, PIECE_PLANE = 0.0, EDGE_HEIGHT_CELLS
"""Heights in cells of the two board images in which lines are looked for."""

MIDDLE_PLANE, SLANT = 0.08, 0.4
"""Height of the one board image that serves for both while the camera stands steeper than that slope: edges then lie within 0.04 cell of
where they are looked for."""

HEIGHTS = np.array([-0.03, 0.02, 0.13, 0.165])
"""Heights in cells at which a grid line, a wall that faces the camera, one that faces away, and a groove are seen, measured at 38 to 60
degrees on two sources of pictures with exact poses: a grid line is the side of a ridge; a wall that faces the camera ends at the board;
one that faces away is cut off below its bevel; so is the groove between two squares."""


def _steps(image_bgr: NDArray[np.uint8], pose: GridPose, height: float) -> NDArray[np.float32]:
    """(2, size, width) mean step along each stretch at each place across columns, and across rows; 0 outside the picture.

    Steps are averaged along a stretch with their sign, then the strongest of the three channels counts. The first place is half a
    cell's window before line 1.
    """
    n = pose.size
    along = (np.arange(n)[:, None] + CLEAR + (1 - 2 * CLEAR) * (np.arange(ALONG) + 0.5) / ALONG).reshape(-1)
    # Step k lies between places k and k + 1; that of the line itself has HALF steps on either side.
    across = 1 + (np.arange((n - 2) * CELL_PX + 2 * HALF + 2) - HALF - 0.5) / CELL_PX
    at = np.empty((2, len(along), len(across), 2), np.float32)
    pose.project_mesh(across, along[:, None], height, at[0])
    pose.project_mesh(along[:, None], across, height, at[1])
    width = len(across)
    flat = sample(image_bgr, at.reshape(-1, width, 2)).reshape(2 * n, ALONG, 3 * width)
    # Sums of a few places, exact in two bytes.
    level = reduce(np.add, np.moveaxis(flat, 1, 0).astype(np.uint16)).reshape(2 * n, width, 3)
    step = cv2.absdiff(level[:, 1:], level[:, :-1])
    strongest = np.maximum(np.maximum(step[..., 0], step[..., 1]), step[..., 2]).reshape(2, n, width - 1)
    out = strongest * np.float32(1 / ALONG)
    last_xy = np.array(image_bgr.shape[1::-1], np.float32) - 1
    rim = np.concatenate([at[:, [0, -1]].reshape(-1, 2), at[:, :, [0, -1]].reshape(-1, 2)])
    if not bool(((rim > 0) & (rim < last_xy)).all()):
        spots = at.reshape(2, n, ALONG, width, 2)
        known = np.ones((2, n, width), bool)
        for end in (0, -1):
            x, y = spots[:, :, end, :, 0], spots[:, :, end, :, 1]
            known &= (x > 0) & (y > 0) & (x < last_xy[0]) & (y < last_xy[1])
        out *= known[..., 1:] & known[..., :-1]
    return np.asarray(out)


HALF = CELL_PX // 2 + CELL_PX // 4
"""Steps on either side of a line's expected place among which it is looked for."""


def _locate_lines(strips: NDArray[np.float32], reach_cells: float) -> tuple[FloatArray, FloatArray]:
    """Offsets in cells and contrasts, both (2, size - 1, size), of the lines inside one board, from the steps across them.

    The place is the centroid of what exceeds the median step of the neighbourhood, found twice, the second time round the first.
    """
    window = np.arange(-HALF, HALF + 1, dtype=np.float32)
    patch = sliding_window_view(strips, len(window), axis=2)[:, :, ::CELL_PX]  # (axis, stretch, line, window)
    base = np.partition(patch, HALF, axis=3)[..., HALF : HALF + 1]
    excess = np.maximum(patch - base, 0)
    center = np.zeros(patch.shape[:3], np.float32)
    near = excess
    for reach in (reach_cells * CELL_PX, 0.7 * reach_cells * CELL_PX):
        near = excess * np.clip(np.float32(reach + 1) - np.abs(window - center[..., None]), 0, 1)
        center = (near @ window) / np.maximum(near.sum(axis=3), 1e-6)
    peak = near.max(axis=3)
    contrast = peak / (peak + 2 * base[..., 0] + NOISE_LEVELS)
    return center.transpose(0, 2, 1) / CELL_PX, contrast.transpose(0, 2, 1)


def marks_of_edges(pose: GridPose, edges: Edges, least_contrast: float = 0.12) -> LineMarks:
    """The measured edges as marks for `fit_pose`: one point in the middle of each stretch."""
    pick = np.nonzero(edges.contrast > least_contrast)
    axis, line, stretch = pick
    along, across = stretch + 0.5, line + 1 + edges.offset[pick]
    board = np.column_stack([np.where(axis == 0, across, along), np.where(axis == 0, along, across)])
    points = pose.project(board, edges.plane[pick])
    return LineMarks(points, axis, (line + 1).astype(float), edges.height[pick], edges.contrast[pick])


def refine(image_bgr: NDArray[np.uint8], pose: GridPose, rounds: int = 3, settings: FitSettings = DEFAULT_FIT) -> GridPose:
    """The pose fitted to the measured edges, some rounds; as it was when too few edges are seen.

    Args:
        image_bgr: (h, w, 3) uint8.
        pose: estimate, right to about a third of a cell.
        rounds: how often to measure and fit.
        settings: numbers of the fit.
    """
    coloured = coloured_cells(image_bgr, pose)
    last = np.inf
    for k in range(rounds):
        edges = measure_edges(image_bgr, pose, coloured, reach_cells=0.36 if k == 0 else 0.26)
        marks = marks_of_edges(pose, edges)
        if len(marks.line) < 40:
            break
        before, pose = pose, fit_pose(pose, marks, settings)
        moved = float(np.abs(before.unproject(pose.corners_px) - before.grid_corners).max())
        # Each round leaves about the same share of what the one before it moved.
        share = moved / last if k else USUAL_SHARE
        left = moved * share / (1 - share) if share < 1 else np.inf
        if moved < STILL_CELLS or (pose.residual_cells < CLEAN_CELLS and left < LEFT_CELLS):
            break
        if k > 0 and pose.residual_cells > RANDOM_CELLS:
            break
        if moved > OTHER_CELLS:
            coloured = coloured_cells(image_bgr, pose)
        last = moved
    return pose


STILL_CELLS = 0.05
"""Movement of the corners at which another round of measuring would tell nothing new."""

LEFT_CELLS, USUAL_SHARE = 0.015, 0.12
"""Movement still to be expected at which that is so where lines fit, and what the first round usually leaves of its own."""

CLEAN_CELLS, RANDOM_CELLS = 0.06, 0.12
"""Misfit up to which lines fit, and that beyond which they are at random: they give 0.12 to 0.15."""

OTHER_CELLS = 0.2
"""Movement of the corners at which the middles of cells are others than those whose colours were looked at."""
