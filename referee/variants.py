"""The variants of the game as data: everything that differs between them stands here, nothing else asks for their names.

A start ring is the starting cells in clockwise order as seen from above. The 20x20 board has one ring, its four corners.
The 14x14 board has two: its marked cells lie on either diagonal, as the camera looks from one side or another.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.cells import Cell
from referee.errors import UnknownNameError
from referee.pieces import PIECES, squares_of

Ring = tuple[Cell, ...]
"""Starting cells, clockwise as seen from above."""

CLASSIC_COLORS = ("blue", "yellow", "red", "green")
_CORNERS_20: tuple[Ring, ...] = (((0, 0), (0, 19), (19, 19), (19, 0)),)
_MARKS_14: tuple[Ring, ...] = (((4, 4), (9, 9)), ((4, 9), (9, 4)))
_FULL_SET = tuple(PIECES)
_JUNIOR_SET = tuple(name for name in ("1", "2", "I3", "V3", "I4", "L4", "T4", "O", "Z4", "I5", "L5", "P") for _ in range(2))


@dataclass(frozen=True)
class Variant:
    """What one variant lays down.

    Attributes:
        name: the word of the command line and of the records.
        title: its name for people.
        size: rows and columns of the board.
        colors: its colours; their turn order where the variant fixes one.
        pieces: the names of one colour's set, copies repeated.
        rings: the start rings the board may have, as a picture shows it.
        order_fixed: whether `colors` is the turn order; otherwise the players choose it.
        teams: the colours whose results are added for one player or team, each; for a shared colour see `shared`.
        people: how many people play.
        team_names: the names of the teams when none are given; without them a team is called by its colours.
        shared: the colour that all play in rotation unless another is chosen, or None; it belongs to no team.
        scoring: "basic" or "advanced" unless the players choose the other.
        bonus: whether advanced scoring knows the 15 and 20 points for placing everything.
    """

    name: str
    title: str
    size: int
    colors: tuple[str, ...]
    pieces: tuple[str, ...]
    rings: tuple[Ring, ...]
    order_fixed: bool
    teams: tuple[tuple[str, ...], ...]
    people: int
    team_names: tuple[str, ...] = ()
    shared: str | None = None
    scoring: str = "basic"
    bonus: bool = True

    @property
    def squares(self) -> int:
        """The squares of one colour's whole set: 89, in Junior 88."""
        return squares_of(self.pieces)


def _each_alone(colors: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple((color,) for color in colors)


_PAIRS = (("blue", "red"), ("yellow", "green"))

_ALL = (
    Variant("classic", "Blokus", 20, CLASSIC_COLORS, _FULL_SET, _CORNERS_20, False, _each_alone(CLASSIC_COLORS), people=4),
    Variant("two_player", "Blokus for two", 20, CLASSIC_COLORS, _FULL_SET, _CORNERS_20, True, _PAIRS, people=2, team_names=("A", "B")),
    Variant(
        "three_player",
        "Blokus for three",
        20,
        CLASSIC_COLORS,
        _FULL_SET,
        _CORNERS_20,
        True,
        _each_alone(CLASSIC_COLORS),
        people=3,
        shared="green",
    ),
    Variant("partners", "Blokus in teams", 20, CLASSIC_COLORS, _FULL_SET, _CORNERS_20, True, _PAIRS, people=4, scoring="advanced"),
    Variant(
        "duo",
        "Blokus Duo",
        14,
        ("purple", "orange"),
        _FULL_SET,
        _MARKS_14,
        False,
        _each_alone(("purple", "orange")),
        people=2,
        scoring="advanced",
    ),
    Variant(
        "junior",
        "Blokus Junior",
        14,
        ("green", "orange"),
        _JUNIOR_SET,
        _MARKS_14,
        False,
        _each_alone(("green", "orange")),
        people=2,
        bonus=False,
    ),
)

VARIANTS: dict[str, Variant] = {variant.name: variant for variant in _ALL}
"""The variants by name. A circuit is four `classic` games: see `referee.session`."""


def get_variant(name: str) -> Variant:
    """The variant of that name.

    Raises:
        UnknownNameError: there is none.
    """
    if name not in VARIANTS:
        raise UnknownNameError("variant", name, VARIANTS)
    return VARIANTS[name]
