"""The faint tint of whole cells: what it says for a colour, and when it says nothing; cells' values."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.light import flat_light
from vision.palette import CellMedians, Palette
from vision.tint import TintSettings, tint_odds

FloatArray = NDArray[np.float32]

PALETTE = Palette(("blue", "red"), np.array([[0.5, 0.0], [-0.25, 0.43]], np.float32), flat_light(np.zeros(2, np.float32)))
BLUISH = (0.15, 0.0)
REDDISH = (0.0, 0.15)
GREENISH = (-0.12, -0.12)


def medians(tint: tuple[float, float] = (0.0, 0.0), noise: float = 0.01) -> CellMedians:
    """A board of empty cells with noise, whose cell (3, 4) has the log ratios ``tint`` against it."""
    ratios = np.random.default_rng(3).normal(0, noise, (2, 10, 10)).astype(np.float32)
    ratios[:, 3, 4] = tint
    return CellMedians(ratios, np.full((10, 10), -0.5, np.float32), np.ones((10, 10), np.bool_))


def odds(of: CellMedians, settings: TintSettings | None = None) -> FloatArray:
    return tint_odds(PALETTE, of, np.full((10, 10), 0.99, np.float32), settings)


@pytest.mark.parametrize(("tint", "color"), [(BLUISH, 0), (REDDISH, 1)], ids=["blue", "red"])
def test_a_tint_speaks_for_its_colour_alone(tint: tuple[float, float], color: int) -> None:
    told = odds(medians(tint))[:, 3, 4]
    assert told[color] > 1
    assert told[1 - color] < 0


def test_no_tint_speaks_against_glare() -> None:
    told = odds(medians())
    assert float(np.median(told)) < -2


def test_a_tint_of_no_colour_of_the_set_speaks_for_none() -> None:
    assert (odds(medians(GREENISH))[:, 3, 4] < 0).all()


def test_where_empty_cells_differ_much_a_tint_says_less() -> None:
    assert odds(medians(BLUISH, noise=0.04))[0, 3, 4] < odds(medians(BLUISH))[0, 3, 4]


def test_what_it_says_is_bounded() -> None:
    told = odds(medians((0.5, 0.0), noise=0.001), TintSettings(least=-2.0, most=1.5))
    assert (told.min(), told.max()) == (-2.0, 1.5)


def test_nothing_is_said_without_sure_empty_cells_or_without_samples() -> None:
    seen = medians(BLUISH)
    assert not tint_odds(PALETTE, seen, np.full((10, 10), 0.5, np.float32)).any()
    few = CellMedians(seen.ratios, seen.level, np.arange(100).reshape(10, 10) != 34)
    assert not odds(few)[:, 3, 4].any()
