"""The stream of events, as a browser follows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from werkzeug.test import TestResponse
from werkzeug.wrappers import Response

from referee.events import Event
from referee.table import Table
from tests.web.conftest import Visitor, messages, shell_of
from web import create_app
from web.live import LiveGame
from web.settings import WebSettings
from web.streams import EventStream, Seats


class Told(Table):
    """A table that says what it is told to say."""

    def decide(self, decision: Any) -> list[Event]:
        event = Event("told", f"Told {decision['n']}.", {"n": decision["n"]})
        self.events.append(event)
        return [event]


@pytest.fixture
def live() -> Iterator[LiveGame]:
    game = LiveGame(Told(), settings=replace(WebSettings(), max_listeners=2, kept_seats=0, poll_s=0.01, heartbeat_s=0.0))
    yield game
    game.close()


def tell(live: LiveGame, *numbers: int) -> None:
    for n in numbers:
        live.decide({"decision": "tell", "n": n})


def numbers(text: str) -> list[int]:
    return [message["n"] for message in messages(text) if message["event"] == "told"]


def listen(visitor: Visitor, after: int | None = None, *, resumed: int | None = None) -> TestResponse:
    query = {} if after is None else {"after": str(after)}
    headers = {} if resumed is None else {"Last-Event-ID": str(resumed)}
    return visitor.client.get("/api/events", query_string=query, headers=headers, buffered=False)


def first_chunk(answer: Response) -> str:
    return next(answer.iter_encoded()).decode()


def test_a_reader_gets_what_it_has_missed_with_ids_to_resume_by(program: Visitor, live: LiveGame) -> None:
    tell(live, 1, 2, 3)
    with listen(program, after=1) as answer:
        assert answer.mimetype == "text/event-stream"
        text = first_chunk(answer)
        assert numbers(text) == [2, 3]
        assert re.findall(r"^id: (\d+)$", text, re.MULTILINE) == ["2", "3"]
        assert text.startswith("retry: 500\n")


def test_the_browser_s_own_header_counts_more_than_the_address(program: Visitor, live: LiveGame) -> None:
    tell(live, 1, 2, 3)
    with listen(program, after=0, resumed=2) as answer:
        assert numbers(first_chunk(answer)) == [3]


def test_a_reader_without_an_id_gets_only_what_comes(program: Visitor, live: LiveGame) -> None:
    tell(live, 1)
    with listen(program) as answer:
        assert numbers(first_chunk(answer)) == []
        tell(live, 2)
        assert numbers(first_chunk(answer)) == [2]


def test_a_gap_that_cannot_be_filled_says_reload(program: Visitor) -> None:
    with listen(program, after=99) as answer:
        assert messages(first_chunk(answer)) == [{"event": "reload"}]


def test_a_new_reader_learns_the_state_of_the_camera(program: Visitor, live: LiveGame) -> None:
    live.camera("hidden", "A hand is over the board.")
    with listen(program) as answer:
        assert messages(first_chunk(answer)) == [{"event": "state", "state": "hidden", "reason": "A hand is over the board."}]


def test_a_silent_stream_shows_signs_of_life(program: Visitor) -> None:
    with listen(program) as answer:
        first_chunk(answer)
        assert first_chunk(answer).startswith(":")


def test_when_all_seats_are_taken_the_next_reader_is_told_so(program: Visitor) -> None:
    first, second = listen(program), listen(program)
    third = listen(program)
    assert third.status_code == 503
    assert "Too many" in third.get_json()["message"]
    assert third.headers["Retry-After"]
    first.close()
    with listen(program) as fourth:
        assert fourth.status_code == 200
    second.close()


def test_one_address_cannot_take_every_seat() -> None:
    settings = replace(WebSettings(), max_listeners=5, kept_seats=2, poll_s=0.01, heartbeat_s=0.0)
    game = LiveGame(Told(), settings=settings)
    client = create_app(game).test_client()

    def ask(address: str) -> TestResponse:
        return client.get("/api/events", environ_base={"REMOTE_ADDR": address}, buffered=False)

    greedy = [ask("192.0.2.1") for _ in range(4)]
    assert [one.status_code for one in greedy] == [200, 200, 200, 503]
    others = [ask("192.0.2.2"), ask("192.0.2.2"), ask("192.0.2.3"), ask("192.0.2.4")]
    assert [one.status_code for one in others] == [200, 503, 200, 503]
    greedy[0].close()
    assert ask("192.0.2.1").status_code == 503
    others[0].close()
    others[2].close()
    assert [ask("192.0.2.1").status_code, ask("192.0.2.4").status_code] == [200, 200]
    game.close()


def test_a_seat_that_was_not_taken_cannot_be_given_back() -> None:
    seats = Seats(1)
    assert seats.take("192.0.2.1")
    with pytest.raises(ValueError, match="no seat"):
        seats.leave("192.0.2.2")


def test_a_stream_that_never_began_gives_its_seat_back(program: Visitor) -> None:
    for _ in range(10):
        answer = listen(program)
        assert answer.status_code == 200
        answer.close()


def test_the_end_of_the_game_s_program_ends_the_stream(program: Visitor, live: LiveGame) -> None:
    with listen(program) as answer:
        first_chunk(answer)
        live.close()
        rest = b"".join(answer.iter_encoded())
    assert messages(rest.decode()) == []


def test_a_reader_that_has_left_frees_its_seat(live: LiveGame) -> None:
    seats = Seats(1)
    assert seats.take()
    stream = EventStream(replace_heartbeat(live), seats, None, gone=lambda: True)
    next(stream)
    assert next(stream, None) is None
    assert seats.take()


def replace_heartbeat(live: LiveGame) -> LiveGame:
    """The game with signs of life far apart, so that silence is noticed first."""
    live.settings = replace(live.settings, heartbeat_s=3600)
    return live


def test_a_watcher_that_falls_silent_is_shown_as_lost() -> None:
    now = [0.0]
    live = LiveGame(Told(), clock=lambda: now[0])
    live.camera("ready", expires_s=5)
    now[0] = 4.0
    live.camera("ready", expires_s=5)
    now[0] = 8.0
    assert live.state()["camera"]["state"] == "ready"
    now[0] = 9.5
    assert live.state()["camera"]["state"] == "lost"
    live.camera("ready", expires_s=5)
    assert live.state()["camera"]["state"] == "ready"


def test_saying_the_same_again_is_published_once(live: LiveGame) -> None:
    heard: list[Any] = []
    stop = live.listen(heard.append)
    live.camera("ready")
    live.camera("ready")
    live.board([[0, 0], [1, 0], [1, 1], [0, 1]], 20, 20)
    live.board([[0, 0], [1, 0], [1, 1], [0, 1]], 20, 20)
    stop()
    live.camera("dark")
    assert [event["event"] for event in heard] == ["state", "board"]


def test_the_application_counts_its_seats_by_the_settings(live: LiveGame) -> None:
    seats = shell_of(Visitor(create_app(live).test_client())).seats
    assert [seats.take() for _ in range(3)] == [True, True, False]
