"""The journal: what it holds gives the same table again, whatever happens to the program in between."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from referee.events import Event
from referee.journal import Journal, JournalError, take_input
from referee.sightings import Change, Sighting
from referee.table import Table

PIECES: list[tuple[str, list[tuple[int, int]]]] = [
    ("blue", [(0, 0), (0, 1)]),
    ("yellow", [(0, 19)]),
    ("red", [(19, 19)]),
    ("red", [(5, 5)]),
]


class Kept:
    """A table whose inputs go into a journal."""

    def __init__(self, db: str) -> None:
        self.journal, self.table = Journal(db), Table()
        self.number = self.journal.new_game(self.table.options.as_json())

    def give(self, kind: str, value: dict[str, Any]) -> list[Event]:
        events = take_input(self.table, kind, value)
        self.journal.append(kind, value, events)
        return events

    def play(self) -> Kept:
        self.give("start", {"grid": ["." * 20] * 20, "frame": 0})
        board = dict[tuple[int, int], str]()
        for frame, (color, cells) in enumerate(PIECES, 1):
            board |= dict.fromkeys(cells, color)
            change = Change.between(self.table.standing(), board)
            sighting = Sighting(((change, 0.9), (Change(), 0.1)), frozenset({(9, 9)}), frame, frame, frame / 10, ("before", "after"))
            self.give("sighting", sighting.as_json())
        self.give("decision", {"decision": "resolve", "id": 1, "how": "let_stand"})
        self.give("finish", {"frame": 9, "time_s": 0.9})
        return self


@pytest.fixture
def db(tmp_path: Path) -> str:
    return str(tmp_path / "game.db")


def test_a_reopened_journal_gives_the_same_table(db: str) -> None:
    kept = Kept(db).play()
    kept.journal.close()
    again = Journal(db)
    table = again.load_table()
    assert table.state() == kept.table.state()
    assert table.events == kept.table.events
    assert again.game_number == kept.number == 1


def test_a_table_from_a_journal_goes_on_as_if_nothing_had_happened(db: str) -> None:
    kept = Kept(db).play()
    again = Journal(db)
    table, decision = again.load_table(), {"decision": "undo"}
    assert [event.as_json() for event in table.decide(decision)] == [event.as_json() for event in kept.table.decide(decision)]


def test_event_numbers_never_repeat_even_over_games(db: str) -> None:
    first = Kept(db).play()
    second = Kept(db).play()
    numbers = [number for game in (1, 2) for number, _ in second.journal.events_of(game)]
    assert numbers == list(range(1, len(first.table.events) * 2 + 1))
    assert second.journal.event_count == numbers[-1]
    assert second.number == 2
    assert second.journal.load_table(1).state() == first.table.state()


def test_a_journal_in_memory_is_kept_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    kept = Kept(":memory:").play()
    assert kept.journal.load_table().state() == kept.table.state()
    assert list(tmp_path.iterdir()) == []


def test_an_empty_journal_has_no_game(db: str) -> None:
    journal = Journal(db)
    assert (journal.game_number, journal.event_count) == (None, 0)
    with pytest.raises(JournalError, match="holds no game"):
        journal.load_table()
    with pytest.raises(JournalError, match="holds no game"):
        journal.append("finish", {}, [])


def test_input_and_events_are_written_both_or_neither(db: str) -> None:
    kept = Kept(db).play()
    count, before = kept.journal.event_count, kept.journal.load_table().state()
    unwritable = Event("placement", "A number that JSON does not have.", {"p": float("nan")})
    with pytest.raises(ValueError, match="JSON"):
        kept.journal.append("decision", {"decision": "undo"}, [unwritable])
    assert kept.journal.event_count == count
    assert kept.journal.load_table().state() == before


def test_what_was_written_is_there_for_another_connection_at_once(db: str) -> None:
    kept = Kept(db).play()
    with sqlite3.connect(db) as other:
        assert other.execute("select count(*) from events").fetchone() == (kept.journal.event_count,)
        assert other.execute("pragma journal_mode").fetchone() == ("wal",)


def test_a_second_writer_is_noticed(db: str) -> None:
    kept, other = Kept(db).play(), Journal(db)
    other.append("decision", {"decision": "undo"}, other.load_table().decide({"decision": "undo"}))
    with pytest.raises(JournalError, match="another program"):
        kept.journal.append("finish", {}, [])
    table = kept.journal.load_table()
    kept.journal.append("finish", {}, table.finish())
    assert kept.journal.load_table().state() == table.state()


@pytest.mark.parametrize("content", [b"not a database, and long enough to be looked at", b"\x00" * 4096])
def test_a_file_that_is_no_journal_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.txt"
    path.write_bytes(content)
    with pytest.raises(JournalError) as refusal:
        Journal(str(path))
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("db", ["/nowhere/at/all/game.db", "nonsense://somewhere", "postgresql://nobody:secret@localhost:1/none"])
def test_a_database_that_cannot_be_opened_is_refused_without_its_password(db: str) -> None:
    with pytest.raises(JournalError) as refusal:
        Journal(db)
    assert "secret" not in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_journal_of_a_newer_program_is_refused(db: str) -> None:
    Journal(db).close()
    with sqlite3.connect(db) as other:
        other.execute("insert into journal_schema values (99)")
    with pytest.raises(JournalError, match="newer version"):
        Journal(db)


def test_a_damaged_input_is_told(db: str) -> None:
    kept = Kept(db).play()
    kept.journal.close()
    with sqlite3.connect(db) as other:
        other.execute("update inputs set value = '{' where number = 2")
    with pytest.raises(JournalError, match="cannot be replayed"):
        Journal(db).load_table()
