"""Finding the board in a photograph by itself."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from calibration.doubts import CHOOSE, is_of_another_game, lattice_seen, why_not
from calibration.extent import Candidate
from calibration.pose import GridPose
from calibration.search import board_within, quick_look, search_candidates
from calibration.settings import DEFAULT_LOCATE, LocateSettings
from calibration.views import Image, Views


class BoardNotFoundError(ValueError):
    """No board could be found in the picture; the message says what was seen and what to do."""


def locate_board(image_bgr: Image, size: int | None = 20, settings: LocateSettings = DEFAULT_LOCATE, alone: bool = False) -> GridPose:
    """The pose of the playing grid in a photograph.

    Args:
        image_bgr: (h, w, 3) uint8, at least 150 px a side.
        size: cells a side, or None when both 20 and 14 are possible.
        settings: numbers of the search.
        alone: whether to make sure that no second board is in the picture.

    Returns:
        the pose; row 0 is the side of the board that is uppermost in the picture.

    Raises:
        BoardNotFoundError: no board, not the whole of it, or two boards are in the picture.
    """
    if min(image_bgr.shape[:2]) < 150:
        raise BoardNotFoundError(
            f"the picture of {image_bgr.shape[1]}x{image_bgr.shape[0]} px is too small: a cell needs about 12 px, use at least 640x480"
        )
    # On a large board a small one could be imagined, so that both are looked for; the other way round there is no room.
    sizes = (20,) if size == 20 else (20, 14)
    views = Views(image_bgr)
    best = _search(views, sizes, settings)
    pose = upright(_accept(best, views, settings))
    if size and pose.size != size:
        raise BoardNotFoundError(f"the board in the picture has {pose.size} x {pose.size} squares, not {size} x {size}: {CHOOSE}")
    if alone and _second_board(views, pose, sizes, settings):
        raise BoardNotFoundError("two boards are in the picture: show one board, or cut the picture to the one that is meant")
    return pose


def locate_only_board(image_bgr: Image, size: int | None = 20) -> GridPose:
    """`locate_board`, refusing a picture with two boards in it."""
    return locate_board(image_bgr, size, alone=True)


def upright(pose: GridPose) -> GridPose:
    """The pose named so that row 0 is the side that is uppermost in the picture."""
    corners = pose.corners_px
    rightward = [float((corners[(k + 1) % 4] - corners[k])[0]) for k in range(4)]
    return pose.turned(int(np.argmax(rightward)))


def _second_board(views: Views, pose: GridPose, sizes: tuple[int, ...], settings: LocateSettings) -> bool:
    """Whether another board lies beside this one: the picture is searched again with this one painted over, if there is room."""
    rim, n = WIDEST_RIM_CELLS, float(pose.size)
    corners = pose.project(np.array([[-rim, -rim], [n + rim, -rim], [n + rim, n + rim], [-rim, n + rim]]))
    small = ROOM_PX / max(pose.image_wh)
    free = np.zeros((round(pose.image_wh[1] * small) + 2, round(pose.image_wh[0] * small) + 2), np.uint8)
    free[1:-1, 1:-1] = 255
    cv2.fillConvexPoly(free, np.round(corners * small).astype(np.int32) + 1, 0)
    around = settings.second_room * float(np.sqrt(cv2.contourArea(corners.astype(np.float32)))) * small
    middles = np.argwhere(cv2.distanceTransform(free, cv2.DIST_L2, 3) >= around)
    if not len(middles):
        return False
    # A board like this one shows its lines there.
    needed_px = settings.second_cell_px * max(pose.image_wh) / float(np.median(pose.cell_sizes_px()))
    view = views.at(round(float(np.clip(needed_px, settings.search_px, settings.fine_search_px))))
    outline = np.round(corners * view.factor).astype(np.int32)
    # Another board of that size has its middle there; the lines around it are enough to find it by.
    (top, left), (bottom, right) = (ends * (view.factor / small) for ends in (middles.min(axis=0) - around, middles.max(axis=0) + around))
    box = max(0, round(left)), max(0, round(top)), round(right), round(bottom)
    rest = view.image_bgr.copy()
    cv2.fillConvexPoly(rest, outline, [float(level) for level in np.median(rest[::8, ::8].reshape(-1, 3), axis=0)])
    return board_within(rest, box, sizes, settings, views.at(WHOLE).pose_in(pose, view))


ROOM_PX = 160
"""Longer side of the small picture in which the room beside a board is measured."""


def _search(views: Views, sizes: tuple[int, ...], settings: LocateSettings) -> Candidate | None:
    """The best board seen, first in a small picture, then in larger ones; its pose is that in the whole picture."""
    whole, at = views.at(WHOLE), views.at(settings.quick_px)
    best = quick_look(views, sizes, settings)
    for search_px in (settings.search_px, settings.fine_search_px) if best is None else ():
        view = views.at(search_px)
        found = search_candidates(view, views, sizes, replace(settings, thorough=settings.thorough and search_px == settings.search_px))
        if found and (best is None or found[0].quality > best.quality):
            best, at = found[0], view
        if (best and settings.is_board(best)) or view is whole:
            break
    return best and replace(best, pose=at.pose_in(best.pose, whole))


WIDEST_RIM_CELLS = 1.3
"""Rim of the widest boards with the wall below it: what of a board is left unpainted may lead to a grid that hangs on it."""

WHOLE = 1 << 20
"""A longer side that no picture has."""


def _accept(best: Candidate | None, views: Views, settings: LocateSettings) -> GridPose:
    whole = views.at(WHOLE)
    # Where a side lies outside the picture its border cannot be seen: lines alone tell that this is a board.
    beyond = _beyond_cells(best.pose) if best is not None and settings.is_board(replace(best, doubt=np.nan, margin=1.0)) else 0.0
    if best is not None and beyond > settings.outside_cells and not _is_whole_elsewhere(best, views, settings):
        raise BoardNotFoundError(
            f"the board reaches {beyond:.1f} cells beyond the picture's edge: move the camera back until all four corners are seen"
        )
    if best is None or not settings.is_board(best):
        view = views.at(settings.search_px)
        raise BoardNotFoundError(why_not(best and replace(best, pose=whole.pose_in(best.pose, view)), view, settings))
    return best.pose


def _is_whole_elsewhere(best: Candidate, views: Views, settings: LocateSettings) -> bool:
    """Whether what seems cut off is the board of another game, which ends within the picture."""
    view = views.at(settings.search_px)
    found = replace(best, pose=views.at(WHOLE).pose_in(best.pose, view))
    seen = lattice_seen(view.gray, found)
    return seen.is_whole and is_of_another_game(seen, found, settings)


def _beyond_cells(pose: GridPose) -> float:
    """How far the farthest corner of a grid lies outside the picture, in cells; negative inside."""
    width, height = pose.image_wh
    outside_px = np.max(np.maximum(-pose.corners_px, pose.corners_px - (width - 1, height - 1)))
    return float(outside_px / np.median(pose.cell_sizes_px()))
