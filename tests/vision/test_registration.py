"""Following the board: nothing when nothing moved, the motion when something did, honest loss otherwise."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.desk import Desk
from vision.glance import ChangeSettings, Difference, FloatArray, Glancer, compare
from vision.hold import Hold, angle_between_deg
from vision.registration import anchor, stands_still, track

BOARD = Desk().put("blue", [(2, 2), (2, 3), (3, 3)]).put("red", [(17, 15), (17, 16), (16, 16)])


def error_cells(start: Desk, end: Desk) -> float:
    """Largest error of a followed corner, in cells."""
    found = track(anchor(start.picture(0), start.pose), end.picture(1))
    assert found is not None
    return float(np.abs(found.pose.corners_px - end.pose.corners_px).max() / 20)


def follow(hold: Hold, image_bgr: NDArray[np.uint8]) -> bool | None:
    """Follows the board from the resting one."""
    glance = hold.glance(image_bgr)
    return hold.follow(image_bgr, glance, compare(hold.glance(BOARD.picture(0)), glance, ChangeSettings()))


@pytest.mark.parametrize("nudge", [(3, 0, 0), (0, 6, 0), (5, -5, 1), (-4, 2, -1.5), (9, 7, 0.5)])
@pytest.mark.parametrize("board", [Desk(), BOARD], ids=["empty", "pieces"])
def test_a_nudge_is_followed(board: Desk, nudge: tuple[float, float, float]) -> None:
    assert error_cells(board, board.but(nudge=nudge)) < 0.12


@pytest.mark.parametrize("image_wh", [(512, 416), (1600, 1300), (321, 260)])
def test_a_board_is_followed_into_pictures_of_another_size(image_wh: tuple[int, int]) -> None:
    hold, nudged = Hold(BOARD.picture(0), BOARD.pose), BOARD.but(nudge=(5, -5, 1))
    assert hold.resize(image_wh)
    assert hold.pose.image_wh == image_wh
    picture = np.asarray(cv2.resize(nudged.picture(1), image_wh, interpolation=cv2.INTER_AREA), np.uint8)
    assert hold.follow(picture, hold.glance(picture), compare(hold.glance(picture), hold.glance(picture), ChangeSettings())) is not None
    found = track(hold._anchor, picture)
    assert found is not None
    assert np.abs(found.pose.corners_px / found.pose.image_wh - nudged.pose.corners_px / nudged.pose.image_wh).max() < 0.004


def test_a_picture_of_another_shape_is_not_the_same_at_another_size() -> None:
    assert not Hold(BOARD.picture(0), BOARD.pose).resize((520, 640))


def test_a_still_board_keeps_its_pose_to_the_last_bit() -> None:
    start = anchor(BOARD.picture(0), BOARD.pose)
    for seed in range(1, 6):
        found = track(start, BOARD.picture(seed))
        assert found is not None
        assert not found.moved
        assert found.pose is start.pose


@pytest.mark.parametrize(
    "change",
    [{"gain": 0.6}, {"lamp": 0.8}, {"hand": (300, 300)}, {"shadow": (200, 300)}],
    ids=["dimmer", "lamp", "hand", "shadow"],
)
def test_light_and_hands_do_not_look_like_motion(change: dict[str, object]) -> None:
    found = track(anchor(BOARD.picture(0), BOARD.pose), BOARD.but(**change).picture(1))
    assert found is not None
    assert not found.moved


def test_a_nudge_under_a_hand_is_followed() -> None:
    assert error_cells(BOARD, BOARD.but(nudge=(6, 3, 0.7), hand=(330, 280))) < 0.15


def glanced(now: Desk) -> tuple[Difference, FloatArray]:
    """A glance at the board where it was, and its difference from that of the board at rest."""
    glancer = Glancer.of(BOARD.pose)
    glance = glancer.glance(now.picture(1))
    return compare(glancer.glance(BOARD.picture(0)), glance, ChangeSettings()), glance


@pytest.mark.parametrize(
    "now",
    [BOARD, BOARD.but(gain=0.7), BOARD.but(lamp=0.5), BOARD.put("green", [(9, 9), (9, 10), (9, 11)]), BOARD.but(hand=(300, 300))],
    ids=["same", "dim", "lamp", "piece", "hand"],
)
def test_a_glance_tells_that_the_board_stands_still(now: Desk) -> None:
    assert stands_still(*glanced(now))


@pytest.mark.parametrize("nudge", [(0.8, 0, 0), (0, -1, 0), (0, 0, 0.15), (5, 4, 1), (20, 0, 0), (0, 20, 0)])
def test_a_nudge_is_no_standing_still(nudge: tuple[float, float, float]) -> None:
    assert not stands_still(*glanced(BOARD.but(nudge=nudge)))


def test_another_scene_is_a_loss() -> None:
    noise = np.random.default_rng(0).integers(0, 255, BOARD.picture().shape).astype(np.uint8)
    assert track(anchor(BOARD.picture(0), BOARD.pose), noise) is None


def test_a_picture_of_another_size_is_a_loss() -> None:
    assert track(anchor(BOARD.picture(0), BOARD.pose), BOARD.picture(1)[::2, ::2]) is None


def test_small_creeping_adds_up_and_is_followed() -> None:
    hold = Hold(BOARD.picture(0), BOARD.pose)
    path = [BOARD.but(nudge=(0.4 * step, 0.3 * step, 0.0)) for step in range(1, 16)]
    for step, desk in enumerate(path):
        assert follow(hold, desk.picture(step)) is not None
    assert np.abs(hold.pose.corners_px - path[-1].pose.corners_px).max() < 2.5


def test_a_held_board_is_followed_from_a_newer_picture_when_much_changed() -> None:
    desk = Desk()
    hold = Hold(desk.picture(0), desk.pose)
    for row in range(0, 20, 2):
        desk = desk.put("green", [(row, col) for col in range(20)])
        follow(hold, desk.picture(row + 1))
        hold.renew(desk.picture(row + 1))
    assert follow(hold, desk.but(nudge=(5, 0, 0)).picture(99))
    assert np.abs(hold.pose.corners_px - desk.but(nudge=(5, 0, 0)).pose.corners_px).max() < 2.5


@pytest.mark.parametrize("by_glances", [True, False], ids=["stands still", "regained"])
def test_a_board_that_is_seen_where_it_was_has_not_gone_astray(by_glances: bool) -> None:
    hold = Hold(BOARD.picture(0), BOARD.pose)
    noise = np.random.default_rng(1).integers(0, 255, BOARD.picture().shape).astype(np.uint8)
    assert follow(hold, noise) is None
    assert hold.is_astray
    again = BOARD.picture(1)
    assert (follow(hold, again) is False) if by_glances else hold.regain(again)
    assert not hold.is_astray


def test_the_same_camera_is_at_no_angle_to_itself() -> None:
    assert angle_between_deg(BOARD.pose, BOARD.pose) == pytest.approx(0, abs=1e-3)
