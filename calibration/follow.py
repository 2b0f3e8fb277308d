"""Following a lattice over the picture: where its lines really run, read from the phase of the edges in its own period.

A lattice found from a few lines is right near them and drifts farther out. Laid over the picture, the edges of a board repeat once a
cell everywhere, so that the first Fourier term of the edges around each cell tells how far the lines lie from where the lattice has
them there (as in the analysis of fringes; Takeda et al. 1982), and its size whether there is a lattice at all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fit import DEFAULT_FIT, LineMarks, fit_pose
from calibration.pose import FloatArray, GridPose, sample

Float32Array = NDArray[np.float32]

REACH = 20
"""Cells from the middle of the lines seen to the border of what is looked at: a board of 20 wherever in it that middle lies."""

CELL_PX = 6
"""Resolution of the board image: a cell's edges need four samples."""

HEIGHT = 0.08
"""Height in cells of the board image, half way between the lines of the board and the edges of pieces."""


@dataclass(frozen=True)
class Followed:
    """A lattice fitted to the picture.

    Attributes:
        pose: lattice pose; which of its lines bound a board is still open.
        center: (2,) board point near the middle of where its lines are seen.
        strength: 0 to 1, how much of the edges there repeat once a cell, and not once in two.
    """

    pose: GridPose
    center: FloatArray
    strength: float


@dataclass(frozen=True)
class _Phases:
    """The edges around each cell of a square part of the lattice.

    Attributes:
        first: ``(col, row)`` of the part's first cell.
        amplitude: (2, n, n) share of the edges that repeat once a cell, for lines across columns and for lines across rows.
        offset: (2, n, n) cells from the lattice's lines to those in the picture, known up to whole cells.
        halved: (2, n, n) share of the edges that repeat once in two cells.
    """

    first: NDArray[np.int64]
    amplitude: Float32Array
    offset: Float32Array
    halved: Float32Array


def follow(gray: NDArray[np.uint8], pose: GridPose, center: FloatArray) -> Followed | None:
    """The lattice fitted to the edges of the picture, from where they repeat most clearly outwards.

    Args:
        gray: (h, w) uint8.
        pose: lattice pose: near ``center`` its period is right to about 5 % and its directions to 3 degrees.
        center: (2,) board point near the middle of the lines seen.

    Returns:
        the fit, or None when too few edges follow the lattice.
    """
    phases = _phases_of(gray, pose, np.round(center).astype(np.int64) - REACH)
    both = np.sqrt(phases.amplitude[0] * phases.amplitude[1])
    around = cv2.blur(both, (AROUND, AROUND))
    top = float(around.max())
    if top < LEAST_AMPLITUDE:
        return None
    marks, seen = _grown(phases, around)
    if len(seen) < LEAST_MARKS:
        return None
    marks = replace(marks, points_px=pose.project(seen, HEIGHT))
    core = around > CORE * top
    strength = float(np.minimum(phases.amplitude, 2 * phases.amplitude - phases.halved)[:, core].mean())
    window = cv2.blur(both, (WINDOW, WINDOW), borderType=cv2.BORDER_CONSTANT)
    rows, cols = np.nonzero(window > 0.97 * window.max())
    middle = np.array([cols.mean(), rows.mean()]) + 0.5 + phases.first
    fitted = fit_pose(pose, marks, FOLLOW_FIT)
    return Followed(fitted, fitted.unproject(pose.project(middle)), strength)


AROUND = 7
"""Cells a side over which the clearest place is looked for."""

WINDOW = 16
"""Cells a side of the window that shows where the board is: between the two sizes of boards."""

CORE = 0.6
"""Share of the clearest place's amplitude from which a cell counts as one of a lattice."""

LEAST_AMPLITUDE = 0.1
"""Amplitude of the clearest place under which nothing is followed: texture gives 0.05 to 0.1."""

LEAST_MARKS = 24
"""Fewest places of measured lines to fit a pose to."""

FOLLOW_FIT = replace(DEFAULT_FIT, loss_cells=0.06, most_rounds=8, least_gain=0.02)
"""Phases average over several cells and over both planes on which lines are seen, and err by that much."""


def _phases_of(gray: NDArray[np.uint8], pose: GridPose, first: NDArray[np.int64]) -> _Phases:
    n = 2 * REACH
    at = (np.arange(n * CELL_PX + 1) + 0.5) / CELL_PX
    where = pose.project_grid(first[0] + at, first[1] + at, HEIGHT)
    flat = sample(gray, where)
    spots = where[CELL_PX // 2 :: CELL_PX, CELL_PX // 2 :: CELL_PX]
    known = ((spots > 1) & (spots < np.array(gray.shape[::-1]) - 2)).all(axis=2)
    col, row = first[0] + np.arange(n) + 0.5, first[1] + np.arange(n)[:, None] + 0.5
    # Beyond the horizon of the plane the picture would be seen a second time.
    known &= pose.rotation[2, 0] * col + pose.rotation[2, 1] * row + pose.tvec[2] > 0.05 * pose.tvec[2]
    sums = np.empty((2, n, n, WAVES.shape[1]), np.float32)
    for axis, picture in enumerate((flat, cv2.transpose(flat))):
        step = cv2.absdiff(picture[:-1, 1:], picture[:-1, :-1])
        # One glaring edge must not drown the rest.
        most = min(255.0, max(12.0, 6 * float(np.median(step[::3, ::3]))))
        bands = np.minimum(step, np.uint8(most)).reshape(n, CELL_PX, -1).astype(np.uint16)
        cells = (reduce(np.add, np.moveaxis(bands, 1, 0)).reshape(-1, CELL_PX) @ WAVES).reshape(n, n, -1)
        cells[:, 1::2, 3:] *= -1
        sums[axis] = cells if axis == 0 else cells.transpose(1, 0, 2)
    sums *= known[None, :, :, None]
    # Along a line less must be averaged than across: three cells, five lines.
    once = [cv2.blur(np.ascontiguousarray(sums[axis, ..., :3]), ((3, 5), (5, 3))[axis]) for axis in (0, 1)]
    twice = [cv2.blur(np.ascontiguousarray(sums[axis, ..., 3:]), (4, 4)) for axis in (0, 1)]
    cos, sin, total = np.moveaxis(np.stack(once), -1, 0)
    total = total + CELL_PX
    halved = np.linalg.norm(np.stack(twice), axis=-1) / total
    return _Phases(first, np.hypot(cos, sin) / total, np.arctan2(sin, cos) / np.float32(2 * np.pi), halved)


def _waves() -> Float32Array:
    """(CELL_PX, 5) what the steps within a cell are multiplied by: once a cell, all alike, once in two cells."""
    turn = 2 * np.pi * (np.arange(CELL_PX) + 1) / CELL_PX  # step k lies between the pixels k and k + 1
    return np.stack([np.cos(turn), np.sin(turn), np.ones(CELL_PX), np.cos(turn / 2), np.sin(turn / 2)], -1).astype(np.float32)


WAVES = _waves()

IDENTITY = np.array([1.0, 0, 0, 0, 1, 0, 0, 0])
"""The eight terms of the homography that moves nothing."""

SPACING = 2
"""Cells from one mark to the next: phases are averages over as many."""

LEAST_SHARE = 0.15
"""Amplitude under which a phase tells nothing."""

NEAR_CELLS = 0.3
"""How far from where they are expected lines may be found; beyond, they may be taken for their neighbours."""

RADII = (4.0, 6.0, 9.0, 13.0, 18.0, 40.0)
"""Radii in cells within which lines are fitted, one after the other: each tells where those of the next are expected."""


def _grown(phases: _Phases, around: Float32Array) -> tuple[LineMarks, FloatArray]:
    """The lines numbered from the clearest place outwards: marks whose image points are still to be set, and their (N, 2) board points."""
    n = 2 * REACH
    row, col = np.unravel_index(int(around.argmax()), around.shape)
    start = np.array([col, row]) + 0.5
    at = np.arange(SPACING // 2, n, SPACING)
    amplitude, offset = (part[:, at[:, None], at] for part in (phases.amplitude, phases.offset))
    axis, down, right = np.nonzero(amplitude > LEAST_SHARE)
    spots = np.column_stack([at[right], at[down]]) + 0.5 - start
    weight = amplitude[axis, down, right].astype(np.float64)
    seen = spots[np.arange(len(axis)), axis] - offset[axis, down, right]
    far = np.abs(spots).max(axis=1)
    warp, line, good = IDENTITY, seen, np.zeros(len(axis), bool)
    for radius in RADII:
        expected = _warped(warp, spots, axis)
        line = expected + (seen - expected + 0.5) % 1.0 - 0.5
        good = (far <= radius) & (np.abs(line - expected) < NEAR_CELLS)
        if good.sum() >= LEAST_MARKS // 2:
            warp = _warp_of(spots[good], axis[good], line[good], weight[good])
    origin = start + phases.first
    axis = axis[good]
    marks = LineMarks(np.empty((0, 2)), axis, line[good] + origin[axis], np.full(len(axis), HEIGHT), weight[good])
    return marks, spots[good] + origin


def _warped(warp: FloatArray, spots: FloatArray, axis: NDArray[np.int64]) -> FloatArray:
    """(N,) column (axis 0) or row (axis 1) of board points after a near-identity homography of eight terms."""
    numerator = np.where(axis == 0, spots @ warp[0:2] + warp[2], spots @ warp[3:5] + warp[5])
    return np.asarray(numerator / (1 + spots @ warp[6:]))


def _warp_of(spots: FloatArray, axis: NDArray[np.int64], line: FloatArray, weight: FloatArray) -> FloatArray:
    """(8,) the homography near identity that takes the points to their lines: weighted linear least squares."""
    x, y = spots.T
    first, second = (axis == 0).astype(float), (axis == 1).astype(float)
    terms = np.stack([x * first, y * first, first, x * second, y * second, second, -line * x, -line * y])
    weighted = terms * weight
    normal = weighted @ terms.T + np.diag(STIFF * weight.sum())
    step = np.linalg.solve(normal, weighted @ (line - np.where(axis == 0, x, y)))
    return np.asarray(step + IDENTITY)


STIFF = 1e-3 * np.array([100.0, 100, 0.01, 100, 100, 0.01, 4e6, 4e6])
"""What holds the homography near identity where few lines are seen: terms for stretch, shift, and perspective."""
