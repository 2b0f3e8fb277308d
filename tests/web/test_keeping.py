"""What a live game keeps and for how long: evidence beside the events, and what happens when nothing can be written."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
import sqlalchemy as sa

from referee.errors import NotKeptError
from referee.journal import Journal, Retention
from tests.databases import connected, is_file
from tests.web.conftest import Visitor
from tests.web.test_live import OPTIONS, place, see, shown
from web import create_app
from web.live import LiveGame
from web.pictures import Picture
from web.settings import WebSettings


def a_foul(db: str, **how: Any) -> LiveGame:
    """A game with an open dispute that has pictures."""
    live = LiveGame.open(Journal(db, **how), OPTIONS)
    place(live, "blue", (0, 0))
    assert see(live, "foul", ((5, 5), "blue"), ((5, 6), "blue")) == ["dispute"]
    return live


def pictures_in(db: str) -> list[str]:
    with connected(db) as other:
        return list(other.exec_driver_sql("SELECT name FROM evidence ORDER BY name").scalars())


def test_an_open_dispute_has_its_pictures_after_a_restart(db: str) -> None:
    a_foul(db)
    again = LiveGame.open(Journal(db))
    (dispute,) = again.state()["disputes"]
    assert [again.pictures.get(name) for name in dispute["evidence"]] == [Picture(b"foul-a"), Picture(b"foul-b")]
    assert again.pictures.get("foul-c") is None


def test_pictures_are_kept_before_their_event_is_told(db: str) -> None:
    live = LiveGame.open(Journal(db), OPTIONS)
    kept: list[list[str]] = []
    live.listen(lambda _: kept.append(pictures_in(db)))
    see(live, "foul", ((5, 5), "blue"))
    assert kept == [["foul-a", "foul-b"]]


def test_a_look_that_came_to_nothing_leaves_no_pictures(db: str) -> None:
    live = LiveGame.open(Journal(db), OPTIONS)
    assert see(live, "nothing") == []
    assert pictures_in(db) == []


def test_old_pictures_go_at_the_start_and_those_of_open_disputes_stay(db: str) -> None:
    live = a_foul(db)
    see(live, "next", ((0, 19), "yellow"))
    age(db, days=8)
    see(live, "new", ((19, 19), "red"))
    LiveGame.open(Journal(db, retention=Retention(days=9)))
    assert len(pictures_in(db)) == 6
    again = LiveGame.open(Journal(db, retention=Retention(days=7)))
    assert pictures_in(db) == ["foul-a", "foul-b", "new-a", "new-b"]
    again.decide({"decision": "resolve", "id": 1, "how": "let_stand"})
    LiveGame.open(Journal(db))
    assert pictures_in(db) == ["new-a", "new-b"], "what was said once holds for those who say nothing"


def age(db: str, days: int) -> None:
    """Make all evidence older."""
    with connected(db) as other:
        kept_at = f"datetime(kept_at, '-{days} days')" if is_file(db) else f"kept_at - interval '{days} days'"
        other.exec_driver_sql(f"UPDATE evidence SET kept_at = {kept_at}")


def test_with_no_day_to_keep_them_pictures_go_with_their_dispute(db: str) -> None:
    live = a_foul(db, retention=Retention(days=0))
    see(live, "next", ((0, 19), "yellow"))
    assert pictures_in(db) == ["foul-a", "foul-b"]
    live.decide({"decision": "resolve", "id": 1, "how": "let_stand"})
    assert pictures_in(db) == []


def test_old_pictures_go_while_the_program_runs(db: str) -> None:
    now = 0.0
    live = LiveGame.open(Journal(db, retention=Retention(days=1)), OPTIONS, clock=lambda: now)
    see(live, "first", ((0, 0), "blue"))
    age(db, days=2)
    see(live, "second", ((0, 19), "yellow"))
    assert len(pictures_in(db)) == 4, "not at every look"
    now = 3601.0
    see(live, "third", ((19, 19), "red"))
    assert pictures_in(db) == ["second-a", "second-b", "third-a", "third-b"]


def test_the_oldest_pictures_of_a_game_make_room_and_large_ones_are_not_kept(db: str) -> None:
    live = a_foul(db, retention=Retention(game_bytes=24, picture_bytes=7))
    see(live, "t", ((0, 19), "yellow"))
    see(live, "v", ((19, 19), "red"))
    see(live, "w", ((19, 0), "green"))
    see(live, "too-large", ((1, 1), "blue"))
    assert pictures_in(db) == ["foul-a", "foul-b", "v-a", "v-b", "w-a", "w-b"]


class Disk:
    """The disk under a journal: it can be full, and have room again."""

    def __init__(self, journal: Journal) -> None:
        self.is_full = False
        sa.event.listen(journal._engine, "before_cursor_execute", self._write)

    def _write(self, _connection: object, _cursor: object, statement: str, *_: object) -> None:
        if self.is_full and statement.startswith(("INSERT", "UPDATE", "DELETE")):
            raise sa.exc.OperationalError(statement, None, sqlite3.OperationalError("database or disk is full"))


@pytest.fixture
def game(db: str) -> Iterator[tuple[LiveGame, Disk]]:
    """A game whose disk is full."""
    journal = Journal(db)
    live = LiveGame.open(journal, OPTIONS, settings=WebSettings(retry_s=0.001, peek_s=0.0), clock=count().__next__)
    place(live, "blue", (0, 0))
    disk = Disk(journal)
    disk.is_full = True
    yield live, disk
    live.close()


def test_a_look_waits_for_room_and_is_not_lost(game: tuple[LiveGame, Disk], db: str) -> None:
    live, disk = game
    told: list[dict[str, Any]] = []

    def hear(body: Any) -> None:
        told.append(dict(body))
        if body["event"] == "state":
            assert live.state()["not_kept"].endswith("cannot be written: the disk is full; make room")
            assert live.state()["camera"]["state"] == "paused"
            disk.is_full = False

    live.listen(hear)
    see(live, "foul", ((5, 5), "yellow"))
    assert [(body["event"], body.get("state")) for body in told] == [("state", "paused"), ("dispute", None)]
    assert "NOT KEPT" in told[0]["reason"]
    assert "the disk is full" in told[0]["reason"]
    assert (live.state()["not_kept"], live.state()["camera"]["state"]) == ("", None)
    again = LiveGame.open(Journal(db))
    assert shown(again) == shown(live)
    assert again.pictures.get("foul-b") == Picture(b"foul-b")


def test_the_camera_s_word_comes_back_when_there_is_room(game: tuple[LiveGame, Disk]) -> None:
    live, disk = game
    live.camera("ready", "watching")
    told: list[str] = []

    def hear(body: Any) -> None:
        told.append(body.get("state", body["event"]))
        if told == ["paused"]:
            live.camera("motion")
            disk.is_full = False

    live.listen(hear)
    see(live, "next", ((0, 19), "yellow"))
    assert told == ["paused", "motion", "placement"]


def test_a_decision_that_cannot_be_kept_changes_nothing_and_the_state_says_so_until_it_can(game: tuple[LiveGame, Disk]) -> None:
    live, disk = game
    answer = Visitor(create_app(live).test_client(use_cookies=False)).post("/api/decisions", {"decision": "abandon"})
    assert answer.status_code == 503
    assert "Nothing was changed" in answer.get_json()["message"]
    assert "the disk is full" in live.state()["not_kept"]
    assert live.state()["status"] == "playing"
    with pytest.raises(NotKeptError):
        live.decide({"decision": "new_game"})
    assert live.game_number == 1
    disk.is_full = False
    live.look_round()
    assert live.state()["not_kept"] == "", "found out without anybody trying again"
    live.decide({"decision": "abandon"})


def test_whoever_closes_the_game_need_not_wait_for_room(game: tuple[LiveGame, Disk]) -> None:
    live, _ = game
    live.settings = replace(live.settings, retry_s=1000.0)
    live.listen(lambda body: live.close() if body.get("state") == "paused" else None)
    with pytest.raises(NotKeptError):
        see(live, "foul", ((5, 5), "yellow"))


def test_a_recording_does_not_wait_for_ever(game: tuple[LiveGame, Disk]) -> None:
    live, _ = game
    live.settings = replace(live.settings, patience_s=0.0)
    with pytest.raises(NotKeptError):
        see(live, "foul", ((5, 5), "yellow"))


def test_a_game_that_moved_on_answers_with_a_conflict(db: str) -> None:
    page, other = LiveGame.open(Journal(db), OPTIONS), LiveGame.open(Journal(db))
    place(page, "blue", (0, 0))
    place(other, "yellow", (0, 19))
    visitor = Visitor(create_app(page).test_client(use_cookies=False))
    answer = visitor.post("/api/decisions", {"decision": "undo"})
    assert answer.status_code == 409
    assert "look at it and decide again" in answer.get_json()["message"]
    assert visitor.post("/api/decisions", {"decision": "undo"}).status_code == 200


class Camera:
    """A camera of one program, and the page of another at the same table; both have one clock."""

    def __init__(self, db: str) -> None:
        self.now_s = 0.0
        self.watching = LiveGame.open(Journal(db, recordings=False), OPTIONS, clock=lambda: self.now_s)
        self.page = LiveGame.open(Journal(db), clock=lambda: self.now_s)

    def says(self, state: str, reason: str = "", *, after_s: float = 1.0) -> None:
        self.now_s += after_s
        self.watching.camera(state, reason, expires_s=5.0)

    def shown(self) -> tuple[str | None, str]:
        """What the page of the other program says of the camera a moment later."""
        self.now_s += 1.0
        camera = self.page.state()["camera"]
        return camera["state"], camera["reason"]


def test_the_page_of_another_program_says_how_the_camera_does(db: str) -> None:
    camera = Camera(db)
    assert camera.shown() == (None, "")
    told: list[Any] = []
    camera.page.listen(told.append)
    camera.says("ready", "watching")
    assert camera.shown() == ("ready", "watching")
    camera.says("dark", "too dark to see the board")
    assert camera.shown() == ("dark", "too dark to see the board")
    camera.says("ready", "watching")
    assert camera.shown() == ("ready", "watching")
    assert [event["state"] for event in told] == ["ready", "dark", "ready"]
    camera.watching.close()
    assert camera.shown() == (None, "")


def test_what_goes_on_all_the_time_is_not_written_down_each_time(db: str) -> None:
    camera = Camera(db)
    camera.says("ready")
    camera.says("motion", after_s=0.5)
    assert camera.shown() == ("ready", "")
    camera.says("motion")
    assert camera.shown() == ("motion", "")


def test_a_camera_of_another_program_that_was_killed_is_lost_and_then_forgotten(db: str) -> None:
    camera = Camera(db)
    camera.says("ready")
    for seconds, expected in ((20, "lost"), (4000, None)):
        with connected(db) as other:
            earlier = f"datetime(said_at, '-{seconds} seconds')" if is_file(db) else f"said_at - interval '{seconds} seconds'"
            other.exec_driver_sql(f"UPDATE cameras SET said_at = {earlier}")
        assert camera.shown()[0] == expected


def test_a_camera_here_counts_more_than_one_elsewhere(db: str) -> None:
    camera = Camera(db)
    camera.page.camera("dark", expires_s=60.0)
    camera.says("ready")
    assert camera.shown()[0] == "dark"


def test_a_camera_s_word_that_cannot_be_written_is_not_tried_again_at_once(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    camera = Camera(db)
    journal = camera.watching.journal
    assert journal is not None
    disk, tried, say = Disk(journal), list[str | None](), journal.say_camera

    def trying(state: str | None, reason: str = "") -> None:
        tried.append(state)
        say(state, reason)

    monkeypatch.setattr(journal, "say_camera", trying)
    disk.is_full = True
    for _ in range(5):
        camera.says("ready")
    assert tried == ["ready"]
    assert camera.shown() == (None, "")
    disk.is_full = False
    camera.says("dark", after_s=10.0)
    assert camera.shown() == ("dark", "")
