"""The 21 free polyominoes of one to five squares, by the names the field uses, and their 91 orientations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from referee.cells import Cell, Cells
from referee.errors import UnknownNameError

SINGLE_SQUARE = "1"
"""The piece of one square: placed last of all, it earns more."""

_PICTURES = {
    "1": "#",
    "2": "##",
    "I3": "###",
    "V3": "#. ##",
    "I4": "####",
    "L4": "### #..",
    "T4": "### .#.",
    "O": "## ##",
    "Z4": "##. .##",
    "F": ".## ##. .#.",
    "I5": "#####",
    "L5": "#### #...",
    "N": "##.. .###",
    "P": "## ## #.",
    "T5": "### .#. .#.",
    "U": "#.# ###",
    "V5": "#.. #.. ###",
    "W": "#.. ##. .##",
    "X": ".#. ### .#.",
    "Y": "#### .#..",
    "Z5": "##. .#. .##",
}


@dataclass(frozen=True)
class Piece:
    """One free polyomino: turned and mirrored forms are the same piece.

    `orientations` holds each distinct form once, moved so that its lowest row and column are 0.
    """

    name: str
    orientations: tuple[Cells, ...]

    @property
    def squares(self) -> int:
        """How many squares the piece has, 1 to 5."""
        return len(self.orientations[0])


def normalized(cells: Iterable[Cell]) -> Cells:
    """The cells moved so that the lowest row and the lowest column are 0.

    Raises:
        ValueError: there are no cells.
    """
    listed = tuple(cells)
    top = min(row for row, _ in listed)
    left = min(col for _, col in listed)
    return frozenset((row - top, col - left) for row, col in listed)


def _orientations(picture: str) -> tuple[Cells, ...]:
    """Every distinct form of a drawn piece under turning and mirroring, in a fixed order."""
    form = [(row, col) for row, line in enumerate(picture.split()) for col, mark in enumerate(line) if mark == "#"]
    forms = set()
    for _ in range(4):
        form = [(col, -row) for row, col in form]
        forms.add(normalized(form))
        forms.add(normalized((row, -col) for row, col in form))
    return tuple(sorted(forms, key=sorted))


PIECES: dict[str, Piece] = {name: Piece(name, _orientations(picture)) for name, picture in _PICTURES.items()}
"""The 21 pieces by name, from the smallest to the largest."""


@cache
def _names_by_form() -> dict[Cells, str]:
    return {form: piece.name for piece in PIECES.values() for form in piece.orientations}


def identify(cells: Iterable[Cell]) -> str | None:
    """The name of the piece these cells make, wherever they lie, or None when they are not one polyomino of 1 to 5 squares."""
    listed = tuple(cells)
    return _names_by_form().get(normalized(listed)) if 0 < len(listed) <= 5 else None


def require_piece(name: str) -> Piece:
    """The piece of that name.

    Raises:
        UnknownNameError: there is none.
    """
    if name not in PIECES:
        raise UnknownNameError("piece", name, PIECES)
    return PIECES[name]


def in_piece_order(names: Iterable[str]) -> tuple[str, ...]:
    """The names from the smallest piece to the largest, copies kept."""
    order = list(PIECES)
    return tuple(sorted(names, key=order.index))


def squares_of(names: Iterable[str]) -> int:
    """How many squares the named pieces have together."""
    return sum(PIECES[name].squares for name in names)
