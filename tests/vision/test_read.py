"""One photograph from pixels to verdicts, the board's place being given: drawn boards with a position."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.locate import BoardNotFoundError
from calibration.pose import GridPose, PoseError
from calibration.views import Views
from tests.vision.boards import drawn
from vision.frames import SourceError
from vision.observation import Observation
from vision.read import read_board

ROWS = [
    "BBB..............YYY",
    "B..................Y",
    "B..................Y",
    *["...................."] * 13,
    "....................",
    "R..................G",
    "R..................G",
    "RRR..............GGG",
]


def picture() -> tuple[NDArray[np.uint8], GridPose]:
    return drawn(ROWS)


def test_a_position_is_read_from_given_corners() -> None:
    image, pose = picture()
    reading = read_board(image, corners=pose.corners_px.tolist())
    assert reading.grid == tuple(ROWS)
    assert {(piece.color, piece.piece, len(piece.cells)) for piece in reading.pieces} == {
        (color, "V5", 5) for color in ("blue", "yellow", "red", "green")
    }
    assert reading.violations == ()
    assert reading.findings == ()
    assert reading.left["blue"].squares == (84, 84)


def test_the_board_is_searched_for_when_no_corners_are_given() -> None:
    image, pose = picture()
    asked = []

    def locate(bgr: NDArray[np.uint8], size: int) -> GridPose:
        asked.append((bgr.shape, size))
        return pose

    assert read_board(image, locate=locate).grid == tuple(ROWS)
    assert asked == [(image.shape, 20)]


def test_a_pose_is_fitted_again_only_when_other_pieces_are_seen_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    image, pose = picture()
    fitted = []

    def corrected(_views: Views, here: GridPose, _seen: Observation) -> GridPose:
        fitted.append(here)
        return pose

    monkeypatch.setattr("vision.read.corrected", corrected)
    assert read_board(image, locate=lambda *_: pose).grid == tuple(ROWS)
    assert fitted == [pose]
    off = replace(pose, tvec=pose.tvec + np.array([1.0, 0.0, 0.0]))  # a cell aside
    assert read_board(image, locate=lambda *_: off).grid == tuple(ROWS)
    assert fitted == [pose, off, pose]


def test_a_board_that_is_not_found_is_said() -> None:
    def locate(bgr: NDArray[np.uint8], size: int) -> GridPose:
        raise BoardNotFoundError(f"no board of {size} cells in a picture of {bgr.shape[1]} px")

    with pytest.raises(BoardNotFoundError, match="no board of 20 cells"):
        read_board(picture()[0], locate=locate)


def test_a_picture_without_colours_is_refused() -> None:
    image, pose = picture()
    grey = np.repeat(image.mean(axis=2, keepdims=True).astype(np.uint8), 3, axis=2)
    with pytest.raises(SourceError, match="colours"):
        read_board(grey, corners=pose.corners_px.tolist())


def test_corners_in_a_mirrored_order_are_refused() -> None:
    image, pose = picture()
    with pytest.raises(PoseError, match="clockwise"):
        read_board(image, corners=pose.corners_px[::-1].tolist())


def test_another_first_corner_turns_the_grid() -> None:
    image, pose = picture()
    turned = read_board(image, corners=np.roll(pose.corners_px, -1, axis=0).tolist())
    assert turned.grid[0] == "".join(row[-1] for row in ROWS)


def test_a_small_board_is_read_by_its_variant() -> None:
    rows = ["PP" + "." * 12, "P" + "." * 13, *["." * 14] * 10, "." * 13 + "O", "." * 12 + "OO"]
    image, pose = drawn(rows)
    reading = read_board(image, variant="duo", corners=pose.corners_px.tolist())
    assert reading.grid == tuple(rows)
    assert set(reading.left) == {"purple", "orange"}


def test_confidence_is_that_of_all_cells_that_are_told() -> None:
    image, pose = picture()
    reading = read_board(image, corners=pose.corners_px.tolist())
    assert 0.9 < reading.confidence <= 1
    log_p = reading.seen.log_p.copy()
    log_p[5, 5] = np.log(np.full(log_p.shape[-1], 1 / log_p.shape[-1]))
    assert replace(reading, seen=replace(reading.seen, log_p=log_p)).confidence < 0.3 * reading.confidence


def test_the_json_object_has_the_fields_others_rely_on() -> None:
    image, pose = picture()
    told = read_board(image, corners=pose.corners_px.tolist()).as_json("a.jpg")
    assert told["image"] == "a.jpg"
    assert told["board"]["rows"] == told["board"]["cols"] == 20
    assert np.array(told["board"]["corners_px"]) == pytest.approx(pose.corners_px, abs=0.5)
    assert told["grid"] == ROWS
    assert {"pieces", "loose", "violations", "findings", "colors", "confidence"} <= set(told)
    assert {"decode", "locate", "classify", "total"} <= set(told["timing_ms"])
    assert told["timing_ms"]["total"] >= told["timing_ms"]["classify"] > 0
