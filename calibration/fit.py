"""Fitting the pose of the grid to line segments and to measured line positions by least squares."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from scipy.optimize import least_squares

from calibration.lattice import Lattice
from calibration.pose import EDGE_HEIGHT_CELLS, FOCAL_SPREAD, USUAL_FOCAL, GridPose
from calibration.segments import FloatArray, Segments


@dataclass(frozen=True)
class FitSettings:
    """Numbers of the pose fit.

    Attributes:
        k1_spread: standard deviation of the radial term among phone and web cameras (|k1| to 0.2 on wide ones).
        near_cells: farthest a segment may lie from its lattice line to count as lying on it.
        loss_cells: misfit at which a measurement begins to count less (soft L1): a ridge's half width.
    """

    k1_spread: float = 0.08
    near_cells: float = 0.15
    loss_cells: float = 0.05


DEFAULT_FIT = FitSettings()

X_SCALE = np.array([0.05, 0.02, 0.02, 0.02, 0.02, 0.1, 0.1, 0.5])
"""Usual sizes of the changes of the parameters: log focal length, k1, rotation in radians, translation in cells."""


def pose_of_lattice(lattice: Lattice, image_wh: tuple[int, int], size: int = 20) -> GridPose:
    """A pose whose board point (0, 0) is the lattice's origin crossing; which crossing that is stays open."""
    width, height = image_wh
    return GridPose(
        size,
        image_wh,
        lattice.focal_px,
        ((width - 1) / 2, (height - 1) / 2),
        0.0,
        np.asarray(cv2.Rodrigues(lattice.rotation)[0], np.float64).reshape(3),
        lattice.origin.copy(),
    )


def shifted(pose: GridPose, col: float, row: float) -> GridPose:
    """The pose with its origin moved to board point ``(col, row)``."""
    return replace(pose, tvec=pose.rotation @ np.array([col, row, 0.0]) + pose.tvec)


@dataclass(frozen=True)
class LineMarks:
    """Image points known to lie on lattice lines.

    Attributes:
        points_px: (N, 2) image points.
        axis: (N,) 0 when the line's column number is known (it runs along rows), 1 when its row number is.
        line: (N,) number of the line.
        height: (N,) height in cells of the plane in which the line was seen.
        weight: (N,) weights.
    """

    points_px: FloatArray
    axis: np.ndarray
    line: FloatArray
    height: FloatArray
    weight: FloatArray


def _parameters(pose: GridPose) -> FloatArray:
    return np.concatenate([[np.log(pose.focal_px), pose.k1], pose.rvec, pose.tvec])


def _pose(pose: GridPose, parameters: FloatArray) -> GridPose:
    return replace(
        pose, focal_px=float(np.exp(parameters[0])), k1=float(parameters[1]), rvec=parameters[2:5].copy(), tvec=parameters[5:8].copy()
    )


def misfit_cells(pose: GridPose, marks: LineMarks) -> FloatArray:
    """(N,) signed distances in cells between marks and their lines, each on the plane in which it was seen."""
    x, y = ((marks.points_px[:, k] - pose.center_xy[k]) / pose.focal_px for k in (0, 1))
    bend = 1 + pose.k1 * (x * x + y * y)
    for _ in range(3):  # inverse of the radial term, right to 1e-5 of the picture for |k1| up to 0.2
        shrunk_x, shrunk_y = x / bend, y / bend
        bend = 1 + pose.k1 * (shrunk_x * shrunk_x + shrunk_y * shrunk_y)
    rays = np.column_stack([x / bend, y / bend, np.ones_like(x)]) @ pose.rotation
    camera = -pose.rotation.T @ pose.tvec
    reach = (-marks.height - camera[2]) / rays[:, 2]
    first = camera[marks.axis] + reach * rays[np.arange(len(x)), marks.axis]
    return np.asarray(first - marks.line)


def fit_pose(pose: GridPose, marks: LineMarks, settings: FitSettings = DEFAULT_FIT, free_lens: bool = True) -> GridPose:
    """The pose that fits the marks best, with priors on focal length and lens.

    Args:
        pose: start, within about a quarter cell of the answer where there are marks.
        marks: what was measured.
        settings: numbers of the fit.
        free_lens: whether the radial term may change.

    Returns:
        the pose with `GridPose.residual_cells` set (weighted root mean square, soft L1).
    """
    usual = np.log(USUAL_FOCAL * max(pose.image_wh))
    start = _parameters(pose)
    scale = np.sqrt(marks.weight / max(marks.weight.mean(), 1e-9)) / settings.loss_cells
    # Neighbouring measurements err together (bevels, shadows): about one in twenty is independent.
    prior_weight = np.sqrt(max(len(marks.line), 1) / 20)

    def residuals(parameters: FloatArray) -> FloatArray:
        full = parameters if free_lens else np.concatenate([parameters[:1], start[1:2], parameters[1:]])
        misfit = np.clip(np.nan_to_num(misfit_cells(_pose(pose, full), marks), nan=5.0), -5, 5) * scale
        soft = np.sign(misfit) * np.sqrt(2 * (np.sqrt(1 + misfit**2) - 1))
        return np.concatenate([soft, [prior_weight * (full[0] - usual) / FOCAL_SPREAD, prior_weight * full[1] / settings.k1_spread]])

    begin = start if free_lens else np.delete(start, 1)
    found = least_squares(
        residuals, begin, method="lm", max_nfev=90, ftol=1e-4, xtol=1e-5, x_scale=X_SCALE if free_lens else np.delete(X_SCALE, 1)
    )
    full = found.x if free_lens else np.concatenate([found.x[:1], start[1:2], found.x[1:]])
    fitted = _pose(pose, full)
    off = misfit_cells(fitted, marks)
    rms = float(np.sqrt(np.average(np.minimum(np.abs(off), 4 * settings.loss_cells) ** 2, weights=marks.weight)))
    return replace(fitted, residual_cells=rms)


def marks_of_segments(pose: GridPose, segments: Segments, reach_cells: float, center: FloatArray, settings: FitSettings) -> LineMarks:
    """Ends of the segments that lie along lattice lines within ``reach_cells`` of a board point.

    Each segment is taken to lie in the board's plane or in that of the piece tops, whichever puts it nearer a line.

    Args:
        pose: current estimate; line numbers are those nearest.
        segments: in px.
        reach_cells: radius of the trusted region around ``center``.
        center: (2,) board point.
        settings: numbers of the fit.
    """
    rows = np.arange(len(segments))
    best_off = np.full(len(segments), np.inf)
    axis, line, height = np.zeros(len(segments), int), np.zeros(len(segments)), np.zeros(len(segments))
    for plane in (0.0, EDGE_HEIGHT_CELLS):
        ends = pose.unproject(segments.ends_px, plane)
        along = np.abs(ends[:, 1] - ends[:, 0])
        side = np.argmin(along, axis=1)  # the coordinate that stays the same along the segment
        across = ends[rows, :, side]
        nearest = np.round(across.mean(axis=1))
        off = np.abs(across - nearest[:, None]).max(axis=1)
        slope = along[rows, side] / np.maximum(along[rows, 1 - side], 1e-6)
        near = np.abs(ends.mean(axis=1) - center).max(axis=1) < reach_cells
        good = np.isfinite(off) & (slope < 0.15) & near
        better = good & (off < best_off - (0.03 if plane else 0.0))
        best_off = np.where(better, off, best_off)
        axis, line, height = np.where(better, side, axis), np.where(better, nearest, line), np.where(better, plane, height)
    good = best_off < settings.near_cells
    length = np.minimum(segments.length_px[good], 60)
    return LineMarks(
        segments.ends_px[good].reshape(-1, 2),
        np.repeat(axis[good], 2),
        np.repeat(line[good], 2),
        np.repeat(height[good], 2),
        np.repeat(length, 2),
    )


def grow(pose: GridPose, segments: Segments, settings: FitSettings = DEFAULT_FIT) -> GridPose | None:
    """Refine a lattice pose on its segments, from where they are densest outwards.

    Returns:
        the refined pose, or None when too few segments follow the lattice.
    """
    middle = pose.unproject(segments.middle_px)
    everywhere = marks_of_segments(pose, segments, np.inf, np.zeros(2), settings)
    if len(everywhere.line) < 24:
        return None
    center = np.median(pose.unproject(everywhere.points_px), axis=0)
    if not np.isfinite(center).all() or not np.isfinite(middle).any():
        return None
    for reach, free in ((5.0, False), (7.0, False), (10.0, False), (14.0, True), (18.0, True)):
        marks = marks_of_segments(pose, segments, reach, center, settings)
        if len(marks.line) < 24:
            continue
        pose = fit_pose(pose, marks, settings, free_lens=free)
    return pose
