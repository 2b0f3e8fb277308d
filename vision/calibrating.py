"""Calibrating a camera: a short look from which the place of the board and the lens are kept, and using what was kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.known import KnownBoard, bears_out
from calibration.locate import WHOLE, locate_board
from calibration.pose import GridPose, PoseError
from calibration.refine import refine
from calibration.settings import DEFAULT_LOCATE
from calibration.store import Calibration, CalibrationError, Store
from calibration.views import Views
from vision.check import Check, check_setup
from vision.devices import Devices
from vision.frames import BgrImage, SourceError
from vision.items import Locate
from vision.phone import PHONE
from vision.sources import camera_of
from vision.survey import SurveySettings, survey_source

Warn = Callable[[str], None]

HAND_CELLS = 0.6
"""How far corners dragged by hand may be moved onto lines: from farther off the next lines are as near."""


@dataclass(frozen=True)
class Calibrated:
    """What came of calibrating.

    Attributes:
        calibration: to be kept.
        checks: what else was found, see `vision.check`.
        pictures: in how many pictures the board was measured.
        spread_px: how far its corners were apart in them, at most.
    """

    calibration: Calibration
    checks: list[Check]
    pictures: int
    spread_px: float

    @property
    def view_deg(self) -> float:
        """Angle that the longer side of the picture spans."""
        return float(np.degrees(2 * np.arctan(max(self.calibration.image_wh) / 2 / self.calibration.focal_px)))


def calibrate(
    spec: str,
    *,
    size: int,
    colors: tuple[str, ...],
    corners: Sequence[Sequence[float]] | None = None,
    settings: SurveySettings | None = None,
    warn: Warn = lambda _: None,
) -> Calibrated:
    """Look at a camera for some seconds and measure where the board is: the median over several pictures.

    Args:
        spec: what the command line calls SOURCE; a camera or a stream.
        size: cells a side of the board.
        colors: colours of the game's pieces.
        corners: (4, 2) outer grid corners in px given by hand, clockwise from the top left of the grid.
        settings: for how long.
        warn: told in one line what is waited for.

    Raises:
        SourceError: there is no camera, no board, or no board where the corners are.
    """
    if spec == PHONE:
        raise SourceError("a phone stands elsewhere each time: its board is found anew, and no calibration is kept")
    label = label_of(spec)
    if label is None:
        raise SourceError(f"{spec} is a recording: calibrations are kept for cameras and streams, recordings need none")
    seen = survey_source(spec, size=size, warn=warn, settings=settings, locate=locate_board if corners is None else _given(corners))
    pose = seen.pose
    if pose is None:
        raise SourceError(f"nothing to calibrate by: {seen.not_found[-1]}")
    if corners is not None and not bears_out(seen.best, pose):
        raise SourceError(
            "no lines of a board are seen at these corners: give the outer corners of the grid, not of the rim, to half a square"
        )
    all_corners = np.array([one.corners_px for one in seen.poses.values()])
    spread = float(np.abs(all_corners - np.median(all_corners, axis=0)).max())
    return Calibrated(Calibration.of(label, pose, by_hand=corners is not None), check_setup(seen, colors), len(seen.poses), spread)


def _given(corners: Sequence[Sequence[float]]) -> Locate:
    """A search that finds the board where people say it is.

    Raises:
        SourceError: on a call, when those are the corners of no board.
    """

    def locate(image_bgr: BgrImage, size: int) -> GridPose:
        height, width = image_bgr.shape[:2]
        try:
            return GridPose.from_corners(np.asarray(corners, np.float64), (width, height), size=size)
        except PoseError as error:
            raise SourceError(f"--corners: {error}") from error

    return locate


def placed_by_hand(image_bgr: BgrImage, corners: Sequence[Sequence[float]], size: int) -> GridPose:
    """The board at corners that people dragged, moved onto the lines that are seen there: nobody's hand is steadier than half a cell.

    Measured on drawn boards: corners 0.2 to 0.5 cells off end within 0.2. Where no lines bear it out the corners stay as they were given.

    Args:
        image_bgr: (h, w, 3) picture.
        corners: (4, 2) outer grid corners in px, clockwise from the top left of the grid.
        size: cells a side.

    Raises:
        PoseError: those are the corners of no board.
    """
    height, width = image_bgr.shape[:2]
    given = GridPose.from_corners(np.asarray(corners, np.float64), (width, height), size=size)
    views = Views(image_bgr)
    whole, view = views.at(WHOLE), views.at(DEFAULT_LOCATE.exact_px)
    fitted = view.pose_in(refine(view.image_bgr, whole.pose_in(given, view), rounds=3), whole)
    if not np.isfinite(fitted.corners_px).all():
        return given
    moved_cells = float(np.abs(given.unproject(fitted.corners_px) - given.grid_corners).max())
    return fitted if moved_cells <= HAND_CELLS and bears_out(image_bgr, fitted) else given


def label_of(spec: str, devices: Devices | None = None) -> str | None:
    """The name by which a camera's calibration is kept; None for recordings. ``devices`` are the system's cameras.

    Raises:
        SourceError: there is no such camera.
    """
    camera = camera_of(spec, devices)
    return None if camera is None else camera.label


def search_for(spec: str, size: int, store: Store, warn: Warn, devices: Devices | None = None) -> Locate:
    """How the board is to be found in a source: from its camera's calibration, where there is one for this size of board.

    Args:
        spec: what the command line calls SOURCE.
        size: cells a side of the board.
        store: where calibrations are kept.
        warn: told in one line when a calibration is used, or cannot be.
        devices: the system's cameras.

    Raises:
        SourceError: there is no such camera.
    """
    label = label_of(spec, devices)
    try:
        known = None if label is None else store.load(label)
    except CalibrationError as error:
        warn(str(error))
        return locate_board
    if known is None or known.size != size:
        return locate_board
    warn(f"The calibration of {known.camera} is tried first.")
    return KnownBoard(known.pose(), by_hand=known.by_hand, told=warn)
