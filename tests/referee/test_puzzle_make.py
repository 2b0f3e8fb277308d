"""Making puzzles: what the level says, the same for the same seed, and laid with the children's set."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from referee import puzzle_make
from referee.cells import components
from referee.pieces import identify
from referee.puzzle import ORANGE, Puzzle, PuzzleError
from referee.puzzle_make import LEVELS, MOST_SOLUTIONS, difficulty_of, make
from referee.puzzle_solve import Outcome, solve
from referee.variants import get_variant

SET = Counter(get_variant("junior").pieces)


def pieces_drawn(puzzle: Puzzle) -> tuple[Counter[str | None], Counter[str | None]]:
    """The green pieces, drawn and given, and the orange ones."""
    green = Counter(map(identify, puzzle.drawn)) + Counter(puzzle.pieces)
    return green, Counter(map(identify, components(puzzle.cells_of(ORANGE))))


@pytest.mark.parametrize(("level", "seed"), [(1, 0), (1, 1), (2, 0), (3, 0), (3, 1), (4, 0), (5, 2), (6, 1), (8, 0)])
def test_a_puzzle_is_what_its_level_says(level: int, seed: int) -> None:
    made, wanted = make(level, seed), LEVELS[level - 1]
    puzzle = made.puzzle
    assert (puzzle.rows, puzzle.cols, len(puzzle.drawn), len(puzzle.pieces)) == (wanted.size, wanted.size, wanted.drawn, wanted.given)
    outcome = solve(puzzle)
    assert outcome.complete
    assert 1 <= outcome.solutions == made.outcome.solutions <= MOST_SOLUTIONS
    assert puzzle.difficulty == difficulty_of(outcome)
    assert wanted.difficulty[0] <= difficulty_of(outcome) <= wanted.difficulty[1]


@pytest.mark.parametrize("level", [1, 3, 5])
def test_it_can_be_laid_with_the_children_s_set(level: int) -> None:
    for color in pieces_drawn(make(level, 7).puzzle):
        assert color <= SET


def test_a_hidden_solution_is_linked_as_its_tree_says_and_in_no_other_way() -> None:
    rng = Random(1)
    parents = [0, 1, 2, 1, 4]
    places = puzzle_make._childrens_places(10)
    grown = [found for _ in range(20) if (found := puzzle_make._grown(places, parents, rng))]
    assert grown
    for numbers in grown:
        links = {(a, b) for a, b in combinations(range(len(numbers)), 2) if places.link(numbers[a]) >> numbers[b] & 1}
        assert links == {(parent, number) for number, parent in enumerate(parents, 1)}


def test_the_same_seed_gives_the_same_puzzle_and_another_one_another() -> None:
    assert make(2, 5) == make(2, 5)
    assert len({make(2, seed).puzzle.grid for seed in range(5)}) == 5


@pytest.mark.parametrize("level", [0, 11])
def test_there_are_no_other_levels(level: int) -> None:
    with pytest.raises(PuzzleError, match="1 to 10"):
        make(level, 1)


def test_bands_of_difficulty_rise_without_meeting() -> None:
    bounds = [bound for level in LEVELS for bound in level.difficulty]
    assert bounds == sorted(set(bounds))


def test_difficulty_counts_doublings_of_the_work_for_each_solution() -> None:
    assert difficulty_of(Outcome(2, complete=True, nodes=14, found=())) == 3
    assert difficulty_of(Outcome(1, complete=True, nodes=15, found=())) == 4


@pytest.mark.parametrize("outcome", [Outcome(0, complete=True, nodes=5, found=()), Outcome(3, complete=False, nodes=5, found=())])
def test_what_was_not_searched_or_cannot_be_solved_has_no_difficulty(outcome: Outcome) -> None:
    with pytest.raises(ValueError, match="difficulty"):
        difficulty_of(outcome)
