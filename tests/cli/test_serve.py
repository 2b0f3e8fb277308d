"""`serve` and `decide`: the page of a game kept in a database, and the same decisions from a shell."""

from __future__ import annotations

import json
import signal
import socket
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.cli.programs import fetch, first_line, running, stopped_by
from web.cli import main

W_IN_CORNER = [[0, 0], [1, 0], [1, 1], [2, 1], [2, 2]]
FIRST = {"decision": "place", "color": "blue", "cells": W_IN_CORNER}


def decide(db: Path, decision: Any, *args: str) -> Result:
    text = decision if isinstance(decision, str) else json.dumps(decision)
    return CliRunner().invoke(main, ["decide", "--db", str(db), text, *args])


def a_game(db: Path, *options: str) -> dict[str, Any]:
    """The state of the game that `serve` begins or finds in a database, after it was stopped."""
    with running("serve", "--db", str(db), "--port", "0", *options) as process:
        state: dict[str, Any] = fetch(f"{first_line(process)}api/state")
        assert stopped_by(process, signal.SIGTERM) == (0, "")
    return state


def test_a_game_begins_with_its_options_and_goes_on_after_a_restart(tmp_path: Path) -> None:
    db = tmp_path / "games of a club.db"
    assert a_game(db, "--variant", "duo", "--scoring", "basic")["variant"] == "duo"
    assert a_game(db)["variant"] == "duo"


def test_a_finished_game_is_shown_until_a_new_one_is_asked_for(tmp_path: Path) -> None:
    db = tmp_path / "games.db"
    a_game(db)
    assert decide(db, {"decision": "abandon"}).exit_code == 0
    assert a_game(db)["status"] == "abandoned"
    assert a_game(db, "--variant", "junior")["status"] == "waiting"


def test_options_that_an_unfinished_game_does_not_take_are_told(tmp_path: Path) -> None:
    db = tmp_path / "games.db"
    a_game(db)
    with running("serve", "--db", str(db), "--port", "0", "--variant", "duo") as process:
        assert fetch(f"{first_line(process)}api/state")["variant"] == "classic"
        status, stderr = stopped_by(process, signal.SIGINT)
    assert status == 0
    assert "goes on as it began" in stderr


def test_decisions_are_kept(tmp_path: Path) -> None:
    db = tmp_path / "games.db"
    a_game(db)
    result = decide(db, FIRST, "--json")
    assert result.exit_code == 0, result.stderr
    (event,) = [json.loads(line) for line in result.stdout.splitlines() if json.loads(line)["event"] == "placement"]
    assert (event["color"], event["piece"], event["ruling"]) == ("blue", "W", "legal")
    assert [p["piece"] for p in a_game(db)["placements"]] == ["W"]


def test_a_foul_entered_by_hand_is_told_in_words(tmp_path: Path) -> None:
    db = tmp_path / "games.db"
    a_game(db)
    result = decide(db, {"decision": "place", "color": "blue", "cells": [[9, 9]]})
    assert result.exit_code == 0
    assert "!" in result.stdout


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        ("{", "no JSON"),
        ("[1]", "JSON object"),
        ({"decision": "dance"}, "dance"),
        ({"decision": "resolve", "id": 99, "how": "let_stand"}, "99"),
    ],
)
def test_a_decision_that_cannot_be_carried_out_is_wrong_usage(tmp_path: Path, decision: Any, words: str) -> None:
    db = tmp_path / "games.db"
    a_game(db)
    result = decide(db, decision)
    assert result.exit_code == 2
    assert words in result.stderr
    assert "Traceback" not in result.stderr


def test_deciding_without_a_game_is_refused(tmp_path: Path) -> None:
    result = decide(tmp_path / "none.db", FIRST)
    assert (result.exit_code, result.stdout) == (3, "")
    assert "no such file" in result.stderr


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    db = tmp_path / "notes.txt"
    db.write_text("We played on Sunday. " * 100)
    for result in (decide(db, FIRST), CliRunner().invoke(main, ["serve", "--db", str(db), "--port", "0"])):
        assert result.exit_code == 3
        assert len(result.stderr.strip().splitlines()) == 1


def test_a_port_that_is_taken_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = CliRunner().invoke(main, ["serve", "--db", ":memory:", "--port", str(taken.getsockname()[1])])
    assert result.exit_code == 3
    assert "--port" in result.stderr


def test_the_local_network_gets_an_address_and_a_pin() -> None:
    with running("serve", "--db", ":memory:", "--port", "0", "--lan") as process:
        assert first_line(process).startswith("http://")
        assert "PIN" in first_line(process)
        assert stopped_by(process, signal.SIGINT)[0] == 0


def test_another_address_than_loopback_needs_the_pin_too() -> None:
    with running("serve", "--db", ":memory:", "--port", "0", "--host", "0.0.0.0") as process:
        first_line(process)
        assert "PIN" in first_line(process)
