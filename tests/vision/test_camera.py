"""Live sources with a camera that a script plays: loss and return, slow consumers, damage, pictures that stand still."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import pytest

from vision.camera import LiveSettings, LiveSource
from vision.frames import BgrImage, Frame, Lost, SourceError

QUICK = LiveSettings(
    warm_up_s=0,
    lost_after_s=0.02,
    told_after_s=0.02,
    first_wait_s=60,
    retry_s=0.001,
    retry_most_s=0.004,
    frozen_s=1e9,
    thaw_s=2e9,
    farewell_s=0.01,
)
LONG_S = 60.0
"""Nothing waits so long unless the program is broken."""

Step = BgrImage | Exception | Callable[[], None]
"""What a camera does next: give a picture, stumble, or something else that takes time."""


def picture(number: int) -> BgrImage:
    return np.random.default_rng(number).integers(0, 255, (32, 32, 3), np.uint8)


def number_of(image: BgrImage) -> int:
    return next(number for number in range(1000) if np.array_equal(picture(number), image))


@dataclass
class Played:
    """A camera whose sessions are written down beforehand; after the last it gives nothing until it is closed for good.

    A session that is no list is what opening comes to: False, or an error.
    """

    sessions: Sequence[Sequence[Step] | bool | SourceError]
    opened: int = 0
    closed: threading.Event = field(default_factory=threading.Event)
    silent: threading.Event = field(default_factory=threading.Event)
    _steps: Iterator[Step] = field(default_factory=lambda: iter(()))

    def __str__(self) -> str:
        return "the played camera"

    @property
    def advice(self) -> str:
        return "is it switched on?"

    def open(self) -> bool:
        self.opened += 1
        if self.opened > len(self.sessions):
            self.silent.set()
            self.closed.wait(LONG_S)
            return False
        session = self.sessions[self.opened - 1]
        if isinstance(session, SourceError):
            raise session
        if isinstance(session, bool):
            return session
        self._steps = iter(session)
        return True

    def read(self) -> BgrImage | None:
        for step in self._steps:
            if isinstance(step, Exception):
                raise step
            if isinstance(step, np.ndarray):
                return step
            step()
        return None

    def close(self) -> None:
        """Nothing to free."""


@pytest.fixture
def watch() -> Iterator[Callable[..., tuple[LiveSource, list[str]]]]:
    """Makes live sources, and ends them."""
    cleanup: list[Callable[[], None]] = []

    def make(camera: Played, clock: Callable[[], float] | None = None, **settings: float) -> tuple[LiveSource, list[str]]:
        words: list[str] = []
        ticks = itertools.count()
        source = LiveSource(camera, replace(QUICK, **settings), clock=clock or (lambda: next(ticks) / 10), warn=words.append)  # type: ignore[arg-type]
        cleanup.extend((camera.closed.set, source.close))
        return source, words

    yield make
    for step in cleanup:
        step()


Make = Callable[..., tuple[LiveSource, list[str]]]


def next_frame(things: Iterator[Frame | Lost]) -> Frame:
    """The next frame, whatever is lost before it."""
    return next(thing for thing in things if isinstance(thing, Frame))


def test_a_slow_consumer_gets_the_newest_frame_only(watch: Make) -> None:
    taken = threading.Event()

    def wait() -> None:
        taken.wait(LONG_S)

    camera = Played([[picture(0), wait, *map(picture, range(1, 100))]])
    things = iter(watch(camera)[0])
    assert next_frame(things).index == 0
    taken.set()
    camera.silent.wait(LONG_S)
    frame = next_frame(things)
    assert (frame.index, number_of(frame.image_bgr)) == (99, 99)


def test_the_first_second_is_thrown_away(watch: Make) -> None:
    times = iter([0.0, 0.0, 0.3, 0.9, 1.0, *itertools.repeat(1.1, 1000)])
    camera = Played([list(map(picture, range(3)))])
    assert next_frame(iter(watch(camera, clock=lambda: next(times), warm_up_s=1.0)[0])).index == 2


def test_a_lost_camera_is_said_and_comes_back_by_itself(watch: Make) -> None:
    hold = threading.Event()
    camera = Played([[picture(0)], False, False, [lambda: hold.wait(LONG_S), picture(1), lambda: camera.closed.wait(LONG_S)]])  # type: ignore[list-item]
    source, words = watch(camera)
    things = iter(source)
    assert next_frame(things).index == 0
    lost = next(things)
    assert isinstance(lost, Lost)
    assert "the played camera" in lost.reason
    hold.set()
    assert number_of(next_frame(things).image_bgr) == 1
    assert [word for word in words if "trying again" in word] == words[:1]
    assert words[-1] == "the played camera is back"


def test_opening_again_is_put_off_longer_each_time_up_to_a_limit(watch: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    camera = Played([[picture(0)], *[False] * 6, [picture(1)]])
    source, _ = watch(camera)
    pauses: list[float] = []
    real = source._stop.wait

    def wait(pause_s: float) -> bool:
        pauses.append(pause_s)
        return real(0)

    monkeypatch.setattr(source._stop, "wait", wait)
    things = iter(source)
    while number_of(next_frame(things).image_bgr) != 1:
        pass
    camera.silent.wait(LONG_S)
    assert pauses[:5] == [0.001, 0.002, 0.004, 0.004, 0.004]
    assert pauses[7] == 0.001


@pytest.mark.parametrize("error", [cv2.error("damaged"), OSError("gone")], ids=str)
def test_a_decoder_that_stumbles_is_a_loss_and_no_end(watch: Make, error: Exception) -> None:
    camera = Played([[picture(0), error], [picture(1)]])
    things = iter(watch(camera)[0])
    while number_of(next_frame(things).image_bgr) != 1:
        pass


def test_a_fault_of_the_reader_is_raised_and_not_waited_for(watch: Make) -> None:
    things = iter(watch(Played([[picture(0), ZeroDivisionError("a fault")]]))[0])
    with pytest.raises(ZeroDivisionError):
        list(things)


def test_a_camera_that_cannot_work_is_refused_at_once(watch: Make) -> None:
    source, words = watch(Played([SourceError("there is no camera 9")]), told_after_s=LONG_S)
    with pytest.raises(SourceError, match="no camera 9"):
        next(iter(source))
    assert words == []


def test_a_camera_that_is_unplugged_says_why_it_is_lost(watch: Make) -> None:
    camera = Played([[picture(0)], SourceError("the webcam is not plugged in"), [lambda: camera.closed.wait(LONG_S)]])  # type: ignore[list-item]
    things = iter(watch(camera)[0])
    reasons = (thing.reason for thing in things if isinstance(thing, Lost))
    assert any("not plugged in" in reason for reason in itertools.islice(reasons, 1000))


def test_a_camera_without_pictures_is_waited_for_aloud_then_refused(watch: Make) -> None:
    source, words = watch(Played([]), first_wait_s=0.04)
    with pytest.raises(SourceError, match=r"no picture from the played camera: is it switched on\?"):
        next(iter(source))
    assert words == ["Waiting for a picture from the played camera ..."]


def test_a_picture_that_stands_still_is_a_loss_with_its_reason(watch: Make) -> None:
    camera = Played([[*[picture(0)] * 100, lambda: camera.closed.wait(LONG_S)]])  # type: ignore[list-item]
    things = iter(watch(camera, frozen_s=2.0)[0])
    reasons = (thing.reason for thing in things if isinstance(thing, Lost))
    assert any("stands still" in reason for reason in itertools.islice(reasons, 1000))


def test_a_camera_whose_picture_stands_still_is_opened_again(watch: Make) -> None:
    camera = Played([[picture(0)] * 1000, [picture(0), picture(1)]])
    source, words = watch(camera, frozen_s=2.0, thaw_s=10.0)
    things = iter(source)
    while number_of(next_frame(things).image_bgr) != 1:
        pass
    assert "stands still" in words[0]
    assert words[1] == "the played camera is back"


def test_a_covered_lens_is_dark_and_not_frozen(watch: Make) -> None:
    black = np.zeros((32, 32, 3), np.uint8)
    camera = Played([[black] * 500])
    source, words = watch(camera, frozen_s=2.0, thaw_s=10.0)
    things = iter(source)
    next_frame(things)
    camera.silent.wait(LONG_S)
    assert [word for word in words if "stands still" in word] == []


def test_nothing_reads_on_after_closing(watch: Make) -> None:
    """A reader inside a decoder while the interpreter ends would bring the program down."""
    camera = Played([itertools.cycle([picture(0), picture(1)])])  # type: ignore[list-item]
    source, _ = watch(camera, farewell_s=LONG_S)
    next_frame(iter(source))
    source.close()
    assert not source._thread.is_alive()


def test_closing_ends_the_frames(watch: Make) -> None:
    camera = Played([[picture(0)]])
    source, _ = watch(camera)
    things = iter(source)
    next_frame(things)
    source.close()
    assert list(things) == []
