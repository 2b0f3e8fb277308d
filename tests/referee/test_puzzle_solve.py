"""The solver: the same solutions as trying everything, each once, and honest about what it did not search."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.puzzle import Puzzle
from referee.puzzle_check import Laid, check
from referee.puzzle_solve import solutions, solve
from tests.referee.puzzles import drawn_puzzle
from tests.referee.slow_puzzles import SHAPES, all_solutions

CORNERS = """
    G......
    .......
    ...O...
    ...OO..
    .......
    ......G
"""


@st.composite
def small_puzzles(draw: st.DrawFn) -> Puzzle:
    """Boards of every shape that trying everything can still finish, with any drawing."""
    rows, cols = draw(st.sampled_from([(1, 7), (2, 5), (3, 3), (3, 4), (4, 4), (5, 3), (5, 5), (6, 4)]))
    letters = draw(st.sampled_from(["G.......", "O.......", "GGOO....", "GO......", "."]))
    grid = [draw(st.text(letters, min_size=cols, max_size=cols)) for _ in range(rows)]
    few = 3 if rows * cols <= 12 else 2
    pieces = draw(st.lists(st.sampled_from(sorted(SHAPES)), min_size=1, max_size=few))
    return drawn_puzzle(" ".join(grid), " ".join(pieces))


@given(small_puzzles())
@settings(max_examples=300, deadline=None)
def test_it_finds_what_trying_everything_finds_and_nothing_twice(puzzle: Puzzle) -> None:
    wanted = all_solutions(list(puzzle.grid), list(puzzle.pieces))
    found = [frozenset(placement.cells for placement in solution) for solution in solutions(puzzle)]
    assert len(found) == len(set(found))
    assert set(found) == wanted
    outcome = solve(puzzle)
    assert (outcome.solutions, outcome.complete) == (len(wanted), True)


@pytest.mark.parametrize(
    ("picture", "pieces"),
    [
        (CORNERS, "I3 V3"),
        (CORNERS, "L4 2"),
        ("G....G ...... .O.... .O.... G.....", "2 V3 Z4"),
        ("G.G.. ..... ..... ..... G.G..", "V3 1 1"),
        ("G... .... .... ...G", "1 1 1 2"),
        ("..... .G... ..... ...O. .....", "1 1 1"),
        ("GG.G ..G. .... ....", "I3 1"),
        ("....... .......", "2 2 I3"),
    ],
)
def test_it_agrees_on_puzzles_with_several_groups_and_copies(picture: str, pieces: str) -> None:
    puzzle = drawn_puzzle(picture, pieces)
    wanted = all_solutions(list(puzzle.grid), list(puzzle.pieces))
    assert {frozenset(placement.cells for placement in solution) for solution in solutions(puzzle)} == wanted
    assert solve(puzzle).solutions == len(wanted)


@pytest.mark.parametrize(
    ("picture", "pieces", "count"),
    [
        ("G.. ... ..G", "1", 1),
        ("G.. .O. ..G", "1", 0),
        ("G.. ... ...", "1", 1),
        ("... ... ...", "1", 9),
        ("... ... ...", "1 1", 8),
        (". . . . .", "I5", 1),
        (".....", "I5", 1),
        ("....", "I5", 0),
        ("G.G", "1", 0),
        ("GG. ..G", "1", 0),
        ("GGGGGGG ....... .......", "1", 0),
        ("GGGGGG. ....... .......", "1", 1),
    ],
)
def test_counts_that_can_be_seen(picture: str, pieces: str, count: int) -> None:
    assert solve(drawn_puzzle(picture, pieces)).solutions == count


def test_every_solution_passes_the_check_and_names_its_pieces() -> None:
    puzzle = drawn_puzzle(CORNERS, "L4 1 2 2")
    found = list(solutions(puzzle))
    assert len(found) > 10
    for solution in found:
        assert tuple(placement.piece for placement in solution) == puzzle.pieces
        assert check(puzzle, [Laid(placement.cells, placement.piece) for placement in solution]).is_solved


def turned(puzzle: Puzzle) -> Puzzle:
    grid = tuple("".join(column)[::-1] for column in zip(*puzzle.grid, strict=True))
    return Puzzle(puzzle.cols, puzzle.rows, grid, puzzle.pieces)


def test_a_turned_or_mirrored_board_has_as_many_solutions() -> None:
    puzzle = drawn_puzzle(
        "G......... .......O.. ....O..... ....OO.... .......G.. .......... OO........ .......... ........G. ..........", "I4 L4 V3 P"
    )
    mirrored = Puzzle(puzzle.rows, puzzle.cols, puzzle.grid[::-1], puzzle.pieces)
    counts = {solve(board).solutions for board in (puzzle, turned(puzzle), turned(turned(puzzle)), mirrored)}
    assert len(counts) == 1
    assert counts.pop() > 0


def test_a_limit_stops_and_does_not_claim_to_be_complete() -> None:
    puzzle = drawn_puzzle(CORNERS, "L4 1 2")
    all_of_them = list(solutions(puzzle))
    outcome = solve(puzzle, limit=5, keep=None)
    assert (outcome.solutions, outcome.complete) == (5, False)
    assert list(outcome.found) == all_of_them[:5]


@pytest.mark.parametrize(("more", "complete"), [(-1, False), (0, True), (1, True)])
def test_a_limit_that_no_solution_exceeds_cuts_nothing_off(more: int, complete: bool) -> None:
    puzzle = drawn_puzzle(CORNERS, "L4 1 2")
    every = tuple(solutions(puzzle))
    outcome = solve(puzzle, limit=len(every) + more, keep=None)
    assert (outcome.found, outcome.complete) == (every[: len(every) + more], complete)
    assert outcome.solutions == min(len(every), len(every) + more)


def test_a_limit_is_kept_where_the_last_piece_has_many_places() -> None:
    outcome = solve(drawn_puzzle("... ... ...", "1"), limit=5, keep=None)
    assert (outcome.solutions, len(outcome.found), outcome.complete) == (5, 5, False)


def test_looking_for_one_more_than_the_limit_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = drawn_puzzle(CORNERS, "L4 1 2")
    whole = solve(puzzle)
    monkeypatch.setattr("referee.puzzle_solve.LOOK_ON", 0)
    outcome = solve(puzzle, limit=whole.solutions)
    assert (outcome.solutions, outcome.complete) == (whole.solutions, False)
    assert outcome.nodes < whole.nodes


def test_a_budget_ends_the_search_and_says_so() -> None:
    puzzle = drawn_puzzle(CORNERS, "L4 1 2 2")
    whole = solve(puzzle)
    cut = solve(puzzle, budget=whole.nodes - 1)
    assert (cut.complete, cut.nodes) == (False, whole.nodes - 1)
    assert cut.solutions <= whole.solutions
    assert solve(puzzle, budget=whole.nodes) == whole


def test_what_is_kept() -> None:
    puzzle = drawn_puzzle(CORNERS, "L4 1 2")
    all_of_them = tuple(solutions(puzzle))
    assert solve(puzzle, keep=0).found == ()
    assert solve(puzzle).found == all_of_them[:1]
    assert solve(puzzle, keep=None).found == all_of_them
