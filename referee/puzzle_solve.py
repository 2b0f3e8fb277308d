"""Solving puzzles exactly: every solution once, or their number, with the work that took.

The search keeps the set of open placements and the groups that hang together by corners. Each solution must place each piece that is left,
and must touch each group as long as there is something to place; of these demands the one that the fewest open placements meet comes first.
Those are tried in turn and then closed, so that no solution comes twice: first all solutions with the first of them, then all with the
second but without the first, and so on. The last piece needs no search: it goes wherever it touches every group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, islice

from referee.cells import CellSet, bit_numbers
from referee.pieces import PIECES
from referee.placements import Placement, PlacementSet
from referee.puzzle import Puzzle
from referee.puzzle_places import Places

Solution = tuple[Placement, ...]
"""The placements that solve a puzzle, in the order of its pieces, copies by their cells."""


LOOK_ON = 30_000
"""Positions looked at for one solution more than were asked for: about a second."""


@dataclass(frozen=True)
class Outcome:
    """What a search found.

    Attributes:
        solutions: how many solutions were found.
        complete: whether there are no others.
        nodes: the work: positions that the search looked at.
        found: the first solutions, as many as were to be kept.
    """

    solutions: int
    complete: bool
    nodes: int
    found: tuple[Solution, ...]


def solve(puzzle: Puzzle, *, limit: int | None = None, keep: int | None = 1, budget: int | None = None) -> Outcome:
    """Count the solutions: to the end, unless `budget` positions are looked at before.

    After `limit` solutions one more is looked for, in `LOOK_ON` positions at most, to tell whether there are others; it is not counted.
    At most `keep` solutions are kept, None for all. The same arguments always give the same outcome.
    """
    search = Search(puzzle, budget)
    count, found = 0, list[Solution]()
    for placed, last in search.families():
        count += last.bit_count()
        found += islice(search.members(placed, last), None if keep is None else keep - len(found))
        if limit is not None and count > limit:
            return Outcome(limit, complete=False, nodes=search.nodes, found=tuple(found[:limit]))
        if count == limit:
            search.end_within(LOOK_ON)
    return Outcome(count, complete=not search.is_cut, nodes=search.nodes, found=tuple(found))


def solutions(puzzle: Puzzle) -> Iterator[Solution]:
    """Every solution once, always in the same order."""
    return Search(puzzle).solutions()


@dataclass(frozen=True, slots=True)
class _State:
    """A position of the search.

    Attributes:
        placed: the numbers of the placements made.
        left: how many copies of each kind of piece are left.
        open: the placements that may still be made.
        groups: the cells of each group that is linked by corners.
        touches: for each group the placements that touch it by a corner.
    """

    placed: tuple[int, ...]
    left: tuple[int, ...]
    open: PlacementSet
    groups: tuple[CellSet, ...]
    touches: tuple[PlacementSet, ...]


class Search:
    """The search of one puzzle; `nodes` positions were looked at so far, and `is_cut` says whether the budget ended it."""

    def __init__(self, puzzle: Puzzle, budget: int | None = None) -> None:
        """Prepare the search of at most `budget` positions."""
        self.nodes, self.is_cut, self._budget = 0, False, budget
        self._pieces = Counter(puzzle.pieces)
        self._places = Places(puzzle)

    def end_within(self, positions: int) -> None:
        """Look at no more than so many positions from here on."""
        ending = self.nodes + positions
        self._budget = ending if self._budget is None else min(ending, self._budget)

    def families(self) -> Iterator[tuple[tuple[int, ...], PlacementSet]]:
        """The solutions in families: all placements but one, and the set of those that complete them."""
        places = self._places
        left = tuple(self._pieces[name] for name in places.names)
        state = _State((), left, (1 << len(places.masks)) - 1, groups=(), touches=())
        for drawn in places.drawn:
            around = places.diagonal_to(drawn)
            apart = [number for number, group in enumerate(state.groups) if not group & around]
            state = _linked(state, drawn, places.covering(around), apart)
        yield from self._search(state)

    def solutions(self) -> Iterator[Solution]:
        """Every solution once."""
        for placed, last in self.families():
            yield from self.members(placed, last)

    def members(self, placed: tuple[int, ...], last: PlacementSet) -> Iterator[Solution]:
        """The solutions of a family."""
        for number in bit_numbers(last):
            chosen = sorted((self._places.kinds[n], self._places.masks[n], n) for n in (*placed, number))
            yield tuple(self._places.placement(n) for _, _, n in chosen)

    def _search(self, state: _State) -> Iterator[tuple[tuple[int, ...], PlacementSet]]:
        if self.nodes == self._budget:
            self.is_cut = True
            return
        self.nodes += 1
        if sum(state.left) == 1:
            last = state.open
            for touching in state.touches:
                last &= touching
            if last:
                yield state.placed, last
            return
        choices = self._fewest(state)
        if not choices or not self._can_link(state):
            return
        for number in bit_numbers(choices):
            yield from self._search(self._after(state, number))
            state = replace(state, open=state.open ^ (1 << number))

    def _fewest(self, state: _State) -> PlacementSet:
        """The placements that meet the demand that the fewest meet: to touch a group, or to use a piece."""
        demands = [state.open & touching for touching in state.touches]
        demands += [state.open & mine for mine, copies in zip(self._places.of_kind, state.left, strict=True) if copies]
        return min(demands, key=int.bit_count)

    def _after(self, state: _State, number: int) -> _State:
        """The position after one placement: what it closes, and the groups that it links."""
        kind = self._places.kinds[number]
        left = (*state.left[:kind], state.left[kind] - 1, *state.left[kind + 1 :])
        still_open = state.open & ~self._places.clash(number)
        if not left[kind]:
            still_open &= ~self._places.of_kind[kind]
        apart = [index for index, touching in enumerate(state.touches) if not touching >> number & 1]
        after = replace(state, placed=(*state.placed, number), left=left, open=still_open)
        return _linked(after, self._places.masks[number], self._places.link(number), apart)

    def _can_link(self, state: _State) -> bool:
        """Whether the pieces left may reach every group from the first one; never false when they can.

        A chain makes one diagonal step to each of its pieces, and inside a piece of n squares at most n - 1 steps sideways. Which pieces it
        takes is left open: j pieces may take as many steps sideways together as the j largest.
        """
        if len(state.groups) < 2:
            return True
        free = self._places.covered(state.open)
        others = [(group, self._places.diagonal_to(group)) for group in state.groups[1:]]
        layer = [state.groups[0]]
        for steps in self._steps(state):
            layer = self._next_layer(layer, steps, free, others)
            # A group that was met is met again with a piece more: back from it to the cell that met it.
            if all(group & layer[-1] for group, _ in others):
                return True
        return False

    def _next_layer(self, layer: list[CellSet], most_steps: int, free: CellSet, others: list[tuple[CellSet, CellSet]]) -> list[CellSet]:
        """The cells reached with one piece more, for each number of steps sideways; a chain goes on from any group that it meets."""
        reached, layers = 0, []
        for steps in range(most_steps + 1):
            before = layer[min(steps, len(layer) - 1)]
            reached |= (self._places.diagonal_to(before) | self._places.beside(reached)) & free
            for group, around in others:
                if reached & around:
                    reached |= group
            layers.append(reached)
        return layers

    def _steps(self, state: _State) -> Iterator[int]:
        """The most steps sideways that 1, 2, ... of the pieces left can take."""
        sizes = [PIECES[name].squares for name, copies in zip(self._places.names, state.left, strict=True) for _ in range(copies)]
        return accumulate(size - 1 for size in sorted(sizes, reverse=True))


def _linked(state: _State, cells: CellSet, touching: PlacementSet, apart: list[int]) -> _State:
    """The position with new green cells, which are one group with all groups but those `apart`."""
    for number, (group, around) in enumerate(zip(state.groups, state.touches, strict=True)):
        if number not in apart:
            cells, touching = cells | group, touching | around
    groups = (*(state.groups[number] for number in apart), cells)
    return replace(state, groups=groups, touches=(*(state.touches[number] for number in apart), touching))
