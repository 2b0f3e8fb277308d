"""The live game: journal, table, feed and pictures as one."""

from __future__ import annotations

import threading
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from referee.errors import DecisionError, JournalError, OvertakenError
from referee.journal import Journal
from referee.options import GameOptions
from referee.sightings import Change, Sighting
from referee.table import Table
from web.live import LiveGame
from web.pictures import Picture

OPTIONS = GameOptions(players=("Anna", "Ben", "Cem", "Dana"))


def place(live: LiveGame, color: str, *cells: tuple[int, int]) -> None:
    live.decide({"decision": "place", "color": color, "cells": [list(cell) for cell in cells]})


def see(live: LiveGame, name: str, *squares: tuple[tuple[int, int], str]) -> list[str]:
    """Let the camera see squares come, with two pictures; gives the names of the events."""
    names = (f"{name}-a", f"{name}-b")
    sighting = Sighting(((Change(added=frozenset(squares)), 1.0),), evidence=names)
    return [event.name for event in live.observe(sighting, {key: key.encode() for key in names})]


def ids(live: LiveGame, after: int) -> list[int]:
    return [message.event_id for message in live.events_after(after).messages]


def test_a_restart_finds_the_game_and_the_numbers_of_its_events(tmp_path: Path) -> None:
    db = str(tmp_path / "game.db")
    first = LiveGame.open(Journal(db), OPTIONS)
    place(first, "blue", (0, 0))
    place(first, "yellow", (0, 19))
    again = LiveGame.open(Journal(db), GameOptions(variant="duo"))
    assert again.state() == first.state()
    assert again.state()["event_id"] == 2
    assert ids(again, 1) == ids(first, 1) == [2]
    place(again, "red", (19, 19))
    assert ids(again, 2) == [3]


def test_numbers_go_on_over_new_games_and_restarts(tmp_path: Path) -> None:
    db = str(tmp_path / "game.db")
    first = LiveGame.open(Journal(db), OPTIONS)
    place(first, "blue", (0, 0))
    first.decide({"decision": "new_game", "variant": "duo"})
    place(first, "purple", (4, 4))
    again = LiveGame.open(Journal(db), OPTIONS)
    assert (again.game_number, again.state()["variant"], again.state()["event_id"]) == (2, "duo", 2)
    assert not again.events_after(0).complete, "the first game's events are not part of this one"


def test_numbers_of_a_table_s_events_leave_out_those_of_other_tables_and_do_not_change(db: str) -> None:
    hall, window = (LiveGame.open(Journal(db, table=name), OPTIONS) for name in ("hall", "window"))
    for live, color, cell in ((hall, "blue", (0, 0)), (window, "blue", (0, 0)), (hall, "yellow", (0, 19)), (window, "yellow", (0, 19))):
        place(live, color, cell)
    assert (ids(hall, 0), ids(window, 1)) == ([1, 3], [2, 4])
    again = LiveGame.open(Journal(db, table="window"))
    assert (ids(again, 1), ids(again, 2), again.state()["event_id"]) == ([2, 4], [4], 4)
    assert shown(again) == shown(window)


def test_a_game_that_is_over_makes_way_for_a_new_one_unless_it_is_wanted(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path / "game.db"))
    LiveGame.open(journal, OPTIONS).decide({"decision": "abandon"})
    assert LiveGame.open(journal).state()["status"] == "abandoned"
    assert LiveGame.open(journal, OPTIONS, keep_over=True).state()["status"] == "abandoned"
    assert LiveGame.open(journal, OPTIONS).game_number == 2


def test_an_empty_journal_without_options_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(JournalError):
        LiveGame.open(Journal(str(tmp_path / "game.db")))


def told_by(live: LiveGame) -> list[tuple[int, str]]:
    """Ids and names of what a live game publishes from now on, filled as it does."""
    told: list[tuple[int, str]] = []
    live.listen(lambda body: told.append((live.feed.event_id, body["event"])))
    return told


def test_what_another_program_wrote_is_told_in_order_and_once(db: str) -> None:
    page, other = LiveGame.open(Journal(db), OPTIONS, clock=count().__next__), LiveGame.open(Journal(db))
    told = told_by(page)
    place(other, "blue", (0, 0))
    place(other, "yellow", (5, 5))
    assert [move["ruling"] for move in page.state()["placements"]] == ["legal", "illegal"]
    assert told == [(1, "placement"), (2, "dispute")]
    page.look_round()
    page.camera("ready")
    assert told[2:] == [(2, "state")]
    assert ids(page, 0) == [1, 2, 2]
    assert shown(page) == shown(other) == shown(LiveGame.open(Journal(db)))


def shown(live: LiveGame) -> dict[str, object]:
    """The state without the camera's."""
    return {**live.state(), "camera": None}


def test_a_decision_is_carried_out_on_what_another_program_made_of_the_game(db: str) -> None:
    page, other = LiveGame.open(Journal(db), OPTIONS), LiveGame.open(Journal(db))
    told = told_by(page)
    place(other, "blue", (0, 0))
    place(page, "yellow", (0, 19))
    assert told == [(1, "placement"), (2, "placement")]
    assert page.state()["placements"][1]["ruling"] == "legal"
    assert shown(page) == shown(LiveGame.open(Journal(db)))


def test_a_decision_that_may_mean_something_else_now_is_left_to_the_people(db: str) -> None:
    page, other = LiveGame.open(Journal(db), OPTIONS), LiveGame.open(Journal(db))
    place(page, "blue", (0, 0))
    place(other, "yellow", (0, 19))
    with pytest.raises(OvertakenError, match="look at it"):
        page.decide({"decision": "undo"})
    assert len(page.state()["placements"]) == 2, "the other's move is known, and nothing was undone"
    page.decide({"decision": "undo"})
    assert len(Journal(db).load_table().state()["placements"]) == 1


def test_a_writer_that_is_overtaken_at_the_last_moment_tries_again(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page, other = LiveGame.open(Journal(db), OPTIONS), LiveGame.open(Journal(db))
    told, append = told_by(page), Journal.append

    def slow_append(journal: Journal, *args: Any) -> list[int]:
        monkeypatch.undo()
        place(other, "blue", (0, 0))
        return append(journal, *args)

    monkeypatch.setattr(Journal, "append", slow_append)
    place(page, "yellow", (0, 19))
    assert told == [(1, "placement"), (2, "placement")]
    assert shown(page) == shown(LiveGame.open(Journal(db)))


def test_a_camera_and_a_page_in_two_programs_share_a_game(db: str) -> None:
    camera, page = LiveGame.open(Journal(db), OPTIONS), LiveGame.open(Journal(db), clock=count().__next__)
    place(camera, "blue", (0, 0))
    see(camera, "foul", ((5, 5), "blue"), ((5, 6), "blue"))
    (dispute,) = page.state()["disputes"]
    assert [page.pictures.get(name) for name in dispute["evidence"]] == [Picture(b"foul-a"), Picture(b"foul-b")]
    page.decide({"decision": "resolve", "id": dispute["id"], "how": "let_stand"})
    see(camera, "next", ((0, 19), "yellow"))
    assert [move["ruling"] for move in camera.state()["placements"]] == ["legal", "let_stand", "legal"]
    assert shown(camera) == shown(page)


def test_a_game_begun_by_another_program_gets_no_input_of_this_one(db: str) -> None:
    first = LiveGame.open(Journal(db), GameOptions())
    told = told_by(first)
    place(first, "blue", (0, 0))
    other = LiveGame.open(Journal(db))
    other.decide({"decision": "new_game", "variant": "duo"})
    place(other, "purple", (4, 4))
    see(first, "late", ((0, 19), "yellow"))
    assert told == [(1, "placement"), (1, "new_game"), (2, "placement")]
    other.decide({"decision": "new_game"})
    with pytest.raises(OvertakenError):
        place(first, "yellow", (0, 19))
    assert first.game_number == other.game_number == 3
    assert not Journal(db).load_table().pieces_on_board()


def test_a_refused_decision_is_neither_written_nor_told(tmp_path: Path) -> None:
    live = LiveGame.open(Journal(str(tmp_path / "game.db")), OPTIONS)
    heard: list[object] = []
    live.listen(heard.append)
    with pytest.raises(DecisionError):
        live.decide({"decision": "resolve", "id": 99, "how": "return"})
    with pytest.raises(DecisionError):
        live.decide({})
    assert heard == []
    assert live.state()["event_id"] == 0


def test_questions_about_the_rules_are_neither_written_nor_told(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path / "game.db"))
    live = LiveGame.open(journal, OPTIONS)
    place(live, "blue", (0, 0))
    live.decide({"decision": "would_be_legal", "color": "yellow", "cells": [[0, 19]]})
    live.decide({"decision": "correct", "turn": 1, "now": None, "preview": True})
    assert live.state()["event_id"] == journal.event_count == 1


def test_pictures_of_an_open_dispute_outlast_later_ones() -> None:
    live = LiveGame(Table(OPTIONS))
    live.pictures._max_bytes = 40
    place(live, "blue", (0, 0))
    foul = Change(added=frozenset({((5, 5), "blue"), ((5, 6), "blue")}))
    live.observe(Sighting(((foul, 1.0),), evidence=("foul-a", "foul-b")), {"foul-a": b"0123456789", "foul-b": b"0123456789"})
    assert live.state()["disputes"]
    for n in range(5):
        live.observe(Sighting(((Change(), 1.0),), evidence=(f"{n}a", f"{n}b")), {f"{n}a": b"0123456789", f"{n}b": b"0123456789"})
    assert live.pictures.get("foul-a")
    assert live.pictures.get("foul-b")


def test_many_threads_deciding_at_once_leave_one_truth(tmp_path: Path) -> None:
    db = str(tmp_path / "game.db")
    live = LiveGame.open(Journal(db), OPTIONS)
    heard: list[int] = []
    live.listen(lambda _: heard.append(live.feed.event_id))

    def tug() -> None:
        for _ in range(5):
            place(live, "blue", (0, 0))
            live.camera("motion")
            live.camera("ready")
            live.state()
            try:
                live.decide({"decision": "undo"})
            except DecisionError:
                continue

    threads = [threading.Thread(target=tug) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert heard == sorted(heard)
    again = LiveGame.open(Journal(db)).state()
    assert {**live.state(), "camera": None} == {**again, "camera": None}


def test_the_end_of_a_recording_is_shown() -> None:
    live = LiveGame(Table(OPTIONS))
    live.camera("ready", expires_s=1.0)
    place(live, "blue", (0, 0))
    live.progress(3, 10)
    live.finish(frame=9)
    state = live.state()
    assert state["camera"]["state"] == "ended"
    assert state["progress"] == {"done": 3, "total": 10, "text": ""}
    assert state["status"] == "unfinished"
