"""The drawn board: each square in its colour with its mark, each piece in one outline, the names where people look for them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.cells import COLOR_LETTER, Cell
from tests.referee.boards import at
from vision.board_picture import PictureStyle, draw_board
from vision.frames import BgrImage
from vision.pictures import png

STYLE = PictureStyle()
COLORS = sorted(COLOR_LETTER)


def part(image: BgrImage, cell: Cell, left: float, top: float, right: float, bottom: float) -> BgrImage:
    """Some of a cell, in shares of its sides."""
    row, col = cell
    x, y = (col + STYLE.margin) * STYLE.cell_px, (row + STYLE.margin) * STYLE.cell_px
    px = STYLE.cell_px
    return image[round(y + top * px) : round(y + bottom * px), round(x + left * px) : round(x + right * px)]


def mark(image: BgrImage, cell: Cell) -> np.ndarray:
    """The middle of a cell in grey, where its mark is."""
    grey: np.ndarray = cv2.cvtColor(part(image, cell, 0.2, 0.2, 0.8, 0.8), cv2.COLOR_BGR2GRAY).astype(int)
    return grey


def is_filled(image: BgrImage, cell: Cell, color: str) -> bool:
    """Whether a cell has its colour beside the mark."""
    return bool(np.abs(part(image, cell, 0.2, 0.2, 0.25, 0.25).astype(int) - STYLE.fills[color]).max() < 12)


@pytest.mark.parametrize("size", [14, 20])
def test_the_picture_has_room_for_the_board_and_its_names(size: int) -> None:
    image = draw_board(size, [])
    assert image.shape == ((size + 2) * STYLE.cell_px, (size + 2) * STYLE.cell_px, 3)
    assert image.dtype == np.uint8


@pytest.mark.parametrize("color", COLORS)
def test_a_piece_has_its_colour_on_each_of_its_squares_and_nowhere_else(color: str) -> None:
    cells = at("a1 a2 b2 c2 c3", 14)
    image = draw_board(14, [(color, cells)])
    filled = {(row, col) for row in range(14) for col in range(14) if is_filled(image, (row, col), color)}
    assert filled == cells


def test_the_colours_are_told_apart_without_colour() -> None:
    """Where the mark differs from its ground, in grey: no two colours have the same figure."""
    figures = {}
    for color in COLORS:
        grey = mark(draw_board(14, [(color, frozenset({(3, 3)}))]), (3, 3))
        figures[color] = np.abs(grey - grey[0, 0]) > 40
        assert 0.03 < figures[color].mean() < 0.6, color
    for color in COLORS:
        for other in COLORS[: COLORS.index(color)]:
            assert (figures[color] != figures[other]).mean() > 0.03, (color, other)


def test_a_piece_is_outlined_as_one_and_kept_apart_from_its_neighbour() -> None:
    image = draw_board(14, [("blue", at("b14 c14", 14)), ("blue", at("d14 e14", 14))])
    between, within = part(image, (0, 3), -0.15, 0.4, 0.15, 0.6), part(image, (0, 2), -0.15, 0.4, 0.15, 0.6)
    fill = np.array(STYLE.fills["blue"])
    assert np.abs(within.astype(int) - fill).max() < 12, "no line inside a piece"
    assert np.abs(between.astype(int) - fill).max() > 60, "an edge between two pieces"


def test_the_names_run_from_a1_at_the_bottom_left() -> None:
    """The name of a row or column is there, and the same on both sides; a1 is named at the bottom left."""
    image = draw_board(20, [])
    for i in range(20):
        for one, other in (((-1, i), (20, i)), ((i, -1), (i, 20))):
            here, there = (part(image, cell, 0.1, 0.1, 0.9, 0.9) for cell in (one, other))
            assert here.min() < 128
            assert np.array_equal(here, there)
    first, tenth = part(image, (19, -1), 0.1, 0.1, 0.9, 0.9), part(image, (10, -1), 0.1, 0.1, 0.9, 0.9)
    assert (first < 128).sum() < (tenth < 128).sum(), "row 1 is below row 10"


def test_disputed_squares_are_hatched_and_those_off_the_board_left_out() -> None:
    pieces = [("red", at("c3 d3", 14))]
    plain, hatched = draw_board(14, pieces), draw_board(14, pieces, disputed=at("d3", 14) | {(-1, 0), (3, 20)})
    changed = np.argwhere((plain != hatched).any(axis=2))
    rows, cols = (changed / STYLE.cell_px - STYLE.margin).T
    assert (rows.min() > 10.9, rows.max() < 12.1, cols.min() > 2.9, cols.max() < 4.1) == (True,) * 4


def test_the_bytes_are_a_png_of_the_picture() -> None:
    image = draw_board(14, [("green", at("a1", 14))])
    data = png(image)
    assert data.startswith(b"\x89PNG")
    assert np.array_equal(np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)), image)
