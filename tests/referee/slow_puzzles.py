"""A second, slow and obvious statement of the puzzles' rules on plain sets of cells, to check the fast solver against."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

from tests.referee.slow_rules import Cells, beside, canonical, diagonal, fixed_shapes

SHAPES = {
    "1": "#",
    "2": "##",
    "I3": "###",
    "V3": "## #.",
    "I4": "####",
    "L4": "### #..",
    "O": "## ##",
    "T4": "### .#.",
    "Z4": "##. .##",
    "P": "## ## #.",
    "W": "##. .## ..#",
    "X": ".#. ### .#.",
}
"""Some pieces by name, drawn anew."""


def canonical_of(name: str) -> tuple[tuple[int, int], ...]:
    rows = SHAPES[name].split()
    return canonical((row, col) for row, line in enumerate(rows) for col, mark in enumerate(line) if mark == "#")


def places(name: str, rows: int, cols: int) -> list[Cells]:
    """Every way the piece lies on a board, whatever lies there already."""
    forms = [form for form in fixed_shapes() if canonical(form) == canonical_of(name)]
    moved = {frozenset((r + down, c + right) for r, c in form) for form in forms for down in range(rows) for right in range(cols)}
    return [cells for cells in moved if all(r < rows and c < cols for r, c in cells)]


def all_solutions(grid: list[str], pieces: list[str]) -> set[frozenset[Cells]]:
    """Every solution as the set of its pieces' cells: all ways of choosing a place for each piece are tried."""
    rows, cols = len(grid), len(grid[0])
    free = {(r, c) for r in range(rows) for c in range(cols) if grid[r][c] == "."}
    drawn = pieces_of({(r, c) for r in range(rows) for c in range(cols) if grid[r][c] == "G"})
    ways = []
    for name, copies in Counter(pieces).items():
        fitting = [cells for cells in places(name, rows, cols) if cells <= free]
        ways.append(list(combinations(fitting, copies)))
    found = set()
    for choice in product(*ways):
        placed = [cells for cells_of_kind in choice for cells in cells_of_kind]
        if is_solved([*drawn, *placed]):
            found.add(frozenset(placed))
    return found


def pieces_of(squares: set[tuple[int, int]]) -> list[Cells]:
    groups: list[Cells] = []
    for cell in squares:
        touching = [group for group in groups if beside(cell) & group]
        groups = [group for group in groups if group not in touching] + [frozenset({cell}).union(*touching)]
    return groups


def is_solved(pieces: list[Cells]) -> bool:
    if any(a & b or set.union(*map(beside, a)) & b for a, b in combinations(pieces, 2)):
        return False
    linked, waiting = {pieces[0]}, set(pieces[1:])
    while True:
        more = {piece for piece in waiting if any(diagonal(cell) & other for cell in piece for other in linked)}
        if not more:
            return not waiting
        linked |= more
        waiting -= more
