"""Straight line segments of a picture, and the vanishing points that many of them share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Segments:
    """Line segments in one picture.

    Attributes:
        ends_px: (N, 2, 2) image points of both ends.
    """

    ends_px: FloatArray

    def __len__(self) -> int:
        """How many segments there are."""
        return len(self.ends_px)

    @property
    def length_px(self) -> FloatArray:
        """(N,) lengths in px."""
        return np.asarray(np.linalg.norm(self.ends_px[:, 1] - self.ends_px[:, 0], axis=1))

    def pick(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> Segments:
        """The segments selected by a mask or by indices."""
        return Segments(self.ends_px[which])


def detect_segments(gray: NDArray[np.uint8], shortest_px: float) -> Segments:
    """Segments found by OpenCV's LSD (von Gioi et al. 2012), no shorter than ``shortest_px``.

    Args:
        gray: (h, w) uint8.
        shortest_px: the least length in px.
    """
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_NONE).detect(gray)[0]
    # None, not an empty array, when there are none; the type stubs do not say so.
    ends = np.zeros((0, 2, 2)) if np.ndim(found) < 2 else np.asarray(found, np.float64).reshape(-1, 2, 2)
    segments = Segments(ends)
    return segments.pick(segments.length_px >= shortest_px)


def detect_within(gray: NDArray[np.uint8], box: tuple[int, int, int, int], shortest_px: float) -> Segments:
    """`detect_segments` in a part of the picture only: left, top, right and bottom in px."""
    left, top, right, bottom = box
    found = detect_segments(np.ascontiguousarray(gray[top:bottom, left:right]), shortest_px)
    return Segments(found.ends_px + np.array([left, top]))


def undistort(segments: Segments, focal_px: float, center_xy: tuple[float, float], k1: float) -> Segments:
    """The segments as a camera without the radial term ``k1`` would show them (same focal length)."""
    if k1 == 0 or not len(segments):
        return segments
    matrix = np.array([[focal_px, 0, center_xy[0]], [0, focal_px, center_xy[1]], [0, 0, 1.0]])
    flat = segments.ends_px.reshape(-1, 1, 2)
    straight = cv2.undistortPoints(flat, matrix, np.array([k1, 0, 0, 0.0]), P=matrix)
    return Segments(np.asarray(straight, np.float64).reshape(-1, 2, 2))


def vanishing_points(
    segments: Segments, image_wh: tuple[int, int], rng: np.random.Generator, count: int = 5, tolerance_deg: float = 1.5
) -> Iterator[FloatArray]:
    """Points towards which many segments run, strongest first.

    RANSAC over pairs of long segments; a segment supports a point when its direction and that from its middle to the point
    differ by less than ``tolerance_deg``; the support is its length. Segments of a found point are left out of the next search.

    Args:
        segments: of one picture without lens distortion.
        image_wh: its size in px.
        rng: source of the sampling.
        count: how many points at the most.
        tolerance_deg: half width of the agreement in degrees: LSD directions of 15 px segments scatter by about 1 degree.

    Yields:
        up to ``count`` homogeneous (3,) points with the picture's middle as origin and its longer side as unit.
    """
    unit = float(max(image_wh))
    middle = (np.array(image_wh, float) - 1) / 2
    ends = (segments.ends_px - middle) / unit
    length = segments.length_px / unit
    lines = _lines(ends)
    free = np.ones(len(segments), bool)
    for _ in range(count):
        if free.sum() < 8:
            return
        best = _best_point(ends[free], lines[free], length[free], rng, tolerance_deg)
        if best is None:
            return
        for _ in range(2):
            best = _refine_point(best, ends, lines, length, tolerance_deg)
        yield best
        free &= ~agrees(best, ends, tolerance_deg * 1.3)


def _lines(ends: FloatArray) -> FloatArray:
    """(N, 3) unit-normal homogeneous lines through the ends."""
    (ax, ay), (bx, by) = ends[:, 0].T, ends[:, 1].T
    lines = np.column_stack([ay - by, bx - ax, ax * by - ay * bx])
    return np.asarray(lines / np.hypot(lines[:, 0], lines[:, 1])[:, None])


def _towards(points: NDArray[Any], ends: NDArray[Any], tolerance_deg: float) -> NDArray[np.bool_]:
    """(P, N) whether the angle between each segment and the direction from its middle to each homogeneous point is small."""
    (x, y), (dx, dy) = (ends[:, 0] + ends[:, 1]).T / 2, (ends[:, 1] - ends[:, 0]).T
    # Sine and cosine of the angle, times the segment's length and the distance to the point.
    across = points @ np.stack([dy, -dx, y * dx - x * dy])
    forward = points @ np.stack([dx, dy, -x * dx - y * dy])
    return np.asarray(np.abs(across) < np.tan(np.radians(tolerance_deg)) * np.abs(forward))


def agrees(point: FloatArray, ends: FloatArray, tolerance_deg: float) -> NDArray[np.bool_]:
    """(N,) which segments (in the units of `vanishing_points`) run towards the point."""
    return np.asarray(_towards(point[None], ends, tolerance_deg)[0])


TRIED = 150
"""Pairs of segments tried for a vanishing point: where a fifth of the length runs to it, six of them do."""

JUDGES = 150
"""Longest segments by which the pairs are judged; all of them take part when the best is refined."""


def _best_point(
    ends: FloatArray, lines: FloatArray, length: FloatArray, rng: np.random.Generator, tolerance_deg: float
) -> FloatArray | None:
    long = np.argsort(-length)[:JUDGES]
    drawn = long[:160]
    weight = length[drawn] / length[drawn].sum()
    first, second = (rng.choice(len(drawn), TRIED, p=weight) for _ in range(2))
    one, two = lines[drawn[first]], lines[drawn[second]]
    points = np.cross(one, two)
    angle = np.abs((one[:, :2] * two[:, :2]).sum(axis=1))
    size = np.linalg.norm(points, axis=1)
    distance = np.hypot(points[:, 0], points[:, 1]) / np.maximum(np.abs(points[:, 2]), 1e-9)
    # At 65 degrees of tilt the nearest vanishing point of a board lies 0.37 of the picture's width from its middle.
    good = (first != second) & (size > 1e-9) & (distance > 0.3) & (angle > np.cos(np.radians(40)))
    if not good.any():
        return None
    points = points[good] / size[good, None]
    near = _towards(points.astype(np.float32), ends[long].astype(np.float32), tolerance_deg)
    return np.asarray(points[int((near @ length[long].astype(np.float32)).argmax())])


def _refine_point(point: FloatArray, ends: FloatArray, lines: FloatArray, length: FloatArray, tolerance_deg: float) -> FloatArray:
    near = agrees(point, ends, tolerance_deg)
    if near.sum() < 3:
        return point
    weighted = lines[near] * length[near, None]
    refined = np.linalg.eigh(weighted.T @ weighted)[1][:, 0]  # eigenvalues ascend
    return np.asarray(refined if refined @ point >= 0 else -refined)
