"""Cameras over the board, and the maps that take each pixel of a picture to the table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose

from .arrays import F32

FAR = np.float32(3e4)
"""Where pixels that see no ground are sent: outside every texture."""


@dataclass(frozen=True)
class View:
    """What is asked of a camera: angles in degrees, distortion, how much of the picture the board fills."""

    tilt_deg: float
    azimuth_deg: float
    roll_deg: float
    hfov_deg: float
    k1: float
    fill: float
    shift: tuple[float, float] = (0.0, 0.0)


def axes(view: View) -> NDArray[np.float64]:
    """(3, 3) rotation, board (col, row, down) to camera (right, down, forward)."""
    tilt, azimuth, roll = np.radians([view.tilt_deg, view.azimuth_deg, view.roll_deg])
    forward = np.array([-np.sin(tilt) * np.cos(azimuth), -np.sin(tilt) * np.sin(azimuth), np.cos(tilt)])
    right = np.array([np.sin(azimuth), -np.cos(azimuth), 0.0])
    down = np.cross(forward, right)
    return np.array([np.cos(roll) * right + np.sin(roll) * down, np.cos(roll) * down - np.sin(roll) * right, forward])


def look(view: View, size: int, image_wh: tuple[int, int], rim_cells: float) -> GridPose:
    """The pose whose board, rim included, fills `view.fill` of the free room of the picture.

    `view.shift` places the board in the room left over, -1 to 1 from one border to the other.
    """
    width, height = image_wh
    focal = max(image_wh) / 2 / np.tan(np.radians(view.hfov_deg / 2))
    rotation = axes(view)
    rvec = cv2.Rodrigues(rotation)[0].reshape(3).astype(np.float64)
    target, distance = np.array([size / 2, size / 2, 0.0]), 2.0 * size
    pose = GridPose(size, image_wh, float(focal), ((width - 1) / 2, (height - 1) / 2), view.k1, rvec, np.zeros(3))
    low, high = -rim_cells, size + rim_cells
    outer = np.array([[low, low], [high, low], [high, high], [low, high]])
    for _ in range(40):
        pose = replace(pose, tvec=-rotation @ (target - rotation[2] * distance))
        at = pose.project(outer)
        span = at.max(0) - at.min(0)
        distance *= float(np.clip(max(span / np.array(image_wh)) / view.fill, 0.8, 1.25))
        room = (np.array(image_wh) - span) / 2 * np.array(view.shift)
        off = (at.max(0) + at.min(0)) / 2 - (np.array(pose.center_xy) + room)
        here = np.array(pose.center_xy)
        step = pose.unproject(here + np.clip(off, -80, 80)) - pose.unproject(here)
        target[:2] += np.clip(step, -3, 3)
    return replace(pose, tvec=-rotation @ (target - rotation[2] * distance))


@lru_cache(maxsize=64)
def unbending(k1: float, far: float) -> tuple[float, ...]:
    """Polynomial in the squared distorted radius that gives the ratio of true to distorted radius, up to `far`."""
    free = np.linspace(0, 2.5 * far, 1500)
    bent = free * (1 + k1 * free**2)
    rising = np.minimum.accumulate(np.r_[True, np.diff(bent) > 0])
    bent, free = bent[rising], free[rising]
    keep = bent <= far
    ratio = np.where(bent[keep] > 0, free[keep] / np.maximum(bent[keep], 1e-9), 1)
    return tuple(float(v) for v in np.polynomial.polynomial.polyfit(bent[keep] ** 2, ratio, 7 if k1 else 0))


def rays(pose: GridPose, supersample: float, rows: slice = slice(None)) -> tuple[F32, F32]:
    """Undistorted ray slopes ``(x, y)`` of pixels of the picture enlarged by `supersample`, each (h, w) of its `rows`."""
    width, height = (round(s * supersample) for s in pose.image_wh)
    cx, cy = pose.center_xy
    x = ((np.arange(width, dtype=np.float32) + 0.5) * (pose.image_wh[0] / width) - 0.5 - cx) / pose.focal_px
    y = ((np.arange(height, dtype=np.float32) + 0.5) * (pose.image_wh[1] / height) - 0.5 - cy) / pose.focal_px
    corner = float(np.hypot(cx + 1, cy + 1)) / pose.focal_px  # of the plain and the enlarged picture alike
    terms = unbending(pose.k1, round(corner * 1.01, 3))
    y = y[rows]
    r2 = (x * x)[None] + (y * y)[:, None]
    scale = np.full_like(r2, terms[-1])
    for term in terms[-2::-1]:
        scale *= r2
        scale += np.float32(term)
    return x[None] * scale, y[:, None] * scale


def ground(pose: GridPose, supersample: float, rows: slice = slice(None)) -> tuple[F32, F32]:
    """Board points ``(col, row)`` at height 0 that each pixel's ray meets, each (h, w); `FAR` where it meets none."""
    x, y = rays(pose, supersample, rows)
    rot = pose.rotation
    back = np.linalg.inv(np.column_stack([rot[:, 0], rot[:, 1], pose.tvec]))
    back = -back if pose.tvec @ rot[:, 2] < 0 else back
    (a, b, c), (d, e, f), (g, h, i) = back.tolist()
    depth = x * g + y * h + i
    lost = depth < 1e-5
    inverse = 1 / np.maximum(depth, 1e-5)
    col, row = (x * a + y * b + c) * inverse, (x * d + y * e + f) * inverse
    lost |= (np.abs(col) > 2000) | (np.abs(row) > 2000)
    col[lost], row[lost] = FAR, FAR
    return col, row
