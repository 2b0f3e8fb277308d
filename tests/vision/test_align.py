"""Corrections of the pose by the borders of the colours: fields of labels, and drawn boards with a pose that is off."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.pose import GridPose
from tests.vision.boards import drawn, random_rows
from vision.align import NO_NUDGE, nudge_of, shifts
from vision.classify import read_cells

FloatArray = NDArray[np.float32]

PER_CELL = 4
CELLS = 12
AXIS = (((np.arange(CELLS * PER_CELL) + 0.5) / (CELLS * PER_CELL)) * 2 - 1).astype(np.float32)
ONES = np.ones((CELLS * PER_CELL, CELLS * PER_CELL), np.float32)


def labels(rows_cells: float = 0.0, cols_cells: float = 0.0) -> FloatArray:
    """(3, m, m) 1 where a label lies, on a board that lies so many cells farther down and to the right."""
    what = np.random.default_rng(1).integers(0, 3, (CELLS + 2, CELLS + 2))
    row, col = (
        np.floor((np.arange(CELLS * PER_CELL) + 0.5) / PER_CELL - off + 1).astype(int).clip(0, CELLS + 1)
        for off in (rows_cells, cols_cells)
    )
    return np.stack([(what[np.ix_(row, col)] == label).astype(np.float32) for label in range(3)])


@pytest.mark.parametrize("off", [(0.0, 0.0), (0.25, 0.0), (0.0, 0.25), (-0.25, 0.0), (0.25, -0.25)])
def test_a_shift_is_found_in_its_direction_and_to_a_third(off: tuple[float, float]) -> None:
    nudge = nudge_of(labels(*off), labels(), ONES, AXIS, PER_CELL)
    assert nudge[:, 0] == pytest.approx(off, abs=0.09)
    assert np.abs(nudge[:, 1:]).max() < 0.05


def test_labels_without_a_border_tell_nothing() -> None:
    even = np.stack([ONES, 0 * ONES])
    assert np.array_equal(nudge_of(even, even, ONES, AXIS, PER_CELL), NO_NUDGE)


def test_samples_without_weight_tell_nothing() -> None:
    assert np.abs(nudge_of(labels(0.25), labels(), 0 * ONES, AXIS, PER_CELL)).max() < 1e-6


@pytest.mark.parametrize(
    ("term", "expected"),
    [(0, [[1, 1], [1, 1]]), (1, [[-1, 1], [-1, 1]]), (2, [[-1, -1], [1, 1]]), (3, [[1, -1], [-1, 1]])],
    ids=["everywhere", "along columns", "along rows", "both"],
)
def test_the_terms_of_a_nudge(term: int, expected: list[list[float]]) -> None:
    nudge = np.zeros((2, 4), np.float32)
    nudge[0, term] = 1
    ends = np.array([-1.0, 1.0], np.float32)
    assert shifts(nudge, ends, ends)[0].tolist() == expected
    assert not shifts(nudge, ends, ends)[1].any()


@pytest.mark.parametrize("off_cells", [(0.0, 0.0), (0.12, 0.0), (0.0, -0.12), (0.1, 0.1)])
def test_a_pose_that_is_off_is_corrected_before_the_cells_are_read(off_cells: tuple[float, float]) -> None:
    rows = random_rows(20, "..BYRG", seed=51)
    image, pose = drawn(rows)
    off = GridPose.from_corners(pose.corners_px + 24 * np.array(off_cells[::-1]), pose.image_wh)
    reading = read_cells(image, off)
    assert reading.nudge[:, 0] == pytest.approx([-cells for cells in off_cells], abs=0.06)
    assert reading.seen.grid() == tuple(rows)
