"""Cells of shipped pictures, of drawn boards, and what odd input does; true poses throughout."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.pose import GridPose
from tests.vision.boards import PAINT, SAMPLES, STILLS, drawn, random_rows, spot, still, truth_pose, wrong_and_unsure
from vision.classify import classify_cells, read_again, read_cells
from vision.observation import Observation


@pytest.mark.parametrize("path", STILLS, ids=lambda path: path.stem)
def test_shipped_stills_are_read_without_a_wrong_cell(path: Path) -> None:
    truth, image = still(path)
    wrong, unsure = wrong_and_unsure(classify_cells(image, truth_pose(truth, image)).grid(), truth["board"])
    assert wrong == 0
    assert unsure <= 4


@pytest.mark.parametrize("path", STILLS, ids=lambda path: path.stem)
def test_a_pose_a_tenth_of_a_cell_off_makes_no_wrong_cell(path: Path) -> None:
    truth, image = still(path)
    pose = truth_pose(truth, image)
    off = np.random.default_rng(3).normal(0, 0.1 * float(np.median(pose.cell_sizes_px())), (4, 2))
    pose = GridPose.from_corners(pose.corners_px + off, pose.image_wh, k1=pose.k1)
    wrong, _ = wrong_and_unsure(classify_cells(image, pose).grid(), truth["board"])
    assert wrong == 0


def test_a_hand_over_the_board_is_not_read_as_pieces() -> None:
    truth = json.loads((SAMPLES / "full_game" / "truth.json").read_text())
    frame = max((f for f in truth["frames"] if not f["settled"]), key=lambda f: sum(share > 0.9 for *_, share in f["cell_occlusion"]))
    image = np.asarray(cv2.imread(str(SAMPLES / "full_game" / frame["file"])), np.uint8)
    grid = classify_cells(image, truth_pose(frame, image)).grid()
    hidden = {(row, col): share for row, col, share in frame["cell_occlusion"]}
    covered = [grid[row][col] for (row, col), share in hidden.items() if share > 0.9]
    assert covered.count("?") >= 0.9 * len(covered)
    board = truth["steps"][frame["step"]]["board_after"] if frame["step"] is not None else truth["initial_board"]
    seen = [(grid[r][c], letter) for r, line in enumerate(board) for c, letter in enumerate(line) if (r, c) not in hidden]
    assert all(got in ("?", want) for got, want in seen)


def test_an_empty_board_is_empty() -> None:
    rows = ["." * 20] * 20
    image, pose = drawn(rows)
    assert classify_cells(image, pose).grid() == tuple(rows)


def test_a_board_with_few_empty_cells_is_read() -> None:
    rows = random_rows(20, "BYRGBYRG.", seed=1)
    image, pose = drawn(rows)
    assert classify_cells(image, pose).grid() == tuple(rows)


@pytest.mark.parametrize(("letters", "colors"), [("..PO", ("purple", "orange")), ("..GO", ("green", "orange"))])
def test_small_boards_are_read_in_their_colours(letters: str, colors: tuple[str, ...]) -> None:
    rows = random_rows(14, letters, seed=2)
    image, pose = drawn(rows)
    assert classify_cells(image, pose, colors).grid() == tuple(rows)


@pytest.mark.parametrize("gains", [(0.45, 0.75, 1.0), (1.0, 0.9, 0.7), (0.3, 0.3, 0.3)], ids=["lamp light", "shade of the sky", "dim"])
def test_the_cast_of_the_light_changes_no_cell(gains: tuple[float, float, float]) -> None:
    rows = random_rows(20, "...BYRG", seed=3)
    image, pose = drawn(rows)
    assert classify_cells((image * np.array(gains)).astype(np.uint8), pose).grid() == tuple(rows)


def test_a_hard_shadow_across_the_board_changes_no_cell() -> None:
    rows = random_rows(20, "...BYRG", seed=4)
    image, pose = drawn(rows)
    half = image.shape[1] // 2
    image[:, half:] = (image[:, half:] * 0.4).astype(np.uint8)
    assert classify_cells(image, pose).grid() == tuple(rows)


def test_a_blown_spot_is_never_called_empty() -> None:
    rows = [row.replace(".", "B") if 8 <= k < 11 else row for k, row in enumerate(random_rows(20, "...BYRG", seed=6))]
    image, pose = drawn(rows)
    x, y = (int(v) for v in pose.project(np.array([10.0, 9.5])))
    cv2.circle(image, (x, y), 30, (255, 255, 255), -1)
    wrong, _ = wrong_and_unsure(classify_cells(image, pose).grid(), rows)
    assert wrong == 0


def changed_cells(before: list[str], after: list[str]) -> NDArray[np.bool_]:
    return np.array([[a != b for a, b in zip(*rows, strict=True)] for rows in zip(before, after, strict=True)])


@pytest.mark.parametrize("gains", [(1.0, 1.0, 1.0), (0.8, 0.8, 0.8), (0.9, 1.0, 1.06)], ids=["same light", "darker", "warmer"])
def test_a_few_cells_read_again_are_told_as_by_a_whole_read(gains: tuple[float, float, float]) -> None:
    before = [row.replace("R", "B") for row in random_rows(20, "....BYRG", seed=8)]
    after = [row[:7] + "RRR" + row[10:] if 4 <= k < 6 else row for k, row in enumerate(before)]
    (image, pose), (later, _) = drawn(before), drawn(after)
    only = changed_cells(before, after)
    again = read_again((later * np.array(gains)).astype(np.uint8), pose, read_cells(image, pose), only)
    assert only.any()
    assert again.seen.grid() == tuple(after)


def test_cells_that_are_not_read_again_keep_their_probabilities() -> None:
    before = random_rows(20, "....BYRG", seed=9)
    (image, pose), (later, _) = drawn(before), drawn(["." * 20] * 20)
    only = np.zeros((20, 20), np.bool_)
    only[0, 3:6] = only[12, 19] = True
    first = read_cells(image, pose)
    again = read_again(later, pose, first, only)
    assert np.array_equal(again.seen.log_p[~only], first.seen.log_p[~only])
    assert {again.seen.grid()[row][col] for row, col in np.argwhere(only).tolist()} == {"."}


def test_reading_no_cell_again_changes_nothing() -> None:
    image, pose = drawn(random_rows(20, "....BYRG", seed=10))
    first = read_cells(image, pose)
    assert read_again(image, pose, first, np.zeros((20, 20), np.bool_)) is first


@pytest.mark.parametrize("power", [80, 120, 200, 300])
@pytest.mark.parametrize("seed", [11, 12])
def test_glare_over_a_grey_board_is_never_read_as_empty(power: float, seed: int) -> None:
    rows = random_rows(20, ".BYRG", seed)
    image, pose = drawn(rows, light=0.45, glare=spot(624, (260, 330), 45, power))
    grid = classify_cells(image, pose).grid()
    wrong, unsure = wrong_and_unsure(grid, rows)
    assert wrong == 0
    assert unsure < 120


def test_a_thing_over_half_the_board_does_not_pass_for_the_board() -> None:
    rows = random_rows(20, "...BYRG", seed=13)
    image, pose = drawn(rows)
    cv2.circle(image, (250, 250), 230, (60, 45, 8), -1)
    grid = classify_cells(image, pose).grid()
    clear = [(grid[row][col], rows[row][col]) for row in range(20) for col in range(20) if (row - 7.3) ** 2 + (col - 7.3) ** 2 > 11**2]
    assert len(clear) > 60
    assert sum(got == want for got, want in clear) >= 0.8 * len(clear)
    assert all(got in ("?", want) for got, want in clear)


@pytest.mark.parametrize(("at_cells", "turn_deg"), [((10.5, 10.5), 0), ((10.0, 10.0), 0), ((10.5, 10.5), 20), ((10.5, 10.0), 70)], ids=str)
def test_a_piece_that_lies_across_cells_is_not_told_as_one(at_cells: tuple[float, float], turn_deg: float) -> None:
    rows = [row[:6] + "." * 9 + row[15:] if 6 <= k < 15 else row for k, row in enumerate(random_rows(20, "..BYRG", seed=31))]
    image, pose = drawn(rows)
    middle = (72 + 24 * at_cells[0], 72 + 24 * at_cells[1])
    box = np.asarray(cv2.boxPoints((middle, (4 * 24.0, 24.0), turn_deg))).round().astype(int)
    cv2.fillPoly(image, [box], PAINT["R"])
    grid = classify_cells(image, pose).grid()
    red = [(row, col) for row in range(6, 15) for col in range(6, 15) if grid[row][col] == "R"]
    assert len(red) < 4
    assert sum(grid[row][col] == "?" for row in range(6, 15) for col in range(6, 15)) >= 2


@pytest.mark.parametrize("level", [0, 128, 255], ids=["black", "grey", "white"])
def test_a_picture_of_nothing_gives_probabilities(level: int) -> None:
    _, pose = drawn(["." * 20] * 20)
    seen = classify_cells(np.full((*pose.image_wh[::-1], 3), level, np.uint8), pose)
    assert np.isfinite(seen.log_p).all()
    assert np.allclose(np.exp(seen.log_p).sum(-1), 1, atol=1e-4)


def test_a_grid_partly_outside_the_picture_is_not_told_there() -> None:
    rows = random_rows(20, "...BYRG", seed=7)
    image, pose = drawn(rows)
    cut = int(pose.corners_px[0, 0]) + 3 * 24
    seen = classify_cells(
        np.ascontiguousarray(image[:, cut:]), GridPose.from_corners(pose.corners_px - (cut, 0), (image.shape[1] - cut, image.shape[0]))
    )
    assert all(line[:2] == "??" for line in seen.grid())


def test_observation_refuses_a_wrong_shape() -> None:
    with pytest.raises(ValueError, match="expected"):
        Observation(("empty", "blue"), np.zeros((20, 20, 3), np.float32))


def test_observation_says_a_question_mark_below_its_confidence() -> None:
    log_p = np.log(np.array([[[0.98, 0.01, 0.01], [0.005, 0.994, 0.001]], [[0.3, 0.3, 0.4], [0.001, 0.001, 0.998]]], np.float32))
    seen = Observation(("empty", "blue", "unknown"), log_p)
    assert seen.grid() == ("?B", "??")
    assert seen.grid(min_confidence=0.995) == ("??", "??")
    assert seen.grid(min_empty_confidence=0.5) == (".B", "??")
