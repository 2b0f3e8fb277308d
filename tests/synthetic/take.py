"""Short films of a stage, frame by frame as they are asked for: people play, and things happen that are no play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Frame, Lost

from .arrays import F32, U8, blur
from .dress import dress
from .games import middle_of, player_hand
from .hand import Hand
from .script import Step
from .sensor import Sensor, exposed
from .shapes import Cell, Placed
from .solids import Solid
from .stage import Offsets, Side, Stage

FPS = 8.0
"""Pictures a second: enough for the motion gate, and few enough to be drawn by the thousand."""

Paint = Callable[[F32], None]
"""Paints over a linear picture: somebody's head, an animal."""

CLEAR_QUALITY = 100
"""Quality of the files at which nothing is lost that could be seen."""


@dataclass(frozen=True, eq=False)
class Sight:
    """All that changes a picture and is no piece. Told apart by identity.

    Attributes:
        gain: of the channels, linear.
        other: another light, and how much of it there is: 0 none, 1 nothing else.
        shade: (h, w) factors of the light, such as a shadow's.
        glare: (h, w) light added over everything, such as a lamp's mirror image.
        solids: things on or over the board, far ones first.
        blur: standard deviation in px of a picture 1280 wide.
        zoom: how much larger the picture is.
        shake: how far it is moved (px of a picture 1280 wide) and turned (degrees).
        quality: of the JPEG files in which the camera sends it.
        size: how much smaller it is sent.
        turned: quarter turns in which it is sent.
    """

    gain: tuple[float, float, float] = (1.0, 1.0, 1.0)
    other: tuple[Side, float] | None = None
    shade: F32 | None = None
    glare: F32 | None = None
    solids: tuple[Solid, ...] = ()
    blur: float = 0.0
    zoom: float = 1.0
    shake: tuple[float, float, float] = (0.0, 0.0, 0.0)
    quality: int = CLEAR_QUALITY
    size: float = 1.0
    turned: int = 0


PLAIN = Sight()
"""What it looks like when nothing has happened yet."""


@dataclass(eq=False)
class Take:
    """A film in the making.

    Attributes:
        stage: what is filmed.
        rng: for all that is chosen by chance.
        is_ready: whether whoever watches is ready again; None: nobody says.
        placed: what lies on the board.
        side: from where it is seen.
        sight: what it looks like besides.
        pushed: pieces that do not lie where they should.
        away: pieces gone from beside the board.
        time_s: of the next frame.
        index: its number.
        played: the placements made, in order.
        disturbed_s: when the disturbance began and when it was over.
        ready_s: how long after that whoever watches was ready for good; None: it never was.
    """

    stage: Stage
    rng: np.random.Generator
    is_ready: Callable[[], bool] | None = None
    placed: tuple[Placed, ...] = ()
    side: Side = field(init=False)
    sight: Sight = PLAIN
    pushed: Offsets | None = None
    away: int = 0
    time_s: float = 0.0
    index: int = 0
    played: list[Placed] = field(default_factory=list)
    disturbed_s: tuple[float, float] = (0.0, 0.0)
    ready_s: float | None = None
    _last: tuple[tuple[object, ...], U8] | None = None

    def __post_init__(self) -> None:
        """Begin with the stage's first position."""
        self.side, self.placed = self.stage.front, self.stage.game.initial

    @property
    def unit(self) -> float:
        """Pixels of these pictures for one of a picture 1280 wide."""
        return max(self.side.pose.image_wh) / 1280

    def shoot(self, hands: tuple[Hand, ...] = (), paint: Paint | None = None, after_s: float = 1 / FPS, **changes: object) -> Frame:
        """One frame; `changes` hold for it alone."""
        sight = replace(self.sight, **changes) if changes else self.sight  # type: ignore[arg-type]
        return self.frame(self._noisy(self._clean(sight, hands, paint), sight), after_s)

    def frame(self, image_bgr: U8, after_s: float = 1 / FPS) -> Frame:
        """Any picture as the next frame."""
        made = Frame(self.index, self.time_s, image_bgr)
        self.index, self.time_s = self.index + 1, self.time_s + after_s
        return made

    def put(self, **changes: object) -> None:
        """From now on it looks like this."""
        self.sight = replace(self.sight, **changes)  # type: ignore[arg-type]

    def rest(self, seconds: float) -> Iterator[Frame]:
        """Some frames in which nothing happens."""
        for _ in range(max(1, round(seconds * FPS))):
            yield self.shoot()

    def settle(self, least_s: float = 1.6, most_s: float = 12.0) -> Iterator[Frame]:
        """Frames after a disturbance, until whoever watches has been ready for a while."""
        over_s, ready_since = self.time_s, None
        self.disturbed_s = (self.disturbed_s[0], over_s)
        while self.time_s - over_s < most_s:
            yield self.shoot()
            if self.is_ready is None or not self.is_ready():
                ready_since = None
            elif ready_since is None:
                ready_since = self.time_s - 1 / FPS
            if self.time_s - over_s >= least_s and (self.is_ready is None or (ready_since is not None and self.time_s - ready_since > 1.0)):
                break
        self.ready_s = None if ready_since is None else max(0.0, ready_since - over_s)

    def reach(self, hand: Hand, *, out: bool, frames: int, solid: Solid | None = None) -> Iterator[Frame]:
        """The hand comes from its side to its tip, or goes back there, perhaps with a thing in it."""
        tip = np.array(hand.tip)
        start = np.array([*(tip[:2] + np.array([np.cos(hand.from_angle), np.sin(hand.from_angle)]) * 26), 4.0])
        for k in range(frames):
            t = (k + 1) / (frames + 1) if not out else (k + 1) / frames
            t = t * t * (3 - 2 * t)
            at = (tip + (start - tip) * t if out else start + (tip - start) * t) + np.array([0, 0, 2.0 * np.sin(np.pi * t)])
            moved = replace(hand, tip=(float(at[0]), float(at[1]), float(at[2])))
            things = () if solid is None else (replace(solid, at=(moved.tip[0], moved.tip[1]), foot=solid.foot + moved.tip[2]),)
            yield self.shoot((moved,), solids=(*self.sight.solids, *things))

    def lay_down(self, piece: Placed, step: Step, *, out: bool = True) -> Iterator[Frame]:
        """A player brings a piece, lets it go and leaves."""
        hand = player_hand(self.stage.game, step, (*middle_of(piece), 0.45), piece)
        yield from self.reach(hand, out=False, frames=4)
        rng = np.random.default_rng([self.stage.seed, len(self.played), 73])  # the same in all films of a stage, which share its pictures
        for _ in range(int(rng.integers(1, 3))):
            off = rng.normal(0, 0.25, 2)
            yield self.shoot((replace(hand, tip=(hand.tip[0] + float(off[0]), hand.tip[1] + float(off[1]), 0.6)),))
        self.placed = (*self.placed, piece)
        self.played.append(piece)
        if out:
            yield from self.reach(replace(hand, carried=()), out=True, frames=4)

    def play(self, number: int) -> Iterator[Frame]:
        """One of the stage's placements, and a wait that is long enough for a ruling."""
        step = self.stage.steps[number]
        yield from self.lay_down(step.added[0], step)
        yield from self.rest(2.6)

    def _clean(self, sight: Sight, hands: tuple[Hand, ...], paint: Paint | None) -> U8:
        """The picture as developed, before its noise; the last one is kept, and those that other films of the stage show too."""
        key = (self.side, self.placed, self.away, self.pushed, sight, hands)
        if paint is not None:
            return self._developed(sight, hands, paint)
        if self._last is None or not all(a is b for a, b in zip(self._last[0], key, strict=True)):
            self._last = (key, self._common(sight, hands))
        return self._last[1]

    def _common(self, sight: Sight, hands: tuple[Hand, ...]) -> U8:
        if sight is not PLAIN or self.side is not self.stage.front or self.away or self.pushed:
            return self._developed(sight, hands, None)
        key = (self.placed, hands)
        if key not in self.stage.kept:
            self.stage.kept[key] = self._developed(sight, hands, None)
        return self.stage.kept[key]

    def _developed(self, sight: Sight, hands: tuple[Hand, ...], paint: Paint | None) -> U8:
        linear = self.stage.picture(self.side, self.placed, self.pushed, self.away)
        if sight.other is not None:
            other = self.stage.picture(sight.other[0], self.placed, self.pushed, self.away)
            linear = linear + (other - linear) * np.float32(sight.other[1])
        else:
            linear = linear.copy()
        light = self.side.light if sight.other is None or sight.other[1] < 0.5 else sight.other[0].light
        scene = replace(self.stage.scene, pose=self.side.pose, light=light)
        if hands or sight.solids:
            dress(scene, linear, np.random.default_rng([self.stage.seed, 7]), list(sight.solids), list(hands))
        if paint is not None:
            paint(linear)
        if sight.shade is not None:
            linear *= sight.shade[..., None]
        if sight.glare is not None:
            linear += sight.glare[..., None]
        linear *= np.array(sight.gain, np.float32)
        return exposed(self._moved(linear, sight), self.stage.game.sensor)

    def _moved(self, linear: F32, sight: Sight) -> F32:
        """What shakes, breathes and is out of focus."""
        if sight.shake != (0.0, 0.0, 0.0) or sight.zoom != 1.0:
            w, h = self.side.pose.image_wh
            move = np.asarray(cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), sight.shake[2], sight.zoom), np.float64)
            move[:, 2] += np.array(sight.shake[:2]) * self.unit
            linear = np.asarray(cv2.warpAffine(linear, move, (w, h), borderMode=cv2.BORDER_REPLICATE), np.float32)
        return blur(linear, sight.blur * self.unit)

    def _noisy(self, clean: U8, sight: Sight) -> U8:
        """The picture with its noise, as the camera sends it."""
        h, w = clean.shape[:2]
        field = noise(w, h, level(self.stage.game.sensor))
        y, x = (int(v) for v in self.rng.integers(0, SPARE, 2))
        image = np.asarray(cv2.add(clean, field[y : y + h, x : x + w], dtype=cv2.CV_8U), np.uint8)
        if sight.size != 1.0:
            image = np.asarray(cv2.resize(image, None, fx=sight.size, fy=sight.size, interpolation=cv2.INTER_AREA), np.uint8)
        if sight.quality < CLEAR_QUALITY:
            packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, sight.quality])[1]
            image = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
        return np.ascontiguousarray(np.rot90(image, sight.turned))


SPARE = 96
"""Pixels by which the noise kept is larger than a picture: each frame takes another part of it."""


def level(sensor: Sensor) -> float:
    """Standard deviation of the noise in grey levels, about, on a board of middling brightness; in steps of a quarter."""
    linear = float(np.sqrt(0.3 * sensor.shot + sensor.read**2))
    return round(4 * 255 * linear * 0.85) / 4


@cache
def noise(width: int, height: int, deviation: float) -> NDArray[np.int16]:
    """Noise somewhat larger than a picture, smoothed a little as cameras do."""
    rng = np.random.default_rng([width, height, 17])
    rough = rng.standard_normal((height + SPARE, width + SPARE, 3), dtype=np.float32)
    return np.round((0.55 * rough + 0.9 * blur(rough, 0.9)) * deviation).astype(np.int16)


def free_of(cells: Iterable[Cell], placed: Iterable[Placed]) -> bool:
    """Whether nothing lies on the cells."""
    taken = {cell for piece in placed for cell in piece.cells}
    return not taken & set(cells)


__all__ = ["FPS", "Frame", "Lost", "Sight", "Take", "free_of"]
