"""Outlines of pieces as SVG path data."""

import re

import pytest

from referee.cells import Cell
from referee.pieces import PIECES
from web.outlines import grooves, outline, squares_of


def corners(path: str) -> list[tuple[float, float]]:
    """The corner points of a path of relative commands with sharp corners."""
    x = y = 0.0
    points = []
    for command, numbers in re.findall(r"([Mqhvz])([-\d. ]*)", path):
        values = [float(number) for number in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", numbers)]
        if command == "M":
            x, y = values
        elif command == "q":
            assert values == [0, 0, 0, 0], "sharp"
            points.append((round(x, 2), round(y, 2)))
        elif command in "hv":
            x, y = (x + values[0], y) if command == "h" else (x, y + values[0])
    return points


def sharp(cells: list[Cell]) -> str:
    return outline(cells, inset=0, radius=0)


def test_a_single_square_has_four_corners_in_clockwise_order() -> None:
    assert corners(sharp([(2, 3)])) == [(3, 2), (4, 2), (4, 3), (3, 3)]


def test_straight_runs_have_no_points_between() -> None:
    assert corners(sharp([(0, 0), (0, 1), (0, 2)])) == [(0, 0), (3, 0), (3, 1), (0, 1)]


def test_an_inset_moves_outer_and_inner_corners_into_the_piece() -> None:
    ell = corners(outline([(0, 0), (1, 0), (1, 1)], inset=0.1, radius=0))
    assert (0.1, 0.1) in ell
    assert (0.9, 1.1) in ell, "the inner corner moves away from the free square"


def test_squares_that_touch_by_a_corner_are_two_loops() -> None:
    path = sharp([(0, 0), (1, 1)])
    assert path.count("z") == 2
    assert path.count("q") == 8


@pytest.mark.parametrize("first", [(0, 1), (1, 0)])
def test_the_other_diagonal_makes_two_loops_too(first: Cell) -> None:
    other = {(0, 1): (1, 0), (1, 0): (0, 1)}[first]
    assert sharp([first, other]).count("z") == 2


def test_a_hole_is_a_loop_of_its_own() -> None:
    ring = [(row, col) for row in range(3) for col in range(3) if (row, col) != (1, 1)]
    assert sharp(ring).count("z") == 2


def test_rounded_corners_come_back_to_where_they_began() -> None:
    for piece in PIECES.values():
        x = y = 0.0
        for command, numbers in re.findall(r"([qhv])([-\d. ]*)", outline(piece.orientations[0])):
            step = [float(number) for number in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", numbers)]
            x += step[2] if command == "q" else step[0] if command == "h" else 0
            y += step[3] if command == "q" else step[0] if command == "v" else 0
        assert abs(x) < 0.05, piece.name
        assert abs(y) < 0.05, piece.name


def test_every_piece_in_every_orientation_is_one_loop() -> None:
    for piece in PIECES.values():
        for form in piece.orientations:
            assert outline(form).count("z") == 1, piece.name


def test_grooves_lie_between_neighbouring_squares_only() -> None:
    assert grooves([(0, 0)]) == ""
    assert grooves([(0, 0), (0, 1)]) == "M1 0.2v.6"
    assert grooves([(0, 0), (1, 0)]) == "M0.2 1h.6"
    assert grooves([(0, 0), (1, 1)]) == ""


@pytest.mark.parametrize(
    ("cells", "path"),
    [
        ([(2, 3)], "M3 2h1v1h-1z"),
        ([(0, 0), (0, 1), (0, 2)], "M0 0h3v1h-3z"),
        ([(4, 7), (5, 7), (6, 7)], "M7 4h1v3h-1z"),
        ([(0, 0), (1, 0), (1, 1)], "M0 0h1v1h-1zM0 1h2v1h-2z"),
        ([(0, 0), (0, 2)], "M0 0h1v1h-1zM2 0h1v1h-1z"),
    ],
)
def test_squares_for_a_pattern_are_covered_in_few_rectangles(cells: list[Cell], path: str) -> None:
    assert squares_of(cells) == path


@pytest.mark.parametrize("name", PIECES)
def test_the_rectangles_cover_every_piece_exactly(name: str) -> None:
    for form in PIECES[name].orientations:
        rectangles = re.findall(r"M(\d+) (\d+)h(\d+)v(\d+)h-\d+z", squares_of(form))
        covered = [
            (row + down, col + right) for col, row, w, h in (map(int, one) for one in rectangles) for down in range(h) for right in range(w)
        ]
        assert sorted(covered) == sorted(form)
