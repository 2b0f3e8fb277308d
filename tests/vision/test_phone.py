"""The phone as camera: what it sends becomes frames, the newest first; what is no picture becomes nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import pytest

from tests.vision.boards import SAMPLES
from tests.vision.desk import Believer
from tests.vision.jpegs import HOSTILE, BgrImage, exif_turned, jpeg
from vision.frames import Frame, Lost, SourceError
from vision.phone import FROZEN, NEXT_PHOTO, SILENT, WAITED_FOR, PhoneSettings, PhoneSource
from vision.sources import open_source
from vision.watch import Seen, Watcher

QUICK = PhoneSettings(lost_after_s=0.001, photo_every_s=0.001)
"""Nothing is waited for: what has been sent is there."""


BLUE_N = [((row, col), "blue") for row, col in ((0, 0), (0, 1), (0, 2), (1, 2), (1, 3))]
YELLOW_L5 = [((row, col), "yellow") for row, col in ((0, 18), (0, 19), (1, 19), (2, 19), (3, 19))]
"""The first two pieces of the sample game."""


@dataclass
class Clock:
    now_s: float = 100.0

    def __call__(self) -> float:
        return self.now_s


@dataclass
class Phone:
    """A phone that sends at a table, and what comes out at the other end."""

    clock: Clock = field(default_factory=Clock)
    source: PhoneSource = field(init=False)
    things: Iterator[Frame | Lost] = field(init=False)

    def __post_init__(self) -> None:
        self.source = PhoneSource(QUICK, clock=self.clock)
        self.things = iter(self.source)
        assert self.lost() == WAITED_FOR

    def lost(self) -> str:
        thing = next(self.things)
        assert isinstance(thing, Lost)
        return thing.reason

    def frame(self) -> Frame:
        thing = next(self.things)
        assert isinstance(thing, Frame)
        return thing


def picture(number: int, height: int = 96, width: int = 128) -> BgrImage:
    return np.full((height, width, 3), (number, 200, 90), np.uint8)


def test_the_newest_frame_wins() -> None:
    phone = Phone()
    for number in (10, 20, 30):
        phone.clock.now_s += 1
        phone.source.put(jpeg(picture(number)))
    frame = phone.frame()
    assert abs(int(frame.image_bgr[0, 0, 0]) - 30) <= 3
    assert (frame.index, frame.time_s) == (0, 3.0)
    assert phone.lost() == SILENT


def test_a_phone_that_falls_silent_is_lost_and_comes_back_by_itself() -> None:
    phone = Phone()
    phone.source.put(jpeg(picture(1)))
    phone.frame()
    assert (phone.lost(), phone.lost()) == (SILENT, SILENT)
    phone.source.put(jpeg(picture(2)))
    assert phone.frame().index == 1


def test_a_photo_is_looked_at_for_a_while_and_then_another_is_waited_for() -> None:
    phone = Phone()
    phone.source.put(jpeg(picture(1)), is_photo=True)
    looks = [phone.frame() for _ in range(QUICK.photo_looks)]
    assert [look.index for look in looks] == list(range(QUICK.photo_looks))
    assert all(look.image_bgr is looks[0].image_bgr for look in looks)
    assert next(phone.things) == Lost(NEXT_PHOTO, 0.0, "paused")


def test_a_frame_ends_the_look_at_a_photo() -> None:
    phone = Phone()
    phone.source.put(jpeg(picture(1)), is_photo=True)
    phone.frame()
    phone.source.put(jpeg(picture(200)))
    assert int(phone.frame().image_bgr[0, 0, 0]) > 190
    assert phone.lost() == SILENT


def test_a_picture_that_stands_still_to_the_last_dot_is_no_camera_at_work() -> None:
    phone, image = Phone(), np.random.default_rng(5).integers(0, 255, (96, 128, 3), np.uint8)
    phone.source.put(jpeg(image))
    phone.frame()
    phone.clock.now_s += QUICK.frozen_s
    phone.source.put(jpeg(image))
    assert phone.lost() == FROZEN
    phone.source.put(jpeg(image[::-1].copy()))
    phone.frame()


def test_the_orientation_of_a_photo_is_followed() -> None:
    phone = Phone()
    phone.source.put(exif_turned(jpeg(picture(1, 96, 128)), 6), is_photo=True)
    assert phone.frame().image_bgr.shape == (128, 96, 3)


def test_large_photos_are_made_smaller() -> None:
    phone = Phone()
    phone.source.put(jpeg(picture(1, 3000, 4000)), is_photo=True)
    assert phone.frame().image_bgr.shape == (1800, 2400, 3)


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_is_no_picture_of_a_camera_is_refused_in_one_line_and_changes_nothing(kind: str) -> None:
    phone = Phone()
    with pytest.raises(SourceError) as refused:
        phone.source.put(HOSTILE[kind])
    assert len(str(refused.value).splitlines()) == 1
    assert phone.lost() == WAITED_FOR


def test_a_file_that_is_too_large_is_refused_before_it_is_looked_at() -> None:
    small = PhoneSource(replace(QUICK, pictures=replace(QUICK.pictures, max_bytes=1000)))
    with pytest.raises(SourceError, match="too many"):
        small.put(jpeg(picture(1)) + b"\0" * 1000)


def test_closing_ends_a_consumer_that_waits() -> None:
    source = PhoneSource(replace(QUICK, lost_after_s=600))
    consumer = threading.Thread(target=lambda: list(source), daemon=True)
    consumer.start()
    source.close()
    consumer.join(60)
    assert not consumer.is_alive()


def test_only_watch_has_a_page_for_the_phone() -> None:
    with pytest.raises(SourceError, match="watch phone --lan --https"):
        open_source("phone")


def test_a_phone_that_is_turned_in_its_stand_goes_on_with_the_same_grid() -> None:
    empty, first, second = (np.asarray(cv2.imread(str(SAMPLES / "full_game" / "frames" / f"000{n}.jpg")), np.uint8) for n in (0, 1, 5))
    turned = np.asarray(cv2.rotate(second, cv2.ROTATE_90_CLOCKWISE), np.uint8)
    game, seen = Believer(), []
    for item in Watcher(Steady([empty] * 12 + [first] * 12 + [turned] * 25), game).run():
        if isinstance(item, Seen):
            change = item.sighting.candidates[0][0]
            game.believe(change)
            seen.append((sorted(change.added), sorted(change.removed)))
    assert seen == [(BLUE_N, []), (YELLOW_L5, [])]


@dataclass
class Steady:
    """A phone that sends a picture whenever the watcher wants one, until there are no more."""

    images: list[BgrImage]
    live: bool = True
    total: int | None = None

    def __iter__(self) -> Iterator[Frame | Lost]:
        phone = Phone()
        for image in self.images:
            phone.clock.now_s += 0.2
            phone.source.put(jpeg(image))
            yield phone.frame()

    def close(self) -> None:
        """Nothing to free."""
