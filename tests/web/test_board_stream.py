"""The camera's picture of the board for streams: a still, a moving picture, and one clear line when there is none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from http.client import HTTPConnection

import pytest

from referee.table import Table
from tests.web.conftest import Visitor
from tests.web.test_following import BOARD, Script
from vision.items import Progress
from web import create_app
from web.board_stream import BoardStream
from web.following import Following, follow
from web.live import LiveGame
from web.server import serve
from web.settings import WebSettings
from web.streams import Seats


@dataclass(eq=False)
class Shot:
    """A picture that stands for itself."""

    square: bytes


@pytest.fixture
def live() -> Iterator[LiveGame]:
    game = LiveGame(Table(), settings=replace(WebSettings(), board_pause_s=0.001, max_viewers=2))
    yield game
    game.close()


def show(live: LiveGame, *pictures: bytes | None) -> None:
    """Let a watcher see these pictures, one at each look, the last one for good; None: no board in sight."""
    shots = [None if one is None else Shot(one) for one in pictures]
    live.board_now = lambda: shots.pop(0) if len(shots) > 1 else shots[0]  # type: ignore[assignment]  # of the same shape


def test_the_still_is_the_newest_picture(program: Visitor, live: LiveGame) -> None:
    show(live, b"one")
    answer = program.client.get("/board.jpg")
    assert (answer.status_code, answer.mimetype, answer.data) == (200, "image/jpeg", b"one")
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/board.jpg", "/board.mjpeg"])
def test_without_a_camera_or_a_board_one_line_says_so(path: str, program: Visitor, live: LiveGame) -> None:
    answer = program.client.get(path)
    assert answer.status_code == 404
    assert "No camera watches this game here" in answer.get_data(as_text=True)
    show(live, None)
    answer = program.client.get(path)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
    assert "does not see the board" in answer.get_data(as_text=True)


def test_the_moving_picture_sends_each_picture_once(program: Visitor, live: LiveGame) -> None:
    one, two = Shot(b"one"), Shot(b"two")
    shots = [one, one, one, None, two]
    live.board_now = lambda: shots.pop(0) if len(shots) > 1 else shots[0]  # type: ignore[assignment]  # of the same shape
    with program.client.get("/board.mjpeg", buffered=False) as answer:
        assert answer.headers["Content-Type"] == "multipart/x-mixed-replace; boundary=board"
        chunks = answer.iter_encoded()
        assert [next(chunks) for _ in range(2)] == [
            b"--board\r\nContent-Type: image/jpeg\r\nContent-Length: 3\r\n\r\none\r\n",
            b"--board\r\nContent-Type: image/jpeg\r\nContent-Length: 3\r\n\r\ntwo\r\n",
        ]


def test_only_so_many_look_at_once_and_those_who_leave_make_room(program: Visitor, live: LiveGame) -> None:
    show(live, b"one")
    first, second = (program.client.get("/board.mjpeg", buffered=False) for _ in range(2))
    third = program.client.get("/board.mjpeg")
    assert third.status_code == 503
    assert "Too many look" in third.get_data(as_text=True)
    first.close()
    with program.client.get("/board.mjpeg", buffered=False) as fourth:
        assert fourth.status_code == 200
    second.close()


@pytest.mark.parametrize("end", ["watching", "game", "reader"])
def test_it_ends_with_the_watching_the_game_or_the_reader_and_frees_its_seat(end: str, live: LiveGame) -> None:
    show(live, b"one")
    seats = Seats(1)
    assert seats.take()
    left: list[str] = []
    stream = BoardStream(live, seats, lambda: bool(left))
    assert next(stream)
    if end == "watching":
        live.board_now = None
    elif end == "game":
        live.close()
    else:
        left.append("gone")
    assert list(stream) == []
    stream.close()
    assert seats.take()
    assert not seats.take(), "a seat is given back once"


def test_the_server_stops_while_somebody_looks(live: LiveGame) -> None:
    show(live, b"one")
    server = serve(create_app(live), port=0).start()
    with closing(HTTPConnection(server.host, server.port, timeout=30)) as connection:
        connection.request("GET", "/board.mjpeg")
        answer = connection.getresponse()
        assert answer.read(7) == b"--board"
        server.stop()
        assert answer.read()


def test_a_watcher_s_pictures_are_there_while_it_watches() -> None:
    live = LiveGame(Table())

    class Watcher(Script):
        """A watcher with a picture."""

        def shot(self) -> Shot:  # type: ignore[override]  # this one has a picture
            return Shot(b"one")

    seen: list[bytes] = []

    def look(_done: int, _total: int | None) -> None:
        assert live.board_now is not None
        shot = live.board_now()
        assert shot is not None
        seen.append(shot.square)

    follow(Watcher(BOARD, Progress(1, 2, 0, 0.0)), live, Following(progress=look))  # type: ignore[arg-type]  # of the same shape
    assert seen == [b"one"]
    assert live.board_now is None
