"""Calibrations kept on this computer: one small JSON file a camera."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from calibration.pose import GridPose, PoseError

VERSION = 1
"""Of the files; a later program that needs more writes a higher one, and an earlier one leaves it alone."""


class CalibrationError(ValueError):
    """A kept calibration cannot be used; the message says what to do."""


@dataclass(frozen=True)
class Calibration:
    """Where a camera saw the board, and its lens.

    Attributes:
        camera: its lasting name, or a stream's address, without secrets.
        image_wh: size of its pictures in px.
        size: cells a side of the board.
        corners_px: outer grid corners ``(x, y)``: top-left, top-right, bottom-right, bottom-left.
        focal_px: focal length in px.
        k1: first radial distortion term.
        by_hand: whether people gave the corners.
    """

    camera: str
    image_wh: tuple[int, int]
    size: int
    corners_px: tuple[tuple[float, float], ...]
    focal_px: float
    k1: float
    by_hand: bool = False

    @classmethod
    def of(cls, camera: str, pose: GridPose, *, by_hand: bool = False) -> Calibration:
        """The calibration of a pose."""
        corners = tuple((round(x, 2), round(y, 2)) for x, y in pose.corners_px.tolist())
        return cls(camera, pose.image_wh, pose.size, corners, round(pose.focal_px, 2), round(pose.k1, 5), by_hand)

    def pose(self) -> GridPose:
        """The grid in a picture of that size.

        Raises:
            PoseError: the corners are those of no board.
        """
        return GridPose.from_corners(np.array(self.corners_px), self.image_wh, self.size, self.k1, self.focal_px)


class Store:
    """The calibrations in a folder.

    Args:
        folder: where the files are; made when the first is written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all(self) -> list[Calibration]:
        """Those that can be used, by the names of their cameras."""
        found = []
        for file in self._folder.glob("*.json"):
            try:
                found.append(_read(file))
            except CalibrationError:
                continue
        return sorted(found, key=lambda one: one.camera)

    def load(self, camera: str) -> Calibration | None:
        """A camera's calibration; None when there is none.

        Raises:
            CalibrationError: the file is damaged or of a later program.
        """
        file = self.file_of(camera)
        return _read(file) if file.exists() else None

    def save(self, calibration: Calibration) -> Path:
        """Write it, in place of the camera's former one; gives the file.

        Raises:
            OSError: it cannot be written.
        """
        file = self.file_of(calibration.camera)
        self._folder.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part")
        part.write_text(json.dumps({"version": VERSION, **asdict(calibration)}, indent=1) + "\n")
        part.replace(file)
        return file

    def forget(self, camera: str) -> bool:
        """Remove a camera's calibration; whether there was one."""
        file = self.file_of(camera)
        there = file.exists()
        file.unlink(missing_ok=True)
        return there

    def file_of(self, camera: str) -> Path:
        """The camera's file: its name in plain letters, and a few digits that tell like names apart."""
        plain = re.sub(r"[^a-z0-9]+", "-", camera.lower()).strip("-")[:60]
        return self._folder / f"{plain}-{hashlib.sha256(camera.encode()).hexdigest()[:8]}.json"


def _read(file: Path) -> Calibration:
    """A file's calibration.

    Raises:
        CalibrationError: the file cannot be read, is damaged, or of another version of the program.
    """
    try:
        values = json.loads(file.read_text())
        version = values["version"]
        found = _calibration(values) if version == VERSION else None
    except (OSError, ValueError, KeyError, TypeError, PoseError) as error:
        raise CalibrationError(f"{file} is damaged: calibrate this camera again, or remove the file") from error
    if found is None:
        raise CalibrationError(f"{file} is of another version ({version}) of this program: calibrate this camera again")
    return found


def _calibration(values: dict[str, Any]) -> Calibration:
    """A calibration from what a file holds, every value checked.

    Raises:
        ValueError, KeyError, TypeError, PoseError: something is missing or wrong.
    """
    corners = tuple((float(x), float(y)) for x, y in values["corners_px"])
    width, height = (int(v) for v in values["image_wh"])
    focal_px, k1 = float(values["focal_px"]), float(values["k1"])
    found = Calibration(str(values["camera"]), (width, height), int(values["size"]), corners, focal_px, k1, bool(values["by_hand"]))
    if not (min(width, height) > 0 and found.size > 0 and focal_px > 0 and np.isfinite((focal_px, k1)).all()):
        raise ValueError(f"sizes and lens must be sound: {values}")
    found.pose()
    return found
