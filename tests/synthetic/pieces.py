"""Extruded pieces laid into an atlas: on the board, loose beside it, or cut from paper."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from .arrays import F32, blur
from .atlas import PAPER, PIECE, Atlas
from .looks import PieceLook
from .shapes import Cells, normal


@lru_cache(maxsize=8)
def unit_square(relief_name: str, depth: float, scale: int) -> tuple[F32, F32]:
    """Relief (cells) and thickness factor of the plastic of one unit square, each (scale, scale)."""
    at = np.abs((np.arange(scale) + 0.5) / scale - 0.5).astype(np.float32)
    edge = 0.5 - np.maximum(at[None], at[:, None])
    k = depth

    def step(where: float, width: float) -> F32:
        t = np.clip((edge - where) / width + 0.5, 0, 1)
        return np.asarray(t * t * (3 - 2 * t), np.float32)

    rim = -0.05 * (1 - np.clip(edge / 0.055, 0, 1)) ** 2
    if relief_name == "frame":
        relief = rim - 0.035 * k * step(0.16, 0.08) + 0.02 * k * step(0.24, 0.06)
        deep = 1 + 0.45 * (1 - step(0.2, 0.05))
    elif relief_name == "pyramid":
        slope = np.minimum(edge, 0.36)
        relief = rim + 0.11 * k * (slope - 0.36)
        deep = 1 + 0.3 * (1 - step(0.1, 0.1))
    elif relief_name == "bead":
        relief = rim + 0.03 * k * (step(0.1, 0.06) - step(0.2, 0.06)) + 0.03 * k * step(0.31, 0.07)
        deep = 1 + 0.35 * step(0.1, 0.06) * (1 - step(0.2, 0.06))
    else:
        relief = rim + 0.01 * k * step(0.25, 0.5)
        deep = 1 + 0.35 * (1 - step(0.05, 0.05))
    return np.asarray(relief, np.float32), np.asarray(deep, np.float32)


def piece_patch(cells: Cells, look: PieceLook, scale: int) -> tuple[F32, F32, F32, tuple[int, int]]:
    """Cover, relief and thickness of a shape on its own patch, and the patch's shape in cells.

    The patch has one cell of margin; outer sides are drawn in by the look's gap, inner seams are grooves.
    """
    rows, cols = (max(c[i] for c in cells) + 1 for i in (0, 1))
    cover = np.zeros(((rows + 2) * scale, (cols + 2) * scale), np.float32)
    relief, deep = np.zeros_like(cover), np.ones_like(cover)
    square, thick = unit_square(look.relief, look.relief_depth, scale)
    gap = max(1, round(look.gap * scale))
    inside = set(cells)
    for r, c in cells:
        y, x = (r + 1) * scale, (c + 1) * scale
        spot = np.s_[y : y + scale, x : x + scale]
        cover[spot], relief[spot], deep[spot] = 1, square, thick
        for dr, dc, cut in (
            (-1, 0, np.s_[y : y + gap, x : x + scale]),
            (1, 0, np.s_[y + scale - gap : y + scale, x : x + scale]),
            (0, -1, np.s_[y : y + scale, x : x + gap]),
            (0, 1, np.s_[y : y + scale, x + scale - gap : x + scale]),
        ):
            if (r + dr, c + dc) not in inside:
                cover[cut] = 0
    return blur(cover, 0.6), relief, deep, (rows, cols)


@dataclass(frozen=True)
class Spot:
    """Where a shape lies: its middle (col, row), its turn, the height of the floor under it."""

    at: tuple[float, float]
    turn_deg: float
    floor: float


def lay(atlas: Atlas, cells: Cells, letter: str, look: PieceLook, where: Spot, rng: np.random.Generator, *, paper: bool = False) -> None:
    """Lay a shape down; its patch must lie inside the atlas."""
    cover, relief, deep, (rows, cols) = piece_patch(normal(cells), look, atlas.scale)
    askew = where.turn_deg % 90 > 2
    reach = float(np.hypot(rows + 1, cols + 1)) / 2 if askew else max(rows, cols) / 2 + 1
    x0, y0 = (max(0, int(np.floor(atlas.pixels(v - reach)))) for v in where.at)
    side = int(np.ceil(2 * reach * atlas.scale)) + 2
    middle = ((cols + 2) * atlas.scale / 2 - 0.5, (rows + 2) * atlas.scale / 2 - 0.5)
    move = cv2.getRotationMatrix2D(middle, where.turn_deg, 1.0)
    move[:, 2] += np.array([atlas.pixels(where.at[0]) - x0 - middle[0], atlas.pixels(where.at[1]) - y0 - middle[1]])
    height, width = (min(side, n - first) for n, first in zip(atlas.base.shape, (y0, x0), strict=True))
    cover, relief, deep = (np.asarray(cv2.warpAffine(m, move, (width, height)), np.float32) for m in (cover, relief, deep))
    floor = where.floor
    spot = np.s_[y0 : y0 + height, x0 : x0 + width]
    if floor < 0:
        atlas.windows.append(spot)
    on = cover > 0.5
    color = np.array(look.palette[letter], np.float32) * np.float32(rng.uniform(0.93, 1.05))
    under = atlas.albedo[spot]
    if paper:
        grey = np.array([0.45, 0.5, 0.45], np.float32) * np.float32(rng.uniform(0.6, 1.5))
        body: F32 = np.broadcast_to(grey * 0.85 + color * 0.15, under.shape).astype(np.float32)
    else:
        body = plastic(color, under, deep, look.clear)
    share = np.clip(cover * np.float32(1.6) - np.float32(0.3), 0, 1)
    atlas.albedo[spot] = under + (body - under) * share[..., None]
    rise = np.float32(0.03 if paper else look.height)
    np.maximum(atlas.base[spot], np.where(share > 0, np.float32(floor) + rise * share, np.float32(-9)), out=atlas.base[spot])
    atlas.relief[spot][on] = 0.1 * relief[on] if paper else relief[on]
    atlas.material[spot][on] = PAPER if paper else PIECE
    lean = rng.normal(0, look.sway, 2)
    bend = look.sway * float(rng.normal())
    across, down = (np.linspace(-bend, bend, n, dtype=np.float32) for n in (width, height))
    atlas.sway_x[spot][on] = np.broadcast_to(np.float32(lean[0]) + across[None], on.shape)[on]
    atlas.sway_y[spot][on] = np.broadcast_to(np.float32(lean[1]) + down[:, None], on.shape)[on]


def plastic(color: F32, under: F32, deep: F32, clear: float) -> F32:
    """Albedo of a piece over what lies under it: clear plastic filters it, thicker places more strongly."""
    if clear <= 0:
        return np.asarray(color * (1.06 - 0.12 * (deep[..., None] - 1)), np.float32)
    tint = color / max(float(color.max()), 1e-3)
    through = under * np.maximum(tint, 0.015) ** (0.75 * deep[..., None]) * 0.9
    return np.asarray((1 - clear) * color * (1.1 - 0.35 * (deep[..., None] - 1)) + clear * through, np.float32)
