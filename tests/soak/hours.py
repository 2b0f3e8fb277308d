"""Hours at a table in minutes: the sample game before a camera whose clock runs fast, and how the program's memory grows."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from flask.testing import FlaskClient

from referee.options import GameOptions
from vision.frames import BgrImage, Frame, Lost
from vision.pictures import read_picture
from vision.watch import Watcher
from web import create_app
from web.cli.games import resumed_game
from web.cli.options import Keeping
from web.cli.output import Printer
from web.following import Following, follow
from web.live import LiveGame
from web.samples import sample_game

FRAMES_A_SECOND = 5
"""As many as the motion gate needs; a camera gives more, of which the program takes those it has time for."""

PICTURE_S = 30.0
"""How long a picture of the sample game stays: two turns a minute."""

WARM_UP = 1 / 3
"""Share of the time after which nothing is to grow any more: every cache has its bound by then."""


def resident_bytes() -> int:
    """Memory that this process holds just now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@dataclass
class FastCamera:
    """The pictures of the sample game, each for some time, over and over; a new game begins with each round.

    Attributes:
        hours: how long, on its own clock.
        memory: bytes held by the process, once each minute of that clock.
        refused: what the people could not decide.
    """

    hours: float
    game: LiveGame
    page: FlaskClient
    memory: list[int] = field(default_factory=list)
    rounds: int = 0
    live: bool = True
    total: int | None = None

    def __iter__(self) -> Iterator[Frame | Lost]:
        """The frames; between two pictures somebody loads the page."""
        pictures = [read_picture(path) for path in sorted(sample_game().glob("*.jpg"))]
        index, minute = 0, -1
        while True:
            for picture in pictures:
                for _ in range(round(PICTURE_S * FRAMES_A_SECOND)):
                    time_s = index / FRAMES_A_SECOND
                    if time_s > self.hours * 3600:
                        return
                    if time_s // 60 > minute:
                        minute = int(time_s // 60)
                        self.memory.append(resident_bytes())
                    yield Frame(index, time_s, self._seen(picture, index))
                    index += 1
                self.page.get("/live")
            self.rounds += 1
            self.game.decide({"decision": "new_game"})

    @staticmethod
    def _seen(picture: BgrImage, index: int) -> BgrImage:
        """A picture of its own, as a camera gives it, a little lighter or darker each time."""
        return (picture - (index % 2)).clip(0, 255).astype(picture.dtype)

    def close(self) -> None:
        """Nothing to let go."""


@dataclass(frozen=True)
class Hours:
    """What came of some hours.

    Attributes:
        hours: on the camera's clock.
        took_s: on the real one.
        games: games played.
        events: events told.
        growth: the last third's memory against the second third's, 0.01: one hundredth more.
        peak_bytes: most memory held.
    """

    hours: float
    took_s: float
    games: int
    events: int
    growth: float
    peak_bytes: int


def watch_for_hours(db: str, hours: float) -> Hours:
    """Referee the sample game again and again, kept in a database and shown on a page."""
    begun_s = time.monotonic()
    live = resumed_game(Keeping(db), GameOptions(), Printer(as_json=True))
    told: dict[str, int] = {}

    def count(body: Mapping[str, Any]) -> None:
        told[body["event"]] = told.get(body["event"], 0) + 1

    live.listen(count)
    camera = FastCamera(hours, live, create_app(live).test_client())
    follow(Watcher(camera, live), live, Following(live=True, resumed=False))
    live.close()
    memory = camera.memory[round(len(camera.memory) * WARM_UP) :]
    half = len(memory) // 2
    growth = median(memory[half:]) / median(memory[:half]) - 1
    events = sum(number for name, number in told.items() if name not in ("state", "board"))
    return Hours(hours, time.monotonic() - begun_s, camera.rounds, events, growth, max(camera.memory))
