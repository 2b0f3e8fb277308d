"""From an atlas, a light and a pose to a picture in linear light: shading from above, then rays marched over it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.pose import GridPose

from .arrays import F32, blur
from .atlas import BOARD, PAPER, PIECE, TABLE, Atlas
from .camera import FAR, ground
from .light import Light
from .looks import BoardLook, PieceLook
from .tables import Table


@dataclass(frozen=True)
class Shaded:
    """An atlas under light: colours of the tops and of the walls (h, w, 3) linear BGR, shade on the table (h, w)."""

    top: F32
    wall: F32
    height: F32
    shade: F32


def cast_shadow(atlas: Atlas, light: Light) -> F32:
    """Share of the main light that reaches each place of the atlas past what stands in its way, (h, w)."""
    to = light.main_direction(atlas.size)
    flat = float(np.hypot(to[0], to[1]))
    height = atlas.base + atlas.relief
    if flat < 0.05:
        return np.ones_like(height)
    rise = float(to[2]) / flat
    tall = float(height.max() - height.min())
    reach = min(tall / max(rise, 0.15), 4.0)
    steps = int(np.clip(reach * atlas.scale / 2.5, 4, 16))
    blocked = np.zeros_like(height)
    for k in range(1, steps + 1):
        along = reach * k / steps
        dx, dy = to[0] / flat * along * atlas.scale, to[1] / flat * along * atlas.scale
        move = np.array([[1, 0, -dx], [0, 1, -dy]], np.float64)
        other = cv2.warpAffine(height, move, height.shape[::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        over = other - height - np.float32(rise * along)
        np.maximum(blocked, over, out=blocked)
    dark = np.clip(blocked / 0.04, 0, 1).astype(np.float32)
    return np.asarray(1 - blur(dark, light.shadow_soft * atlas.scale * 0.5), np.float32)


def crevices(height: F32, scale: int) -> F32:
    """Share of the room's light that reaches each place past its neighbours, (h, w)."""
    small = cv2.resize(height, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    near, wide = blur(small, 0.08 * scale), blur(small, 0.3 * scale)
    size = height.shape[::-1]
    near, wide = (np.asarray(cv2.resize(m, size, interpolation=cv2.INTER_LINEAR)) for m in (near, wide))
    dip = np.maximum(near - height, 0) * 2.2 + np.maximum(wide - height, 0) * 1.2
    return np.asarray(1 / (1 + dip), np.float32)


def normals(atlas: Atlas) -> tuple[F32, F32, F32]:
    """Unit normals of the tops (col, row, up), each (h, w); walls are left out."""
    gx = cv2.Scharr(atlas.relief, cv2.CV_32F, 1, 0) * (atlas.scale / 32.0) + atlas.sway_x
    gy = cv2.Scharr(atlas.relief, cv2.CV_32F, 0, 1) * (atlas.scale / 32.0) + atlas.sway_y
    np.clip(gx, -1.2, 1.2, out=gx)
    np.clip(gy, -1.2, 1.2, out=gy)
    inverse = 1 / np.sqrt(1 + gx * gx + gy * gy)
    return -gx * inverse, -gy * inverse, inverse


def mirror(light: Light, point: tuple[F32, F32], view: tuple[F32, F32, F32], normal: tuple[F32, F32, F32], rough: F32, base: F32) -> F32:
    """(h, w, 3) light mirrored to the camera; `base` is the reflectance seen straight on."""
    facing = view[0] * normal[0] + view[1] * normal[1] + view[2] * normal[2]
    ray = tuple(2 * facing * n - v for n, v in zip(normal, view, strict=True))
    fresnel = base + (1 - base) * (1 - rough) * (1 - np.clip(facing, 0, 1)) ** 5
    total = light.room * np.clip(0.55 + 0.45 * ray[2], 0, 1)[..., None]
    for lamp in light.lamps:
        total = total + lamp.radiance * lamp.mirrored(point, (ray[0], ray[1], ray[2]), rough)[..., None]
    return np.asarray(total * fresnel[..., None], np.float32)


def shade(atlas: Atlas, board: BoardLook, look: PieceLook, light: Light, pose: GridPose) -> Shaded:
    """Colours of all tops and walls of the atlas as the pose's camera sees them."""
    x, y = atlas.at()
    gx, gy = np.broadcast_to(x[None], atlas.base.shape), np.broadcast_to(y[:, None], atlas.base.shape)
    height = atlas.base + atlas.relief
    n = normals(atlas)
    open_sky, lit = crevices(height, atlas.scale), cast_shadow(atlas, light)
    spread = light.field(gx, gy, atlas.size)
    irradiance = light.ambient * (open_sky * (0.75 + 0.25 * n[2]) * spread)[..., None]
    wall_light = light.ambient * (0.5 * spread)[..., None]
    slope = blur(height, 0.05 * atlas.scale)
    ox, oy = -cv2.Sobel(slope, cv2.CV_32F, 1, 0, ksize=3), -cv2.Sobel(slope, cv2.CV_32F, 0, 1, ksize=3)
    length = np.hypot(ox, oy) + 1e-4
    ox, oy = ox / length, oy / length
    for lamp in light.lamps:
        tx, ty, tz = float(lamp.at[0]) - gx, float(lamp.at[1]) - gy, float(lamp.at[2])
        far = np.sqrt(tx * tx + ty * ty + tz * tz)
        fall = (float(np.linalg.norm(lamp.at - np.array([atlas.size / 2, atlas.size / 2, 0]))) / far) ** 2 / far
        face = np.maximum(n[0] * tx + n[1] * ty + n[2] * tz, 0) * fall * (0.35 + 0.65 * lit)
        irradiance = irradiance + lamp.diffuse * face[..., None]
        wall_light = wall_light + lamp.diffuse * (np.maximum(ox * tx + oy * ty, 0) * fall)[..., None]
    if light.sun is not None:
        to = light.sun.to.tolist()
        reach = light.sun.mask(gx, gy)
        irradiance = irradiance + light.sun.color * (np.maximum(n[0] * to[0] + n[1] * to[1] + n[2] * to[2], 0) * lit * reach)[..., None]
        wall_light = wall_light + light.sun.color * (np.maximum(ox * to[0] + oy * to[1], 0) * reach)[..., None]
    eye = pose.camera_position.tolist()
    vx, vy, vz = eye[0] - gx, eye[1] - gy, eye[2] - height
    far = np.sqrt(vx * vx + vy * vy + vz * vz)
    rough = np.choose(atlas.material, np.array([0.5, board.rough, look.rough, 0.9], np.float32)).astype(np.float32)
    base = np.choose(atlas.material, np.array([0.0, board.shine, look.shine, 0.02], np.float32)).astype(np.float32)
    shine = mirror(light, (gx, gy), (vx / far, vy / far, vz / far), n, rough, base)
    if board.metal:
        shine = shine + metal_glints(atlas, pose, shine)
    top = atlas.albedo * irradiance + shine * (0.4 + 0.6 * open_sky)[..., None]
    k = (max(3, atlas.scale // 6) | 1,) * 2
    raised = np.where(atlas.material >= PIECE, 1.0, 0.02 * (atlas.material == BOARD)).astype(np.float32)
    weight = cv2.boxFilter(raised, cv2.CV_32F, k) + 1e-5
    body = cv2.boxFilter(atlas.albedo * raised[..., None], cv2.CV_32F, k) / weight[..., None]
    table_shade = open_sky * (0.4 + 0.6 * lit)
    return Shaded(np.asarray(top, np.float32), np.asarray(body * wall_light, np.float32), height, np.asarray(table_shade, np.float32))


def metal_glints(atlas: Atlas, pose: GridPose, shine: F32) -> F32:
    """(h, w, 3) colour that a metal board mirrors from the pieces beyond each place, added to its shine."""
    eye = pose.camera_position - np.array([atlas.size / 2, atlas.size / 2, 0])
    flat = float(np.hypot(eye[0], eye[1]))
    if flat < 0.1 * eye[2]:
        return np.zeros_like(shine)
    piece = (atlas.material == PIECE).astype(np.float32)
    color = atlas.albedo * piece[..., None]
    reach = 0.25 * flat / float(eye[2])
    total = np.zeros_like(shine)
    for k in range(1, 5):
        shift = -eye[:2] / flat * reach * k / 4 * atlas.scale
        move = np.array([[1, 0, -shift[0]], [0, 1, -shift[1]]])
        total += cv2.warpAffine(color, move, color.shape[1::-1])
    total = blur(total / 4, 0.06 * atlas.scale)
    return np.asarray(total * ((atlas.material == BOARD) * np.float32(0.45))[..., None], np.float32)


def heights_met(shaded: Shaded, atlas: Atlas, eye: tuple[float, float, float], u0: F32, v0: F32, lateral_px: float) -> F32:
    """Height at which each pixel's ray meets the atlas, (h, w); `u0, v0` are its atlas coordinates at height 0.

    Rays are tried at fixed heights from the table up, the highest met counts, then three halvings.
    """
    top, bottom = float(shaded.height.max()) + 0.005, float(shaded.height.min())
    above = int(np.clip(lateral_px * top / 2, 4, 20))
    below = int(np.clip(lateral_px * -bottom / 2.5, 4, 16))
    levels = [*np.linspace(bottom + 0.02, -0.02, below), *np.linspace(0.03, top, above + 1)]
    ue, ve, up = eye
    index = np.zeros(u0.shape, np.uint8)
    for k, z in enumerate(levels, start=1):
        s = 1 - z / up
        met = cv2.remap(shaded.height, cv2.addWeighted(u0, s, u0, 0, ue * z / up), cv2.addWeighted(v0, s, v0, 0, ve * z / up), cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=bottom)
        hit = cv2.compare(met, float(z), cv2.CMP_GE)
        index = cv2.max(index, cv2.bitwise_and(hit, k))
    table = np.array([bottom, *levels, levels[-1]], np.float32)
    low, high = table[index], table[np.minimum(index + 1, len(levels))]
    for _ in range(3):
        z = (low + high) * np.float32(0.5)
        s = 1 - z / np.float32(up)
        met = cv2.remap(shaded.height, u0 * s + z * np.float32(ue / up), v0 * s + z * np.float32(ve / up), cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=bottom)
        hit = met >= z
        low, high = np.where(hit, z, low), np.where(hit, high, z)
    return np.asarray(low, np.float32)


def render(atlas: Atlas, shaded: Shaded, table: Table, light: Light, pose: GridPose, supersample: float) -> F32:
    """(h, w, 3) linear BGR picture of the atlas on its table."""
    col, row = ground(pose, supersample)
    ground_seen = col < FAR
    scale, margin = np.float32(atlas.scale), np.float32(atlas.margin)
    u0, v0 = np.clip((col + margin) * scale - 0.5, -3e4, 3e4), np.clip((row + margin) * scale - 0.5, -3e4, 3e4)
    eye = pose.camera_position.tolist()
    lateral = float(np.tan(np.radians(min(78.0, pose.tilt_deg + 15)))) * float(pose.cell_sizes_px().max()) * supersample
    at_eye = (atlas.pixels(eye[0]), atlas.pixels(eye[1]), eye[2])
    z = heights_met(shaded, atlas, at_eye, u0, v0, lateral)
    s = 1 - z / np.float32(eye[2])
    u, v = u0 * s + z * np.float32(at_eye[0] / eye[2]), v0 * s + z * np.float32(at_eye[1] / eye[2])
    border = dict(borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    top = cv2.remap(shaded.top, u, v, cv2.INTER_LINEAR, **border)
    around = cv2.dilate(shaded.height, np.ones((3, 3), np.uint8))
    bottom = np.float32(shaded.height.min())
    over = cv2.remap(around, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=float(bottom))
    is_wall = np.clip((over - z - 0.05) / 0.03, 0, 1) * (over > z)
    wall = cv2.remap(shaded.wall, u, v, cv2.INTER_LINEAR, **border)
    tall = np.clip((z - bottom) / np.maximum(over - bottom, 0.05), 0, 1) * 0.5 + 0.5
    colors = top + (wall * tall[..., None] - top) * is_wall[..., None]
    stuff = cv2.remap(np.asarray(atlas.material != TABLE, np.float32), u, v, cv2.INTER_LINEAR, **border)
    stuff = np.maximum(np.clip(stuff * 2 - 0.5, 0, 1), is_wall)
    shadow = cv2.remap(shaded.shade, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=1)
    drop = 1 - bottom / np.float32(eye[2])
    tcol, trow = col * drop + np.float32(eye[0]) * (1 - drop), row * drop + np.float32(eye[1]) * (1 - drop)
    under = table.seen(tcol, trow, ground_seen, light, pose) * shadow[..., None]
    picture = under + (colors - under) * stuff[..., None]
    return np.asarray(cv2.resize(picture, pose.image_wh, interpolation=cv2.INTER_AREA), np.float32)


__all__ = ["PAPER", "Shaded", "render", "shade"]
