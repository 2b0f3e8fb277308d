"""Making puzzles: a hidden solution is grown piece by piece, its ends are drawn, and orange pieces close the other ways.

How hard a puzzle is, is measured and not guessed: by the work of the search for each solution that there is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, combinations, product
from random import Random

from referee.cells import EMPTY, bit_numbers, cell_set
from referee.pieces import PIECES
from referee.placements import PlacementSet
from referee.puzzle import GREEN, ORANGE, Puzzle, PuzzleError
from referee.puzzle_places import Places
from referee.puzzle_solve import Outcome, Solution, solve
from referee.variants import get_variant


@dataclass(frozen=True)
class Level:
    """What puzzles of a level look like.

    Attributes:
        size: rows and columns.
        drawn: green pieces on the board.
        given: pieces to place.
        difficulty: the least and the most that `difficulty_of` may say; bands of following levels do not meet.
    """

    size: int
    drawn: int
    given: int
    difficulty: tuple[float, float]


LEVELS = (
    Level(7, 2, 2, (1.0, 1.7)),
    Level(7, 2, 2, (1.8, 2.5)),
    Level(8, 2, 3, (2.6, 3.3)),
    Level(9, 2, 3, (3.4, 4.1)),
    Level(9, 2, 4, (4.2, 4.9)),
    Level(10, 3, 4, (5.0, 5.7)),
    Level(11, 3, 5, (5.8, 6.5)),
    Level(11, 3, 5, (6.6, 7.3)),
    Level(12, 3, 6, (7.4, 8.1)),
    Level(12, 3, 6, (8.2, 10.0)),
)
"""The levels, 1 to 10: larger boards and more pieces, each almost twice as hard as the one before."""

_SHAPES = get_variant("junior").pieces
"""The pieces of the children's set, so that every puzzle made can be laid with it."""

COPIES = 2
"""Copies of each piece in a colour of the children's set."""

OFFERED = 3
"""Placements offered for each piece of the hidden solution; the one farthest from the earlier pieces is taken."""

LEAST_GAP = 3
"""Least distance of two drawn pieces, in steps of a chess king: nearer ones are linked by a single square."""

LEAST_ORANGE = 3
"""Least squares of an orange piece: smaller ones would be sown all over the board."""

FIRST_ORANGE = 2
"""Orange pieces laid by lot before any are chosen."""

MOST_SOLUTIONS = 12
"""Most solutions of a puzzle: more than one is fun to find, but not when everything fits."""

MOST_ORANGE = 14
"""Most orange pieces: the children's set has 24, and a board that is full of them shows the way."""

ATTEMPTS = 150
"""Boards tried for one puzzle; then the one nearest to the level's difficulty is taken."""

WORK = 8_000
"""Positions looked at to count the solutions of one board in the making: a fraction of a second."""

ENOUGH = 600
"""At so many solutions the count ends: another orange piece is wanted anyway."""

SAMPLE = 300
"""Unwanted solutions looked at when an orange piece is chosen that should close many of them."""


@dataclass(frozen=True)
class Made:
    """A puzzle with what the search says about it."""

    puzzle: Puzzle
    outcome: Outcome


def difficulty_of(outcome: Outcome) -> float:
    """How hard a puzzle is: the work of searching all of it, for each of its solutions, in doublings.

    Raises:
        ValueError: it has no solution, or was not searched to the end.
    """
    if not outcome.complete or not outcome.solutions:
        raise ValueError("only a puzzle that can be solved and was searched to the end has a difficulty")
    return round(math.log2(1 + outcome.nodes / outcome.solutions), 1)


def make(level: int, seed: int) -> Made:
    """A puzzle of a level, 1 to 10; the same level and seed always give the same one.

    Raises:
        PuzzleError: there is no such level, or nothing came of the seed (not seen so far).
    """
    if not 1 <= level <= len(LEVELS):
        raise PuzzleError(f"levels are 1 to {len(LEVELS)}")
    wanted = LEVELS[level - 1]
    rng = Random(f"{level}/{seed}")  # noqa: S311 - nothing is secret here, and the same seed has to give the same puzzle
    low, high = wanted.difficulty
    best: tuple[float, Made] | None = None
    for made in chain.from_iterable(_attempt(wanted, rng) for _ in range(ATTEMPTS)):
        hard = difficulty_of(made.outcome)
        off = max(low - hard, hard - high, 0)
        if best is None or off < best[0]:
            best = off, made
        if not off:
            break
    if best is None:
        raise PuzzleError(f"no puzzle of level {level} came of seed {seed}; try another seed")
    return best[1]


def _attempt(level: Level, rng: Random) -> Iterator[Made]:
    """The puzzles that come of one hidden solution, with more and more orange pieces; none when there was no room for it."""
    places = _childrens_places(level.size)
    parents = _tree(level, rng)
    hidden = _grown(places, parents, rng)
    if hidden is None:
        return
    ends = [number for index, number in enumerate(hidden) if index not in parents or index == 0]
    if all(_distance(places, one, other) >= LEAST_GAP for one, other in combinations(ends, 2)):
        yield from _Board(places, hidden, ends).closed(rng)


@cache
def _childrens_places(size: int) -> Places:
    """Every placement of the children's set on an empty board."""
    return Places(Puzzle(size, size, (EMPTY * size,) * size, _SHAPES))


def _tree(level: Level, rng: Random) -> list[int]:
    """For each piece of a hidden solution but the first, the earlier one that it is linked to: a chain, or one with a branch.

    Its ends are the pieces that will be drawn, so that each given piece is needed to link them.
    """
    parents = list(range(level.drawn + level.given - 1))
    if level.drawn == 3:
        branch = rng.randint(3, len(parents) - 1)
        parents[branch - 1] = rng.randint(1, branch - 2)
    return parents


def _grown(places: Places, parents: list[int], rng: Random) -> list[int] | None:
    """Placements linked as the tree says, and in no other way; None when there was no room for all."""
    still_open = (1 << len(places.masks)) - 1
    grown = [_one_of(places, still_open, rng)]
    for parent in parents:
        still_open &= ~places.clash(grown[-1])
        choices = still_open & places.link(grown[parent]) & ~_used_up(places, grown)
        for other in grown:
            if other != grown[parent]:
                choices &= ~places.link(other)
        if not choices:
            return None
        offered = [_one_of(places, choices, rng) for _ in range(OFFERED)]
        grown.append(max(offered, key=lambda number: sum(_distance(places, number, other) for other in grown)))
    return grown


def _one_of(places: Places, choices: PlacementSet, rng: Random) -> int:
    """One of the placements: first the piece, large ones more often, then where it lies."""
    kinds = [kind for kind, mine in enumerate(places.of_kind) if mine & choices]
    (kind,) = rng.choices(kinds, [PIECES[places.names[kind]].squares for kind in kinds])
    return rng.choice(bit_numbers(choices & places.of_kind[kind]))


def _used_up(places: Places, numbers: Iterable[int]) -> PlacementSet:
    """The placements of pieces of which the set has no more copies."""
    used = Counter(places.kinds[number] for number in numbers)
    return sum(places.of_kind[kind] for kind, copies in used.items() if copies == COPIES)


def _distance(places: Places, one: int, other: int) -> int:
    """Steps of a chess king between the nearest squares of two placements."""
    pairs = product(places.placement(one).cells, places.placement(other).cells)
    return min(max(abs(a - c), abs(b - d)) for (a, b), (c, d) in pairs)


class _Board:
    """A board in the making: the hidden solution, and the orange pieces that close the other ways."""

    def __init__(self, places: Places, hidden: list[int], ends: list[int]) -> None:
        self._places = places
        self._green = sum(places.masks[number] for number in ends)
        self._given = tuple(places.names[kind] for kind in sorted(places.kinds[number] for number in hidden if number not in ends))
        self._orange = list[int]()
        taken = sum(places.masks[number] for number in hidden)
        self._open = sum(places.of_kind[kind] for kind, name in enumerate(places.names) if PIECES[name].squares >= LEAST_ORANGE)
        self._open &= ~places.covering(taken)

    def closed(self, rng: Random) -> Iterator[Made]:
        """The puzzle with each number of orange pieces that leaves few solutions, down to one."""
        for _ in range(FIRST_ORANGE):
            self._lay(rng.choice(bit_numbers(self._open)))
        while len(self._orange) <= MOST_ORANGE:
            puzzle = self._puzzle()
            outcome = solve(puzzle, limit=ENOUGH, keep=SAMPLE, budget=WORK)
            if outcome.complete and outcome.solutions <= MOST_SOLUTIONS:
                yield Made(replace(puzzle, difficulty=difficulty_of(outcome)), outcome)
            if not self._open or (outcome.complete and outcome.solutions == 1):
                return
            self._lay(self._closing_most(outcome.found, rng))

    def _lay(self, number: int) -> None:
        """Lay an orange piece; the next ones keep their sides off it, so that each can be told from the others."""
        self._orange.append(number)
        self._open &= ~self._places.clash(number) & ~_used_up(self._places, self._orange)

    def _closing_most(self, found: Iterable[Solution], rng: Random) -> int:
        """The orange piece that lies in the way of the most solutions; one by lot where several do."""
        ways = [cell_set((cell for placement in solution for cell in placement.cells), self._places.size) for solution in found]
        masks = self._places.masks
        return max(bit_numbers(self._open), key=lambda number: (sum(1 for way in ways if way & masks[number]), rng.random()))

    def _puzzle(self) -> Puzzle:
        size = self._places.size
        orange = sum(self._places.masks[number] for number in self._orange)
        letters = "".join(GREEN if self._green >> n & 1 else ORANGE if orange >> n & 1 else EMPTY for n in range(size * size))
        grid = tuple(letters[row * size : (row + 1) * size] for row in range(size))
        return Puzzle(size, size, grid, self._given)
