"""Pictures of a recording from before its board was found."""

from __future__ import annotations

import numpy as np

from tests.vision.desk import Desk
from vision.frames import Frame
from vision.lookback import Lookback

EMPTY = Desk()
ONE = EMPTY.put("blue", [(0, 0), (0, 1), (0, 2), (1, 2)])


def test_only_pictures_that_show_the_board_where_it_was_found_are_looked_back_at() -> None:
    other = np.random.default_rng(0).integers(0, 255, EMPTY.picture().shape).astype(np.uint8)
    lookback, found = Lookback(), EMPTY.pose
    for index, image in enumerate((EMPTY.picture(0), other, EMPTY.picture(2), ONE.picture(3))):
        lookback.keep(Frame(index, None, image))
    missed, pose = lookback.recall(ONE.picture(4), found)
    assert [frame.index for frame in missed] == [2, 3]
    assert pose is found
    assert lookback.recall(ONE.picture(4), found)[0] == []


def test_only_the_newest_pictures_without_a_board_are_kept() -> None:
    lookback = Lookback(most_bytes=2 * EMPTY.picture().nbytes)
    for index in range(4):
        lookback.keep(Frame(index, None, EMPTY.picture(index)))
    assert [frame.index for frame in lookback.recall(EMPTY.picture(4), EMPTY.pose)[0]] == [2, 3]


def test_a_nudge_on_the_way_is_followed_back() -> None:
    lookback, moved = Lookback(), EMPTY.but(nudge=(5, 4, 1))
    lookback.keep(Frame(0, None, EMPTY.picture(0)))
    missed, pose = lookback.recall(moved.picture(1), moved.pose)
    assert [frame.index for frame in missed] == [0]
    assert np.abs(pose.corners_px - EMPTY.pose.corners_px).max() < 2.5
