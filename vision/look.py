"""What a settled look comes to: the words for it, and the thresholds of the decision."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from vision.explain import ExplainSettings
from vision.first import FirstSettings
from vision.hold import HoldSettings
from vision.telling import News


class Verdict(Enum):
    """What a look came to."""

    SAME = "same"
    """Nothing happened."""
    NEWS = "news"
    """Something happened."""
    HIDDEN = "hidden"
    """A hand or another thing lies over the board: wait."""
    DOUBT = "doubt"
    """Something differs, but it cannot be told what: look again."""
    LOST = "lost"
    """The board is not where it was: search for it."""
    DARK = "dark"
    """Too dark to see anything."""


@dataclass(frozen=True)
class JudgeSettings:
    """Thresholds of the decision and the settings of its parts.

    Attributes:
        dark_level: mean grey level of the board under which nothing is read.
        shaken: difference of the cells (percent of the level) from which the board may have moved: when the upper
            quartile is above, it is checked, when the median is, it has moved if it cannot be followed.
        mostly_covered: share of the cells under a thing from which that is to blame when the board cannot be followed.
        looks_astray: looks in a row at which the board cannot be followed from which it has moved, whatever seems to cover it: one
            that lies elsewhere differs all over, like one under a large thing.
        many: changed cells that are no pieces from which a look must be repeated: a hand that was not known as one.
        looks_many: looks that must agree on so many.
        looks_beside: looks that must agree on a piece that came well clear of a hand or another thing on the board.
        looks_around: looks that must agree on anything else while such a thing lies there, which then is no hand.
        still_open: probability of another explanation from which its cells are compared with the look before it also later: a piece whose
            colour is all but gone in glare must not become part of the empty board.
        searches: times in a game that a better pose is searched for when a look leaves doubt.
        good_cells: residual of a pose up to which no better one is searched for, as that takes seconds.
        nearby_cells: how far a better pose may lie from the one held; farther off it is another grid.
        same_side_deg: turn of the camera about the board up to which looks can still be compared.
    """

    dark_level: float = 7.0
    shaken: float = 3.0
    mostly_covered: float = 0.3
    looks_astray: int = 2
    many: int = 12
    looks_many: int = 2
    looks_beside: int = 2
    looks_around: int = 8
    still_open: float = 0.01
    searches: int = 6
    good_cells: float = 0.03
    nearby_cells: float = 0.8
    same_side_deg: float = 8.0
    first: FirstSettings = field(default_factory=FirstSettings)
    explain: ExplainSettings = field(default_factory=ExplainSettings)
    hold: HoldSettings = field(default_factory=HoldSettings)


@dataclass(frozen=True)
class Patience:
    """What a look may still wait for.

    Attributes:
        doubt: doubt is kept for another look instead of being told, and so is that a piece is gone: it may only be on its way.
        last: nothing more will come: what can be told is told.
    """

    doubt: bool = False
    last: bool = False


@dataclass(frozen=True)
class Look:
    """What a look came to: the verdict in a word, and what to tell the table."""

    verdict: Verdict
    news: News | None = None
