"""Disturbances of the camera and of where the board is: knocks and nudges, focus, and all that goes wrong on the way of a picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import cv2
import numpy as np

from calibration.pose import FloatArray

from .arrays import F32, U8, cloud
from .dress import random_hand
from .games import nudged
from .hand import Hand
from .stage import Side
from .take import CLEAR_QUALITY, FPS, Frame, Lost, Take

Shown = Frame | Lost


def knock(take: Take) -> Iterator[Shown]:
    """Somebody knocks at the table: the picture shakes for half a second."""
    size = float(take.rng.uniform(1, 4))
    for k in range(int(take.rng.integers(4, 8))):
        x, y = take.rng.normal(0, size * 0.7**k, 2)
        yield take.shoot(shake=(float(x), float(y), 0.0))


def shaky_table(take: Take) -> Iterator[Shown]:
    """The table shakes a little all the time, as long as somebody's knee moves."""
    size = float(take.rng.uniform(0.4, 1.5))
    for _ in range(28):
        x, y = take.rng.normal(0, size, 2)
        yield take.shoot(shake=(float(x), float(y), float(take.rng.normal(0, 0.03))))


def nudge(take: Take) -> Iterator[Shown]:
    """The camera is pushed by some millimetres and a degree, and stays there."""
    take.side = take.stage.seen_from(nudged(take.side.pose, take.rng), take.side.light)
    for _ in range(int(take.rng.integers(1, 4))):
        x, y = take.rng.normal(0, 3, 2)
        yield take.shoot(shake=(float(x), float(y), 0.0))


def carried(take: Take) -> Iterator[Shown]:
    """The board is pulled to another place of the picture, and turned a little."""
    turn = float(take.rng.uniform(6, 35) * take.rng.choice([-1, 1]))
    yield from _carry(take, take.stage.carried(take.rng, turn))


def turned_board(take: Take) -> Iterator[Shown]:
    """The board is turned by a quarter or a half, so that another player has it before them."""
    turn = float(take.rng.choice([90, 180, 270]) + take.rng.normal(0, 5))
    yield from _carry(take, take.stage.carried(take.rng, turn))


def _carry(take: Take, there: Side) -> Iterator[Shown]:
    """Two hands at the rim take the board from where it is to where it will be; seen from above, the picture turns with it."""
    here, n = take.side, take.stage.scene.kind.size
    one, other = random_hand(take.stage.scene, take.rng), random_hand(take.stage.scene, take.rng)
    grips = [replace(one, carried=(), tip=(-0.5, n / 2, 0.4), from_angle=np.pi, open=0.3)]
    grips.append(replace(other, carried=(), tip=(n + 0.5, n / 2, 0.4), from_angle=0.0, open=0.3, skin=one.skin, sleeve=one.sleeve))
    for hand in grips:
        yield from islice(take.reach(hand, out=False, frames=3), 2)
    (first, from_deg), (last, to_deg) = (_lie(side.pose.corners_px) for side in (here, there))
    turn = (to_deg - from_deg + 180) % 360 - 180
    frames = int(take.rng.integers(5, 10))
    for k in range(1, frames):
        t = k / frames
        t = t * t * (3 - 2 * t)
        late = t > 0.5
        take.side = there if late else here
        share = t - 1 if late else t
        yield _swung(take, tuple(grips), last if late else first, (last - first) * share, turn * share)
    take.side = there
    yield take.shoot(tuple(grips))
    for hand in grips:
        yield from islice(take.reach(hand, out=True, frames=3), 2)


def _lie(corners: FloatArray) -> tuple[FloatArray, float]:
    """The middle of a board in the picture, and the direction of its top side in degrees."""
    side = corners[1] - corners[0]
    return corners.mean(0), float(np.degrees(np.arctan2(side[1], side[0])))


def _swung(take: Take, hands: tuple[Hand, ...], about: FloatArray, shift: FloatArray, turn_deg: float) -> Frame:
    """A frame turned about a point and shifted, as the board is while it is carried."""
    image = take.shoot(hands, blur=1.5).image_bgr
    take.index, take.time_s = take.index - 1, take.time_s - 1 / FPS
    move = np.asarray(cv2.getRotationMatrix2D((float(about[0]), float(about[1])), -turn_deg, 1.0), np.float64)
    move[:, 2] += shift
    size = image.shape[1::-1]
    return take.frame(np.asarray(cv2.warpAffine(image, move, size, borderMode=cv2.BORDER_REPLICATE), np.uint8))


def turned_phone(take: Take) -> Iterator[Shown]:
    """The phone is turned, and from one picture to the next they come in another orientation."""
    for k in range(3):
        yield take.shoot(shake=(4.0 * k, -3.0 * k, 1.5 * k), blur=1.0 * k)
    take.put(turned=int(take.rng.integers(1, 4)))
    yield take.shoot()


def focus_hunting(take: Take) -> Iterator[Shown]:
    """The camera looks for its focus, and its picture breathes with it."""
    size, breath = float(take.rng.uniform(2, 7)), float(take.rng.normal(0, 0.015))
    frames, turns = int(take.rng.integers(10, 24)), int(take.rng.integers(1, 4))
    for k in range(frames):
        t = abs(float(np.sin(np.pi * turns * (k + 1) / (frames + 1))))
        yield take.shoot(blur=size * t, zoom=1 + breath * t)


def breathing(take: Take) -> Iterator[Shown]:
    """The autofocus goes to and fro a little, and the picture with it, and ends a little elsewhere."""
    size = float(take.rng.uniform(0.004, 0.02) * take.rng.choice([-1, 1]))
    for k in range(20):
        yield take.shoot(zoom=1 + size * float(np.sin(np.pi * k / 6)), blur=0.4 * abs(float(np.sin(np.pi * k / 6))))
    take.put(zoom=1 + size / 2)


def out_of_focus(take: Take) -> Iterator[Shown]:
    """The camera is out of focus for longer than anybody waits for it."""
    size = float(take.rng.uniform(2, 6))
    for _ in range(int(take.rng.integers(40, 64))):
        yield take.shoot(blur=size)


def dropped(take: Take) -> Iterator[Shown]:
    """Most pictures get lost for some seconds, with a hand that comes and goes between them."""
    hand = replace(random_hand(take.stage.scene, take.rng), carried=())
    way = [*take.reach(hand, out=False, frames=6), *take.reach(hand, out=True, frames=6)]
    for frame in (*way, *take.rest(2)):
        if take.rng.random() < 0.3:
            yield frame


def frozen(take: Take) -> Iterator[Shown]:
    """The picture stands still to the last dot for some seconds; a hand that was just over the board has left meanwhile."""
    hand = replace(random_hand(take.stage.scene, take.rng), carried=())
    *way, last = islice(take.reach(hand, out=False, frames=6), int(take.rng.integers(1, 7)))
    yield from (*way, last)
    for _ in range(int(take.rng.integers(16, 40))):
        yield take.frame(last.image_bgr)


def unplugged(take: Take) -> Iterator[Shown]:
    """The camera gives nothing for half a minute; put back, it sees the board from nearly the same place."""
    for _ in range(3):
        take.time_s += 10
        yield Lost("no picture from the camera", take.time_s)
    if take.rng.random() < 0.5:
        take.side = take.stage.seen_from(nudged(take.side.pose, take.rng), take.side.light)
    yield take.shoot()


def torn(take: Take) -> Iterator[Shown]:
    """Pictures arrive damaged: from some row on they are grey, smeared or those of another place."""
    for _ in range(int(take.rng.integers(2, 5))):
        how, row, steady = str(take.rng.choice(["grey", "smeared", "shifted"])), float(take.rng.uniform(0.2, 0.9)), take.rng.random() < 0.4
        for _ in range(int(take.rng.integers(1, 14 if steady else 4))):
            yield _torn(take, how, row if steady else float(take.rng.uniform(0.2, 0.9)))
        yield from take.rest(float(take.rng.uniform(0.1, 0.6)))


def _torn(take: Take, how: str, row: float) -> Frame:
    made = take.shoot()
    image: U8 = made.image_bgr.copy()
    at = 8 * int(row * len(image) / 8)
    image[at:] = 128 if how == "grey" else image[at] if how == "smeared" else np.roll(image[at:], 97, axis=1)
    return replace(made, image_bgr=image)


def compressed(take: Take) -> Iterator[Shown]:
    """The network is slow: pictures come in files that are far too small, from now on or for a while."""
    take.put(quality=int(take.rng.integers(8, 25)))
    yield from take.rest(3.0)
    if take.rng.random() < 0.5:
        take.put(quality=CLEAR_QUALITY)


def smaller(take: Take) -> Iterator[Shown]:
    """The network is slow: pictures come smaller, from now on or for a while."""
    take.put(size=float(take.rng.uniform(0.75, 0.9)))
    yield from take.rest(3.0)
    if take.rng.random() < 0.5:
        take.put(size=1.0)


def noisy(take: Take) -> Iterator[Shown]:
    """Interference: coarse coloured noise runs through the pictures for some seconds."""
    strength = float(take.rng.uniform(4, 14))
    for k in range(20):
        made = take.shoot()
        grain = cloud(np.random.default_rng([take.stage.seed, k]), made.image_bgr.shape[:2], 5.0)
        rough: F32 = made.image_bgr + strength * grain[..., None]
        yield replace(made, image_bgr=np.clip(rough, 0, 255).astype(np.uint8))
