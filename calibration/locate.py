"""Finding the board in a photograph by itself."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from calibration.pose import GridPose
from calibration.search import DEFAULT_LOCATE, Candidate, Image, LocateSettings, search_candidates


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
    longer = max(image_bgr.shape[:2])
    if min(image_bgr.shape[:2]) < 150:
        raise BoardNotFoundError(
            f"the picture of {image_bgr.shape[1]}x{image_bgr.shape[0]} px is too small: a cell needs about 12 px, use at least 640x480"
        )
    # On a large board a small one could be imagined, so that both are looked for; the other way round there is no room.
    sizes = (20,) if size == 20 else (20, 14)
    best: Candidate | None = None
    for search_px in (settings.search_px, settings.fine_search_px):
        factor = min(1.0, search_px / longer)
        small = cv2.resize(image_bgr, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA) if factor < 1 else image_bgr
        found = search_candidates(np.asarray(small, np.uint8), sizes, settings)
        if found and (best is None or found[0].quality > best.quality):
            best = replace(found[0], pose=_full_size(found[0].pose, factor, image_bgr))
        if best and settings.is_board(best):
            break
        if longer <= settings.search_px:
            break
    pose = upright(_accept(best, image_bgr, settings))
    if size and pose.size != size:
        raise BoardNotFoundError(
            f"the board in the picture has {pose.size} x {pose.size} squares, not {size} x {size}: choose the variant played on it"
        )
    if alone and _second_board(image_bgr, pose, sizes, settings):
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


def _second_board(image_bgr: Image, pose: GridPose, sizes: tuple[int, ...], settings: LocateSettings) -> bool:
    """Whether another board lies beside, above or below this one.

    Each part of the picture that could hold a board of this size is searched as a picture of its own.
    """
    rim, n = 0.8, float(pose.size)
    outline = pose.project(np.array([[-rim, -rim], [n + rim, -rim], [n + rim, n + rim], [-rim, n + rim]]))
    height, width = image_bgr.shape[:2]
    left, top = np.clip(outline.min(axis=0), 0, (width, height)).astype(int)
    right, bottom = np.clip(outline.max(axis=0), 0, (width, height)).astype(int)
    least = 0.6 * min(right - left, bottom - top)
    quick = replace(settings, lattices=3, thorough=False)
    for part in (image_bgr[:, :left], image_bgr[:, right:], image_bgr[:top], image_bgr[bottom:]):
        if min(part.shape[:2]) < max(least, 150):
            continue
        factor = min(1.0, settings.search_px / max(part.shape[:2]))
        small = np.asarray(cv2.resize(part, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
        others = search_candidates(small, sizes, quick)
        if others and settings.is_board(others[0]):
            return True
    return False


def _full_size(pose: GridPose, factor: float, image_bgr: Image) -> GridPose:
    return replace(pose.scaled(1 / factor), image_wh=(image_bgr.shape[1], image_bgr.shape[0])) if factor < 1 else pose


def _accept(best: Candidate | None, image_bgr: Image, settings: LocateSettings) -> GridPose:
    if best is None or not settings.is_board(best):
        raise BoardNotFoundError(_reason(best, image_bgr, settings))
    height, width = image_bgr.shape[:2]
    cell = float(np.median(best.pose.cell_sizes_px()))
    beyond = np.max(np.maximum(-best.pose.corners_px, best.pose.corners_px - (width - 1, height - 1))) / cell
    if beyond > settings.outside_cells:
        raise BoardNotFoundError(
            f"the board reaches {beyond:.1f} cells beyond the picture's edge: move the camera back until all four corners are seen"
        )
    return best.pose


def _reason(best: Candidate | None, image_bgr: Image, settings: LocateSettings) -> str:
    brightness = float(cv2.resize(image_bgr, (32, 32), interpolation=cv2.INTER_AREA).mean())
    if brightness < 25:
        return f"no board seen, the picture is very dark (mean level {brightness:.0f} of 255): add light"
    if brightness > 240:
        return f"no board seen, the picture is overexposed (mean level {brightness:.0f} of 255): less light or a shorter exposure"
    if best is not None and best.score >= settings.least_score:
        return (
            "lines like a board's were seen, but not where they end: show the whole board with its rim and nothing lying across its edges"
        )
    return (
        "no grid of evenly spaced lines was seen: point the camera at the board so that it fills a good part of the picture, "
        "sharp and well lit"
    )
