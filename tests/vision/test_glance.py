"""What differs between two glances: pieces and hands do, light and shadows do not."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.desk import Desk
from vision.glance import ChangeSettings, Difference, Glancer, compare, composed, spread_cells

SETTINGS = ChangeSettings()
PIECE = [(4, 4), (4, 5), (5, 5), (6, 5)]


def difference(before: Desk, after: Desk) -> Difference:
    glancers = [Glancer.of(desk.pose) for desk in (before, after)]
    pictures = [desk.picture(seed) for seed, desk in enumerate((before, after))]
    first, second = (glancer.glance(picture) for glancer, picture in zip(glancers, pictures, strict=True))
    return compare(first, second, SETTINGS)


def changed(found: Difference) -> set[tuple[int, int]]:
    return {(int(r), int(c)) for r, c in np.argwhere(found.changed(SETTINGS))}


@pytest.mark.parametrize("color", ["blue", "yellow", "red", "green"])
def test_exactly_the_cells_of_a_new_piece_changed(color: str) -> None:
    assert changed(difference(Desk(), Desk().put(color, PIECE))) == set(PIECE)


def test_a_piece_that_went_is_a_change_too() -> None:
    assert changed(difference(Desk().put("red", PIECE), Desk())) == set(PIECE)


@pytest.mark.parametrize(
    "after", [Desk(gain=0.6), Desk(gain=1.3), Desk(tint=(0.8, 1.0, 1.15)), Desk(lamp=0.5)], ids=["dimmer", "brighter", "warmer", "lamp"]
)
def test_light_changes_nothing(after: Desk) -> None:
    board = Desk().put("blue", PIECE)
    assert changed(difference(board, after.put("blue", PIECE))) == set()


def test_a_piece_is_seen_through_a_change_of_light() -> None:
    assert changed(difference(Desk(), Desk(gain=0.7, tint=(0.9, 1, 1.1), lamp=0.3).put("green", PIECE))) == set(PIECE)


def test_a_moved_camera_changes_nothing_when_its_pose_is_known() -> None:
    board = Desk().put("yellow", PIECE)
    assert changed(difference(board, board.but(nudge=(7, -4, 1.2)))) == set()


def test_a_hand_covers_the_cells_under_it() -> None:
    found = difference(Desk(), Desk(hand=(320, 260)))
    assert found.covered[10:19, 10].all()
    assert not found.covered[:8].any()


def test_a_piece_held_by_a_hand_is_covered_with_it() -> None:
    found = difference(Desk(), Desk(hand=(320, 260), held="green"))
    assert found.covered[9, 8:12].any()


def test_a_piece_is_not_covered() -> None:
    assert not difference(Desk(), Desk().put("red", PIECE)).covered.any()


@pytest.mark.parametrize("edge", [[(0, 3), (0, 4), (0, 5), (1, 5)], [(19, 19), (18, 19), (17, 19)]])
def test_a_piece_at_the_edge_is_not_covered(edge: list[tuple[int, int]]) -> None:
    assert not difference(Desk(), Desk().put("blue", edge)).covered.any()


def test_a_hand_that_is_faint_on_the_table_covers_what_it_reaches() -> None:
    board = Glancer.of(Desk().pose).glance(Desk().picture())
    finger = board.copy()
    finger[60:76, 150:176] += np.array([-60, 0, 60], np.float32)
    assert not compare(board, finger, SETTINGS).covered.any()
    finger[60:76, 176:192] += np.array([-26, 0, 26], np.float32)
    assert compare(board, finger, SETTINGS).covered[6:7, 17:].all()


def test_a_loose_piece_that_leaves_the_rim_covers_nothing() -> None:
    board = Glancer.of(Desk().pose).glance(Desk().picture())
    placed = board.copy()
    placed[60:76, 160:176] += np.array([-60, 0, 60], np.float32)
    placed[60:76, 184:192] += np.array([60, 0, -60], np.float32)
    assert not compare(board, placed, SETTINGS).covered.any()


def test_a_shadow_across_the_board_covers_nothing_and_supports_no_change() -> None:
    found = difference(Desk(), Desk(shadow=(250, 330)))
    assert not found.covered.any()
    assert found.log_odds(SETTINGS).max() < 1.5


def test_unchanged_cells_are_surely_unchanged_and_new_pieces_surely_new() -> None:
    odds = difference(Desk(), Desk().put("red", PIECE)).log_odds(SETTINGS)
    assert min(odds[cell] for cell in PIECE) > 3
    assert np.median(odds) == -SETTINGS.calm_nats


def test_composing_keeps_the_old_looks_where_told() -> None:
    before, after = Desk().put("red", PIECE), Desk(gain=0.8)
    glancer = Glancer.of(before.pose)
    now = glancer.glance(after.picture(1))
    found = compare(glancer.glance(before.picture(0)), now, SETTINGS)
    mask = np.zeros((20, 20), bool)
    mask[4:7, 4:6] = True
    mixed = composed(found, now, spread_cells(mask))
    assert compare(mixed, now, SETTINGS).changed(SETTINGS).sum() == len(PIECE)
