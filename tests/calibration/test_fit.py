"""Fitting the pose to marks on lines: derivatives, recovery, outliers, a lens that is held."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.fit import LineMarks, fit_pose, misfit_cells, shifted
from calibration.pose import GridPose

CORNERS = np.array([[212.0, 141.0], [900.0, 119.0], [985.0, 775.0], [123.0, 786.0]])


def true_pose(k1: float = 0.0) -> GridPose:
    return GridPose.from_corners(CORNERS, (1080, 1080), k1=k1)


def marks_on(pose: GridPose, noise_px: float = 0.0, wild: float = 0.0) -> LineMarks:
    """Marks on lines of the board and of the tops of pieces, a share of them anywhere."""
    rng = np.random.default_rng(0)
    count = 1200
    axis = rng.integers(0, 2, count)
    line, along = rng.integers(0, 21, count).astype(float), rng.uniform(0, 20, count)
    height = rng.choice([0.0, 0.155], count)
    at = np.where((axis == 0)[:, None], np.column_stack([line, along]), np.column_stack([along, line]))
    points = pose.project(at, height) + rng.normal(0, noise_px, (count, 2))
    strays = rng.random(count) < wild
    points[strays] += rng.uniform(-8, 8, (int(strays.sum()), 2))
    return LineMarks(points, axis, line, height, np.ones(count))


def disturbed(pose: GridPose) -> GridPose:
    """A start a fifth of a cell off, with a wrong focal length."""
    moved = shifted(pose, 0.2, -0.15)
    return replace(moved, focal_px=moved.focal_px * 1.06, tvec=moved.tvec * np.array([1, 1, 1.06]))


@pytest.mark.parametrize("k1", [-0.2, 0.0, 0.15])
def test_marks_on_their_lines_are_not_off(k1: float) -> None:
    pose = true_pose(k1)
    assert np.abs(misfit_cells(pose, marks_on(pose))).max() < 1e-4


@pytest.mark.parametrize(("k1", "wild"), [(0.0, 0.0), (0.0, 0.15), (-0.12, 0.0), (0.1, 0.15)])
def test_the_pose_is_found_again_from_a_fifth_of_a_cell_away(k1: float, wild: float) -> None:
    pose = true_pose(k1)
    found = fit_pose(disturbed(pose), marks_on(pose, 0.4, wild))
    cell_px = float(np.median(pose.cell_sizes_px()))
    assert np.linalg.norm(found.corners_px - pose.corners_px, axis=1).max() < 0.06 * cell_px


def test_a_held_lens_stays_as_it_is() -> None:
    pose = true_pose()
    found = fit_pose(replace(pose, k1=0.05), marks_on(pose), free_lens=False)
    assert found.k1 == pytest.approx(0.05, abs=1e-6)


def test_the_residual_is_that_of_the_marks() -> None:
    pose = true_pose()
    clean, noisy = fit_pose(pose, marks_on(pose, 0.1)), fit_pose(pose, marks_on(pose, 2.0))
    assert clean.residual_cells < 0.01
    assert 0.04 < noisy.residual_cells < 0.08  # 2 px of cells of 34 px
