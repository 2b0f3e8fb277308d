"""Server-sent events: the feed as a stream that browsers resume by themselves."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from web.feed import Message
from web.live import LiveGame
from web.spoken import with_said
from web.translating import in_language

STILL_HERE = b": still here\n\n"
"""A sign of life, of which the reader's script hears nothing."""


class Seats:
    """Counts the streams that are open; there is room for ``limit``. Thread safe."""

    def __init__(self, limit: int) -> None:
        self._free = threading.BoundedSemaphore(limit)

    def take(self) -> bool:
        """Take a seat; False when none is free."""
        return self._free.acquire(blocking=False)

    def leave(self) -> None:
        """Give a seat back."""
        self._free.release()


class EventStream:
    """The body of one stream's answer: an iterator of bytes that gives its seat back when closed, even before it began.

    The first part is there at once, all others wait for news. It ends when the live game closes or ``gone`` says that the reader has left.

    Attributes:
        live: the game whose events it tells.
        language: in which they are told.
        position: the last message that the parts given so far contain.
    """

    def __init__(self, live: LiveGame, seats: Seats, after_id: int | None, gone: Callable[[], bool], language: str = "en") -> None:
        """``after_id`` is the last event that the reader knows, None for a reader that wants only what comes."""
        self.live, self.language = live, language
        self._seats, self._gone = seats, gone
        self._open = True
        self._silent_since_s = time.monotonic()
        self.position = live.feed.position
        self._chunks: deque[bytes] = deque([f"retry: {live.settings.reconnect_ms}\n\n".encode()])
        if after_id is not None:
            self._resume(after_id)
        camera = live.state()["camera"]
        if camera["state"] is not None:
            self._chunks.append(_event({"event": "state", **camera}, None))

    def _resume(self, after_id: int) -> None:
        """Line up what the reader has missed, or tell it to read the whole state."""
        missed = self.live.events_after(after_id)
        self.position = missed.position
        self._chunks.append(told(missed.messages, self.language) if missed.complete else reload(self.live))

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        while self._open and not self._chunks:
            self._wait()
        if not self._open:
            raise StopIteration
        self._silent_since_s = time.monotonic()
        data = b"".join(self._chunks)
        self._chunks.clear()
        return data

    def _wait(self) -> None:
        """Wait for news, a sign of life to be due, or the end."""
        self.live.look_round()
        batch = self.live.feed.after(self.position, self.live.settings.poll_s)
        self.position = batch.position
        if not batch.complete:
            self._chunks.append(reload(self.live))
        if batch.messages:
            self._chunks.append(told(batch.messages, self.language))
        if self._chunks:
            return
        if self.live.feed.closed or self._gone():
            self.close()
        elif time.monotonic() - self._silent_since_s >= self.live.settings.heartbeat_s:
            self._chunks.append(STILL_HERE)

    def close(self) -> None:
        """End the stream and free its seat; the server calls this whatever happened."""
        if self._open:
            self._open = False
            self._seats.leave()


def told(messages: Sequence[Message], language: str) -> bytes:
    """Messages as a stream tells them in a language."""
    with in_language(language):
        return b"".join(_event(with_said(message.body), message.event_id) for message in messages)


def reload(live: LiveGame) -> bytes:
    """What a reader is told that has missed more than is kept: to read the whole state."""
    return _event({"event": "reload"}, live.feed.event_id)


def _event(body: Mapping[str, Any], event_id: int | None) -> bytes:
    """One event of the stream; JSON has no line breaks of its own, so one data line is enough."""
    head = "" if event_id is None else f"id: {event_id}\n"
    return f"{head}data: {json.dumps(body, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()
