"""Loose pieces in the shipped pictures: the truth there tells what lies on the board, so what is named beside it must be left over."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.pose import GridPose
from referee.cells import COLOR_LETTER
from referee.pieces import identify
from referee.variants import get_variant
from tests.vision.boards import STILLS, still, truth_pose
from vision.loose import LoosePiece, find_loose

CLASSIC = get_variant("classic")


@cache
def beside(path: Path) -> tuple[tuple[LoosePiece, ...], dict[str, Any], GridPose]:
    truth, image = still(path)
    pose = truth_pose(truth, image)
    return find_loose(image, pose, tuple(truth["board"]), CLASSIC.colors).pieces, truth, pose


@pytest.mark.parametrize("path", STILLS, ids=lambda path: path.stem)
def test_what_is_named_beside_the_board_is_left_over_by_it(path: Path) -> None:
    pieces, truth, _ = beside(path)
    for color in CLASSIC.colors:
        own = [frozenset((row, col) for row, col in p["cells"]) for p in truth["placements"] if p["color"] == COLOR_LETTER[color]]
        named = Counter(piece.piece for piece in pieces if piece.color == color and piece.piece)
        assert not named + Counter(identify(cells) for cells in own) - Counter(CLASSIC.pieces)


@pytest.mark.parametrize("path", STILLS, ids=lambda path: path.stem)
def test_loose_pieces_lie_beside_the_board(path: Path) -> None:
    pieces, _, pose = beside(path)
    for piece in pieces:
        x, y = piece.polygon_px.mean(0).tolist()
        assert cv2.pointPolygonTest(pose.corners_px.astype(np.float32), (x, y), measureDist=False) < 0


def test_loose_pieces_there_are_named() -> None:
    named = [piece.piece for path in STILLS for piece in beside(path)[0] if piece.piece]
    assert len(named) >= 5
