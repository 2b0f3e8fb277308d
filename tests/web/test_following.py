"""From the watcher's items to the live game: each goes where it belongs, before the next is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.sightings import Change, Sighting
from vision.items import BoardFound, CameraState, Item, Progress, Seen, StartSeen
from web.following import Following, follow


class Script:
    """A watcher that tells what it was given, then stands at frame 9."""

    frame = 9
    time_s = 0.9

    def __init__(self, *items: Item) -> None:
        self.items = items

    def run(self) -> Iterator[Item]:
        yield from self.items

    def shot(self) -> None:
        """It has no picture."""


class Notes:
    """A live game that writes down what it is told; a new one begins with the frame `new_game_at`."""

    def __init__(self, new_game_at: int | None = None) -> None:
        self.told: list[tuple[str, Any]] = []
        self.game_number = 1
        self.new_game_at = new_game_at

    def board(self, *_: Any, frame: int | None, **options: Any) -> None:
        self.told.append(("board", ((), options)))
        self.game_number += frame == self.new_game_at

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **options: self.told.append((name, (args, options)))

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.told]


BOARD = BoardFound(((0, 0), (9, 0), (9, 9), (0, 9)), 20, 20, 0, 0.0)
START = StartSeen(("." * 20,) * 20, frozenset(), 0, 0.0, {"f0": b"jpeg"})
SEEN = Seen(Sighting.sure(Change(frozenset({((0, 0), "blue")}), frozenset()), frame=4), {"f4": b"jpeg"})


def followed(*items: Item, how: Following | None = None) -> Notes:
    notes = Notes()
    follow(Script(*items), notes, how or Following())  # type: ignore[arg-type]  # stand-ins of the same shape
    return notes


def test_items_reach_the_game_in_order() -> None:
    notes = followed(CameraState("ready", "", 0, 0.0), BOARD, START, SEEN, Progress(5, 10, 5, 0.5))
    assert notes.names == ["camera", "board", "start", "observe", "progress", "finish"]


def test_the_end_of_a_file_is_told_with_the_last_frame_read() -> None:
    assert followed().told == [("finish", ((), {"frame": 9, "time_s": 0.9}))]


def test_the_first_look_carries_how_the_game_starts() -> None:
    _, options = followed(START, how=Following(start_anywhere=True, next_color="red")).told[0][1]
    assert (options["start_anywhere"], options["next_color"], options["frame"]) == (True, "red", 0)
    assert options["pictures"] == {"f0": b"jpeg"}


def test_a_camera_that_ends_leaves_the_game_open_and_its_word_expires() -> None:
    notes = followed(CameraState("ready", "", 0, 0.0), how=Following(live=True))
    assert notes.names == ["camera"]
    assert notes.told[0][1][1]["expires_s"] > 1


def test_a_file_s_camera_word_does_not_expire() -> None:
    assert followed(CameraState("hidden", "a hand", 1, 0.1)).told[0][1][1]["expires_s"] is None


def test_a_resumed_game_is_not_started_again() -> None:
    assert followed(START, SEEN, how=Following(live=True, resumed=True)).names == ["observe"]


def test_a_new_game_after_a_resumed_one_is_started() -> None:
    notes = Notes(new_game_at=BOARD.frame)
    follow(Script(START, BOARD, START, SEEN), notes, Following(live=True, resumed=True))  # type: ignore[arg-type]  # as above
    assert notes.names == ["board", "start", "observe"]


def test_progress_is_told_to_people_too() -> None:
    told: list[tuple[int, int | None]] = []
    followed(Progress(5, 10, 5, 0.5), how=Following(progress=lambda done, total: told.append((done, total))))
    assert told == [(5, 10)]
