"""Cells of which a look says nothing."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.desk import Desk
from vision.glance import CELL_PX, EDGE_PX, ChangeSettings, FloatArray, Glancer, compare
from vision.masked import Masks, unread_pieces
from vision.observation import EMPTY, Observation

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
    masks.begin(glance_with_glare((9, 9)), {})
    assert listed(masks.see(glance_with_glare((3, 4)), None, None).blown) == [[3, 4]]


def darkened(*cells: tuple[int, int]) -> list[list[int]]:
    """The unread cells of a board that looks empty, darker on some cells."""
    before = Glancer.of(BOARD.pose).glance(BOARD.picture())
    now = before.copy()
    for row, col in cells:
        top, left = EDGE_PX + row * CELL_PX, EDGE_PX + col * CELL_PX
        now[top : top + CELL_PX, left : left + CELL_PX] *= 0.6
    settings, empty = ChangeSettings(), Observation((EMPTY, "blue"), np.log(np.full((20, 20, 2), (0.99, 0.01), np.float32)))
    difference = compare(before, now, settings)
    masked = Masks(20).see(now, difference, None)
    return listed(unread_pieces(empty, difference, settings, masked, {}))


def test_something_of_a_pieces_shape_does_not_pass_for_the_empty_board() -> None:
    assert darkened((8, 6), (8, 7), (9, 7), (9, 8)) == [[8, 6], [8, 7], [9, 7], [9, 8]]


@pytest.mark.parametrize("cells", [[(8, 6)], [(r, c) for r in range(4, 8) for c in range(4, 8)], [(r, 5) for r in range(20)]])
def test_specks_and_shadows_are_no_pieces(cells: list[tuple[int, int]]) -> None:
    assert darkened(*cells) == []


HAND = BOARD.but(hand=(320, 260))
PIECE = [(3, 3), (3, 4), (3, 5)]


def glance(desk: Desk) -> FloatArray:
    return Glancer.of(desk.pose).glance(desk.picture())


def reaching_in(reference: Desk, now: Desk) -> tuple[bool, bool]:
    """Whether something seems to reach in from outside, by the reference alone and all told, after a look at the empty board."""
    masks, settings = Masks(20), ChangeSettings()
    bare = glance(BOARD)
    masks.without_ghosts(compare(bare, bare, settings), bare, settings)
    found = compare(glance(reference), glance(now), settings)
    return bool(found.entered.any()), bool(masks.without_ghosts(found, glance(now), settings).entered.any())


def test_a_hand_that_stayed_in_the_reference_hides_nothing_once_it_has_left() -> None:
    assert reaching_in(HAND, BOARD.put("red", PIECE)) == (True, False)


def test_a_hand_over_the_board_hides_what_is_under_it_whatever_the_reference_shows() -> None:
    assert reaching_in(BOARD, HAND) == (True, True)
    assert reaching_in(BOARD.but(hand=(200, 300)), HAND.put("red", PIECE)) == (True, True)


def test_a_shade_that_went_unnoticed_in_the_newest_look_hides_nothing_either() -> None:
    masks, settings = Masks(20), ChangeSettings()
    masks.begin(glance(BOARD), {})
    masks.without_ghosts(compare(glance(HAND), glance(HAND), settings), glance(HAND), settings)
    now = glance(BOARD.put("red", PIECE))
    assert not masks.without_ghosts(compare(glance(HAND), now, settings), now, settings).entered.any()


def test_before_any_look_at_a_bare_board_the_reference_is_believed() -> None:
    masks, settings = Masks(20), ChangeSettings()
    found = compare(glance(BOARD), glance(HAND), settings)
    assert masks.without_ghosts(found, glance(HAND), settings) is found
