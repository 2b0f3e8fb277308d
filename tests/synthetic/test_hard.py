"""Hard pictures and boards of other games: their truth agrees with what was asked for."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.synthetic.hard import WAYS, hard_scene, write_hard_still
from tests.synthetic.others import COUNTS, GAMES, other_board
from tests.synthetic.scene import least_cell_px, whole

SMALL = (640, 480)


@pytest.mark.parametrize("way", WAYS)
def test_a_hard_board_is_whole_and_its_cells_are_large_enough(way: str) -> None:
    for seed in range(3):
        scene = hard_scene(seed, way)
        assert whole(scene.pose, scene.board.rim)
        assert float(scene.pose.cell_sizes_px().min()) >= least_cell_px(scene.pose.tilt_deg)
        assert scene.pose.tilt_deg < 60.5


def test_leftovers_laid_against_the_board_lie_beside_it(tmp_path: Path) -> None:
    write_hard_still(tmp_path, 3, "a", "against", image_wh=SMALL)
    truth = json.loads((tmp_path / "a.json").read_text())
    assert truth["loose"]
    assert truth["conditions"]["way"] == "against"
    outer = np.array(truth["board_outer_corners_px_approx"], np.float32)
    for loose in truth["loose"]:
        x, y = np.mean(loose["box_px"], axis=0)
        assert cv2.pointPolygonTest(outer, (float(x), float(y)), measureDist=False) < 0


@pytest.mark.parametrize("game", GAMES)
def test_a_board_of_another_game_has_no_count_of_this_game(game: str) -> None:
    scene, linear = other_board(5, game, SMALL)
    assert scene.kind.size in COUNTS[game]
    assert scene.kind.size not in (14, 20)
    assert linear.shape == (480, 640, 3)
    assert np.isfinite(linear).all()
