"""The colours of one picture: which of its commonest colours is the empty board's."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from tests.evaluation.stills import aligned, turned
from tests.synthetic.stills import write_still
from vision.read import read_board


def test_a_dark_board_half_in_the_sun_is_told_from_the_blue_pieces_and_the_blue_cloth_around_it(tmp_path: Path) -> None:
    # Few cells are empty, under two lights; each colour of the pieces is commoner than any colour of theirs.
    write_still(tmp_path, 604_003, "sun", "classic")
    truth = json.loads((tmp_path / "sun.json").read_text())
    reading = read_board(np.asarray(cv2.imread(str(tmp_path / "sun.jpg")), np.uint8))
    quarter_turns, _ = aligned(reading.pose.corners_px.tolist(), truth["grid_corners_px"], 20)
    grid = turned(list(reading.grid), quarter_turns)
    told = [(got, true) for seen, row in zip(grid, truth["board"], strict=True) for got, true in zip(seen, row, strict=True) if got != "?"]
    assert [pair for pair in told if pair[0] != pair[1] and pair[1] != "?"] == []
    assert len(told) > 380
