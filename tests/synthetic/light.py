"""Light of a room: what falls on a surface and what it mirrors, for whole maps of points at once."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .arrays import F32, kelvin, smooth

Vec = NDArray[np.float64]


@dataclass(frozen=True)
class Lamp:
    """A glowing rectangle: centre, two half axes and normal in cells (col, row, up), radiance linear BGR."""

    at: Vec
    half_u: Vec
    half_v: Vec
    radiance: F32
    diffuse: F32

    def mirrored(self, point: tuple[F32, F32], ray: tuple[F32, F32, F32], rough: F32) -> F32:
        """Share of the lamp seen by mirror rays from points near height 0, each (h, w), softened by roughness."""
        u_len, v_len = float(np.linalg.norm(self.half_u)), float(np.linalg.norm(self.half_v))
        normal = np.cross(self.half_u, self.half_v) / (u_len * v_len)
        n = (normal if normal @ self.at > 0 else -normal).tolist()
        at = self.at.tolist()
        dx, dy, dz = at[0] - point[0], at[1] - point[1], at[2]
        along = ray[0] * n[0] + ray[1] * n[1] + ray[2] * n[2]
        t = (dx * n[0] + dy * n[1] + dz * n[2]) / np.maximum(along, 1e-3)
        qx, qy, qz = ray[0] * t - dx, ray[1] * t - dy, ray[2] * t - dz
        soft = np.abs(t) * rough * 0.8 + 0.3
        share = np.where(along > 1e-3, 1, 0).astype(np.float32)
        for axis, half in (((self.half_u / u_len).tolist(), u_len), ((self.half_v / v_len).tolist(), v_len)):
            off = np.abs(qx * axis[0] + qy * axis[1] + qz * axis[2])
            reach = np.clip((half + soft - off) / (2 * soft), 0, 1)
            share *= reach * reach * (3 - 2 * reach) * np.minimum(1, half / (soft * 0.7))
        return np.asarray(share, np.float32)


@dataclass(frozen=True)
class Sun:
    """A beam with hard edges: direction to it, colour, and the strips of table that it reaches."""

    to: Vec
    color: F32
    strips: tuple[tuple[float, float, float, float, float], ...]
    soft: float

    def mask(self, x: F32, y: F32) -> F32:
        """How much of the beam reaches points of the board's plane, (h, w)."""
        total = np.zeros_like(x)
        for cx, cy, angle, low, high in self.strips:
            off = (x - cx) * math.cos(angle) + (y - cy) * math.sin(angle)
            np.maximum(total, smooth(off - low, self.soft) * smooth(high - off, self.soft), out=total)
        return np.asarray(total, np.float32)


@dataclass(frozen=True)
class Light:
    """All light of a room: ambient colour with a slope over the table, lamps, perhaps a sunbeam."""

    name: str
    kelvin: float
    ambient: F32
    slope: tuple[float, float]
    slope_dir: float
    room: F32
    lamps: tuple[Lamp, ...] = ()
    sun: Sun | None = None
    shadow_soft: float = 0.1

    def field(self, x: F32, y: F32, size: int) -> F32:
        """Slow change of the light over the table, (h, w), about 1."""
        nx, ny = np.clip((x / size - 0.5), -4, 4), np.clip((y / size - 0.5), -4, 4)
        along = nx * np.float32(np.cos(self.slope_dir)) + ny * np.float32(np.sin(self.slope_dir))
        return np.asarray(np.exp(self.slope[0] * np.tanh(along) - self.slope[1] * np.minimum(nx * nx + ny * ny, 4)), np.float32)

    def whole(self) -> F32:
        """(3,) colour of all light together, as a camera balances for it."""
        total = self.ambient + sum((0.7 * lamp.diffuse for lamp in self.lamps), np.zeros(3, np.float32))
        return np.asarray(total if self.sun is None else total + 0.35 * self.sun.color, np.float32)

    def main_direction(self, size: int) -> Vec:
        """Unit vector to the strongest light, for cast shadows."""
        if self.sun is not None:
            return self.sun.to
        if not self.lamps:
            return np.array([0.0, 0.0, 1.0])
        best = max(self.lamps, key=lambda lamp: float(lamp.diffuse.sum()))
        to = best.at - np.array([size / 2, size / 2, 0.0])
        return np.asarray(to / np.linalg.norm(to))


def lamp(aim: Vec, to: Vec, half: tuple[float, float], power: tuple[float, float], color: F32, *, upright: bool) -> Lamp:
    """A rectangle at ``aim + to``, upright like a window or level like a ceiling panel, facing the board.

    `half` are half its width and height in cells, `power` its radiance and the light it throws on the board.
    """
    away = float(np.hypot(to[0], to[1]))
    flat = np.array([-to[1], to[0], 0.0]) / away if away > 1e-6 else np.array([1.0, 0.0, 0.0])
    up = np.array([0.0, 0.0, 1.0])
    other = up if upright else np.cross(up, flat)
    radiance, diffuse = ((color * p).astype(np.float32) for p in power)
    return Lamp(aim + to, flat * half[0], other * half[1], radiance, diffuse)


def along(direction: Vec, distance: float) -> Vec:
    """The direction at a length."""
    return np.asarray(direction / np.linalg.norm(direction) * distance)


LIGHTS = ("window", "ceiling_glare", "ceiling", "sun_edge", "evening", "mixed", "overcast")
WARM = {
    "window": (5000, 7500),
    "ceiling_glare": (2700, 4500),
    "ceiling": (2700, 5000),
    "sun_edge": (4800, 6000),
    "evening": (2500, 3200),
    "mixed": (2700, 5500),
    "overcast": (6000, 7500),
}
"""Colour temperatures in K."""
AMBIENT = {"evening": (0.35, 0.6), "sun_edge": (0.25, 0.5), "overcast": (0.8, 1.0)}
"""Light from all around on a level white, where it is not 0.5 to 0.8."""


def random_lamps(rng: np.random.Generator, name: str, aim: Vec, back: Vec, aside: Vec, color: F32) -> list[Lamp]:
    """The lamps and windows of a kind of room; `back` is where the camera's mirrored view of `aim` goes."""
    lamps = []
    if name == "ceiling_glare" or (name in ("mixed", "evening", "ceiling") and rng.random() < 0.6):
        upright = bool(back[2] < 0.7 * np.hypot(back[0], back[1]))
        for k in range(int(rng.integers(1, 3))):  # panels and tubes often come in pairs
            half = (rng.uniform(2, 16), rng.uniform(1.5, 9))
            power = (float(rng.choice([rng.uniform(8, 25), rng.uniform(25, 90)])), rng.uniform(0.2, 0.5))
            spot = aim + np.array([*rng.normal(0, 4, 2), 0]) * k
            lamps.append(lamp(spot, along(back, rng.uniform(45, 90)), half, power, color, upright=upright))
    if name == "window" or (name == "mixed" and rng.random() < 0.7):
        aimed = rng.random() < 0.7
        to = along((back if aimed else aside) * np.array([1, 1, 1e-3]), 1.0)
        rise = float(back[2] / max(np.hypot(back[0], back[1]), 1e-3)) * rng.uniform(0.75, 1.15) if aimed else rng.uniform(0.25, 0.8)
        to = along(to + np.array([0, 0, np.clip(rise, 0.25, 1.7)]), rng.uniform(50, 100))
        half, power = (rng.uniform(8, 30), rng.uniform(8, 25)), (rng.uniform(4, 30), rng.uniform(0.3, 0.7))
        lamps.append(lamp(aim, to, half, power, kelvin(rng.uniform(5000, 7500)), upright=True))
    if name in ("ceiling", "evening", "mixed") or rng.random() < 0.15:
        half, power = (rng.uniform(1, 6), rng.uniform(1, 4)), (rng.uniform(5, 40), rng.uniform(0.2, 0.7))
        lamps.append(lamp(aim, along(aside, rng.uniform(40, 90)), half, power, color, upright=False))
    return lamps


def random_sun(rng: np.random.Generator, aim: Vec, angle: float) -> Sun:
    """A sunbeam through a window, its edge through a point of the board, perhaps with a bar's shadow in it."""
    to = np.array([np.cos(angle), np.sin(angle), rng.uniform(0.4, 1.4)])
    edge = float(angle + rng.uniform(0.3, 1.3) * rng.choice([-1, 1]))
    width = float(rng.uniform(5, 25))
    strips = [(float(aim[0]), float(aim[1]), edge, 0.0, width)]
    if rng.random() < 0.5:
        strips.append((float(aim[0]), float(aim[1]), edge, -width - float(rng.uniform(0.7, 3)), -float(rng.uniform(0.7, 2))))
    color = kelvin(rng.uniform(4600, 5800)) * np.float32(rng.uniform(0.8, 2.2))
    return Sun(along(to, 1.0), color, tuple(strips), float(rng.uniform(0.02, 0.3)))


def random_light(rng: np.random.Generator, size: int, camera: Vec, name: str | None = None) -> Light:
    """A room's light. `camera` is its position in cells: glare is aimed so that the camera sees it on the board."""
    name = name or str(rng.choice(LIGHTS, p=[0.2, 0.29, 0.06, 0.1, 0.13, 0.15, 0.07]))
    temperature = float(rng.uniform(*WARM[name]))
    color = kelvin(temperature)
    around = color if name not in ("mixed", "sun_edge") else kelvin(float(rng.uniform(5500, 10500)))
    ambient = around * np.float32(rng.uniform(*AMBIENT.get(name, (0.5, 0.8))))
    aim = np.array([rng.uniform(0.15, 0.85) * size, rng.uniform(0.15, 0.85) * size, 0.25])
    back = (aim - camera) * np.array([1, 1, -1])
    angle = float(rng.uniform(0, 2 * np.pi))
    aside = np.array([np.cos(angle), np.sin(angle), rng.uniform(0.5, 1.3)])
    lamps = random_lamps(rng, name, aim, back, aside, color)
    sun = random_sun(rng, aim, angle) if name == "sun_edge" else None
    return Light(
        name,
        temperature,
        ambient,
        (float(rng.uniform(0, 0.8)), float(rng.uniform(0, 0.25))),
        float(rng.uniform(0, 2 * np.pi)),
        around * np.float32(rng.uniform(0.3, 1.0)),
        tuple(lamps),
        sun,
        float(rng.choice([0.05, 0.15, 0.4])),
    )
