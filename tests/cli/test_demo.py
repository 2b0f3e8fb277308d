"""`demo`: a whole game from pictures, checked against what really happened; and a clean end whenever one stops it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.cli.programs import fetch, first_line, running, stopped_by
from vision.frames import Frame, Lost
from web.cli.demo import DISPUTE_PACES, Paced
from web.samples import SAMPLE_IMAGES

TRUTH = json.loads((SAMPLE_IMAGES / "full_game" / "truth.json").read_text())
COLOR = {"B": "blue", "Y": "yellow", "R": "red", "G": "green"}


@pytest.fixture(scope="module")
def events() -> list[dict[str, Any]]:
    """Everything that `demo --once --json` prints."""
    done = subprocess.run(
        [sys.executable, "-m", "web.cli", "demo", "--once", "--json", "--port", "0"], capture_output=True, text=True, check=True
    )
    assert "Traceback" not in done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


class Pictures:
    """A source of three pictures."""

    live = False
    total = 3

    def __iter__(self) -> Iterator[Frame | Lost]:
        return iter([Lost("", 0.0)] * 3)

    def close(self) -> None:
        """Nothing to close."""


def named(events: list[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
    return [event for event in events if event["event"] in names]


def test_every_placement_is_seen_in_order_with_its_colour_and_size(events: list[dict[str, Any]]) -> None:
    moves = [step["added"][0] for step in TRUTH["steps"] if step["kind"] == "move"]
    seen = [(event["turn"], event["color"], len(event["cells"])) for event in named(events, "placement")]
    assert seen == [(turn, COLOR[move["color"]], len(move["cells"])) for turn, move in enumerate(moves, 1)]


def test_both_fouls_become_disputes_and_are_settled_by_themselves(events: list[dict[str, Any]]) -> None:
    assert [event["kinds"][0] for event in named(events, "dispute")] == ["not_a_piece", "piece_removed"]
    assert [event["how"] for event in named(events, "resolved")] == ["return", "restored"]


def test_nothing_is_asked_and_nothing_corrected(events: list[dict[str, Any]]) -> None:
    assert named(events, "question", "corrected", "rejudged") == []


def test_the_game_ends_with_the_right_scores(events: list[dict[str, Any]]) -> None:
    board = "".join(TRUTH["steps"][-1]["board_after"])
    (over,) = named(events, "game_over")
    assert {color: value["squares_left"] for color, value in over["scores"]["colors"].items()} == {
        COLOR[letter]: 89 - board.count(letter) for letter in COLOR
    }
    assert events[-1]["event"] in ("game_over", "state")


def test_the_page_is_served_at_the_address_printed_first() -> None:
    with running("demo", "--port", "0", "--pace", "60") as process:
        url = first_line(process)
        assert url.startswith("http://127.0.0.1:")
        assert fetch(f"{url}api/state")["variant"] == "classic"
        assert stopped_by(process, signal.SIGINT)[0] == 0


def test_the_picture_of_a_foul_stays_longer() -> None:
    slept: list[float] = []
    source = Paced(Pictures(), pace_s=2.0, clock=lambda: 0.0, sleep=slept.append)
    for index, _ in enumerate(source):
        if index == 1:
            source.hold_disputes({"event": "dispute"})
    assert slept == [2.0, 2.0 * DISPUTE_PACES, 2.0]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_cleanly(number: signal.Signals) -> None:
    with running("demo", "--port", "0", "--pace", "60") as process:
        first_line(process)
        status, stderr = stopped_by(process, number)
    assert status == 0
    assert "Traceback" not in stderr


def test_without_once_the_page_stays_after_the_game() -> None:
    with running("demo", "--port", "0", "--pace", "0") as process:
        url = first_line(process)
        assert process.stderr is not None
        assert any("stays at" in line for line in process.stderr)
        assert fetch(f"{url}api/state")["status"] == "over"
        assert stopped_by(process, signal.SIGINT)[0] == 0
