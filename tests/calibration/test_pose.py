"""The pose of the grid: points there and back, corners, naming, refusal."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.pose import GridPose, PoseError

CORNERS = np.array([[212.0, 141.0], [900.0, 119.0], [985.0, 775.0], [123.0, 786.0]])


def slanted(k1: float = 0.0, size: int = 20) -> GridPose:
    return GridPose.from_corners(CORNERS, (1080, 1080), size=size, k1=k1)


@given(
    col=st.floats(-1, 21),
    row=st.floats(-1, 21),
    height=st.sampled_from([0.0, 0.26, -0.04]),
    k1=st.floats(-0.15, 0.15),
)
@settings(deadline=None, max_examples=80)
def test_a_point_comes_back_from_the_picture(col: float, row: float, height: float, k1: float) -> None:
    pose = slanted(k1)
    point = np.array([[col, row]])
    back = pose.unproject(pose.project(point, height), height)
    assert np.abs(back - point).max() < 2e-3


def test_the_corners_given_are_the_corners_shown() -> None:
    # Real corners, good to 0.2 cell (6 px); the pose of a flat square seen by a usual camera that fits them best.
    assert np.abs(slanted().corners_px - CORNERS).max() < 6.0


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_turning_the_names_shifts_the_corner_list(turns: int) -> None:
    pose = slanted()
    assert np.allclose(pose.turned(turns).corners_px, np.roll(pose.corners_px, -turns, axis=0), atol=1e-6)


def test_piece_tops_lean_away_from_the_camera() -> None:
    pose = slanted()
    middle = np.array([[10.0, 10.0]])
    lean = pose.unproject(pose.project(middle, 0.26)) - middle
    away = middle[0] - pose.camera_position[:2]
    assert float(lean[0] @ away) > 0


def test_the_fast_grid_projection_agrees_with_the_exact_one() -> None:
    pose = slanted(-0.1)
    at = np.linspace(-1, 21, 45)
    exact = pose.project(np.stack(np.meshgrid(at, at), -1), 0.26)
    assert np.abs(pose.project_grid(at, at, 0.26) - exact).max() < 0.01


def test_a_resized_picture_shows_the_corners_at_the_resized_places() -> None:
    pose = slanted()
    assert np.allclose(pose.scaled(0.5).corners_px, (pose.corners_px + 0.5) * 0.5 - 0.5)


def test_the_camera_of_a_slanted_view_stands_at_a_slant() -> None:
    assert slanted().tilt_deg > 20
    above = GridPose.from_corners(np.array([[100.0, 100], [900, 100], [900, 900], [100, 900]]), (1000, 1000))
    assert above.tilt_deg < 3


@pytest.mark.parametrize(
    "corners",
    [
        CORNERS[::-1],
        CORNERS[[0, 2, 1, 3]],
        np.zeros((4, 2)),
        np.full((4, 2), np.nan),
    ],
    ids=["mirrored", "crossed", "one point", "not numbers"],
)
def test_corners_of_no_board_are_refused(corners: np.ndarray) -> None:
    with pytest.raises(PoseError, match="corners"):
        GridPose.from_corners(corners, (1080, 1080))
