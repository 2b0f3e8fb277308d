"""The cameras that can be watched: those of this computer, and streams by their URL."""

from __future__ import annotations

import sys

import cv2
import numpy as np

from vision.devices import Devices
from vision.frames import BgrImage, SourceError
from vision.http_camera import OTHER, HttpPictures, without_secrets

WANTED_WH = (1920, 1080)
"""Picture size asked for: drivers give the nearest they have, and 640 x 480 when nothing is asked, which leaves 20 px for a cell."""


class LocalCamera:
    """A camera of this computer.

    Its name is remembered: plugged in again it may have another number, and another camera its old one.

    Args:
        wanted: its number, or its name or a part of it.
        devices: the system's cameras.

    Raises:
        SourceError: there is none, or this program may not use it.
    """

    def __init__(self, wanted: int | str, devices: Devices | None = None) -> None:
        self._devices = devices or Devices()
        self._capture: cv2.VideoCapture | None = None
        if isinstance(wanted, int):
            self._devices.check(wanted)
            self._number, self._name = wanted, self._devices.name_of(wanted)
        else:
            device = self._devices.named(wanted)
            if device is None:
                raise SourceError(f"no camera is called {wanted}: {self._devices.overview()}")
            self._devices.check(device.number)
            self._number, self._name = device.number, device.link or device.name

    @property
    def label(self) -> str:
        """By what its calibration is kept: the name, else the number."""
        return self._name or str(self)

    def __str__(self) -> str:
        name = self._devices.name_of(self._number)
        return f"camera {self._number} ({name})" if name else f"camera {self._number}"

    @property
    def advice(self) -> str:
        """What to look at when it gives no picture."""
        return "is it plugged in, switched on and used by no other program?"

    def open(self) -> bool:
        """Opens it by the number that it has now; the size is read back from the pictures, not assumed."""
        self._number = self._number_now()
        self._devices.check(self._number)
        self._capture = capture = cv2.VideoCapture(self._number, cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY)
        # Compressed pictures: raw ones of this size come five times a second through USB 2.
        for prop, value in (
            (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),
            (cv2.CAP_PROP_FRAME_WIDTH, WANTED_WH[0]),
            (cv2.CAP_PROP_FRAME_HEIGHT, WANTED_WH[1]),
            (cv2.CAP_PROP_BUFFERSIZE, 1),
        ):
            capture.set(prop, value)
        return capture.isOpened()

    def _number_now(self) -> int:
        """The number of the camera of this name; the old one when its name was never known or two have it."""
        if not self._name or self._devices.name_of(self._number) == self._name:
            return self._number
        try:
            device = self._devices.named(self._name)
        except SourceError:
            return self._number
        if device is None:
            raise SourceError(f"{self._name} is not plugged in")
        return device.number

    def read(self) -> BgrImage | None:
        """The next frame."""
        return None if self._capture is None else read_frame(self._capture)

    def close(self) -> None:
        """Frees it."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None


class StreamCamera:
    """A stream by its URL. JPEG pictures over HTTP are read part by part, everything else by FFmpeg.

    Args:
        url: where it is; user name and password are kept out of messages.

    Raises:
        SourceError: it is no address.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._pictures = HttpPictures(url) if url.partition(":")[0].lower() in ("http", "https") else None
        self._capture: cv2.VideoCapture | None = None

    @property
    def label(self) -> str:
        """By what its calibration is kept."""
        return str(self)

    def __str__(self) -> str:
        return without_secrets(self._url)

    @property
    def advice(self) -> str:
        """What to look at when it gives no picture."""
        reason = self._pictures.failure if self._pictures is not None else ""
        question = "is the address right, the app or camera switched on, and this computer in the same network?"
        return f"{question} ({reason})" if reason else question

    def open(self) -> bool:
        """Connects, with read time-outs, because network reads block for ever otherwise.

        Raises:
            SourceError: what is there is no live stream.
        """
        if self._pictures is not None:
            if not self._pictures.open():
                return False
            if self._pictures.kind != OTHER:
                return True
            self._pictures.close()
        waits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 8000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 5000]
        self._capture = cv2.VideoCapture(self._url, cv2.CAP_FFMPEG, waits)
        if self._capture.isOpened() and self._capture.get(cv2.CAP_PROP_FRAME_COUNT) > 1:
            raise SourceError(f"{self} is a film, not a live stream: save it as a file and watch that")
        return self._capture.isOpened()

    def read(self) -> BgrImage | None:
        """The next whole frame."""
        if self._capture is not None:
            return read_frame(self._capture)
        return None if self._pictures is None else self._pictures.read()

    def close(self) -> None:
        """Ends the connection."""
        if self._pictures is not None:
            self._pictures.close()
        if self._capture is not None:
            self._capture.release()
            self._capture = None


def read_frame(capture: cv2.VideoCapture) -> BgrImage | None:
    """The next frame of an open capture, or None."""
    ok, image = capture.read()
    return np.asarray(image, np.uint8) if ok and image.ndim == 3 else None
