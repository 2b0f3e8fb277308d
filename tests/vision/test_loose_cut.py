"""Spots are cut out of the table side by side, each as if it were alone."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.views import Views
from tests.vision.tabletop import GRID, Tabletop, view
from vision.loose_colors import PieceColors, color_shares, piece_colors
from vision.loose_cut import cut_again, cut_out
from vision.loose_patch import Patch, Spot, spots
from vision.loose_view import CELL_PX, TableView, view_table

COLORS = ("blue", "yellow", "red", "green")


def table() -> tuple[TableView, PieceColors, list[Spot]]:
    """A table with pieces of all sizes, two of them close together and one at the end of what is seen of the table."""
    top = Tabletop(view(30, (1280, 960)))
    laid = {"F": (-4.0, 4.0), "1": (24.0, 5.0), "U": (3.0, 24.0), "I5": (10.0, 24.5), "P": (13.6, 24.5), "2": (-11.0, 10.0)}
    for turn, (name, at) in enumerate(laid.items()):
        top.lay(COLORS[turn % 4], name, at, 25.0 * turn)
    picture = top.photograph()
    seen = view_table(Views(picture), top.pose)
    assert seen is not None
    known = piece_colors(picture, top.pose, GRID, COLORS)
    return seen, known, [spot for own in spots(seen, color_shares(seen, known)) for spot in own]


def whole(patches: list[Patch | None]) -> list[Patch]:
    """The patches, none of which is missing."""
    found = [patch for patch in patches if patch is not None]
    assert len(found) == len(patches)
    return found


@pytest.mark.parametrize("again", [False, True])
def test_spots_cut_out_together_are_as_each_alone(again: bool) -> None:
    seen, known, found = table()
    assert len(found) >= 6
    together = whole(cut_out(seen, known, found))
    alone = [whole(cut_out(seen, known, [spot]))[0] for spot in found]
    if again:
        together = whole(cut_again(seen, known, together))
        alone = [whole(cut_again(seen, known, [patch]))[0] for patch in alone]
    for one, other in zip(together, alone, strict=True):
        assert np.array_equal(one.cover, other.cover)
        assert np.array_equal(one.sight, other.sight)
        assert np.array_equal(one.bgr, other.bgr)


def test_a_patch_is_what_a_piece_covers_and_is_empty_along_its_border() -> None:
    seen, known, found = table()
    for patch in whole(cut_out(seen, known, found)):
        assert patch.cover.shape == patch.sight.shape == patch.bgr.shape[:2]
        assert not patch.cover[[0, -1]].any()
        assert not patch.cover[:, [0, -1]].any()
        assert patch.area == pytest.approx(float(patch.spot.own.sum()) * 4 / CELL_PX**2, rel=0.3)


def test_nothing_is_cut_out_of_no_spots() -> None:
    seen, known, _ = table()
    assert cut_out(seen, known, []) == []
    assert cut_again(seen, known, []) == []
