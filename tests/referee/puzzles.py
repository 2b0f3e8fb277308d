"""Puzzles drawn as text, for tests."""

from __future__ import annotations

from referee.cells import Cells
from referee.puzzle import Puzzle, parse_puzzle
from referee.puzzle_check import Laid
from referee.puzzle_solution import parse_solution


def drawn_puzzle(picture: str, pieces: str) -> Puzzle:
    """The puzzle of rows of text, with names of pieces between blanks."""
    grid = picture.split()
    return parse_puzzle({"rows": len(grid), "cols": len(grid[0]), "grid": grid, "pieces": pieces.split()})


def laid_on(puzzle: Puzzle, picture: str) -> tuple[Laid, ...]:
    """The pieces drawn with small letters on a picture of the puzzle."""
    return parse_solution(puzzle, picture.split())


def cells(*pairs: tuple[int, int]) -> Cells:
    return frozenset(pairs)
