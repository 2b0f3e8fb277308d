"""Cells, sets of cells, colours and their letters: the words everything else is written in.

A cell is `(row, col)`, row 0 at the top of the board picture. Its text name is that of the game records: a column letter
and a row number counted from the bottom (`a1` is bottom-left). A `CellSet` holds the cells of one board as the bits of an
int: bit `row * size + col`. Neighbours are worked out on rows and columns, never on bit numbers, so that the end of a row
and the start of the next are no neighbours.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from referee.errors import RefereeError, UnknownNameError

Cell = tuple[int, int]
"""(row, col), row 0 at the top."""

Cells = frozenset[Cell]
"""A set of cells; may hold cells outside the board."""

CellSet = int
"""A set of cells of one board as bits; bit number row * size + col."""

COLOR_LETTER = {"blue": "B", "yellow": "Y", "red": "R", "green": "G", "orange": "O", "purple": "P"}
"""The letter of each colour in a grid of text."""

LETTER_COLOR = {letter: color for color, letter in COLOR_LETTER.items()}
"""The colour of each letter in a grid of text."""

EMPTY = "."
"""The letter of an empty cell in a grid of text."""

UNSURE = "?"
"""The letter of a cell the program will not name, in a grid of text."""

MOST_CELLS = 1024
"""Cells whose neighbours are kept once worked out: more than any board has, with those around it."""

_SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))
_DIAGONALS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def on_board(cell: Cell, size: int) -> bool:
    """Whether the cell lies on a board of `size` rows and columns."""
    return 0 <= cell[0] < size and 0 <= cell[1] < size


@lru_cache(MOST_CELLS)
def side_neighbors(cell: Cell) -> Cells:
    """The four cells sharing a side with `cell`; some may lie outside the board."""
    row, col = cell
    return frozenset((int(row) + down, int(col) + right) for down, right in _SIDES)


@lru_cache(MOST_CELLS)
def corner_neighbors(cell: Cell) -> Cells:
    """The four cells diagonal to `cell`; some may lie outside the board."""
    row, col = cell
    return frozenset((int(row) + down, int(col) + right) for down, right in _DIAGONALS)


def is_connected(cells: Iterable[Cell]) -> bool:
    """Whether the cells hang together by their sides; an empty set does not."""
    return len(components(cells)) == 1


def components(cells: Iterable[Cell]) -> tuple[Cells, ...]:
    """The groups of cells that hang together by their sides, in reading order of their first cells."""
    left = set(cells)
    return tuple(_flood(first, left) for first in sorted(left) if first in left)


def _flood(first: Cell, left: set[Cell]) -> Cells:
    """Take the group of `first` out of `left` and return it."""
    group, edge = {first}, [first]
    left.discard(first)
    while edge:
        reached = side_neighbors(edge.pop()) & left
        left -= reached
        group |= reached
        edge += reached
    return frozenset(group)


def cell_set(cells: Iterable[Cell], size: int) -> CellSet:
    """The cells as bits; cells outside the board are left out."""
    bits = 0
    for row, col in cells:
        if 0 <= row < size and 0 <= col < size:
            bits |= 1 << (row * size + col)
    return bits


def cells_in(bits: CellSet, size: int) -> Cells:
    """The cells of a set of bits on a board of `size` rows and columns."""
    return numbered(bit_numbers(bits), size)


def numbered(numbers: Iterable[int], size: int) -> Cells:
    """The cells with these bit numbers."""
    cells = _board_cells(size)
    return frozenset([cells[number] for number in numbers])


@cache
def _board_cells(size: int) -> tuple[Cell, ...]:
    """Every cell of the board, by its bit number."""
    return tuple(divmod(number, size) for number in range(size * size))


def bit_numbers(bits: int) -> list[int]:
    """The numbers of the bits that are set, in rising order; meant for sets with few bits."""
    numbers = []
    while bits:
        lowest = bits & -bits
        numbers.append(lowest.bit_length() - 1)
        bits ^= lowest
    return numbers


@cache
def side_sets(size: int) -> tuple[CellSet, ...]:
    """For each cell by its bit number: the cells on the board that share a side with it."""
    return tuple(cell_set(side_neighbors(divmod(number, size)), size) for number in range(size * size))


@cache
def corner_sets(size: int) -> tuple[CellSet, ...]:
    """For each cell by its bit number: the cells on the board diagonal to it."""
    return tuple(cell_set(corner_neighbors(divmod(number, size)), size) for number in range(size * size))


def cell_name(cell: Cell, size: int) -> str:
    """The cell's name in text: column letter and row number from the bottom, `a1` bottom-left; its (row, col) when off the board."""
    if not on_board(cell, size):
        return f"({cell[0]}, {cell[1]})"
    return f"{chr(ord('a') + cell[1])}{size - cell[0]}"


def parse_cell_name(name: str, size: int) -> Cell:
    """The cell of a name like `a1`.

    Raises:
        RefereeError: it is no name of a cell on a board of this size.
    """
    letter, number = name[:1].lower(), name[1:]
    cell = (size - int(number), ord(letter) - ord("a")) if letter.isalpha() and number.isdecimal() else (-1, -1)
    if not on_board(cell, size):
        raise RefereeError(f"{name!r} is no cell of a {size}x{size} board; cells are named a1 to {cell_name((0, size - 1), size)}")
    return cell


def cells_text(cells: Iterable[Cell], size: int) -> str:
    """The cells' names in reading order, joined for a sentence: `a1, a2 and b2`."""
    return _joined([cell_name(cell, size) for cell in sorted(cells)])


def numbers_text(numbers: Iterable[int], size: int) -> str:
    """As `cells_text`, of the cells with these bit numbers, in their order."""
    names = _cell_names(size)
    return _joined([names[number] for number in numbers])


@cache
def _cell_names(size: int) -> tuple[str, ...]:
    return tuple(cell_name(cell, size) for cell in _board_cells(size))


def _joined(names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} and {names[-1]}" if names else "nowhere"


def require_color(color: str, known: Iterable[str]) -> str:
    """The colour itself.

    Raises:
        UnknownNameError: it is none of the known colours.
    """
    if color not in known:
        raise UnknownNameError("colour", color, known)
    return color
