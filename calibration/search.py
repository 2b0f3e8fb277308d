"""The search for a board: lattices proposed, fitted, and told apart by what lies inside and around them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.extent import Extent, find_extent, quality
from calibration.fit import DEFAULT_FIT, grow, marks_of_segments, pose_of_lattice, shifted
from calibration.lattice import find_lattices, focal_of
from calibration.outline import outline_lattices
from calibration.pose import PIECE_HEIGHT_CELLS, USUAL_FOCAL, FloatArray, GridPose
from calibration.refine import refine
from calibration.segments import Segments, detect_segments, undistort, vanishing_points

Image = NDArray[np.uint8]
"""(h, w, 3) BGR uint8."""

Gray = NDArray[np.uint8]
"""(h, w) uint8."""


@dataclass(frozen=True)
class Candidate:
    """One possible board.

    Attributes:
        pose: in the search picture.
        score: mean line contrast inside, 0 to 1.
        margin: lead of the weakest border strip over the strongest outside strip.
        weakest: contrast of its weakest lines, but for a tenth.
    """

    pose: GridPose
    score: float
    margin: float
    weakest: float

    @property
    def quality(self) -> float:
        """By what candidates are ranked."""
        return quality(self.score, self.margin, self.weakest) - 3 * self.pose.residual_cells


@dataclass(frozen=True)
class LocateSettings:
    """Numbers of the board search.

    Attributes:
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
        fine_search_px: longer side for the second search, of small boards in large pictures.
        outside_cells: how far a corner of the grid may lie outside the picture.
        thorough: whether to go on to faint lines and bent lenses.
        bent: radial terms tried when straight lines lead nowhere.
        follow_score: line contrast under which a lattice is dropped before its fit.
        steep_deg: tilt from which the tops of pieces lean by a fifth of a cell and more.
    """

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


def search_candidates(image_bgr: Image, sizes: tuple[int, ...] = (20,), settings: LocateSettings = DEFAULT_LOCATE) -> list[Candidate]:
    """Possible boards in a picture of at most ``settings.search_px``, best first."""
    gray = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    found: list[Candidate] = []
    for extent in islice(_extents(gray, sizes, settings), settings.lattices):
        candidate = _settle(extent, image_bgr, gray)
        if candidate is not None:
            found.append(candidate)
            if settings.is_good(candidate):
                return [_try_planes(candidate, image_bgr, gray, settings)]
    found.sort(key=lambda c: -c.quality)
    for k, candidate in enumerate(found[: settings.shifted]):
        found[k] = _try_planes(candidate, image_bgr, gray, settings)
        if settings.is_board(found[k]):
            break
    return sorted(found, key=lambda c: -c.quality)


def _extents(gray: Gray, sizes: tuple[int, ...], settings: LocateSettings) -> Iterator[Extent]:
    """Windows of lattices worth a fit, likeliest kinds first.

    Clear lines; lines after local contrast was raised; outlines with faint lines inside; lines of bent pictures.
    """
    wh = (gray.shape[1], gray.shape[0])
    shortest_px = settings.shortest_segment * max(wh)
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


def _of_lines(gray: Gray, segments: Segments, k1: float, sizes: tuple[int, ...], settings: LocateSettings) -> Iterator[Extent]:
    wh = (gray.shape[1], gray.shape[0])
    usual_px = USUAL_FOCAL * max(wh)
    straight = undistort(segments, usual_px, ((wh[0] - 1) / 2, (wh[1] - 1) / 2), k1)
    pairs = _pairs(straight, wh)
    lattices = [one for pair, focal in pairs for one in find_lattices(straight, pair, focal, wh, 8, 0.06 * max(wh))]
    later: list[Extent] = []
    for lattice in sorted(lattices, key=lambda one: -one.strength)[: settings.grown]:
        pose = replace(pose_of_lattice(lattice, wh), k1=k1 * (lattice.focal_px / usual_px) ** 2)
        grown = grow(pose, segments)
        if grown is None:
            continue
        center = np.median(grown.unproject(marks_of_segments(grown, segments, np.inf, np.zeros(2), DEFAULT_FIT).points_px), axis=0)
        extent = find_extent(gray, grown, center, sizes)
        if extent is None or extent.score < settings.follow_score:
            continue
        if extent.quality >= settings.clear_quality:
            yield extent
        else:
            later.append(extent)
    yield from sorted(later, key=lambda extent: -extent.quality)[: settings.lattices // 2]


def _of_outlines(gray: Gray, segments: Segments, sizes: tuple[int, ...], settings: LocateSettings) -> Iterator[Extent]:
    wh = (gray.shape[1], gray.shape[0])
    lattices = [one for pair, focal in _pairs(segments, wh)[:4] for one in outline_lattices(gray, segments, pair, focal, sizes)]
    for lattice in sorted(lattices, key=lambda one: -one.strength)[:3]:
        extent = find_extent(gray, pose_of_lattice(lattice, wh), np.full(2, 10.0), sizes, reach=14)
        if extent is not None and extent.score >= settings.follow_score:
            yield extent


def _pairs(segments: Segments, image_wh: tuple[int, int]) -> list[tuple[tuple[FloatArray, FloatArray], float]]:
    """Pairs of vanishing points that can be at right angles, strongest first, with their focal lengths in px."""
    points = vanishing_points(segments, image_wh, np.random.default_rng(0), count=8)
    found = []
    for i in range(len(points)):
        for j in range(i):
            focal = focal_of(points[i], points[j], image_wh)
            if focal is not None:
                found.append(((points[i], points[j]), focal[0]))
    return found


def _try_planes(best: Candidate, image_bgr: Image, gray: Gray, settings: LocateSettings) -> Candidate:
    """At a slant the tops of the pieces make a second lattice, so that a fit may hang between the two: try again from both sides."""
    if best.pose.residual_cells < settings.clean_cells or best.pose.tilt_deg < settings.steep_deg or best.score < settings.follow_score:
        return best
    lean, start = top_shift(best.pose), best
    for part in (0.8, -0.8, 1.6, -1.6):
        moved = Extent(shifted(start.pose, *(part * lean)), start.score, start.margin, start.weakest)
        other = _settle(moved, image_bgr, gray)
        if other is not None and other.quality > best.quality:
            best = other
    return best


def top_shift(pose: GridPose) -> NDArray[np.float64]:
    """(2,) ``(col, row)`` by which the top of a piece in the middle of the board appears shifted on the board's plane, in cells."""
    middle = np.full((1, 2), pose.size / 2)
    return np.asarray((pose.unproject(pose.project(middle, PIECE_HEIGHT_CELLS)) - middle)[0])


def _settle(extent: Extent, image_bgr: Image, gray: Gray) -> Candidate | None:
    """Refine the pose, and move it by whole cells where the lines say so, until both agree."""
    current: Extent | None = extent
    for _ in range(3):
        if current is None or not np.isfinite(current.pose.corners_px).all():
            return None
        refined = refine(image_bgr, current.pose)
        current = find_extent(gray, refined, np.full(2, refined.size / 2), (refined.size,), reach=refined.size // 2 + 3)
        if current is not None and np.abs(current.pose.unproject(refined.corners_px[:1])).max() < 0.5:
            break
    return Candidate(current.pose, current.score, current.margin, current.weakest) if current is not None else None
