"""Practice: three demonstrations of what a placement may touch, judged by the rules themselves and never scored.

Each shows a small position and one placement on it. Whoever likes to may try others there: they are judged, not played.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from referee.cells import Cell, Cells, parse_cell_name
from referee.errors import UnknownNameError
from referee.events import cell_list
from referee.game import Game
from referee.options import GameOptions
from referee.rulings import Ruling

OPTIONS = GameOptions()
"""Demonstrations lie on the board of the usual game."""


@dataclass(frozen=True)
class Demonstration:
    """One thing shown.

    Attributes:
        name: its word in JSON.
        title: its name for people.
        lesson: the rule in one sentence.
        lying: the pieces on the board before, each as a colour and names of cells.
        shown: the placement shown, written alike.
    """

    name: str
    title: str
    lesson: str
    lying: tuple[str, ...]
    shown: str

    @property
    def color(self) -> str:
        """Whose placement is shown."""
        return _piece(self.shown)[0]

    @property
    def cells(self) -> Cells:
        """The squares of the placement shown."""
        return _piece(self.shown)[1]

    @cached_property
    def game(self) -> Game:
        """The position as a game in which the colour shown is on turn."""
        return Game.from_position(OPTIONS, map(_piece, self.lying), self.color)

    @property
    def ruling(self) -> Ruling:
        """The ruling on the placement shown."""
        return self.judge(self.cells)

    def judge(self, cells: Iterable[Cell]) -> Ruling:
        """The ruling on any squares that somebody tries here in its stead; nothing is played.

        Raises:
            RefereeError: there are no cells.
        """
        return self.game.judge(self.color, cells)

    def as_json(self) -> dict[str, Any]:
        """`{"name", "title", "lesson", "grid", "color", "piece", "cells", "legal", "kinds", "offending_cells", "message"}`."""
        ruling = self.ruling
        return {
            "name": self.name,
            "title": self.title,
            "lesson": self.lesson,
            "grid": self.game.position.to_text(),
            "color": ruling.color,
            "piece": ruling.piece,
            "cells": cell_list(ruling.cells),
            "legal": ruling.is_legal,
            "kinds": list(ruling.kinds),
            "offending_cells": cell_list(ruling.offending_cells),
            "message": ruling.message,
        }


def _piece(text: str) -> tuple[str, Cells]:
    """The colour and the cells of a piece written like `blue a20 b20`."""
    color, *names = text.split()
    return color, frozenset(parse_cell_name(name, OPTIONS.rules.size) for name in names)


DEMONSTRATIONS = (
    Demonstration(
        "corner_contact",
        "A corner touches",
        "Every piece after the first must touch a piece of its own colour corner to corner.",
        ("blue a20 b20",),
        "blue c19 d19 e19",
    ),
    Demonstration(
        "edge_contact",
        "A side touches",
        "It must never share a side with a piece of its own colour, not even when a corner touches as well.",
        ("blue a20 b20",),
        "blue c20 c19 c18",
    ),
    Demonstration(
        "free_contact",
        "Other colours are free",
        "Pieces of other colours may be touched in any way, along their sides too.",
        ("blue a20 b20", "yellow c20 d20 e20 f20"),
        "blue c19 d19 e19",
    ),
)
"""Legal corner contact, illegal edge contact, and free contact between colours, in the order in which they are explained."""


def demonstration(name: str) -> Demonstration:
    """The demonstration of that name.

    Raises:
        UnknownNameError: there is none.
    """
    by_name = {shown.name: shown for shown in DEMONSTRATIONS}
    if name not in by_name:
        raise UnknownNameError("demonstration", name, by_name)
    return by_name[name]
