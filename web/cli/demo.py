"""`demo`: the sample game, refereed from its pictures."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from vision.wrapping import Wrapped
from web.cli.games import new_game, until_stopped, watch_game
from web.cli.options import KEEP_NOTHING, Keeping, Serving, json_option, to_game
from web.cli.output import Printer
from web.cli.serving import page

if TYPE_CHECKING:
    from vision.frames import Frame, Lost, Source

USUAL_PACE_S = 0.5
"""Seconds a picture stays at least, so that the page can be followed: the whole game takes less than a minute."""

DISPUTE_PACES = 8
"""How many times as long the picture of a foul stays: long enough to read what the page says about it."""


@click.command(short_help="Referee the sample game and show its page.")
@click.option("--once", is_flag=True, help="End when the game ends, and do not wait between pictures.")
@click.option(
    "--pace", type=click.FloatRange(0, 60), metavar="SECONDS", help=f"Least time between pictures [default: {USUAL_PACE_S}; 0 with --once]."
)
@click.option("--port", type=click.IntRange(0, 65535), help="Port of the page [default: 8000, or any free one].")
@json_option
def demo(*, once: bool, pace: float | None, port: int | None, as_json: bool) -> None:
    """Referee the game that comes with the program: 77 pictures, from the empty board to the final scores, with two fouls.

    The page's address is the first line printed; open it in a browser and watch. Ctrl-C stops.
    """
    from vision.sources import open_source
    from web.following import Following
    from web.samples import sample_game

    printer = Printer(as_json=as_json)
    keep = Keeping(KEEP_NOTHING)
    live = new_game(keep, to_game(order=None, players=None, missing=None))
    pace_s = (0.0 if once else USUAL_PACE_S) if pace is None else pace
    with ExitStack() as stack:
        stack.enter_context(until_stopped())
        source = Paced(open_source(str(sample_game()), stills=True, warn=printer.note), pace_s)
        stack.callback(source.close)
        stack.callback(live.listen(source.hold_disputes))
        server = stack.enter_context(page(live, printer, Serving("127.0.0.1", port), keep))
        printer.note("Refereeing the sample game (Ctrl-C stops) ...")
        watch_game(source, live, printer, Following(progress=printer.progress), stills=True)
        if not once:
            printer.note(f"The game is over. Its page stays at {server.url} until Ctrl-C.")
            threading.Event().wait()


class Paced(Wrapped):
    """A source whose frames come no faster than people can follow."""

    def __init__(
        self, source: Source, pace_s: float, *, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        """Frames of `source`, at least `pace_s` seconds apart by `clock`."""
        super().__init__(source)
        self._pace_s = pace_s
        self._paces = 1
        self._clock = clock
        self._sleep = sleep

    def hold_disputes(self, event: Mapping[str, Any]) -> None:
        """Let the picture stay longer when the event is a dispute."""
        if event.get("event") == "dispute":
            self._paces = DISPUTE_PACES

    def __iter__(self) -> Iterator[Frame | Lost]:
        """The frames, each after its time."""
        for frame in self._source:
            begun_s, self._paces = self._clock(), 1
            yield frame
            self._sleep(max(0.0, self._paces * self._pace_s - (self._clock() - begun_s)))
