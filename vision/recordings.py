"""Recorded sources: a folder of pictures or a video file, read on their own time line with no frame dropped."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import BinaryIO

import cv2
import numpy as np

from vision.frames import BgrImage, Frame, Lost, SourceError
from vision.pictures import read_picture

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp"})
"""File name endings that count as pictures of a folder; anything else in it is passed over."""

FOLDER_FPS = 10.0
"""Frames a second assumed for a folder that is a recording rather than single moments."""

EARLY_END = 0.9
"""Share of the frames that a video claims under which it has ended too early; the claim itself is an estimate in some files."""

VIDEO_RETRIES = 25
"""Damaged frames in a row that are passed over before a video counts as ended."""


def name_order(path: Path) -> tuple[tuple[int, int, str], ...]:
    """Sort key of a picture's name in which runs of digits count as numbers (``2.jpg`` before ``10.jpg``)."""
    parts = re.findall(r"\d+|\D+", path.name.lower())
    return tuple((0, int(p), p) if p.isdigit() else (1, 0, p) for p in parts)


def listed_files(folder: Path, suffixes: Collection[str] = PICTURE_SUFFIXES) -> list[Path]:
    """The files of a folder with one of these endings, in name order; hidden ones are none of the user's pictures.

    Systems leave such files beside each picture on a stick (``._1.jpg`` beside ``1.jpg``).
    """
    return sorted((p for p in folder.iterdir() if p.suffix.lower() in suffixes and not p.name.startswith(".")), key=name_order)


class FolderSource:
    """The pictures of a folder in name order; one that cannot be read is passed over.

    Args:
        folder: where the pictures lie (its sub-folders are not searched).
        stills: each picture is a moment of its own: frames carry no time.
        warn: told about each picture that is passed over.

    Raises:
        SourceError: the folder holds no picture.
    """

    live = False

    def __init__(self, folder: Path, *, stills: bool, warn: Callable[[str], None] = lambda _: None) -> None:
        self.paths = listed_files(folder)
        if not self.paths:
            raise SourceError(f"no pictures in folder {folder}: JPEG or PNG files are wanted, in the order of their names")
        self._stills = stills
        self._warn = warn

    @property
    def total(self) -> int:
        """Number of pictures, readable or not."""
        return len(self.paths)

    def __iter__(self) -> Iterator[Frame | Lost]:
        """The readable pictures; ``index`` counts all, so that it names the file."""
        read = 0
        for index, path in enumerate(self.paths):
            try:
                image = read_picture(path)
            except SourceError as error:
                self._warn(str(error))
                continue
            read += 1
            yield Frame(index, None if self._stills else index / FOLDER_FPS, image)
        if not read:
            raise SourceError(f"none of the {len(self.paths)} pictures in {self.paths[0].parent} can be read")

    def close(self) -> None:
        """Nothing stays open between pictures."""


class VideoSource:
    """Every frame of a video file, with the time line of the file.

    Args:
        path: the file.
        warn: told when the file ends long before it should.

    Raises:
        SourceError: the file cannot be opened as a video or holds no frame; the message says why.
    """

    live = False

    def __init__(self, path: Path, *, warn: Callable[[str], None] = lambda _: None) -> None:
        check_video(path)
        self._path = path
        self._warn = warn
        self._capture = cv2.VideoCapture(str(path))
        self._fps = self._capture.get(cv2.CAP_PROP_FPS)
        if not 0.1 <= self._fps <= 1000:
            self._fps = FOLDER_FPS
        ok, image = self._capture.read() if self._capture.isOpened() else (False, None)
        if not ok or image is None:
            self._capture.release()
            raise SourceError(f"{path} is not a video with frames in it (MP4, MOV, AVI, MKV, ... are read)")
        self._first: BgrImage | None = np.asarray(image, np.uint8)

    @property
    def total(self) -> int | None:
        """Number of frames that the file claims."""
        count = int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT))
        return count if count > 0 else None

    def __iter__(self) -> Iterator[Frame | Lost]:
        """The frames; damaged ones are passed over but counted."""
        index, last_s = 0, -1.0
        image, self._first = self._first, None
        while image is not None:
            time_s = max(self._stamp(index), last_s + 1e-3)
            yield Frame(index, time_s, image)
            last_s = time_s
            image, skipped = self._next()
            index += 1 + skipped
        if self.total and index < EARLY_END * self.total:
            self._warn(f"{self._path} ends after {index} of {self.total} frames: it is damaged or not copied to its end")

    def _stamp(self, index: int) -> float:
        """Seconds since the start: the file's own stamp where it makes sense, for films of uneven rate."""
        stamp = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        even = index / self._fps
        return stamp if 0 < stamp < 10 * even + 10 else even

    def _next(self) -> tuple[BgrImage | None, int]:
        """The next readable frame and how many damaged ones came before it."""
        total = self.total
        for skipped in range(VIDEO_RETRIES):
            ok, image = self._capture.read()
            if ok and image is not None:
                return np.asarray(image, np.uint8), skipped
            if total is None or self._capture.get(cv2.CAP_PROP_POS_FRAMES) >= total:
                break
        return None, 0

    def close(self) -> None:
        """Closes the file."""
        self._capture.release()


def check_video(path: Path) -> None:
    """Look at a video file before it is decoded, for a decoder only says that it cannot.

    Raises:
        SourceError: it may not be read, is empty, or was cut off before its table of contents.
    """
    try:
        with path.open("rb") as file:
            begin = file.read(12)
            if not begin:
                raise SourceError(f"{path}: the file is empty")
            if begin[4:8] == b"ftyp" and b"moov" not in _boxes(file, path.stat().st_size):
                raise SourceError(
                    f"{path}: the film is cut short, its table of contents is missing; end the recording properly or copy it again"
                )
    except OSError as error:
        raise SourceError(f"{path}: cannot be opened ({error.strerror or error})") from error


def _boxes(file: BinaryIO, size: int) -> set[bytes]:
    """Names of the outermost boxes of an MP4 or MOV file (ISO 14496-12, 4.2) that lie wholly in it."""
    names, place = set(), 0
    while place + 8 <= size:
        file.seek(place)
        length, name = struct.unpack(">I4s", file.read(8))
        if length == 1:
            (length,) = struct.unpack(">Q", file.read(8).ljust(8, b"\0"))
        end = size if length == 0 else place + length
        if length in range(1, 8) or end > size:
            break
        names.add(name)
        place = end
    return names
