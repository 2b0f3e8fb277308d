"""The search for a board: lattices proposed, fitted, and told apart by what lies inside and around them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import cv2
import numpy as np

from calibration.doubts import BOARD_SIZES
from calibration.extent import Candidate, find_extent, likely_window
from calibration.fit import pose_of_lattice
from calibration.follow import Followed, follow
from calibration.lattice import Lattice, find_lattices, focal_of
from calibration.mend import fit_board, mend
from calibration.outline import outline_lattices
from calibration.pose import USUAL_FOCAL, FloatArray
from calibration.segments import Segments, detect_segments, detect_within, undistort, vanishing_points
from calibration.settings import DEFAULT_LOCATE, LocateSettings
from calibration.views import Gray, Image, View, Views


def quick_look(views: Views, sizes: tuple[int, ...], settings: LocateSettings = DEFAULT_LOCATE) -> Candidate | None:
    """The board, when it is clear in a small picture or is seen there twice; its pose is that in the picture of ``quick_px``.

    A board of another size than those considered is told as well when it is clear: nothing else need be looked for then.
    """
    view = views.at(settings.quick_px)
    seen: list[Candidate] = []
    others = tuple(size for size in BOARD_SIZES if size not in sizes)
    clearest: Followed | None = None
    for part in settings.quick_parts:
        (width, height), aside = view.wh, (1 - part) / 2
        box = round(width * aside), round(height * aside), round(width * (1 - aside)), round(height * (1 - aside))
        for clearest in _followed_within(view, box, settings, settings.clear_strength)[:1]:
            fitted = _windowed(clearest, sizes, view, views, settings)
            if fitted and settings.is_good(fitted):
                return fitted
            seen += [fitted] if fitted else []
    if len(seen) == 2 and seen[0].pose.apart_cells(seen[1].pose) < settings.same_cells:
        best = mend(max(seen, key=lambda c: c.quality), view, views, settings)
        if settings.is_board(best) and settings.is_bounded(best):
            return best
    other = _windowed(clearest, others, view, views, settings) if clearest and others else None
    return other if other and settings.is_good(other) else None


def board_within(
    image_bgr: Image, box: tuple[int, int, int, int], sizes: tuple[int, ...], settings: LocateSettings = DEFAULT_LOCATE
) -> bool:
    """Whether the lines in a part of a picture (left, top, right and bottom in px) lead to a board, without looking closely."""
    views = Views(image_bgr)
    view = views.at(max(image_bgr.shape))
    for followed in _followed_within(view, box, settings, clear=np.inf):
        found = _windowed(followed, sizes, view, views, settings) if followed.strength > settings.least_strength else None
        # Half hidden or badly fitted, it is a second board all the same: the border may bear it out, but not deny it.
        if found and (settings.is_board(found) or settings.is_board(replace(found, doubt=np.nan))):
            return True
    return False


def _windowed(followed: Followed, sizes: tuple[int, ...], view: View, views: Views, settings: LocateSettings) -> Candidate | None:
    """The likeliest window of a lattice, fitted."""
    return fit_board(likely_window(view.gray, followed.pose, followed.center, sizes), view, views, settings)


def _followed_within(view: View, box: tuple[int, int, int, int], settings: LocateSettings, clear: float) -> list[Followed]:
    segments = detect_within(view.gray, box, settings.shortest_segment * view.longer_px)
    return _followed(view.gray, segments, 0.0, replace(settings, grown=settings.quick_grown), settings.enough_strength, clear)


def search_candidates(
    view: View, views: Views, sizes: tuple[int, ...] = (20,), settings: LocateSettings = DEFAULT_LOCATE
) -> list[Candidate]:
    """Possible boards in a picture, best first; the search ends with the first kind of proposal that leads to a board.

    Args:
        view: the picture in which lines are looked for; the poses are those in it.
        views: the same picture at the sizes in which they are measured.
        sizes: cells a side to consider.
        settings: numbers of the search.
    """
    found: list[Candidate] = []
    mended: Candidate | None = None
    for proposals in _proposals(view.gray, sizes, settings):
        for proposed in proposals:
            candidate = fit_board(proposed.pose, view, views, settings)
            if candidate is not None:
                found.append(candidate)
                if settings.is_good(candidate):
                    return [candidate]
        found.sort(key=lambda c: -c.quality)
        if found and found[0] is not mended:
            if mended is None or found[0].pose.apart_cells(mended.pose) > settings.same_cells:
                found[0] = mend(found[0], view, views, settings)
            else:  # what lies around the same place was looked at
                found[0] = replace(found[0], lead=mended.lead)
            mended = found[0]
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


def _of_lines(gray: Gray, segments: Segments, k1: float, sizes: tuple[int, ...], settings: LocateSettings) -> Iterator[Candidate]:
    later: list[Candidate] = []
    for one in _followed(gray, segments, k1, settings):
        found = find_extent(gray, one.pose, one.center, sizes, reach=16)
        if found is None or found.score < settings.follow_score:
            continue
        if found.clearness >= settings.clear_quality:
            yield found
        else:
            later.append(found)
    yield from sorted(later, key=lambda found: -found.clearness)


def _followed(
    gray: Gray, segments: Segments, k1: float, settings: LocateSettings, enough: float = np.inf, clear: float = np.inf
) -> list[Followed]:
    """Lattices followed over the picture, clearest first; with ``enough`` and ``clear`` the first ones that strong are all."""
    wh = (gray.shape[1], gray.shape[0])
    usual_px = USUAL_FOCAL * max(wh)
    straight = undistort(segments, usual_px, ((wh[0] - 1) / 2, (wh[1] - 1) / 2), k1)
    lattices: list[Lattice] = []
    for pair, focal in _pairs(straight, wh):
        lattices += find_lattices(straight, pair, focal, wh, 8, 0.06 * max(wh))
        if max((one.strength for one in lattices), default=0.0) > enough:
            break
    found: list[Followed] = []
    for lattice in islice(_different(lattices), settings.grown):
        one = follow(gray, replace(pose_of_lattice(lattice, wh), k1=k1 * (lattice.focal_px / usual_px) ** 2), lattice.middle)
        if one is not None:
            found.append(one)
            if one.strength > clear:
                break
    return sorted(found, key=lambda one: -one.strength)


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
