"""Between the watcher and the game: what is seen goes to the live game, in order, before the next picture is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from vision.watch import BoardFound, CameraState, Item, Progress, Seen, StartSeen, Watcher
from web.live import LiveGame

LIVE_WORD_HOLDS_S = 5.0
"""A camera that says nothing for this long is shown as lost; the watcher speaks every second."""


@dataclass(frozen=True)
class Following:
    """How the watching of one source begins and is told.

    Attributes:
        start_anywhere: the first clear picture is the position already reached.
        next_color: whose turn it then is; None: the first legal placement says.
        live: a camera, whose silence means that it is lost and whose end is not the game's.
        resumed: the game was under way before: what lies on the board is known.
        progress: told how many pictures of how many (None: unknown) have been read.
    """

    start_anywhere: bool = False
    next_color: str | None = None
    live: bool = False
    resumed: bool = False
    progress: Callable[[int, int | None], None] = lambda _done, _total: None


def follow(watcher: Watcher, live: LiveGame, how: Following) -> None:
    """Pass on everything that `watcher` sees until its source ends.

    Raises:
        SourceError: the source holds nothing that can be watched.
    """
    live.board_now = watcher.shot
    try:
        for item in _known(watcher, live, how):
            _pass_on(item, live, how)
    finally:
        live.board_now = None
    if not how.live:
        live.finish(frame=watcher.frame, time_s=watcher.time_s)


def _known(watcher: Watcher, live: LiveGame, how: Following) -> Iterator[Item]:
    """The items, without the first look at a board whose game was under way before; that of a new game is told."""
    resumed = live.game_number if how.resumed else None
    for item in watcher.run():
        if not (isinstance(item, StartSeen) and live.game_number == resumed):
            yield item


def _pass_on(item: Item, live: LiveGame, how: Following) -> None:
    match item:
        case CameraState():
            live.camera(item.state, item.reason, frame=item.frame, time_s=item.time_s, expires_s=LIVE_WORD_HOLDS_S if how.live else None)
        case BoardFound():
            live.board(item.corners_px, item.rows, item.cols, frame=item.frame, time_s=item.time_s)
        case StartSeen():
            live.start(
                item.grid,
                pictures=item.pictures,
                start_anywhere=how.start_anywhere,
                next_color=how.next_color,
                frame=item.frame,
                time_s=item.time_s,
            )
        case Seen():
            live.observe(item.sighting, item.pictures)
        case Progress():
            live.progress(item.done, item.total)
            how.progress(item.done, item.total)
