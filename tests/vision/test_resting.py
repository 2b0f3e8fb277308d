"""Things that rest on the board, and hands that do not."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.glance import CELL_PX, EDGE_PX
from vision.resting import Resting, RestingSettings

SIZE = 20
STILL = np.ones((SIZE * CELL_PX + 2 * EDGE_PX,) * 2, np.bool_)


def cup() -> NDArray[np.bool_]:
    """A cup on four cells."""
    cells = np.zeros((SIZE, SIZE), np.bool_)
    cells[4:6, 7:9] = True
    return cells


def test_what_looks_the_same_for_some_looks_rests() -> None:
    resting, looks = Resting(RestingSettings(looks=3)), [None, STILL, STILL, STILL]
    assert [int(resting.see(cup(), look).sum()) for look in looks] == [0, 0, 4, 4]


def test_a_cell_that_still_changes_does_not_rest() -> None:
    resting, moving = Resting(RestingSettings(looks=3)), STILL.copy()
    moving[EDGE_PX + 4 * CELL_PX : EDGE_PX + 5 * CELL_PX] = False
    found = [resting.see(cup(), look) for look in (None, STILL, moving, STILL)][-1]
    assert np.argwhere(found).tolist() == [[5, 7], [5, 8]]


@pytest.mark.parametrize("gone", [np.zeros((SIZE, SIZE), np.bool_), ~cup()])
def test_what_was_taken_away_begins_anew(gone: NDArray[np.bool_]) -> None:
    resting = Resting(RestingSettings(looks=2))
    for cells in (cup(), cup(), gone):
        resting.see(cells, STILL)
    assert not (resting.see(cup(), STILL) & cup()).any()


def test_what_reaches_in_from_outside_must_rest_for_longer() -> None:
    resting, looks = Resting(RestingSettings(looks=2, looks_entered=4)), [None, STILL, STILL, STILL]
    assert [int(resting.see(cup(), look, cup()).sum()) for look in looks] == [0, 0, 0, 4]
