"""The self-check of one picture: by itself, and with corners that people drag."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from calibration.locate import locate_board
from referee.variants import get_variant
from vision.check import will_do
from vision.frames import BgrImage
from vision.given_corners import CornersError
from vision.pictures import read_picture
from vision.selfcheck import MOST_PX, self_check, self_check_at
from web.samples import SAMPLE_IMAGES

COLORS = get_variant("classic").colors


@pytest.fixture(scope="module")
def oak() -> BgrImage:
    return read_picture(SAMPLE_IMAGES / "stills" / "oak_table.jpg")


@pytest.fixture(scope="module")
def corners(oak: BgrImage) -> Sequence[Sequence[float]]:
    found = self_check(oak, 20, COLORS, locate_board).corners_px
    assert found is not None
    return found


def pixels(jpeg: bytes) -> BgrImage:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, np.uint8)


def test_a_good_picture_will_do_and_is_read(oak: BgrImage) -> None:
    check = self_check(oak, 20, COLORS, locate_board)
    assert will_do(list(check.checks))
    assert (check.doubt, check.by_hand) == ("", False)
    assert sum(row.count("B") for row in check.grid) == 78
    assert {one.name for one in check.checks} >= {"board", "cell_size", "angle", "sharpness", "glare", "unread"}


def test_the_lines_end_at_the_corners(oak: BgrImage) -> None:
    check = self_check(oak, 20, COLORS, locate_board)
    assert check.corners_px is not None
    assert len(check.lines_px) == 42
    top, bottom, left, right = (check.lines_px[k] for k in (0, 20, 21, 41))
    ends = [top[0], top[-1], bottom[-1], bottom[0]]
    assert np.allclose(ends, check.corners_px, atol=0.1)
    assert np.allclose([left[0], right[0], right[-1], left[-1]], check.corners_px, atol=0.1)


@pytest.mark.parametrize("seed", range(4))
def test_corners_dragged_a_third_of_a_cell_off_come_to_lie_on_the_lines(
    oak: BgrImage, corners: Sequence[Sequence[float]], seed: int
) -> None:
    cell_px = 31
    off = np.random.default_rng(seed).uniform(-0.33, 0.33, (4, 2)) * cell_px
    check = self_check_at(oak, (np.array(corners) + off).tolist(), 20, COLORS)
    assert check.by_hand
    assert np.abs(np.array(check.corners_px) - corners).max() < 0.15 * cell_px
    assert check.grid == self_check(oak, 20, COLORS, locate_board).grid


def test_a_picture_without_a_board_says_why(oak: BgrImage) -> None:
    check = self_check(np.full_like(oak, (70, 110, 150)), 20, COLORS, locate_board)
    assert not will_do(list(check.checks))
    assert (check.corners_px, check.lines_px, check.grid) == (None, [], ())
    assert check.doubt
    assert check.checks[0].name == "board"


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (lambda c: c[::-1], "mirror"),
        (lambda c: [[-5.0, 10.0], *c[1:]], "outside this picture"),
        (lambda _: [[20, 20], [280, 30], [290, 300], [10, 290]], "no lines of a board"),
    ],
    ids=["mirrored", "outside", "beside"],
)
def test_corners_where_no_board_is_are_refused(oak: BgrImage, corners: list[list[float]], move: object, words: str) -> None:
    assert callable(move)
    with pytest.raises(CornersError, match=words):
        self_check_at(oak, move(corners), 20, COLORS)


def test_the_pictures_are_small_enough_and_the_overlay_shows_more(oak: BgrImage) -> None:
    large = np.asarray(cv2.resize(oak, None, fx=2.5, fy=2.5), np.uint8)
    check = self_check(large, 20, COLORS, locate_board)
    picture, overlay = pixels(check.picture()), pixels(check.overlay())
    assert max(picture.shape) == MOST_PX
    assert picture.shape == overlay.shape
    assert (np.abs(picture.astype(int) - overlay).max(-1) > 60).mean() > 0.02
