"""Squares on a lattice of any direction, from the patch that they make."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.cells import Cells
from referee.pieces import PIECES, identify
from vision.loose_fit import Fit, Sheet, edges, fit_squares
from vision.loose_view import CELL_PX as PX

ANGLES = (0.0, 13.0, 30.0, 45.0, 77.0)
NO_WALL = np.zeros(2)


def drawn(cells: Cells, turn_deg: float, shift: tuple[float, float] = (0.0, 0.0)) -> NDArray[np.float32]:
    """A patch of these squares, turned about its middle and moved."""
    side = 9 * PX
    flat = np.zeros((side, side), np.float32)
    for row, col in cells:
        flat[(row + 2) * PX : (row + 3) * PX, (col + 2) * PX : (col + 3) * PX] = 1
    move = cv2.getRotationMatrix2D((side / 2 - 0.5, side / 2 - 0.5), turn_deg, 1.0)
    move[:, 2] += np.array(shift)
    return np.asarray(cv2.warpAffine(flat, move, (side, side)), np.float32)


def swept(top: NDArray[np.float32], wall: NDArray[np.float64]) -> NDArray[np.float32]:
    """A patch with the wall (2,) px below it."""
    moved = [np.roll(top, (round(wall[1] * k), round(wall[0] * k)), (0, 1)) for k in np.linspace(0, 1, 9)]
    return np.asarray(np.max(moved, axis=0), np.float32)


def fitted(patch: NDArray[np.float32], wall: NDArray[np.float64] = NO_WALL) -> Fit:
    fit = fit_squares(patch, wall)
    assert fit is not None
    return fit


@pytest.mark.parametrize("name", PIECES)
def test_every_piece_is_told_at_every_angle(name: str) -> None:
    for k, cells in enumerate(PIECES[name].orientations):
        fit = fitted(drawn(cells, ANGLES[k % len(ANGLES)], (0.3 * k, -0.4 * k)))
        assert identify(fit.cells) == name
        assert fit.overlap > 0.85
        assert fit.rival < -0.05


@pytest.mark.parametrize("turn_deg", ANGLES)
def test_the_squares_lie_where_the_patch_is(turn_deg: float) -> None:
    patch = drawn(PIECES["F"].orientations[0], turn_deg, (1.3, 0.7))
    fit = fitted(patch)
    assert np.abs(fit.drawn(patch.shape) - patch).sum() < 0.06 * patch.sum()
    assert cv2.contourArea(fit.outline.astype(np.float32)) == pytest.approx(5 * PX**2, rel=0.01)


def test_an_outline_turns_only_at_corners() -> None:
    assert len(fitted(drawn(PIECES["U"].orientations[0], 20.0)).outline) == 8


@pytest.mark.parametrize("name", ["L4", "W", "P", "1"])
@pytest.mark.parametrize("part", [0.0, 0.5, 1.0])
def test_a_wall_that_is_seen_to_any_part_of_its_height_is_no_square(name: str, part: float) -> None:
    wall = np.array([-2.0, 5.0])
    fit = fitted(swept(drawn(PIECES[name].orientations[0], 25.0), wall * part), wall)
    assert identify(fit.cells) == name
    assert fit.overlap > 0.85


def test_a_wall_towards_the_camera_is_taken_off() -> None:
    top, wall = drawn(PIECES["L4"].orientations[0], 25.0), np.array([-1.5, 4.0])
    patch = swept(top, wall)
    sheet, bare = (Sheet.of(one, np.radians(-25.0)) for one in (patch, top))
    assert sheet is not None
    assert bare is not None
    off, more = abs(sheet.tops(sheet.unit @ wall).sum() - top.sum()), patch.sum() - top.sum()
    assert off < 0.06 * top.sum() < more


def test_edges_have_the_direction_of_the_squares() -> None:
    for turn_deg in ANGLES:
        angle, straight = edges(drawn(PIECES["T5"].orientations[0], turn_deg))
        assert (np.degrees(angle) + turn_deg + 45) % 90 - 45 == pytest.approx(0, abs=1.5)
        assert straight > 0.5


def test_the_edges_of_a_disc_have_no_direction() -> None:
    disc = np.zeros((60, 60), np.float32)
    cv2.circle(disc, (30, 30), 18, 1.0, cv2.FILLED)
    assert edges(disc)[1] < 0.2


def test_an_empty_patch_has_no_squares() -> None:
    assert fit_squares(np.zeros((40, 40), np.float32), NO_WALL) is None


def test_places_of_the_lattice_are_looked_up_in_pictures_of_the_patch() -> None:
    patch = drawn(PIECES["I3"].orientations[0], 13.0)
    fit = fitted(patch)
    inside = np.array([(row + 0.5, col + 0.5) for row, col in sorted(fit.cells)])
    beside = np.array([(row + 0.5, col + 0.5) for (row, col), _ in fit.around])
    assert fit.seen(patch, inside) == pytest.approx(1)
    assert fit.seen(patch, beside) == pytest.approx(0)
    assert not fit.seen(np.ones_like(patch), beside + 40).any()
