"""From a shaded atlas and a pose to a picture in linear light: rays are marched over the heights."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.pose import GridPose

from .arrays import F32, U8, look_up, resized
from .atlas import TABLE, Atlas
from .camera import FAR, ground
from .light import Light
from .shading import Shaded
from .tables import Table


@dataclass(frozen=True)
class Walk:
    """What a picture's rays have in common.

    Attributes:
        shaded: the maps they are marched over.
        around, solid: highest neighbour of each place, and 1 where something lies, (h, w).
        bottom, top: lowest and highest place, in cells.
        eye: the camera in atlas coordinates and its height in cells.
        shift, scale: atlas coordinates are board coordinates times `scale` plus `shift`.
        lateral: pixels that a ray moves sideways while it sinks by a cell, at most.
    """

    shaded: Shaded
    around: F32
    solid: F32
    bottom: float
    top: float
    eye: tuple[float, float, float]
    shift: float
    scale: float
    lateral: float


def walk_over(atlas: Atlas, shaded: Shaded, pose: GridPose, supersample: float) -> Walk:
    """Prepare to march the rays of a picture enlarged by `supersample`."""
    eye = pose.camera_position.tolist()
    steep = float(np.tan(np.radians(min(78.0, pose.tilt_deg + 15))))
    return Walk(
        shaded,
        np.asarray(cv2.dilate(shaded.height, np.ones((3, 3), np.uint8)), np.float32),
        (atlas.material != TABLE).astype(np.float32),
        float(shaded.height.min()),
        float(shaded.height.max()) + 0.005,
        (atlas.pixels(eye[0]), atlas.pixels(eye[1]), eye[2]),
        atlas.margin * atlas.scale - 0.5,
        float(atlas.scale),
        steep * float(pose.cell_sizes_px().max()) * supersample,
    )


def heights_met(walk: Walk, u0: F32, v0: F32) -> F32:
    """Height at which each pixel's ray meets the height map, (h, w); `u0, v0` are its coordinates in it at height 0.

    Rays are tried at fixed heights from the table up, the highest met counts, then two halvings.
    """
    above = int(np.clip(walk.lateral * walk.top / 2.2, 3, 16))
    below = int(np.clip(walk.lateral * -walk.bottom / 2.8, 3, 14))
    levels = [*np.linspace(walk.bottom + 0.02, min(-0.02, walk.bottom / 4), below), *np.linspace(0.03, walk.top, above + 1)]
    ue, ve, up = walk.eye
    height = walk.shaded.height
    index: U8 = np.where(look_up(height, u0, v0, walk.bottom) > -0.1, below, 0).astype(np.uint8)
    deep = np.flatnonzero(index == 0)  # only beside the board can a ray end below its surface
    found = np.zeros(-(-len(deep) // 256) * 256, np.uint8).reshape(-1, 256)
    u1, v1 = (np.resize(m.ravel()[deep], found.shape) if len(deep) else m[:0] for m in (u0, v0))
    for k, z in enumerate(levels, start=1):
        ue_z, ve_z, keep = np.float32(ue * z / up), np.float32(ve * z / up), np.float32(1 - z / up)
        u, v, into = (u0, v0, index) if k > below else (u1, v1, found)
        if into.size:
            over = look_up(height, u * keep + ue_z, v * keep + ve_z, walk.bottom)
            np.maximum(into, (over >= np.float32(z)) * np.uint8(k), out=into)
        if k == below:
            index.ravel()[deep] = found.ravel()[: len(deep)]
    table = np.array([walk.bottom, *levels, levels[-1]], np.float32)
    low, high = table[index], table[index + 1]
    for _ in range(2):
        z = (low + high) * np.float32(0.5)
        s = z * np.float32(-1 / up) + 1
        met = look_up(height, u0 * s + z * np.float32(ue / up), v0 * s + z * np.float32(ve / up), walk.bottom)
        hit = met >= z
        low, high = np.where(hit, z, low), np.where(hit, high, z)
    return np.asarray(low, np.float32)


def region(atlas: Atlas, pose: GridPose, supersample: float, bottom: float, top: float) -> tuple[slice, slice]:
    """Part of the enlarged picture in which the atlas's things and their shadows can be seen."""
    w, h = pose.image_wh
    low, high = [w, h], [0, 0]
    inside = np.array([(c, r) for c in (-0.3, 0.5, 1.3) for r in (-0.3, 0.5, 1.3)])
    for rows, cols in atlas.windows:
        start = np.array([cols.start, rows.start]) / atlas.scale - atlas.margin
        span = np.array([cols.stop - cols.start, rows.stop - rows.start]) / atlas.scale
        reach = 1 + 1 / span.max()
        corners = start + span * ((inside - 0.5) * reach + 0.5)
        for z in (bottom, top):
            at = pose.project(corners, z)
            at = at[pose.project(corners, z).max(-1) < 1e6]
            low = [min(a, int(b)) for a, b in zip(low, at.min(0), strict=True)]
            high = [max(a, int(b)) for a, b in zip(high, at.max(0), strict=True)]
    full = [round(w * supersample), round(h * supersample)]
    x0, y0 = (int(max(0, v * supersample - 6)) for v in low)
    x1, y1 = (int(min(n, v * supersample + 6)) for v, n in zip(high, full, strict=True))
    return np.s_[min(y0, full[1] - 1) : max(y1, 1), min(x0, full[0] - 1) : max(x1, 1)]


BAND = 64
"""Rows of the enlarged picture worked on at once: the working set then stays in the processor's cache."""


def things(atlas: Atlas, shaded: Shaded, pose: GridPose, supersample: float) -> tuple[F32, F32]:
    """At the picture's size: colour of all things times their cover (h, w, 3), what is seen of the table past them (h, w)."""
    w, h = (round(n * supersample) for n in pose.image_wh)
    color, through = np.zeros((h, w, 3), np.float32), np.ones((h, w), np.float32)
    if atlas.windows:
        walk = walk_over(atlas, shaded, pose, supersample)
        rows, cols = region(atlas, pose, supersample, walk.bottom, walk.top)
        for start in range(rows.start, rows.stop, BAND):
            band = slice(start, min(start + BAND, rows.stop))
            col, row = (m[:, cols] for m in ground(pose, supersample, band))
            color[band, cols], through[band, cols] = seen(walk, col, row)
    return resized(color, pose.image_wh, cv2.INTER_AREA), resized(through, pose.image_wh, cv2.INTER_AREA)


def seen(walk: Walk, col: F32, row: F32) -> tuple[F32, F32]:
    """What `things` gives, for pixels whose rays meet height 0 at (col, row)."""
    u0, v0 = (np.clip(m * np.float32(walk.scale) + np.float32(walk.shift), -3e4, 3e4) for m in (col, row))
    z = heights_met(walk, u0, v0)
    ue, ve, up = walk.eye
    s = z * np.float32(-1 / up) + 1
    u, v = u0 * s + z * np.float32(ue / up), v0 * s + z * np.float32(ve / up)
    bottom = np.float32(walk.bottom)
    over = look_up(walk.around, u, v, walk.bottom)
    is_wall = np.clip((over - z - np.float32(0.05)) * np.float32(33), 0, 1)
    tall = np.clip((z - bottom) / np.maximum(over - bottom, 0.05), 0, 1) * np.float32(0.5) + np.float32(0.5)
    stuff = look_up(walk.solid, u, v, 0)
    stuff = np.maximum(np.clip(stuff * 2 - np.float32(0.5), 0, 1), is_wall)
    tops = look_up(walk.shaded.top, u, v, 0)
    walls = look_up(walk.shaded.wall, u, v, 0)
    color = tops * ((1 - is_wall) * stuff)[..., None] + walls * (tall * is_wall * stuff)[..., None]
    return color, (1 - stuff) * look_up(walk.shaded.shade, u, v, 1)


def backdrop(table: Table, floor: float, light: Light, pose: GridPose) -> F32:
    """(h, w, 3) linear BGR picture of the bare table, whose top lies at height `floor`, and the room."""
    col, row = ground(pose, 1.0)
    at = pose.camera_position.tolist()
    drop = floor / at[2]
    keep = np.float32(1 - drop)
    return table.seen(col * keep + np.float32(at[0] * drop), row * keep + np.float32(at[1] * drop), col < FAR, light, pose)


def render(atlas: Atlas, shaded: Shaded, under: F32, pose: GridPose, supersample: float) -> F32:
    """(h, w, 3) linear BGR picture of the atlas over the bare table's."""
    color, through = things(atlas, shaded, pose, supersample)
    return np.asarray(color + under * through[..., None], np.float32)
