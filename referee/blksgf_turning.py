"""Turning a game to where `.blksgf` records want it: the first colour in turn order at the first corner, the next ones clockwise.

The format knows no other order and no other corners. A board can be turned, or mirrored where the game ran counter-clockwise, and
colours renamed; the rules do not notice either.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from referee.cells import Cell, Cells
from referee.variants import Variant

_TURNS: dict[str, Callable[[int, int, int], Cell]] = {
    "": lambda row, col, _: (row, col),
    "turned by a quarter clockwise": lambda row, col, last: (col, last - row),
    "turned by a half": lambda row, col, last: (last - row, last - col),
    "turned by a quarter counter-clockwise": lambda row, col, last: (last - col, row),
    "mirrored left to right": lambda row, col, last: (row, last - col),
    "mirrored top to bottom": lambda row, col, last: (last - row, col),
    "mirrored along the diagonal from the top left": lambda row, col, _: (col, row),
    "mirrored along the diagonal from the top right": lambda row, col, last: (last - col, last - row),
}
"""The eight ways to lay a square board on itself, from row, column and the last row's number; those that keep its hand come first."""


@dataclass(frozen=True)
class Turning:
    """How a game is laid out in a record.

    Attributes:
        size: rows and columns of the board.
        words: how the board is turned, in words; empty when it is not.
        names: the colour that each colour is called in the record.
        is_fitting: whether every first piece lies where the record wants it; else the first pieces must be set up, not played.
    """

    size: int
    words: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    is_fitting: bool = True

    def cells(self, cells: Cells) -> Cells:
        """Where the cells lie in the record."""
        return frozenset(_TURNS[self.words](row, col, self.size - 1) for row, col in cells)

    def notes(self) -> list[str]:
        """What a reader of the record must know, in sentences."""
        renamed = [f"{name} is {color}" for color, name in self.names.items() if color != name]
        notes = [f"The board is {self.words} here."] if self.words else []
        notes += [f"Colours go by the turn order here: {', '.join(renamed)}."] if renamed else []
        if not self.is_fitting:
            notes.append("The turn order goes round the corners otherwise than this format's: the first pieces are set up, not played.")
        if notes:
            notes.append("Comments name colours and squares as they were at the table.")
        return notes


def turning_for(rules: Variant, order: Sequence[str], starts: Mapping[str, Cell]) -> Turning:
    """How to lay out a game with this turn order, in which these colours started from these cells."""
    names = dict(zip(order, rules.colors, strict=True))
    wanted = dict(zip(rules.colors, rules.rings[0], strict=True))
    for words, turn in _TURNS.items():
        if all(turn(*cell, rules.size - 1) == wanted[names[color]] for color, cell in starts.items()):
            return Turning(rules.size, words, names)
    return Turning(rules.size, "", names, is_fitting=False)
