"""Finding the board in drawn pictures of many kinds: nearly all are found, none is named a cell off."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.locate import BoardNotFoundError, locate_board
from tests.calibration.corners import off_cells
from tests.synthetic.stills import write_still

SEEDS = range(300, 310)


@pytest.mark.slow
def test_drawn_boards_are_found_and_none_is_a_cell_off(tmp_path: Path) -> None:
    found = []
    for seed in SEEDS:
        write_still(tmp_path, seed, str(seed), "classic", (1280, 960))
        truth = json.loads((tmp_path / f"{seed}.json").read_text())
        image = cv2.imread(str(tmp_path / f"{seed}.jpg"))
        assert image is not None
        try:
            pose = locate_board(np.asarray(image, np.uint8))
        except BoardNotFoundError:
            continue
        found.append(seed)
        assert off_cells(pose, np.array(truth["grid_corners_px"])) < 0.75, seed
    assert len(found) >= 8, sorted(set(SEEDS) - set(found))
