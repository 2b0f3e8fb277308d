"""Whole little films: what the watcher tells of them, and what it keeps to itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from calibration.locate import BoardNotFoundError
from calibration.pose import GridPose
from referee.cells import Cell
from referee.sightings import Change
from tests.vision.desk import SIZE, WH, Believer, BgrImage, Desk, Film
from tests.vision.story import EMPTY, FIRST, ONE, SECOND, THIRD, TWO, by_hand, came, still, watched, went
from vision.frames import Frame, Lost
from vision.sharpness import Focus
from vision.watch import BoardFound, CameraState, Seen, StartSeen, Watcher, WatchSettings


def test_a_game_is_told_piece_by_piece_within_a_second() -> None:
    story = watched(Film([*still(EMPTY), *by_hand(EMPTY, ONE, "blue"), *still(ONE), *by_hand(ONE, TWO, "yellow"), *still(TWO)]))
    assert [change for _, change in story.changes] == [came("blue", FIRST), came("yellow", SECOND)]
    assert [(frame or 0) - calm for (frame, _), calm in zip(story.changes, (17, 34), strict=True)] <= [10, 10]
    assert len(story.of(BoardFound)) == len(story.of(StartSeen)) == 1


@pytest.mark.parametrize(
    "film",
    [
        [*still(ONE), *by_hand(ONE, ONE), *still(ONE), *by_hand(ONE, ONE, "red"), *still(ONE)],
        [*still(ONE), *[ONE.but(gain=1 - 0.02 * k) for k in range(20)], *still(ONE.but(gain=0.6))],
        [*still(ONE), *still(ONE.but(lamp=0.7)), *still(ONE)],
        [*still(ONE), *still(ONE.but(shadow=(200, 320))), *still(ONE.but(shadow=(300, 420))), *still(ONE)],
        [*still(ONE), *[ONE.but(nudge=(2.0 * (-1) ** k, 1.5, 0)) for k in range(5)], *still(ONE)],
        [*still(ONE), *still(ONE.but(nudge=(5, 4, 1))), *still(ONE.but(nudge=(9, 4, 1.5)))],
        [*still(ONE), *[ONE.but(busy=seed) for seed in range(20)]],
        [*still(ONE), *still(ONE.but(hand=(300, 300), held="red"), 60), *still(ONE)],
        [*still(ONE), *still(ONE.but(gain=0.0)), *still(ONE)],
    ],
    ids=["hands", "dusk", "lamp", "shadows", "knock", "nudges", "people", "resting hand", "light off"],
)
def test_what_is_no_move_is_no_event(film: list[Desk]) -> None:
    story = watched(Film(film), game=Believer(dict(ONE.board)))
    assert story.changes == []
    assert story.states[-1] == "ready"


@pytest.mark.parametrize(
    ("after", "changes"),
    [
        (ONE, []),
        (TWO, [came("yellow", SECOND)]),
        (EMPTY, [went("blue", FIRST)]),
        (EMPTY.put("blue", THIRD), [Change(frozenset((cell, "blue") for cell in THIRD), frozenset((cell, "blue") for cell in FIRST))]),
    ],
    ids=["nothing", "a piece came", "a piece went", "a piece went and another came"],
)
def test_what_happened_while_nobody_watched_is_told_at_once(after: Desk, changes: list[Change]) -> None:
    story = watched(Film(still(after, 20)), game=Believer(dict(ONE.board)), resumed=True)
    assert [change for _, change in story.changes] == changes
    assert story.states[-1] == "ready"


def test_a_foul_found_at_the_first_look_is_told_though_the_board_was_searched_again() -> None:
    block = [*SECOND, (1, 18), (0, 18)]
    poses = iter([replace(ONE.pose, residual_cells=0.05), *[replace(ONE.pose, residual_cells=0.01)] * 9])
    game = Believer(dict(ONE.board))
    story = watched(Film(still(ONE.put("yellow", block), 20)), game=game, resumed=True, locate=lambda _image, _size: next(poses))
    assert [change for _, change in story.changes] == [came("yellow", block)]


def test_the_state_says_why_nothing_happens() -> None:
    story = watched(Film([*still(EMPTY), *still(EMPTY.but(hand=(300, 250)), 12), *still(EMPTY.but(gain=0.0)), *still(EMPTY)]))
    assert {"motion", "settling", "hidden", "dark", "ready"} <= set(story.states)


def test_a_camera_that_looks_for_its_focus_is_waited_for() -> None:
    before = EMPTY.put("red", THIRD)
    after = before.put("blue", FIRST)
    blurred = [after.but(blur=4.0 - 0.15 * abs(k - 5)) for k in range(10)]
    story = watched(Film([*still(before), *by_hand(before, after), *blurred, *still(after)]))
    assert "blurred" in story.states
    assert [(change, (frame or 0) > 27) for frame, change in story.changes] == [(came("blue", FIRST), True)]


def test_a_blurred_picture_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Focus, "complaint", lambda _self, _image, _pose, time_s: "blurred" if 1.5 < time_s < 2.95 else "")
    story = watched(Film([*still(EMPTY), *by_hand(EMPTY, ONE), *still(ONE, 30)]))
    assert [((frame or 0) >= 30, change) for frame, change in story.changes] == [(True, came("blue", FIRST))]


def test_a_camera_that_never_is_sharp_is_watched_all_the_same() -> None:
    before = EMPTY.put("red", THIRD)
    after = before.put("blue", FIRST)
    story = watched(Film([desk.but(blur=3.5) for desk in (*still(before, 50), *by_hand(before, after), *still(after, 20))]))
    assert "blurred" in story.states
    assert story.states[-1] == "ready"
    assert [change for _, change in story.changes] == [came("blue", FIRST)]


def test_a_blurred_picture_without_a_board_is_called_blurred() -> None:
    def locate(_image: BgrImage, _size: int) -> GridPose:
        raise BoardNotFoundError("no grid of evenly spaced lines was seen")

    (state,) = [item for item in watched(Film([EMPTY.but(blur=5.0)] * 3), locate=locate).items if isinstance(item, CameraState)]
    assert state.state == "blurred"
    assert "pixels wide" in state.reason


def test_a_move_after_a_nudge_is_seen_on_the_old_grid() -> None:
    moved = (6.0, -4.0, 0.8)
    film = [*still(ONE), *still(ONE.but(nudge=moved)), *by_hand(ONE.but(nudge=moved), TWO.but(nudge=moved)), *still(TWO.but(nudge=moved))]
    assert [change for _, change in watched(Film(film)).changes] == [came("yellow", SECOND)]


def test_a_board_with_few_pieces_pulled_elsewhere_is_found_again() -> None:
    there = (70.0, 24.0, 17.0)
    film = [*still(ONE), *[ONE.but(nudge=tuple(k / 5 * v for v in there)) for k in range(1, 5)], *still(ONE.but(nudge=there), 20)]
    story = watched(Film([*film, *by_hand(ONE.but(nudge=there), TWO.but(nudge=there)), *still(TWO.but(nudge=there))]))
    assert [change for _, change in story.changes] == [came("yellow", SECOND)]
    assert "lost" in story.states


def upright_or_not(image_bgr: BgrImage, _size: int) -> GridPose:
    """Where the board is in a picture that may have been turned by a quarter."""
    (left, top), _, (right, bottom), _ = EMPTY.pose.corners_px.tolist()
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    if image_bgr.shape[0] > image_bgr.shape[1]:
        corners = [(y, WH[0] - 1 - x) for x, y in corners]
    return GridPose.from_corners(np.array(corners), (image_bgr.shape[1], image_bgr.shape[0]), SIZE, focal_px=1e5)


@pytest.mark.parametrize("size", [(512, 416), (800, 650), (520, 640)], ids=["smaller", "larger", "upright"])
def test_pictures_that_come_in_another_size_show_the_same_board(size: tuple[int, int]) -> None:
    desks = [*still(EMPTY), *still(ONE, 15), *still(TWO, 20)]
    pictures = [desk.picture(k) for k, desk in enumerate(desks)]
    turned = size[0] < size[1]
    pictures[20:] = [np.rot90(picture).copy() if turned else np.asarray(cv2.resize(picture, size), np.uint8) for picture in pictures[20:]]

    game, told = Believer(), list[Change]()
    watcher = Watcher(Camera([Frame(k, k / 10, picture) for k, picture in enumerate(pictures)]), game, SIZE, locate=upright_or_not)
    for item in watcher.run():
        if isinstance(item, Seen):
            told.append(item.sighting.candidates[0][0])
            game.believe(told[-1])
    assert told == [came("blue", FIRST), came("yellow", SECOND)]


def test_single_moments_of_which_one_is_upright_are_all_judged() -> None:
    pictures = [ONE.picture(0), np.rot90(TWO.picture(1)).copy(), TWO.put("red", THIRD).picture(2)]
    game, told = Believer(dict(ONE.board)), list[tuple[int | None, Change]]()
    frames = Camera([Frame(k, float(k), picture) for k, picture in enumerate(pictures)], live=False, total=len(pictures))
    for item in Watcher(frames, game, SIZE, settings=WatchSettings(stills=True), locate=upright_or_not).run():
        if isinstance(item, Seen):
            told.append((item.frame, item.sighting.candidates[0][0]))
            game.believe(told[-1][1])
    assert told == [(1, came("yellow", SECOND)), (2, came("red", THIRD))]


def test_a_board_under_a_hand_is_not_called_ready_until_the_hand_has_left() -> None:
    states = watched(Film([*still(ONE), *still(ONE.but(hand=(300, 300)), 50), *still(ONE)])).states
    assert [state for state in states if state in ("hidden", "ready")] == ["ready", "hidden", "ready"]


def test_a_piece_put_down_and_shifted_at_once_is_told_where_it_ends() -> None:
    other = EMPTY.put("blue", [(1, 0), (1, 1), (1, 2), (2, 2)])
    film = [*still(EMPTY), *by_hand(EMPTY, ONE), *by_hand(ONE, other), *still(other)]
    assert [change for _, change in watched(Film(film)).changes] == [came("blue", [(1, 0), (1, 1), (1, 2), (2, 2)])]


def test_a_piece_lifted_and_put_elsewhere_is_told_where_it_ends() -> None:
    other = EMPTY.put("blue", [(1, 0), (1, 1), (1, 2), (2, 2)])
    film = [
        *still(EMPTY),
        *by_hand(EMPTY, ONE),
        *still(ONE, 4),
        *by_hand(ONE, EMPTY),
        *still(EMPTY, 6),
        *by_hand(EMPTY, other),
        *still(other),
    ]
    assert [change for _, change in watched(Film(film)).changes] == [came("blue", [(1, 0), (1, 1), (1, 2), (2, 2)])]


def test_a_piece_on_its_way_to_another_place_is_told_as_moved() -> None:
    there = EMPTY.put("blue", [(5, 0), (5, 1), (5, 2), (6, 2)])
    film = [*still(ONE), *by_hand(ONE, EMPTY), *still(EMPTY, 7), *by_hand(EMPTY, there), *still(there)]
    story = watched(Film(film), game=Believer(dict(ONE.board)))
    assert [change for _, change in story.changes] == [Change.between(ONE.board, there.board)]


def test_the_news_say_since_when_it_lay_there() -> None:
    (item,) = watched(Film([*still(EMPTY), *by_hand(EMPTY, ONE), *still(ONE)])).of(Seen)
    assert isinstance(item, Seen)
    assert item.sighting.seen_frame is not None
    assert item.frame is not None
    assert 17 <= item.sighting.seen_frame < item.frame


def test_glare_over_a_piece_is_no_event_and_over_a_new_one_no_smaller_piece() -> None:
    def glared(image: BgrImage) -> BgrImage:
        out = image.copy()
        for row, col in [(0, 2), (1, 2)]:
            x, y = ONE.pose.project(np.array([[col + 0.5, row + 0.5]]))[0]
            out[int(y) - 11 : int(y) + 12, int(x) - 11 : int(x) + 12] = 255
        return out

    for desks in ([ONE, ONE, ONE], [EMPTY, ONE]):
        pictures = [desk.picture(k) if k == 0 else glared(desk.picture(k)) for k, desk in enumerate(desks)]
        game = Believer(dict(desks[0].board))
        frames = Camera([Frame(k, float(k), picture) for k, picture in enumerate(pictures)], live=False, total=len(pictures))
        watcher = Watcher(frames, game, SIZE, settings=WatchSettings(stills=True), locate=lambda _image, _size: EMPTY.pose)
        told = [item.sighting for item in watcher.run() if isinstance(item, Seen)]
        assert all(sighting.candidates[0][1] < 0.9 for sighting in told)
        assert len(told) == (desks[0] is EMPTY)


def test_a_piece_taken_back_is_told() -> None:
    film = [*still(EMPTY), *by_hand(EMPTY, ONE), *still(ONE), *by_hand(ONE, EMPTY), *still(EMPTY)]
    assert [change for _, change in watched(Film(film)).changes] == [came("blue", FIRST), went("blue", FIRST)]


def test_two_pieces_at_once_are_told_together() -> None:
    film = [*still(EMPTY), *by_hand(EMPTY, TWO), *still(TWO)]
    assert [change for _, change in watched(Film(film)).changes] == [Change(came("blue", FIRST).added | came("yellow", SECOND).added)]


def test_a_film_that_ends_too_early_is_decided_all_the_same() -> None:
    film = [*still(EMPTY), *by_hand(EMPTY, ONE), *still(ONE, 2)]
    assert [change for _, change in watched(Film(film)).changes] == [came("blue", FIRST)]


def test_single_moments_are_judged_at_once_and_hands_waited_for() -> None:
    film = Film([EMPTY, ONE, TWO.but(hand=(360, 200)), TWO, TWO.take(FIRST)], fps=None)
    assert watched(film).changes == [(1, came("blue", FIRST)), (3, came("yellow", SECOND)), (4, went("blue", FIRST))]


def test_a_piece_held_over_the_board_is_not_told() -> None:
    assert watched(Film([EMPTY, EMPTY.but(hand=(320, 260), held="green"), EMPTY], fps=None)).changes == []


def test_a_piece_clear_of_a_resting_hand_is_told_when_seen_twice() -> None:
    hand = (330, 400)
    film = Film([EMPTY, ONE.but(hand=hand), ONE.but(hand=hand), ONE.but(hand=hand)], fps=None)
    assert watched(film).changes == [(2, came("blue", FIRST))]


def test_what_is_still_pending_at_the_end_is_decided() -> None:
    assert watched(Film([EMPTY, ONE.but(hand=(330, 400))], fps=None)).changes == [(1, came("blue", FIRST))]


@pytest.mark.parametrize("fps", [None, 10.0])
def test_a_board_carried_a_quarter_turn_is_known_by_its_pieces(fps: float | None) -> None:
    def quarter(cell: Cell) -> Cell:
        return (cell[1], 19 - cell[0])

    def turned(desk: Desk) -> Desk:
        return replace(desk, board={quarter(cell): color for cell, color in desk.board.items()})

    three = TWO.put("red", THIRD)
    films = {
        None: [TWO, turned(TWO), turned(three)],
        10.0: [*still(TWO), *by_hand(TWO, turned(TWO)), *still(turned(TWO)), *still(turned(three))],
    }
    story = watched(Film(films[fps], fps), locate=lambda _image, _size: EMPTY.pose)
    assert [change for _, change in story.changes] == [came("red", THIRD)]
    assert len(story.of(BoardFound)) == 1


def test_a_board_that_is_not_there_is_said_and_searched_for_again() -> None:
    tries: list[int] = []

    def locate(image: BgrImage, size: int) -> GridPose:
        del image, size
        tries.append(1)
        if len(tries) < 3:
            raise BoardNotFoundError("no grid of evenly spaced lines was seen")
        return EMPTY.pose

    story = watched(Film(still(EMPTY, 40)), locate=locate)
    states = [item for item in story.items if isinstance(item, CameraState)]
    assert (states[0].state, states[0].reason) == ("no_board", "no grid of evenly spaced lines was seen")
    assert len(tries) == 3
    assert story.states[-1] == "ready"


def test_pictures_of_before_and_after_come_with_the_news() -> None:
    (item,) = watched(Film([EMPTY, ONE], fps=None)).of(Seen)
    assert isinstance(item, Seen)
    assert item.sighting.evidence == tuple(item.pictures)
    assert all(picture[:2] == b"\xff\xd8" and len(picture) < 200_000 for picture in item.pictures.values())


def test_people_who_decide_otherwise_hear_of_the_difference_once() -> None:
    class Corrected(Believer):
        def believe(self, change: Change) -> None:
            del change  # the person at the page says that nothing was placed

    story = watched(Film([EMPTY, ONE, ONE, ONE], fps=None), game=Corrected())
    assert [change for _, change in story.changes] == [came("blue", FIRST)]


def test_a_new_game_begins_with_a_new_first_look() -> None:
    class Renewed(Believer):
        game_number = 1

        def believe(self, change: Change) -> None:
            super().believe(change)
            self.game_number = 2

    story = watched(Film([*still(EMPTY), *by_hand(EMPTY, ONE), *still(ONE, 30)]), game=Renewed())
    starts = story.of(StartSeen)
    assert len(starts) == 2
    assert isinstance(starts[1], StartSeen)
    assert starts[1].grid[0].startswith("BBB")


@dataclass
class Camera:
    """A live source that falls silent for a while."""

    things: Sequence[Frame | Lost]
    live: bool = True
    total: int | None = None

    def __iter__(self) -> Iterator[Frame | Lost]:
        yield from self.things

    def close(self) -> None:
        """Nothing to close."""


def test_a_lost_camera_is_said_and_the_game_goes_on() -> None:
    frames: list[Frame | Lost] = [Frame(k, k / 10, EMPTY.picture(k)) for k in range(10)]
    frames += [Lost("no picture from camera 0", 2.0), Lost("no picture from camera 0", 4.0)]
    frames += [Frame(k, 5 + k / 10, ONE.picture(k)) for k in range(20)]
    game = Believer()
    watcher = Watcher(Camera(frames), game, SIZE, locate=lambda _image, _size: EMPTY.pose)
    items = list(watcher.run())
    assert "lost" in [item.state for item in items if isinstance(item, CameraState)]
    assert [item.sighting.candidates[0][0] for item in items if isinstance(item, Seen)] == [came("blue", FIRST)]


def test_a_live_source_is_spoken_of_at_least_once_a_second() -> None:
    frames = [Frame(k, k / 10, EMPTY.picture(k)) for k in range(60)]
    watcher = Watcher(Camera(frames), Believer(), SIZE, locate=lambda _image, _size: EMPTY.pose)
    times = [item.time_s or 0.0 for item in watcher.run() if isinstance(item, CameraState)]
    assert np.diff(times).max() <= 1.1


def test_the_newest_picture_is_there_as_long_as_camera_and_board_are() -> None:
    frames: list[Frame | Lost] = [Frame(k, k / 10, EMPTY.picture(k)) for k in range(5)]
    frames += [Lost("no picture from camera 0", 2.0)]
    watcher = Watcher(Camera(frames), Believer(), SIZE, locate=lambda _image, _size: EMPTY.pose)
    assert watcher.shot() is None
    shown: list[tuple[str, int | None]] = []
    for item in watcher.run():
        shot = watcher.shot()
        assert shot is watcher.shot()
        shown.append((item.state if isinstance(item, CameraState) else type(item).__name__, shot.frame if shot else None))
    assert ("BoardFound", 0) in shown
    assert ("lost", None) in shown
    assert watcher.shot() is None
