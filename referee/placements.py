"""Every placement of a board size, worked out once: 30,433 on 20x20, 13,729 on 14x14.

A placement is one orientation of a piece at one place; its number is its index in the table. A `PlacementSet` holds
placements as the bits of an int, bit n for number n. Sets of placements make the rules short: the placements that avoid
every occupied cell, those that touch a corner and so on are sets, and the legal ones are their intersection.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from referee.cells import Cell, Cells
from referee.pieces import PIECES, Piece

PlacementSet = int
"""A set of placements of one board size as bits; bit n is the placement with number n."""


@dataclass(frozen=True, slots=True)
class Placement:
    """One piece at one place on the board."""

    piece: str
    cells: Cells

    def as_json(self) -> dict[str, object]:
        """`{"piece": name, "cells": [[row, col], ...]}`, cells in reading order."""
        return {"piece": self.piece, "cells": [list(cell) for cell in sorted(self.cells)]}


@dataclass(frozen=True)
class PlacementTable:
    """All placements of one board size, and for each cell those that cover and those that avoid it.

    `covering` and `avoiding` have one set for each cell by its bit number, row * size + col.
    """

    size: int
    placements: tuple[Placement, ...]
    number: Mapping[Cells, int] = field(repr=False)
    of_piece: Mapping[str, PlacementSet] = field(repr=False)
    covering: tuple[PlacementSet, ...] = field(repr=False)
    avoiding: tuple[PlacementSet, ...] = field(repr=False)

    @property
    def all(self) -> PlacementSet:
        """The set of all placements."""
        return (1 << len(self.placements)) - 1

    def of_pieces(self, names: Iterable[str]) -> PlacementSet:
        """The placements of the named pieces; copies of a piece count once."""
        chosen = 0
        for name in names:
            chosen |= self.of_piece[name]
        return chosen

    def covering_any(self, cells: Iterable[Cell]) -> PlacementSet:
        """The placements that cover at least one of the cells; cells outside the board are covered by none."""
        chosen = 0
        for row, col in cells:
            if 0 <= row < self.size and 0 <= col < self.size:
                chosen |= self.covering[row * self.size + col]
        return chosen

    def listed(self, chosen: PlacementSet) -> tuple[Placement, ...]:
        """The placements of a set, in table order."""
        packed = np.frombuffer(chosen.to_bytes(len(self.placements) // 8 + 1, "little"), dtype=np.uint8)
        numbers = np.flatnonzero(np.unpackbits(packed, bitorder="little").view(np.bool_))
        return tuple(map(self.placements.__getitem__, numbers.tolist()))


@cache
def placement_table(size: int) -> PlacementTable:
    """The table of a board of `size` rows and columns; worked out at the first call."""
    placements = tuple(placement for piece in PIECES.values() for placement in _placements_of(piece, size))
    covering = _covering(placements, size)
    everything = (1 << len(placements)) - 1
    return PlacementTable(
        size=size,
        placements=placements,
        number={placement.cells: number for number, placement in enumerate(placements)},
        of_piece=_by_piece(placements),
        covering=covering,
        avoiding=tuple(everything ^ chosen for chosen in covering),
    )


def _placements_of(piece: Piece, size: int) -> Iterator[Placement]:
    """Every orientation of the piece at every place where it lies on the board."""
    for form in piece.orientations:
        height = 1 + max(row for row, _ in form)
        width = 1 + max(col for _, col in form)
        for top in range(size - height + 1):
            for left in range(size - width + 1):
                yield Placement(piece.name, frozenset((row + top, col + left) for row, col in form))


def _covering(placements: tuple[Placement, ...], size: int) -> tuple[PlacementSet, ...]:
    """For each cell, the placements that cover it."""
    packed = [bytearray(len(placements) // 8 + 1) for _ in range(size * size)]
    for number, placement in enumerate(placements):
        byte, bit = number >> 3, 1 << (number & 7)
        for row, col in placement.cells:
            packed[row * size + col][byte] |= bit
    return tuple(int.from_bytes(bits, "little") for bits in packed)


def _by_piece(placements: tuple[Placement, ...]) -> dict[str, PlacementSet]:
    """The placements of each piece; the table keeps them side by side, piece after piece."""
    counts = dict.fromkeys(PIECES, 0)
    for placement in placements:
        counts[placement.piece] += 1
    chosen, first = {}, 0
    for name, count in counts.items():
        chosen[name] = ((1 << count) - 1) << first
        first += count
    return chosen
