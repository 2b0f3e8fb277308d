"""Picture files: good ones are read, every kind of bad one is refused in one line, large ones before they are decoded."""

from __future__ import annotations

import contextlib
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.jpegs import exif_turned
from vision.frames import SourceError
from vision.pictures import PictureSettings, png, read_picture

EXTENSIONS = (".jpg", ".png", ".webp", ".bmp")
IMAGE = np.random.default_rng(7).integers(0, 255, (90, 160, 3), np.uint8)


def encoded(extension: str) -> bytes:
    return cv2.imencode(extension, IMAGE)[1].tobytes()


def png_header_only(width: int, height: int) -> bytes:
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body)) + b"\0" * 500


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_each_format_is_read(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"a{extension}"
    path.write_bytes(encoded(extension))
    assert read_picture(path).shape == IMAGE.shape


@pytest.mark.parametrize("params", [[cv2.IMWRITE_JPEG_PROGRESSIVE, 1], [cv2.IMWRITE_JPEG_RST_INTERVAL, 4]])
def test_progressive_and_restartable_jpegs_are_whole(tmp_path: Path, params: list[int]) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(cv2.imencode(".jpg", IMAGE, params)[1].tobytes())
    assert read_picture(path).shape == IMAGE.shape


def test_bytes_after_the_end_are_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "moving.jpg"
    path.write_bytes(encoded(".jpg") + b"ftypmp42" * 50)
    assert read_picture(path).shape == IMAGE.shape


def test_the_camera_s_orientation_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "portrait.jpg"
    path.write_bytes(exif_turned(encoded(".jpg"), 6))
    assert read_picture(path).shape == (IMAGE.shape[1], IMAGE.shape[0], 3)


@pytest.mark.parametrize("extension", EXTENSIONS)
@pytest.mark.parametrize("share", [0.01, 0.3, 0.9, 0.999])
def test_a_file_cut_short_is_refused(tmp_path: Path, extension: str, share: float) -> None:
    path = tmp_path / f"a{extension}"
    data = encoded(extension)
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(SourceError, match=r"cut short|ends in the middle"):
        read_picture(path)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"Dear diary, today we played Blokus.", "not a picture"),
        (b"\0\0\0\x18ftypheic" + b"\0" * 40, "HEIC"),
        (png_header_only(10000, 10000), "100"),
        (png_header_only(2**31 - 1, 2**31 - 1), "too many"),
        (cv2.imencode(".png", IMAGE[:1, :1])[1].tobytes(), "1x1 pixels are too few"),
        (b"\xff\xd8\xff\xe0" + b"\0" * 200, "middle of its header"),
    ],
)
def test_bad_files_are_refused_in_one_line(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "bad.jpg"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=words) as refused:
        read_picture(path)
    assert "\n" not in str(refused.value)
    assert "bad.jpg" in str(refused.value)


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        read_picture(tmp_path / "none.jpg")
    with pytest.raises(SourceError, match="not a file"):
        read_picture(tmp_path)


def test_a_file_larger_than_any_picture_is_not_loaded(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(encoded(".jpg"))
    with pytest.raises(SourceError, match="too much"):
        read_picture(path, PictureSettings(max_bytes=100))


def test_a_strip_longer_than_opencv_can_map_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "strip.png"
    path.write_bytes(cv2.imencode(".png", np.zeros((80, 40_000), np.uint8))[1].tobytes())
    with pytest.raises(SourceError, match="too many"):
        read_picture(path)


@settings(max_examples=300, deadline=None)
@given(extension=st.sampled_from(EXTENSIONS), place=st.integers(0, 400), value=st.binary(min_size=1, max_size=8))
def test_damage_anywhere_reads_or_refuses(tmp_path_factory: pytest.TempPathFactory, extension: str, place: int, value: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / f"damaged{extension}"
    data = bytearray(encoded(extension))
    data[place : place + len(value)] = value
    path.write_bytes(bytes(data))
    with contextlib.suppress(SourceError):
        assert read_picture(path).ndim == 3


def test_a_png_written_is_the_same_when_read(tmp_path: Path) -> None:
    (tmp_path / "seen").write_bytes(png(IMAGE))
    assert np.array_equal(read_picture(tmp_path / "seen"), IMAGE)
