"""A little film watched: what the watcher told of it, and the hands that play in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from calibration.pose import GridPose
from referee.cells import Cell
from referee.sightings import Change
from tests.vision.desk import SIZE, Believer, BgrImage, Desk, Film
from vision.watch import CameraState, Item, Seen, StartSeen, Watcher, WatchSettings

FIRST = [(0, 0), (0, 1), (0, 2), (1, 2)]
SECOND = [(0, 19), (1, 19), (2, 19), (2, 18)]
THIRD = [(10, 10), (10, 11), (11, 11)]


@dataclass
class Story:
    """What the watcher told of a film, with a game that believes it."""

    items: list[Item] = field(default_factory=list)
    game: Believer = field(default_factory=Believer)

    @property
    def changes(self) -> list[tuple[int | None, Change]]:
        return [(item.frame, item.sighting.candidates[0][0]) for item in self.items if isinstance(item, Seen)]

    @property
    def states(self) -> list[str]:
        return [item.state for item in self.items if isinstance(item, CameraState)]

    def of(self, kind: type[Item]) -> list[Item]:
        return [item for item in self.items if isinstance(item, kind)]


def watched(film: Film, *, locate: object = None, game: Believer | None = None, resumed: bool = False) -> Story:
    """Runs a watcher over a film; it is told where the board is in the frame at hand. A `resumed` game knows what lies there."""
    story = Story(game=game or Believer())
    seen: list[Desk] = list(film.desks)

    def find(_image: BgrImage, _size: int) -> GridPose:
        return seen[max(watcher.frame or 0, 0)].pose

    settings = WatchSettings(stills=film.fps is None)
    watcher = Watcher(film, story.game, SIZE, settings=settings, locate=find if locate is None else locate)  # type: ignore[arg-type]
    for item in watcher.run():
        story.items.append(item)
        if isinstance(item, StartSeen) and not resumed:
            story.game.board = board_of(item)
        if isinstance(item, Seen) and item.sighting.candidates[0][1] > 0.7:
            story.game.believe(item.sighting.candidates[0][0])
    return story


def board_of(start: StartSeen) -> dict[Cell, str]:
    names = {"B": "blue", "Y": "yellow", "R": "red", "G": "green"}
    return {(r, c): names[x] for r, row in enumerate(start.grid) for c, x in enumerate(row) if x in names}


def came(color: str, cells: Iterable[Cell]) -> Change:
    return Change(frozenset((cell, color) for cell in cells))


def went(color: str, cells: Iterable[Cell]) -> Change:
    return Change(frozenset(), frozenset((cell, color) for cell in cells))


def by_hand(before: Desk, after: Desk, held: str | None = None) -> list[Desk]:
    """A hand comes from below, does what makes the difference, and leaves."""
    way = [(330, 480), (320, 430), (310, 380), (300, 330), (305, 345), (312, 395), (325, 450)]
    return [before.but(hand=tip, held=held) if k < 4 else after.but(hand=tip) for k, tip in enumerate(way)]


def still(desk: Desk, frames: int = 10) -> list[Desk]:
    return [desk] * frames


EMPTY = Desk()
ONE = EMPTY.put("blue", FIRST)
TWO = ONE.put("yellow", SECOND)
