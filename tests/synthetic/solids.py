"""Things that stand on the table: boxes, phones, books, mugs, pens, dice; painted over a finished picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.pose import FloatArray, GridPose

from .arrays import F32, U8, Bgr, blur, from_hsv, resized
from .light import Light

SHIFT = 4
"""Fractional bits of polygon corners."""


@dataclass(frozen=True)
class Solid:
    """A box or cylinder: middle of its foot (col, row), lengths in cells, turn in radians, foot's height."""

    name: str
    at: tuple[float, float]
    size: tuple[float, float, float]
    turn: float
    foot: float
    color: Bgr
    second: Bgr
    round: bool = False

    @property
    def reach(self) -> float:
        """Radius of its foot in cells."""
        return float(np.hypot(self.size[0], self.size[1])) / 2


class Canvas:
    """A linear picture being painted over, with the mask of what was painted."""

    def __init__(self, picture: F32, pose: GridPose, light: Light) -> None:
        """Paint on `picture` itself."""
        self.picture, self.pose, self.light = picture, pose, light
        self.mask: U8 = np.zeros(picture.shape[:2], np.uint8)

    def outline(self, corners: FloatArray) -> FloatArray:
        """(m, 2) px of a closed polygon of (n, 3) board points, its sides subdivided for the lens."""
        t = np.linspace(0, 1, 7)[:-1, None]
        dense = np.concatenate([a + (b - a) * t for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)])
        return self.pose.project(dense[:, :2], dense[:, 2])

    def fill(self, outline_px: FloatArray, color: F32) -> None:
        """Fill a polygon with one colour, antialiased."""
        x0, y0 = np.clip(np.floor(outline_px.min(0)).astype(int) - 2, 0, None)
        x1, y1 = np.ceil(outline_px.max(0)).astype(int) + 3
        x1, y1 = min(x1, self.mask.shape[1]), min(y1, self.mask.shape[0])
        if x1 <= x0 or y1 <= y0:
            return
        part = np.zeros((y1 - y0, x1 - x0), np.uint8)
        points = np.round((outline_px - [x0, y0]) * 2**SHIFT).astype(np.int32)
        cv2.fillPoly(part, [points], 255, cv2.LINE_AA, SHIFT)
        share = (part.astype(np.float32) / 255)[..., None]
        spot = self.picture[y0:y1, x0:x1]
        spot += (color - spot) * share
        np.maximum(self.mask[y0:y1, x0:x1], part, out=self.mask[y0:y1, x0:x1])

    def lit(self, color: Bgr | F32, normal: FloatArray, at: FloatArray) -> F32:
        """(3,) colour of a matt face with a normal at a place, by the room's light."""
        where = (np.array([[at[0]]], np.float32), np.array([[at[1]]], np.float32))
        spread = float(self.light.field(*where, self.pose.size)[0, 0])
        total = self.light.ambient * (0.55 + 0.45 * max(0.0, float(normal[2]))) * spread
        for lamp in self.light.lamps:
            to = lamp.at - at
            total = total + lamp.diffuse * max(0.0, float(normal @ to / np.linalg.norm(to)))
        if self.light.sun is not None:
            total = total + self.light.sun.color * (float(self.light.sun.mask(*where)[0, 0]) * max(0.0, float(normal @ self.light.sun.to)))
        return np.asarray(np.array(color, np.float32) * total, np.float32)


def foot_points(solid: Solid, height: float, count: int = 40) -> FloatArray:
    """(n, 3) outline of the solid at a height."""
    if solid.round:
        a = np.linspace(0, 2 * np.pi, count, endpoint=False)
        flat = np.column_stack([np.cos(a), np.sin(a)]) * solid.size[0] / 2
    else:
        flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(solid.size[:2]) / 2
    c, s = np.cos(solid.turn), np.sin(solid.turn)
    flat = flat @ np.array([[c, s], [-s, c]]) + solid.at
    return np.column_stack([flat, np.full(len(flat), height)])


def shadow(canvas: Canvas, points: FloatArray, floor: float, strength: float, soft_px: float) -> None:
    """Darken the floor where the hull of points, thrown along the main light, falls."""
    to = canvas.light.main_direction(canvas.pose.size)
    drop = (points[:, 2] - floor) / max(float(to[2]), 0.35)
    flat = points[:, :2] - to[:2] * drop[:, None]
    px = canvas.pose.project(flat, floor)
    hull = cv2.convexHull(np.clip(px, -4000, 8000).astype(np.float32)).reshape(-1, 2)
    h, w = canvas.mask.shape
    small = np.zeros((h // 4, w // 4), np.uint8)
    cv2.fillPoly(small, [(hull / 4).round().astype(np.int32)], 255, cv2.LINE_AA)
    dark = resized(blur(small / np.float32(255), max(0.4, soft_px / 4)), (w, h))
    canvas.picture *= (1 - np.float32(strength) * dark)[..., None]


def paint_solid(canvas: Canvas, solid: Solid) -> None:
    """Paint a solid with its shadow on the table."""
    low, high = solid.foot, solid.foot + solid.size[2]
    foot, lid = foot_points(solid, low), foot_points(solid, high)
    shadow(canvas, np.concatenate([foot, lid]), low, 0.45, canvas.mask.shape[1] / 160)
    eye = canvas.pose.camera_position
    middle = np.array([*solid.at, low])
    for i in range(len(foot)):
        j = (i + 1) % len(foot)
        side = np.array([foot[i], foot[j], lid[j], lid[i]])
        out = np.append((foot[i, :2] + foot[j, :2]) / 2 - middle[:2], 0.0)
        along = np.append(foot[j, :2] - foot[i, :2], 0.0)
        normal = np.array([along[1], -along[0], 0.0]) / max(float(np.linalg.norm(along)), 1e-9)
        normal = normal if normal @ out > 0 else -normal
        if normal @ (eye - side.mean(0)) > 0:
            canvas.fill(canvas.outline(side), canvas.lit(solid.color, normal, side.mean(0)))
    up = np.array([0.0, 0.0, 1.0])
    canvas.fill(canvas.outline(lid), canvas.lit(solid.color, up, lid.mean(0)))
    decorate(canvas, solid, high)


def decorate(canvas: Canvas, solid: Solid, high: float) -> None:
    """The top of the solid: a phone's glass, a book's print, a mug's drink."""
    up = np.array([0.0, 0.0, 1.0])
    w, d, _ = solid.size

    def patch(x0: float, y0: float, x1: float, y1: float, color: F32) -> None:
        flat = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]) - 0.5
        c, s = np.cos(solid.turn), np.sin(solid.turn)
        at = (flat * [w, d]) @ np.array([[c, s], [-s, c]]) + solid.at
        canvas.fill(canvas.outline(np.column_stack([at, np.full(4, high)])), color)

    second = canvas.lit(solid.second, up, np.array([*solid.at, high]))
    if solid.name == "phone":
        patch(0.04, 0.02, 0.96, 0.98, second * 0.2 + canvas.light.room * 0.08)
    elif solid.name in ("book", "gamebox"):
        for k in range(5):
            patch(0.1 + 0.02 * k, 0.1 + 0.16 * k, 0.9 - 0.1 * (k % 3), 0.1 + 0.16 * k + 0.08, second * np.float32(0.5 + 0.2 * (k % 3)))
    elif solid.name == "notepad":
        for k in range(14):
            patch(0.05, 0.06 + k / 15.5, 0.95, 0.068 + k / 15.5, second * 0.6)
    elif solid.name == "mug":
        for share, color in ((0.86, canvas.lit(solid.color, up, np.array([*solid.at, high])) * 0.5), (0.8, second)):
            ring = foot_points(solid, high - (0.4 if share == 0.8 else 0.0))
            ring[:, :2] = (ring[:, :2] - solid.at) * share + solid.at
            canvas.fill(canvas.outline(ring), color)


def random_solid(rng: np.random.Generator, floor: float) -> Solid:
    """A household thing without a place yet."""
    name = str(rng.choice(["phone", "book", "gamebox", "notepad", "mug", "glass", "bowl", "coin", "remote"]))
    size = {
        "phone": (3.7, 7.6, 0.4),
        "book": (rng.uniform(6, 9), rng.uniform(9, 12), rng.uniform(0.4, 1.5)),
        "gamebox": (rng.uniform(11, 14), rng.uniform(11, 14), rng.uniform(2, 3.5)),
        "notepad": (5.2, 7.4, 0.3),
        "mug": (4.0, 4.0, 4.5),
        "glass": (3.5, 3.5, 5.5),
        "bowl": (7.0, 7.0, 2.5),
        "coin": (1.2, 1.2, 0.1),
        "remote": (2.2, 8.0, 0.8),
    }[name]
    color = from_hsv(rng.uniform(0, 180), rng.uniform(0, 0.8), rng.uniform(0.15, 0.95))
    second = from_hsv(rng.uniform(0, 180), rng.uniform(0, 0.9), rng.uniform(0.1, 0.95))
    if name in ("phone", "remote"):
        color = from_hsv(110, 0.1, rng.uniform(0.05, 0.2))
    if name == "mug":
        second = from_hsv(12, 0.8, 0.2)
    if name == "notepad":
        color, second = from_hsv(25, 0.1, 0.93), from_hsv(110, 0.3, 0.7)
    return Solid(
        name,
        (0.0, 0.0),
        (float(size[0]), float(size[1]), float(size[2])),
        float(rng.uniform(0, np.pi)),
        floor,
        color,
        second,
        name in ("mug", "glass", "bowl", "coin"),
    )
