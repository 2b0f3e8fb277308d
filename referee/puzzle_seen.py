"""A puzzle on a real board: where on it the puzzle is laid out, and which pieces somebody has laid, from the letters of the board's cells.

The drawn squares of the puzzle tell where it lies, in any of four directions. What is not told for certain stays unsure, and pieces are
only judged when every square of the puzzle is told.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from referee.cells import EMPTY, UNSURE, Cell, Cells, components
from referee.pieces import PIECES, identify, in_piece_order
from referee.puzzle import GREEN, ORANGE, Puzzle, PuzzleError
from referee.puzzle_check import Laid, check

FEWEST_SURE = 0.5
"""Share of a puzzle's drawn squares that must be told before anybody says where it lies."""

MOST_AMISS = 2
"""Squares that may differ from a puzzle that is still taken for it, and named as put down wrongly."""


@dataclass(frozen=True)
class SeenPuzzle:
    """What of a board is a puzzle; all cells are those of the puzzle, as it is drawn.

    Attributes:
        laid: the pieces that somebody laid.
        unsure: squares that are not told.
        amiss: squares on which something else lies than the puzzle has there.
    """

    laid: tuple[Laid, ...]
    unsure: Cells
    amiss: Cells

    @property
    def can_be_judged(self) -> bool:
        """Whether every square is told, and the puzzle is put down right."""
        return not self.unsure and not self.amiss


def puzzle_on(puzzle: Puzzle, grid: Sequence[str]) -> SeenPuzzle:
    """Find a puzzle on a board.

    Args:
        puzzle: which.
        grid: one text a row, a letter a cell: `G` green, `.` empty, `?` not told, anything else a piece of another colour, which blocks as
            orange does.

    Raises:
        PuzzleError: it is not there, or too little of the board is told.
    """
    if puzzle.rows > len(grid) or puzzle.cols > len(grid):
        raise PuzzleError(f"this puzzle has {puzzle.rows} x {puzzle.cols} squares, more than the board")
    views = list(_views(puzzle, grid))
    best = min(views, key=_View.rank)
    if best.told < FEWEST_SURE * len(best.drawn):
        raise PuzzleError("too little of the board can be told: light it evenly, and take hands away")
    if len(best.amiss) > MOST_AMISS:
        raise PuzzleError("this puzzle does not lie on the board: put its green squares and its orange ones down as they are drawn")
    alike = [view for view in views if view.rank() == best.rank()]
    if len({check(puzzle, view.laid).is_solved for view in alike}) > 1:
        raise PuzzleError("the puzzle may lie at several places of the board: take away what does not belong to it")
    return SeenPuzzle(best.laid, best.unsure, best.amiss)


class _View:
    """A puzzle's squares at one place of a board, in one direction."""

    def __init__(self, puzzle: Puzzle, letters: dict[Cell, str]) -> None:
        """`letters` are those of the whole board, by the puzzle's cells."""
        self.puzzle = puzzle
        self.drawn = {cell: letter for letter in (GREEN, ORANGE) for cell in puzzle.cells_of(letter)}
        inside = {cell: letter for cell, letter in letters.items() if puzzle.holds(cell)}
        self.unsure = frozenset(cell for cell, letter in inside.items() if letter == UNSURE)
        self.amiss = frozenset(cell for cell, letter in inside.items() if letter != UNSURE and not self._fits(cell, letter))
        self.told = sum(inside[cell] != UNSURE for cell in self.drawn)
        green = [cell for cell, letter in letters.items() if letter == GREEN and self.drawn.get(cell) != GREEN]
        self._green = green
        self.beyond = sum(not puzzle.holds(cell) for cell in green)

    def rank(self) -> tuple[int, int, int]:
        """How well the puzzle fits here: the lowest is best."""
        return len(self.amiss), -self.told, self.beyond

    def _fits(self, cell: Cell, letter: str) -> bool:
        wanted = self.drawn.get(cell)
        if wanted is None:
            return letter in (EMPTY, GREEN)
        return letter == GREEN if wanted == GREEN else letter not in (EMPTY, GREEN)

    @property
    def laid(self) -> tuple[Laid, ...]:
        """The pieces that somebody laid; squares side by side are one piece, or else given ones that touch."""
        left = list(self.puzzle.pieces)
        found: list[Laid] = []
        for group in (group for group in components(self._green) if any(map(self.puzzle.holds, group))):
            for cells in _parted(group, left):
                name = identify(cells)
                if name in left:
                    left.remove(name)
                found.append(Laid(cells))
        return tuple(found)


def _views(puzzle: Puzzle, grid: Sequence[str]) -> Iterator[_View]:
    """The puzzle at every place of the board, as it is drawn first, then turned."""
    size = len(grid)
    for turns in range(4):
        board = {_turned((row, col), size, turns): letter for row, line in enumerate(grid) for col, letter in enumerate(line)}
        for top in range(size - puzzle.rows + 1):
            for left in range(size - puzzle.cols + 1):
                yield _View(puzzle, {(row - top, col - left): letter for (row, col), letter in board.items()})


def _turned(cell: Cell, size: int, turns: int) -> Cell:
    """A cell of a board of that size after so many quarter turns."""
    row, col = cell
    for _ in range(turns):
        row, col = col, size - 1 - row
    return row, col


def _parted(group: Cells, given: Collection[str]) -> list[Cells]:
    """The pieces of a group of squares: itself when it is a given one, given ones that fill it together, or else itself."""
    if identify(group) in given:
        return [group]
    return _filled(group, list(given)) or [group]


def _filled(group: Cells, given: list[str]) -> list[Cells]:
    """Given pieces that fill a group of squares together; none when they cannot."""
    if not group:
        return []
    row, col = first = min(group)
    for name in in_piece_order(set(given))[::-1]:
        for form in PIECES[name].orientations:
            down, right = min(form)
            cells = frozenset((row + r - down, col + c - right) for r, c in form)
            if first not in cells or not cells <= group:
                continue
            others = [*given]
            others.remove(name)
            rest = _filled(group - cells, others)
            if rest or cells == group:
                return [cells, *rest]
    return []
