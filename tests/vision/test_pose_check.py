"""The pose checked with what was read: a steep grid that hangs between board and pieces is put right."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.fit import fit_pose
from calibration.mend import EXACT_FIT
from calibration.pose import GridPose
from calibration.refine import marks_of_edges, measure_edges
from calibration.views import Views
from tests.calibration.corners import off_cells
from tests.synthetic.scene import build, draw, random_scene
from tests.synthetic.shapes import Player, grid_of
from tests.synthetic.stills import FORMATS, photograph, random_position
from vision.observation import Observation
from vision.pose_check import corrected
from vision.read import read_board

LABELS = ("empty", "blue", "yellow", "red", "green", "unknown")
LETTERS = ".BYRG?"


def drawn(seed: int, tilt: float, count: int) -> tuple[NDArray[np.uint8], GridPose, list[str]]:
    scene = random_scene(seed, "classic", tilt=tilt, board="mid_grey", light="overcast")
    placed = Player(scene.kind, np.random.default_rng(seed)).play(count)
    return photograph(scene, draw(scene, build(scene, placed, [])), seed), scene.pose, grid_of(20, placed)


def read_as(rows: list[str]) -> Observation:
    """A look that is sure of every cell."""
    at = np.array([[LETTERS.index(letter) for letter in row] for row in rows])
    return Observation(LABELS, np.log(np.eye(len(LABELS))[at] * 0.99 + 0.001).astype(np.float32))


def fitted_as(image: NDArray[np.uint8], pose: GridPose, pieces: NDArray[np.bool_]) -> GridPose:
    """The pose fitted as if those cells held pieces."""
    for _ in range(3):
        pose = fit_pose(pose, marks_of_edges(pose, measure_edges(image, pose, pieces, 0.36)), EXACT_FIT)
    return pose


@pytest.mark.parametrize("seed", [51, 52])
def test_a_steep_grid_fitted_under_a_wrong_guess_is_put_right(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    image, pose, rows = drawn(seed, 57.0, 60)
    nothing = np.zeros((20, 20), bool)
    wrong = fitted_as(image, pose, nothing)
    monkeypatch.setattr("vision.pose_check.coloured_cells", lambda *_: nothing)
    right = corrected(Views(image), wrong, read_as(rows))
    assert right is not None
    assert off_cells(right, pose.corners_px) < 0.6 * off_cells(wrong, pose.corners_px)
    assert off_cells(right, pose.corners_px) < 0.2


def test_a_grid_fitted_under_the_right_guess_is_left_alone() -> None:
    image, pose, rows = drawn(51, 57.0, 60)
    pieces = np.array([[letter != "." for letter in row] for row in rows])
    assert corrected(Views(image), fitted_as(image, pose, pieces), read_as(rows)) is None


def test_a_camera_from_above_needs_no_check() -> None:
    image, pose, _ = drawn(51, 10.0, 10)
    assert corrected(Views(image), pose, read_as(["B" * 20] * 20)) is None


def test_cells_that_were_not_read_keep_their_guess() -> None:
    image, pose, _ = drawn(51, 57.0, 60)
    assert corrected(Views(image), pose, read_as(["?" * 20] * 20)) is None


@pytest.mark.parametrize("seed", [973245, 973261])
def test_a_steep_grid_whose_cells_were_guessed_at_random_in_glare_is_put_right(seed: int) -> None:
    rng = np.random.default_rng([seed, 1])
    wh = FORMATS[rng.integers(len(FORMATS))]
    scene = random_scene(seed, "classic", wh, tilt=float(rng.uniform(50, 60)), light="window")
    position = random_position(scene, rng, int(rng.integers(20, 80)))
    image = photograph(scene, draw(scene, build(scene, list(position.placed), list(position.loose))), seed)
    assert off_cells(read_board(image).pose, scene.pose.corners_px) < 0.25
