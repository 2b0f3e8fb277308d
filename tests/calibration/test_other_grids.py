"""Grids that are no board of the game, or not of the size asked for: refused, and named by their squares."""

import pytest

from calibration.locate import BoardNotFoundError, locate_board
from tests.calibration.grids import grid_picture


@pytest.mark.parametrize("squares", [20, 14])
def test_a_plain_grid_of_a_boards_size_is_found(squares: int) -> None:
    assert locate_board(grid_picture(squares, squares), None).size == squares


@pytest.mark.parametrize(("squares", "chequered"), [(12, False), (13, True), (15, False), (16, True), (19, False), (21, True)])
def test_a_board_of_another_game_is_refused_by_its_squares(squares: int, chequered: bool) -> None:
    with pytest.raises(BoardNotFoundError, match=f"a grid of {squares} x {squares} squares"):
        locate_board(grid_picture(squares, squares, chequered), None)


@pytest.mark.parametrize("asked", [20, 14])
def test_a_board_of_the_other_size_is_refused_with_both_sizes(asked: int) -> None:
    there = 34 - asked
    with pytest.raises(BoardNotFoundError, match=f"{there} x {there} squares, not {asked} x {asked}: choose the variant"):
        locate_board(grid_picture(there, there), asked)


@pytest.mark.parametrize(("rows", "cols"), [(20, 21), (21, 20)])
def test_a_grid_with_one_row_too_many_may_be_a_cell_off(rows: int, cols: int) -> None:
    with pytest.raises(BoardNotFoundError, match="a cell off"):
        locate_board(grid_picture(rows, cols))
