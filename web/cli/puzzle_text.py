"""Puzzles as people see them: the board in colour, then what there is to say."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import click

from referee.events import counted
from web.cli.board_text import board_lines

if TYPE_CHECKING:
    from referee.puzzle import Puzzle
    from referee.puzzle_check import Check, Laid
    from referee.puzzle_make import Made
    from referee.puzzle_solve import Outcome, Solution


def describe_solvable(wanted: str, puzzle: Puzzle, solvable: bool | None) -> str:
    """Whether a puzzle can be solved; None when the search was not finished."""
    answer = {True: "It can be solved.", False: "It cannot be solved: everything was tried.", None: "Not sure: the search is too large."}
    return "\n".join([*head(wanted, puzzle), *board_lines(puzzle.grid), answer[solvable]])


def solution_lines(puzzle: Puzzle, shown: Iterable[Solution]) -> Iterator[str]:
    """The solutions drawn, each with its pieces by letter and an empty line behind."""
    for solution in shown:
        yield from _drawn(puzzle, [placement.cells for placement in solution])
        yield ", ".join(f"{letter} is {placement.piece}" for letter, placement in zip(string.ascii_lowercase, solution, strict=False))
        yield ""


def describe_check(wanted: str, puzzle: Puzzle, laid: Sequence[Laid], check: Check) -> str:
    """The verdict on pieces laid, every fault a line."""
    on_board = [[cell for cell in piece.cells if puzzle.holds(cell)] for piece in laid]
    lines = [*head(wanted, puzzle), *_drawn(puzzle, on_board)]
    lines += [click.style(f"! {fault.message}", fg="red") for fault in check.wrong]
    lines += [click.style(f"- {fault.message}", fg="yellow") for fault in check.open]
    verdict = click.style("Solved.", fg="green", bold=True) if check.is_solved else "Not solved."
    return "\n".join([*lines, verdict])


def describe_made(made: Made, level: int, seed: int) -> str:
    """A new puzzle, without its solution."""
    count = made.outcome.solutions
    known = "It has one solution." if count == 1 else f"It has {count} solutions."
    return "\n".join([*head(f"of level {level}, seed {seed}", made.puzzle), *board_lines(made.puzzle.grid), known])


def head(wanted: str, puzzle: Puzzle) -> Iterator[str]:
    """What puzzle it is, and the pieces to place."""
    title = f" ({puzzle.title})" if puzzle.title else ""
    hard = f", difficulty {puzzle.difficulty}" if puzzle.difficulty is not None else ""
    yield click.style(f"Puzzle {wanted}{title}: a board of {puzzle.rows} x {puzzle.cols}{hard}", bold=True)
    yield f"Place {', '.join(puzzle.pieces)}"


def _drawn(puzzle: Puzzle, pieces: Sequence[Iterable[tuple[int, int]]]) -> Iterator[str]:
    from referee.puzzle_solution import drawing

    return board_lines(drawing(puzzle, pieces))


def count_line(outcome: Outcome) -> str:
    """How many solutions there are, or that not all was searched."""
    if not outcome.complete:
        least = f"At least {counted(outcome.solutions, 'solution')}" if outcome.solutions else "No solution so far"
        return f"{least}; the search ended after {outcome.nodes} positions and may have missed some."
    if outcome.solutions == 0:
        return "There is no solution: everything was tried."
    return "There is one solution, no other." if outcome.solutions == 1 else f"There are {outcome.solutions} solutions."
