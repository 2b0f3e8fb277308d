"""Things on drawn boards lie where the truth says that cells are hidden, and hide nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.synthetic.leftovers import outline
from tests.synthetic.pieces import Spot, lay
from tests.synthetic.scene import build, draw, random_scene
from tests.synthetic.shapes import Placed
from tests.synthetic.stills import Position, hidden_cells
from tests.synthetic.things import THINGS, Sheet, fill_mask, lay_sheet, stray, write_thing

SMALL = (640, 480)


@pytest.mark.parametrize("thing", THINGS)
def test_a_thing_hides_some_cells_but_not_the_board(tmp_path: Path, thing: str) -> None:
    write_thing(tmp_path, 40, "a", thing, image_wh=SMALL)
    truth = json.loads((tmp_path / "a.json").read_text())
    assert truth["conditions"]["thing"] == thing
    hidden = [share for _, _, share in truth["cell_occlusion"]]
    assert 0 < len(hidden) < 200
    assert max(hidden) > 0.3
    assert "?" not in "".join(truth["board"])


def test_the_same_seed_draws_the_same_thing(tmp_path: Path) -> None:
    for name in "ab":
        write_thing(tmp_path, 41, name, "sheet_corner", image_wh=SMALL)
    assert (tmp_path / "a.jpg").read_bytes() == (tmp_path / "b.jpg").read_bytes()


def test_a_dark_sheet_darkens_the_cells_it_hides_and_no_others() -> None:
    scene = random_scene(42, "classic", SMALL, board="white", light="overcast", tilt=40.0)
    sheet = Sheet(np.array([[1.9, 11.9], [8.1, 11.9], [8.1, 18.1], [1.9, 18.1]]), 0.03, (0.03, 0.03, 0.03), "plain")
    bare, atlas = draw(scene, build(scene, [], [])), build(scene, [], [])
    lay_sheet(atlas, sheet, np.random.default_rng(1))
    mask = np.zeros(SMALL[::-1], np.uint8)
    fill_mask(scene, mask, [sheet.corners], sheet.height)
    factor = (draw(scene, atlas) / np.maximum(bare, 1e-4)).mean(-1)
    assert np.median(factor[mask > 0]) < 0.3
    assert (factor[cv2.dilate(mask, np.ones((25, 25), np.uint8)) == 0] > 0.8).all()
    hidden = {(r, c) for r, c, share in hidden_cells(scene.pose, ["." * 20] * 20, 0.25, mask) if share > 0.9}
    assert hidden == {(r, c) for r in range(12, 18) for c in range(2, 8)}


def test_a_piece_upon_others_covers_them_and_one_askew_none() -> None:
    scene = random_scene(43, "classic", SMALL, tilt=10.0)
    placed = tuple(Placed("B", "O", ((r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1))) for r in range(4, 16, 3) for c in range(4, 16, 3))
    position, board = Position(placed, (), (), "B"), np.zeros((20, 20), np.bool_)
    for piece in placed:
        board[tuple(np.array(piece.cells).T)] = True
    for where, least, most in (("stacked", 2, 400), ("askew", 0, 0)):
        item = stray(scene, np.random.default_rng(5), where, position)
        ground = np.zeros((200, 200), np.uint8)
        for square in outline(item):
            cv2.fillConvexPoly(ground, np.round(square * 10 - 0.5).astype(np.int32), 1)
        under = int((ground.reshape(20, 10, 20, 10).sum((1, 3)) > 30)[board].sum())
        assert least <= under <= most
        lay(
            build(scene, list(placed), []),
            item.cells,
            item.color,
            scene.pieces,
            Spot(item.at, item.turn_deg, item.up),
            np.random.default_rng(6),
        )
