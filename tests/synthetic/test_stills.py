"""A still's truth agrees with its picture, and both follow from the seed."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.pose import GridPose
from tests.synthetic.dress import dress, random_hand
from tests.synthetic.naive import score
from tests.synthetic.negatives import SUBJECTS, cells_outside, picture
from tests.synthetic.scene import build, draw, random_scene
from tests.synthetic.shapes import KINDS, Placed
from tests.synthetic.stills import TURNS, hidden_cells, save, write_still

SMALL = (640, 480)


def test_the_same_seed_draws_the_same_still(tmp_path: Path) -> None:
    for name in ("first", "second"):
        write_still(tmp_path, 11, name, "classic", SMALL)
    first, second = ((tmp_path / f"{n}.jpg").read_bytes() for n in ("first", "second"))
    assert first == second
    truths = [json.loads((tmp_path / f"{n}.json").read_text()) | {"image": ""} for n in ("first", "second")]
    assert truths[0] == truths[1]


@pytest.mark.parametrize(("kind", "seed"), [("classic", 21), ("duo", 22), ("junior", 23)])
def test_the_truth_has_the_shared_schema(tmp_path: Path, kind: str, seed: int) -> None:
    write_still(tmp_path, seed, "a", kind, SMALL)
    truth = json.loads((tmp_path / "a.json").read_text())
    game = KINDS[kind]
    assert truth["image"] == "a.jpg"
    image = cv2.imread(str(tmp_path / "a.jpg"))
    assert image is not None
    assert (truth["height"], truth["width"]) == image.shape[:2]
    assert len(truth["board"]) == game.size
    assert set("".join(truth["board"])) <= {*game.colors, ".", "?"}
    laid = {tuple(c): p["color"] for p in truth["placements"] for c in p["cells"]}
    for r, row in enumerate(truth["board"]):
        for c, letter in enumerate(row):
            assert letter == "?" or laid.get((r, c), ".") == letter
    camera = truth["camera"]
    pose = GridPose.from_corners(np.array(truth["grid_corners_px"]), SMALL, game.size, camera["dist_k1_k2_p1_p2_k3"][0], camera["K"][0][0])
    assert np.abs(pose.corners_px - truth["grid_corners_px"]).max() < 0.1
    assert pose.tilt_deg == pytest.approx(camera["tilt_deg"], abs=0.5)
    assert truth["conditions"]["cell_px_min"] >= 12


@pytest.mark.parametrize("seed", [31, 32, 33])
def test_pieces_appear_where_the_pose_puts_their_tops(seed: int) -> None:
    """Blue squares in the corners and the middle of a white board: the picture is bluest exactly over them."""
    scene = random_scene(seed, "classic", SMALL, board="white", light="overcast")
    spots = [(0, 0), (0, 19), (19, 19), (19, 0), (9, 11)]
    placed = [Placed("B", "1", (s,)) for s in spots]
    linear = draw(scene, build(scene, placed, []))
    blueness = linear[..., 0] / (linear.sum(-1) + 1e-6)
    for r, c in spots:
        top = scene.pose.project(np.array([[c + 0.5, r + 0.5]]), scene.pieces.height)[0]
        floor = scene.pose.project(np.array([[9.5 + (c > 9), 4.5]]))[0]
        at_top, at_floor = (blueness[round(float(p[1])), round(float(p[0]))] for p in (top, floor))
        assert at_top > at_floor + 0.1, (r, c)
    plain = draw(scene, build(scene, [], []))
    changed = np.abs(blueness - plain[..., 0] / (plain.sum(-1) + 1e-6)) > 0.12
    ys, xs = np.nonzero(changed)
    tops = scene.pose.unproject(np.stack([xs, ys], -1).astype(float), scene.pieces.height / 2)
    middles = np.array([[c + 0.5, r + 0.5] for r, c in spots])
    off = np.abs(tops[:, None] - middles[None]).max(-1).min(-1)
    assert np.percentile(off, 99) < 0.95


def test_cells_under_a_hand_are_told() -> None:
    scene = random_scene(41, "classic", SMALL)
    linear = draw(scene, build(scene, [], []))
    mask = dress(scene, linear, np.random.default_rng(1), [], [random_hand(scene, np.random.default_rng(2))])
    hidden = hidden_cells(scene.pose, ["." * 20] * 20, scene.pieces.height, mask)
    assert hidden
    for r, c, share in hidden:
        x, y = scene.pose.project(np.array([[c + 0.5, r + 0.5]]))[0].round().astype(int)
        if share == 1.0:
            assert mask[y, x] > 127


@pytest.mark.parametrize("orientation", sorted(TURNS))
def test_a_picture_is_read_upright_whatever_its_stored_orientation(tmp_path: Path, orientation: int) -> None:
    picture = np.zeros((40, 80, 3), np.uint8)
    picture[:20, :20] = (0, 0, 255)
    save(tmp_path / "a.jpg", picture, 95, orientation)
    read = np.asarray(cv2.imread(str(tmp_path / "a.jpg")))
    assert read.shape == picture.shape
    assert read[5, 5, 2] > 200 > read[35, 5, 2]
    assert read[5, 75].max() < 60


@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_negative_can_be_drawn(subject: str) -> None:
    scene, linear = picture(51, subject, SMALL)
    assert np.isfinite(linear).all()
    assert linear.shape[:2] == scene.pose.image_wh[::-1]
    if subject == "half_board":
        assert cells_outside(scene.pose) > 0.2


def test_a_folder_can_be_scored_by_the_naive_reader(tmp_path: Path) -> None:
    write_still(tmp_path, 61, "000", "classic", SMALL)
    (only,) = score(tmp_path)
    assert only.name == "000"
    assert 0 < only.right <= only.cells <= 400
