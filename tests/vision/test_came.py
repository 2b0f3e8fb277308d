"""Doubtful cells beside a piece that came."""

from __future__ import annotations

import numpy as np
import pytest

from referee.cells import Cell
from vision.came import settled_by_change
from vision.glance import CELL_PX, EDGE_PX, Difference
from vision.observation import EMPTY, UNKNOWN, Observation

SIZE = 20
LABELS = (EMPTY, "blue", "yellow", UNKNOWN)
SURE = {(5, 5): (0.001, 0.0, 0.998, 0.001), (5, 6): (0.001, 0.0, 0.998, 0.001)}
DOUBTFUL: Cell = (5, 7)
DOUBT = (0.003, 0.0, 0.499, 0.498)


def looked(doubt: tuple[float, ...] = DOUBT) -> Observation:
    """A yellow piece on two cells for sure, and perhaps on a third."""
    p = np.full((SIZE, SIZE, 4), (0.9997, 1e-4, 1e-4, 1e-4), np.float32)
    for cell, told in {**SURE, DOUBTFUL: doubt}.items():
        p[cell] = np.array(told) + 1e-6
    return Observation(LABELS, np.log(p))


def changed(cells: dict[Cell, float]) -> Difference:
    """The cells that differ from the look before, in percent of the level."""
    cell = np.ones((SIZE, SIZE), np.float32)
    for at, much in cells.items():
        cell[at] = much
    wide = SIZE * CELL_PX + 2 * EDGE_PX
    none, plain = np.zeros((SIZE, SIZE), np.bool_), np.zeros((wide, wide), np.float32)
    return Difference(cell, cell, none, none, plain, plain > 0, np.zeros((wide, wide, 3), np.float32), none)


def doubt_left(seen: Observation, difference: Difference, covered: Cell | None = None, board: dict[Cell, str] | None = None) -> float:
    mask = np.zeros((SIZE, SIZE), np.bool_)
    if covered:
        mask[covered] = True
    told = settled_by_change(seen, difference, mask, board or {})
    assert np.exp(told.log_p).sum(-1) == pytest.approx(1, abs=1e-4)
    return float(np.exp(told.log_p[DOUBTFUL][LABELS.index(UNKNOWN)]))


PIECE: dict[Cell, float] = {(5, 5): 12.0, (5, 6): 15.0, DOUBTFUL: 11.0}


def test_what_has_changed_like_the_piece_and_unlike_all_around_belongs_to_it() -> None:
    assert doubt_left(looked(), changed(PIECE)) < 0.11


@pytest.mark.parametrize(
    "around", [{(4, 6): 8.0}, {(6, 8): 6.0}, {(5, 7): 5.0}], ids=["beside the piece", "beside the cell", "the cell itself is calm"]
)
def test_where_a_piece_leans_over_cells_around_the_doubt_stays(around: dict[Cell, float]) -> None:
    assert doubt_left(looked(), changed(PIECE | around)) == pytest.approx(0.498, abs=1e-3)


@pytest.mark.parametrize(
    "doubt",
    [(0.2, 0.0, 0.3, 0.5), (0.0, 0.25, 0.25, 0.5), (1e-6, 0.0, 1e-3, 0.998999)],
    ids=["empty as likely", "two colours", "something else"],
)
def test_looks_that_do_not_tell_a_colour_stay_in_doubt(doubt: tuple[float, ...]) -> None:
    assert doubt_left(looked(doubt), changed(PIECE)) == pytest.approx(doubt[-1], abs=1e-3)


def test_what_is_covered_or_lay_there_before_stays_in_doubt() -> None:
    assert doubt_left(looked(), changed(PIECE), covered=DOUBTFUL) == pytest.approx(0.498, abs=1e-3)
    assert doubt_left(looked(), changed(PIECE), board={DOUBTFUL: "yellow"}) == pytest.approx(0.498, abs=1e-3)
