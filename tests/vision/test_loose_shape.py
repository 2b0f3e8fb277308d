"""Squares on a lattice of any direction, from the patch that they make."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.cells import Cells
from referee.pieces import PIECES, identify
from vision.loose_shape import fit_lattice, without_wall

PX = 12
ANGLES = (0.0, 13.0, 30.0, 45.0, 77.0)


def drawn(cells: Cells, turn_deg: float, shift: tuple[float, float] = (0.0, 0.0)) -> NDArray[np.float32]:
    """A patch of these squares, turned about its middle and moved."""
    side = 9 * PX
    flat = np.zeros((side, side), np.float32)
    for row, col in cells:
        flat[(row + 2) * PX : (row + 3) * PX, (col + 2) * PX : (col + 3) * PX] = 1
    move = cv2.getRotationMatrix2D((side / 2 - 0.5, side / 2 - 0.5), turn_deg, 1.0)
    move[:, 2] += np.array(shift)
    return np.asarray(cv2.warpAffine(flat, move, (side, side)), np.float32)


@pytest.mark.parametrize("name", PIECES)
def test_every_piece_is_told_at_every_angle(name: str) -> None:
    for k, cells in enumerate(PIECES[name].orientations):
        fit = fit_lattice(drawn(cells, ANGLES[k % len(ANGLES)], (0.3 * k, -0.4 * k)), PX)
        assert fit is not None
        assert identify(fit.cells) == name
        assert fit.overlap > 0.85 > fit.rival


@pytest.mark.parametrize("turn_deg", ANGLES)
def test_the_squares_lie_where_the_patch_is(turn_deg: float) -> None:
    patch = drawn(PIECES["F"].orientations[0], turn_deg, (1.3, 0.7))
    fit = fit_lattice(patch, PX)
    assert fit is not None
    again = fit.drawn(patch.shape, np.zeros(2))
    assert np.abs(again - patch).sum() < 0.05 * patch.sum()
    assert cv2.contourArea(fit.outline.astype(np.float32)) == pytest.approx(5 * PX**2, rel=0.01)


def test_an_outline_turns_only_at_corners() -> None:
    cells = PIECES["U"].orientations[0]
    fit = fit_lattice(drawn(cells, 20.0), PX)
    assert fit is not None
    assert len(fit.outline) == 8


def test_a_wall_towards_the_camera_is_taken_off() -> None:
    top = drawn(PIECES["L4"].orientations[0], 25.0)
    wall = np.array([-1.5, 4.0])
    seen = np.max([np.roll(top, (round(wall[1] * k), round(wall[0] * k)), (0, 1)) for k in np.linspace(0, 1, 9)], axis=0)
    assert np.abs(without_wall(seen, wall) - top).sum() < 0.06 * top.sum() < np.abs(seen - top).sum()


def test_an_empty_patch_has_no_squares() -> None:
    assert fit_lattice(np.zeros((40, 40), np.float32), PX) is None


def test_places_not_seen_to_be_empty_are_told() -> None:
    patch = drawn(PIECES["I3"].orientations[0], 0.0)
    fit = fit_lattice(patch, PX)
    assert fit is not None
    empty = (patch < 0.5).astype(np.float32)
    assert fit.empty_around(empty) > 0.9
    _, cols = np.nonzero(patch > 0.5)
    empty[:, : cols.min()] = 0
    assert fit.empty_around(empty) < 0.2
