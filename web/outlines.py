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
            parts.append(f"M{col + 1} {row}.2v.6")
        if (row + 1, col) in inside:
            parts.append(f"M{col}.2 {row + 1}h.6")
    return "".join(parts)


def squares_of(cells: Collection[Cell]) -> str:
    """Return short SVG path data that covers exactly ``cells``, in rectangles: for patterns, which have no edges."""
    rows = [f"M{col} {row}h{length}v1h-{length}z" for (row, col), length in _runs(frozenset(cells))]
    cols = [f"M{col} {row}h1v{length}h-1z" for (col, row), length in _runs(frozenset((col, row) for row, col in cells))]
    return "".join(cols if len(cols) < len(rows) else rows)


def _runs(cells: frozenset[Cell]) -> list[tuple[Cell, int]]:
    """The first cell and the length of each run of cells that lie beside each other in a row."""
    starts = sorted((row, col) for row, col in cells if (row, col - 1) not in cells)
    return [((row, col), next(n for n in range(1, len(cells) + 1) if (row, col + n) not in cells)) for row, col in starts]


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
    """Draw one loop, moved ``inset`` inwards, with its corners rounded by ``radius``: relative commands, for they are short."""
    points = [_inner(corners, i, inset) for i in range(len(corners))]
    parts = []
    for i, (x, y) in enumerate(points):
        before, after = _heading(corners[i - 1], corners[i]), _heading(corners[i], corners[(i + 1) % len(corners)])
        next_x, next_y = points[(i + 1) % len(points)]
        run = abs(next_x - x) + abs(next_y - y) - 2 * radius
        parts.append(
            f"q{_numbers(*(radius * step for step in (*before, before[0] + after[0], before[1] + after[1])))}"
            + (f"h{_number(run * after[0])}" if after[0] else f"v{_number(run * after[1])}")
        )
    x, y = points[0]
    first = _heading(corners[-1], corners[0])
    return f"M{_numbers(x - radius * first[0], y - radius * first[1])}{''.join(parts)}z"


def _inner(corners: list[tuple[int, int]], i: int, inset: float) -> _Point:
    """Corner number ``i`` moved ``inset`` to the inside, which lies on the right hand."""
    before, after = _heading(corners[i - 1], corners[i]), _heading(corners[i], corners[(i + 1) % len(corners)])
    x, y = corners[i]
    return x - inset * (before[1] + after[1]), y + inset * (before[0] + after[0])


def _heading(start: tuple[int, int], end: tuple[int, int]) -> tuple[int, int]:
    """Unit step from ``start`` to ``end``, which lie on one row or column."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    return (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)


def _numbers(*values: float) -> str:
    """Numbers one after the other, with a space only where SVG needs one: thousands of them stand on a page."""
    text = before = ""
    for value in values:
        number = _number(value)
        is_plain = not text or number.startswith("-") or (number.startswith(".") and "." in before)
        text += number if is_plain else f" {number}"
        before = number
    return text


def _number(value: float) -> str:
    """Shortest text of ``value`` to a hundredth of a cell, a quarter of a pixel on the largest screens."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text
