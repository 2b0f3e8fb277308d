"""Fitting a possible board until its lines lie where they are seen, and mending fits that went wrong in a known way."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from calibration.border import Border
from calibration.extent import Candidate, find_extent
from calibration.fit import FitSettings, LineMarks, fit_pose, shifted
from calibration.pose import PIECE_HEIGHT_CELLS, FloatArray, GridPose
from calibration.refine import refine
from calibration.settings import LocateSettings
from calibration.views import View, Views


def mend(start: Candidate, view: View, views: Views, settings: LocateSettings) -> Candidate:
    """Try again what does not fit cleanly, from both sides of every way in which fits are known to go wrong."""
    clean = start.pose.residual_cells < settings.clean_cells and start.margin >= settings.least_margin
    if clean or start.score < settings.least_score:
        return start
    found = [start]
    aside = Border.of(view.image_bgr, start.pose).moved
    for pose in chain([shifted(start.pose, *aside)] if any(aside) else [], _neighbours(start.pose, settings)):
        other = fit_board(pose, view, views, settings)
        if other is not None:
            found.append(other)
    best = max(found, key=lambda c: c.quality)
    rivals = [c.quality for c in found if best.pose.apart_cells(c.pose) > 0.5 and c.margin > 0]
    return replace(best, lead=best.quality - max(rivals)) if rivals else best


def _neighbours(pose: GridPose, settings: LocateSettings) -> Iterator[GridPose]:
    """Other poses under which much the same lines are seen.

    At a slant the tops of the pieces make a second lattice, so that a fit may hang between the two; where lines are close or
    hidden one may be lost or added on the way outwards; so it may under a bent lens.
    """
    if pose.tilt_deg > settings.steep_deg:
        yield from (shifted(pose, *(part * top_shift(pose))) for part in (0.8, -0.8))
        yield from (stretched(pose, end, by) for end in (0, 1) for by in (1.0, -1.0))
    yield from (rebent(pose, k1) for k1 in settings.bent)


def stretched(pose: GridPose, end: int, by: float) -> GridPose:
    """The pose with the nearest (0) or farthest (1) side of the board moved outwards by some cells, the other left where it is."""
    away = pose.grid_corners.mean(axis=0) - pose.camera_position[:2]
    axis = int(np.abs(away).argmax())
    high = (away[axis] > 0) == (end == 1)
    at = _spots(pose.size, 0.0, 1.0)
    moved = at.copy()
    moved[:, axis] += by * (at[:, axis] / pose.size if high else at[:, axis] / pose.size - 1)
    return _through(pose, at, pose.project(moved))


def rebent(pose: GridPose, k1: float) -> GridPose:
    """The pose under another lens that shows the middle of the board as it was."""
    at = _spots(pose.size, 0.3, 0.7)
    return _through(replace(pose, k1=k1), at, pose.project(at))


def _spots(size: int, low: float, high: float) -> FloatArray:
    """(25, 2) board points, evenly spread over a share of both sides."""
    return np.stack(np.meshgrid(*[np.linspace(low, high, 5) * size] * 2), -1).reshape(-1, 2)


def _through(pose: GridPose, at: FloatArray, seen_px: FloatArray) -> GridPose:
    """The pose, its lens kept, under which (N, 2) board points are seen nearest to (N, 2) image points."""
    count = len(at)
    axis = np.repeat([0, 1], count)
    marks = LineMarks(np.tile(seen_px, (2, 1)), axis, at.T.reshape(-1), np.zeros(2 * count), np.ones(2 * count))
    return fit_pose(pose, marks, free_lens=False)


def top_shift(pose: GridPose) -> NDArray[np.float64]:
    """(2,) ``(col, row)`` by which the top of a piece in the middle of the board appears shifted on the board's plane, in cells."""
    middle = np.full((1, 2), pose.size / 2)
    return np.asarray((pose.unproject(pose.project(middle, PIECE_HEIGHT_CELLS)) - middle)[0])


def fit_board(start: GridPose, view: View, views: Views, settings: LocateSettings) -> Candidate | None:
    """Refine the pose, and move it by whole cells where the lines say so, until both agree."""
    current: Candidate | None = None
    pose = start
    for _ in range(2):
        if not np.isfinite(pose.corners_px).all():
            return None
        exact = _exact_view(pose, view, views, settings)
        refined = exact.pose_in(refine(exact.image_bgr, view.pose_in(pose, exact), settings=EXACT_FIT), view)
        current = find_extent(view.gray, refined, np.full(2, refined.size / 2), (refined.size,), reach=refined.size // 2 + 3)
        # Where lines are faint or at random, moving by whole cells does not mend that.
        is_hopeless = current is None or current.score < settings.bordered_score or refined.residual_cells > settings.plain_misfit_cells
        if current is None or is_hopeless or np.abs(current.pose.unproject(refined.corners_px[:1])).max() < 0.5:
            break
        pose = current.pose
    return current and with_doubt(current, view)


def with_doubt(found: Candidate, view: View) -> Candidate:
    """The possible board with the doubt of its border in a picture, its pose being that in it."""
    return replace(found, doubt=Border.of(view.image_bgr, found.pose).doubt)


def _exact_view(pose: GridPose, view: View, views: Views, settings: LocateSettings) -> View:
    """The smallest picture in which the far cells are large enough to be measured; finer ones show only their texture."""
    least_px = settings.exact_cell_px * view.longer_px / float(np.quantile(pose.cell_sizes_px(), 0.1))
    quick = views.at(settings.quick_px)
    return quick if least_px <= settings.quick_px else views.at_least(math.ceil(min(least_px, settings.exact_px)), settings.exact_px)


EXACT_FIT = FitSettings(k1_spread=0.3)
"""The lens is left free where all lines are measured: held nearer to the usual, strongly bent pictures are off by a third of a cell."""
