"""A game as a moving picture: every turn in order, the newest piece marked, the end as the board lies."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.cells import Cells
from vision.board_picture import PictureStyle, draw_board
from vision.timelapse import LapseSettings, TimeLapseError, frames, gif, mp4

SMALL = LapseSettings(cell_px=10, most_frames=100)
TURNS: list[tuple[str, Cells]] = [
    ("blue", frozenset({(0, 0), (0, 1)})),
    ("yellow", frozenset({(0, 13)})),
    ("red", frozenset({(5, 5), (5, 6)})),
]


def paint(picture: np.ndarray, row: int, col: int) -> tuple[int, ...]:
    """The colour near the edge of a square, beside its mark, in a picture of 10 px a square with one square around."""
    return tuple(int(value) for value in picture[10 * (row + 1) + 8, 10 * (col + 1) + 5])


def test_the_board_fills_turn_by_turn_and_ends_as_it_lies() -> None:
    final = [TURNS[0], ("yellow", frozenset({(1, 13)}))]
    shown = list(frames(14, TURNS, final, SMALL))
    assert len(shown) == 5
    empty = draw_board(14, [], style=PictureStyle(cell_px=10))
    assert np.array_equal(shown[0], empty)
    assert np.array_equal(shown[-1], draw_board(14, final, style=PictureStyle(cell_px=10)))
    occupied = [[paint(picture, *cell) != paint(empty, *cell) for cell in ((0, 0), (0, 13), (5, 5))] for picture in shown[:4]]
    assert occupied == [[False] * 3, [True, False, False], [True, True, False], [True] * 3]


def test_the_newest_piece_is_marked_and_no_other() -> None:
    second = list(frames(14, TURNS, TURNS, SMALL))[2]
    plain = draw_board(14, TURNS[:2], style=PictureStyle(cell_px=10))
    changed = np.argwhere(np.abs(second.astype(int) - plain).sum(2) > 0)
    assert len(changed) > 0
    assert changed[:, 0].max() <= 22
    assert changed[:, 1].min() >= 138


def test_a_long_game_is_shortened_and_keeps_its_beginning_and_end() -> None:
    many = [("blue", frozenset({(row, col)})) for row in range(14) for col in range(14)]
    shown = list(frames(14, many, many, LapseSettings(cell_px=10, most_frames=20)))
    assert len(shown) == 21
    assert np.array_equal(shown[-1], draw_board(14, many, style=PictureStyle(cell_px=10)))


def test_a_gif_holds_every_picture_and_its_time() -> None:
    shown = list(frames(14, TURNS, TURNS, SMALL))
    data = gif(shown, SMALL)
    assert data.startswith(b"GIF89a")
    read, film = cv2.imdecodeanimation(np.frombuffer(data, np.uint8))
    assert read
    assert [int(length) for length in film.durations] == [400, 400, 400, 400, 4000]
    for picture, drawn in zip(film.frames, shown, strict=True):
        assert np.abs(picture[..., :3].astype(int) - drawn).mean() < 8


def test_a_film_holds_every_picture_and_shows_the_end_for_as_long(tmp_path: Path) -> None:
    shown = list(frames(14, TURNS, TURNS, SMALL))
    data = mp4(shown, SMALL)
    assert data[4:8] == b"ftyp"
    (tmp_path / "game.mp4").write_bytes(data)
    film = cv2.VideoCapture(str(tmp_path / "game.mp4"))
    count = round(film.get(cv2.CAP_PROP_FRAME_COUNT))
    assert count == len(shown) + 9
    pictures = [film.read()[1] for _ in range(count)]
    film.release()
    assert np.abs(pictures[-1].astype(int) - shown[-1]).mean() < 12


def test_a_computer_that_cannot_make_films_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2.VideoWriter, "fourcc", lambda *_: 0x656E6F6E)
    with pytest.raises(TimeLapseError, match="a GIF can"):
        mp4(list(frames(14, TURNS, TURNS, SMALL)), SMALL)
