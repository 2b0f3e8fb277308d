"""The board and everything flat on the table as maps seen from straight above: heights, colours, materials."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .arrays import F32, U8, blur, cloud
from .looks import BoardLook

Window = tuple[slice, slice]
"""Rows and columns of a region of an atlas."""

TABLE, BOARD, PIECE, PAPER = 0, 1, 2, 3
"""Materials of an atlas's cells."""


@dataclass(frozen=True)
class Atlas:
    """Maps of a square patch of table, all (h, w): pixel ``i`` lies at ``(i + 0.5) / scale - margin`` cells.

    Attributes:
        size: cells a side of the grid.
        scale: pixels a cell.
        margin: cells of table around the grid.
        base: height of the solid in cells, 0 the grid's floor; steps are walls.
        relief: small shape on top of `base` that only tilts the surface.
        albedo: (h, w, 3) linear BGR.
        material: what lies on top (`TABLE` and so on).
        sway_x, sway_y: slopes of the tops beyond the relief's.
        windows: regions where something lies, the only ones that are shaded.
    """

    size: int
    scale: int
    margin: float
    base: F32
    relief: F32
    albedo: F32
    material: U8
    sway_x: F32
    sway_y: F32
    windows: list[Window]

    def pixels(self, cells: float) -> float:
        """Atlas coordinate of a board coordinate (col or row)."""
        return (cells + self.margin) * self.scale - 0.5

    def at(self) -> tuple[F32, F32]:
        """(w,) columns and (h,) rows in cells of the atlas's pixels."""
        h, w = self.base.shape
        return (
            ((np.arange(w) + 0.5) / self.scale - self.margin).astype(np.float32),
            ((np.arange(h) + 0.5) / self.scale - self.margin).astype(np.float32),
        )


def empty_atlas(size: int, scale: int, margin: float, table_height: float) -> Atlas:
    """A bare table."""
    n = round((size + 2 * margin) * scale)
    zero = np.zeros((n, n), np.float32)
    return Atlas(
        size, scale, margin, np.full((n, n), table_height, np.float32), zero.copy(), np.full((n, n, 3), 0.3, np.float32),
        np.zeros((n, n), np.uint8), zero.copy(), zero.copy(), [],
    )  # fmt: skip


def line_profile(look: BoardLook, scale: int) -> tuple[F32, F32]:
    """One cell's relief and albedo factor, each (scale, scale): lines at its borders, perhaps an inner square."""
    at = np.abs((np.arange(scale) + 0.5) / scale - 0.5).astype(np.float32)
    edge = 0.5 - np.maximum(at[None], at[:, None])
    soft = 0.55 / scale
    line = 1 - np.clip((edge - look.line_width / 2) / (2 * max(soft, look.line_width * 0.3)) + 0.5, 0, 1)
    relief = line * (look.line_depth if look.line == "ridge" else -look.line_depth)
    tone = 1 - line * (1 - look.line_tone)
    if look.inner:
        inner = np.clip((edge - 0.17) / 0.05, 0, 1)
        relief = relief - inner * look.inner
        tone = tone * (1 - 0.08 * np.exp(-(((edge - 0.19) / 0.025) ** 2)))
    return relief.astype(np.float32), tone.astype(np.float32)


def cut(atlas: Atlas, low: float, high: float) -> Window:
    """The square window from `low` to `high` cells on both axes."""
    a, b = max(0, int(atlas.pixels(low))), min(atlas.base.shape[0], int(atlas.pixels(high)) + 2)
    return np.s_[a:b, a:b]


def draw_board(atlas: Atlas, look: BoardLook, rng: np.random.Generator) -> None:
    """Lay the board into the atlas: slab with rounded corners, rim and lip, grid lines, lettering."""
    out, half = look.rim, atlas.size / 2
    window = cut(atlas, -out - 0.1, atlas.size + out + 0.1)
    atlas.windows.append(window)
    x, y = (axis[window[0]] for axis in atlas.at())
    base, relief, albedo, material = (m[window] for m in (atlas.base, atlas.relief, atlas.albedo, atlas.material))
    dx, dy = (np.abs(x - half) - half)[None], (np.abs(y - half) - half)[:, None]
    corner = np.hypot(np.maximum(dx - out + look.radius, 0), np.maximum(dy - out + look.radius, 0)) - look.radius
    outside = np.maximum(corner, np.maximum(dx, dy) - out)  # signed distance to the slab's border
    slab = outside < 0
    ring = np.maximum(dx, dy)  # distance outside the grid
    lip_from = {"narrow": 0.03, "wide": 0.04, "lip": max(0.2, out - 0.32)}[look.design]
    rounded = np.clip(-outside / 0.12, 0, 1)
    base[slab], material[slab] = 0, BOARD
    relief[slab] = (look.lip * np.clip((ring - lip_from) / 0.08, 0, 1) * np.sqrt(1 - (1 - rounded) ** 2))[slab]
    grain = 1 + 0.012 * cloud(rng, base.shape, 3 * atlas.scale)
    if look.metal:
        grain = grain + 0.02 * cloud(rng, base.shape, 2.5, 60)
        atlas.sway_x[window] += 0.012 * cloud(rng, base.shape, 2.0, 80)
        atlas.sway_y[window] += 0.02 * cloud(rng, base.shape, 2.0, 80)
    albedo[slab] = (grain[..., None] * np.array(look.albedo, np.float32))[slab]
    cell, tone = line_profile(look, atlas.scale)
    first, count = round(atlas.margin * atlas.scale), atlas.size * atlas.scale
    inside = np.s_[first : first + count, first : first + count]
    atlas.relief[inside] = np.tile(cell, (atlas.size, atlas.size))
    atlas.albedo[inside] *= np.tile(tone, (atlas.size, atlas.size))[..., None]
    if look.letters:
        write_rim(atlas, look, rng)


WORDS = ("Domus", "Quadra", "Tessel", "Bokula", "Polymo", "Kubus")


def write_rim(atlas: Atlas, look: BoardLook, rng: np.random.Generator) -> None:
    """Raised lettering in the middle of each side of the rim."""
    word = str(rng.choice(WORDS))
    height = max(8, int(look.rim * 0.55 * atlas.scale))
    face = cv2.getFontScaleFromHeight(cv2.FONT_HERSHEY_DUPLEX, height, 1)
    (w, h), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_DUPLEX, face, 2)
    ink = np.zeros((h + 8, w + 8), np.uint8)
    cv2.putText(ink, word, (4, h + 2), cv2.FONT_HERSHEY_DUPLEX, face, 255, max(1, atlas.scale // 14), cv2.LINE_AA)
    patch = blur(ink / np.float32(255), 0.7)
    tone = rng.choice([0.0, rng.uniform(-0.25, 0.15)])
    n = atlas.base.shape[0]
    for turn in range(4):
        view_relief, view_albedo = np.rot90(atlas.relief, turn), np.rot90(atlas.albedo, turn)
        middle = round(atlas.pixels(atlas.size + look.rim / 2 + (0.05 if look.design == "narrow" else 0)))
        top, left = middle - patch.shape[0] // 2, (n - patch.shape[1]) // 2
        if top + patch.shape[0] >= n:
            continue
        spot = np.s_[top : top + patch.shape[0], left : left + patch.shape[1]]
        view_relief[spot] += patch * 0.03
        view_albedo[spot] *= (1 + tone * patch)[..., None].astype(np.float32)
