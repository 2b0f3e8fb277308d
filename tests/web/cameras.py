"""Cameras that the set-up page can be tried with: each shows one picture for ever, and somebody watches one of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from calibration.store import Store
from vision.devices import Devices
from vision.frames import BgrImage, Frame, SourceError
from vision.items import Locate
from vision.viewfinder import Changed, Viewfinder
from web.camera_desk import CameraDesk
from web.live import LiveGame

FRAME_S = 0.02


class StillCamera:
    """A live source that shows one picture for ever; without a picture it is a camera that gives none."""

    live = True
    total = None

    def __init__(self, picture: BgrImage | None) -> None:
        self.picture = picture
        self.is_closed = False

    def __iter__(self) -> Iterator[Frame]:
        index = 0
        while not self.is_closed:
            if self.picture is None:
                raise SourceError("no picture from this camera: is it plugged in?")
            yield Frame(index, index * FRAME_S, self.picture)
            index += 1
            time.sleep(FRAME_S)

    def close(self) -> None:
        self.is_closed = True


class OneCamera:
    """A camera that is opened for one picture; without a picture it cannot be."""

    advice = "is it plugged in?"

    def __init__(self, picture: BgrImage | None) -> None:
        self.picture = picture

    def open(self) -> bool:
        if self.picture is None:
            raise SourceError("no picture from this camera: is it plugged in?")
        return True

    def read(self) -> BgrImage | None:
        return self.picture

    def close(self) -> None:
        """Nothing to let go."""

    def __str__(self) -> str:
        return "the camera"


class Watching:
    """Somebody who watches through a viewfinder, as `watch` does, and notes how the board is to be found each time."""

    def __init__(self, pictures: dict[str, BgrImage | None], spec: str, desk_of: Callable[[Watching], CameraDesk]) -> None:
        self.pictures = pictures
        self.viewfinder = Viewfinder(self.open(spec), spec, self.open)
        self.desk = desk_of(self)
        self.searches: list[Locate] = []
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def open(self, spec: str) -> StillCamera:
        if spec not in self.pictures:
            raise SourceError(f"there is no camera {spec}")
        return StillCamera(self.pictures[spec])

    def camera(self, spec: str) -> OneCamera | None:
        return OneCamera(self.pictures[spec]) if spec in self.pictures else None

    def _watch(self) -> None:
        while True:
            self.searches.append(self.desk.search())
            try:
                for _ in self.viewfinder:
                    pass
                return
            except Changed:
                continue

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.viewfinder.close()
        self._thread.join(10)


def devices(root: Path, *names: str) -> Devices:
    """A system with so many cameras, drawn as files."""
    for number, name in enumerate(names):
        entry = root / f"sys/class/video4linux/video{number}"
        entry.mkdir(parents=True)
        (entry / "name").write_text(f"{name}\n")
        (root / "dev").mkdir(exist_ok=True)
        (root / f"dev/video{number}").touch()
    return Devices(root, is_listed=True)


@contextmanager
def watching(live: LiveGame, folder: Path, pictures: dict[str, BgrImage | None], spec: str = "0") -> Iterator[Watching]:
    """Somebody watches one of these cameras of a computer, the others lie beside; calibrations are kept in the folder."""
    system = devices(folder, *(f"Camera {spec}" for spec in pictures if spec.isdecimal()))

    def desk_of(there: Watching) -> CameraDesk:
        store, rules = Store(folder / "kept"), lambda: live.table.options.rules
        return CameraDesk(store, rules, there.viewfinder, devices=system, camera=there.camera)

    with Watching(pictures, spec, desk_of) as there:
        yield there
