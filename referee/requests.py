"""Reading people's decisions: JSON from anywhere, checked to the last value before anything is done with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.cells import Cell, Cells
from referee.errors import DecisionError

RIM = 5
"""How far outside the board a square may be named: a piece that sticks out over the edge reaches no farther."""

LARGEST_ID = 10**9
"""Numbers above this are no ids or turns; keeps hostile numbers out of messages."""

LONGEST_NAME = 60
"""Letters of a person's name; longer ones fit on no line of a record."""


class Request:
    """One decision; every reader raises `DecisionError` with one line when its value is missing or of no use."""

    def __init__(self, value: Mapping[str, Any], colors: tuple[str, ...], size: int) -> None:
        """Take a decision about a game with these colours on a board of `size` rows and columns."""
        if not isinstance(value, Mapping):
            raise DecisionError("a decision is a JSON object")
        self._value, self._colors, self._size = value, colors, size

    @property
    def name(self) -> str:
        """The kind of decision."""
        name = self._value.get("decision")
        if not isinstance(name, str):
            raise DecisionError('a decision needs the text "decision"')
        return name[:20]

    def has(self, key: str) -> bool:
        """Whether the key is given."""
        return key in self._value

    def flag(self, key: str) -> bool:
        """True or false, false when left out."""
        value = self._value.get(key, False)
        if not isinstance(value, bool):
            raise DecisionError(f'"{key}" is true or false')
        return value

    @property
    def who(self) -> str:
        """The name of who decides, empty when it is not told."""
        value = self._value.get("who", "")
        if not isinstance(value, str) or len(value) > LONGEST_NAME or not value.isprintable():
            raise DecisionError(f'"who" is a name of at most {LONGEST_NAME} letters')
        return value.strip()

    def number(self, key: str) -> int:
        """A whole number from 0 up."""
        return _number(self._value.get(key), key)

    def choice(self) -> int | None:
        """The number of an answer, None for none of them."""
        if "choice" not in self._value:
            raise DecisionError('"choice" is the number of an answer, or null for none of them')
        return None if self._value["choice"] is None else self.number("choice")

    def word(self, key: str, known: tuple[str, ...]) -> str:
        """One of some words."""
        value = self._value.get(key)
        if not isinstance(value, str) or value not in known:
            raise DecisionError(f'"{key}" is one of {", ".join(known)}')
        return value

    def color(self, key: str = "color") -> str:
        """A colour of the game."""
        return _color(self._value.get(key), self._colors)

    def color_or_none(self) -> str | None:
        """A colour of the game, or null."""
        if "color" not in self._value:
            raise DecisionError('"color" is a colour, or null for empty cells')
        return None if self._value["color"] is None else self.color()

    def colors(self) -> tuple[str, str]:
        """Two different colours."""
        value = self._value.get("colors")
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise DecisionError('"colors" are two colours')
        first, second = (_color(item, self._colors) for item in value)
        if first == second:
            raise DecisionError('"colors" are two different colours')
        return first, second

    def words(self, key: str, what: str) -> tuple[str, ...]:
        """A list of short texts, at least one; `what` says in words what they are."""
        value = self._value.get(key)
        if (
            not isinstance(value, list | tuple)
            or not value
            or not all(isinstance(word, str) and len(word) < LONGEST_NAME for word in value)
        ):
            raise DecisionError(f'"{key}" is a list of {what} or more')
        return tuple(value)

    def cells(self, *, rim: int = RIM) -> Cells:
        """Cells on the board or at most `rim` outside it, at least one, none twice."""
        return _cells(self._value.get("cells"), self._size, rim)

    def piece(self, key: str) -> tuple[str, Cells] | None:
        """A colour and cells, or null."""
        if key not in self._value:
            raise DecisionError(f'"{key}" is a piece (color and cells), or null for none')
        value = self._value[key]
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise DecisionError(f'"{key}" is a piece (color and cells), or null for none')
        return _color(value.get("color"), self._colors), _cells(value.get("cells"), self._size, RIM)


def _number(value: Any, key: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST_ID:
        raise DecisionError(f'"{key}" is a whole number from 0 up')
    return value


def _color(value: Any, known: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in known:
        raise DecisionError(f"a colour of this game is wanted: {', '.join(known)}")
    return value


def _cells(value: Any, size: int, rim: int) -> Cells:
    if not isinstance(value, list | tuple) or not value or len(value) > size * size:
        raise DecisionError('"cells" is a list of [row, col], at least one')
    cells = frozenset(_cell(item, size, rim) for item in value)
    if len(cells) != len(value):
        raise DecisionError('"cells" names a cell twice')
    if not any(0 <= row < size and 0 <= col < size for row, col in cells):
        raise DecisionError('"cells" lie outside the board')
    return cells


def _cell(value: Any, size: int, rim: int) -> Cell:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise DecisionError("a cell is [row, col]")
    row, col = value
    for number in (row, col):
        if isinstance(number, bool) or not isinstance(number, int) or not -rim <= number < size + rim:
            raise DecisionError(f"row and col are whole numbers from 0 to {size - 1}")
    return row, col
