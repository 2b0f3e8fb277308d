"""Many readers of one game on the production server: one thread tells all of them, and none can hold up the others."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from referee.table import Table
from web import create_app
from web.fanout import Fanouts, Reader
from web.live import LiveGame
from web.server import Server, serve
from web.settings import WebSettings
from web.streams import EventStream, Seats

QUICK = replace(WebSettings(), kept_seats=0, poll_s=0.01, resend_s=0.01, tell_after_s=0.0)


@contextmanager
def serving(settings: WebSettings) -> Iterator[tuple[Server, LiveGame]]:
    live = LiveGame(Table(), settings=settings)
    server = serve(create_app(live), port=0).start()
    try:
        yield server, live
    finally:
        server.stop()


def listening(server: Server, version: str = "1.1") -> socket.socket:
    """A connection on which a stream has begun: its head has been read."""
    connection = socket.create_connection((server.host, server.port), timeout=30)
    connection.sendall(f"GET /api/events HTTP/{version}\r\nHost: localhost\r\n\r\n".encode())
    return connection


def parts(connection: socket.socket) -> Iterator[bytes]:
    """The parts of an answer in chunked coding, until it ends."""
    with connection.makefile("rb") as lines:
        assert lines.readline() == b"HTTP/1.1 200 OK\r\n"
        while lines.readline() != b"\r\n":
            pass
        while size := int(lines.readline(), 16):
            yield lines.read(size)
            lines.readline()


def said(part: bytes) -> list[dict[str, Any]]:
    return [json.loads(line[6:]) for line in part.splitlines() if line.startswith(b"data: ")]


def test_more_listen_than_there_are_threads_and_one_tells_them_all() -> None:
    with serving(replace(QUICK, request_threads=2, max_viewers=0, max_listeners=40)) as (server, live), ExitStack() as stack:
        readers = [parts(stack.enter_context(closing(listening(server)))) for _ in range(40)]
        assert {next(reader) for reader in readers} == {b"retry: 500\n\n"}
        live.camera("dark", "The lamp went out.")
        for reader in readers:
            assert [event["state"] for event in said(next(reader))] == ["dark"]
        assert [thread.name for thread in threading.enumerate()].count("events") == 1
        with closing(http.client.HTTPConnection(server.host, server.port, timeout=30)) as other:
            other.request("GET", "/api/state")
            assert other.getresponse().status == 200


def test_all_that_a_decision_causes_is_told_in_one_part() -> None:
    with serving(QUICK) as (server, live), closing(listening(server)) as connection:
        reader = parts(connection)
        next(reader)
        with live.lock:  # as while it is carried out
            live.decide({"decision": "place", "color": "blue", "cells": [[0, 0]]})
            live.decide({"decision": "undo"})
        assert [event["event"] for event in said(next(reader))] == ["placement", "corrected"]


def test_a_reader_that_stops_reading_is_cut_off_and_holds_up_nobody() -> None:
    with serving(replace(QUICK, max_listeners=2, max_unsent_bytes=10_000)) as (server, live), ExitStack() as stack:
        stuck = stack.enter_context(closing(listening(server)))
        reader = parts(stack.enter_context(closing(listening(server))))
        next(reader)
        assert stuck.recv(12) == b"HTTP/1.1 200"
        number, heard = 0, 0
        while stuck_is_seated(server):
            live.camera("dark", f"{number} {'x' * 500_000}")
            number += 1
            while heard < number:
                heard += len(said(next(reader)))
            assert number < 100
        assert number > 1


def stuck_is_seated(server: Server) -> bool:
    """Whether there is no seat for one more reader."""
    with closing(http.client.HTTPConnection(server.host, server.port, timeout=30)) as other:
        other.request("GET", "/api/events")
        return other.getresponse().status == 503


def test_a_reader_of_the_older_protocol_gets_the_bare_events() -> None:
    with serving(QUICK) as (server, live), closing(listening(server, "1.0")) as connection, connection.makefile("rb") as lines:
        assert lines.readline() == b"HTTP/1.0 200 OK\r\n"
        while lines.readline() != b"\r\n":
            pass
        assert (lines.readline(), lines.readline()) == (b"retry: 500\n", b"\n")
        live.camera("dark")
        assert (lines.readline(), lines.readline()[:23]) == (b"id: 0\n", b'data: {"event":"state",')


def test_nothing_else_can_be_asked_where_a_stream_has_begun() -> None:
    with serving(QUICK) as (server, live), closing(listening(server)) as connection:
        reader = parts(connection)
        next(reader)
        connection.sendall(b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n")
        live.camera("dark")
        assert [event["event"] for event in said(next(reader))] == ["state"]


def test_a_silent_stream_shows_signs_of_life() -> None:
    with serving(replace(QUICK, heartbeat_s=0.0)) as (server, _), closing(listening(server)) as connection:
        reader = parts(connection)
        next(reader)
        assert [next(reader) for _ in range(3)] == [b": still here\n\n"] * 3


def test_the_stream_of_a_game_that_is_closed_ends_as_an_answer_should() -> None:
    with serving(QUICK) as (server, live), closing(listening(server)) as connection:
        reader = parts(connection)
        next(reader)
        live.close()
        assert [*reader] == []


@dataclass
class Closing:
    """A connection that takes its time to close."""

    held: socket.socket
    began: threading.Event = field(default_factory=threading.Event)
    may_end: threading.Event = field(default_factory=threading.Event)
    is_closed: bool = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.held, name)

    def close(self) -> None:
        self.began.set()
        self.may_end.wait(30)
        self.is_closed = True


def test_whoever_waits_for_the_end_of_the_streams_waits_until_each_is_closed() -> None:
    live, seats = LiveGame(Table(), settings=QUICK), Seats(1)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        assert seats.take()
        connection, fanouts = Closing(ours), Fanouts()
        fanouts.adopt(Reader(connection, EventStream(live, seats, None, lambda: False), is_chunked=True, unsent=b""))
        live.close()
        assert connection.began.wait(30)
        threading.Timer(0.1, connection.may_end.set).start()  # after whoever does not wait has gone on
        fanouts.join(30)
        assert connection.is_closed
        assert theirs.recv(5) == b"0\r\n\r\n"


def test_a_reader_for_whom_there_was_no_thread_is_told_once_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    live, seats, fanouts = LiveGame(Table(), settings=QUICK), Seats(2), Fanouts()

    def adopted(connection: socket.socket) -> None:
        connection.setblocking(False)
        assert seats.take()
        fanouts.adopt(Reader(connection, EventStream(live, seats, None, lambda: False), is_chunked=False, unsent=b""))

    def no_room(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    (first, told_first), (second, told_second) = socket.socketpair(), socket.socketpair()
    with told_first, told_second:
        with monkeypatch.context() as patch:
            patch.setattr(threading.Thread, "start", no_room)
            with pytest.raises(RuntimeError, match="new thread"):
                adopted(first)
        adopted(second)
        live.camera("dark")
        for reader in (told_first, told_second):
            reader.settimeout(30)
            assert b'"state":"dark"' in reader.recv(1000)
        live.close()
        fanouts.join(30)


def test_a_fault_while_telling_ends_the_streams_and_the_next_readers_are_told_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(QUICK) as (server, live):
        with closing(listening(server)) as connection, monkeypatch.context() as patch:
            reader = parts(connection)
            next(reader)
            patch.setattr(live, "look_round", lambda: 1 / 0)
            assert [*reader] == []
        assert "ZeroDivisionError" in caplog.text
        with closing(listening(server)) as connection:
            reader = parts(connection)
            next(reader)
            live.camera("dark")
            assert [event["event"] for event in said(next(reader))] == ["state"]


def test_an_answer_without_a_body_leaves_its_connection_open() -> None:
    with serving(QUICK) as (server, _), closing(http.client.HTTPConnection(server.host, server.port, timeout=30)) as connection:
        connection.request("GET", "/live")
        answer = connection.getresponse()
        answer.read()
        kept = connection.sock
        for _ in range(3):
            connection.request("GET", "/live", headers={"If-None-Match": answer.headers["ETag"]})
            again = connection.getresponse()
            assert (again.status, again.read(), again.headers["Connection"]) == (304, b"", None)
        assert connection.sock is kept
        connection.request("GET", "/live", headers={"If-None-Match": answer.headers["ETag"], "Connection": "close"})
        assert connection.getresponse().headers["Connection"] == "close"
