"""The newest picture of a board: cropped to it, upright, and readable."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.pose import GridPose
from tests.vision.boards import drawn, random_rows
from tests.vision.test_evidence import POSE, decoded
from vision.board_shot import SIDE_PX, BoardShot

ROWS = random_rows(20, "BYRG......", 11)


def test_nobody_beside_the_board_is_in_the_square_picture() -> None:
    """Whoever sits at the table is red here."""
    image = np.full((1000, 1000, 3), (0, 0, 255), np.uint8)
    reach = 1.6
    board = POSE.project(np.array([[-reach, -reach], [20 + reach, -reach], [20 + reach, 20 + reach], [-reach, 20 + reach]]))
    cv2.fillConvexPoly(image, board.round().astype(np.int32), (120, 120, 120))
    shown = decoded(BoardShot(image, POSE, 0).square)
    assert shown.shape[0] == shown.shape[1] <= SIDE_PX
    assert int(shown[..., 2].max()) < 140
    assert decoded(BoardShot(image, POSE, 0).whole())[..., 2].max() > 240


def test_the_board_is_square_upright_and_named_as_in_the_game() -> None:
    image, pose = drawn(ROWS)
    for turns in range(4):
        turned: GridPose = pose.turned(turns)
        shown = decoded(BoardShot(image, turned, 0).square).astype(int)
        assert shown.shape[0] == shown.shape[1]
        cell = shown.shape[0] / 22
        expected = np.rot90(np.array([list(row) for row in ROWS]), turns)
        yellow = [(row, col) for row in range(20) for col in range(20) if expected[row, col] == "Y"]
        assert all(shown[int((row + 1.5) * cell), int((col + 1.5) * cell), 0] < 120 for row, col in yellow)


def test_the_cells_of_the_moment_are_read() -> None:
    image, pose = drawn(ROWS)
    read = BoardShot(image, pose, 0).read(("blue", "yellow", "red", "green"))
    assert all(got in ("?", want) for line, row in zip(read, ROWS, strict=True) for got, want in zip(line, row, strict=True))
    assert sum(line.count("?") for line in read) < 20


def test_a_picture_is_made_once_for_all_who_look() -> None:
    image, pose = drawn(ROWS)
    shot = BoardShot(image, pose, 0)
    assert shot.square is shot.square
