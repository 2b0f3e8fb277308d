"""Where games are kept: several programs at one game, several tables in one database, and what is refused."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.journal import Journal
from referee.options import GameOptions
from tests.cli.programs import fetch, first_line, running, stopped_by, stream
from tests.databases import PASSWORD
from web.cli import main
from web.cli.games import resumed_game
from web.cli.options import Keeping
from web.cli.output import Printer


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


def decide(db: str, *args: str, **decision: Any) -> list[dict[str, Any]]:
    """The events of a decision from a shell."""
    result = run("decide", "--db", db, "--json", json.dumps(decision), *args)
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def begun(db: str, *tables: str, variant: str = "classic") -> None:
    """A database with a game at each of some tables."""
    for table in tables:
        Journal(db, table=table).new_game(GameOptions(variant=variant).as_json())


@pytest.mark.parametrize("db", ["", " "])
@pytest.mark.parametrize("command", [("watch", "nowhere"), ("serve",), ("decide", '{"decision": "undo"}')])
def test_no_name_at_all_is_wrong_usage(command: tuple[str, ...], db: str) -> None:
    result = run(*command, "--db", db)
    assert result.exit_code == 2
    assert ":memory:" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("name", [" hall", "x" * 61, "a\nb"])
def test_a_table_s_name_can_be_printed(name: str, tmp_path: Path) -> None:
    result = run("serve", "--db", tmp_path / "games.db", "--table", name)
    assert result.exit_code == 2
    assert "--table" in result.stderr


@pytest.mark.parametrize("db", ["FOLDER", "FOLDER/file/games.db", "nonsense://somewhere", "postgresql://me:secret@127.0.0.1:1/games"])
def test_what_cannot_be_opened_is_one_line(db: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = run("serve", "--port", "0", "--db", db.replace("FOLDER", str(tmp_path)))
    assert result.exit_code == 3
    assert len(result.stderr.strip().splitlines()) == 1
    assert "secret" not in result.stderr


def test_a_folder_that_is_not_there_is_named_and_not_made(tmp_path: Path) -> None:
    result = run("serve", "--port", "0", "--db", tmp_path / "gmaes" / "games.db")
    assert result.exit_code == 3
    assert f"there is no folder {tmp_path / 'gmaes'}; make it first" in result.stderr
    assert [*tmp_path.iterdir()] == []


def test_the_only_table_needs_no_name_and_of_several_one_is_named(db: str) -> None:
    begun(db, "hall")
    assert decide(db, decision="place", color="blue", cells=[[0, 0]])[0]["event"] == "placement"
    begun(db, "window")
    result = run("decide", "--db", db, '{"decision": "undo"}')
    assert result.exit_code == 2
    assert "hall, window" in result.stderr
    assert "nothing to undo" in run("decide", "--db", db, "--table", "window", '{"decision": "undo"}').stderr
    assert decide(db, "--table", "hall", decision="undo")[0]["event"] == "corrected"


def test_a_page_shows_every_table_and_begins_with_the_one_that_began_a_game_last(db: str) -> None:
    begun(db, "hall")
    begun(db, "window", variant="duo")
    with running("serve", "--db", db, "--port", "0") as process:
        url = first_line(process)
        assert fetch(f"{url}api/state")["variant"] == "duo"
        assert fetch(f"{url}tables/hall/api/state")["variant"] == "classic"
        with stream(f"{url}tables/hall/api/events") as told:
            decide(db, "--table", "hall", decision="place", color="blue", cells=[[0, 0]])
            assert next(told)["event"] == "placement"
        assert stopped_by(process, signal.SIGTERM) == (0, "")


def test_deciding_at_a_table_that_has_no_game_names_those_that_have(db: str) -> None:
    begun(db, "hall", "window")
    result = run("decide", "--db", db, "--table", "hal", '{"decision": "undo"}')
    assert result.exit_code == 3
    assert "hall, window" in result.stderr


def test_a_page_shows_what_is_decided_from_a_shell(db: str) -> None:
    with running("serve", "--db", db, "--port", "0") as process:
        url = first_line(process)
        assert fetch(f"{url}api/state")["event_id"] == 0
        with stream(f"{url}api/events?after=0") as events:
            decide(db, decision="place", color="blue", cells=[[0, 0]])
            decide(db, decision="place", color="yellow", cells=[[0, 19]])
            assert [(next(events)["color"]) for _ in range(2)] == ["blue", "yellow"]
        assert len(fetch(f"{url}api/state")["placements"]) == 2
        assert stopped_by(process, signal.SIGTERM) == (0, "")


def test_evidence_is_kept_as_long_as_was_said(db: str) -> None:
    for said in ("5", None):
        resumed_game(Keeping(db, evidence_days=None if said is None else float(said)), GameOptions(), Printer(as_json=False))
        assert Journal(db).prune() == 5


def test_the_password_is_not_shown_with_the_game_that_goes_on(db: str) -> None:
    begun(db, "hall", variant="duo")
    with running("serve", "--db", db, "--port", "0", "--variant", "junior") as process:
        first_line(process)
        _, stderr = stopped_by(process, signal.SIGTERM)
    assert "goes on as it began" in stderr
    assert PASSWORD not in stderr
