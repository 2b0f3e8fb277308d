"""What the board lies on, and the room behind it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose

from .arrays import F32, Bgr, blur, cloud, from_hsv, look_up, resized
from .light import Light
from .shading import mirror

TILE = 1024
"""Pixels a side of a table's texture."""


@dataclass(frozen=True)
class Table:
    """A tabletop: texture (TILE, TILE, 3) linear BGR covering `span` cells a side, outline, floor and wall colours."""

    name: str
    texture: F32
    span: float
    shape: str
    reach: tuple[float, float, float]
    rough: float
    shine: float
    floor: Bgr
    wall: Bgr
    size: int

    def inside(self, col: F32, row: F32) -> F32:
        """1 on the tabletop, 0 beyond its edge, (h, w)."""
        half = self.size / 2
        x, y = col - half, row - half
        turn = self.reach[2]
        x, y = x * np.float32(np.cos(turn)) + y * np.float32(np.sin(turn)), y * np.float32(np.cos(turn)) - x * np.float32(np.sin(turn))
        square = np.minimum(self.reach[0] - np.abs(x), self.reach[1] - np.abs(y))
        off = self.reach[0] - np.hypot(x, y) if self.shape == "round" else square
        return np.asarray(np.clip(off * 8, 0, 1), np.float32)

    def seen(self, col: F32, row: F32, ground: NDArray[np.bool_], light: Light, pose: GridPose) -> F32:
        """(h, w, 3) linear BGR of the table, its floor and the room, for pixels that meet the table at (col, row)."""
        k = np.float32(TILE / self.span)
        u, v = (col * k) % np.float32(TILE), (row * k) % np.float32(TILE)
        fine = look_up(np.pad(self.texture, ((0, 1), (0, 1), (0, 0)), mode="wrap"), u, v)
        h, w = col.shape
        small = (max(1, w // 4), max(1, h // 4))
        c4, r4 = (resized(np.clip(m, -300, 300), small, cv2.INTER_AREA) for m in (col, row))
        glow, gloss = (resized(m, (w, h)) for m in self._light(c4, r4, light, pose))
        if light.sun is not None:
            glow = glow + light.sun.color * (light.sun.mask(col, row) * np.float32(light.sun.to[2]))[..., None]
        out = fine * glow + gloss
        on = self.inside(col, row) * ground
        if on.min() < 1:
            beyond = self._beyond(ground, light)
            out = beyond + (out - beyond) * on[..., None]
        return np.asarray(out, np.float32)

    def _light(self, col: F32, row: F32, light: Light, pose: GridPose) -> tuple[F32, F32]:
        spread = light.field(col, row, self.size)
        glow = light.ambient * spread[..., None]
        for lamp in light.lamps:
            tx, ty, tz = float(lamp.at[0]) - col, float(lamp.at[1]) - row, float(lamp.at[2])
            far = np.sqrt(tx * tx + ty * ty + tz * tz)
            near = float(np.linalg.norm(lamp.at - np.array([self.size / 2, self.size / 2, 0])))
            glow = glow + lamp.diffuse * ((near / far) ** 2 * tz / far)[..., None]
        eye = pose.camera_position.tolist()
        vx, vy = eye[0] - col, eye[1] - row
        far = np.sqrt(vx * vx + vy * vy + eye[2] ** 2)
        flat = np.zeros_like(col)
        rough, base = np.full_like(col, self.rough), np.full_like(col, self.shine)
        gloss = mirror(light, (col, row), (vx / far, vy / far, eye[2] / far), (flat, flat, flat + 1), rough, base)
        return np.asarray(glow, np.float32), gloss

    def _beyond(self, ground: NDArray[np.bool_], light: Light) -> F32:
        h, w = ground.shape
        rng = np.random.default_rng(int(self.reach[0] * 1000) + 7)
        floor, wall = np.array(self.floor, np.float32), np.array(self.wall, np.float32)
        room = np.where(np.asarray(ground)[..., None], floor, wall) * (1 + 0.25 * cloud(rng, (h, w), h / 6))[..., None]
        for _ in range(int(rng.integers(0, 5))):
            x, y = int(rng.uniform(0, w)), int(rng.uniform(0, h))
            box = (int(rng.uniform(0.05, 0.3) * w), int(rng.uniform(0.05, 0.3) * h))
            cv2.rectangle(room, (x, y), (x + box[0], y + box[1]), [float(v) for v in rng.uniform(0.01, 0.35, 3)], -1)
        small = cv2.resize(np.clip(room, 0.005, 1).astype(np.float32), (w // 4, h // 4), interpolation=cv2.INTER_AREA)
        soft = cv2.resize(blur(small, h / 400), (w, h), interpolation=cv2.INTER_LINEAR)
        return np.asarray(soft * light.ambient * 0.9, np.float32)


def wood(rng: np.random.Generator, light: Bgr, dark: Bgr, planks: int) -> F32:
    """(TILE, TILE, 3) boards with grain along x."""
    base = np.zeros((TILE, TILE), np.float32)
    edges = np.linspace(0, TILE, planks + 1).astype(int)
    for top, end in pairwise(edges.tolist()):
        shape = (end - top, TILE)
        y = np.linspace(0, 1, shape[0], dtype=np.float32)[:, None] * rng.uniform(3, 9)
        bend = cloud(rng, shape, 90, 4) * 0.5
        rings = 0.5 + 0.5 * np.sin(2 * np.pi * (y + bend + rng.uniform(0, 9)))
        grain = 0.45 * rings + 0.3 * cloud(rng, shape, 3, 40) + 0.15 * cloud(rng, shape, 1.6, 12)
        base[top:end] = grain + rng.normal(0, 0.18)
        if planks > 1:
            base[top : top + 2] += 1.2
    mix = np.clip(base, 0, 1.3)[..., None] * np.float32(rng.uniform(0.3, 1.0))
    return np.asarray(np.array(light, np.float32) * (1 - mix) + np.array(dark, np.float32) * mix, np.float32)


def cloth(rng: np.random.Generator, color: Bgr, contrast: float) -> F32:
    """(TILE, TILE, 3) woven threads."""
    at = np.arange(TILE, dtype=np.float32)
    period = TILE / float(rng.integers(90, 200))
    warp = 0.5 + 0.5 * np.sin(2 * np.pi * at / period)[None] * (1 + 0.3 * cloud(rng, (TILE, TILE), 4))
    weft = 0.5 + 0.5 * np.sin(2 * np.pi * at / period)[:, None] * (1 + 0.3 * cloud(rng, (TILE, TILE), 4))
    tone = 1 + contrast * (np.maximum(warp, weft) - 0.8 + 0.25 * cloud(rng, (TILE, TILE), 2, 20) + 0.15 * cloud(rng, (TILE, TILE), 120))
    return np.asarray(np.clip(tone, 0.1, 2)[..., None] * np.array(color, np.float32), np.float32)


def pattern(rng: np.random.Generator) -> F32:
    """(TILE, TILE, 3) printed cloth: stripes, checks or dots of two or three colours."""
    colors = [np.array(from_hsv(rng.uniform(0, 180), rng.uniform(0.1, 0.8), rng.uniform(0.3, 0.95)), np.float32) for _ in range(3)]
    at = np.arange(TILE, dtype=np.float32)
    n = int(rng.integers(5, 30))
    wave = (at / TILE * n) % 1
    style = int(rng.integers(0, 4))
    image = np.broadcast_to(colors[0], (TILE, TILE, 3)).copy()
    if style == 0:
        image[wave < rng.uniform(0.2, 0.6)] = colors[1]
    elif style == 1:
        half = (wave < 0.5).astype(np.float32)
        image += (colors[1] - colors[0]) * ((half[None] + half[:, None]) * np.float32(0.5))[..., None]
    elif style == 2:
        near = np.hypot((wave - 0.5)[None], (wave - 0.5)[:, None])
        image[near < rng.uniform(0.15, 0.35)] = colors[1]
    else:
        for _ in range(250):
            center = tuple(int(v) for v in rng.integers(0, TILE, 2))
            cv2.circle(image, center, int(rng.uniform(8, 60)), colors[int(rng.integers(0, 3))].tolist(), -1)
    return np.asarray(blur(image.astype(np.float32), 1.0) * (1 + 0.05 * cloud(rng, (TILE, TILE), 2))[..., None], np.float32)


KINDS = ("oak", "walnut", "pine", "cherry", "cloth", "pattern", "plain", "white", "dark", "board", "stone", "mat")


def random_table(rng: np.random.Generator, size: int, board: Bgr, name: str | None = None) -> Table:
    """A table; ``board`` is the board's albedo, for tables of its colour."""
    name = name or str(rng.choice(KINDS))
    woods = {"oak": (16, 0.42, 0.72, 0.5), "walnut": (10, 0.5, 0.36, 0.2), "pine": (19, 0.42, 0.85, 0.66), "cherry": (7, 0.58, 0.5, 0.32)}
    rough, shine = float(rng.uniform(0.15, 0.5)), float(rng.uniform(0.02, 0.05))
    if name in woods:
        hue, sat, light, dark = woods[name]
        texture = wood(rng, from_hsv(hue, sat, light), from_hsv(hue - 2, min(1, sat + 0.12), dark), int(rng.choice([1, 3, 5, 8])))
    elif name in ("cloth", "mat"):
        color = from_hsv(rng.uniform(0, 180), rng.uniform(0.05, 0.6), rng.uniform(0.25, 0.85))
        texture, rough, shine = cloth(rng, color, float(rng.uniform(0.1, 0.6))), 0.9, 0.01
    elif name == "pattern":
        texture, rough, shine = pattern(rng), 0.7, 0.02
    else:
        value = {
            "plain": rng.uniform(0.35, 0.75),
            "white": rng.uniform(0.85, 0.95),
            "dark": rng.uniform(0.06, 0.2),
            "stone": rng.uniform(0.3, 0.7),
        }.get(name, 0.5)
        color = board if name == "board" else from_hsv(rng.uniform(0, 180), rng.uniform(0, 0.15), value)
        speckle = float(rng.uniform(0.1, 0.35)) if name == "stone" else 0.03
        tone = 1 + speckle * cloud(rng, (TILE, TILE), rng.uniform(1.5, 8)) + 0.03 * cloud(rng, (TILE, TILE), 150)
        texture = np.asarray(np.clip(tone, 0.2, 2)[..., None] * np.array(color, np.float32), np.float32)
    span = float(rng.uniform(14, 40))
    shape = str(rng.choice(["square", "round"], p=[0.75, 0.25]))
    reach = (float(rng.uniform(size * 0.85, size * 3)), float(rng.uniform(size * 0.85, size * 3)), float(rng.uniform(-0.4, 0.4)))
    dim = [from_hsv(rng.uniform(0, 180), rng.uniform(0, 0.4), rng.uniform(0.2, 0.8)) for _ in range(2)]
    return Table(name, texture, span, shape, reach, rough, shine, dim[0], dim[1], size)
