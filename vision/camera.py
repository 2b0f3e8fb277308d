"""Live sources: a reader thread that keeps the newest frame only, notices loss and opens the camera again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from vision.frames import BgrImage, Frame, Lost, SourceError


class Camera(Protocol):
    """A device that can be opened, read and opened again."""

    def open(self) -> bool:
        """Opens it; False when that fails now (it may work later).

        Raises:
            SourceError: it cannot work as things are; the message says what to do.
        """

    def read(self) -> BgrImage | None:
        """Waits for the next good frame, damaged ones left out; None when the camera gives no more."""

    def close(self) -> None:
        """Frees it; harmless when repeated."""

    def __str__(self) -> str:
        """Its name in messages."""

    @property
    def advice(self) -> str:
        """What people should look at when it gives no picture, as a question."""


@dataclass(frozen=True)
class LiveSettings:
    """Times of a live source, all in seconds.

    Attributes:
        warm_up_s: frames thrown away after opening: exposure and white balance are still settling.
        lost_after_s: silence after which the camera counts as lost; slow network cameras give 2 frames a second.
        told_after_s: silence at the start after which the people are told what is waited for.
        first_wait_s: wait for the first frame before the source is refused; network cameras need some seconds.
        retry_s: first pause before opening again; doubled each time.
        retry_most_s: longest such pause, so that a camera plugged in again is back soon.
        frozen_s: the same picture to the last bit for so long comes from no camera at work: every sensor is noisy.
        thaw_s: frozen for so long, a camera is opened again.
        farewell_s: wait for the reader at the end; a camera that hangs is not waited for longer.
        frozen_spread: grey levels between the darkest and brightest point under which equal pictures are merely dark or covered.
    """

    warm_up_s: float = 1.0
    lost_after_s: float = 2.0
    told_after_s: float = 2.0
    first_wait_s: float = 15.0
    retry_s: float = 0.5
    retry_most_s: float = 8.0
    frozen_s: float = 10.0
    thaw_s: float = 30.0
    farewell_s: float = 1.5
    frozen_spread: int = 16


class Sameness:
    """How long the pictures of a camera have been the same to the last bit."""

    def __init__(self, spread: int) -> None:
        self._spread = spread
        self._before: BgrImage | None = None
        self._since_s = 0.0

    def see(self, image_bgr: BgrImage, now_s: float) -> float:
        """Seconds for which nothing has changed; every eighth row and column is compared."""
        few = image_bgr[::8, ::8]
        if self._before is None or not np.array_equal(few, self._before) or int(few.max()) - int(few.min()) < self._spread:
            self._before, self._since_s = few.copy(), now_s
        return now_s - self._since_s


class LiveSource:
    """Frames of a camera as they come; only the newest one is kept for the consumer.

    Args:
        camera: what is read.
        settings: its times.
        clock: seconds that never go back (``time.monotonic``).
        warn: told in one line when the camera is waited for, lost and found.

    Raises:
        SourceError: on iteration, when the camera cannot work as things are, or not one frame came within ``first_wait_s``.
    """

    live = True
    total: int | None = None

    def __init__(
        self, camera: Camera, settings: LiveSettings, *, clock: Callable[[], float], warn: Callable[[str], None] = lambda _: None
    ) -> None:
        self._camera = camera
        self._settings = settings
        self._clock = clock
        self._warn = warn
        self._news = threading.Condition()
        self._newest: Frame | None = None
        self._trouble = ""
        self._refusal: Exception | None = None
        self._stop = threading.Event()
        self._began_s = clock()
        self._sameness = Sameness(settings.frozen_spread)
        self._thread = threading.Thread(target=self._read_on, name="camera reader", daemon=True)

    def __iter__(self) -> Iterator[Frame | Lost]:
        """The newest frame whenever the consumer asks; `Lost` each ``lost_after_s`` of silence."""
        self._thread.start()
        frame = self._first()
        while not self._stop.is_set():
            yield frame or Lost(self._trouble or f"no picture from {self._camera}", self._clock() - self._began_s)
            frame = self._take(self._settings.lost_after_s)

    def close(self) -> None:
        """Ends the iteration and frees the camera, or lets it be freed as soon as its read returns."""
        self._stop.set()
        with self._news:
            self._news.notify_all()
        # A thread that comes back from a decoder while the program ends brings it down.
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(self._settings.farewell_s)

    def _first(self) -> Frame | None:
        """The first frame; None when the source was closed meanwhile."""
        s = self._settings
        frame = self._take(min(s.told_after_s, s.first_wait_s))
        if frame is None and not self._stop.is_set():
            self._warn(f"Waiting for a picture from {self._camera} ...")
            frame = self._take(s.first_wait_s - s.told_after_s)
        if frame is None and not self._stop.is_set():
            self.close()
            raise SourceError(self._trouble or f"no picture from {self._camera}: {self._camera.advice}")
        return frame

    def _take(self, wait_s: float) -> Frame | None:
        """The newest frame, waited for.

        Raises:
            SourceError: the camera cannot work, or the reader broke down.
        """
        with self._news:
            self._news.wait_for(lambda: self._newest or self._refusal or self._stop.is_set(), timeout=wait_s)
            if self._refusal is not None:
                raise self._refusal
            frame, self._newest = self._newest, None
            return frame

    def _put(self, frame: Frame) -> None:
        with self._news:
            self._newest = frame
            self._news.notify_all()

    def _refuse(self, error: Exception) -> None:
        with self._news:
            self._refusal = error
            self._news.notify_all()

    def _read_on(self) -> None:
        """Body of the reader thread; whatever ends it is told to the consumer, who would wait for ever."""
        try:
            self._read_sessions()
        except Exception as error:  # noqa: BLE001 - raised again where the consumer sees it
            self._refuse(error)
        finally:
            self._camera.close()

    def _read_sessions(self) -> None:
        """Open, read until it fails, pause, again."""
        index, pause_s, ever = 0, self._settings.retry_s, False
        while not self._stop.is_set():
            try:
                got, index = self._read_session(index)
            except SourceError as error:
                if not ever:
                    raise
                self._trouble, got = str(error), False
            self._camera.close()
            if self._stop.is_set():
                return
            if got:
                ever, pause_s = True, self._settings.retry_s
                self._trouble = self._trouble or f"no picture from {self._camera}"
                self._warn(f"{self._trouble}; trying again until it is back")
            self._stop.wait(pause_s)
            pause_s = min(2 * pause_s, self._settings.retry_most_s)

    def _read_session(self, index: int) -> tuple[bool, int]:
        """Reads from opening to loss; whether any frame came, and the next frame's number."""
        if not self._camera.open():
            return False, index
        opened_s, got = self._clock(), False
        while not self._stop.is_set():
            image = self._read()
            if image is None:
                break
            now_s = self._clock()
            same_s = self._sameness.see(image, now_s)
            if now_s - opened_s >= max(self._settings.warm_up_s, self._settings.thaw_s if same_s >= self._settings.thaw_s else 0.0):
                if same_s >= self._settings.thaw_s:
                    break
                got = self._passed_on(Frame(index, now_s - self._began_s, image), same_s) or got
            index += 1
        return got, index

    def _passed_on(self, frame: Frame, same_s: float) -> bool:
        """Gives a frame to the consumer, unless it is still the one before; whether it did."""
        if same_s >= self._settings.frozen_s:
            self._trouble = f"the picture of {self._camera} stands still to the last dot: the camera or its app hangs"
            return False
        if self._trouble:
            self._trouble = ""
            self._warn(f"{self._camera} is back")
        self._put(frame)
        return True

    def _read(self) -> BgrImage | None:
        """The next frame; None too when a decoder stumbles."""
        try:
            return self._camera.read()
        except (cv2.error, OSError):
            return None
