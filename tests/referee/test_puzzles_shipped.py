"""The ten puzzles that come along: solvable, as many solutions as they say, harder and harder."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

import referee
from referee.cells import components
from referee.pieces import identify
from referee.puzzle import ORANGE, SHIPPED, shipped_puzzle
from referee.puzzle_check import Laid, check
from referee.puzzle_make import difficulty_of
from referee.puzzle_solve import solve
from referee.variants import get_variant

FOLDER = Path(str(referee.__file__)).parent / "puzzles"


def test_there_are_ten_files_and_no_others() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == [f"{number:02}.json" for number in range(1, SHIPPED + 1)]


@pytest.mark.parametrize("number", range(1, SHIPPED + 1))
def test_each_says_truly_how_many_solutions_it_has_and_how_hard_it_is(number: int) -> None:
    puzzle = shipped_puzzle(number)
    outcome = solve(puzzle)
    assert outcome.complete
    assert outcome.solutions == json.loads((FOLDER / f"{number:02}.json").read_text())["solutions"] >= 1
    assert puzzle.difficulty == difficulty_of(outcome)
    assert check(puzzle, [Laid(placement.cells, placement.piece) for placement in outcome.found[0]]).is_solved


@pytest.mark.parametrize("number", range(1, SHIPPED + 1))
def test_each_looks_like_a_children_s_puzzle(number: int) -> None:
    puzzle = shipped_puzzle(number)
    assert max(puzzle.rows, puzzle.cols) <= 14
    assert len(puzzle.drawn) in (2, 3)
    assert puzzle.title
    shapes = get_variant("junior").pieces
    green = [*map(identify, puzzle.drawn), *puzzle.pieces]
    orange = [identify(cells) for cells in components(puzzle.cells_of(ORANGE))]
    for pieces in (green, orange):
        assert all(pieces.count(name) <= shapes.count(str(name)) for name in pieces)


def test_they_are_harder_and_harder() -> None:
    difficulties = [float(shipped_puzzle(number).difficulty or 0) for number in range(1, SHIPPED + 1)]
    assert all(one < next_one for one, next_one in pairwise(difficulties))
    assert len({shipped_puzzle(number).title for number in range(1, SHIPPED + 1)}) == SHIPPED
