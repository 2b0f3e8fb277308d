"""Fitting the pose of the grid to line segments and to measured line positions by least squares."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

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
        most_off_cells: misfit beyond which a measurement counts as any other wrong one in the residual.
        most_rounds: steps after which a fit ends in any case.
        least_gain: share of the cost that a step must save for another to follow.
    """

    k1_spread: float = 0.1
    near_cells: float = 0.15
    loss_cells: float = 0.03
    most_off_cells: float = 0.2
    most_rounds: int = 12
    least_gain: float = 1e-3


DEFAULT_FIT = FitSettings()


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


def misfit_cells(pose: GridPose, marks: LineMarks) -> FloatArray:
    """(N,) signed distances in cells between marks and their lines, each on the plane in which it was seen."""
    return _Sight(pose, marks).misfit


class _Sight:
    """Where the marks' lines of sight meet the planes in which they were seen, and how that changes with the camera."""

    def __init__(self, pose: GridPose, marks: LineMarks) -> None:
        self.pose, self.marks = pose, marks
        self.bent_xy = (marks.points_px - pose.center_xy) / pose.focal_px
        radius2 = (self.bent_xy**2).sum(axis=1)
        bend = 1 + pose.k1 * radius2
        for _ in range(3 if pose.k1 else 0):  # Newton's steps to the inverse of the radial term
            bend -= (bend**3 - bend**2 - pose.k1 * radius2) / (3 * bend**2 - 2 * bend)
        self.rays = np.column_stack([self.bent_xy / bend[:, None], np.ones(len(bend))])
        self.board_rays = self.rays @ pose.rotation
        camera = -pose.rotation.T @ pose.tvec
        self.reach = (-marks.height - camera[2]) / self.board_rays[:, 2]
        across = self.board_rays[np.arange(len(bend)), marks.axis]
        self.misfit: FloatArray = np.clip(np.nan_to_num(camera[marks.axis] + self.reach * across - marks.line, nan=5.0), -5, 5)
        self.slope = across / self.board_rays[:, 2]

    def jacobian(self) -> FloatArray:
        """(N, 8) derivatives of the misfit by log focal length, k1, rotation (about the camera's axes, from the left), translation."""
        rotation = self.pose.rotation
        # Direction in the camera's frame along which the board coordinate grows while the point stays in its plane.
        along = rotation.T[self.marks.axis] - self.slope[:, None] * rotation[:, 2]
        spot = self.reach[:, None] * self.rays - self.pose.tvec
        turn = along[:, [1, 2, 0]] * spot[:, [2, 0, 1]] - along[:, [2, 0, 1]] * spot[:, [1, 2, 0]]
        radius2 = (self.rays[:, :2] ** 2).sum(axis=1)
        stretch = self.reach / (1 + 3 * self.pose.k1 * radius2)
        focal = -stretch * (along[:, :2] * self.bent_xy).sum(axis=1)
        bend = -stretch * radius2 * (along[:, :2] * self.rays[:, :2]).sum(axis=1)
        return np.column_stack([focal, bend, turn, -along])


def _moved(pose: GridPose, step: FloatArray) -> GridPose:
    """The pose after a step of the eight parameters of `_Sight.jacobian`."""
    rotation = cv2.Rodrigues(step[2:5])[0] @ pose.rotation
    return replace(
        pose,
        focal_px=pose.focal_px * float(np.exp(step[0])),
        k1=pose.k1 + float(step[1]),
        rvec=np.asarray(cv2.Rodrigues(rotation)[0], np.float64).reshape(3),
        tvec=pose.tvec + step[5:8],
    )


def fit_pose(pose: GridPose, marks: LineMarks, settings: FitSettings = DEFAULT_FIT, free_lens: bool = True) -> GridPose:
    """The pose that fits the marks best, with priors on focal length and lens (Levenberg-Marquardt, soft L1 loss).

    Args:
        pose: start, within about a quarter cell of the answer where there are marks.
        marks: what was measured.
        settings: numbers of the fit.
        free_lens: whether the radial term may change.

    Returns:
        the pose with `GridPose.residual_cells` set (weighted root mean square, soft L1).
    """
    usual_px = USUAL_FOCAL * max(pose.image_wh)
    weight = marks.weight / max(marks.weight.mean(), 1e-9) / settings.loss_cells**2
    # Neighbouring measurements err together (bevels, shadows): about one in twenty is independent.
    prior = max(len(marks.line), 1) / 20 / np.array([FOCAL_SPREAD, settings.k1_spread if free_lens else 1e-6]) ** 2

    def cost(sight: _Sight) -> float:
        soft = 2 * (np.sqrt(1 + (sight.misfit / settings.loss_cells) ** 2) - 1)
        away = np.array([np.log(sight.pose.focal_px / usual_px), sight.pose.k1 if free_lens else 0.0])
        return float((soft * weight).sum() * settings.loss_cells**2 + (prior * away**2).sum())

    sight, damping = _Sight(pose, marks), 1e-3
    now = cost(sight)
    for _ in range(settings.most_rounds):
        robust = weight / np.sqrt(1 + (sight.misfit / settings.loss_cells) ** 2)
        slopes = sight.jacobian()
        weighted = slopes * robust[:, None]
        normal, gradient = weighted.T @ slopes, weighted.T @ sight.misfit
        away = np.array([np.log(sight.pose.focal_px / usual_px), sight.pose.k1 if free_lens else 0.0])
        normal[[0, 1], [0, 1]] += prior
        gradient[:2] += prior * away
        step = -np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), gradient)
        trial = _Sight(_moved(sight.pose, step), marks)
        then = cost(trial)
        if then > now:
            damping *= 10
            continue
        done = now - then < settings.least_gain * now
        sight, now, damping = trial, then, damping / 5
        if done:
            break
    rms = float(np.sqrt(np.average(np.minimum(np.abs(sight.misfit), settings.most_off_cells) ** 2, weights=marks.weight)))
    return replace(sight.pose, residual_cells=rms)


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


STEPS_OUTWARDS = 3
"""Steps of a fit on the way outwards: the next reach goes on from there."""


def grow(pose: GridPose, segments: Segments, settings: FitSettings = DEFAULT_FIT) -> GridPose | None:
    """Refine a lattice pose on its segments, from where they are densest outwards.

    Returns:
        the refined pose, or None when too few segments follow the lattice.
    """
    everywhere = marks_of_segments(pose, segments, np.inf, np.zeros(2), settings)
    if len(everywhere.line) < 24:
        return None
    center = np.median(pose.unproject(everywhere.points_px), axis=0)
    if not np.isfinite(center).all():
        return None
    for reach, free in ((6.0, False), (11.0, True), (18.0, True)):
        marks = marks_of_segments(pose, segments, reach, center, settings)
        if len(marks.line) < 24:
            continue
        pose = fit_pose(pose, marks, replace(settings, most_rounds=STEPS_OUTWARDS), free_lens=free)
    return pose
