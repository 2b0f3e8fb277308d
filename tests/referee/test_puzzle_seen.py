"""Puzzles found on a real board: anywhere, any way round, and no verdict where a square is not told."""

from __future__ import annotations

import random

import pytest

from referee.cells import Cell
from referee.puzzle import SHIPPED, Puzzle, PuzzleError, shipped_puzzle
from referee.puzzle_check import check
from referee.puzzle_seen import puzzle_on
from referee.puzzle_solve import solve

SMALL = Puzzle(
    rows=5,
    cols=5,
    grid=(
        "GG..O",
        ".....",
        "..O..",
        ".....",
        "O...G",
    ),
    pieces=("2", "I3"),
)


def solution(puzzle: Puzzle) -> dict[Cell, str]:
    [found] = solve(puzzle, limit=1, keep=1).found
    return {cell: "G" for placement in found for cell in placement.cells}


def board(puzzle: Puzzle, laid: dict[Cell, str], *, size: int = 14, at: Cell = (0, 0), turns: int = 0, orange: str = "O") -> list[str]:
    """A board with a puzzle's squares and others at a place, turned by so many quarters."""
    rows = [["."] * size for _ in range(size)]
    drawn = {(row, col): letter for row, line in enumerate(puzzle.grid) for col, letter in enumerate(line) if letter != "."}
    for (row, col), letter in {**drawn, **laid}.items():
        rows[at[0] + row][at[1] + col] = orange if letter == "O" else letter
    for _ in range(turns):
        rows = [list(line) for line in zip(*rows, strict=True)][::-1]
    return ["".join(row) for row in rows]


@pytest.mark.parametrize("number", range(1, SHIPPED + 1))
def test_a_solution_is_recognised_wherever_it_lies_and_any_way_round(number: int) -> None:
    puzzle = shipped_puzzle(number)
    rng = random.Random(number)
    for turns in range(4):
        at = rng.randint(0, 14 - puzzle.rows), rng.randint(0, 14 - puzzle.cols)
        seen = puzzle_on(puzzle, board(puzzle, solution(puzzle), at=at, turns=turns))
        assert seen.can_be_judged
        assert check(puzzle, seen.laid).is_solved


def test_any_other_colour_blocks_as_orange_does() -> None:
    puzzle = shipped_puzzle(3)
    seen = puzzle_on(puzzle, board(puzzle, solution(puzzle), size=20, at=(9, 4), orange="R"))
    assert check(puzzle, seen.laid).is_solved


def test_what_is_wrong_is_told_in_the_puzzle_s_own_squares() -> None:
    seen = puzzle_on(SMALL, board(SMALL, {(0, 2): "G", (1, 2): "G"}, at=(6, 3), turns=1))
    found = check(SMALL, seen.laid)
    assert [sorted(piece.cells) for piece in seen.laid] == [[(0, 2), (1, 2)]]
    assert [violation.kind for violation in found.wrong] == ["edge_contact"]
    assert found.left == ("I3",)


def test_two_given_pieces_side_by_side_are_told_as_such() -> None:
    seen = puzzle_on(SMALL, board(SMALL, {(1, 2): "G", (1, 3): "G", (2, 3): "G", (3, 3): "G", (1, 4): "G"}, at=(2, 2)))
    assert sorted(len(piece.cells) for piece in seen.laid) == [2, 3]
    assert "edge_contact" in [violation.kind for violation in check(SMALL, seen.laid).wrong]


def test_a_piece_that_is_not_given_is_told() -> None:
    seen = puzzle_on(SMALL, board(SMALL, {(1, 2): "G", (2, 1): "G", (1, 1): "G", (2, 0): "G"}))
    assert "piece_not_given" in [violation.kind for violation in check(SMALL, seen.laid).wrong]


def test_a_piece_that_sticks_out_of_the_puzzle_is_told() -> None:
    seen = puzzle_on(SMALL, board(SMALL, {(1, 4): "G", (1, 5): "G"}))
    assert "off_board" in [violation.kind for violation in check(SMALL, seen.laid).wrong]


def test_a_square_that_is_not_told_leaves_the_verdict_open() -> None:
    puzzle = shipped_puzzle(2)
    cell = min(solution(puzzle))
    seen = puzzle_on(puzzle, board(puzzle, {**solution(puzzle), cell: "?"}))
    assert seen.unsure == {cell}
    assert not seen.can_be_judged


def test_a_puzzle_put_down_wrongly_is_told_with_its_squares() -> None:
    seen = puzzle_on(SMALL, board(SMALL, {(2, 2): "."}, at=(4, 4)))
    assert seen.amiss == {(2, 2)}
    assert not seen.can_be_judged


@pytest.mark.parametrize(
    ("grid", "words"),
    [
        (["." * 14] * 14, "does not lie on the board"),
        (["?" * 14] * 14, "too little of the board"),
        (["G" * 14] * 14, "does not lie on the board"),
        (["...."] * 4, "more than the board"),
    ],
)
def test_a_board_without_the_puzzle_is_refused_in_one_line(grid: list[str], words: str) -> None:
    with pytest.raises(PuzzleError, match=words) as refused:
        puzzle_on(SMALL, grid)
    assert "\n" not in str(refused.value)


def test_random_doubt_never_makes_a_wrong_verdict() -> None:
    """Whatever is hidden of a board: what is judged is judged as if nothing were."""
    puzzle = shipped_puzzle(4)
    rng = random.Random(7)
    whole = board(puzzle, solution(puzzle), at=(2, 3))
    for share in (0.002, 0.01, 0.05, 0.2, 0.5):
        for _ in range(8):
            grid = ["".join("?" if rng.random() < share else letter for letter in line) for line in whole]
            try:
                seen = puzzle_on(puzzle, grid)
            except PuzzleError:
                continue
            assert not seen.can_be_judged or check(puzzle, seen.laid).is_solved
