"""All kinds of disturbances by name, and films of them: somebody plays, something happens that is no play, somebody plays on."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

import numpy as np

from . import disturb_camera as camera
from . import disturb_light as light
from . import disturb_people as people
from .stage import Stage
from .take import Frame, Lost, Take

Disturbance = Callable[[Take], Iterator[Frame | Lost]]

NOTHING = "nothing"
"""The kind of films in which nothing happens: what goes wrong in them is no disturbance's fault."""

KINDS: dict[str, Disturbance] = {
    NOTHING: lambda take: take.rest(1.0),
    "a hand that does nothing": people.hand,
    "a hand that rests for two minutes": people.resting_hand,
    "a sleeve": people.sleeve,
    "people beside the board": people.beside,
    "a piece slid over the board": people.hovering,
    "somebody leans over": people.leaning,
    "a cat": people.cat,
    "a cup comes and goes": people.cup,
    "a cup stays": people.cup_stays,
    "a sheet of paper": people.sheet,
    "a phone over the board": people.phone_over_it,
    "a piece pushed askew": people.jostled,
    "pieces shoved and put right": people.shoved,
    "a piece lifted and put back": people.lifted,
    "second thoughts": people.second_thoughts,
    "two quick moves": people.quick_moves,
    "ceiling lamp": light.ceiling_lamp,
    "side lamp": light.side_lamp,
    "side lamp on and off": light.lamp_on_and_off,
    "sunbeam": light.sunbeam,
    "cloud": light.cloud,
    "flash": light.flash,
    "dark room": light.dark_room,
    "shadow of a head": light.head_shadow,
    "mirror image": light.mirror_image,
    "white balance": light.white_balance,
    "exposure pumps": light.exposure,
    "flicker": light.flicker,
    "knock": camera.knock,
    "shaky table": camera.shaky_table,
    "camera nudged": camera.nudge,
    "board carried": camera.carried,
    "board turned": camera.turned_board,
    "phone turned": camera.turned_phone,
    "focus hunting": camera.focus_hunting,
    "autofocus breathes": camera.breathing,
    "out of focus": camera.out_of_focus,
    "pictures dropped": camera.dropped,
    "picture frozen": camera.frozen,
    "camera unplugged": camera.unplugged,
    "pictures torn": camera.torn,
    "compression": camera.compressed,
    "smaller pictures": camera.smaller,
    "interference": camera.noisy,
}
"""What may happen, each with how it is filmed."""

PLAYED_BY_ITSELF = ("second thoughts", "two quick moves")
"""Kinds in which the next placement is part of what happens."""


def film(take: Take, kind: str) -> Iterator[Frame | Lost]:
    """A placement, the disturbance, and once whoever watches is ready again, another placement."""
    yield from _opening(take)
    take.disturbed_s = (take.time_s, take.time_s)
    yield from KINDS[kind](take)
    yield from take.settle()
    if kind not in PLAYED_BY_ITSELF:
        yield from take.play(1)
    else:
        yield from take.rest(1.2)


def _opening(take: Take) -> Iterator[Frame]:
    """The first placement: the same pictures in all films of a stage."""
    first = [take.stage.kept[key] for key in _numbers(take)]
    if not first:
        made = Take(take.stage, np.random.default_rng([take.stage.seed, 75]))
        for frame in (*made.rest(1.4), *made.play(0)):
            take.stage.kept["opening", frame.index] = frame.image_bgr
        first = [take.stage.kept[key] for key in _numbers(take)]
    step = take.stage.steps[0]
    yield from (take.frame(image) for image in first)
    take.placed, take.played = step.after, [step.added[0]]


def _numbers(take: Take) -> Iterator[tuple[str, int]]:
    k = 0
    while ("opening", k) in take.stage.kept:
        yield ("opening", k)
        k += 1


def take_of(stage: Stage, kind: str, is_ready: Callable[[], bool] | None = None) -> Take:
    """A film to be made; the same again for the same stage and kind, as far as whoever watches is ready at the same time."""
    return Take(stage, np.random.default_rng([stage.seed, zlib.crc32(kind.encode())]), is_ready)
