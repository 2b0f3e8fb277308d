"""The light over the board: fitted to what empty cells show, and told at cells and anywhere between."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.light import MOST_SLOPE, WARM_RATIOS, Light, cell_axis, empty_level, fit_light

SIZE = 20


def slanting() -> Light:
    """A light that changes along both sides of the board, and with its brightness."""
    weights = np.array([[0.2, -0.1], [0.05, 0.02], [-0.03, 0.04]], np.float32)
    return Light(1, weights, np.float32(0.1) * WARM_RATIOS, (-1.5, -0.2))


def shown(light: Light, level: NDArray[np.float32]) -> NDArray[np.float32]:
    return light.under(light.at_cells(SIZE), level)


def levels(seed: int) -> NDArray[np.float32]:
    return np.random.default_rng(seed).uniform(-1.5, -0.2, (SIZE, SIZE)).astype(np.float32)


@pytest.mark.parametrize("degree", [0, 1, 3])
def test_a_light_is_the_same_at_cells_as_at_their_places(degree: int) -> None:
    count = (degree + 1) * (degree + 2) // 2
    light = Light(degree, np.random.default_rng(degree).normal(size=(count, 2)).astype(np.float32), np.zeros(2, np.float32), (-1.0, 0.0))
    axis = cell_axis(SIZE)
    at_cells = light.at_cells(SIZE)
    assert np.allclose(at_cells, light.at(axis, axis), atol=1e-6)
    assert at_cells[:, 3, 5] == pytest.approx(light.at(axis[3:4], axis[5:6])[:, 0, 0], abs=1e-5)


def test_the_light_of_an_empty_board_is_found_again() -> None:
    level = levels(1)
    ratios = shown(slanting(), level)
    found = fit_light(ratios, level, np.ones((SIZE, SIZE), np.float32), 1)
    assert np.abs(shown(found, level) - ratios).max() < 0.02


def test_cells_that_are_not_empty_do_not_tell_the_light() -> None:
    level, empty = levels(2), np.ones((SIZE, SIZE), np.float32)
    ratios = shown(slanting(), level)
    pieces = ratios.copy()
    pieces[:, 4:12, 3:9] += 2.0
    empty[4:12, 3:9] = 0
    found = fit_light(pieces, level, empty, 1)
    assert np.abs(shown(found, level) - ratios).max() < 0.02


def test_a_colour_that_changes_too_much_with_brightness_is_no_light() -> None:
    level = levels(3)
    ratios = np.stack([3.0 * WARM_RATIOS[k] * level for k in range(2)]).astype(np.float32)
    found = fit_light(ratios, level, np.ones((SIZE, SIZE), np.float32), 1)
    assert np.allclose(found.slope, MOST_SLOPE * WARM_RATIOS, atol=1e-6)


def test_the_empty_board_s_brightness_comes_from_the_empty_cells_around() -> None:
    level, empty = np.full((SIZE, SIZE), -0.5, np.float32), np.ones((SIZE, SIZE), np.float32)
    level[8:11, 8:11], empty[8:11, 8:11] = -2.5, 0
    mean, spread = empty_level(level, empty)
    assert np.abs(mean + 0.5).max() < 0.02
    assert spread[9, 9] > spread[2, 2]
