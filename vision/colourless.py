"""Pictures without colours: a referee would take every piece in them for the board, so they are not looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from vision.frames import BgrImage, Frame, Lost, Source, SourceError
from vision.wrapping import Wrapped

GREY_SPREAD = 6
"""Greatest difference of channels, of 255, in a grey picture saved in colour; a colour camera's noise alone gives more."""

DARK_LEVEL = 25.0
"""Mean grey level under which a picture is dark rather than grey: colours drown there in any camera."""

GREY_START = 50
"""Grey pictures at the beginning of a recording after which it is refused: title pages and fades are shorter than five seconds."""

GREY_CAMERA = "the camera's picture has no colours: turn its night vision or black-and-white mode off, and add light"


def is_grey(image_bgr: BgrImage) -> bool:
    """Whether no pixel of a (h, w, 3) picture has a colour.

    Every sixteenth row and column is looked at, and every fourth when those are grey: most pictures are told by the first.
    """
    return all(_spread(image_bgr[::step, ::step]) <= GREY_SPREAD for step in (16, 4))


def _spread(image_bgr: BgrImage) -> int:
    """Greatest difference between the channels of a pixel."""
    blue, green, red = (image_bgr[..., k] for k in range(3))
    low, high = np.minimum(np.minimum(blue, green), red), np.maximum(np.maximum(blue, green), red)
    return int((high - low).max())


class Coloured(Wrapped):
    """The coloured pictures of a source; the others are passed over, and told of.

    Args:
        source: gives the pictures.
        warn: told at the end how many pictures of a recording were passed over.

    Raises:
        SourceError: on iteration, when a recording has no colours, or none in its first `GREY_START` pictures.
    """

    def __init__(self, source: Source, warn: Callable[[str], None] = lambda _: None) -> None:
        super().__init__(source)
        self._warn = warn

    def __iter__(self) -> Iterator[Frame | Lost]:
        """The source's frames; a live source that turns grey is lost until it shows colours again."""
        grey = coloured = 0
        for thing in self._source:
            if isinstance(thing, Frame) and _is_grey_but_lit(thing.image_bgr):
                if self.live:
                    yield Lost(GREY_CAMERA, thing.time_s or 0.0)
                    continue
                grey += 1
                if not coloured and grey >= GREY_START:
                    break
            else:
                coloured += isinstance(thing, Frame)
                yield thing
        if grey and not coloured:
            raise SourceError("the pictures have no colours, so that pieces cannot be told from the board: film the game in colour")
        if grey:
            self._warn(f"{grey} pictures without colours were passed over")


def _is_grey_but_lit(image_bgr: BgrImage) -> bool:
    return is_grey(image_bgr) and float(image_bgr[::16, ::16].mean()) >= DARK_LEVEL
