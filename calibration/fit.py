"""Fitting the pose of the grid to measured line positions by least squares."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.lattice import Lattice
from calibration.pose import FOCAL_SPREAD, USUAL_FOCAL, FloatArray, GridPose


@dataclass(frozen=True)
class FitSettings:
    """Numbers of the pose fit.

    Attributes:
        k1_spread: standard deviation of the radial term among phone and web cameras (|k1| to 0.2 on wide ones).
        loss_cells: misfit at which a measurement begins to count less (soft L1): a ridge's half width.
        most_off_cells: misfit beyond which a measurement counts as any other wrong one in the residual.
        most_rounds: steps after which a fit ends in any case.
        least_gain: share of the cost that a step must save for another to follow.
    """

    k1_spread: float = 0.1
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
        self.pose, self.first = pose, marks.axis == 0
        self.bent = (marks.points_px.T - np.array(pose.center_xy)[:, None]) / pose.focal_px
        self.rays = np.ones((3, len(marks.line)))
        self.rays[:2] = self.bent
        if pose.k1:
            radius2 = (self.bent**2).sum(axis=0)
            bend = 1 + pose.k1 * radius2
            for _ in range(3):  # Newton's steps to the inverse of the radial term
                bend -= (bend**3 - bend**2 - pose.k1 * radius2) / (3 * bend**2 - 2 * bend)
            self.rays[:2] /= bend
        board_rays = pose.rotation.T @ self.rays
        camera = -pose.rotation.T @ pose.tvec
        self.reach = (-marks.height - camera[2]) / board_rays[2]
        across = np.where(self.first, board_rays[0], board_rays[1])
        off = np.where(self.first, camera[0], camera[1]) + self.reach * across - marks.line
        # fmin and fmax take the number where the other is none.
        self.misfit: FloatArray = np.fmax(np.fmin(off, 5.0), -5.0)
        self.slope = across / board_rays[2]

    def jacobian(self) -> FloatArray:
        """(8, N) derivatives of the misfit by log focal length, k1, rotation (about the camera's axes, from the left), translation."""
        rotation = self.pose.rotation
        # Direction in the camera's frame along which the board coordinate grows while the point stays in its plane.
        along = np.where(self.first, rotation[:, :1], rotation[:, 1:2]) - self.slope * rotation[:, 2:]
        spot = self.reach * self.rays - self.pose.tvec[:, None]
        radius2 = self.rays[0] ** 2 + self.rays[1] ** 2
        stretch = -self.reach / (1 + 3 * self.pose.k1 * radius2)
        out = np.empty((8, len(self.reach)))
        out[0] = stretch * (along[0] * self.bent[0] + along[1] * self.bent[1])
        out[1] = stretch * radius2 * (along[0] * self.rays[0] + along[1] * self.rays[1])
        for k in range(3):
            one, two = (k + 1) % 3, (k + 2) % 3
            out[2 + k] = along[one] * spot[two] - along[two] * spot[one]
        out[5:] = -along
        return out


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

    SciPy's ``least_squares`` with the same derivatives and loss takes 3.2 to 3.9 ms where this takes 0.95, three times a picture: as
    long as decoding the picture twice.

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

    def away(sight: _Sight) -> FloatArray:
        return np.array([np.log(sight.pose.focal_px / usual_px), sight.pose.k1 if free_lens else 0.0])

    def cost(sight: _Sight, root: FloatArray) -> float:
        return float(2 * settings.loss_cells**2 * (weight @ (root - 1)) + prior @ away(sight) ** 2)

    def rooted(sight: _Sight) -> FloatArray:
        return np.asarray(np.sqrt(1 + (sight.misfit / settings.loss_cells) ** 2))

    sight, damping = _Sight(pose, marks), 1e-3
    root = rooted(sight)
    now = cost(sight, root)
    for _ in range(settings.most_rounds):
        slopes = sight.jacobian()
        weighted = slopes * (weight / root)
        normal, gradient = weighted @ slopes.T, weighted @ sight.misfit
        normal[[0, 1], [0, 1]] += prior
        gradient[:2] += prior * away(sight)
        step = -np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), gradient)
        trial = _Sight(_moved(sight.pose, step), marks)
        trial_root = rooted(trial)
        then = cost(trial, trial_root)
        if then > now:
            damping *= 10
            continue
        done = now - then < settings.least_gain * now
        sight, root, now, damping = trial, trial_root, then, damping / 5
        if done:
            break
    off = np.minimum(np.abs(sight.misfit), settings.most_off_cells)
    rms = float(np.sqrt(weight @ off**2 / weight.sum()))
    return replace(sight.pose, residual_cells=rms)
