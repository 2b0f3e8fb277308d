"""Frames and what gives them: the common ground of recordings and cameras."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

BgrImage = NDArray[np.uint8]


class SourceError(RuntimeError):
    """Nothing can be watched: no such file, no picture in it, no camera (the message says what to do)."""


@dataclass(frozen=True)
class Frame:
    """One picture of a source.

    Attributes:
        index: 0-based number in the source; frames that were passed over are counted.
        time_s: seconds since the source's start; None when pictures are single moments.
        image_bgr: (h, w, 3) BGR uint8.
    """

    index: int
    time_s: float | None
    image_bgr: BgrImage


@dataclass(frozen=True)
class Lost:
    """A live source gives no frames just now.

    Attributes:
        reason: what is wrong, in words for people.
        time_s: seconds since the source's start.
        state: ``lost``, or ``paused`` where nothing is wrong and people make the next picture.
    """

    reason: str
    time_s: float
    state: Literal["lost", "paused"] = "lost"


class Source(Protocol):
    """A sequence of frames in time order."""

    @property
    def live(self) -> bool:
        """Whether frames come in real time (and must not be waited for)."""

    @property
    def total(self) -> int | None:
        """Number of frames, when it is known beforehand (progress only)."""

    def __iter__(self) -> Iterator[Frame | Lost]:
        """The frames, once; `Lost` while a live source gives none."""

    def close(self) -> None:
        """Frees the file or camera; harmless when repeated."""
