"""What the watcher tells its consumer, and what it may ask about the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose
from referee.cells import Cell, Cells
from referee.sightings import Sighting

Locate = Callable[[NDArray[np.uint8], int], GridPose]
"""Finds the board of so many cells a side in a BGR picture; raises `calibration.locate.BoardNotFoundError`."""


class View(Protocol):
    """The game as the watcher may know it; asked again after every item."""

    def standing(self) -> Mapping[Cell, str]:
        """What should lie on the board now: occupied cells and their colours."""

    def on_turn(self) -> str | None:
        """The colour expected to play; None when nobody knows."""

    def pieces_on_board(self) -> Sequence[tuple[str, Cells]]:
        """Colour and cells of each piece that should lie there; may be empty."""


@dataclass(frozen=True)
class CameraState:
    """How the watching goes; the states are those of the command line's ``state`` events.

    Attributes:
        state: ready, motion, settling, hidden, dark, blurred, no_board, lost or paused.
        reason: why, in words for people.
        frame: number of the last frame read; None before the first.
        time_s: its time; None for single moments.
    """

    state: str
    reason: str
    frame: int | None
    time_s: float | None


@dataclass(frozen=True)
class BoardFound:
    """Where the board is; its naming of rows and columns holds for the whole game.

    Attributes:
        corners_px: outer grid corners ``(x, y)``: top-left, top-right, bottom-right, bottom-left.
        rows: cells down.
        cols: cells across.
        frame: number of the frame.
        time_s: its time.
    """

    corners_px: tuple[tuple[float, float], ...]
    rows: int
    cols: int
    frame: int
    time_s: float | None


@dataclass(frozen=True)
class StartSeen:
    """The first clear look at the board of a game.

    Attributes:
        grid: rows of letters, ``.`` empty, ``?`` unsure.
        unsure: the cells with ``?``.
        frame: number of the frame.
        time_s: its time.
        pictures: JPEG files by name: the board, upright, with one cell around it.
    """

    grid: tuple[str, ...]
    unsure: Cells
    frame: int
    time_s: float | None
    pictures: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Seen:
    """A settled look that tells something new.

    Attributes:
        sighting: what may have happened.
        pictures: JPEG files by name, those that ``sighting.evidence`` names.
    """

    sighting: Sighting
    pictures: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def frame(self) -> int | None:
        """Number of the last frame read."""
        return self.sighting.frame

    @property
    def time_s(self) -> float | None:
        """Its time."""
        return self.sighting.time_s


@dataclass(frozen=True)
class Progress:
    """How far a file has been read.

    Attributes:
        done: frames read.
        total: frames there are, None when unknown.
        frame: number of the last frame read.
        time_s: its time.
    """

    done: int
    total: int | None
    frame: int
    time_s: float | None


Item = CameraState | BoardFound | StartSeen | Seen | Progress
"""Anything that the watcher tells."""
