"""The time-lapse of a game: made when somebody asks for it, one at a time, and kept for the next who does."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from referee.cells import Cells
from referee.events import listed_cells

if TYPE_CHECKING:
    from web.exports import Exported

WAIT_S = 3.0
"""Seconds that a request waits for another one's time-lapse, which takes two; then it had better come again."""

Piece = tuple[str, Cells]

_one = threading.Lock()


class BusyError(RuntimeError):
    """Another time-lapse is being made; one line."""


def time_lapse(game: Exported, kind: str) -> bytes:
    """The time-lapse of a game as the bytes of a file; ``kind`` is gif or mp4.

    Raises:
        BusyError: another one is being made, which takes longer than anybody should wait.
        vision.timelapse.TimeLapseError: this computer cannot make such files.
    """
    placements = game.table.state()["placements"]
    turns = tuple((str(move["color"]), frozenset(listed_cells(move["home"]))) for move in placements)
    final = tuple((color, frozenset(cells)) for color, cells in game.sheet.pieces)
    if not _one.acquire(timeout=WAIT_S):
        raise BusyError("Another time-lapse is being made: try again in a few seconds.")
    try:
        return _made(kind, game.record.options.rules.size, turns, final)
    finally:
        _one.release()


@lru_cache(maxsize=8)
def _made(kind: str, size: int, turns: tuple[Piece, ...], final: tuple[Piece, ...]) -> bytes:
    """The file; whoever asks for the same game gets the same."""
    from vision import timelapse

    makers: dict[str, Callable[..., bytes]] = {"gif": timelapse.gif, "mp4": timelapse.mp4}
    return makers[kind]([*timelapse.frames(size, turns, final)])
