"""The maps from pixels to the table undo the pose's projection."""

from __future__ import annotations

import numpy as np
import pytest

from tests.synthetic.camera import View, ground, look


@pytest.mark.parametrize("k1", [-0.2, -0.05, 0.0, 0.2])
@pytest.mark.parametrize(("tilt", "azimuth"), [(0.0, 90.0), (35.0, 200.0), (58.0, 271.0)])
def test_a_pixels_ground_point_projects_back_to_the_pixel(k1: float, tilt: float, azimuth: float) -> None:
    pose = look(View(tilt, azimuth, 3.0, 65.0, k1, 0.8), 20, (640, 480), 0.7)
    col, row = ground(pose, 1.0)
    near = (np.abs(col - 10) < 14) & (np.abs(row - 10) < 14)
    y, x = np.nonzero(near)
    back = pose.project(np.stack([col[near], row[near]], -1).astype(float))
    assert np.abs(back - np.stack([x, y], -1)).max() < 0.05
    assert near.mean() > 0.2


@pytest.mark.parametrize("azimuth", [0.0, 90.0, 180.0, 270.0])
def test_the_board_lies_whole_in_the_picture_seen_from_the_side_asked_for(azimuth: float) -> None:
    pose = look(View(30.0, azimuth, 0.0, 65.0, 0.0, 0.85), 20, (640, 480), 0.7)
    outer = pose.project(np.array([[-0.7, -0.7], [20.7, -0.7], [20.7, 20.7], [-0.7, 20.7]]))
    assert (outer > 0).all()
    assert (outer < [639, 479]).all()
    away = pose.camera_position[:2] - 10
    assert away @ [np.cos(np.radians(azimuth)), np.sin(np.radians(azimuth))] > 0.99 * np.linalg.norm(away)
    assert abs(pose.tilt_deg - 30) < 6  # the middle of the board need not be that of the picture


def test_the_supersampled_ground_agrees_with_the_plain_one() -> None:
    pose = look(View(40.0, 100.0, 0.0, 70.0, -0.1, 0.8), 20, (320, 240), 0.3)
    plain, fine = ground(pose, 1.0)[0], ground(pose, 2.0)[0]
    assert fine.shape == (480, 640)
    mean = fine.reshape(240, 2, 320, 2).mean((1, 3))
    near = np.abs(plain - 10) < 10
    assert np.abs(mean - plain)[near].max() < 0.02
