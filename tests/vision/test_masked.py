"""Cells of which a look says nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tests.vision.desk import Desk
from vision.glance import CELL_PX, EDGE_PX, FloatArray, Glancer
from vision.masked import Masks

BOARD = Desk()


def glance_with_glare(*cells: tuple[int, int]) -> FloatArray:
    """A look at the empty board, blown to white over some cells."""
    out = Glancer.of(BOARD.pose).glance(BOARD.picture())
    for row, col in cells:
        top, left = EDGE_PX + row * CELL_PX, EDGE_PX + col * CELL_PX
        out[top : top + CELL_PX, left : left + CELL_PX] = 255
    return out


def listed(cells: NDArray[np.bool_]) -> list[list[int]]:
    return [[int(row), int(col)] for row, col in np.argwhere(cells)]


def test_glare_hides_the_cells_under_it_and_no_others() -> None:
    masked = Masks(20).see(glance_with_glare((3, 4), (3, 5)), None, None)
    assert listed(masked.blown) == [[3, 4], [3, 5]]
    assert masked.unasked == {(3, 4), (3, 5)}


def test_where_the_empty_board_is_white_a_white_cell_is_empty() -> None:
    masks = Masks(20)
    masks.learn(glance_with_glare((3, 4), (9, 9)), {(9, 9): "blue"})
    assert listed(masks.see(glance_with_glare((3, 4), (4, 5), (9, 9)), None, None).blown) == [[9, 9]]


def test_another_game_begins_with_nothing_known() -> None:
    masks = Masks(20)
    masks.learn(glance_with_glare((3, 4)), {})
    masks.forget()
    assert listed(masks.see(glance_with_glare((3, 4)), None, None).blown) == [[3, 4]]
