"""The live game: journal, table, feed and pictures as one."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from referee.errors import DecisionError, JournalError
from referee.journal import Journal
from referee.options import GameOptions
from referee.sightings import Change, Sighting
from referee.table import Table
from web.live import LiveGame

OPTIONS = GameOptions(players=("Anna", "Ben", "Cem", "Dana"))


def place(live: LiveGame, color: str, *cells: tuple[int, int]) -> None:
    live.decide({"decision": "place", "color": color, "cells": [list(cell) for cell in cells]})


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


def test_a_game_that_is_over_makes_way_for_a_new_one_unless_it_is_wanted(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path / "game.db"))
    LiveGame.open(journal, OPTIONS).decide({"decision": "abandon"})
    assert LiveGame.open(journal).state()["status"] == "abandoned"
    assert LiveGame.open(journal, OPTIONS, keep_over=True).state()["status"] == "abandoned"
    assert LiveGame.open(journal, OPTIONS).game_number == 2


def test_an_empty_journal_without_options_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(JournalError):
        LiveGame.open(Journal(str(tmp_path / "game.db")))


def test_what_another_program_wrote_is_read_before_the_decision_is_repeated(tmp_path: Path) -> None:
    db = str(tmp_path / "game.db")
    page, other = LiveGame.open(Journal(db), OPTIONS), LiveGame.open(Journal(db), OPTIONS)
    other = LiveGame.open(Journal(db))
    place(other, "blue", (0, 0))
    position = page.feed.position
    with pytest.raises(JournalError, match="another program"):
        place(page, "yellow", (0, 19))
    assert [move["color"] for move in page.state()["placements"]] == ["blue"], "nothing was changed, and the other's move is known"
    assert not page.feed.after(position).complete, "pages read the whole state again"
    place(page, "yellow", (0, 19))
    assert page.state() == LiveGame.open(Journal(db)).state()


def test_a_game_begun_by_another_program_gets_no_input_of_this_one(tmp_path: Path) -> None:
    db = str(tmp_path / "games.db")
    first = LiveGame.open(Journal(db), GameOptions())
    first.decide({"decision": "place", "color": "blue", "cells": [[0, 0]]})
    other = LiveGame.open(Journal(db))
    other.decide({"decision": "new_game", "variant": "duo"})
    with pytest.raises(JournalError, match="another program"):
        first.decide({"decision": "place", "color": "yellow", "cells": [[0, 19]]})
    assert first.game_number == other.game_number == 2
    assert first.table.options.variant == "duo"
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
