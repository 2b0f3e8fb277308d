"""Telling many readers of a live game what happens: one thread for all streams of a game, and each event put into words once a language."""

from __future__ import annotations

import contextlib
import logging
import selectors
import threading
import time
from dataclasses import dataclass, field
from typing import Protocol

from web.feed import Batch
from web.live import LiveGame
from web.settings import WebSettings
from web.streams import STILL_HERE, EventStream, reload, told
from web.tls import RECORD_BYTES, NotYet

_LOG = logging.getLogger(__name__)


class Connection(Protocol):
    """What is needed of a socket that does not block; reading and writing raise `OSError` when it is broken."""

    def recv(self, size: int, /) -> bytes:
        """What has come in; nothing when the other side has gone."""

    def send(self, data: bytes, /) -> int:
        """Send what can be sent now; how many bytes that was."""

    def fileno(self) -> int:
        """Its descriptor."""

    def close(self) -> None:
        """Close it."""


@dataclass(eq=False)
class Reader:
    """A reader whose answer has begun.

    Attributes:
        connection: to it, ours alone from now on.
        stream: what it asked for; closing it frees its seat.
        is_chunked: whether each part is sent with its length, as HTTP/1.1 has it.
        unsent: what the connection did not take yet.
        silent_since_s: when it was last told anything.
    """

    connection: Connection
    stream: EventStream
    is_chunked: bool
    unsent: bytes
    silent_since_s: float = field(default_factory=time.monotonic)

    def tell(self, data: bytes, most_bytes: int) -> bool:
        """Send ``data`` after what is still unsent; False when the reader has gone or has long stopped reading."""
        if data:
            self.unsent += framed(data) if self.is_chunked else data
            self.silent_since_s = time.monotonic()
        return self.flush() and len(self.unsent) <= most_bytes

    def flush(self) -> bool:
        """Send what the connection takes; False when it is broken."""
        try:
            while self.unsent and (sent := self.connection.send(self.unsent)):
                self.unsent = self.unsent[sent:]
        except (BlockingIOError, InterruptedError):
            return True
        except OSError:
            return False
        return True

    def has_gone(self) -> bool:
        """Whether the other side has closed the connection; what else it sends on it is of no interest."""
        try:
            return not self.connection.recv(RECORD_BYTES)
        except (BlockingIOError, InterruptedError, NotYet):
            return False
        except OSError:
            return True

    def end(self, *, politely: bool) -> None:
        """Close the connection, ``politely`` with the end of the answer, and free the seat."""
        if politely and self.is_chunked:
            self.unsent += b"0\r\n\r\n"
            self.flush()
        with contextlib.suppress(OSError):
            self.connection.close()
        self.stream.close()


def framed(data: bytes) -> bytes:
    """A part of an answer in chunked coding."""
    return b"%X\r\n%b\r\n" % (len(data), data)


class Fanout:
    """The thread that tells all readers of one live game. It begins with the first reader and ends with the last, or with the game."""

    def __init__(self, live: LiveGame) -> None:
        self._live = live
        self._settings: WebSettings = live.settings
        self._lock = threading.Lock()
        self._new: list[Reader] = []
        self._thread: threading.Thread | None = None
        self._takes_more = False  # whether the thread will still take in new readers

    def adopt(self, reader: Reader) -> None:
        """Tell one more reader, from the position of its stream on."""
        with self._lock:
            self._new.append(reader)
            if not self._takes_more:
                thread = threading.Thread(target=self._run, name="events", daemon=True)
                thread.start()  # where there is no room for one, the next reader tries again
                self._thread, self._takes_more = thread, True

    def join(self, timeout_s: float) -> None:
        """Wait until all streams have ended, which they do when the game is closed."""
        thread = self._thread
        if thread is not None:
            thread.join(timeout_s)

    def _run(self) -> None:
        with selectors.DefaultSelector() as selector:
            try:
                while self._go_on(selector):
                    self._live.look_round()
                    self._tell(selector, self._news(selector))
                    self._hear(selector)
            except Exception:  # noqa: BLE001 - whatever it was, the readers come back and find the game
                _LOG.exception("the streams of events have ended; their readers come back by themselves")
            finally:
                self._end(selector)

    def _go_on(self, selector: selectors.BaseSelector) -> bool:
        """Take in new readers; False when there are none at all any more, or the game is closed."""
        with self._lock:
            for reader in self._new:
                selector.register(reader.connection.fileno(), selectors.EVENT_READ, reader)
            self._new = []
            if _readers(selector) and not self._live.feed.closed:
                return True
            self._takes_more = False
            return False

    def _news(self, selector: selectors.BaseSelector) -> Batch:
        """Wait for news, and then until whoever decided something has got the answer and all that belongs to it is told."""
        readers, settings = _readers(selector), self._settings
        position = min(reader.stream.position for reader in readers)
        waits_s = settings.resend_s if any(reader.unsent for reader in readers) else settings.poll_s
        if self._live.feed.after(position, waits_s).messages:
            time.sleep(settings.tell_after_s)
        with self._live.lock:
            return self._live.feed.after(position)

    def _tell(self, selector: selectors.BaseSelector, batch: Batch) -> None:
        """Tell everybody what is new to them, and show signs of life to who has heard nothing for long."""
        worded: dict[tuple[str, int], bytes] = {}
        quiet_s = time.monotonic() - self._settings.heartbeat_s
        for reader in _readers(selector):
            stream, data = reader.stream, b""
            if stream.position < batch.position:
                key = stream.language, stream.position
                if key not in worded:
                    messages = [message for message in batch.messages if message.position > stream.position]
                    worded[key] = told(messages, stream.language) if batch.complete else reload(self._live)
                data, stream.position = worded[key], batch.position
            elif reader.silent_since_s <= quiet_s:
                data = STILL_HERE
            if (data or reader.unsent) and not reader.tell(data, self._settings.max_unsent_bytes):
                _drop(selector, reader)

    @staticmethod
    def _hear(selector: selectors.BaseSelector) -> None:
        """Notice who has gone."""
        for key, _ in selector.select(0):
            if key.data.has_gone():
                _drop(selector, key.data)

    def _end(self, selector: selectors.BaseSelector) -> None:
        """End the streams that are left, also of readers that came at the last moment."""
        with self._lock:
            left = _readers(selector)
            if self._takes_more and self._thread is threading.current_thread():  # it broke off
                left, self._new, self._takes_more = left + self._new, [], False
        for reader in left:
            reader.end(politely=True)


def _readers(selector: selectors.BaseSelector) -> list[Reader]:
    return [key.data for key in selector.get_map().values()]


def _drop(selector: selectors.BaseSelector, reader: Reader) -> None:
    selector.unregister(reader.connection.fileno())
    reader.end(politely=False)


class Fanouts:
    """The fan-outs of all live games that one server shows. Thread safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of: dict[int, tuple[LiveGame, Fanout]] = {}

    def adopt(self, reader: Reader) -> None:
        """Let a reader be told what happens in the game of its stream."""
        live = reader.stream.live
        with self._lock:
            self._of = {key: kept for key, kept in self._of.items() if not kept[0].feed.closed}
            _, fanout = self._of.setdefault(id(live), (live, Fanout(live)))
        fanout.adopt(reader)

    def join(self, timeout_s: float) -> None:
        """Wait until all streams have ended, which they do when their games are closed."""
        until_s = time.monotonic() + timeout_s
        with self._lock:
            fanouts = [fanout for _, fanout in self._of.values()]
        for fanout in fanouts:
            fanout.join(max(0.0, until_s - time.monotonic()))
