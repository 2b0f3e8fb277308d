"""Things that belong on no board are not told as empty squares or pieces: drawn boards, and the numbers by which they are judged."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.pose import GridPose
from tests.synthetic.things import write_thing
from tests.vision.boards import STILLS, still, truth_pose
from vision.classify import CellReading, read_again, read_cells
from vision.findings import find
from vision.second import Network
from vision.thing_marks import opened
from vision.things import marks_around, of_things

SHAPE = (960, 720)


def drawn_thing(folder: Path, thing: str, seed: int) -> tuple[NDArray[np.uint8], GridPose, NDArray[np.float64]]:
    """A picture of a board with a thing on it, its pose, and (20, 20) how much of each cell the thing hides."""
    write_thing(folder, seed, "a", thing, image_wh=SHAPE)
    truth, image = still(folder / "a.json")
    hidden = np.zeros((20, 20))
    for row, col, share in truth["cell_occlusion"]:
        hidden[row, col] = share
    return image, truth_pose(truth, image), hidden


def unsure(reading: CellReading) -> NDArray[np.bool_]:
    return np.array([[letter == "?" for letter in row] for row in reading.seen.grid()])


@pytest.mark.parametrize(("thing", "seed"), [("sheet_edge", 634_003), ("sheet_inside", 634_003), ("hand", 634_001), ("small", 634_003)])
def test_cells_under_a_thing_are_not_told(tmp_path: Path, thing: str, seed: int) -> None:
    image, pose, hidden = drawn_thing(tmp_path, thing, seed)
    reading = read_cells(image, pose)
    covered, asked = hidden >= 0.5, unsure(reading)
    assert covered.sum() > 10
    assert asked[covered].mean() > 0.9
    clear = cv2.dilate(hidden.astype(np.float32), np.ones((3, 3), np.uint8)) == 0
    assert asked[clear].mean() < 0.02


def test_a_later_look_at_a_part_tells_the_same_of_a_thing(tmp_path: Path) -> None:
    image, pose, hidden = drawn_thing(tmp_path, "sheet_inside", 634_003)
    whole = read_cells(image, pose)
    again = read_again(image, pose, whole, hidden > 0)
    for reading in (whole, again):
        assert unsure(reading)[hidden >= 0.5].mean() > 0.9
        things = [finding.cells for finding in find(reading.seen, reading.seen.grid()) if finding.kind == "unknown_object"]
        assert any(hidden[cell] >= 0.5 for cells in things for cell in cells)
    untouched = ~cv2.dilate((hidden > 0).astype(np.uint8), np.ones((5, 5), np.uint8)).astype(bool)
    assert np.array_equal(again.imprint.floor[untouched], whole.imprint.floor[untouched])
    assert np.median(np.abs(again.imprint.floor - whole.imprint.floor)[hidden > 0]) < 0.01


@pytest.mark.parametrize("path", STILLS[:2], ids=lambda path: path.stem)
def test_what_is_seen_does_not_depend_on_the_side_that_is_up(path: Path) -> None:
    truth, image = still(path)
    pose = truth_pose(truth, image)
    seen, turned = (read_cells(image, one).imprint for one in (pose, pose.turned(2)))
    assert turned.rim_color[0] == pytest.approx(seen.rim_color[1][:, ::-1], abs=0.3)
    assert np.median(np.abs(turned.relief[::-1, ::-1] - seen.relief)) < 0.05
    assert np.median(np.abs(turned.rim_seen[2] - seen.rim_seen[3][:, ::-1])) < 0.05


def test_marked_cells_that_lie_in_a_square() -> None:
    rows = ["##...", "###..", ".##..", "...##", "...#."]
    mask = np.array([[mark == "#" for mark in row] for row in rows]).astype(np.uint8)
    expected = ["##...", "###..", ".##..", ".....", "....."]
    assert ["".join(".#"[mark] for mark in row) for row in opened(mask, 2).tolist()] == expected
    assert not opened(mask, 3).any()


def test_what_is_said_of_the_cells_around_is_told_with_the_marks() -> None:
    p = np.zeros((14, 14), np.float32)
    p[3:6, 3:6] = 1
    marks = np.random.default_rng(1).normal(size=(14, 14, 4)).astype(np.float32)
    more = marks_around(marks, p)
    assert np.array_equal(more[..., -4:], marks)
    assert more[4, 4, 1:5].tolist() == [1, 1, 1, 1]
    assert more[3, 3, 1:5].tolist() == [0, 1, 1, 1]
    assert more[10, 10, 1:5].tolist() == [0, 0, 0, 0]
    assert more[4, 4, 5] == pytest.approx(1)


def test_the_last_of_a_networks_answers_is_that_of_things() -> None:
    one, none = np.eye(1, dtype=np.float32), np.zeros(1, np.float32)
    network = Network(none, none + 1, one, none, np.array([[0, 0, 4]], np.float32), np.array([1, 1, -1], np.float32))
    p = of_things(network, np.array([[[-1.0], [3.0]]], np.float32))
    assert p[0, 0] < 0.1
    assert p[0, 1] > 0.9
