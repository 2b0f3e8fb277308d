"""JPEG files, good ones and such as people with bad intentions send."""

from __future__ import annotations

import struct

import cv2
import numpy as np
from numpy.typing import NDArray

BgrImage = NDArray[np.uint8]


def jpeg(image_bgr: BgrImage) -> bytes:
    return cv2.imencode(".jpg", image_bgr)[1].tobytes()


def exif_turned(data: bytes, orientation: int) -> bytes:
    """The file with an EXIF orientation, as a phone's camera app writes it."""
    tiff = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0" + struct.pack("<HH", orientation, 0) + b"\0\0\0\0"
    segment = b"Exif\0\0" + tiff
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment + data[2:]


def claiming(data: bytes, width: int, height: int) -> bytes:
    """The file with another size in its header: a decompression bomb when it is large."""
    place = data.index(b"\xff\xc0")
    return data[: place + 5] + struct.pack(">HH", height, width) + data[place + 9 :]


HOSTILE = {
    "nothing": b"",
    "no picture": b"<html>hello</html>" * 100,
    "another format": cv2.imencode(".png", np.zeros((100, 100, 3), np.uint8))[1].tobytes(),
    "a picture cut short": jpeg(np.random.default_rng(1).integers(0, 255, (200, 200, 3), np.uint8))[:-300],
    "a header alone": b"\xff\xd8\xff\xe0\x00\x10JFIF",
    "a bomb": claiming(jpeg(np.zeros((100, 100, 3), np.uint8)), 65_000, 65_000),
    "a long bomb": claiming(jpeg(np.zeros((100, 100, 3), np.uint8)), 16_000, 100),
    "a stamp": jpeg(np.zeros((20, 20, 3), np.uint8)),
    "a thousand scans": jpeg(np.zeros((100, 100, 3), np.uint8))[:-2] + b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00\x00" * 1000 + b"\xff\xd9",
}
"""What no phone's camera sends, by what it is."""
