"""Leftovers lie as their style says, and the truth tells which of them can be asked for."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.synthetic.leftovers import STYLES, arrange, colored_things, outline
from tests.synthetic.scene import Loose, random_scene
from tests.synthetic.shapes import KINDS
from tests.synthetic.stills import hidden_share, write_table

SMALL = (640, 480)
PX = 20


def ground(item: Loose) -> np.ndarray:
    """(1200, 1200) bool, where a piece lies."""
    mask = np.zeros((60 * PX, 60 * PX), np.uint8)
    for square in outline(item):
        cv2.fillConvexPoly(mask, np.round((square + 20) * PX).astype(np.int32), 1)
    return mask > 0


def overlap(first: Loose, second: Loose) -> float:
    """Common ground of two pieces in cells."""
    return float((ground(first) & ground(second)).sum()) / PX**2


@pytest.mark.parametrize("style", STYLES)
def test_pieces_overlap_only_where_they_are_stacked(style: str) -> None:
    touched = 0
    for seed in range(5, 9):
        scene = random_scene(seed, "classic", SMALL, tilt=10.0)
        hands = {"B": ["1", "I3", "V3", "L4", "P", "W", "X"], "R": ["T4", "O", "F", "U"]}
        loose = arrange(scene, hands, np.random.default_rng(seed), dict.fromkeys(hands, style))
        assert {item.piece for item in loose} <= {name for names in hands.values() for name in names}
        most = max((overlap(a, b) for a, b in combinations(loose, 2)), default=0.0)
        assert most < 0.25 or style == "stacked"
        touched += sum(item.touching for item in loose)
    assert (touched > 0) == (style != "strewn")


def test_things_stand_clear_of_the_pieces() -> None:
    scene = random_scene(6, "classic", SMALL, tilt=10.0)
    loose = arrange(scene, {"B": list(KINDS["classic"].pieces)}, np.random.default_rng(3), {"B": "strewn"})
    things = colored_things(scene, loose, np.random.default_rng(4), 5)
    assert things
    for thing in things:
        assert all(np.hypot(thing.at[0] - item.at[0], thing.at[1] - item.at[1]) > thing.reach for item in loose)


def test_a_table_s_truth_tells_each_piece(tmp_path: Path) -> None:
    write_table(tmp_path, 9004, "a", "classic", SMALL)
    truth = json.loads((tmp_path / "a.json").read_text())
    assert truth["loose"]
    for piece in truth["loose"]:
        assert {"color", "piece", "squares", "box_px", "whole", "in_picture", "hidden", "touching"} <= set(piece)
        assert not piece["whole"] or (piece["in_picture"] and not piece["touching"] and piece["hidden"] < 0.01)
    laid = [(piece["color"], piece["piece"]) for piece in truth["loose"]]
    placed = [(piece["color"], piece["piece"]) for piece in truth["placements"]]
    assert len(set(laid + placed)) == len(laid) + len(placed)


def test_the_hidden_share_is_that_of_the_mask() -> None:
    mask = np.zeros((40, 40), np.uint8)
    mask[:, 20:] = 255
    square = np.array([[[10.0, 10.0], [29.0, 10.0], [29.0, 19.0], [10.0, 19.0]]])
    assert hidden_share(square, mask) == pytest.approx(0.5)
    assert hidden_share(square, None) == 0
