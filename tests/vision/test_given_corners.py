"""Corners given by hand: what passes, and in which words the rest is refused."""

from __future__ import annotations

import math

import pytest

from vision.given_corners import Corners, CornersError, check_corners, corners_in_order

GOOD: Corners = ((100.0, 80.0), (500.0, 90.0), (520.0, 470.0), (80.0, 460.0))


def test_corners_clockwise_pass_from_any_side() -> None:
    for turn in range(4):
        rolled = GOOD[turn:] + GOOD[:turn]
        assert corners_in_order([list(point) for point in rolled]) == rolled


@pytest.mark.parametrize(
    ("points", "words"),
    [
        (GOOD[:3], "four points"),
        ((*GOOD, GOOD[0]), "four points"),
        ((GOOD[0], GOOD[1], GOOD[2], (80.0,)), "four points"),
        ((*GOOD[:3], (math.nan, 460.0)), "four points"),
        (GOOD[::-1], "mirror"),
        ((GOOD[0], GOOD[2], GOOD[1], GOOD[3]), "without crossing"),
        ((GOOD[0],) * 4, "without crossing"),
    ],
)
def test_what_is_no_board_is_refused_in_one_line(points: Corners, words: str) -> None:
    with pytest.raises(CornersError, match=words) as refusal:
        corners_in_order(points)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("corners", "beyond", "words"),
    [
        (((-1.0, 80.0), *GOOD[1:]), 0.0, "outside this picture"),
        (((-700.0, 80.0), *GOOD[1:]), 1.0, "far outside this picture"),
        ((GOOD[0], (math.inf, 90.0), *GOOD[2:]), 1.0, "far outside this picture"),
        (((0.0, 0.0), (20.0, 0.0), (20.0, 20.0), (0.0, 20.0)), 0.0, "too near together"),
    ],
)
def test_corners_must_be_meant_for_the_picture(corners: Corners, beyond: float, words: str) -> None:
    with pytest.raises(CornersError, match=words):
        check_corners(corners, (640, 480), beyond=beyond)


def test_a_corner_a_little_outside_passes_where_that_is_allowed() -> None:
    check_corners(((-10.0, 80.0), *GOOD[1:]), (640, 480))
    check_corners(GOOD, (640, 480), beyond=0.0)
