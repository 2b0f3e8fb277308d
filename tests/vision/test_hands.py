"""Skin by its hue, hands by where they come from and how large they are; drawn boards with patches of skin."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.boards import drawn, random_rows
from vision.hands import SKIN_HUE_DEG, hand_mask, skin_density
from vision.light import chroma
from vision.sampling import BoardSamples, sample_board

SKIN = {"pale": (150, 175, 222), "brown": (52, 84, 141), "dark": (34, 50, 84)}
"""Skin under even light, BGR."""


def at_hue(degrees: float, purity: float) -> NDArray[np.float32]:
    return np.array([purity * np.cos(np.radians(degrees)), purity * np.sin(np.radians(degrees))], np.float32)


@pytest.mark.parametrize("purity", [0.2, 0.34, 0.5])
def test_skin_is_denser_at_its_hue_than_beside_it(purity: float) -> None:
    middle = float(skin_density(at_hue(SKIN_HUE_DEG, purity)))
    for degrees in (SKIN_HUE_DEG - 18, SKIN_HUE_DEG + 18):
        assert middle > 5 * float(skin_density(at_hue(degrees, purity)))


def test_the_board_itself_and_the_opposite_hue_are_no_skin() -> None:
    assert float(skin_density(at_hue(SKIN_HUE_DEG, 0.02))) == 0
    assert float(skin_density(at_hue(SKIN_HUE_DEG + 180, 0.3))) == 0


def masked(box: tuple[int, int, int, int], paint: tuple[int, int, int], others: float = 0.05) -> tuple[BoardSamples, NDArray[np.bool_]]:
    """The samples of an empty board with a patch from cell (left, top) to (right, bottom), and which of them show a hand."""
    image, pose = drawn(["." * 20] * 20)
    left, top, right, bottom = (72 + 24 * cell for cell in box)
    cv2.rectangle(image, (left, top), (right, bottom), paint, -1)
    samples = sample_board(image, pose, 6)
    z = chroma(samples.linear_bgr, np.zeros((2, *samples.level.shape), np.float32))
    return samples, hand_mask(samples, z, np.full((3, *samples.level.shape), others, np.float32))


@pytest.mark.parametrize("paint", list(SKIN.values()), ids=list(SKIN))
def test_an_arm_from_outside_is_found_on_every_shade_of_skin(paint: tuple[int, int, int]) -> None:
    samples, mask = masked((8, -3, 10, 6), paint)
    by_cell = samples.by_cell(mask[None].astype(np.float32))[0].mean(-1)
    assert by_cell[:6, 8:10].min() > 0.9
    assert by_cell[8:].max() == 0
    assert by_cell[:, 12:].max() == 0


@pytest.mark.parametrize(
    ("box", "hand"),
    [((8, -3, 9, 3), True), ((8, 4, 12, 8), True), ((8, 4, 9, 6), False), ((8, 0, 9, 2), False)],
    ids=["a finger from outside", "large, from nowhere", "two cells in the middle", "two cells at the edge"],
)
def test_a_hand_comes_from_outside_or_is_large(box: tuple[int, int, int, int], *, hand: bool) -> None:
    assert masked(box, SKIN["brown"])[1].any() == hand


def test_what_a_piece_explains_as_well_is_no_hand() -> None:
    assert not masked((8, -3, 10, 6), SKIN["brown"], others=100.0)[1].any()


def test_red_orange_and_yellow_pieces_are_no_hands() -> None:
    image, pose = drawn(random_rows(20, "RYO", seed=61))
    samples = sample_board(image, pose, 6)
    z = chroma(samples.linear_bgr, np.zeros((2, *samples.level.shape), np.float32))
    spread = np.hypot(z[0] + 0.45, z[1] - 0.3)
    assert hand_mask(samples, z, np.full((1, *spread.shape), 3.0, np.float32)).mean() < 0.02
