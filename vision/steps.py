"""Things that people do to a board, as candidate steps of an explanation: a piece comes, goes or moves.

Each step has a cost in nats: how rarely it happens, from the geometry of the pieces alone. Whether it would be legal
is not asked anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from referee.cells import Cell, Cells, components
from referee.pieces import identify
from referee.placements import placement_table
from vision.odds import CellOdds

IntArray = NDArray[np.intp]

MANY_CELLS = 60
"""Cells from which it is quicker to look through all placements than to gather those of each cell."""

NEVER = -50.0
"""Gain of a label where it lies already: it cannot come again."""


@dataclass(frozen=True)
class StepSettings:
    """Costs in nats: minus the natural logarithm of how often each thing happens at a table, roughly.

    Attributes:
        piece: a piece of the set comes, of the colour expected next.
        single: more for the single square, the rarest first guess and the commonest speck of noise.
        other_color: more when it is another colour: weak on purpose, for that is a foul to be caught.
        on_top: more for each occupied cell that a coming piece covers.
        shape: a block comes that is no piece of the set.
        removal: a piece of the board goes.
        partial: cells go that are no whole piece.
        move: a piece is shifted or turned on the board.
        swap: a piece is taken back and another of the colour put down over its place, or it was misread at first.
        kept: steps kept of each kind and colour.
    """

    piece: float = 0.7
    single: float = 2.0
    other_color: float = 1.0
    on_top: float = 2.0
    shape: float = 4.0
    removal: float = 4.0
    partial: float = 7.0
    move: float = 5.0
    swap: float = 6.0
    kept: int = 6


@dataclass(frozen=True)
class Step:
    """One thing that may have happened.

    Attributes:
        labels: new label of each cell that it touches, by the cell's number.
        cost: in nats.
        gain: evidence for it when it is the only one, in nats, cost not taken off.
    """

    labels: dict[int, int]
    cost: float
    gain: float


@dataclass(frozen=True)
class PlacementIndex:
    """Every placement of a board size as cell numbers.

    Attributes:
        cells: (placements, 5) cell numbers; ``size * size`` fills the places of smaller pieces.
        squares: (placements,) squares of each.
        of_piece: first and last-plus-one row of each piece's placements.
        of_cell: the rows of the placements that cover each cell, in order.
    """

    cells: IntArray
    squares: IntArray
    of_piece: dict[str, tuple[int, int]]
    of_cell: tuple[IntArray, ...]

    def covering(self, numbers: IntArray) -> IntArray:
        """The rows of the placements that cover any of these cells, in order."""
        if len(numbers) > MANY_CELLS:
            return np.flatnonzero(np.isin(self.cells, numbers).any(1))
        return np.unique(np.concatenate([self.of_cell[number] for number in numbers.tolist()])) if len(numbers) else np.zeros(0, np.intp)


@cache
def placement_index(size: int) -> PlacementIndex:
    """The index of a board size; worked out at the first call."""
    placements = placement_table(size).placements
    cells = np.full((len(placements), 5), size * size, np.intp)
    ranges: dict[str, tuple[int, int]] = {}
    for k, placement in enumerate(placements):
        numbers = sorted(row * size + col for row, col in placement.cells)
        cells[k, : len(numbers)] = numbers
        ranges[placement.piece] = (ranges.get(placement.piece, (k, k))[0], k + 1)
    covered, rows = cells.ravel(), np.repeat(np.arange(len(cells)), cells.shape[1])
    order = np.argsort(covered, kind="stable")
    of_cell = np.split(rows[order], np.searchsorted(covered[order], np.arange(1, size * size + 1)))[: size * size]
    return PlacementIndex(cells, (cells < size * size).sum(1), ranges, tuple(of_cell))


def all_steps(odds: CellOdds, pieces: Sequence[tuple[str, Cells]], on_turn: str | None, s: StepSettings) -> list[Step]:
    """Every step that the look makes likelier, those that clear cells first."""
    gone = list(_removals(odds, pieces, s))
    come = [step for label in range(1, len(odds.labels)) for step in _arrivals(odds, label, on_turn, s)]
    moved = list(_moves(odds, pieces, gone, come, s))
    return [step for step, _ in gone] + list(_partial_removals(odds, gone, s)) + moved + come


def _gain(odds: CellOdds, labels: dict[int, int]) -> float:
    return float(sum(odds.gain[cell, label] for cell, label in labels.items()))


def _arrivals(odds: CellOdds, label: int, on_turn: str | None, s: StepSettings) -> Iterator[Step]:
    """Pieces and other blocks of one colour that may have come."""
    gain = np.where(odds.expected == label, NEVER, odds.gain[:, label])
    wanted = gain > 0
    if not wanted.any():
        return
    extra = 0.0 if on_turn in (None, odds.labels[label]) else s.other_color
    known = set()
    for cells in _likely_placements(odds.size, gain, wanted, s.kept):
        on_top = s.on_top * float((odds.expected[cells] > 0).sum())
        cost = s.piece + extra + on_top + (s.single if len(cells) == 1 else 0.0)
        known.add(frozenset(cells.tolist()))
        yield Step(dict.fromkeys(cells.tolist(), label), cost, float(gain[cells].sum()))
    block = np.flatnonzero(wanted & (odds.best == label)).tolist()
    for group in components(odds.cell(number) for number in block):
        numbers = [row * odds.size + col for row, col in sorted(group)]
        if frozenset(numbers) not in known:
            yield Step(dict.fromkeys(numbers, label), s.shape + extra, float(gain[numbers].sum()))


def _likely_placements(size: int, gain: NDArray[np.float64], wanted: NDArray[np.bool_], kept: int) -> Iterator[IntArray]:
    """Cell numbers of the placements with most evidence; for each of up to three places apart on the board."""
    index = placement_index(size)
    padded = np.append(gain, 0.0)
    near = index.covering(np.flatnonzero(wanted))
    score = padded[index.cells[near]].sum(1)
    for _ in range(3):
        order = near[np.argsort(-score, kind="stable")[:kept]]
        best = np.sort(-score, kind="stable")[:kept]
        for row in order[best < 0]:
            yield index.cells[row, : index.squares[row]]
        if not len(order) or best[0] >= 0:
            return
        top = index.cells[order[0], : index.squares[order[0]]]
        apart = ~np.isin(index.cells[near], top).any(1)
        near, score = near[apart], score[apart]


def _removals(odds: CellOdds, pieces: Sequence[tuple[str, Cells]], s: StepSettings) -> Iterator[tuple[Step, tuple[str, Cells]]]:
    """Pieces of the board that may have gone, each with the piece."""
    free = odds.gain.max(1)
    for color, cells in pieces:
        numbers = [row * odds.size + col for row, col in sorted(cells)]
        if color in odds.labels and free[numbers].sum() > 0 and (odds.expected[numbers] == odds.labels.index(color)).all():
            labels = dict.fromkeys(numbers, 0)
            yield Step(labels, s.removal, _gain(odds, labels)), (color, cells)


def _partial_removals(odds: CellOdds, gone: Sequence[tuple[Step, tuple[str, Cells]]], s: StepSettings) -> Iterator[Step]:
    """Blocks that may have gone although they are no whole piece."""
    whole = {frozenset(step.labels) for step, _ in gone}
    vacant = np.flatnonzero((odds.expected > 0) & (odds.best == 0)).tolist()
    for group in components(odds.cell(number) for number in vacant):
        numbers = frozenset(row * odds.size + col for row, col in group)
        if numbers not in whole:
            labels = dict.fromkeys(sorted(numbers), 0)
            yield Step(labels, s.partial, _gain(odds, labels))


def _moves(
    odds: CellOdds,
    pieces: Sequence[tuple[str, Cells]],
    gone: Sequence[tuple[Step, tuple[str, Cells]]],
    come: Sequence[Step],
    s: StepSettings,
) -> Iterator[Step]:
    """Pieces that may have been shifted or turned: onto cells apart from the old ones, or partly the same."""
    for leaving, (color, cells) in gone:
        label = odds.labels.index(color)
        for coming in come:
            there = [odds.cell(number) for number in coming.labels]
            if set(coming.labels.values()) == {label} and _same_shape(there, cells):
                yield Step(leaving.labels | coming.labels, s.move, leaving.gain + coming.gain)
    for color, cells in pieces:
        numbers = np.array(sorted(row * odds.size + col for row, col in cells))
        name = identify(cells)
        if color in odds.labels and name is not None and (odds.gain[numbers].max(1) > 0).any():
            yield from _slides(odds, odds.labels.index(color), numbers, name, s)
            yield from _swaps(odds, odds.labels.index(color), numbers, name, s)


def _slides(odds: CellOdds, label: int, old: IntArray, name: str, s: StepSettings) -> Iterator[Step]:
    """New places of a piece that share cells with its old one."""
    index = placement_index(odds.size)
    first, last = index.of_piece[name]
    rows = index.covering(old)
    there = index.cells[rows[(rows >= first) & (rows < last)], : len(old)]
    shared = np.isin(there, old)
    overlapping = shared.any(1) & ~shared.all(1)
    there, shared = there[overlapping], shared[overlapping]
    came = np.where(odds.expected == label, NEVER, odds.gain[:, label])
    left = odds.gain[old, 0].sum()
    stays = np.where(shared, odds.gain[there, 0], 0).sum(1)
    score = left - stays + np.where(shared, 0, came[there]).sum(1)
    for row in np.argsort(-score, kind="stable")[: s.kept]:
        if score[row] > 0:
            new = set(there[row].tolist())
            labels = {number: 0 for number in old.tolist() if number not in new} | dict.fromkeys(sorted(new - set(old.tolist())), label)
            yield Step(labels, s.move, float(score[row]))


def _swaps(odds: CellOdds, label: int, old: IntArray, name: str, s: StepSettings) -> Iterator[Step]:
    """Other pieces that share cells with an old one, which is gone."""
    index = placement_index(odds.size)
    first, last = index.of_piece[name]
    rows = index.covering(old)
    rows = rows[(rows < first) | (rows >= last)]
    there = index.cells[rows]
    shared = np.isin(there, old)
    came = np.append(np.where(odds.expected == label, NEVER, odds.gain[:, label]), 0.0)
    empty = np.append(odds.gain[:, 0], 0.0)
    score = empty[old].sum() + np.where(shared, -empty[there], came[there]).sum(1)
    for row in np.argsort(-score, kind="stable")[: s.kept]:
        if score[row] > 0:
            new = set(there[row, : index.squares[rows[row]]].tolist())
            labels = {number: 0 for number in old.tolist() if number not in new} | dict.fromkeys(sorted(new - set(old.tolist())), label)
            yield Step(labels, s.swap, float(score[row]))


def _same_shape(one: Sequence[Cell], other: Cells) -> bool:
    name = identify(one)
    return name is not None and name == identify(other)
