"""A game in a few seconds: the drawn board after each turn, as a moving picture that any program shows."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from referee.cells import Cells
from vision.board_picture import PictureStyle, draw_board
from vision.frames import BgrImage

Piece = tuple[str, Cells]
"""A piece that lies on the board: its colour and its cells."""


@dataclass(frozen=True)
class LapseSettings:
    """How a game is told.

    Attributes:
        cell_px: width of a square: the whole board of 20 squares is 440 px wide, as messengers show it.
        turn_ms: how long a turn is shown: a game of 80 turns takes half a minute.
        end_ms: how long the end is shown.
        most_frames: of a longer game some turns are passed over; a game of four has at most 84 pieces.
    """

    cell_px: int = 20
    turn_ms: int = 400
    end_ms: int = 4000
    most_frames: int = 100


DEFAULTS = LapseSettings()


class TimeLapseError(RuntimeError):
    """A moving picture that this computer cannot make; one line."""


def frames(size: int, turns: Sequence[Piece], final: Sequence[Piece], settings: LapseSettings = DEFAULTS) -> Iterator[BgrImage]:
    """The (h, w, 3) BGR pictures: the empty board, the board after each turn with its piece marked, and the board at the end.

    Args:
        size: rows and columns.
        turns: the pieces in the order in which they were put down, where they were put down.
        final: what lies on the board at the end.
        settings: how large, and how many.
    """
    style = PictureStyle(cell_px=settings.cell_px)
    for count in np.unique(np.linspace(0, len(turns), min(len(turns) + 1, settings.most_frames)).round().astype(int)).tolist():
        newest = turns[count - 1][1] if count else frozenset()
        yield draw_board(size, turns[:count], newest=newest, style=style)
    yield draw_board(size, final, style=style)


def gif(pictures: Sequence[BgrImage], settings: LapseSettings = DEFAULTS) -> bytes:
    """The pictures as an animated GIF that begins again after its end, some 20 kB a turn.

    Raises:
        TimeLapseError: OpenCV was built without GIF.
    """
    film = cv2.Animation()
    film.frames = [cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA) for picture in pictures]
    film.durations = [*[settings.turn_ms] * (len(pictures) - 1), settings.end_ms]
    # Without dithering: the drawing has a dozen plain colours, and dots between them would only make it large.
    done, data = cv2.imencodeanimation(".gif", film, [cv2.IMWRITE_GIF_QUALITY, 4, cv2.IMWRITE_GIF_DITHER, 3])
    if not done:
        raise TimeLapseError("no GIF can be made here: OpenCV was built without it")
    return data.tobytes()


def mp4(pictures: Sequence[BgrImage], settings: LapseSettings = DEFAULTS) -> bytes:
    """The pictures as an MP4 film (VP9, which every browser plays), some 10 kB a turn; it takes 0.1 s a turn to make.

    Raises:
        TimeLapseError: OpenCV was built without FFmpeg or that codec.
    """
    height, width = pictures[0].shape[:2]
    still = [pictures[-1]] * max(1, round(settings.end_ms / settings.turn_ms) - 1)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "game.mp4"
        writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"vp09"), 1000 / settings.turn_ms, (width, height))
        try:
            if not writer.isOpened():
                raise TimeLapseError("no MP4 can be made here: OpenCV was built without VP9; a GIF can")
            for picture in (*pictures, *still):
                writer.write(picture)
        finally:
            writer.release()
        return file.read_bytes()
