"""The placements that fit on a puzzle's drawn board, numbered: which clash, which link, and how cells spread over the board.

A `PlacementSet` here holds placements of one puzzle, as bits. Boards need not be square: each lies in the top left of a square of cells,
whose others are never free, so that the bits of `cells.CellSet` serve.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from referee.cells import EMPTY, CellSet, bit_numbers, cell_set, cells_in
from referee.pieces import PIECES, in_piece_order
from referee.placements import Placement, PlacementSet
from referee.puzzle import Puzzle

REMEMBERED = 16_384
"""For how many placements it is remembered what they clash with and link to: on 20x20 each takes up to 8 KB."""


class Places:
    """The placements of a puzzle's pieces on its free cells, none beside a drawn green square.

    `names` are the different pieces, smallest first; a piece's index there is its kind. `masks` and `kinds` have the cells and the kind of
    each placement by its number, `of_kind` the placements of each kind, `drawn` the cells of each drawn piece.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        """Number the placements in reading order of their first cells: the search likes those that clash near each other."""
        self.size = max(puzzle.rows, puzzle.cols)
        self._board = cell_set(((row, col) for row in range(puzzle.rows) for col in range(puzzle.cols)), self.size)
        self._not_first_col = sum(((1 << self.size) - 2) << (row * self.size) for row in range(self.size))
        self._not_last_col = self._not_first_col >> 1
        self.drawn = tuple(cell_set(cells, self.size) for cells in puzzle.drawn)
        self.names = in_piece_order(set(puzzle.pieces))
        free = cell_set(puzzle.cells_of(EMPTY), self.size) & ~self.beside(sum(self.drawn))
        numbered = sorted(self._fitting(free), key=lambda place: (place[0] & -place[0], place[1], place[0]))
        self.masks = tuple(mask for mask, _ in numbered)
        self.kinds = tuple(kind for _, kind in numbered)
        self.of_kind = _sets(((kind,) for kind in self.kinds), len(self.names))
        self._covering = _sets(map(bit_numbers, self.masks), self.size**2)
        self.clash = lru_cache(REMEMBERED)(self._clash)
        self.link = lru_cache(REMEMBERED)(self._link)

    def placement(self, number: int) -> Placement:
        """The placement with this number."""
        return Placement(self.names[self.kinds[number]], cells_in(self.masks[number], self.size))

    def covering(self, cells: CellSet) -> PlacementSet:
        """The placements that cover at least one of the cells."""
        chosen = 0
        for cell in bit_numbers(cells):
            chosen |= self._covering[cell]
        return chosen

    def covered(self, chosen: PlacementSet) -> CellSet:
        """The cells that some of the placements cover."""
        return sum(1 << cell for cell, covering in enumerate(self._covering) if covering & chosen)

    def diagonal_to(self, cells: CellSet) -> CellSet:
        """The cells of the board diagonal to some of the cells."""
        sideways = self._sideways(cells)
        return (sideways << self.size | sideways >> self.size) & self._board

    def beside(self, cells: CellSet) -> CellSet:
        """The cells of the board that share a side with some of the cells."""
        return (self._sideways(cells) | cells << self.size | cells >> self.size) & self._board

    def _sideways(self, cells: CellSet) -> CellSet:
        return (cells & self._not_last_col) << 1 | (cells & self._not_first_col) >> 1

    def _clash(self, number: int) -> PlacementSet:
        """The placements that overlap this one or share a side with it."""
        return self.covering(self.masks[number] | self.beside(self.masks[number]))

    def _link(self, number: int) -> PlacementSet:
        """The placements that cover a cell diagonal to this one."""
        return self.covering(self.diagonal_to(self.masks[number]))

    def _fitting(self, free: CellSet) -> Iterator[tuple[CellSet, int]]:
        """The cells and the kind of every placement on free cells."""
        for kind, name in enumerate(self.names):
            for form in PIECES[name].orientations:
                low, right = max(row for row, _ in form), max(col for _, col in form)
                mask = cell_set(form, self.size)
                for row in range(self.size - low):
                    for col in range(self.size - right):
                        moved = mask << (row * self.size + col)
                        if moved & free == moved:
                            yield moved, kind


def _sets(members: Iterable[Iterable[int]], count: int) -> tuple[PlacementSet, ...]:
    """For each of `count` keys the numbers of the members that hold it, as bits."""
    listed = list(map(tuple, members))
    sets = [bytearray(len(listed) // 8 + 1) for _ in range(count)]
    for number, keys in enumerate(listed):
        for key in keys:
            sets[key][number >> 3] |= 1 << (number & 7)
    return tuple(int.from_bytes(bits, "little") for bits in sets)
