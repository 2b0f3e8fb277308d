"""Solutions of puzzles as JSON: the pieces laid by their cells, or a drawing of the board with a letter for each piece."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from string import ascii_lowercase
from typing import Any

from referee.cells import EMPTY, Cell
from referee.puzzle import LONGEST_SIDE, MOST_PIECES, Puzzle, PuzzleError
from referee.puzzle_check import Laid

REACH = 2 * LONGEST_SIDE
"""Rows and columns of a solution's cells beyond this are no slips of the hand; keeps hostile numbers out of messages."""

MOST_LAID = 2 * MOST_PIECES
"""Most pieces that a solution may name: twice what any puzzle asks for, so that too many can still be told one by one."""


def parse_solution(puzzle: Puzzle, value: Any) -> tuple[Laid, ...]:
    """The pieces of a solution in JSON: a list of `{"piece": name, "cells": [[row, col], ...]}`, or a drawing.

    The name may be left out. A drawing is a list of texts like the puzzle's grid, with one small letter for the squares of each piece laid;
    drawn squares may be shown or left empty. An object with either under `solution` will do too. Not checked: whether it solves anything.

    Raises:
        PuzzleError: anything else; one line that says what is wrong.
    """
    if isinstance(value, Mapping):
        value = value.get("solution")
    if not isinstance(value, list | tuple) or len(value) > MOST_LAID:
        raise PuzzleError('a solution is a list of {"piece": name, "cells": [[row, col], ...]}, or a drawing: a list of texts')
    if value and all(isinstance(line, str) for line in value):
        return _from_drawing(puzzle, value)
    return tuple(map(_laid, value))


def drawing(puzzle: Puzzle, pieces: Iterable[Iterable[Cell]]) -> list[str]:
    """The board with the cells of each piece under a letter of its own, a, b, c and so on; what `parse_solution` reads.

    From the 27th piece on the letters come again: no puzzle asks for so many.
    """
    lines = [list(line) for line in puzzle.grid]
    for number, cells in enumerate(pieces):
        for row, col in cells:
            lines[row][col] = ascii_lowercase[number % len(ascii_lowercase)]
    return ["".join(line) for line in lines]


def _from_drawing(puzzle: Puzzle, lines: Sequence[str]) -> tuple[Laid, ...]:
    if len(lines) != puzzle.rows or any(len(line) != puzzle.cols for line in lines):
        raise PuzzleError(f"a drawing of this puzzle has {puzzle.rows} texts of {puzzle.cols} letters")
    shapes: dict[str, set[Cell]] = {}
    for row, line in enumerate(lines):
        for col, letter in enumerate(line):
            if letter in ascii_lowercase:
                shapes.setdefault(letter, set()).add((row, col))
            elif letter not in (EMPTY, puzzle.grid[row][col]):
                raise PuzzleError(f"row {row}, column {col} of the drawing has {letter!r}, the puzzle {puzzle.grid[row][col]!r} there")
    return tuple(Laid(frozenset(cells)) for _, cells in sorted(shapes.items()))


def _laid(value: Any) -> Laid:
    if not isinstance(value, Mapping):
        raise PuzzleError('each piece of a solution is an object {"piece": name, "cells": [[row, col], ...]}')
    name, cells = value.get("piece"), value.get("cells")
    if name is not None and not (isinstance(name, str) and name.isprintable() and len(name) <= 10):
        raise PuzzleError('"piece" of a solution is the name of a piece')
    if not isinstance(cells, list | tuple) or not 1 <= len(cells) <= MOST_LAID:
        raise PuzzleError('"cells" of a solution is a list of [row, col], at least one')
    found = frozenset(map(_cell, cells))
    if len(found) != len(cells):
        raise PuzzleError('"cells" of a solution names a cell twice')
    return Laid(found, name)


def _cell(value: Any) -> Cell:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise PuzzleError("a cell is [row, col]")
    row, col = value
    if any(isinstance(number, bool) or not isinstance(number, int) or abs(number) > REACH for number in (row, col)):
        raise PuzzleError(f"row and col of a cell are whole numbers from {-REACH} to {REACH}")
    return row, col
