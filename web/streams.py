"""Server-sent events: the feed as a stream that browsers resume by themselves."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from web.feed import Message
from web.live import LiveGame
from web.spoken import with_said
from web.translating import in_language

STILL_HERE = b": still here\n\n"
"""A sign of life, of which the reader's script hears nothing."""


class Seats:
    """Counts the streams that are open; there is room for ``limit``, and the last ``kept`` are for addresses that have none. Thread safe.

    So one device cannot shut the others out, while many behind one router still get in: they share an address, and nearly all seats.
    """

    def __init__(self, limit: int, kept: int = 0) -> None:
        self._free, self._kept = limit, kept
        self._taken: Counter[str] = Counter()
        self._lock = threading.Lock()

    @property
    def free(self) -> int:
        """Seats that nobody has."""
        with self._lock:
            return self._free

    def take(self, address: str = "") -> bool:
        """Take a seat for a reader at ``address``; False when none is free for it."""
        with self._lock:
            if self._free <= (self._kept if self._taken[address] else 0):
                return False
            self._free -= 1
            self._taken[address] += 1
            return True

    def leave(self, address: str = "") -> None:
        """Give a seat back that was taken for ``address``.

        Raises:
            ValueError: it has none.
        """
        with self._lock:
            if not self._taken[address]:
                raise ValueError(f"no seat was taken for {address!r}")
            self._free += 1
            self._taken[address] -= 1
            if not self._taken[address]:
                del self._taken[address]


class EventStream:
    """The body of one stream's answer: an iterator of bytes that gives its seat back when closed, even before it began.

    The first part is there at once, all others wait for news. It ends when the live game closes or ``gone`` says that the reader has left.

    Attributes:
        live: the game whose events it tells.
        language: in which they are told.
        position: the last message that the parts given so far contain.
    """

    def __init__(
        self, live: LiveGame, seats: Seats, after_id: int | None, gone: Callable[[], bool], language: str = "en", address: str = ""
    ) -> None:
        """``after_id`` is the last event that the reader knows, None for a reader that wants only what comes; its seat is ``address``'s."""
        self.live, self.language = live, language
        self._seats, self._address, self._gone = seats, address, gone
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
            self._seats.leave(self._address)


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
