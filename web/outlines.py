"""Turns sets of board cells into SVG path data, so that each piece is drawn as one piece.

Units are cells: the square of cell ``(row, col)`` spans x from ``col`` to ``col + 1`` and y from ``row`` to ``row + 1``, y pointing down as
in SVG.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from referee.cells import Cell

_Point = tuple[float, float]
_Edge = tuple[tuple[int, int], tuple[int, int]]
_INSET = 0.05  # cells; leaves a hair of board between two pieces so that same-coloured neighbours stay two pieces
_RADIUS = 0.16  # cells; about the rounding of real pieces


def outline(cells: Collection[Cell], *, inset: float = _INSET, radius: float = _RADIUS) -> str:
    """Return SVG path data for the outline of ``cells``, with rounded corners.

    Squares that only touch by a corner become loops of their own; holes become inner loops (to be filled with the non-zero rule).
    ``inset`` moves the line inwards and ``radius`` rounds it, both in cells.
    """
    return "".join(_rounded(loop, inset, radius) for loop in _loops(frozenset(cells)))


def grooves(cells: Collection[Cell]) -> str:
    """Return SVG path data for the short lines between neighbouring squares of one piece, as real pieces have them."""
    inside = frozenset(cells)
    parts = []
    for row, col in sorted(inside):
        if (row, col + 1) in inside:
            parts.append(f"M{col + 1} {_number(row + 0.2)}v.6")
        if (row + 1, col) in inside:
            parts.append(f"M{_number(col + 0.2)} {row + 1}h.6")
    return "".join(parts)


def _edges(cells: frozenset[Cell]) -> Iterable[_Edge]:
    """Yield the border as directed unit edges ``((x, y), (x, y))`` with the inside on the right hand."""
    for row, col in sorted(cells):
        if (row - 1, col) not in cells:
            yield (col, row), (col + 1, row)
        if (row, col + 1) not in cells:
            yield (col + 1, row), (col + 1, row + 1)
        if (row + 1, col) not in cells:
            yield (col + 1, row + 1), (col, row + 1)
        if (row, col - 1) not in cells:
            yield (col, row + 1), (col, row)


def _loops(cells: frozenset[Cell]) -> list[list[tuple[int, int]]]:
    """Chain the border edges to closed loops of corner points (straight runs merged)."""
    following: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for start, end in _edges(cells):
        following.setdefault(start, []).append(end)
    loops = []
    while following:
        loops.append(_corners(_chain(following)))
    return loops


def _chain(following: dict[tuple[int, int], list[tuple[int, int]]]) -> list[tuple[int, int]]:
    """Take one closed loop of points out of ``following``."""
    start = next(iter(following))
    points, here, heading = [start], start, (0, 0)
    while True:
        ends = following[here]
        there = ends[0] if len(ends) == 1 else _right_turn(here, heading, ends)
        ends.remove(there)
        if not ends:
            del following[here]
        heading, here = (there[0] - here[0], there[1] - here[1]), there
        if here == start:
            return points
        points.append(here)


def _right_turn(here: tuple[int, int], heading: tuple[int, int], ends: list[tuple[int, int]]) -> tuple[int, int]:
    """Of two ways on from a point where squares meet by a corner only, stay with the same square."""
    wanted = (here[0] - heading[1], here[1] + heading[0])
    return wanted if wanted in ends else ends[0]


def _corners(points: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Drop the points in the middle of straight runs."""
    count = len(points)
    kept = []
    for i, (x, y) in enumerate(points):
        (x0, y0), (x1, y1) = points[i - 1], points[(i + 1) % count]
        if (x - x0, y - y0) != (x1 - x, y1 - y):
            kept.append((x, y))
    return kept


def _rounded(corners: list[tuple[int, int]], inset: float, radius: float) -> str:
    """Draw one loop, moved ``inset`` inwards, with its corners rounded by ``radius``."""
    parts: list[str] = []
    count = len(corners)
    for i, (x, y) in enumerate(corners):
        before = _heading(corners[i - 1], (x, y))
        after = _heading((x, y), corners[(i + 1) % count])
        corner_x = x - inset * (before[1] + after[1])
        corner_y = y + inset * (before[0] + after[0])
        enter = (corner_x - radius * before[0], corner_y - radius * before[1])
        leave = (corner_x + radius * after[0], corner_y + radius * after[1])
        parts.append(f"{'L' if parts else 'M'}{_pair(enter)}Q{_pair((corner_x, corner_y))} {_pair(leave)}")
    return "".join(parts) + "Z"


def _heading(start: tuple[int, int], end: tuple[int, int]) -> tuple[int, int]:
    """Unit step from ``start`` to ``end``, which lie on one row or column."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    return (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)


def _pair(point: _Point) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


def _number(value: float) -> str:
    """Shortest text of ``value`` to a hundredth of a cell, a quarter of a pixel on the largest screens."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
