"""Finding the board in drawn pictures of many kinds: nearly all are found, none is named a cell off."""

import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.locate import BoardNotFoundError, locate_board, locate_only_board
from tests.calibration.corners import off_cells
from tests.synthetic.negatives import picture
from tests.synthetic.scene import random_scene
from tests.synthetic.stills import photograph, write_still

SEEDS = range(300, 307)

STEEP = [seed for seed in range(320, 345) if random_scene(seed, "classic", (1280, 960)).pose.tilt_deg > 50][:5]
"""Pictures in which far lines are close and pieces lean over their neighbours."""


@pytest.mark.slow
@pytest.mark.parametrize(("seeds", "kind", "least"), [(SEEDS, "classic", 6), (STEEP, "classic", 3), (range(400, 404), "duo", 3)])
def test_drawn_boards_are_found_and_none_is_a_cell_off(tmp_path: Path, seeds: Sequence[int], kind: str, least: int) -> None:
    found = []
    for seed in seeds:
        write_still(tmp_path, seed, str(seed), kind, (1280, 960))
        truth = json.loads((tmp_path / f"{seed}.json").read_text())
        image = cv2.imread(str(tmp_path / f"{seed}.jpg"))
        assert image is not None
        try:
            pose = locate_board(np.asarray(image, np.uint8), len(truth["board"]))
        except BoardNotFoundError:
            continue
        found.append(seed)
        assert off_cells(pose, np.array(truth["grid_corners_px"])) < 0.5, seed
    assert len(found) >= least, sorted(set(seeds) - set(found))


@pytest.mark.parametrize("seed", [973107, 973108, 973113])
def test_a_second_board_with_few_clear_lines_is_found_out(seed: int) -> None:
    scene, linear = picture(seed, "two_boards")
    with pytest.raises(BoardNotFoundError, match="two boards"):
        locate_only_board(photograph(scene, linear, seed))
