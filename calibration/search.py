"""The search for a board: lattices proposed, fitted, and told apart by what lies inside and around them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.extent import Candidate, find_extent
from calibration.fit import DEFAULT_FIT, grow, marks_of_segments, pose_of_lattice, shifted
from calibration.lattice import find_lattices, focal_of
from calibration.outline import outline_lattices
from calibration.pose import PIECE_HEIGHT_CELLS, USUAL_FOCAL, FloatArray, GridPose
from calibration.refine import refine
from calibration.segments import Segments, detect_segments, undistort, vanishing_points
from calibration.views import Gray, View


@dataclass(frozen=True)
class LocateSettings:
    """Numbers of the board search.

    Attributes:
        quick_px: longer side of the picture looked at first: enough for a clear board.
        quick_points: vanishing points considered then: the board's two and one more.
        search_px: longer side of the picture searched; cells of 12 px in a 1280 px picture keep 9.
        shortest_segment: least segment length in units of the longer side: half a cell of a board that fills a third.
        lattices: how many possible boards are fitted, best first.
        grown: how many lattices are followed over the picture for that.
        clear_quality: quality with which a possible board is fitted at once, before others are looked at.
        good_score, good_margin, good_weakest: contrast inside, lead of the border strips over those outside, and contrast of the
            weakest lines, with which the search ends; fits one cell off or half way between two planes stay under one of them.
        least_score, least_margin: the same without which there is no board.
        least_weakest: contrast of the weakest lines without which there is no board: boards of other games lie under 0.08.
        good_misfit_cells: misfit above which the search does not end.
        most_misfit_cells: misfit above which there is no board: lines at random give 0.13 to 0.15.
        clean_cells: misfit under which a fit is taken as it is, and faint lines are forgiven.
        shifted: how many possible boards are tried again from both sides when none is good.
        exact_px: longer side of the picture in which the grid is measured in the end.
        fine_search_px: longer side for the second search, of small boards in large pictures.
        outside_cells: how far a corner of the grid may lie outside the picture.
        thorough: whether to go on to faint lines and bent lenses.
        bent: radial terms tried when straight lines lead nowhere.
        follow_score: line contrast under which a lattice is dropped before its fit.
        steep_deg: tilt from which the tops of pieces lean by a fifth of a cell and more.
    """

    quick_px: int = 640
    quick_points: int = 3
    exact_px: int = 1280
    search_px: int = 960
    shortest_segment: float = 0.012
    lattices: int = 8
    grown: int = 20
    clear_quality: float = 0.75
    good_score: float = 0.4
    good_margin: float = 0.1
    good_weakest: float = 0.2
    least_score: float = 0.28
    least_margin: float = 0.02
    least_weakest: float = 0.12
    most_misfit_cells: float = 0.11
    good_misfit_cells: float = 0.1
    clean_cells: float = 0.07
    shifted: int = 3
    steep_deg: float = 35.0
    fine_search_px: int = 1600
    outside_cells: float = 0.5
    follow_score: float = 0.15
    bent: tuple[float, ...] = (-0.15, 0.12)
    thorough: bool = True

    def is_good(self, candidate: Candidate) -> bool:
        """Whether the search can end with this board."""
        lines = candidate.score >= self.good_score and candidate.weakest >= self.good_weakest
        fits = candidate.margin >= self.good_margin and candidate.pose.residual_cells <= self.good_misfit_cells
        return lines and fits and self.is_board(candidate)

    def is_board(self, candidate: Candidate) -> bool:
        """Whether this is a board at all."""
        clean = candidate.pose.residual_cells < self.clean_cells and candidate.margin >= self.good_margin
        weakest = self.least_weakest / 2 if clean else self.least_weakest
        lines = candidate.score >= self.least_score and candidate.weakest >= weakest
        return lines and candidate.margin >= self.least_margin and candidate.pose.residual_cells <= self.most_misfit_cells


DEFAULT_LOCATE = LocateSettings()


def quick_look(view: View, sizes: tuple[int, ...], settings: LocateSettings = DEFAULT_LOCATE) -> Candidate | None:
    """The board, when it is as clear as can be in a small picture."""
    segments = detect_segments(view.gray, settings.shortest_segment * view.longer_px)
    for candidate in islice(_of_lines(view.gray, segments, 0.0, sizes, settings, settings.quick_points), 2):
        settled = _settle(candidate, view)
        if settled is not None and settings.is_good(settled):
            return _try_planes(settled, view, settings)
    return None


def search_candidates(view: View, sizes: tuple[int, ...] = (20,), settings: LocateSettings = DEFAULT_LOCATE) -> list[Candidate]:
    """Possible boards in a picture, best first."""
    found: list[Candidate] = []
    for proposed in islice(_proposals(view.gray, sizes, settings), settings.lattices):
        candidate = _settle(proposed, view)
        if candidate is not None:
            found.append(candidate)
            if settings.is_good(candidate):
                return [_try_planes(candidate, view, settings)]
    found.sort(key=lambda c: -c.quality)
    for k, candidate in enumerate(found[: settings.shifted]):
        found[k] = _try_planes(candidate, view, settings)
        if settings.is_board(found[k]):
            break
    return sorted(found, key=lambda c: -c.quality)


def _proposals(gray: Gray, sizes: tuple[int, ...], settings: LocateSettings) -> Iterator[Candidate]:
    """Windows of lattices worth a fit, likeliest kinds first.

    Clear lines; lines after local contrast was raised; outlines with faint lines inside; lines of bent pictures.
    """
    shortest_px = settings.shortest_segment * max(gray.shape)
    plain = detect_segments(gray, shortest_px)
    yield from _of_lines(gray, plain, 0.0, sizes, settings)
    if not settings.thorough:
        return
    raised = detect_segments(np.asarray(cv2.createCLAHE(4.0, (8, 8)).apply(gray), np.uint8), shortest_px)
    yield from _of_lines(gray, raised, 0.0, sizes, settings)
    for segments in (plain, raised):
        yield from _of_outlines(gray, segments, sizes, settings)
    for k1 in settings.bent:
        yield from _of_lines(gray, plain, k1, sizes, settings)


def _of_lines(
    gray: Gray, segments: Segments, k1: float, sizes: tuple[int, ...], settings: LocateSettings, points: int = 8
) -> Iterator[Candidate]:
    wh = (gray.shape[1], gray.shape[0])
    usual_px = USUAL_FOCAL * max(wh)
    straight = undistort(segments, usual_px, ((wh[0] - 1) / 2, (wh[1] - 1) / 2), k1)
    pairs = _pairs(straight, wh, points)
    lattices = [one for pair, focal in pairs for one in find_lattices(straight, pair, focal, wh, 8, 0.06 * max(wh))]
    later: list[Candidate] = []
    for lattice in sorted(lattices, key=lambda one: -one.strength)[: settings.grown]:
        pose = replace(pose_of_lattice(lattice, wh), k1=k1 * (lattice.focal_px / usual_px) ** 2)
        grown = grow(pose, segments)
        if grown is None:
            continue
        center = np.median(grown.unproject(marks_of_segments(grown, segments, np.inf, np.zeros(2), DEFAULT_FIT).points_px), axis=0)
        found = find_extent(gray, grown, center, sizes)
        if found is None or found.score < settings.follow_score:
            continue
        if found.clearness >= settings.clear_quality:
            yield found
        else:
            later.append(found)
    yield from sorted(later, key=lambda found: -found.clearness)[: settings.lattices // 2]


def _of_outlines(gray: Gray, segments: Segments, sizes: tuple[int, ...], settings: LocateSettings) -> Iterator[Candidate]:
    wh = (gray.shape[1], gray.shape[0])
    lattices = [one for pair, focal in _pairs(segments, wh)[:4] for one in outline_lattices(gray, segments, pair, focal, sizes)]
    for lattice in sorted(lattices, key=lambda one: -one.strength)[:3]:
        found = find_extent(gray, pose_of_lattice(lattice, wh), np.full(2, 10.0), sizes, reach=14)
        if found is not None and found.score >= settings.follow_score:
            yield found


def _pairs(segments: Segments, image_wh: tuple[int, int], count: int = 8) -> list[tuple[tuple[FloatArray, FloatArray], float]]:
    """Pairs of vanishing points that can be at right angles, strongest first, with their focal lengths in px."""
    points = list(vanishing_points(segments, image_wh, np.random.default_rng(0), count))
    found = []
    for i in range(len(points)):
        for j in range(i):
            focal = focal_of(points[i], points[j], image_wh)
            if focal is not None:
                found.append(((points[i], points[j]), focal[0]))
    return found


def _try_planes(best: Candidate, view: View, settings: LocateSettings) -> Candidate:
    """At a slant the tops of the pieces make a second lattice, so that a fit may hang between the two: try again from both sides."""
    if best.pose.residual_cells < settings.clean_cells or best.pose.tilt_deg < settings.steep_deg or best.score < settings.follow_score:
        return best
    lean, start = top_shift(best.pose), best
    for part in (0.8, -0.8, 1.6, -1.6):
        other = _settle(replace(start, pose=shifted(start.pose, *(part * lean))), view)
        if other is not None and other.quality > best.quality:
            best = other
    return best


def top_shift(pose: GridPose) -> NDArray[np.float64]:
    """(2,) ``(col, row)`` by which the top of a piece in the middle of the board appears shifted on the board's plane, in cells."""
    middle = np.full((1, 2), pose.size / 2)
    return np.asarray((pose.unproject(pose.project(middle, PIECE_HEIGHT_CELLS)) - middle)[0])


def _settle(candidate: Candidate, view: View) -> Candidate | None:
    """Refine the pose, and move it by whole cells where the lines say so, until both agree."""
    current: Candidate | None = candidate
    for _ in range(3):
        if current is None or not np.isfinite(current.pose.corners_px).all():
            return None
        refined = refine(view.image_bgr, current.pose)
        current = find_extent(view.gray, refined, np.full(2, refined.size / 2), (refined.size,), reach=refined.size // 2 + 3)
        if current is not None and np.abs(current.pose.unproject(refined.corners_px[:1])).max() < 0.5:
            break
    return current
