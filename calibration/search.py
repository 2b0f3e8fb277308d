"""The search for a board: lattices proposed, fitted, and told apart by what lies inside and around them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import cv2
import numpy as np

from calibration.doubts import BOARD_SIZES
from calibration.extent import Candidate, find_extent, likely_window
from calibration.fit import pose_of_lattice, shifted
from calibration.follow import Followed, follow
from calibration.lattice import Lattice, find_lattices, focal_of
from calibration.mend import fit_board, mend
from calibration.outline import outline_lattices
from calibration.pose import USUAL_FOCAL, FloatArray, GridPose
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
    image_bgr: Image,
    box: tuple[int, int, int, int],
    sizes: tuple[int, ...],
    settings: LocateSettings = DEFAULT_LOCATE,
    beside: GridPose | None = None,
) -> bool:
    """Whether the lines in a part of a picture lead to a board, without looking closely.

    Args:
        image_bgr: (h, w, 3) uint8.
        box: left, top, right and bottom of the part in px.
        sizes: cells a side to consider.
        settings: numbers of the search.
        beside: pose in the picture of another board on the same table: where lines are too few to tell the plane, it is that one's.
    """
    views = Views(image_bgr)
    view = views.at(max(image_bgr.shape))
    segments = detect_within(view.gray, box, settings.shortest_segment * view.longer_px)
    for followed in _followed_on(view.gray, segments, beside) if beside else []:
        found = _windowed(followed, sizes, view, views, settings) if followed.strength > settings.least_strength else None
        # Of the same cells on the same plane, it need not show its lines as well as a board that is to be read.
        if found and (_is_board_at_all(found, settings) or (found.doubt <= settings.plain_doubt and found.score >= settings.beside_score)):
            return True
    for followed in _followed_quickly(view.gray, segments, settings, clear=np.inf):
        found = _windowed(followed, sizes, view, views, settings) if followed.strength > settings.least_strength else None
        if found and _is_board_at_all(found, settings):
            return True
    return False


def _is_board_at_all(found: Candidate, settings: LocateSettings) -> bool:
    """Half hidden or badly fitted, it is a second board all the same: the border may bear it out, but not deny it."""
    return settings.is_board(found) or settings.is_board(replace(found, doubt=np.nan))


def _followed_on(gray: Gray, segments: Segments, beside: GridPose) -> Iterator[Followed]:
    """The lattice, if any, with the cells and the plane of another board's, in the direction in which most lines on that plane run."""
    if len(segments) < LEAST_LINES:
        return
    ends = beside.unproject(segments.ends_px.reshape(-1, 2)).reshape(-1, 2, 2)
    along, middle = ends[:, 1] - ends[:, 0], ends.mean(axis=1)
    length = np.hypot(*along.T)
    # Nothing longer than a board's side is one of its lines; what is seen beyond the horizon does not lie on the plane.
    usable = (length < beside.size * 1.2) & (np.abs(middle - beside.size / 2).max(axis=1) < FARTHEST_SIDES * beside.size)
    usable &= (ends @ beside.rotation[2, :2] + beside.tvec[2] > 0).all(axis=1)
    if usable.sum() < LEAST_LINES:
        return
    angle, length, middle = np.arctan2(along[usable, 1], along[usable, 0]) % (np.pi / 2), length[usable], middle[usable]
    bins = np.bincount((angle / TURN_STEP).astype(int) % TURNS, weights=length, minlength=TURNS)
    peak = (int((bins + np.roll(bins, 1) + np.roll(bins, -1)).argmax()) + 0.5) * TURN_STEP
    away = (angle - peak + np.pi / 4) % (np.pi / 2) - np.pi / 4
    near = np.abs(away) < 1.5 * TURN_STEP
    turn = peak + float(np.average(away[near], weights=length[near]))
    one = follow(gray, _turned_about(beside, np.median(middle[near], axis=0), turn), np.zeros(2))
    if one is not None:
        yield one


def _turned_about(pose: GridPose, origin: FloatArray, turn: float) -> GridPose:
    """The lattice of a board turned on its plane by an angle in radians, with its origin at a board point."""
    cos, sin = np.cos(turn), np.sin(turn)
    rotation = pose.rotation @ np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    return replace(shifted(pose, *origin), rvec=np.asarray(cv2.Rodrigues(rotation)[0], np.float64).reshape(3))


FARTHEST_SIDES = 4
"""Distance of lines from the middle of the board found, in its sides, up to which they may be a second one's."""

LEAST_LINES = 12
"""Lines without which nothing is followed."""

TURNS = 45
"""Directions of lines that are told apart, over a right angle."""

TURN_STEP = np.pi / 2 / TURNS


def _windowed(followed: Followed, sizes: tuple[int, ...], view: View, views: Views, settings: LocateSettings) -> Candidate | None:
    """The likeliest window of a lattice, fitted."""
    return fit_board(likely_window(view.gray, followed.pose, followed.center, sizes), view, views, settings)


def _followed_within(view: View, box: tuple[int, int, int, int], settings: LocateSettings, clear: float) -> list[Followed]:
    return _followed_quickly(view.gray, detect_within(view.gray, box, settings.shortest_segment * view.longer_px), settings, clear)


def _followed_quickly(gray: Gray, segments: Segments, settings: LocateSettings, clear: float) -> list[Followed]:
    return _followed(gray, segments, 0.0, replace(settings, grown=settings.quick_grown), settings.enough_strength, clear)


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
