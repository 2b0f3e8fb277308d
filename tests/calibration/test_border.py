"""Where the grid ends: boards in their places are not doubted, those off by half a cell or a cell are."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.border import CHANNELS, FARTHEST, OFFSETS, REACH, STEPS, TAPS, Border, features, windows
from calibration.fit import shifted
from calibration.pose import GridPose
from calibration.refine import refine
from calibration.settings import DEFAULT_LOCATE
from tests.calibration.grids import grid_picture
from tests.learning.__main__ import Shown, learn
from tests.synthetic.scene import build, draw, random_scene
from tests.synthetic.shapes import Player
from tests.synthetic.stills import photograph

STILLS = Path(__file__).parents[2] / "sample_images" / "stills"
SAMPLES = sorted(path.stem for path in STILLS.glob("*.json"))


@cache
def sample(name: str) -> tuple[NDArray[np.uint8], GridPose]:
    truth = json.loads((STILLS / f"{name}.json").read_text())
    image = cv2.imread(str(STILLS / truth["image"]))
    assert image is not None
    picture = np.asarray(image, np.uint8)
    pose = GridPose.from_corners(np.array(truth["grid_corners_px"]), (picture.shape[1], picture.shape[0]), len(truth["board"]))
    return picture, refine(picture, pose)


@cache
def drawn(seed: int, tilt: float, kind: str) -> tuple[NDArray[np.uint8], GridPose]:
    scene = random_scene(seed, kind, tilt=tilt)
    placed = Player(scene.kind, np.random.default_rng(seed)).play(20)
    return photograph(scene, draw(scene, build(scene, placed, [])), seed), scene.pose


PLACES = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (0.5, 0), (0, -0.5), (4, 0)]


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("push", PLACES)
def test_the_grid_of_a_sample_is_sure_and_its_neighbours_are_not(name: str, push: tuple[float, float]) -> None:
    image, pose = sample(name)
    assert Border.of(image, pose).doubt < 0.05
    assert Border.of(image, shifted(pose, *push)).doubt > 0.5


@pytest.mark.parametrize(("seed", "tilt", "kind"), [(31, 0.0, "classic"), (32, 30.0, "duo"), (33, 58.0, "classic"), (34, 58.0, "duo")])
def test_drawn_grids_are_sure_and_those_a_cell_off_are_not(seed: int, tilt: float, kind: str) -> None:
    image, pose = drawn(seed, tilt, kind)
    assert Border.of(image, pose).doubt < 0.2
    for push in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        assert Border.of(image, shifted(pose, *push)).doubt > 0.5


def test_a_grid_stretched_by_a_cell_is_doubted() -> None:
    image, pose = sample(SAMPLES[0])
    longer = pose.project(np.array([[0, 0], [21, 0], [21, 20], [0, 20.0]]))
    assert Border.of(image, GridPose.from_corners(longer, pose.image_wh)).doubt > 0.5


def test_turning_the_names_of_the_sides_turns_what_they_say() -> None:
    image, pose = sample(SAMPLES[1])
    one, other = Border.of(image, pose), Border.of(image, pose.turned(1))
    assert np.abs(np.roll(one.log_p, -1, axis=0) - other.log_p).max() < 0.5
    assert one.doubt == pytest.approx(other.doubt, abs=0.01)


def test_a_picture_at_twice_the_size_says_much_the_same() -> None:
    image, pose = sample(SAMPLES[0])
    larger = np.asarray(cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR), np.uint8)
    assert Border.of(larger, pose.scaled(2)).doubt == pytest.approx(Border.of(image, pose).doubt, abs=0.02)


def test_nothing_is_sure_where_there_is_nothing_or_a_part_of_another_games_grid() -> None:
    image, pose = sample(SAMPLES[0])
    assert Border.of(np.full_like(image, 128), pose).doubt > DEFAULT_LOCATE.sure_doubt
    corners = np.array([[300.0, 200], [900, 220], [940, 760], [280, 740]])
    part = GridPose.from_corners(corners, (1280, 960))
    assert Border.of(grid_picture(30, 30), part).doubt > 0.5


def test_a_border_is_learnt_where_the_examples_have_it() -> None:
    """Examples in which one channel steps at the border, among noise, against noise alone."""
    rng = np.random.default_rng(0)
    width = 3 * CHANNELS
    seen = rng.normal(0, 0.3, (200, width, 2 * REACH)).astype(np.float32)
    seen[:100, 0, :REACH] += 1
    border = np.arange(200) < 100
    numbers = learn(Shown(windows(seen), border), rounds=150)
    score = np.column_stack([windows(seen) @ numbers[:-1], np.full(200, numbers[-1])])
    p = np.exp(score - np.logaddexp.reduce(score, axis=1, keepdims=True))
    assert (np.abs(score[border, :-1].argmax(axis=1) - FARTHEST) <= 1).mean() > 0.95
    assert p[border, -1].mean() + 0.25 < p[~border, -1].mean()


def test_the_measured_strip_holds_every_window() -> None:
    assert FARTHEST + TAPS // 2 <= REACH
    assert len(OFFSETS) == 2 * FARTHEST + 1
    assert OFFSETS[FARTHEST + STEPS] == pytest.approx(1.0)
    image, pose = sample(SAMPLES[0])
    assert features(image, pose).shape == (4, 3 * CHANNELS, 2 * REACH)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("push", [(1, 0), (-1, 0), (0, 1), (-1, 1), (0, 0)])
def test_the_border_tells_by_how_many_cells_a_grid_is_off(name: str, push: tuple[int, int]) -> None:
    image, pose = sample(name)
    assert Border.of(image, shifted(pose, *push)).moved == (-push[0], -push[1])
