"""The board's lines in a glance: hidden by what lies over them, but neither by pieces nor by light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.desk import BgrImage, Desk
from vision.glance import CELL_PX, EDGE_PX, ChangeSettings, FloatArray, Glancer, compare
from vision.lines import vanished

BOARD = Desk().put("blue", [(2, 2), (2, 3), (3, 3)]).put("red", [(8, 8), (8, 9), (9, 9), (9, 10), (9, 11)])
BLOCK = [(row, col) for row in range(6, 11) for col in range(5, 11)]


def glance(image: BgrImage) -> FloatArray:
    return Glancer.of(BOARD.pose).glance(image)


def with_sheet(desk: Desk, paint: tuple[int, int, int] = (226, 228, 230), cells: tuple[int, int, int, int] = (5, 6, 11, 12)) -> BgrImage:
    """The desk with a sheet of paper on it, from one (col, row) to another, lit like the board."""
    image = desk.picture(1).copy()
    points = desk.pose.project(np.array([cells[:2], cells[2:]], np.float64)).round().astype(int)
    cv2.rectangle(image, points[0].tolist(), points[1].tolist(), paint, -1)
    noise = np.random.default_rng(4).normal(0, 2, image.shape)
    return np.asarray(np.clip(image + noise, 0, 255), np.uint8)


@pytest.mark.parametrize("paint", [(226, 228, 230), (176, 178, 180), (170, 70, 30)], ids=["white", "as grey as the board", "blue"])
def test_a_sheet_hides_the_lines_under_it_whatever_its_colour(paint: tuple[int, int, int]) -> None:
    hidden = vanished(glance(BOARD.picture(0)), glance(with_sheet(BOARD, paint)), CELL_PX, EDGE_PX)
    assert hidden[6:12, 5:11].all()
    assert not hidden[:4].any()
    assert not hidden[:, :3].any()


@pytest.mark.parametrize(
    "after",
    [
        BOARD,
        BOARD.take([(8, 8), (8, 9), (9, 9), (9, 10), (9, 11)]),
        BOARD.put("green", BLOCK),
        BOARD.but(gain=0.5),
        BOARD.but(lamp=0.7),
        BOARD.but(shadow=(200, 320)),
        BOARD.but(blur=3.5),
    ],
    ids=["nothing", "a piece went", "many came", "dusk", "lamp", "shadow", "blur"],
)
def test_pieces_light_and_blur_hide_no_lines(after: Desk) -> None:
    assert not vanished(glance(BOARD.picture(0)), glance(after.picture(1)), CELL_PX, EDGE_PX).any()


def test_covered_cells_are_known_by_the_lines_that_something_hides() -> None:
    come = compare(glance(BOARD.picture(0)), glance(with_sheet(BOARD, (170, 70, 30))), ChangeSettings())
    assert come.covered[6:12, 5:11].all()
    assert come.unlined[6:12, 5:11].all()
    many = compare(glance(BOARD.picture(0)), glance(BOARD.put("green", BLOCK).picture(1)), ChangeSettings())
    assert many.covered.any()
    assert not many.unlined.any()
