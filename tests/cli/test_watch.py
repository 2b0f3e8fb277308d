"""`watch`: a game from pictures, as JSON Lines or sentences, kept or not."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.cli.programs import START_TIMEOUT_S, first_line, running
from vision.frames import Frame, Lost
from web.cli import main
from web.cli.stopping import Stoppable
from web.samples import sample_game


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, ["watch", "--stills", "--no-web", *map(str, args)])


@pytest.fixture(scope="module")
def opening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the first eight pictures of the sample game: one foul, its return, two legal pieces."""
    folder = tmp_path_factory.mktemp("opening")
    for path in sorted(sample_game().glob("*.jpg"))[:8]:
        shutil.copy(path, folder)
    return folder


@pytest.fixture(scope="module")
def events(opening: Path) -> list[dict[str, Any]]:
    result = run(opening, "--json", "--db", ":memory:")
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_the_board_comes_first_then_the_start(events: list[dict[str, Any]]) -> None:
    names = [event["event"] for event in events if event["event"] != "state"]
    assert names[:2] == ["board", "start"]


def test_every_event_of_the_game_carries_its_frame(events: list[dict[str, Any]]) -> None:
    assert all(isinstance(event["frame"], int) and event["time_s"] is None for event in events)


def test_a_source_that_ends_early_ends_unfinished(events: list[dict[str, Any]]) -> None:
    last = [event for event in events if event["event"] != "state"][-1]
    assert last["event"] == "unfinished"
    assert set(last["can_move"]) == {"blue", "yellow", "red", "green"}


def test_a_position_already_reached_is_taken_as_it_lies(opening: Path) -> None:
    last = max(opening.glob("*.jpg"))
    folder = opening.parent / "later"
    folder.mkdir()
    shutil.copy(last, folder)
    result = run(folder, "--json", "--db", ":memory:", "--start-anywhere", "--next", "green")
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert not [event for event in found if event["event"] in ("placement", "dispute", "question")]
    (start,) = [event for event in found if event["event"] == "start"]
    assert sum(len(row) - row.count(".") for row in start["grid"]) > 10


def test_files_are_always_a_new_game(opening: Path, tmp_path: Path) -> None:
    from referee.journal import Journal

    db = tmp_path / "games.db"
    for number in (1, 2):
        assert run(opening, "--db", db).exit_code == 0
        assert Journal(str(db)).game_number == number


def test_people_read_sentences_and_the_camera_s_state_apart(opening: Path) -> None:
    result = run(opening, "--db", ":memory:")
    assert any(line.startswith("  1 ") for line in result.stdout.splitlines())
    assert "Camera:" not in result.stdout
    assert "Camera: ready" in result.stderr


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_recording_that_is_stopped_says_its_last_words(number: signal.Signals, status: int) -> None:
    with running("watch", str(sample_game()), "--stills", "--no-web", "--json", "--db", ":memory:") as process:
        first_line(process)
        process.send_signal(number)
        out, err = process.communicate(timeout=START_TIMEOUT_S)
    assert process.returncode == status
    assert json.loads(out.splitlines()[-1])["event"] == "unfinished"
    assert err.splitlines() == ["Stopped."]


class Endless:
    """A source that goes on for ever."""

    live = False
    total = None

    def __iter__(self) -> Iterator[Frame | Lost]:
        while True:
            yield Lost("", 0.0)

    def close(self) -> None:
        """Nothing to close."""


def test_a_source_that_is_asked_to_end_ends_and_asked_twice_at_once() -> None:
    before = signal.getsignal(signal.SIGTERM)
    source = Stoppable(Endless())
    with source.listening():
        for _ in source:
            os.kill(os.getpid(), signal.SIGTERM)
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert source.stopped_by == signal.SIGTERM
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.parametrize(("source", "words"), [("9", "no camera 9"), ("foo://x", "no kind of stream")])
def test_what_cannot_be_watched_is_refused_at_once(source: str, words: str) -> None:
    result = CliRunner().invoke(main, ["watch", source, "--no-web", "--db", ":memory:"])
    assert result.exit_code == 3
    (line,) = result.stderr.splitlines()
    assert words in line
