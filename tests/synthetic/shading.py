"""Light on an atlas: shadows, crevices, mirrored lamps; colours of tops and walls as one camera sees them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.pose import GridPose

from .arrays import F32, blur, resized
from .atlas import BOARD, PIECE, Atlas, Window
from .light import Light
from .looks import BoardLook, PieceLook

BAND = 64
"""Rows of an atlas shaded at once: the working set then stays in the processor's cache."""

Three = tuple[F32, F32, F32]


@dataclass(frozen=True)
class Shaded:
    """An atlas under light: colours of the tops and of the walls (h, w, 3) linear BGR, shade on the table (h, w)."""

    top: F32
    wall: F32
    height: F32
    shade: F32


def halved(image: F32) -> F32:
    """The image at half its size."""
    return np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)


def cast_shadow(height: F32, scale: float, light: Light, size: int) -> F32:
    """Share of the main light that reaches each place past what stands in its way, (h, w)."""
    to = light.main_direction(size)
    flat = float(np.hypot(to[0], to[1]))
    if flat < 0.05:
        return np.ones_like(height)
    rise = float(to[2]) / flat
    tall = float(height.max() - height.min())
    reach = min(tall / max(rise, 0.15), 4.0)
    steps = int(np.clip(reach * scale / 1.5, 4, 14))
    blocked = np.zeros_like(height)
    for k in range(1, steps + 1):
        along = reach * k / steps
        move = np.array([[1, 0, -to[0] / flat * along * scale], [0, 1, -to[1] / flat * along * scale]], np.float64)
        other = cv2.warpAffine(height, move, height.shape[::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        np.maximum(blocked, other - height - np.float32(rise * along), out=blocked)
    dark = np.minimum(blocked * np.float32(25), 1)
    return np.asarray(1 - blur(dark, light.shadow_soft * scale * 0.5), np.float32)


def crevices(height: F32, scale: float) -> F32:
    """Share of the room's light that reaches each place past its neighbours, (h, w)."""
    dip = np.maximum(blur(height, 0.08 * scale) - height, 0) * 2.2 + np.maximum(blur(height, 0.3 * scale) - height, 0) * 1.2
    return np.asarray(1 / (1 + dip), np.float32)


def normals(atlas: Atlas, at: Window) -> Three:
    """Unit normals of the tops (col, row, up) of a window, each (h, w); walls are left out."""
    relief = np.ascontiguousarray(atlas.relief[at])
    gx = cv2.Scharr(relief, cv2.CV_32F, 1, 0) * np.float32(atlas.scale / 32.0) + atlas.sway_x[at]
    gy = cv2.Scharr(relief, cv2.CV_32F, 0, 1) * np.float32(atlas.scale / 32.0) + atlas.sway_y[at]
    np.clip(gx, -1.2, 1.2, out=gx)
    np.clip(gy, -1.2, 1.2, out=gy)
    inverse = 1 / np.sqrt(1 + gx * gx + gy * gy)
    return -gx * inverse, -gy * inverse, inverse


def mirror(light: Light, point: tuple[F32, F32], view: Three, normal: Three, rough: F32, base: F32) -> F32:
    """(h, w, 3) light mirrored to the camera; `base` is the reflectance seen straight on."""
    facing = view[0] * normal[0] + view[1] * normal[1] + view[2] * normal[2]
    twice = 2 * facing
    ray = (twice * normal[0] - view[0], twice * normal[1] - view[1], twice * normal[2] - view[2])
    away = 1 - np.clip(facing, 0, 1)
    fresnel = base + (1 - base) * (1 - rough) * (away * away) ** 2 * away
    total = light.room * np.clip(0.55 + 0.45 * ray[2], 0, 1)[..., None]
    for lamp in light.lamps:
        total += lamp.radiance * lamp.mirrored(point, ray, rough)[..., None]
    return np.asarray(total * fresnel[..., None], np.float32)


def bounced(atlas: Atlas) -> F32:
    """(h, w, 3) mean colour of the pieces around each place: what their walls throw on an empty cell."""
    small = (atlas.base.shape[1] // 4, atlas.base.shape[0] // 4)
    piece = (atlas.material == PIECE).astype(np.float32)
    color, share = resized(atlas.albedo * piece[..., None], small, cv2.INTER_AREA), resized(piece, small, cv2.INTER_AREA)
    reach = 0.6 * atlas.scale / 4
    mean = blur(color, reach) / (blur(share, reach) + np.float32(0.05))[..., None]
    return resized(mean, (atlas.base.shape[1], atlas.base.shape[0]))


def outward(height: F32, scale: int) -> tuple[F32, F32]:
    """Horizontal directions (col, row) that the walls near each place face, each (h, w)."""
    soft = blur(height, 0.05 * scale)
    ox, oy = -cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3), -cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3)
    inverse = 1 / (np.sqrt(ox * ox + oy * oy) + np.float32(1e-4))
    return np.asarray(ox * inverse, np.float32), np.asarray(oy * inverse, np.float32)


def falling(light: Light, gx: F32, gy: F32, n: Three, wall: tuple[F32, F32], sky: F32, lit: F32, size: int) -> tuple[F32, F32]:
    """(h, w, 3) light falling on tops and on walls."""
    spread = light.field(gx, gy, size)
    top = light.ambient * (sky * (0.75 + 0.25 * n[2]) * spread)[..., None]
    side = light.ambient * (0.5 * spread)[..., None]
    middle = np.array([size / 2, size / 2, 0])
    for lamp in light.lamps:
        tx, ty, tz = float(lamp.at[0]) - gx, float(lamp.at[1]) - gy, float(lamp.at[2])
        square = tx * tx + ty * ty + tz * tz
        fall = float(np.linalg.norm(lamp.at - middle)) ** 2 / (square * np.sqrt(square))
        top += lamp.diffuse * (np.maximum(n[0] * tx + n[1] * ty + n[2] * tz, 0) * fall * (0.35 + 0.65 * lit))[..., None]
        side += lamp.diffuse * (np.maximum(wall[0] * tx + wall[1] * ty, 0) * fall)[..., None]
    if light.sun is not None:
        to = light.sun.to.tolist()
        reach = light.sun.mask(gx, gy)
        top += light.sun.color * (np.maximum(n[0] * to[0] + n[1] * to[1] + n[2] * to[2], 0) * lit * reach)[..., None]
        side += light.sun.color * (np.maximum(wall[0] * to[0] + wall[1] * to[1], 0) * reach)[..., None]
    return top, side


def wall_bodies(atlas: Atlas, at: Window) -> F32:
    """(h, w, 3) albedo of the walls near each place: that of the highest things around."""
    k = (max(3, atlas.scale // 6) | 1,) * 2
    raised = np.where(atlas.material[at] >= PIECE, 1.0, 0.02 * (atlas.material[at] == BOARD)).astype(np.float32)
    weight = cv2.boxFilter(raised, cv2.CV_32F, k) + np.float32(1e-5)
    return np.asarray(cv2.boxFilter(atlas.albedo[at] * raised[..., None], cv2.CV_32F, k) / weight[..., None], np.float32)


def shade(atlas: Atlas, board: BoardLook, look: PieceLook, light: Light, pose: GridPose) -> Shaded:
    """Colours of all tops and walls of the atlas as the pose's camera sees them."""
    height = atlas.base + atlas.relief
    half, size = halved(height), height.shape[::-1]
    dark = [crevices(half, atlas.scale / 2), cast_shadow(half, atlas.scale / 2, light, atlas.size)]
    sky, lit = (resized(m, size) for m in dark)
    top, wall = np.zeros_like(atlas.albedo), np.zeros_like(atlas.albedo)
    bounce = bounced(atlas)
    x, y = atlas.at()
    eye = pose.camera_position.tolist()
    rough_of = np.array([0.5, board.rough, look.rough, 0.9], np.float32)
    base_of = np.array([0.0, board.shine, look.shine, 0.02], np.float32)
    for at in atlas.windows:
        n, out, bodies = normals(atlas, at), outward(height[at], atlas.scale), wall_bodies(atlas, at)
        glints = metal_glints(atlas, at, pose) if board.metal and len(top[at]) > atlas.size * atlas.scale else None
        for start in range(0, len(bodies), BAND):
            part = slice(start, start + BAND)
            here = np.s_[at[0].start + start : min(at[0].stop, at[0].start + start + BAND), at[1]]
            gx, gy = np.broadcast_arrays(x[here[1]][None], y[here[0]][:, None])
            face, kind = (n[0][part], n[1][part], n[2][part]), atlas.material[here]
            light_top, light_wall = falling(light, gx, gy, face, (out[0][part], out[1][part]), sky[here], lit[here], atlas.size)
            vx, vy, vz = eye[0] - gx, eye[1] - gy, eye[2] - height[here]
            near = 1 / np.sqrt(vx * vx + vy * vy + vz * vz)
            shine = mirror(light, (gx, gy), (vx * near, vy * near, vz * near), face, np.take(rough_of, kind), np.take(base_of, kind))
            if glints is not None:
                shine += glints[part]
            colored = light.ambient * ((1 - sky[here]) * (kind == BOARD))[..., None] * bounce[here]
            top[here] = atlas.albedo[here] * (light_top + colored) + shine * (0.4 + 0.6 * sky[here])[..., None]
            wall[here] = bodies[part] * light_wall
    return Shaded(top, wall, height, np.asarray(sky * (0.4 + 0.6 * lit), np.float32))


def metal_glints(atlas: Atlas, at: Window, pose: GridPose) -> F32:
    """(h, w, 3) light that a metal board mirrors from the pieces beyond each place."""
    eye = pose.camera_position - np.array([atlas.size / 2, atlas.size / 2, 0])
    flat = float(np.hypot(eye[0], eye[1]))
    color = atlas.albedo[at] * (atlas.material[at] == PIECE).astype(np.float32)[..., None]
    if flat < 0.1 * eye[2]:
        return np.zeros_like(color)
    reach = 0.25 * flat / float(eye[2])
    total = np.zeros_like(color)
    for k in range(1, 5):
        shift = eye[:2] / flat * reach * k / 4 * atlas.scale
        total += cv2.warpAffine(color, np.array([[1, 0, shift[0]], [0, 1, shift[1]]]), color.shape[1::-1])
    total = blur(total * np.float32(0.25), 0.06 * atlas.scale)
    return np.asarray(total * ((atlas.material[at] == BOARD) * np.float32(0.45))[..., None], np.float32)
