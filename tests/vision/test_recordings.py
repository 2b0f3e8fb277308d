"""Recordings: films and folders that are whole, damaged, cut short, empty, locked or without colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.colourless import GREY_START, Coloured, is_grey
from vision.frames import BgrImage, Frame, Lost, SourceError
from vision.recordings import FolderSource, VideoSource
from vision.sources import open_source

COUNT = 20


def picture(number: int) -> BgrImage:
    """A coloured picture that tells its number by five light or dark fields, which no compression mistakes."""
    image = np.full((96, 128, 3), (40, 90, 160), np.uint8)
    for bit in range(5):
        image[32:64, 24 * bit : 24 * bit + 24] = 230 if number >> bit & 1 else 20
    return image


def film(path: Path, pictures: Sequence[BgrImage], code: str = "mp4v") -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), 10, (128, 96))
    for image in pictures:
        writer.write(image)
    writer.release()
    return path


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    return film(tmp_path / "game.mp4", [picture(k) for k in range(COUNT)])


def frames(source: VideoSource | FolderSource | Coloured) -> list[Frame]:
    return [thing for thing in source if isinstance(thing, Frame)]


def number_of(frame: Frame) -> int:
    return sum(1 << bit for bit in range(5) if frame.image_bgr[48, 24 * bit + 12].mean() > 128)


def test_a_film_gives_every_frame_once_on_its_own_time_line(whole: Path) -> None:
    found = frames(VideoSource(whole))
    assert [frame.index for frame in found] == list(range(COUNT))
    assert [number_of(frame) for frame in found] == list(range(COUNT))
    assert [frame.time_s for frame in found] == pytest.approx([k / 10 for k in range(COUNT)], abs=0.11)


def test_a_damaged_frame_is_passed_over_and_counted(tmp_path: Path) -> None:
    path = film(tmp_path / "game.avi", [picture(k) for k in range(COUNT)], "MJPG")
    data = bytearray(path.read_bytes())
    starts = [k for k in range(len(data) - 2) if data[k : k + 3] == b"\xff\xd8\xff"]
    data[starts[5] : starts[6] - 16] = bytes(starts[6] - 16 - starts[5])
    path.write_bytes(bytes(data))
    assert [number_of(frame) for frame in frames(VideoSource(path))] == [k for k in range(COUNT) if k != 5]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("empty", "the file is empty"),
        ("cut short", "cut short"),
        ("table cut", "cut short"),
        ("text", "is not a video"),
        ("header", "cut short"),
        ("missing", "No such file"),
    ],
)
def test_a_film_that_cannot_be_read_says_why(whole: Path, tmp_path: Path, kind: str, words: str) -> None:
    data = whole.read_bytes()
    contents = {"empty": b"", "cut short": data[: len(data) // 2], "table cut": data[:-40], "text": b"no film at all", "header": data[:40]}
    path = tmp_path / "bad.mp4"
    if kind in contents:
        path.write_bytes(contents[kind])
    with pytest.raises(SourceError, match=words):
        VideoSource(path)


def test_a_film_that_may_not_be_read_says_so(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The administrator may read everything, so that the refusal is played."""

    def refuse(path: Path, *_: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(SourceError, match="Permission denied"):
        VideoSource(whole)


def test_a_film_that_ends_too_early_is_read_to_there_and_told(tmp_path: Path) -> None:
    path = film(tmp_path / "game.avi", [picture(k) for k in range(COUNT)], "MJPG")
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    words: list[str] = []
    found = frames(VideoSource(path, warn=words.append))
    assert 0 < len(found) < COUNT
    (word,) = words
    assert f"of {COUNT} frames" in word


def test_a_whole_film_ends_without_a_word(whole: Path) -> None:
    words: list[str] = []
    assert len(frames(VideoSource(whole, warn=words.append))) == COUNT
    assert words == []


def test_pictures_of_a_folder_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for k in range(12):
        (tmp_path / f"{k}.png").write_bytes(cv2.imencode(".png", picture(k))[1].tobytes())
    (tmp_path / "5.png").write_bytes(b"no picture")
    words: list[str] = []
    found = frames(FolderSource(tmp_path, stills=True, warn=words.append))
    assert [(frame.index, number_of(frame)) for frame in found] == [(k, k) for k in range(12) if k != 5]
    assert all(frame.time_s is None for frame in found)
    assert len(words) == 1


# Pictures without colours


@dataclass
class Given:
    """A source of given pictures, live or not."""

    pictures: Sequence[BgrImage]
    live: bool = False
    total: int | None = None

    def __iter__(self) -> Iterator[Frame | Lost]:
        for k, image in enumerate(self.pictures):
            yield Frame(k, k / 10, image)

    def close(self) -> None:
        """Nothing to close."""


def grey(image: BgrImage) -> BgrImage:
    return np.repeat(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)[..., None], 3, axis=2).astype(np.uint8)


def test_grey_is_what_has_no_colour_anywhere() -> None:
    spot = grey(picture(1))
    spot[40:44, 60:64] = (20, 60, 200)
    assert [is_grey(image) for image in (picture(1), grey(picture(1)), spot)] == [False, True, False]


def test_a_recording_without_colours_is_refused() -> None:
    with pytest.raises(SourceError, match="no colours"):
        list(Coloured(Given([grey(picture(1))] * 3)))
    endless = [grey(picture(1))] * GREY_START + [picture(1)] * 5
    with pytest.raises(SourceError, match="no colours"):
        list(Coloured(Given(endless)))


def test_grey_pictures_of_a_coloured_recording_are_passed_over_with_one_word() -> None:
    words: list[str] = []
    source = Coloured(Given([grey(picture(1)), picture(2), grey(picture(3)), picture(4)]), words.append)
    assert [frame.index for frame in frames(source)] == [1, 3]
    assert words == ["2 pictures without colours were passed over"]


def test_a_dark_picture_is_left_to_be_called_dark() -> None:
    black = np.zeros((96, 128, 3), np.uint8)
    assert [frame.index for frame in frames(Coloured(Given([picture(0), black])))] == [0, 1]


def test_a_camera_that_turns_grey_is_lost_until_it_shows_colours_again() -> None:
    things = list(Coloured(Given([picture(0), grey(picture(1)), picture(2)], live=True)))
    assert [type(thing) for thing in things] == [Frame, Lost, Frame]
    assert isinstance(things[1], Lost)
    assert "night vision" in things[1].reason


def test_a_grey_film_is_refused_when_it_is_opened_by_name(tmp_path: Path) -> None:
    path = film(tmp_path / "grey.mp4", [grey(picture(k)) for k in range(5)])
    with pytest.raises(SourceError, match="no colours"):
        list(open_source(str(path)))


def test_hidden_files_of_a_folder_are_none_of_its_pictures(tmp_path: Path) -> None:
    for name in ("10.jpg", "2.PNG", "._2.PNG", ".hidden.jpg", "notes.txt"):
        (tmp_path / name).write_bytes(b"")
    assert [path.name for path in FolderSource(tmp_path, stills=True).paths] == ["2.PNG", "10.jpg"]
