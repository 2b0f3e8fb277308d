"""Server-sent events: the feed as a stream that browsers resume by themselves."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from web.feed import Message
from web.live import LiveGame
from web.spoken import with_said
from web.translating import in_language


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

    It ends when the live game closes or ``gone`` says that the reader has left.
    """

    def __init__(self, live: LiveGame, seats: Seats, after_id: int | None, gone: Callable[[], bool], language: str = "en") -> None:
        """``after_id`` is the last event that the reader knows, None for a reader that wants only what comes."""
        self._live, self._seats, self._gone, self._language = live, seats, gone, language
        self._open = True
        self._silent_since_s = time.monotonic()
        self._position = live.feed.position
        self._chunks: deque[str] = deque([f"retry: {live.settings.reconnect_ms}\n\n"])
        if after_id is not None:
            self._resume(after_id)
        camera = live.state()["camera"]
        if camera["state"] is not None:
            self._chunks.append(_event({"event": "state", **camera}, None))

    def _resume(self, after_id: int) -> None:
        """Line up what the reader has missed, or tell it to read the whole state."""
        missed = self._live.events_after(after_id)
        self._position = missed.position
        if missed.complete:
            self._chunks.extend(map(self._message, missed.messages))
        else:
            self._chunks.append(_event({"event": "reload"}, self._live.feed.event_id))

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        while self._open and not self._chunks:
            self._wait()
        if not self._open:
            raise StopIteration
        self._silent_since_s = time.monotonic()
        text = "".join(self._chunks)
        self._chunks.clear()
        return text.encode()

    def _message(self, message: Message) -> str:
        with in_language(self._language):
            return _event(with_said(message.body), message.event_id)

    def _wait(self) -> None:
        """Wait for news, a sign of life to be due, or the end."""
        self._live.look_round()
        batch = self._live.feed.after(self._position, self._live.settings.poll_s)
        self._position = batch.position
        if not batch.complete:
            self._chunks.append(_event({"event": "reload"}, self._live.feed.event_id))
        self._chunks.extend(map(self._message, batch.messages))
        if self._chunks:
            return
        if self._live.feed.closed or self._gone():
            self.close()
        elif time.monotonic() - self._silent_since_s >= self._live.settings.heartbeat_s:
            self._chunks.append(": still here\n\n")

    def close(self) -> None:
        """End the stream and free its seat; the server calls this whatever happened."""
        if self._open:
            self._open = False
            self._seats.leave()


def _event(body: Mapping[str, Any], event_id: int | None) -> str:
    """One event of the stream; JSON has no line breaks of its own, so one data line is enough."""
    head = "" if event_id is None else f"id: {event_id}\n"
    return f"{head}data: {json.dumps(body, ensure_ascii=False, separators=(',', ':'))}\n\n"
