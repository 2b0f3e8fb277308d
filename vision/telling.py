"""What the table has been told: each thing once, and again when people changed what should lie on the board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from calibration.pose import GridPose
from referee.cells import Cell
from referee.sightings import Change, Sighting
from vision.evidence import board_jpeg
from vision.frames import Frame
from vision.items import View


@dataclass(frozen=True)
class Shot:
    """A picture with the grid in it."""

    frame: Frame
    pose: GridPose

    @cached_property
    def jpeg(self) -> bytes:
        """The board as people see it: what is "after" in one piece of news is "before" in the next."""
        return board_jpeg(self.frame.image_bgr, self.pose)


@dataclass(frozen=True)
class News:
    """Something to tell the table.

    Attributes:
        sighting: complete, with its frame and the names of its pictures.
        pictures: JPEG files by those names.
    """

    sighting: Sighting
    pictures: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class _Told:
    """The last word: what should have lain on the board, the likeliest change, and whether that settled the matter."""

    standing: frozenset[tuple[Cell, str]]
    change: Change
    settled: bool


class Teller:
    """Makes news of looks and remembers what was told.

    Args:
        view: the game.
        session: begins the names of pictures, so that they stay unique in a game that is watched several times.
    """

    def __init__(self, view: View, session: str) -> None:
        self._view = view
        self._session = session
        self._told: _Told | None = None

    def forget(self) -> None:
        """Another game begins."""
        self._told = None

    def news(self, sighting: Sighting, *, sure: bool, lies: Mapping[Cell, str], before: Shot, after: Shot) -> News | None:
        """What of a look is new to the table; None when nothing is.

        Args:
            sighting: candidates and unsure cells, relative to what should lie on the board.
            sure: whether the first candidate is beyond doubt.
            lies: what lay on the board at the last look that was understood.
            before: that look's picture.
            after: this look's picture.
        """
        change = sighting.candidates[0][0]
        standing = frozenset(self._view.standing().items())
        at_peace = self._told is None or (self._told.settled and frozenset(lies.items()) == standing)
        nothing = change.is_empty and at_peace
        told, self._told = self._told, _Told(standing, change, sure or nothing)
        if nothing or told == self._told:
            return None
        names = (f"{self._session}{after.frame.index:06d}a", f"{self._session}{after.frame.index:06d}b")
        pictures = {name: shot.jpeg for name, shot in zip(names, (before, after), strict=True)}
        frame = after.frame
        return News(replace(sighting, frame=frame.index, seen_frame=frame.index, time_s=frame.time_s, evidence=names), pictures)
