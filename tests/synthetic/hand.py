"""Hands over the board: skin spheres along a skeleton, a sleeve, the piece they carry and their shadow."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.pose import FloatArray

from .arrays import F32, U8, Bgr, blur, cloud, from_hsv, resized
from .shapes import Cells
from .solids import Canvas

SKINS = ((8, 0.32, 0.92), (9, 0.42, 0.82), (10, 0.5, 0.66), (9, 0.55, 0.48), (8, 0.55, 0.33))
"""Hue, saturation and value (sRGB) of skin from light to dark."""


@dataclass(frozen=True)
class Hand:
    """A hand whose finger tips are at a board point, its arm coming from a direction.

    Attributes:
        tip: (col, row, height) between thumb and first finger, in cells.
        from_angle: direction in radians from the tips to the elbow.
        open: 0 a grip, 1 a flat open hand.
        left: a left hand.
        skin, sleeve: linear BGR; `bare` is the length of the forearm without sleeve, in cells.
        carried: cells of a piece held at the tips, its colour and turn in radians.
    """

    tip: tuple[float, float, float]
    from_angle: float
    open: float
    left: bool
    skin: Bgr
    sleeve: Bgr
    bare: float
    carried: Cells = ()
    carried_color: Bgr = (0.0, 0.0, 0.0)
    carried_turn: float = 0.0


def random_person(rng: np.random.Generator) -> tuple[Bgr, Bgr, float, bool]:
    """Skin, sleeve, bare forearm and handedness of a player."""
    hue, saturation, value = SKINS[rng.integers(len(SKINS))]
    sleeve = from_hsv(rng.uniform(0, 180), rng.uniform(0, 0.9), rng.uniform(0.08, 0.9))
    return (
        from_hsv(hue + rng.uniform(-2, 2), saturation, value * rng.uniform(0.9, 1.05)),
        sleeve,
        float(rng.choice([0.5, 4.0, 30.0])),
        bool(rng.random() < 0.3),
    )


def chain(points: FloatArray, radii: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Spheres along a polyline, closer together than they are thick."""
    centers, sizes = [], []
    for a, b, ra, rb in zip(points[:-1], points[1:], radii[:-1], radii[1:], strict=True):
        n = max(2, int(np.linalg.norm(b - a) / (0.22 * max(ra, rb))))
        t = np.linspace(0, 1, n, endpoint=False)[:, None]
        centers.append(a + (b - a) * t)
        sizes.append((ra + (rb - ra) * t).ravel())
    return np.concatenate([*centers, points[-1:]]), np.concatenate([*sizes, radii[-1:]])


def skeleton(hand: Hand) -> list[tuple[FloatArray, FloatArray, bool]]:
    """Spheres (centres, radii in cells) of each part; the flag says sleeve. The arm lies along +x before turning."""
    o = hand.open
    parts = []
    wrist, palm = np.array([8.2, 0.6, 3.4 - 1.2 * o]), np.array([5.0, 0.3, 2.6 - 1.2 * o])
    for i, across in enumerate((-1.45, -0.5, 0.45, 1.35)):  # first finger to little finger
        knuckle = np.array([4.2 + 0.25 * i, across, 2.9 - 1.3 * o])
        length = (4.3, 4.6, 4.3, 3.5)[i]
        grip_tip = np.array([0.1 + 0.75 * i, -0.25 + 0.55 * i, 0.1 + 0.25 * i])
        flat_tip = np.array([4.2 - length + 0.3 * abs(i - 1), across * 1.5, 0.5])
        tip = grip_tip + (flat_tip - grip_tip) * o
        bend = (knuckle + tip) / 2 + np.array([0.0, 0.0, 1.1 - 0.8 * o])
        parts.append((*chain(np.array([wrist * 0.4 + palm * 0.6, knuckle, bend, tip]), np.array([0.75, 0.55, 0.45, 0.36])), False))
    thumb_tip = np.array([0.25, -0.75, 0.1]) * (1 - o) + np.array([2.6, -3.4, 0.5]) * o
    thumb = np.array([[6.3, -1.2, 2.6 - o], [3.4, -2.3, 2.0 - o], thumb_tip + np.array([1.3, -0.5, 0.6]), thumb_tip])
    parts.append((*chain(thumb, np.array([0.8, 0.6, 0.48, 0.4])), False))
    for across in (-0.9, 0.0, 0.9):
        bone = np.array([[4.6, across, 2.6 - 1.2 * o], [7.6, across * 0.7 + 0.3, 3.0 - 1.2 * o], wrist])
        centers, radii = chain(bone, np.array([0.8, 0.95, 1.0]))
        parts.append((centers, radii, False))
    elbow = np.array([26.0, 1.5, 5.5])
    cuff = wrist + (elbow - wrist) / np.linalg.norm(elbow - wrist) * hand.bare
    if hand.bare < 25:
        parts.append((*chain(np.array([wrist, cuff]), np.array([1.25, 1.45])), False))
        parts.append((*chain(np.array([cuff, elbow]), np.array([1.9, 2.6])), True))
    else:
        parts.append((*chain(np.array([wrist, elbow]), np.array([1.25, 2.1])), False))
    side = -1.0 if hand.left else 1.0
    c, s = np.cos(hand.from_angle), np.sin(hand.from_angle)
    out = []
    for middles, sizes, cloth in parts:
        x, y = middles[:, 0], middles[:, 1] * side
        turned = np.column_stack([x * c - y * s, x * s + y * c, middles[:, 2]])
        out.append((turned + np.array(hand.tip), sizes, cloth))
    return out


def paint_hand(canvas: Canvas, hand: Hand, rng: np.random.Generator) -> None:
    """Paint the hand, its shadow below it and the piece it carries."""
    parts = skeleton(hand)
    hand_shadow(canvas, parts)
    if hand.carried:
        paint_carried(canvas, hand)
    h, w = canvas.mask.shape
    nearest = np.full((h, w), np.inf, np.float32)
    normal = np.zeros((h, w, 3), np.float32)
    cloth = np.zeros((h, w), np.uint8)
    rot, shift = canvas.pose.rotation, canvas.pose.tvec
    for centers, radii, is_cloth in parts:
        depth = (np.column_stack([centers[:, :2], -centers[:, 2]]) @ rot.T + shift)[:, 2]
        px = canvas.pose.project(centers[:, :2], centers[:, 2])
        for (x, y), z, r in zip(px, depth, radii, strict=True):
            if z > 7:
                splat(nearest, normal, cloth, (float(x), float(y)), float(z), float(r), float(r * canvas.pose.focal_px / z), is_cloth)
    on = np.isfinite(nearest)
    if not on.any():
        return
    ys, xs = np.nonzero(on)
    box = np.s_[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    color = skin_colors(canvas, hand, normal[box] @ rot.astype(np.float32), cloth[box], rng)
    share = blur(on[box].astype(np.float32), 0.8)[..., None]
    spot = canvas.picture[box]
    spot += (color - spot) * share
    np.maximum(canvas.mask[box], (share[..., 0] * 255).astype(np.uint8), out=canvas.mask[box])


def splat(
    nearest: F32,
    normal: F32,
    cloth: U8,
    at: tuple[float, float],
    depth: float,
    radius: float,
    radius_px: float,
    is_cloth: bool,
) -> None:
    """Draw one sphere into the depth, normal (camera frame) and cloth buffers."""
    h, w = nearest.shape
    x0, x1 = max(0, int(at[0] - radius_px)), min(w, int(at[0] + radius_px) + 2)
    y0, y1 = max(0, int(at[1] - radius_px)), min(h, int(at[1] + radius_px) + 2)
    if x1 <= x0 or y1 <= y0:
        return
    nx = ((np.arange(x0, x1) - at[0]) / radius_px).astype(np.float32)[None]
    ny = ((np.arange(y0, y1) - at[1]) / radius_px).astype(np.float32)[:, None]
    square = nx * nx + ny * ny
    up = np.sqrt(np.maximum(1 - square, 0))
    z = np.float32(depth) - np.float32(radius) * up
    spot = np.s_[y0:y1, x0:x1]
    front = (square < 1) & (z < nearest[spot])
    nearest[spot][front] = z[front]
    normal[spot][front] = np.stack(np.broadcast_arrays(nx, ny, -up), -1)[front]
    cloth[spot][front] = 255 if is_cloth else 0


def skin_colors(canvas: Canvas, hand: Hand, normal: F32, cloth: U8, rng: np.random.Generator) -> F32:
    """(h, w, 3) linear BGR of the hand by board-frame normals (col, row, down)."""
    light = canvas.light
    soft = np.asarray(cv2.GaussianBlur(normal, (0, 0), 1.5), np.float32)
    up = -soft[..., 2]
    total = light.ambient * (0.6 + 0.4 * up)[..., None]
    lights = [(lamp.at / np.linalg.norm(lamp.at), lamp.diffuse) for lamp in light.lamps]
    if light.sun is not None:
        lights.append((light.sun.to, light.sun.color * np.float32(0.7)))
    for to, color in lights:
        face = soft[..., 0] * float(to[0]) + soft[..., 1] * float(to[1]) + up * float(to[2])
        total = total + color * np.clip(face * 0.85 + 0.15, 0, None)[..., None]
    grain = 1 + 0.06 * cloud(rng, normal.shape, 9) + 0.03 * cloud(rng, normal.shape, 2.5)
    body = np.where((cloth > 127)[..., None], np.array(hand.sleeve, np.float32), np.array(hand.skin, np.float32))
    return np.asarray(body * grain[..., None] * total, np.float32)


def hand_shadow(canvas: Canvas, parts: list[tuple[FloatArray, FloatArray, bool]]) -> None:
    """Darken what lies under the hand, softer the higher it is."""
    to = canvas.light.main_direction(canvas.pose.size)
    h, w = canvas.mask.shape
    small = np.zeros((h // 4, w // 4), np.uint8)
    for centers, radii, _ in parts:
        drop = (centers[:, 2] - 0.2) / max(float(to[2]), 0.4)
        px = canvas.pose.project(centers[:, :2] - to[:2] * drop[:, None], 0.2)
        size = canvas.pose.focal_px / max(float(canvas.pose.tvec[2]), 5) / 4
        for (x, y), r in zip(px, radii, strict=True):
            if abs(x) < 1e4 and abs(y) < 1e4:
                cv2.circle(small, (round(x / 4), round(y / 4)), max(1, round(r * size)), 255, -1)
    soft = resized(blur(small / np.float32(255), w / 4 / 90), (w, h))
    canvas.picture *= (1 - np.float32(0.5 if canvas.light.sun is None else 0.6) * soft)[..., None]


def paint_carried(canvas: Canvas, hand: Hand) -> None:
    """The piece at the finger tips: its squares as small boxes, far ones first."""
    cells = np.array(hand.carried, float)[:, ::-1]
    flat = cells + 0.5 - (cells.max(0) + cells.min(0) + 1) / 2
    c, s = np.cos(hand.carried_turn), np.sin(hand.carried_turn)
    turn = np.array([[c, s], [-s, c]])
    middles = flat @ turn + np.array(hand.tip[:2])
    eye = canvas.pose.camera_position
    low, high = hand.tip[2] - 0.1, hand.tip[2] + 0.16
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) @ turn
    for middle in middles[np.argsort(-np.linalg.norm(middles - eye[:2], axis=1))]:
        foot = square + middle
        for i in range(4):
            j = (i + 1) % 4
            out = np.append((foot[i] + foot[j]) / 2 - middle, 0.0) * 2
            if out @ (eye - np.array([*middle, low])) > 0:
                side = np.array([[*foot[i], low], [*foot[j], low], [*foot[j], high], [*foot[i], high]])
                canvas.fill(canvas.outline(side), canvas.lit(hand.carried_color, out, side.mean(0)) * 0.8)
        for share, gain in ((1.0, 0.8), (0.86, 1.0)):
            top = np.column_stack([square * share + middle, np.full(4, high)])
            canvas.fill(canvas.outline(top), canvas.lit(hand.carried_color, np.array([0.0, 0, 1]), top.mean(0)) * np.float32(gain))
