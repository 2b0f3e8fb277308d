"""A short look at a source before a game: what its pictures are like, and where the board is in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.locate import BoardNotFoundError, locate_board
from calibration.pose import GridPose
from vision.frames import BgrImage, Frame, Lost, SourceError
from vision.items import Locate
from vision.pictures import read_picture
from vision.recordings import PICTURE_SUFFIXES
from vision.registration import Anchor, anchor, track
from vision.sources import open_plain

KEPT = 5
"""Pictures kept whole: enough for medians, and a minute's work for no computer."""

KEPT_EVERY_S = 1.0
"""Pause between them, so that a hand that passes is in one or two at most."""


@dataclass(frozen=True)
class SurveySettings:
    """How long a source is looked at.

    Attributes:
        live_s: seconds of a camera.
        recorded_s: seconds of a recording, on its own time line.
        stills: pictures of a folder of single moments.
    """

    live_s: float = 5.0
    recorded_s: float = 30.0
    stills: int = KEPT


@dataclass
class Survey:
    """What was seen of a source.

    Attributes:
        kept: up to `KEPT` whole pictures, in their order.
        count: pictures seen.
        times_s: their times; empty for single moments.
        levels: mean grey level of each.
        noise: grey levels by which a point differs from one picture to the next by chance alone, for each pair measured.
        moved_px: how far the board lay from where it was first, in px, for each picture in which it could be followed.
        poses: where the board is in each kept picture in which it was found, with the picture's place in ``kept``.
        not_found: why it was not found in the others.
        lost: why the source gave no pictures at times.
    """

    kept: list[BgrImage] = field(default_factory=list)
    count: int = 0
    times_s: list[float] = field(default_factory=list)
    levels: list[float] = field(default_factory=list)
    noise: list[float] = field(default_factory=list)
    moved_px: list[float] = field(default_factory=list)
    poses: dict[int, GridPose] = field(default_factory=dict)
    not_found: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    @property
    def pose(self) -> GridPose | None:
        """The median board: that whose corners are nearest the median of all; None when none was found."""
        if not self.poses:
            return None
        middle = np.median([pose.corners_px for pose in self.poses.values()], axis=0)
        return min(self.poses.values(), key=lambda pose: float(np.abs(pose.corners_px - middle).max()))

    @property
    def best(self) -> BgrImage:
        """The kept picture that belongs to `pose`; the last one when there is none."""
        pose = self.pose
        return next((self.kept[at] for at, one in self.poses.items() if one is pose), self.kept[-1])

    @property
    def frame_rate(self) -> float | None:
        """Pictures a second; None when their times are not known."""
        span_s = self.times_s[-1] - self.times_s[0] if len(self.times_s) > 1 else 0.0
        return (len(self.times_s) - 1) / span_s if span_s > 0 else None


def survey(
    things: Iterable[Frame | Lost], *, live: bool, size: int = 20, settings: SurveySettings | None = None, locate: Locate = locate_board
) -> Survey:
    """Look at a source for some seconds.

    Args:
        things: what the source gives.
        live: whether it is a camera.
        size: cells a side of the board.
        settings: for how long.
        locate: finds the board.

    Raises:
        SourceError: it gave no picture in that time.
    """
    s = settings or SurveySettings()
    found = Survey()
    gather = _Gatherer(found)
    begin_s: float | None = None
    for thing in things:
        now_s = thing.time_s
        begin_s = now_s if begin_s is None else begin_s
        if isinstance(thing, Lost):
            found.lost.append(thing.reason)
        else:
            gather.see(thing)
        if now_s is None:
            if len(found.kept) >= s.stills:
                break
        elif now_s - (begin_s or 0.0) >= (s.live_s if live else s.recorded_s):
            break
    if not found.kept:
        raise SourceError(found.lost[-1] if found.lost else "the source holds no picture")
    _find(found, size, locate)
    return found


def survey_source(
    spec: str,
    *,
    size: int = 20,
    warn: Callable[[str], None] = lambda _: None,
    settings: SurveySettings | None = None,
    locate: Locate = locate_board,
) -> Survey:
    """Look at what the command line calls SOURCE, or at one picture.

    Raises:
        SourceError: there is nothing to look at; the message says what was tried and what to do.
    """
    path = Path(spec)
    if path.is_file() and path.suffix.lower() in PICTURE_SUFFIXES:
        return survey([Frame(0, None, read_picture(path))], live=False, size=size, settings=settings, locate=locate)
    source = open_plain(spec, stills=path.is_dir(), warn=warn)
    try:
        return survey(source, live=source.live, size=size, settings=settings, locate=locate)
    finally:
        source.close()


class _Gatherer:
    """Takes from each picture what can be taken at once."""

    def __init__(self, found: Survey) -> None:
        self._found = found
        self._before: NDArray[np.float32] | None = None
        self._kept_s = -1e9

    def see(self, frame: Frame) -> None:
        """One picture; whole ones are kept from time to time."""
        found, image = self._found, frame.image_bgr
        found.count += 1
        found.levels.append(float(image[::16, ::16].mean()))
        if frame.time_s is None or frame.time_s - self._kept_s >= KEPT_EVERY_S:
            self._kept_s = frame.time_s or 0.0
            if len(found.kept) < KEPT:
                found.kept.append(image.copy())
        if frame.time_s is None:
            return
        found.times_s.append(frame.time_s)
        few = image[1::4, 1::4].astype(np.float32)
        if self._before is not None and self._before.shape == few.shape:
            # E|a - b| of two normal variables is 2 sigma / sqrt(pi); what moves is cut off.
            found.noise.append(float(np.minimum(np.abs(few - self._before), 20).mean() * np.sqrt(np.pi) / 2))
        self._before = few


def _find(found: Survey, size: int, locate: Locate) -> None:
    """Finds the board in the kept pictures, and how far it moves from one to the next."""
    origin: Anchor | None = None
    for at, image in enumerate(found.kept):
        try:
            found.poses[at] = locate(image, size)
        except BoardNotFoundError as error:
            found.not_found.append(str(error))
            continue
        if origin is None:
            origin = anchor(image, found.poses[at])
        elif found.times_s and (tracked := track(origin, image)) is not None:
            cell_px = float(np.median(origin.pose.cell_sizes_px()))
            found.moved_px.append(tracked.moved_cells * cell_px)


def board_view(image_bgr: BgrImage, pose: GridPose, cell_px: int = 8) -> NDArray[np.uint8]:
    """(size, size, cell_px², 3) the pixels of each cell of the board seen from straight above, pixels of each cell in one row."""
    size = pose.size
    flat = pose.rectify(image_bgr, cell_px)
    cells = flat.reshape(size, cell_px, size, cell_px, 3).transpose(0, 2, 1, 3, 4)
    return np.asarray(cells.reshape(size, size, cell_px * cell_px, 3), np.uint8)


def grey_level(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(...,) brightness of (..., 3) BGR pixels as eyes weigh it."""
    flat = pixels.reshape(-1, 1, 3)
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.float32).reshape(pixels.shape[:-1])
