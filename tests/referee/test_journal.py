"""The journal: what it holds gives the same table again, whatever happens to the program in between."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.events import Event
from referee.journal import Journal, JournalError, OvertakenError, take_input
from referee.sightings import Change, Sighting
from referee.table import Table
from tests.databases import connected

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
    with connected(db) as other:
        assert other.exec_driver_sql("select count(*) from events").scalar() == kept.journal.event_count


def test_a_file_is_written_ahead_so_that_readers_never_wait(tmp_path: Path) -> None:
    db = str(tmp_path / "game.db")
    Kept(db)
    with connected(db) as other:
        assert other.exec_driver_sql("pragma journal_mode").scalar() == "wal"


def test_a_second_writer_is_noticed(db: str) -> None:
    kept, other = Kept(db).play(), Journal(db)
    other.append("decision", {"decision": "undo"}, other.load_table().decide({"decision": "undo"}))
    with pytest.raises(OvertakenError, match="another program"):
        kept.journal.append("finish", {}, [])
    with pytest.raises(OvertakenError):
        kept.journal.append("finish", {}, [])
    table = kept.journal.load_table()
    kept.journal.append("finish", {}, table.finish())
    assert kept.journal.load_table().state() == table.state()


def test_news_are_what_others_wrote_once(db: str) -> None:
    kept, other = Kept(db).play(), Journal(db)
    assert kept.journal.news() is None
    told = other.load_table().decide({"decision": "undo"})
    numbers = other.append("decision", {"decision": "undo"}, told)
    news = kept.journal.news()
    assert news is not None
    assert (news.game, news.is_new_game, news.inputs) == (1, False, (("decision", {"decision": "undo"}),))
    assert news.events == tuple(zip(numbers, told, strict=True))
    assert kept.journal.news() is None
    assert other.news() is None, "one's own writing is no news"


def test_a_game_begun_elsewhere_is_news(db: str) -> None:
    kept, other = Kept(db).play(), Journal(db)
    other.new_game(Table().options.as_json())
    news = kept.journal.news()
    assert news is not None
    assert (news.game, news.is_new_game, news.events) == (2, True, ())


def test_games_of_several_tables_do_not_mix(db: str) -> None:
    hall, window = Journal(db, table="hall"), Journal(db, table="window")
    assert (hall.new_game(Table().options.as_json()), window.new_game(Table().options.as_json())) == (1, 2)
    placed = {"decision": "place", "color": "blue", "cells": [[0, 0]]}
    for journal in (hall, window, hall):
        decision = placed if not journal.load_table().events else {"decision": "undo"}
        journal.append("decision", decision, journal.load_table().decide(decision))
    assert (hall.game_number, window.game_number) == (1, 2)
    assert (hall.news(), window.news()) == (None, None)
    assert [number for number, _ in hall.events_of(1)] == [1, 3]
    assert [number for number, _ in window.events_of(2)] == [2]
    assert Journal(db).game_number == 2, "without a name it is the last game of all"
    assert hall.tables() == ["hall", "window"]


def test_when_a_recording_was_watched_is_not_the_day_of_its_game(db: str) -> None:
    journal = Journal(db)
    played, watched = journal.new_game({}), journal.new_game({}, from_recording=True)
    assert journal.begun_on(played) == journal.record(played).about.date != ""
    assert journal.begun_on(watched) == journal.record(watched).about.date == ""


def test_a_camera_goes_on_with_no_game_of_a_recording(db: str) -> None:
    camera, file = Journal(db, table="", recordings=False), Journal(db, table="")
    assert camera.new_game(Table().options.as_json()) == 1
    assert file.new_game(Table().options.as_json(), from_recording=True) == 2
    assert (camera.game_number, camera.news()) == (1, None)
    assert Journal(db, table="").game_number == 2, "people see the last game of any kind"


def test_a_damaged_input_is_told(db: str) -> None:
    kept = Kept(db).play()
    kept.journal.close()
    with connected(db) as other:
        other.exec_driver_sql("update inputs set value = '{' where number = 2")
    with pytest.raises(JournalError, match="cannot be replayed"):
        Journal(db).load_table()
