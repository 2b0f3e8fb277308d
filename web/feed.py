"""The feed: published events in order, for any number of readers that come, go and come back.

Each message has an ``event_id``. Events of the table carry the number that the journal gave them, which a restart does not change and
which goes up, by more than one where games of several tables are kept together; passing
messages (the camera's state, the board's corners) carry the number of the event before them and are not counted. A reader that says the
last id it saw gets every later event once, and passing messages at least once.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Message:
    """One published message: ``position`` counts all messages of this process, ``event_id`` only the table's events."""

    position: int
    event_id: int
    body: Mapping[str, Any]


@dataclass(frozen=True)
class Batch:
    """What a reader gets: ``messages`` in order and the ``position`` to ask from next time.

    ``complete`` is False when messages between are no longer kept (or the id is not one of ours): read the whole state instead.
    """

    messages: tuple[Message, ...]
    position: int
    complete: bool = True


class Feed:
    """Keeps the last ``keep`` messages and wakes readers that wait for more. Thread safe."""

    def __init__(self, *, first_id: int = 0, keep: int = 2000) -> None:
        """``first_id`` is the id of the last event before this feed, so that numbering goes on after a restart."""
        self._messages: deque[Message] = deque(maxlen=keep)
        self._floor_id = first_id
        self._event_id = first_id
        self._position = 0
        self._closed = False
        self._changed = threading.Condition()

    @property
    def event_id(self) -> int:
        """Id of the last event."""
        with self._changed:
            return self._event_id

    @property
    def position(self) -> int:
        """Position of the last message."""
        with self._changed:
            return self._position

    @property
    def closed(self) -> bool:
        """Whether the feed has ended."""
        with self._changed:
            return self._closed

    def publish(self, body: Mapping[str, Any], *, counted: bool = True, event_id: int | None = None) -> Message:
        """Append ``body`` and wake the readers; ``counted`` gives it an event id of its own, the next one or ``event_id``."""
        with self._changed:
            self._event_id = self._event_id + counted if event_id is None else event_id
            self._position += 1
            if self._messages and len(self._messages) == self._messages.maxlen:
                self._floor_id = self._messages[0].event_id
            message = Message(self._position, self._event_id, body)
            self._messages.append(message)
            self._changed.notify_all()
            return message

    def after_id(self, event_id: int) -> Batch:
        """What came after the event ``event_id``; not ``complete`` when that is too long ago or was never ours."""
        with self._changed:
            if not self._floor_id <= event_id <= self._event_id:
                return Batch((), self._position, complete=False)
            return self._since(next((m.position - 1 for m in self._messages if m.event_id > event_id), self._position))

    def after(self, position: int, timeout_s: float = 0.0) -> Batch:
        """What came after ``position``; waits up to ``timeout_s`` for something to come."""
        with self._changed:
            self._changed.wait_for(lambda: self._position > position or self._closed, timeout_s)
            return self._since(position)

    def close(self) -> None:
        """End the feed: readers that wait return at once."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _since(self, position: int) -> Batch:
        found = tuple(m for m in self._messages if m.position > position)
        first_kept = self._messages[0].position if self._messages else self._position + 1
        return Batch(found, self._position, complete=position >= first_kept - 1)
