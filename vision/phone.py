"""The phone as camera: pictures that a page on it sends, a stream of frames or single photos, as a live source."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.camera import Sameness
from vision.frames import BgrImage, Frame, Lost, SourceError
from vision.pictures import PictureSettings, decode_picture

PHONE = "phone"
"""What the command line calls this source."""

NAME = "the phone's picture"
"""What a picture is called in messages."""


@dataclass(frozen=True)
class PhoneSettings:
    """Limits and times of the pictures that a phone sends.

    Attributes:
        pictures: what is decoded at all: 16 megapixels are the largest usual photos, and 48 MB decoded.
        most_scans: parts of a JPEG picture: cameras save one, editors ten; more are meant to keep the decoder busy.
        longest_px: larger ones are made smaller: a cell of a board that fills them has 100.
        lost_after_s: silence after which the phone counts as lost: five frames a second are sent, and networks at home hiccup.
        frozen_s: the same picture to the last bit for so long comes from no camera at work: every sensor is noisy.
        frozen_spread: grey levels between the darkest and brightest point under which equal pictures are merely dark or covered.
        photo_looks: times that a photo is shown: a board is judged once it has been still for a while.
        photo_every_s: pause between them.
    """

    pictures: PictureSettings = field(
        default_factory=lambda: PictureSettings(max_pixels=16_500_000, max_side_px=10_000, max_bytes=4_000_000)
    )
    most_scans: int = 40
    longest_px: int = 2400
    lost_after_s: float = 3.0
    frozen_s: float = 10.0
    frozen_spread: int = 16
    photo_looks: int = 12
    photo_every_s: float = 0.2


WAITED_FOR = "no phone sends pictures yet: open the page /phone on it and start its camera"
SILENT = "the phone stopped sending pictures: wake it, and look whether its page is still open"
FROZEN = "the phone's picture stands still to the last dot: stop its camera on the page and start it again"
NEXT_PHOTO = "the photo has been looked at: take the next one after the next move"


class PhoneSource:
    """Frames from whatever `put` is given, by any thread; only the newest one is kept for the consumer.

    Args:
        settings: its limits and times.
        clock: seconds that never go back.
    """

    live = True
    total: int | None = None

    def __init__(self, settings: PhoneSettings | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.settings = settings or PhoneSettings()
        self._clock = clock
        self._began_s = clock()
        self._news = threading.Condition()
        self._decoding = threading.Lock()
        self._sameness = Sameness(self.settings.frozen_spread)
        self._newest: BgrImage | None = None
        self._photo: BgrImage | None = None
        self._looks_left = 0
        self._index = 0
        self._trouble = WAITED_FOR
        self._has_ended = False

    def put(self, data: bytes, *, is_photo: bool = False) -> None:
        """Take a JPEG picture, turned by its EXIF orientation; one is decoded at a time, so that memory stays bounded.

        Args:
            data: the file.
            is_photo: a single moment, not a frame of a stream.

        Raises:
            SourceError: it is no whole JPEG picture, or too large; nothing was taken.
        """
        if not data.startswith(b"\xff\xd8\xff"):
            raise SourceError(f"{NAME} is no JPEG picture")
        if data.count(b"\xff\xda") > self.settings.most_scans:
            raise SourceError(f"{NAME} is saved in too many parts: no camera does that")
        if len(data) > self.settings.pictures.max_bytes:
            raise SourceError(f"{NAME} has {len(data) // 10**6} MB: too many")
        with self._decoding:
            image = _fitted(decode_picture(data, NAME, self.settings.pictures), self.settings.longest_px)
        with self._news:
            self._newest, self._trouble = image, NEXT_PHOTO if is_photo else SILENT
            self._photo, self._looks_left = (image, self.settings.photo_looks) if is_photo else (None, 0)
            if not is_photo and self._sameness.see(image, self._clock()) >= self.settings.frozen_s:
                self._newest, self._trouble = None, FROZEN
            self._news.notify_all()

    def __iter__(self) -> Iterator[Frame | Lost]:
        """The newest frame whenever the consumer asks; `Lost` each ``lost_after_s`` of silence."""
        yield Lost(self._trouble, 0.0)
        while not self._has_ended:
            yield self._next()

    def close(self) -> None:
        """Ends the iteration; harmless when repeated."""
        with self._news:
            self._has_ended = True
            self._news.notify_all()

    def _next(self) -> Frame | Lost:
        with self._news:
            wait_s = self.settings.photo_every_s if self._looks_left else self.settings.lost_after_s
            self._news.wait_for(lambda: self._newest is not None or self._has_ended, wait_s)
            image = self._newest if self._newest is not None else self._photo
            time_s = self._clock() - self._began_s
            self._newest, self._looks_left = None, max(0, self._looks_left - 1)
            if not self._looks_left:
                self._photo = None
            if image is None:
                return Lost(self._trouble, time_s, "paused" if self._trouble == NEXT_PHOTO else "lost")
            self._index += 1
            return Frame(self._index - 1, time_s, image)


def _fitted(image_bgr: BgrImage, longest_px: int) -> BgrImage:
    """The picture, made smaller when it is larger than ``longest_px`` a side."""
    height, width = image_bgr.shape[:2]
    scale = longest_px / max(height, width)
    if scale >= 1:
        return image_bgr
    return np.asarray(cv2.resize(image_bgr, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA), np.uint8)
