"""`watch`: a game from pictures, as JSON Lines or sentences, kept or not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from web.cli import main
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
