"""Opening a journal: older ones are brought up to date, others' databases stay as they are, and every refusal is one line."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from referee import journal_opening
from referee.journal import SCHEMA, Journal, JournalError, NotKeptError
from referee.journal_tables import bring_up_to_date
from referee.table import Table
from tests.databases import PostgresServer, connected, is_file, tables_in
from tests.referee.first_journal import FIRST_GAME, make_first_journal


def refusal(db: str, *, must_exist: bool = False) -> str:
    """The one line with which a database is refused."""
    with pytest.raises(JournalError) as refused:
        Journal(db, must_exist=must_exist)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def make_birds(db: str, table: str) -> None:
    """A database of somebody else."""
    with connected(db) as other:
        other.exec_driver_sql(f"CREATE TABLE {table} (number INTEGER, name TEXT)")
        other.exec_driver_sql(f"INSERT INTO {table} VALUES (1, 'wren')")


def contents(db: str) -> dict[str, list[tuple[object, ...]]]:
    with connected(db) as other:
        return {name: [tuple(row) for row in other.exec_driver_sql(f"SELECT * FROM {name}")] for name in tables_in(db)}


def test_a_journal_of_the_first_version_goes_on(db: str) -> None:
    make_first_journal(db)
    journal = Journal(db)
    assert [(number, event["event"], event["color"]) for number, event in journal.events_of(1)] == FIRST_GAME
    table = journal.load_table()
    decision = {"decision": "resolve", "id": 1, "how": "let_stand"}
    numbers = journal.append("decision", decision, table.decide(decision))
    assert numbers[0] == 4
    assert journal.tables() == [""]
    again = Journal(db)
    assert again.load_table().state() == table.state()
    assert again.new_game(Table().options.as_json()) == 2


def test_a_migration_that_fails_changes_nothing(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make_first_journal(db)
    before = contents(db)

    def stumble(connection: sa.Connection, number: int) -> None:
        bring_up_to_date(connection, number)
        raise sa.exc.OperationalError("the last statement", None, Exception("the disk is full"))

    monkeypatch.setattr(journal_opening, "bring_up_to_date", stumble)
    assert "the disk is full" in refusal(db)
    assert contents(db) == before
    monkeypatch.undo()
    assert Journal(db).event_count == 3


def test_an_old_journal_and_a_new_one_end_with_the_same_tables(postgres: PostgresServer, tmp_path: Path) -> None:
    for old, new in (
        (str(tmp_path / "old.db"), str(tmp_path / "new.db")),
        (postgres.new_database(), postgres.new_database()),
    ):
        make_first_journal(old)
        Journal(old).close()
        Journal(new).close()
        assert layout(old) == layout(new)


def layout(db: str) -> dict[str, set[str]]:
    with connected(db) as other:
        return {name: {column["name"] for column in sa.inspect(other).get_columns(name)} for name in tables_in(db)}


def test_a_journal_of_a_newer_program_is_refused_and_left_as_it_is(db: str) -> None:
    Journal(db).close()
    with connected(db) as other:
        other.exec_driver_sql(f"INSERT INTO journal_schema VALUES ({SCHEMA + 1})")
    before = contents(db)
    assert "newer version" in refusal(db)
    assert contents(db) == before


@pytest.mark.parametrize("must_exist", [False, True])
@pytest.mark.parametrize("table", ["birds", "games", "journal_schema"])
def test_a_database_of_others_is_refused_and_left_as_it_is(db: str, table: str, must_exist: bool) -> None:
    make_birds(db, table)
    before = Path(db).read_bytes() if is_file(db) else contents(db)
    assert "no games are kept in it" in refusal(db, must_exist=must_exist)
    assert (Path(db).read_bytes() if is_file(db) else contents(db)) == before


def test_an_empty_database_is_prepared_unless_it_must_exist(db: str) -> None:
    if is_file(db):
        Path(db).touch()
    assert "no games are kept in it" in refusal(db, must_exist=True)
    assert tables_in(db) == set()
    Journal(db).close()
    assert "evidence" in tables_in(db)


def test_two_programs_may_begin_a_database_at_the_same_moment(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = journal_opening._look

    def slow_look(*args: object, **options: object) -> object:
        found = looked(*args, **options)  # type: ignore[arg-type]  # passed on as they came
        monkeypatch.undo()
        Journal(db).close()
        return found

    monkeypatch.setattr(journal_opening, "_look", slow_look)
    assert Journal(db).new_game(Table().options.as_json()) == 1


@pytest.mark.parametrize(
    "content", [b"not a database, and long enough to be looked at", b"\x00" * 4096, b"SQLite format 3\x00" + b"\xff" * 5000]
)
def test_a_file_that_is_no_database_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.txt"
    path.write_bytes(content)
    refusal(str(path))
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("db", "words"),
    [
        ("", ":memory:"),
        ("  ", ":memory:"),
        ("/", "is a folder"),
        ("/nowhere/at/all/game.db", "no such file"),
        ("/proc/game.db", "may not be used"),
        ("nonsense://somewhere", "no such kind of database"),
        ("oracle://somewhere", "is not installed"),
        ("postgresql://nobody:secret@127.0.0.1:1/none", "refused"),
        ("postgresql://nobody:secret@localhost:port/none", "no database URL"),
        ("postgresql://127.0.0.1:1/none?password=secret", "refused"),
    ],
)
def test_what_cannot_be_opened_is_told_in_one_line_without_a_password(db: str, words: str) -> None:
    line = refusal(db)
    assert words in line
    assert "secret" not in line


def test_a_wrong_password_is_told_and_not_shown(postgres: PostgresServer) -> None:
    line = refusal(postgres.url("postgres", password="top-secret"))
    assert "password authentication failed" in line
    assert "top-secret" not in line


def test_a_missing_driver_is_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert "blokus-referee[postgres]" in refusal("postgresql://somebody@127.0.0.1:1/none")


def test_a_file_that_another_program_holds_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = str(tmp_path / "game.db")
    make_first_journal(db)
    monkeypatch.setattr(journal_opening, "BUSY_MS", 10)
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert "another program holds it" in refusal(db)
    assert Journal(db).event_count == 3


def test_a_database_that_may_only_be_read_is_not_written(tmp_path: Path) -> None:
    db = tmp_path / "game.db"
    make_first_journal(str(db))
    assert "that is forbidden" in refusal(f"sqlite:///{db.as_uri()}?mode=ro&uri=true")


def test_a_full_disk_changes_nothing_and_room_helps(tmp_path: Path) -> None:
    journal, table = Journal(str(tmp_path / "game.db")), Table()
    journal.new_game(table.options.as_json())
    place = {"decision": "place", "color": "blue", "cells": [[0, 0]], "note": "x" * 100_000}
    with journal._engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
    with pytest.raises(NotKeptError, match="the disk is full"):
        journal.append("decision", place, [])
    assert journal.load_table().inputs == []
    with journal._engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count=100000")
    journal.append("decision", place, [])
    assert Journal(str(tmp_path / "game.db")).record().inputs == (("decision", place),)
