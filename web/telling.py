"""Telling everybody: what is published goes to the feed and to whoever listens, and how the watching goes is told when it is news."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from web.feed import Feed
from web.keeping import not_kept
from web.watchers_word import WatchersWord

Listener = Callable[[Mapping[str, Any]], None]


class Telling:
    """What a live game tells. Call it under the live game's lock.

    Attributes:
        word: what a watcher last said.
        listeners: called with each event of CONTRACT.md, in order, as JSON.
    """

    def __init__(self, feed: Feed, clock: Callable[[], float]) -> None:
        self.word = WatchersWord(clock)
        self.listeners: list[Listener] = []
        self._feed = feed
        self._told_trouble = ""

    def publish(self, body: Mapping[str, Any], *, event_id: int | None = None) -> None:
        """Tell everybody; what has no number of its own is passing."""
        self._feed.publish(body, counted=False, event_id=event_id)
        for listener in tuple(self.listeners):
            listener(body)

    def say_word(self, trouble: str, frame: int | None = None, time_s: float | None = None) -> None:
        """Tell how the watching goes, unless that nothing can be kept (``trouble`` says why) is louder."""
        if self.word.camera["state"] is None:
            self._feed.publish({"event": "ended"}, counted=False)
        elif not trouble:
            self.publish({"event": "state", **self.word.camera, "frame": frame, "time_s": time_s})

    def say_trouble(self, trouble: str) -> None:
        """Say that nothing can be kept, once for each reason."""
        if trouble != self._told_trouble:
            self._told_trouble = trouble
            self.word.holds()
            self.publish({"event": "state", "state": "paused", "reason": not_kept(trouble), "frame": None, "time_s": None})

    def say_kept(self, trouble: str) -> None:
        """Say that all is kept again, after it was not."""
        if not self._told_trouble:
            return
        self._told_trouble = ""
        if self.word.camera["state"] is None:
            self._feed.publish({"event": "kept"}, counted=False)
        else:
            self.say_word(trouble)
