"""The cameras of this computer, by number and by name."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from vision.frames import SourceError

LAST_CAMERA = 99
"""The largest number of a camera: OpenCV counts 100 of them to each of its interfaces, and larger numbers name interfaces."""


@dataclass(frozen=True)
class Device:
    """One camera.

    Attributes:
        number: by which OpenCV opens it; changes when cameras are plugged in another order.
        name: what its maker calls it.
        link: its lasting name among the system's links, with the serial number where it has one; empty when unknown.
    """

    number: int
    name: str
    link: str = ""

    def __str__(self) -> str:
        return f"{self.number} ({self.name})"


@dataclass(frozen=True)
class Devices:
    """The cameras that the system lists. Only Linux lists them where a program can read it without further libraries.

    Attributes:
        root: where the system's files begin.
        is_listed: whether this system lists its cameras.
    """

    root: Path = Path("/")
    is_listed: bool = sys.platform == "linux"

    def all(self) -> list[Device]:
        """The cameras by number; of one that has several device files, that which gives the pictures (index 0)."""
        folder = self.root / "sys/class/video4linux"
        links = self._links()
        found = []
        for entry in folder.glob("video*") if self.is_listed else ():
            number = entry.name.removeprefix("video")
            if number.isdecimal() and _text(entry / "index") in ("", "0"):
                found.append(Device(int(number), _text(entry / "name") or entry.name, links.get(entry.name, "")))
        return sorted(found, key=lambda device: device.number)

    def _links(self) -> dict[str, str]:
        folder = self.root / "dev/v4l/by-id"
        return {link.resolve().name: link.name for link in folder.glob("*")} if self.is_listed else {}

    def named(self, name: str) -> Device | None:
        """The camera that is called so, or whose name holds the words; None when there is none.

        Raises:
            SourceError: several are called so.
        """
        wanted, cameras = name.casefold(), self.all()
        same = [device for device in cameras if wanted in (device.name.casefold(), device.link.casefold())]
        like = same or [device for device in cameras if wanted in device.name.casefold() or wanted in device.link.casefold()]
        if len(like) > 1:
            raise SourceError(f"several cameras are called {name}: {_listed(like)}; give the number")
        return like[0] if like else None

    def meant_by(self, spec: str) -> Device | None:
        """The camera that a SOURCE of the command line names by number, device file or name; None when it is none of these or unsure."""
        if number := re.fullmatch(r"(?:/dev/video)?(\d{1,9})", spec):
            return next((device for device in self.all() if device.number == int(number[1])), None)
        try:
            return self.named(spec)
        except SourceError:
            return None

    def check(self, number: int) -> None:
        """Make sure that a camera can be opened, as far as that is known without opening it.

        Raises:
            SourceError: there is none of that number, or this program may not use it.
        """
        if number > LAST_CAMERA:
            raise SourceError(f"no camera has the number {number}: they are counted from 0, and {LAST_CAMERA} is the last possible")
        file = self.root / f"dev/video{number}"
        if not self.is_listed:
            return
        if not file.exists():
            raise SourceError(f"there is no camera {number}: {self.overview()}")
        if not os.access(file, os.R_OK | os.W_OK):
            raise SourceError(
                f"camera {number} may not be used by this account: `sudo usermod -aG video $USER`, then log out and in again, allows it"
            )

    def name_of(self, number: int) -> str:
        """What the camera of a number is called; empty when unknown."""
        return next((device.name for device in self.all() if device.number == number), "")

    def overview(self) -> str:
        """Which cameras there are, in words."""
        cameras = self.all()
        if cameras:
            return f"this computer has {_listed(cameras)}"
        return "no camera is known to this computer; is it plugged in?" if self.is_listed else "cameras have numbers here, not names"


def _listed(devices: list[Device]) -> str:
    return ", ".join(map(str, devices))


def _text(file: Path) -> str:
    """What a small system file says; empty when it cannot be read."""
    try:
        return file.read_text(errors="replace").strip()
    except OSError:
        return ""
