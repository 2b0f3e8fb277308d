"""How a game begins: the first look at its board, and what happened before that."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.locate import BoardNotFoundError
from calibration.pose import GridPose
from tests.vision.desk import BgrImage, Film
from tests.vision.story import EMPTY, ONE, THIRD, TWO, still, watched
from vision.explain import Explainer
from vision.first import first_look
from vision.observation import Observation
from vision.watch import BoardFound, StartSeen


@pytest.mark.parametrize(("live", "frames"), [(False, [1, 2, 3]), (True, [3])])
def test_what_happened_before_the_board_was_found_is_seen_after_all_in_recordings(live: bool, frames: list[int]) -> None:
    tries: list[int] = []

    def locate(_image: BgrImage, _size: int) -> GridPose:
        tries.append(1)
        if len(tries) < 3:
            raise BoardNotFoundError("no grid of evenly spaced lines was seen")
        return EMPTY.pose

    story = watched(Film([EMPTY, ONE, TWO, TWO.put("red", THIRD)], fps=None, live=live), locate=locate)
    assert [frame for frame, _ in story.changes] == frames
    assert [item.frame for item in story.of(BoardFound) if isinstance(item, BoardFound)] == [0 if not live else 2]


def test_a_first_look_with_something_odd_in_it_is_taken_again(monkeypatch: pytest.MonkeyPatch) -> None:
    real, looks = Explainer.read, list[int]()

    def misread(explainer: Explainer, image: BgrImage, pose: GridPose) -> Observation:
        seen = real(explainer, image, pose)
        looks.append(1)
        if len(looks) == 1:
            seen.log_p[5, 5:8] = np.log(np.where(np.array(seen.labels) == "green", 1 - 1e-6, 1e-7))
        return seen

    monkeypatch.setattr(Explainer, "read", misread)
    (start,) = watched(Film(still(EMPTY, 12))).of(StartSeen)
    assert isinstance(start, StartSeen)
    assert set("".join(start.grid)) == {"."}
    assert len(looks) > 1


def test_a_plain_first_look_is_believed_at_once() -> None:
    (start,) = watched(Film(still(EMPTY, 12))).of(StartSeen)
    assert start.frame == 7


def _read(rows: list[str]) -> Observation:
    """Letters on an otherwise empty board, top-left; ``?`` cells are a little likelier blue than anything else."""
    labels = ("empty", "blue", "yellow", "red", "green", "unknown")
    p = np.full((20, 20, len(labels)), 1e-6)
    p[..., 0] = 1
    for row, line in enumerate(rows):
        for col, letter in enumerate(line):
            p[row, col] = {".": [1, 0, 0, 0, 0, 0], "?": [0.1, 0.5, 0, 0, 0, 0.4]}.get(letter, np.eye(6)[".BYRG".find(letter)])
    return Observation(labels, np.log(np.maximum(p, 1e-6) / np.maximum(p, 1e-6).sum(-1, keepdims=True)).astype(np.float32))


def test_a_shadow_that_ends_in_cells_of_no_colour_is_not_taken_for_squares_of_one() -> None:
    shadow = first_look(_read(["B"] * 8 + ["?"] * 12))
    assert (dict(shadow.board), len(shadow.unsure), shadow.is_plain) == ({}, 20, False)


def test_squares_that_are_no_piece_are_named_when_all_around_them_is_clear() -> None:
    rows = ["BBBBBB....YYYY", "", "RRRRR"]
    look = first_look(_read(rows))
    assert (len(look.board), look.unsure, look.is_plain) == (15, frozenset(), False)


def test_pieces_beside_cells_that_cannot_be_told_are_named() -> None:
    look = first_look(_read(["BBBBB....YYYY", "?", "RRRRR"]))
    assert (len(look.board), look.unsure) == (14, frozenset({(1, 0)}))
