"""The device that is the camera of a table, and where its pictures go. There is one at a time: the one on which it was started last."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from vision.frames import SourceError
from vision.phone import PhoneSource
from web.security import Refused
from web.settings import WebSettings


class PhoneCamera:
    """The device that is the camera, and the source that takes its pictures. Thread safe."""

    def __init__(self, source: PhoneSource, settings: WebSettings, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Pictures go to ``source``."""
        self._source = source
        self._settings = settings
        self._clock = clock
        self._lock = threading.Lock()
        self._device: str | None = None
        self._sent_s = 0.0

    def take(self, data: bytes, device: str, *, is_photo: bool, starts: bool) -> None:
        """Take a picture of a device; ``starts``: its people have just made it the camera.

        Raises:
            Refused: another device is the camera (409), pictures come too fast (429), or it cannot be used (422).
        """
        with self._lock:
            now = self._clock()
            silent_s = now - self._sent_s
            if not starts and self._device not in (None, device) and silent_s < self._settings.camera_free_s:
                raise Refused("Another device is the camera now. Start the camera here to use this one instead.", 409)
            if self._device == device and silent_s < self._settings.picture_pause_s:
                raise Refused("Pictures come faster than they are looked at.", 429, retry_after_s=1)
            self._device, self._sent_s = device, now
        try:
            self._source.put(data, is_photo=is_photo)
        except SourceError as error:
            raise Refused(f"{str(error)[:1].upper()}{str(error)[1:]}.", 422) from error
