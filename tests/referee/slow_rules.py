"""A second, slow and obvious statement of the rules on plain sets of cells, to check the fast one against.

It shares nothing with the program but the words for cells and colours: pieces are grown square by square here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property

Cell = tuple[int, int]
Cells = frozenset[Cell]


def beside(cell: Cell) -> set[Cell]:
    row, col = cell
    return {(row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)}


def diagonal(cell: Cell) -> set[Cell]:
    row, col = cell
    return {(row + 1, col + 1), (row + 1, col - 1), (row - 1, col + 1), (row - 1, col - 1)}


def moved_to_origin(cells: Iterable[Cell]) -> Cells:
    listed = list(cells)
    top, left = min(row for row, _ in listed), min(col for _, col in listed)
    return frozenset((row - top, col - left) for row, col in listed)


def canonical(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """The same for all turned, mirrored and moved copies of a shape."""
    copies = []
    current = list(cells)
    for _ in range(4):
        current = [(col, -row) for row, col in current]
        copies += [moved_to_origin(current), moved_to_origin((row, -col) for row, col in current)]
    return min(tuple(sorted(copy)) for copy in copies)


@cache
def fixed_shapes() -> frozenset[Cells]:
    """Every orientation of every polyomino of one to five squares, grown square by square."""
    grown = {frozenset({(0, 0)})}
    shapes = set(grown)
    for _ in range(4):
        grown = {moved_to_origin(shape | {cell}) for shape in grown for square in shape for cell in beside(square) - shape}
        shapes |= grown
    return frozenset(shapes)


@dataclass(frozen=True)
class Board:
    """Pieces as they lie: (colour, cells) in the order they were put down."""

    size: int
    pieces: tuple[tuple[str, Cells], ...]

    def squares(self, color: str) -> set[Cell]:
        return {cell for owner, cells in self.pieces for cell in cells if owner == color and self.inside(cell)}

    @cached_property
    def occupied(self) -> set[Cell]:
        return {cell for _, cells in self.pieces for cell in cells if self.inside(cell)}

    def inside(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.size and 0 <= cell[1] < self.size


def broken_by_place(board: Board, color: str, cells: Cells, starts: Cells) -> dict[str, set[Cell]]:
    """The rules of place that a placement breaks, with the cells at fault."""
    own = board.squares(color)
    inside = {cell for cell in cells if board.inside(cell)}
    broken: dict[str, set[Cell]] = {}
    if inside != cells:
        broken["off_board"] = set(cells - inside)
    if inside & board.occupied:
        broken["overlap"] = inside & board.occupied
    sides = {(cell, other) for cell in inside for other in beside(cell) & own}
    if sides:
        broken["edge_contact"] = {cell for pair in sides for cell in pair}
    if not own and not cells & starts:
        broken["start_not_covered"] = set(starts)
    if own and not any(diagonal(cell) & own for cell in inside):
        broken["no_corner_contact"] = set(cells)
    return broken


def legal_placements(board: Board, color: str, shapes: set[tuple[Cell, ...]], starts: Cells) -> set[Cells]:
    """Every placement of these canonical shapes that breaks no rule of place."""
    free = [cells for cells in _everywhere(board.size) if not cells & board.occupied]
    return {cells for cells in free if canonical_of(cells) in shapes and not broken_by_place(board, color, cells, starts)}


@cache
def _everywhere(size: int) -> tuple[Cells, ...]:
    return tuple(_places(size))


def _places(size: int) -> Iterator[Cells]:
    for shape in fixed_shapes():
        for top in range(size):
            for left in range(size):
                cells = frozenset((row + top, col + left) for row, col in shape)
                if all(row < size and col < size for row, col in cells):
                    yield cells


@cache
def canonical_of(cells: Cells) -> tuple[Cell, ...]:
    return canonical(cells)
