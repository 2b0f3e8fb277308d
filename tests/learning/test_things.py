"""Lessons of boards with things on them, and what the two networks learn of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.learning.cells import BATCH
from tests.learning.things import Board, board_of, learn
from tests.synthetic.things import write_thing
from vision.things import learnt, marks_around, of_things


def test_lessons_are_all_cells_but_those_partly_hidden(tmp_path: Path) -> None:
    write_thing(tmp_path, 634_001, "a", "sheet_corner", image_wh=(640, 480))
    board = board_of(tmp_path / "a.json", np.random.default_rng(1))
    assert {0, 2} <= set(board.what.ravel().tolist()) <= {-1, 0, 1, 2}
    cell, around = learnt()
    assert board.marks.shape == (20, 20, len(cell.mean))
    assert marks_around(board.marks, of_things(cell, board.marks)).shape == (20, 20, len(around.mean))


def test_the_second_network_learns_what_only_the_cells_around_tell() -> None:
    rng = np.random.default_rng(3)
    boards = []
    for _ in range(BATCH // 25):
        what = np.zeros((14, 14), np.intp)
        row, col = rng.integers(0, 9, 2)
        what[row : row + 5, col : col + 5] = 2
        marks = rng.normal(0, 1, (14, 14, 3)).astype(np.float32)
        marks[..., 0] += 2.5 * (what == 2)
        boards.append(Board(marks, what))
    cell, around = learn(boards)
    wrong = [0, 0]
    for board in boards:
        first = of_things(cell, board.marks)
        second = of_things(around, marks_around(board.marks, first))
        for k, p in enumerate((first, second)):
            wrong[k] += int(((p > 0.5) != (board.what == 2)).sum())
    assert 0 < wrong[1] < 0.7 * wrong[0]
