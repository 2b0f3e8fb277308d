"""Holding the grid: where has the board gone since the last judged picture?

Points spread over the board are followed from the last judged picture (optical flow); the board is rigid, so most of
them agree on one small motion whatever hands and new pieces do to the rest. A board that has not moved keeps its pose
to the last bit, so that nothing jitters; one that cannot be followed must be searched for again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose, PoseError
from vision.glance import CELL_PX, Difference, FloatArray

Float32Array = NDArray[np.float32]
GrayImage = NDArray[np.uint8]


@dataclass(frozen=True)
class TrackSettings:
    """Numbers of the following.

    Attributes:
        width_px: pictures are halved down to about this width: enough for a tenth of a cell.
        spacing_cells: distance of the points followed.
        margin_cells: how far outside the grid they begin: the rim belongs to the board.
        window_px: side of the patch that is compared; less than a cell would see one line only.
        levels: times that patches are halved for larger motions; a quarter of a cell is to be found, not a whole one.
        light_px: side of the square over which the light is levelled out: lamps and shadows must not look like motion.
        dark_level: grey level added to the light, so that noise in the dark is not blown up.
        agree_px: distance within which points agree on the motion (px of the reduced picture).
        still_px: motion of the median point that counts as none (px of the reduced picture).
        least_share: share of the points that must agree.
        changed_level: difference (percent of the level) of a pixel of a glance from which it tells of something that came or went.
        most_changed: share of such pixels up to which a glance alone can tell that the board did not move.
        every: pixels from one to the next that is asked, along both axes: a quarter of them tells as much.
        still_cells: motion of any corner up to which it did not.
    """

    width_px: int = 640
    spacing_cells: float = 1.7
    margin_cells: float = 0.5
    window_px: int = 21
    levels: int = 3
    light_px: int = 41
    dark_level: float = 6.0
    agree_px: float = 1.5
    still_px: float = 0.3
    least_share: float = 0.4
    changed_level: float = 14.0
    most_changed: float = 0.05
    every: int = 2
    still_cells: float = 0.015


@dataclass(frozen=True)
class Anchor:
    """A judged picture from which the board is followed.

    Attributes:
        pose: the grid in the full picture.
        gray: (h, w) uint8 reduced picture.
        factor: its size in units of the full one's.
        points: (n, 2) float32 points followed, in the reduced picture.
    """

    pose: GridPose
    gray: GrayImage
    factor: float
    points: Float32Array


@dataclass(frozen=True)
class Tracked:
    """Where the board is now.

    Attributes:
        pose: the grid in the new picture; the anchor's own when nothing moved.
        moved: whether it moved.
        moved_cells: motion of the median point in cells.
        share: share of the points that agree; pieces placed since and hands take it down.
    """

    pose: GridPose
    moved: bool
    moved_cells: float
    share: float


def anchor(image_bgr: NDArray[np.uint8], pose: GridPose, settings: TrackSettings | None = None) -> Anchor:
    """What is needed to follow the board from this picture on."""
    s = settings or TrackSettings()
    gray, factor = _reduced(image_bgr, s)
    at = np.arange(-s.margin_cells, pose.size + s.margin_cells + 1e-6, s.spacing_cells)
    points = (pose.project(np.stack(np.meshgrid(at, at), -1).reshape(-1, 2)) + 0.5) * factor - 0.5
    height, width = gray.shape
    inside = ((points > 2) & (points < (width - 3, height - 3))).all(1)
    return Anchor(pose, gray, factor, points[inside].astype(np.float32))


def resized(origin: Anchor, image_wh: tuple[int, int], settings: TrackSettings | None = None) -> Anchor | None:
    """The anchor as it is in pictures sent larger or smaller; None when those show something else than the same at another size.

    Args:
        origin: the anchor.
        image_wh: width and height of the new pictures in px.
        settings: how points are followed.
    """
    s = settings or TrackSettings()
    width, height = origin.pose.image_wh
    factor = image_wh[0] / width
    if abs(height * factor - image_wh[1]) > 1.0:
        return None
    halvings = 0
    while image_wh[0] >> halvings >= 2 * s.width_px:
        halvings += 1
    wh = (image_wh[0] >> halvings, image_wh[1] >> halvings)
    gray = np.asarray(cv2.resize(origin.gray, wh, interpolation=cv2.INTER_AREA), np.uint8)
    points = (origin.points + 0.5) * np.float32(wh[0] / origin.gray.shape[1]) - 0.5
    pose = replace(origin.pose.scaled(factor), image_wh=image_wh)
    return Anchor(pose, gray, 0.5**halvings, np.asarray(points, np.float32))


def track(origin: Anchor, image_bgr: NDArray[np.uint8], settings: TrackSettings | None = None) -> Tracked | None:
    """Follows the board into a new picture of the same camera; None when too few points agree.

    What it does not check: a motion by a whole cell may look like another one; compare the board's looks afterwards.
    """
    s = settings or TrackSettings()
    gray, factor = _reduced(image_bgr, s)
    if gray.shape != origin.gray.shape or len(origin.points) < 12:
        return None
    there, found, _ = cv2.calcOpticalFlowPyrLK(
        origin.gray, gray, origin.points, origin.points.copy(), winSize=(s.window_px, s.window_px), maxLevel=s.levels
    )
    good = found.ravel() > 0
    if good.sum() < 12:
        return None
    start, end = origin.points[good], np.asarray(there, np.float32)[good]
    motion, agreeing = cv2.findHomography(start, end, cv2.RANSAC, s.agree_px)
    if not np.size(motion) or agreeing.sum() < s.least_share * len(origin.points):
        return None
    picked = agreeing.ravel() > 0
    shift_px = float(np.median(np.linalg.norm(end[picked] - start[picked], axis=1)))
    share = float(picked.sum()) / len(origin.points)
    cells = shift_px / factor / float(np.median(origin.pose.cell_sizes_px()))
    if shift_px < s.still_px:
        return Tracked(origin.pose, False, cells, share)
    pose = _moved(origin.pose, np.asarray(motion, np.float64), factor)
    return None if pose is None else Tracked(pose, True, cells, share)


def stands_still(difference: Difference, now: FloatArray, settings: TrackSettings | None = None) -> bool:
    """Whether the board is surely where it is held, by two glances alone: much cheaper than following points.

    One step of least squares (Lucas and Kanade, 1981) over pixels that look alike, for a motion that changes evenly across the board.

    Args:
        difference: of the glance from that of the last look that was understood.
        now: (m, m, 3) the glance.
        settings: how still is still.

    What it does not check: motions of half a cell and more, which may look like none; they change more than it lets pass.
    """
    s = settings or TrackSettings()
    every = (slice(None, None, s.every), slice(None, None, s.every))
    alike = difference.off[every] < s.changed_level
    if alike.mean() < 1 - s.most_changed:
        return False
    mean = np.full((1, 3), 1 / 3)
    before, after = (cv2.transform(x, mean) for x in (difference.lit, now))
    slope = [cv2.Sobel(before, cv2.CV_32F, 1 - axis, axis, ksize=3, scale=1 / 8)[every][alike] for axis in (0, 1)]
    at = np.linspace(-1, 1, len(alike), dtype=np.float32)
    x, y = (part[alike] for part in np.meshgrid(at, at))
    terms = np.stack([part * place for part in slope for place in (np.float32(1), x, y)])
    motion = np.linalg.lstsq(terms @ terms.T, terms @ (before - after)[every][alike], rcond=None)[0].reshape(2, 3)
    return float(np.hypot(*np.abs(motion).sum(1))) <= s.still_cells * CELL_PX


def _moved(pose: GridPose, motion: NDArray[np.float64], factor: float) -> GridPose | None:
    """The pose whose corners went where the motion (a homography of the reduced picture) takes them."""
    corners = (pose.corners_px + 0.5) * factor - 0.5
    there = np.asarray(cv2.perspectiveTransform(corners.reshape(-1, 1, 2), motion), np.float64).reshape(4, 2)
    try:
        moved = GridPose.from_corners((there + 0.5) / factor - 0.5, pose.image_wh, pose.size, pose.k1, pose.focal_px)
    except PoseError:
        return None
    return replace(moved, residual_cells=pose.residual_cells)


def _reduced(image_bgr: NDArray[np.uint8], s: TrackSettings) -> tuple[GrayImage, float]:
    """(h, w) grey picture halved down to about ``width_px`` and levelled, and its size in units of the full one's."""
    small, factor = image_bgr, 1.0
    while small.shape[1] >= 2 * s.width_px:
        half = (small.shape[1] // 2, small.shape[0] // 2)
        small, factor = np.asarray(cv2.resize(small, half, interpolation=cv2.INTER_AREA), np.uint8), factor / 2
    gray = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
    light = cv2.blur(gray, (s.light_px, s.light_px)) + np.float32(s.dark_level)
    return np.asarray(np.minimum(gray * (110 / light), 255), np.uint8), factor
