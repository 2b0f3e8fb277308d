"""A board known from before: believed where the picture bears it out, searched for where it does not."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration import known
from calibration.known import KnownBoard, bears_out, confirmed, is_elsewhere
from calibration.locate import BoardNotFoundError, locate_board
from calibration.pose import GridPose
from web.samples import SAMPLE_IMAGES

Image = NDArray[np.uint8]
NAMES = ("oak_table", "walnut_table", "linen_table")


@cache
def found(name: str) -> tuple[Image, GridPose]:
    image = cv2.imread(str(SAMPLE_IMAGES / "stills" / f"{name}.jpg"))
    assert image is not None
    return np.asarray(image, np.uint8), locate_board(np.asarray(image, np.uint8))


def moved(pose: GridPose, cols: float, rows: float) -> GridPose:
    """The pose of a grid so many cells aside."""
    corners = pose.project(pose.grid_corners + np.array([cols, rows]))
    return GridPose.from_corners(corners, pose.image_wh, pose.size, pose.k1, pose.focal_px)


def apart_cells(one: GridPose, other: GridPose) -> float:
    return float(np.abs(one.unproject(other.corners_px) - one.grid_corners).max())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("push", [(0, 0), (0.2, -0.15)])
def test_a_board_where_it_was_or_pushed_a_little_is_confirmed_exactly(name: str, push: tuple[float, float]) -> None:
    image, pose = found(name)
    again = confirmed(image, moved(pose, *push))
    assert again is not None
    assert apart_cells(pose, again) < 0.1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("push", [(1, 0), (0, -1), (0.5, 0.5), (1, 1), (5, 3)])
def test_another_grid_is_not_confirmed(name: str, push: tuple[float, float]) -> None:
    image, pose = found(name)
    assert confirmed(image, moved(pose, *push)) is None


def test_a_fit_that_wanders_off_is_not_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a steep slant a start half a cell off may be fitted to a grid that is neither here nor there."""
    image, pose = found("oak_table")
    monkeypatch.setattr(known, "refine", lambda *_args, **_how: pose)
    assert confirmed(image, pose) is not None
    assert confirmed(image, moved(pose, 0.45, 0)) is None


def test_a_picture_without_a_board_confirms_nothing() -> None:
    image, pose = found("oak_table")
    noise = np.random.default_rng(1).integers(0, 255, image.shape, np.uint8)
    assert confirmed(noise, pose) is None
    assert not bears_out(noise, pose)
    assert not bears_out(np.full_like(image, 128), pose)


@pytest.mark.parametrize("name", NAMES)
def test_corners_by_hand_are_borne_out_by_lines_where_they_should_be(name: str) -> None:
    image, pose = found(name)
    assert bears_out(image, moved(pose, 0.1, 0.1))
    assert not bears_out(image, moved(pose, 0.5, 0.5))


class Search:
    """A search that counts how often it is asked."""

    def __init__(self, pose: GridPose) -> None:
        self.asked = 0
        self.pose = pose

    def __call__(self, _image: Image, _size: int) -> GridPose:
        self.asked += 1
        return self.pose


def test_the_whole_picture_is_searched_only_when_the_board_is_not_where_it_was() -> None:
    image, pose = found("oak_table")
    other, elsewhere = found("walnut_table")
    words: list[str] = []
    search = Search(elsewhere)
    board = KnownBoard(pose, told=words.append, locate=search)
    assert apart_cells(pose, board(image, 20)) < 0.1
    assert (search.asked, words) == (0, [])
    assert board(other, 20) is elsewhere
    assert board(other, 20) is elsewhere
    assert (search.asked, len(words)) == (2, 1)


def test_pictures_of_another_size_and_boards_of_another_size_are_searched() -> None:
    image, pose = found("oak_table")
    search = Search(pose)
    board = KnownBoard(pose, locate=search)
    board(np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5), np.uint8), 20)
    board(image, 14)
    assert search.asked == 2


def test_corners_by_hand_are_taken_as_they_are() -> None:
    image, pose = found("oak_table")
    given = moved(pose, 0.1, 0.05)
    assert KnownBoard(given, by_hand=True, locate=Search(pose))(image, 20) is given


def test_a_board_that_is_nowhere_is_not_found() -> None:
    image, pose = found("oak_table")
    with pytest.raises(BoardNotFoundError):
        KnownBoard(pose)(np.full_like(image, 128), 20)


@pytest.mark.parametrize("name", NAMES)
def test_lines_tell_a_board_that_lies_elsewhere_from_one_half_hidden(name: str) -> None:
    image, pose = found(name)
    hidden = image.copy()
    left, top = pose.corners_px.min(0).astype(int)
    right, bottom = pose.corners_px.max(0).astype(int)
    hidden[top : (top + bottom) // 2, left:right] = (60, 80, 120)
    assert not is_elsewhere(image, pose)
    assert not is_elsewhere(hidden, pose)
    assert is_elsewhere(image, moved(pose, 0.45, 0.55))
