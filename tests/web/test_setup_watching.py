"""A game that goes on while people change what watches it: corners by hand, another camera, another board."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.store import Store
from referee.options import GameOptions
from referee.table import Table
from vision.frames import BgrImage, Frame
from vision.pictures import read_picture
from vision.viewfinder import Viewfinder
from web.camera_desk import WATCHED, CameraDesk
from web.cli.games import watch_game
from web.cli.output import Printer
from web.following import Following
from web.live import LiveGame
from web.samples import SAMPLE_IMAGES, sample_game

PICTURES = 13  # of the sample game: a foul that is taken back, and six placements
FRAMES = 12  # of each picture, five a second
COLOR = {"B": "blue", "Y": "yellow", "R": "red", "G": "green"}


class Game:
    """The sample game before a camera; another camera sees the same from a little nearer and turned round.

    Attributes:
        at: what happens, by picture, just before it is shown.
        picture: the number of the one shown.
    """

    live = True
    total = None

    def __init__(self, *, turned: bool = False, clock: list[int] | None = None) -> None:
        self.files = sorted(sample_game().glob("*.jpg"))[:PICTURES]
        self.clock = [0] if clock is None else clock
        self.turned = turned
        self.at: dict[int, Callable[[], None]] = {}

    def __iter__(self) -> Iterator[Frame]:
        while self.clock[0] < FRAMES * PICTURES:
            index = self.clock[0]
            number, frame = divmod(index, FRAMES)
            if frame == 0:
                self.at.pop(number, lambda: None)()
            self.clock[0] += 1
            yield Frame(index, index / 5, self.seen(read_picture(self.files[number])))

    def seen(self, picture: BgrImage) -> BgrImage:
        if not self.turned:
            return picture
        nearer = cv2.resize(picture[100:920, 160:1160], None, fx=1.25, fy=1.25)
        return np.asarray(cv2.rotate(nearer, cv2.ROTATE_180), np.uint8)

    def close(self) -> None:
        """It goes on when it is opened again."""


def refereed(tmp_path: Path, prepare: Callable[[Game, Game, CameraDesk, LiveGame], None]) -> list[Mapping[str, Any]]:
    """The events of the game, with what people do at the desk meanwhile."""
    live = LiveGame(Table(GameOptions()))
    first = Game()
    second = Game(turned=True, clock=first.clock)
    viewfinder = Viewfinder(first, "first", lambda spec: {"first": first, "second": second}[spec])
    desk = CameraDesk(Store(tmp_path), lambda: live.table.options.rules, viewfinder)
    prepare(first, second, desk, live)
    told: list[Mapping[str, Any]] = []
    live.listen(told.append)
    watch_game(viewfinder, live, Printer(as_json=True), Following(live=True), desk=desk)
    live.close()
    return told


def named(told: list[Mapping[str, Any]], name: str) -> list[Mapping[str, Any]]:
    return [event for event in told if event["event"] == name]


def played() -> list[tuple[str, list[list[int]]]]:
    """What is placed in those pictures, by the truth."""
    truth = json.loads((SAMPLE_IMAGES / "full_game" / "truth.json").read_text())
    steps = {frame["step"] for frame in truth["frames"][:PICTURES] if frame["settled"] and frame["step"] is not None}
    moves = [step for step in truth["steps"] if step["kind"] == "move" and step["i"] in steps]
    return [(COLOR[move["added"][0]["color"]], sorted(move["added"][0]["cells"])) for move in moves]


def is_the_game(told: list[Mapping[str, Any]]) -> bool:
    assert [(event["color"], sorted(event["cells"])) for event in named(told, "placement")] == played()
    assert [event["kinds"][0] for event in named(told, "dispute")] == ["not_a_piece"]
    assert [event["how"] for event in named(told, "resolved")] == ["return"]
    assert not named(told, "question")
    assert not named(told, "corrected")
    return True


def test_corners_given_in_the_middle_of_a_game_change_nothing_else(tmp_path: Path) -> None:
    used: list[str] = []

    def prepare(first: Game, _second: Game, desk: CameraDesk, _live: LiveGame) -> None:
        def give() -> None:
            look = desk.look(WATCHED)
            assert look.check.corners_px is not None
            placed = desk.place(look.number, [[x + 4, y - 5] for x, y in look.check.corners_px])
            used.append(desk.use(placed.number))

        first.at = {8: give}

    assert is_the_game(refereed(tmp_path, prepare))
    assert used == ["These corners hold until the program ends."]


def test_another_camera_takes_over_in_the_middle_of_a_game(tmp_path: Path) -> None:
    asking: list[threading.Thread] = []

    def prepare(first: Game, _second: Game, desk: CameraDesk, _live: LiveGame) -> None:
        viewfinder = desk._viewfinder
        assert viewfinder is not None

        def exchange() -> None:
            asking.append(threading.Thread(target=viewfinder.exchange, args=("second",)))
            asking[0].start()
            viewfinder._due.wait(10)

        first.at = {8: exchange}

    told = refereed(tmp_path, prepare)
    asking[0].join(10)
    assert is_the_game(told)
    assert len(named(told, "board")) == 2


def test_a_new_game_on_another_board_is_looked_for_by_its_size(tmp_path: Path) -> None:
    def prepare(first: Game, _second: Game, _desk: CameraDesk, live: LiveGame) -> None:
        first.at = {3: lambda: _new_game(live)}

    told = refereed(tmp_path, prepare)
    reasons = {event["reason"] for event in named(told, "state") if event["state"] == "no_board"}
    assert any("20 x 20 squares, not 14 x 14" in reason for reason in reasons)


def _new_game(live: LiveGame) -> None:
    live.decide({"decision": "new_game", "variant": "duo"})
