"""The search for a board: lattices proposed, fitted, and told apart by what lies inside and around them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.border import Border
from calibration.extent import Candidate, find_extent
from calibration.fit import DEFAULT_FIT, LineMarks, fit_pose, grow, marks_of_segments, pose_of_lattice, shifted
from calibration.lattice import Lattice, find_lattices, focal_of
from calibration.outline import outline_lattices
from calibration.pose import PIECE_HEIGHT_CELLS, USUAL_FOCAL, FloatArray, GridPose
from calibration.refine import refine
from calibration.segments import Segments, detect_segments, undistort, vanishing_points
from calibration.views import Gray, View, Views


@dataclass(frozen=True)
class LocateSettings:
    """Numbers of the board search.

    Attributes:
        quick_px: longer side of the picture looked at first: enough for a clear board.
        quick_grown: lattices followed over that picture at the most.
        enough_strength: agreement of the lines with a period at which no further directions are looked for then.
        search_px: longer side of the picture searched; cells of 12 px in a 1280 px picture keep 9.
        shortest_segment: least segment length in units of the longer side: half a cell of a board that fills a third.
        fitted: how many possible boards of one kind are fitted, best first.
        grown: how many lattices are followed over the picture for that.
        clear_quality: quality with which a possible board is fitted at once, before others are looked at.
        good_score, good_margin, good_weakest: contrast inside, lead of the border strips over those outside, and contrast of the
            weakest lines, with which the search ends; fits one cell off or half way between two planes stay under one of them.
        least_score, least_margin: the same without which there is no board.
        close_margin: margin that is still taken when the lines fit well and all neighbours fit much worse.
        loose_margin: margin without which there is no board when the lines fit less than well.
        least_weakest: contrast of the weakest lines without which there is no board: boards of other games lie under 0.08.
        good_misfit_cells: misfit above which the search does not end.
        most_misfit_cells: misfit above which there is no board: lines at random give 0.13 to 0.15.
        plain_misfit_cells, plain_margin, plain_weakest: misfit that is still taken where the border is that plain, no line is missing,
            and the neighbours were looked at: at 60 degrees the true grid itself may give 0.1.
        clean_cells: misfit under which a fit is taken as it is, and faint lines are forgiven.
        least_lead: quality by which a board must beat others that lie half a cell and more from it.
        most_doubt: doubt of the border above which there is no board: windows of other games' boards and grids half a cell off have 0.2
            and more, those a cell off 0.9.
        sure_doubt: doubt up to which the border alone tells that the grid is in its place.
        likely_doubt, likely_margin: doubt up to which it tells so together with the lead of the border strips: windows of other games'
            boards reach 0.09 and 0.
        faint_score: line contrast up to which that is so: where lines are clearer, those of the border strips must be clear as well.
        plain_doubt: doubt up to which a fit at a slant need not be compared with its neighbours.
        bordered_score, bordered_weakest, bordered_misfit_cells: score, weakest lines and misfit without which there is no board where
            the border is sure: in the dark and at 60 degrees lines are faint and badly measured.
        exact_px: longer side of the picture in which the grid is measured in the end.
        fine_search_px: longer side for the second search, of small boards in large pictures.
        outside_cells: how far a corner of the grid may lie outside the picture.
        second_room: radius of the free room, in sides of the board found, in which a second board is looked for.
        thorough: whether to go on to faint lines and bent lenses.
        bent: radial terms tried when straight lines lead nowhere.
        follow_score: line contrast under which a lattice is dropped before its fit.
        steep_deg: tilt from which the tops of pieces lean by a fifth of a cell and more.
    """

    quick_px: int = 640
    quick_grown: int = 4
    enough_strength: float = 0.35
    exact_px: int = 1280
    search_px: int = 960
    shortest_segment: float = 0.012
    fitted: int = 4
    grown: int = 10
    clear_quality: float = 0.75
    good_score: float = 0.4
    good_margin: float = 0.1
    good_weakest: float = 0.2
    least_score: float = 0.28
    least_margin: float = 0.1
    close_margin: float = 0.06
    loose_margin: float = 0.15
    least_weakest: float = 0.12
    most_misfit_cells: float = 0.09
    good_misfit_cells: float = 0.075
    plain_misfit_cells: float = 0.105
    plain_margin: float = 0.2
    plain_weakest: float = 0.2
    clean_cells: float = 0.06
    least_lead: float = 0.1
    most_doubt: float = 0.2
    sure_doubt: float = 0.06
    likely_doubt: float = 0.2
    likely_margin: float = 0.03
    faint_score: float = 0.6
    plain_doubt: float = 0.02
    bordered_score: float = 0.24
    bordered_weakest: float = 0.06
    bordered_misfit_cells: float = 0.1
    steep_deg: float = 35.0
    fine_search_px: int = 1600
    outside_cells: float = 0.5
    follow_score: float = 0.15
    bent: tuple[float, ...] = (-0.15, 0.12)
    second_room: float = 0.4
    thorough: bool = True

    def is_good(self, candidate: Candidate) -> bool:
        """Whether the search can end with this board; at a slant, where a line is easily lost, only a clean fit needs no comparison."""
        lines = candidate.score >= self.good_score and candidate.weakest >= self.good_weakest
        steep = candidate.pose.tilt_deg > self.steep_deg and not candidate.doubt <= self.plain_doubt
        fits = candidate.pose.residual_cells <= (self.clean_cells if steep else self.good_misfit_cells)
        bounded = candidate.margin >= self.good_margin or candidate.doubt <= self.plain_doubt
        return lines and fits and bounded and self.is_board(candidate)

    def is_board(self, candidate: Candidate) -> bool:
        """Whether this is a board at all."""
        if candidate.doubt > self.most_doubt:
            return False
        misfit, compared = candidate.pose.residual_cells, np.isfinite(candidate.lead)
        if self.is_bordered(candidate):
            weakest = self.bordered_weakest if misfit <= self.good_misfit_cells else self.least_weakest
            lines = candidate.score >= self.bordered_score and candidate.weakest >= weakest
            return lines and misfit <= self.bordered_misfit_cells
        clean = misfit < self.clean_cells and candidate.margin >= self.good_margin
        weakest = self.least_weakest / 2 if clean else self.least_weakest
        lines = candidate.score >= self.least_score and candidate.weakest >= weakest and candidate.lead >= self.least_lead
        if misfit > self.most_misfit_cells:
            plain = candidate.margin >= self.plain_margin and candidate.weakest >= self.plain_weakest
            return lines and compared and plain and misfit <= self.plain_misfit_cells
        if misfit > self.good_misfit_cells:
            return lines and candidate.margin >= self.loose_margin
        alone = compared and candidate.lead >= 2 * self.least_lead
        return lines and candidate.margin >= (self.close_margin if alone else self.least_margin)

    def is_bordered(self, candidate: Candidate) -> bool:
        """Whether what lies across the sides of this board tells that it is in its place."""
        if candidate.score > self.faint_score:
            plain = candidate.doubt <= self.plain_doubt
            return candidate.doubt <= self.sure_doubt and candidate.margin >= (self.likely_margin if plain else self.close_margin)
        likely = candidate.doubt <= self.likely_doubt and candidate.margin >= self.likely_margin
        return likely or candidate.doubt <= self.sure_doubt


DEFAULT_LOCATE = LocateSettings()


def quick_look(views: Views, sizes: tuple[int, ...], settings: LocateSettings = DEFAULT_LOCATE) -> tuple[Candidate, View] | None:
    """The board, when it is clear in a small picture or in the next larger one; and the picture in which its pose is."""
    small = views.at(settings.quick_px)
    segments = detect_segments(small.gray, settings.shortest_segment * small.longer_px)
    few = replace(settings, grown=settings.quick_grown)
    found: list[Candidate] = []
    for proposed in islice(_of_lines(small.gray, segments, 0.0, sizes, few, settings.enough_strength), 2):
        settled = _settle(proposed, small, rounds=2)
        if settled is not None:
            if settings.is_good(settled):
                return settled, small
            found.append(settled)
    best = max(found, key=lambda c: c.quality, default=None)
    larger = views.at(settings.search_px)
    if best is None or best.score < settings.least_score or best.pose.residual_cells > settings.most_misfit_cells:
        return None
    settled = _settle(replace(best, pose=small.pose_in(best.pose, larger)), larger)
    return (settled, larger) if settled is not None and settings.is_good(settled) else None


def search_candidates(view: View, sizes: tuple[int, ...] = (20,), settings: LocateSettings = DEFAULT_LOCATE) -> list[Candidate]:
    """Possible boards in a picture, best first; the search ends with the first kind of proposal that leads to a board."""
    found: list[Candidate] = []
    mended: Candidate | None = None
    for proposals in _proposals(view.gray, sizes, settings):
        for proposed in proposals:
            candidate = _settle(proposed, view)
            if candidate is not None:
                found.append(candidate)
                if settings.is_good(candidate):
                    return [candidate]
        found.sort(key=lambda c: -c.quality)
        if found and found[0] is not mended:
            mended = found[0] = _mend(found[0], view, settings)
            if settings.is_board(mended):
                break
    return found


def _proposals(gray: Gray, sizes: tuple[int, ...], settings: LocateSettings) -> Iterator[Iterator[Candidate]]:
    """Windows of lattices worth a fit, likeliest kinds first.

    Clear lines; lines after local contrast was raised; outlines with faint lines inside; lines of bent pictures.
    """
    shortest_px = settings.shortest_segment * max(gray.shape)
    plain = detect_segments(gray, shortest_px)
    yield islice(_of_lines(gray, plain, 0.0, sizes, settings), settings.fitted)
    if not settings.thorough:
        return
    raised = detect_segments(np.asarray(cv2.createCLAHE(4.0, (8, 8)).apply(gray), np.uint8), shortest_px)
    yield islice(_of_lines(gray, raised, 0.0, sizes, settings), settings.fitted)
    yield _of_outlines(gray, plain, sizes, settings)
    yield _of_outlines(gray, raised, sizes, settings)
    less = replace(settings, grown=settings.grown // 2)
    for k1 in settings.bent:
        yield islice(_of_lines(gray, plain, k1, sizes, less), settings.fitted // 2)


def _of_lines(
    gray: Gray, segments: Segments, k1: float, sizes: tuple[int, ...], settings: LocateSettings, enough: float = 1.0
) -> Iterator[Candidate]:
    wh = (gray.shape[1], gray.shape[0])
    usual_px = USUAL_FOCAL * max(wh)
    straight = undistort(segments, usual_px, ((wh[0] - 1) / 2, (wh[1] - 1) / 2), k1)
    lattices: list[Lattice] = []
    for pair, focal in _pairs(straight, wh):
        lattices += find_lattices(straight, pair, focal, wh, 8, 0.06 * max(wh))
        if max((one.strength for one in lattices), default=0.0) > enough:
            break
    later: list[Candidate] = []
    for lattice in islice(_different(lattices), settings.grown):
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
    yield from sorted(later, key=lambda found: -found.clearness)


def _different(lattices: list[Lattice]) -> Iterator[Lattice]:
    """The lattices, strongest first, without those that are like one before."""
    seen: list[Lattice] = []
    for lattice in sorted(lattices, key=lambda one: -one.strength):
        if not any(lattice.is_like(other) for other in seen):
            seen.append(lattice)
            yield lattice


def _of_outlines(gray: Gray, segments: Segments, sizes: tuple[int, ...], settings: LocateSettings) -> Iterator[Candidate]:
    wh = (gray.shape[1], gray.shape[0])
    lattices = [one for pair, focal in islice(_pairs(segments, wh), 3) for one in outline_lattices(gray, segments, pair, focal, sizes)]
    for lattice in sorted(lattices, key=lambda one: -one.strength)[:2]:
        found = find_extent(gray, pose_of_lattice(lattice, wh), np.full(2, 10.0), sizes, reach=14)
        if found is not None and found.score >= settings.follow_score:
            yield found


def _pairs(segments: Segments, image_wh: tuple[int, int]) -> Iterator[tuple[tuple[FloatArray, FloatArray], float]]:
    """Pairs of vanishing points that can be at right angles, strongest first, with their focal lengths in px."""
    points: list[FloatArray] = []
    for point in vanishing_points(segments, image_wh, np.random.default_rng(0), count=8):
        for other in points:
            focal = focal_of(point, other, image_wh)
            if focal is not None:
                yield (point, other), focal[0]
        points.append(point)


def _mend(start: Candidate, view: View, settings: LocateSettings) -> Candidate:
    """Try again what does not fit cleanly, from both sides of every way in which fits are known to go wrong."""
    clean = start.pose.residual_cells < settings.clean_cells and start.margin >= settings.least_margin
    if clean or start.score < settings.least_score:
        return start
    found = [start]
    aside = Border.of(view.image_bgr, start.pose).moved
    for pose in chain([shifted(start.pose, *aside)] if any(aside) else [], _neighbours(start.pose, settings)):
        other = _settle(replace(start, pose=pose), view)
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


def _settle(candidate: Candidate, view: View, rounds: int = 3) -> Candidate | None:
    """Refine the pose, and move it by whole cells where the lines say so, until both agree."""
    current: Candidate | None = candidate
    for _ in range(2):
        if current is None or not np.isfinite(current.pose.corners_px).all():
            return None
        refined = refine(view.image_bgr, current.pose, rounds=rounds)
        current = find_extent(view.gray, refined, np.full(2, refined.size / 2), (refined.size,), reach=refined.size // 2 + 3)
        if current is not None and np.abs(current.pose.unproject(refined.corners_px[:1])).max() < 0.5:
            break
    return current and with_doubt(current, view)


def with_doubt(found: Candidate, view: View) -> Candidate:
    """The possible board with the doubt of its border in a picture, its pose being that in it."""
    return replace(found, doubt=Border.of(view.image_bgr, found.pose).doubt)
