"""Finding the board: on samples and drawn pictures with truth, turned, scaled, cut, doubled, absent."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.locate import BoardNotFoundError, locate_board, locate_only_board
from tests.calibration.corners import off_cells
from tests.vision.tabletop import Tabletop, view

STILLS = Path(__file__).parents[2] / "sample_images" / "stills"
SAMPLES = sorted(path.stem for path in STILLS.glob("*.json"))


def sample(name: str) -> tuple[np.ndarray, np.ndarray]:
    truth = json.loads((STILLS / f"{name}.json").read_text())
    image = cv2.imread(str(STILLS / truth["image"]))
    assert image is not None
    return np.asarray(image, np.uint8), np.array(truth["grid_corners_px"])


@pytest.mark.parametrize("name", SAMPLES)
def test_the_board_of_a_sample_is_found_within_a_third_of_a_cell(name: str) -> None:
    image, corners = sample(name)
    assert off_cells(locate_board(image), corners) < 0.33


@pytest.mark.parametrize("turn", [cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE])
def test_a_turned_picture_shows_the_same_board(turn: int) -> None:
    image, corners = sample(SAMPLES[0])
    pose = locate_board(np.asarray(cv2.rotate(image, turn), np.uint8))
    width, height = image.shape[1] - 1, image.shape[0] - 1
    x, y = corners.T
    moved = {
        cv2.ROTATE_90_CLOCKWISE: np.column_stack([height - y, x]),
        cv2.ROTATE_180: np.column_stack([width - x, height - y]),
        cv2.ROTATE_90_COUNTERCLOCKWISE: np.column_stack([y, width - x]),
    }[turn]
    assert off_cells(pose, moved) < 0.33


def test_row_0_is_the_uppermost_side_of_the_board() -> None:
    for name in SAMPLES:
        corners = locate_board(sample(name)[0]).corners_px
        assert corners[:2, 1].mean() < corners[2:, 1].mean()


def test_a_still_scene_gives_the_same_corners_in_spite_of_noise() -> None:
    image, _ = sample(SAMPLES[1])
    rng = np.random.default_rng(5)
    found = []
    for _ in range(5):
        noisy = np.asarray(np.clip(image + rng.normal(0, 4, image.shape), 0, 255), np.uint8)
        found.append(locate_board(noisy).corners_px)
    assert np.std(found, axis=0).max() <= 1.0  # px


def test_a_picture_of_half_the_size_and_one_of_twice_are_read_too() -> None:
    image, corners = sample(SAMPLES[1])
    for factor in (0.5, 2.0):
        resized = np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
        assert off_cells(locate_board(resized), (corners + 0.5) * factor - 0.5) < 0.33


def test_half_a_board_is_refused() -> None:
    image, corners = sample("oak_table")
    left, right = corners[:, 0].min(), corners[:, 0].max()
    with pytest.raises(BoardNotFoundError):
        locate_board(image[:, : int((left + right) / 2)])


def test_a_board_of_which_a_side_is_cut_off_is_refused_by_how_much() -> None:
    image, corners = sample("oak_table")
    cell = float(np.linalg.norm(corners[1] - corners[0])) / 20
    with pytest.raises(BoardNotFoundError, match="beyond the picture's edge"):
        locate_board(image[:, int(corners[:, 0].min() + 1.5 * cell) :])


def test_two_boards_are_refused_when_one_is_asked_for() -> None:
    image, _ = sample("oak_table")
    with pytest.raises(BoardNotFoundError, match="two boards"):
        locate_only_board(np.hstack([image, image]))


def test_a_board_on_a_bare_table_is_the_only_one() -> None:
    top = Tabletop(view(30, (1600, 1200), far_cells=60))
    assert off_cells(locate_only_board(top.photograph()), top.pose.corners_px) < 0.33


@pytest.mark.parametrize(
    ("image", "words"),
    [
        (np.zeros((480, 640, 3), np.uint8), "dark"),
        (np.full((480, 640, 3), 255, np.uint8), "overexposed"),
        (np.full((480, 640, 3), 128, np.uint8), "no grid"),
        (np.full((1, 1, 3), 128, np.uint8), "too small"),
        (np.random.default_rng(1).integers(0, 255, (480, 640, 3)).astype(np.uint8), "grid|lines"),
    ],
    ids=["black", "white", "grey", "one pixel", "noise"],
)
def test_no_board_is_refused_with_what_to_do(image: np.ndarray, words: str) -> None:
    with pytest.raises(BoardNotFoundError, match=words):
        locate_board(image)


@pytest.mark.parametrize("squares", [8, 19, 24])
def test_a_chequered_board_of_another_game_is_no_board(squares: int) -> None:
    side = 720 // squares
    cells = np.indices((squares, squares)).sum(axis=0) % 2
    board = np.kron(cells, np.ones((side, side))) * 120 + 80
    image = np.full((960, 1280, 3), 60, np.uint8)
    image[100 : 100 + board.shape[0], 250 : 250 + board.shape[1]] = board[..., None].astype(np.uint8)
    with pytest.raises(BoardNotFoundError):
        locate_board(image)
