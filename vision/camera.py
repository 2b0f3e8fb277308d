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
        """Opens it; False when that fails now (it may work later)."""

    def read(self) -> BgrImage | None:
        """Waits for the next frame; None when there is none."""

    def close(self) -> None:
        """Frees it; harmless when repeated."""

    def __str__(self) -> str:
        """Its name in messages."""


@dataclass(frozen=True)
class LiveSettings:
    """Times of a live source, all in seconds.

    Attributes:
        warm_up_s: frames thrown away after opening: exposure and white balance are still settling.
        lost_after_s: silence after which the camera counts as lost; slow network cameras give 2 frames a second.
        first_wait_s: wait for the first frame before the source is refused; network cameras need some seconds.
        retry_s: first pause before opening again; doubled each time.
        retry_most_s: longest such pause, so that a camera plugged in again is back soon.
    """

    warm_up_s: float = 1.0
    lost_after_s: float = 2.0
    first_wait_s: float = 15.0
    retry_s: float = 0.5
    retry_most_s: float = 8.0


class OpenCvCamera:
    """A camera number or stream URL read with OpenCV.

    Args:
        address: number of a local camera, or the URL of a stream.
    """

    def __init__(self, address: int | str) -> None:
        self._address = address
        self._capture: cv2.VideoCapture | None = None

    def __str__(self) -> str:
        return f"camera {self._address}" if isinstance(self._address, int) else self._address

    def open(self) -> bool:
        """Opens the device with read time-outs, because network reads block for ever otherwise."""
        if isinstance(self._address, int):
            self._capture = cv2.VideoCapture(self._address)
        else:
            waits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 8000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 5000]
            self._capture = cv2.VideoCapture(self._address, cv2.CAP_FFMPEG, waits)
        return self._capture.isOpened()

    def read(self) -> BgrImage | None:
        """The next frame, or None."""
        if self._capture is None:
            return None
        ok, image = self._capture.read()
        return np.asarray(image, np.uint8) if ok and image.ndim == 3 else None

    def close(self) -> None:
        """Frees the device."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None


class LiveSource:
    """Frames of a camera as they come; only the newest one is kept for the consumer.

    Args:
        camera: what is read.
        settings: its times.
        clock: seconds that never go back (``time.monotonic``).
        warn: told in one line when the camera is lost and found.

    Raises:
        SourceError: on iteration, when not one frame came within ``first_wait_s``.
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
        self._stop = threading.Event()
        self._began_s = clock()
        self._thread = threading.Thread(target=self._read_on, name="camera reader", daemon=True)

    def __iter__(self) -> Iterator[Frame | Lost]:
        """The newest frame whenever the consumer asks; `Lost` each ``lost_after_s`` of silence."""
        self._thread.start()
        seen_any = False
        while not self._stop.is_set():
            wait_s = self._settings.lost_after_s if seen_any else self._settings.first_wait_s
            frame = self._take(wait_s)
            if self._stop.is_set():
                return
            if frame is None and not seen_any:
                self.close()
                raise SourceError(f"no picture from {self._camera}: is it plugged in, free and allowed for this program?")
            seen_any = True
            yield frame or Lost(f"no picture from {self._camera}", self._clock() - self._began_s)

    def close(self) -> None:
        """Ends the iteration and frees the camera as soon as its read returns."""
        self._stop.set()
        with self._news:
            self._news.notify_all()

    def _take(self, wait_s: float) -> Frame | None:
        with self._news:
            self._news.wait_for(lambda: self._newest is not None or self._stop.is_set(), timeout=wait_s)
            frame, self._newest = self._newest, None
            return frame

    def _put(self, frame: Frame) -> None:
        with self._news:
            self._newest = frame
            self._news.notify_all()

    def _read_on(self) -> None:
        """Body of the reader thread: open, read until it fails, pause, again."""
        index, pause_s = 0, self._settings.retry_s
        while not self._stop.is_set():
            got, index = self._read_session(index)
            self._camera.close()
            if self._stop.is_set():
                return
            pause_s = self._settings.retry_s if got else min(2 * pause_s, self._settings.retry_most_s)
            self._warn(f"{self._camera} gives no picture, trying again in {pause_s:g} s")
            self._stop.wait(pause_s)

    def _read_session(self, index: int) -> tuple[bool, int]:
        """Reads from opening to loss; whether any frame came, and the next frame's number."""
        if not self._camera.open():
            return False, index
        opened_s, got = self._clock(), False
        while not self._stop.is_set():
            image = self._camera.read()
            if image is None:
                break
            now_s = self._clock()
            if now_s - opened_s >= self._settings.warm_up_s:
                got = True
                self._put(Frame(index, now_s - self._began_s, image))
            index += 1
        return got, index
