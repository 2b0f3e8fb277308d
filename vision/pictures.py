"""Picture files: their size is read from the header before anything is decoded, and cut-off files are refused.

A decoder given half a JPEG paints the rest grey and says nothing; a referee would then see an empty board.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.frames import BgrImage, SourceError


@dataclass(frozen=True)
class PictureSettings:
    """What is opened at all.

    Attributes:
        max_pixels: larger ones are refused unread: 80 million are 240 MB decoded, and phones' largest usual modes have 50 million.
        max_side_px: longer ones are refused: OpenCV cannot map more than 32,766 pixels a side.
        min_side_px: smaller ones are refused: 14 cells of 5 pixels, below which no reader can tell a cell from its neighbour.
        max_bytes: larger files are refused unread; an 80 megapixel PNG has at most about 240 MB.
    """

    max_pixels: int = 80_000_000
    max_side_px: int = 32_000
    min_side_px: int = 70
    max_bytes: int = 300_000_000


DEFAULTS = PictureSettings()

_JPEG_MARKER = re.compile(rb"\xff[^\x00\x01\xd0-\xd7\xff]")
"""A marker inside compressed data: 0xFF not followed by a stuffed zero, a restart or a fill byte."""


def read_picture(path: Path, settings: PictureSettings = DEFAULTS) -> BgrImage:
    """The picture of a file, (h, w, 3) BGR, turned by its EXIF orientation.

    Raises:
        SourceError: the file is missing, is no picture, is cut short, too large or too small; one line that says so.
    """
    return decode_picture(_read_bytes(path, settings), str(path), settings)


def decode_picture(data: bytes, name: str, settings: PictureSettings = DEFAULTS) -> BgrImage:
    """The picture that the bytes of a file hold, as `read_picture` gives it.

    Raises:
        SourceError: they are no picture, are cut short, too large or too small; the message begins with ``name``.
    """
    width, height = _checked_size(name, data, settings)
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise SourceError(f"{name}: this {width}x{height} picture cannot be decoded ({error.err})") from error
    if image is None:
        raise SourceError(f"{name}: the picture is damaged and cannot be decoded; copy it again from the camera")
    return np.asarray(image, np.uint8)


def png(image_bgr: BgrImage) -> bytes:
    """An (h, w, 3) BGR picture as the bytes of a PNG file."""
    return cv2.imencode(".png", image_bgr)[1].tobytes()


def _read_bytes(path: Path, settings: PictureSettings) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise SourceError(f"{path} is not a file")
        if path.stat().st_size > settings.max_bytes:
            raise SourceError(f"{path}: {path.stat().st_size // 10**6} MB are too much for one picture")
        return path.read_bytes()
    except FileNotFoundError:
        raise SourceError(f"{path}: no such file") from None
    except OSError as error:
        raise SourceError(f"{path}: cannot be opened ({error.strerror or error})") from error


def _checked_size(name: str, data: bytes, settings: PictureSettings) -> tuple[int, int]:
    if not data:
        raise SourceError(f"{name}: the file is empty")
    if data[4:12] in (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftypavif"):
        raise SourceError(f"{name}: HEIC and AVIF pictures are not read; save it as JPEG (on an iPhone: Settings, Camera, Most Compatible)")
    form = next((form for form in _FORMS if data.startswith(form.magic)), None)
    if form is None:
        raise SourceError(f"{name}: not a picture that can be read; JPEG, PNG, WebP and BMP are")
    try:
        (width, height), whole = form.size(data), form.is_whole(data)
    except (struct.error, IndexError, ValueError):
        raise SourceError(f"{name}: the file ends in the middle of its header; copy it again from the camera") from None
    if width * height > settings.max_pixels or max(width, height) > settings.max_side_px:
        most = f"{settings.max_pixels // 10**6} megapixels, {settings.max_side_px} a side"
        raise SourceError(f"{name}: {width}x{height} pixels are too many (at most {most}); make it smaller")
    if min(width, height) < settings.min_side_px:
        raise SourceError(f"{name}: {width}x{height} pixels are too few to show a board (at least {settings.min_side_px} a side)")
    if not whole:
        raise SourceError(f"{name}: the picture is cut short; copy it again from the camera")
    return width, height


@dataclass(frozen=True)
class _Form:
    """One file format: how it begins, and how to learn its size (width, height) and whether its end is there."""

    magic: bytes
    size: Callable[[bytes], tuple[int, int]]
    is_whole: Callable[[bytes], bool]


def _jpeg_segments(data: bytes, start: int) -> tuple[int, int]:
    """The next marker at or after `start` and the place after its two bytes; ValueError when there is none."""
    found = _JPEG_MARKER.search(data, start)
    if found is None:
        raise ValueError("no further marker")
    return data[found.start() + 1], found.end()


def _jpeg_size(data: bytes) -> tuple[int, int]:
    marker, place = _jpeg_segments(data, 2)
    while not (0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC)):
        (length,) = struct.unpack_from(">H", data, place)
        marker, place = _jpeg_segments(data, place + length)
    height, width = struct.unpack_from(">HH", data, place + 3)
    return width, height


def _jpeg_is_whole(data: bytes) -> bool:
    """Whether the end marker follows the compressed data (bytes after it, as in moving pictures, are no harm)."""
    try:
        marker, place = _jpeg_segments(data, 2)
        while marker != 0xD9:
            (length,) = struct.unpack_from(">H", data, place)
            marker, place = _jpeg_segments(data, place + length)
    except (ValueError, struct.error):
        return False
    return True


def _png_size(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from(">II", data, 16)
    return width, height


def _png_is_whole(data: bytes) -> bool:
    place = 8
    while place + 12 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, place)
        place += 12 + length
        if kind == b"IEND":
            return int(place) <= len(data)
    return False


def _webp_size(data: bytes) -> tuple[int, int]:
    if data[8:12] != b"WEBP":
        raise ValueError("another kind of RIFF file")
    kind = data[12:16]
    if kind == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    width, height = struct.unpack_from("<HH", data, 26)
    return width & 0x3FFF, height & 0x3FFF


def _webp_is_whole(data: bytes) -> bool:
    (length,) = struct.unpack_from("<I", data, 4)
    return len(data) >= 8 + int(length)


def _bmp_size(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from("<ii", data, 18)
    return abs(width), abs(height)


def _bmp_is_whole(data: bytes) -> bool:
    (offset,) = struct.unpack_from("<I", data, 10)
    (bits,) = struct.unpack_from("<H", data, 28)
    width, height = _bmp_size(data)
    compressed = struct.unpack_from("<I", data, 30)[0] != 0
    return bool(compressed) or len(data) >= int(offset) + height * ((width * bits + 31) // 32 * 4)


_FORMS = (
    _Form(b"\xff\xd8\xff", _jpeg_size, _jpeg_is_whole),
    _Form(b"\x89PNG\r\n\x1a\n", _png_size, _png_is_whole),
    _Form(b"RIFF", _webp_size, _webp_is_whole),
    _Form(b"BM", _bmp_size, _bmp_is_whole),
)


def work_alone() -> None:
    """Let OpenCV use one thread in this process, where several processes share the processors already."""
    cv2.setNumThreads(1)
