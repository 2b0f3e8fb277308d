"""A source into which people look while it is watched, and which they exchange for another camera without starting again."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator

from vision.camera import Camera, LiveSettings, LiveSource
from vision.frames import Frame, Lost, Source, SourceError
from vision.wrapping import PAUSED, Wrapped

FIRST_PICTURE_S = 6.0
"""Wait for a camera's first picture while somebody looks on: local ones take one or two seconds, network ones up to five."""

EXCHANGE_S = 25.0
"""Wait for the first picture of another camera that takes over: as long as a camera may take at the start of the program, and a search."""

TOLD_EVERY_S = 1.0
"""Seconds between two words of a source that rests; whoever is told nothing for five takes it for lost."""


class Changed(Exception):
    """People changed what is watched, or where the board is: whoever watches begins anew with what the source gives now."""


class Viewfinder(Wrapped):
    """A source that any thread may look into and exchange while one thread watches it.

    Args:
        source: what is watched at first.
        spec: what the command line calls it.
        open_source: opens what people choose instead; None: what is watched stays.

    Attributes:
        spec: what the command line calls the present source.
        lost: why it gives no pictures just now; empty when it does.
        paused: its pictures are seen by whoever looks into it, but not watched.
    """

    def __init__(self, source: Source, spec: str, open_source: Callable[[str], Source] | None = None) -> None:
        self.spec = spec
        self.lost = ""
        self.paused = False
        self._told_s = -math.inf
        self._trouble = ""
        super().__init__(source)
        self._open = open_source
        self._frames: Iterator[Frame | Lost] | None = None
        self._former: str | None = None
        self._wanted: str | None = None
        self._settled = True
        self._due = threading.Event()
        self._is_anew = False
        self._news = threading.Condition()
        self._newest: Frame | None = None

    def __iter__(self) -> Iterator[Frame | Lost]:
        """The frames from where the last iteration ended.

        Raises:
            Changed: people want something else; the next iteration gives it.
            SourceError: as the source raises it.
        """
        while True:
            if self._due.is_set():
                with self._news:
                    self._due.clear()
                    self._is_anew = False
                self._exchange()
                raise Changed
            thing = self._next()
            if thing is None:
                return
            if not (self.paused and isinstance(thing, Frame)):
                yield thing
            elif self._is_to_be_told(thing.time_s or 0.0):
                yield Lost(PAUSED, thing.time_s or 0.0, "paused")

    @property
    def can_exchange(self) -> bool:
        """Whether another camera can take the place of the present source: recordings are watched to their end."""
        return self._open is not None and self._source.live

    @property
    def can_pause(self) -> bool:
        """Whether people may let the watching rest: a recording is watched to its end."""
        return self._source.live

    def begin_again(self) -> None:
        """Let whoever watches begin anew with the same source."""
        with self._news:
            self._is_anew = True
            self._due.set()

    def exchange(self, spec: str, wait_s: float = EXCHANGE_S) -> None:
        """Let another camera take the place of the present source, and wait for its first picture.

        Raises:
            SourceError: it gives none: the former source is watched again.
        """
        with self._news:
            self._wanted, self._settled, self._trouble = spec, False, ""
            self._due.set()
            if not self._news.wait_for(lambda: self._settled, wait_s):
                self._withdraw()
                raise SourceError("the watching is busy and has not come to the other camera: try again in a moment")
            if self._trouble:
                raise SourceError(self._trouble)

    def _withdraw(self) -> None:
        """Take a wish back that the watching has not come to: nobody waits for it any more."""
        if self._wanted is not None:
            self._wanted, self._settled = None, True
            if not self._is_anew:
                self._due.clear()

    def newest(self, wait_s: float = FIRST_PICTURE_S) -> Frame | None:
        """The last frame watched; waits for the first one."""
        with self._news:
            self._news.wait_for(lambda: self._newest is not None, wait_s)
            return self._newest

    def _is_to_be_told(self, time_s: float) -> bool:
        """Whether a word that the source rests is due."""
        due = not self._told_s <= time_s < self._told_s + TOLD_EVERY_S
        self._told_s = time_s if due else self._told_s
        return due

    def _next(self) -> Frame | Lost | None:
        """The next frame; None at the end.

        Raises:
            Changed: a camera that people chose gives no picture, and the one before is back.
        """
        if self._frames is None:
            self._frames = iter(self._source)
        try:
            thing = next(self._frames, None)
        except SourceError as error:
            if self._former is None:
                raise
            self._give_up(self._former, error)
            raise Changed from error
        self.lost = thing.reason if isinstance(thing, Lost) else ""
        if isinstance(thing, Frame):
            with self._news:
                self._newest = thing
                self._settle()
        return thing

    def _exchange(self) -> None:
        """Open the camera that people want, if they do."""
        with self._news:
            wanted, self._wanted = self._wanted, None
        if wanted is None:
            return
        former = self.spec
        try:
            self._take(wanted)
        except SourceError as error:
            self._give_up(former, error)
            return
        self._former = former

    def _give_up(self, former: str, error: SourceError) -> None:
        """Go back to the former source, and keep why.

        Raises:
            SourceError: it is gone too.
        """
        self._take(former)
        with self._news:
            self._settle(str(error))

    def _settle(self, trouble: str = "") -> None:
        """The exchange is over; call it with the lock held."""
        self._former = None
        if self._wanted is None:
            self._settled, self._trouble = True, trouble or self._trouble
        self._news.notify_all()

    def _take(self, spec: str) -> None:
        """Watch another source; the present one is let go first, for it may be the same camera."""
        self._source.close()
        self._frames = None
        with self._news:
            self._newest = None
        if self._open is None:
            raise SourceError("what is watched cannot be exchanged")
        self._source, self.spec = self._open(spec), spec


def one_picture(camera: Camera, settings: LiveSettings | None = None) -> Frame:
    """A camera's first good picture.

    Raises:
        SourceError: it gives none; the message says what was tried and what to do.
    """
    source = LiveSource(camera, settings or LiveSettings(first_wait_s=FIRST_PICTURE_S), clock=time.monotonic)
    try:
        for thing in source:
            if isinstance(thing, Frame):
                return thing
            raise SourceError(thing.reason)
        raise SourceError(f"no picture from {camera}")
    finally:
        source.close()
