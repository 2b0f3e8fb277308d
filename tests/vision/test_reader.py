"""Reading changed cells only, and when the whole board is read instead."""

from __future__ import annotations

import numpy as np

from tests.vision.desk import Desk
from vision.observation import Observation
from vision.reader import Reader, ReaderSettings

COLORS = ("blue", "yellow", "red", "green")
BEFORE = Desk().put("blue", [(0, 0), (0, 1), (1, 1)])
AFTER = BEFORE.put("red", [(10, 10), (10, 11)])
CHANGED = np.zeros((20, 20), np.bool_)
CHANGED[10, 9:13] = True


def occupied(seen: Observation) -> dict[tuple[int, int], str]:
    return {(r, c): seen.labels[seen.best[r, c]] for r in range(20) for c in range(20) if seen.labels[seen.best[r, c]] != "empty"}


def test_a_part_is_told_as_the_whole_would_be() -> None:
    reader, pose = Reader(COLORS), BEFORE.pose
    reader.whole(BEFORE.picture(), pose)
    seen = reader.part(AFTER.picture(1), pose, CHANGED)
    assert seen is not None
    assert occupied(seen) == dict(AFTER.board)


def test_the_whole_is_asked_for_at_first_after_some_parts_elsewhere_and_when_much_changed() -> None:
    reader, desk = Reader(COLORS, ReaderSettings(most_cells=20, most_parts=2)), BEFORE.pose
    assert reader.part(AFTER.picture(), desk, CHANGED) is None
    reader.whole(BEFORE.picture(), desk)
    assert [reader.part(AFTER.picture(), desk, CHANGED) is None for _ in range(3)] == [False, False, True]
    reader.whole(AFTER.picture(), desk)
    assert reader.part(AFTER.picture(), AFTER.pose, CHANGED) is None
    assert reader.part(AFTER.picture(), desk, np.ones((20, 20), np.bool_)) is None
