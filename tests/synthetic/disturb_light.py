"""Disturbances of the light: lamps, the sun, shadows, what mirrors them, and what a camera makes of it by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from .arrays import F32, blur, kelvin, resized
from .light import along, lamp, random_sun
from .stage import Side
from .take import FPS, PLAIN, Frame, Take

Gain = tuple[float, float, float]


def gained(gain: Gain, factor: float, tint: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Gain:
    """Gains times a factor and a tint."""
    b, g, r = (one * factor * channel for one, channel in zip(gain, tint, strict=True))
    return (b, g, r)


def fading(take: Take, factor: float, seconds: float, tint: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Iterator[Frame]:
    """The light changes evenly to so many times what it is."""
    first, frames = take.sight.gain, max(1, round(seconds * FPS))
    for k in range(frames):
        t = (k + 1) / frames
        now = tuple(float(c**t) for c in tint)
        take.put(gain=gained(first, factor**t, (now[0], now[1], now[2])))
        yield take.shoot()


def ceiling_lamp(take: Take) -> Iterator[Frame]:
    """The light of the whole room is switched, and stays so."""
    tint = take.rng.normal(0, 0.04, 3)
    factor = float(np.exp(take.rng.uniform(0.25, 0.6) * take.rng.choice([-1, 1])))
    yield from fading(take, factor, float(take.rng.uniform(0.1, 0.7)), (float(np.exp(tint[0])), 1.0, float(np.exp(tint[2]))))


def side_lamp(take: Take) -> Iterator[Frame]:
    """A lamp beside the board is switched on and stays on."""
    yield from _blended(take, _with_lamp(take), (0.6, 1.0) if take.rng.random() < 0.5 else (1.0,))


def lamp_on_and_off(take: Take) -> Iterator[Frame]:
    """A lamp beside the board is switched on, and off again some seconds later."""
    yield from _blended(take, _with_lamp(take), (1.0,))
    yield from take.rest(float(take.rng.uniform(1.0, 3.0)))
    take.put(other=None)
    yield take.shoot()
    take.put(gain=PLAIN.gain)
    yield take.shoot()


def _with_lamp(take: Take) -> Side:
    rng, light, size = take.rng, take.side.light, take.stage.scene.kind.size
    angle = float(rng.uniform(0, 2 * np.pi))
    to = along(np.array([np.cos(angle), np.sin(angle), rng.uniform(0.5, 1.5)]), float(rng.uniform(25, 60)))
    aim = np.array([rng.uniform(0.2, 0.8) * size, rng.uniform(0.2, 0.8) * size, 0.25])
    power = (float(rng.uniform(8, 40)), float(rng.uniform(0.3, 0.9)))
    one = lamp(aim, to, (float(rng.uniform(1, 4)), float(rng.uniform(1, 4))), power, kelvin(float(rng.uniform(2700, 4500))), upright=False)
    return take.stage.seen_from(take.side.pose, replace(light, lamps=(*light.lamps, one)))


def sunbeam(take: Take) -> Iterator[Frame]:
    """The sun comes out, and its hard edge lies over the board; it stays, or goes again."""
    rng, light, size = take.rng, take.side.light, take.stage.scene.kind.size
    aim = np.array([rng.uniform(0.2, 0.8) * size, rng.uniform(0.2, 0.8) * size, 0.25])
    sunny = replace(light, sun=random_sun(rng, aim, float(rng.uniform(0, 2 * np.pi))))
    yield from _blended(take, take.stage.seen_from(take.side.pose, sunny), tuple(np.linspace(0.1, 1, int(rng.integers(4, 12))).tolist()))
    if rng.random() < 0.5:
        yield from take.rest(1.5)
        other, dimmed = take.sight.other, take.sight.gain[0]
        for share in np.linspace(0.9, 0.1, 6).tolist():
            yield take.shoot(other=other and (other[0], share), gain=gained(PLAIN.gain, dimmed**share))
        take.put(other=None, gain=PLAIN.gain)


def _blended(take: Take, side: Side, shares: tuple[float, ...]) -> Iterator[Frame]:
    """Another light comes, and the camera's exposure goes after it."""
    first = take.sight.gain
    before, after = (_brightness(take.stage.picture(one, take.placed)) for one in (take.side, side))
    lag = 0.0
    for share in (*shares, *[shares[-1]] * 4):
        take.put(other=(side, share), gain=gained(first, float((before / (before + (after - before) * lag)) ** 0.85)))
        lag += 0.5 * (share - lag)
        yield take.shoot()


def _brightness(picture: F32) -> float:
    """What a camera meters."""
    return float(np.minimum(picture[::8, ::8].max(-1), 2).mean())


def cloud(take: Take) -> Iterator[Frame]:
    """A cloud passes: the light sinks to about half and comes back."""
    factor = float(take.rng.uniform(0.4, 0.75))
    yield from fading(take, factor, float(take.rng.uniform(1, 3)), (1.05, 1.0, 0.96))
    yield from take.rest(float(take.rng.uniform(0.5, 1.5)))
    yield from fading(take, 1 / factor, float(take.rng.uniform(1, 3)), (1 / 1.05, 1.0, 1 / 0.96))


def flash(take: Take) -> Iterator[Frame]:
    """Somebody takes photographs with a flash."""
    for _ in range(int(take.rng.integers(1, 4))):
        for _ in range(int(take.rng.integers(1, 3))):
            yield take.shoot(gain=gained(take.sight.gain, float(take.rng.uniform(2, 6)), (1.1, 1.0, 0.95)))
        yield from take.rest(float(take.rng.uniform(0.1, 0.8)))


def dark_room(take: Take) -> Iterator[Frame]:
    """The light goes out and comes on again after some seconds."""
    dim = float(take.rng.choice([0.0, 0.002, take.rng.uniform(0.005, 0.05)]))
    for _ in range(int(take.rng.integers(8, 28))):
        yield take.shoot(gain=gained(take.sight.gain, dim))


def white_balance(take: Take) -> Iterator[Frame]:
    """The camera balances its white anew, at once or within a second, and stays so."""
    tint = np.exp(take.rng.uniform(0.06, 0.18, 2) * take.rng.choice([-1, 1]) * np.array([1, -1]))
    yield from fading(take, 1.0, float(take.rng.choice([0.1, 1.0])), (float(tint[0]), 1.0, float(tint[1])))


def exposure(take: Take) -> Iterator[Frame]:
    """The camera's exposure pumps up and down before it is steady again."""
    size, period = float(take.rng.uniform(0.25, 0.6)), float(take.rng.uniform(0.6, 2.0))
    for k in range(int(take.rng.integers(16, 32))):
        t = k / FPS
        yield take.shoot(gain=gained(take.sight.gain, float(np.exp(size * np.exp(-0.6 * t) * np.sin(2 * np.pi * t / period)))))


def flicker(take: Take) -> Iterator[Frame]:
    """A lamp's flicker runs through the pictures as bands, as long as they are taken."""
    w, h = take.side.pose.image_wh
    depth, bands = float(take.rng.uniform(0.04, 0.14)), float(take.rng.uniform(0.7, 2.5))
    speed = float(take.rng.uniform(0.05, 0.6))
    y = np.linspace(0, 2 * np.pi * bands, h, dtype=np.float32)[:, None]
    for k in range(28):
        yield take.shoot(shade=np.broadcast_to(1 + depth * np.sin(y + 2 * np.pi * speed * k), (h, w)).astype(np.float32))


def head_shadow(take: Take) -> Iterator[Frame]:
    """Somebody bends over: the soft shadow of a head lies over the board for a while."""
    rng = take.rng
    n, depth = take.stage.scene.kind.size, float(rng.uniform(0.25, 0.6))
    angle, soft = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.01, 0.04))
    reach, radius = float(rng.uniform(0, 0.45)) * n, float(rng.uniform(4, 7))
    way = [*np.linspace(1.2, 1, 5).tolist(), *[1.0] * int(rng.integers(8, 20)), *np.linspace(1, 1.3, 5).tolist()]
    still: dict[float, F32] = {}
    for place in way:
        far = reach + (place - 1) * 4 * n
        at = (n / 2 + far * np.cos(angle), n / 2 + far * np.sin(angle))
        if place not in still:
            still[place] = _shadow(take, at, radius, angle, soft, depth)
        yield take.shoot(shade=still[place])


def _shadow(take: Take, at: tuple[float, float], radius: float, angle: float, soft: float, depth: float) -> F32:
    """(h, w) factors: a head at a board point, and shoulders behind it."""
    w, h = take.side.pose.image_wh
    rows, cols = np.mgrid[0:h:4, 0:w:4].astype(np.float64)
    board = take.side.pose.unproject(np.stack([cols, rows], -1))
    away = np.hypot(board[..., 0] - at[0], board[..., 1] - at[1]) < radius
    behind = (at[0] + 1.7 * radius * np.cos(angle), at[1] + 1.7 * radius * np.sin(angle))
    dx, dy = board[..., 0] - behind[0], board[..., 1] - behind[1]
    along_it, across = dx * np.cos(angle) + dy * np.sin(angle), -dx * np.sin(angle) + dy * np.cos(angle)
    body = (along_it > 0) & (np.abs(across) < 2.2 * radius)
    dark = blur((away | body).astype(np.float32), soft * w / 4)
    return 1 - np.float32(depth) * resized(dark, (w, h))


def mirror_image(take: Take) -> Iterator[Frame]:
    """Something that shines, a watch or a phone, throws a bright spot on some cells for a while."""
    rng, (w, h) = take.rng, take.side.pose.image_wh
    n = take.stage.scene.kind.size
    cell = float(np.median(take.side.pose.cell_sizes_px()))
    at, step = rng.uniform(0.15, 0.85, 2) * n, rng.normal(0, 0.5, 2)
    size, power = rng.uniform(0.5, 1.6, 2) * cell, float(rng.choice([rng.uniform(0.15, 0.5), rng.uniform(1, 5)]))
    frames = int(rng.integers(10, 26))
    for k in range(frames):
        rests = frames // 3 < k < 2 * frames // 3
        at = at if rests else at + step
        x, y = take.side.pose.project(at)
        rows, cols = np.mgrid[0:h, 0:w].astype(np.float32)
        spot = np.exp(-(((cols - np.float32(x)) / np.float32(size[0])) ** 4) - ((rows - np.float32(y)) / np.float32(size[1])) ** 4)
        yield take.shoot(glare=spot * np.float32(power))
