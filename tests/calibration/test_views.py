"""One picture at smaller sizes: sizes asked for, and where points go."""

import numpy as np
import pytest

from calibration.pose import GridPose
from calibration.views import Views

CORNERS = np.array([[212.0, 141.0], [900.0, 119.0], [985.0, 775.0], [123.0, 786.0]])


def spot_picture(width: int, height: int, x: int, y: int) -> np.ndarray:
    """A dark picture with a light spot of 40 px."""
    image = np.zeros((height, width, 3), np.uint8)
    image[y - 20 : y + 20, x - 20 : x + 20] = 255
    return image


@pytest.mark.parametrize(
    ("wh", "asked"), [((1280, 960), 640), ((4031, 3023), 640), ((1600, 1200), 960), ((1000, 700), 999), ((333, 251), 250)]
)
def test_a_smaller_picture_shows_a_spot_where_its_factor_says(wh: tuple[int, int], asked: int) -> None:
    x, y = wh[0] // 3, wh[1] // 2
    view = Views(spot_picture(*wh, x, y)).at(asked)
    assert view.longer_px <= asked
    rows, cols = np.nonzero(view.gray > 127)
    # The spot's middle lies between two pixels of the whole picture.
    assert np.allclose([cols.mean() + 0.5, rows.mean() + 0.5], np.array([x, y]) * view.factor, atol=0.6)


def test_a_picture_is_never_made_larger() -> None:
    image = spot_picture(300, 200, 100, 100)
    view = Views(image).at(1 << 20)
    assert view.image_bgr is image
    assert view.factor == 1.0


def test_a_pose_goes_from_one_size_to_another_and_back() -> None:
    views = Views(np.zeros((1080, 1080, 3), np.uint8))
    whole, small = views.at(1080), views.at(500)
    pose = GridPose.from_corners(CORNERS, whole.wh)
    moved = whole.pose_in(pose, small)
    assert moved.image_wh == small.wh
    assert np.allclose((moved.corners_px + 0.5) / small.factor, pose.corners_px + 0.5, atol=0.01)
    assert np.allclose(small.pose_in(moved, whole).corners_px, pose.corners_px)


@pytest.mark.parametrize(
    ("whole_px", "least_px", "given_px"),
    [(4000, 700, 1000), (4000, 1100, 1280), (1600, 700, 800), (1280, 700, 1280), (1600, 900, 1280), (500, 700, 500)],
)
def test_the_smallest_halved_picture_that_will_do_is_taken(whole_px: int, least_px: int, given_px: int) -> None:
    views = Views(np.zeros((whole_px // 4, whole_px, 3), np.uint8))
    assert views.at_least(least_px, most_px=1280).longer_px == given_px
