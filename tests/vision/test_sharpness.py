"""The width of edges: as large as the blur, whatever the noise, the light and the size of the picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.desk import CELL_PX, Desk
from vision.sharpness import Focus, FocusSettings, edge_width_px

DESK = Desk().put("blue", [(0, 0), (0, 1), (5, 5)]).put("red", [(10, 10), (11, 10)])


@pytest.mark.parametrize("blur_px", [2.5, 4.0])
@pytest.mark.parametrize("gain", [1.0, 0.5])
def test_the_width_is_that_of_the_blur(blur_px: float, gain: float) -> None:
    desk = DESK.but(blur=blur_px, gain=gain)
    assert edge_width_px(desk.picture(), desk.pose) == pytest.approx(blur_px, rel=0.25)


def test_a_large_picture_is_measured_in_its_own_pixels() -> None:
    desk = DESK.but(blur=2.5)
    large = cv2.resize(desk.picture(), None, fx=3, fy=3, interpolation=cv2.INTER_LINEAR)
    assert edge_width_px(np.asarray(large, np.uint8), desk.pose.scaled(3)) == pytest.approx(7.5, rel=0.25)


@pytest.mark.parametrize(
    "image", [np.full((96, 128, 3), 128, np.uint8), np.random.default_rng(1).integers(90, 110, (96, 128, 3), np.uint8)]
)
def test_where_there_are_no_edges_nothing_is_blurred(image: np.ndarray) -> None:
    assert edge_width_px(image) < 1


def complaints(widths: list[float], settings: FocusSettings | None = None) -> list[bool]:
    """Whether there is a complaint about each picture, half a second apart; those without one are judged."""
    focus, found = Focus(settings), []
    for k, blur in enumerate(widths):
        desk = DESK.but(blur=blur)
        found.append(bool(focus.complaint(desk.picture(), desk.pose, k / 2)))
        if not found[-1]:
            focus.judged()
    return found


def test_a_picture_is_blurred_when_it_is_less_sharp_than_usual() -> None:
    assert complaints([0.7, 0.7, 0.2 * CELL_PX, 0.7]) == [False, False, True, False]


def test_a_little_less_sharp_than_usual_is_no_harm() -> None:
    assert complaints([0.7, 0.7, 0.08 * CELL_PX]) == [False] * 3


def test_what_is_always_blurred_is_complained_of_for_a_while_only() -> None:
    found = complaints([3.0] * 12, FocusSettings(patience_s=2.0))
    assert found == [True] * 5 + [False] * 7
