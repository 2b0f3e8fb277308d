"""Ending the watching of a recording early: what is pending is decided and said before the program ends."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from vision.wrapping import Wrapped

if TYPE_CHECKING:
    from vision.frames import Frame, Lost, Source

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stoppable(Wrapped):
    """A source that ends after the present picture when the program is asked to end; asked twice, it ends at once.

    Attributes:
        stopped_by: number of the signal; None while nobody asked.
    """

    def __init__(self, source: Source) -> None:
        """Pictures of `source`."""
        self.stopped_by: int | None = None
        super().__init__(source)

    def __iter__(self) -> Iterator[Frame | Lost]:
        """The pictures up to the one at which the program was asked to end."""
        for thing in self._source:
            yield thing
            if self.stopped_by is not None:
                return

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take Ctrl-C and termination signals as the wish to end while the block runs; only a program's main thread gets any."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._stop) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        if self.stopped_by is not None:
            raise KeyboardInterrupt
        self.stopped_by = number
