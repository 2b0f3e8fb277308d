"""A source that is looked into and exchanged while it is watched."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from vision.camera import LiveSettings
from vision.frames import BgrImage, Frame, Lost, SourceError
from vision.viewfinder import Changed, Viewfinder, one_picture
from vision.wrapping import PAUSED


class Pictures:
    """A live source of so many frames, all of one grey; none at all when `count` is 0."""

    live = True
    total = None

    def __init__(self, grey: int, count: int = 1000, *, live: bool = True) -> None:
        self.grey, self.count, self.live = grey, count, live
        self.is_closed = False

    def __iter__(self) -> Iterator[Frame | Lost]:
        if not self.count:
            raise SourceError("no picture from it")
        for index in range(self.count):
            yield Frame(index, index / 10, np.full((4, 4, 3), self.grey, np.uint8))

    def close(self) -> None:
        self.is_closed = True


def grey_of(thing: Frame | Lost | None) -> int:
    assert isinstance(thing, Frame)
    return int(thing.image_bgr[0, 0, 0])


def opening(**sources: Pictures) -> Callable[[str], Pictures]:
    def opened(spec: str) -> Pictures:
        if spec not in sources:
            raise SourceError(f"there is no camera {spec}")
        return sources[spec]

    return opened


def watched(viewfinder: Viewfinder, rounds: int) -> list[int]:
    """Two frames of each round of watching, which begins anew when people change something; gives their greys."""
    seen = []
    for _ in range(rounds):
        try:
            for number, thing in enumerate(viewfinder):
                seen.append(grey_of(thing))
                if number == 1:
                    break
        except Changed:
            seen.append(-1)
    return seen


def exchanged(viewfinder: Viewfinder, spec: str, rounds: int) -> tuple[list[int], str]:
    """The greys seen while somebody asks for another camera, and why that did not work."""
    trouble: list[str] = []

    def ask() -> None:
        try:
            viewfinder.exchange(spec)
        except SourceError as error:
            trouble.append(str(error))

    asking = threading.Thread(target=ask)
    asking.start()
    while not viewfinder._due.is_set():
        pass
    seen = watched(viewfinder, rounds)
    asking.join(10)
    assert not asking.is_alive()
    return seen, "".join(trouble)


def test_the_newest_frame_is_seen_beside_the_watching() -> None:
    viewfinder = Viewfinder(Pictures(7), "a")
    assert viewfinder.newest(0) is None
    assert watched(viewfinder, 1) == [7, 7]
    newest = viewfinder.newest(0)
    assert newest is not None
    assert newest.index == 1


def test_a_camera_that_is_lost_is_known_to_be_until_it_is_back() -> None:
    class Flickering(Pictures):
        def __iter__(self) -> Iterator[Frame | Lost]:
            frame = next(iter(Pictures(1)))
            yield from (frame, Lost("the cable is out", 1.0), frame)

    viewfinder = Viewfinder(Flickering(1), "a")
    assert [viewfinder.lost for _ in viewfinder] == ["", "the cable is out", ""]


def test_a_watcher_that_begins_anew_misses_no_frame_of_a_recording() -> None:
    viewfinder = Viewfinder(Pictures(7, 4, live=False), "a")
    first = [thing.index for _, thing in zip(range(2), viewfinder, strict=False) if isinstance(thing, Frame)]
    viewfinder.begin_again()
    with pytest.raises(Changed):
        next(iter(viewfinder))
    rest = [thing.index for thing in viewfinder if isinstance(thing, Frame)]
    assert first + rest == [0, 1, 2, 3]


def test_another_camera_takes_over() -> None:
    first = Pictures(1)
    viewfinder = Viewfinder(first, "a", opening(b=Pictures(2)))
    watched(viewfinder, 1)
    assert exchanged(viewfinder, "b", 2) == ([-1, 2, 2], "")
    assert (viewfinder.spec, first.is_closed) == ("b", True)


@pytest.mark.parametrize(("other", "words"), [("dead", "no picture from it"), ("none", "there is no camera none")])
def test_a_camera_without_pictures_gives_way_to_the_one_before(other: str, words: str) -> None:
    viewfinder = Viewfinder(Pictures(1), "a", opening(a=Pictures(3), dead=Pictures(2, 0)))
    watched(viewfinder, 1)
    seen, trouble = exchanged(viewfinder, other, 3)
    assert trouble == words
    assert seen[0] == -1
    assert seen[-2:] == [3, 3]
    assert viewfinder.spec == "a"


def test_a_wish_that_the_watching_does_not_come_to_in_time_is_taken_back() -> None:
    viewfinder = Viewfinder(Pictures(1), "a", opening(b=Pictures(2)))
    with pytest.raises(SourceError, match="try again in a moment"):
        viewfinder.exchange("b", wait_s=0.0)
    assert watched(viewfinder, 2) == [1, 1, 1, 1]
    assert viewfinder.spec == "a"
    assert exchanged(viewfinder, "b", 2) == ([-1, 2, 2], "")


def test_beginning_anew_is_not_taken_back_with_the_wish_for_another_camera() -> None:
    viewfinder = Viewfinder(Pictures(1), "a", opening(b=Pictures(2)))
    viewfinder.begin_again()
    with pytest.raises(SourceError, match="try again in a moment"):
        viewfinder.exchange("b", wait_s=0.0)
    assert watched(viewfinder, 2) == [-1, 1, 1]
    assert viewfinder.spec == "a"


def test_while_it_rests_nothing_is_watched_and_the_watcher_hears_so_every_second() -> None:
    viewfinder = Viewfinder(Pictures(1, 40), "a")
    things = iter(viewfinder)
    assert isinstance(next(things), Frame)
    viewfinder.paused = True
    heard = [next(things) for _ in range(3)]
    assert [(type(one), one.time_s) for one in heard] == [(Lost, 0.1), (Lost, 1.1), (Lost, 2.1)]
    assert {(one.state, one.reason) for one in heard if isinstance(one, Lost)} == {("paused", PAUSED)}
    newest = viewfinder.newest(0)
    assert newest is not None
    assert newest.index == 21, "whoever sets the camera up sees it all the same"
    viewfinder.paused = False
    assert isinstance(next(things), Frame)


def test_only_cameras_can_rest() -> None:
    assert Viewfinder(Pictures(1), "a").can_pause
    assert not Viewfinder(Pictures(1, live=False), "a").can_pause


def test_a_source_that_breaks_down_by_itself_ends_the_watching() -> None:
    with pytest.raises(SourceError, match="no picture"):
        next(iter(Viewfinder(Pictures(1, 0), "a", opening())))


@pytest.mark.parametrize(("live", "can_open", "can_exchange"), [(True, True, True), (False, True, False), (True, False, False)])
def test_only_cameras_are_exchanged(live: bool, can_open: bool, can_exchange: bool) -> None:
    viewfinder = Viewfinder(Pictures(1, live=live), "a", opening() if can_open else None)
    assert viewfinder.can_exchange is can_exchange


class OneShot:
    """A camera that gives its pictures and no more."""

    advice = "is it plugged in?"

    def __init__(self, *pictures: BgrImage) -> None:
        self.pictures = list(pictures)
        self.is_open = False

    def open(self) -> bool:
        self.is_open = True
        return bool(self.pictures)

    def read(self) -> BgrImage | None:
        return self.pictures.pop(0) if self.pictures else None

    def close(self) -> None:
        self.is_open = False

    def __str__(self) -> str:
        return "the camera"


def test_one_picture_of_a_camera_is_taken_and_the_camera_let_go() -> None:
    camera = OneShot(np.full((4, 4, 3), 9, np.uint8))
    assert grey_of(one_picture(camera, LiveSettings(warm_up_s=0))) == 9
    assert not camera.is_open


def test_a_camera_that_gives_none_is_told_with_what_to_do() -> None:
    with pytest.raises(SourceError, match=r"no picture from the camera: is it plugged in\?"):
        one_picture(OneShot(), LiveSettings(told_after_s=0, first_wait_s=0.05, retry_s=0.01))
