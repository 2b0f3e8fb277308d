"""A position: what lies where on one board, and what that means for each colour's next piece.

A `Position` knows no turns, hands or start cells; it judges nothing. It keeps two sets of placements that make judging fast:
those that avoid every occupied cell (`clear`), and for each colour those that keep apart from it and those that touch it by
a corner (`Reach`). Each new piece narrows or widens these sets; none is ever worked out afresh.

Pieces may lie on each other or stick out over the edge, because people do put them so: a cell shows the colour that came last,
the covered piece keeps its squares, and squares outside the board are on no cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from referee.cells import (
    COLOR_LETTER,
    EMPTY,
    LETTER_COLOR,
    UNSURE,
    Cell,
    Cells,
    CellSet,
    bit_numbers,
    cell_set,
    cells_in,
    components,
    corner_sets,
    on_board,
    side_sets,
)
from referee.errors import BoardTextError
from referee.placements import PlacementSet, placement_table


@dataclass(frozen=True, slots=True)
class Reach:
    """What the squares of one colour mean for its next piece.

    Attributes:
        squares: the cells its pieces lie on.
        sides: the cells that share a side with one of them.
        corners: the cells diagonal to one of them.
        apart: the placements none of whose squares shares a side with one of them.
        touching: the placements with a square diagonal to one of them.
    """

    squares: CellSet
    sides: CellSet
    corners: CellSet
    apart: PlacementSet
    touching: PlacementSet

    def with_cells(self, cells: CellSet, size: int) -> Reach:
        """The reach after this colour put squares on these cells too."""
        sides, corners = self.sides, self.corners
        sides_of, corners_of, table = side_sets(size), corner_sets(size), placement_table(size)
        for number in bit_numbers(cells):
            sides |= sides_of[number]
            corners |= corners_of[number]
        apart, touching = self.apart, self.touching
        for number in bit_numbers(sides & ~self.sides):
            apart &= table.avoiding[number]
        for number in bit_numbers(corners & ~self.corners):
            touching |= table.covering[number]
        return Reach(self.squares | cells, sides, corners, apart, touching)


@dataclass(frozen=True)
class Position:
    """What lies where.

    Attributes:
        size: rows and columns of the board.
        cells: the colour that shows on each occupied cell.
        occupied: the occupied cells.
        clear: the placements that cover no occupied cell.
        reaches: the reach of every colour that has a square on the board.
    """

    size: int
    cells: Mapping[Cell, str]
    occupied: CellSet = field(repr=False)
    clear: PlacementSet = field(repr=False)
    reaches: Mapping[str, Reach] = field(repr=False)

    @staticmethod
    def empty(size: int) -> Position:
        """The empty board of `size` rows and columns."""
        return Position(size, {}, 0, placement_table(size).all, {})

    @staticmethod
    def from_text(rows: Iterable[str]) -> Position:
        """The position drawn as one string a row; `.` and `?` are empty, a letter is a colour's.

        Raises:
            BoardTextError: rows of different lengths, or a letter that is no colour's.
        """
        colors: dict[str, list[Cell]] = {}
        lines = [row.strip() for row in rows]
        for row, line in enumerate(lines):
            if len(line) != len(lines):
                raise BoardTextError(f"row {row} has {len(line)} cells, but there are {len(lines)} rows")
            for col, letter in enumerate(line):
                if letter not in (EMPTY, UNSURE):
                    colors.setdefault(_color_of(letter), []).append((row, col))
        position = Position.empty(len(lines))
        for color, cells in colors.items():
            position = position.with_piece(color, frozenset(cells))
        return position

    def to_text(self) -> list[str]:
        """The position as one string a row, with the colours' letters and `.` for empty."""
        return ["".join(self._letter((row, col)) for col in range(self.size)) for row in range(self.size)]

    def _letter(self, cell: Cell) -> str:
        return COLOR_LETTER[self.cells[cell]] if cell in self.cells else EMPTY

    def with_piece(self, color: str, cells: Cells) -> Position:
        """The position after a colour put squares on these cells, whatever the rules say of it."""
        added = cell_set(cells, self.size)
        clear, table = self.clear, placement_table(self.size)
        for number in bit_numbers(added & ~self.occupied):
            clear &= table.avoiding[number]
        shown = {**self.cells, **{cell: color for cell in cells if on_board(cell, self.size)}}
        reaches = {**self.reaches, color: self.reach(color).with_cells(added, self.size)} if added else self.reaches
        return Position(self.size, shown, self.occupied | added, clear, reaches)

    def reach(self, color: str) -> Reach:
        """The reach of a colour; of one with nothing on the board it touches nothing and is apart from everything."""
        return self.reaches.get(color) or Reach(0, 0, 0, placement_table(self.size).all, 0)

    def has(self, color: str) -> bool:
        """Whether the colour has a square on the board."""
        return color in self.reaches

    def squares(self, color: str) -> Cells:
        """The cells the colour's pieces lie on, covered ones included."""
        return cells_in(self.reach(color).squares, self.size)

    def blocks(self, color: str) -> tuple[Cells, ...]:
        """The groups of the colour's squares that hang together by sides; in a legal position each is one piece."""
        return components(self.squares(color))


def _color_of(letter: str) -> str:
    if letter not in LETTER_COLOR:
        raise BoardTextError(f"letter {letter!r} is no colour's; the letters are {' '.join(LETTER_COLOR)}, {EMPTY} and {UNSURE}")
    return LETTER_COLOR[letter]
