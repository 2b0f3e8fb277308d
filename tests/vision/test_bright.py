"""Changes near white."""

from __future__ import annotations

import numpy as np
import pytest

from referee.cells import Cell
from vision.bright import bright_cells, change_log_odds, changed_cells
from vision.glance import CELL_PX, EDGE_PX, ChangeSettings, Difference

SIZE = 20
CHANGE = ChangeSettings()
WHITE, GREY = (3, 4), (9, 9)


def differing(much: dict[Cell, float], edges: dict[Cell, float] | None = None, noise: float = 0.3) -> Difference:
    """A difference of some cells, all over or at their edges alone; the cells of row 3 were near white, the others grey."""
    wide = SIZE * CELL_PX + 2 * EDGE_PX
    lit, off, cell = (
        np.full((wide, wide, 3), 150, np.float32),
        np.full((wide, wide), noise, np.float32),
        np.full((SIZE, SIZE), noise, np.float32),
    )
    lit[EDGE_PX + 3 * CELL_PX : EDGE_PX + 4 * CELL_PX] = (235, 250, 252)
    for (row, col), value in (edges or {}).items():
        top, left = EDGE_PX + row * CELL_PX, EDGE_PX + col * CELL_PX
        off[top : top + CELL_PX, left : left + CELL_PX] = value
        off[top + 2 : top + 6, left + 2 : left + 6] = noise
    for at, value in much.items():
        cell[at] = value
    none = np.zeros((SIZE, SIZE), np.bool_)
    return Difference(cell, cell, none, none, off, off > CHANGE.pixel, lit, none)


def test_cells_near_white_are_told_by_their_brightest_channel() -> None:
    assert np.argwhere(bright_cells(differing({}))).tolist() == [[3, col] for col in range(SIZE)]


def test_a_small_difference_near_white_may_be_a_change_and_elsewhere_is_none() -> None:
    found = differing({WHITE: 2.6, GREY: 2.6})
    odds = change_log_odds(found, CHANGE)
    assert (odds[WHITE], odds[GREY]) == (0, -CHANGE.calm_nats)
    assert np.argwhere(changed_cells(found, CHANGE)).tolist() == [list(WHITE)]


def test_a_change_of_the_edges_alone_leaves_it_open_near_white() -> None:
    found = differing({}, edges={WHITE: 3.2, GREY: 3.2})
    odds = change_log_odds(found, CHANGE)
    assert (odds[WHITE], odds[GREY]) == (pytest.approx(0), -CHANGE.calm_nats)
    assert np.argwhere(changed_cells(found, CHANGE)).tolist() == [list(WHITE)]


def test_a_large_difference_counts_the_same_everywhere() -> None:
    odds = change_log_odds(differing({WHITE: 12.0, GREY: 12.0}), CHANGE)
    assert odds[WHITE] == odds[GREY] > 0


def test_in_a_noisy_picture_a_small_difference_near_white_is_none() -> None:
    found = differing({WHITE: 2.6}, noise=1.5)
    assert change_log_odds(found, CHANGE)[WHITE] < -5
    assert not changed_cells(found, CHANGE).any()


def test_a_calm_cell_near_white_is_as_sure_as_any() -> None:
    assert change_log_odds(differing({}), CHANGE)[WHITE] == -CHANGE.calm_nats
