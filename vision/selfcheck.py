"""One picture before the game, checked: where the board is in it, what is read of it, and what to change, as data and as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.known import bears_out
from calibration.locate import BoardNotFoundError
from calibration.pose import GridPose, PoseError
from vision.calibrating import placed_by_hand
from vision.check import Check, check_setup
from vision.classify import classify_cells
from vision.evidence import jpeg
from vision.findings import Finding, find
from vision.frames import BgrImage
from vision.given_corners import CornersError, check_corners, corners_in_order
from vision.items import Locate
from vision.overlay import draw
from vision.survey import Survey

MOST_PX = 1920
"""Longer side of the pictures for people: corners are dragged to half a pixel of what the largest cameras give, for some 400 kB."""

STRAIGHT_K1 = 0.002
"""Bend of a lens under which a line of the grid is straight to a pixel."""

NO_LINES = "no lines of a board are seen at these corners: drag them to the outer corners of the grid, not of the rim"


@dataclass(frozen=True)
class SelfCheck:
    """What is made of one picture.

    Attributes:
        image_bgr: (h, w, 3) the picture.
        pose: where the grid lies; None where no board was found.
        doubt: why not, and what to do; empty otherwise.
        by_hand: people gave the corners.
        grid: one string a row: colours' letters, ``.`` empty, ``?`` not told; empty without a board.
        findings: remarks on the cells that are not told.
        checks: light, place and sharpness, with advice.
    """

    image_bgr: BgrImage
    pose: GridPose | None
    doubt: str
    by_hand: bool
    grid: tuple[str, ...]
    findings: tuple[Finding, ...]
    checks: tuple[Check, ...]

    @property
    def image_wh(self) -> tuple[int, int]:
        """Width and height of the picture in px."""
        return self.image_bgr.shape[1], self.image_bgr.shape[0]

    @property
    def corners_px(self) -> list[list[float]] | None:
        """Outer corners of the grid ``[x, y]``, clockwise from its top left; None without a board."""
        return None if self.pose is None else self.pose.corners_px.round(2).tolist()

    @property
    def lines_px(self) -> list[list[list[float]]]:
        """The lines of the grid, each a list of points ``[x, y]``: two where the lens bends nothing, more otherwise."""
        if self.pose is None:
            return []
        n = self.pose.size
        along = np.linspace(0, n, 2 if abs(self.pose.k1) < STRAIGHT_K1 else 9)
        across = [np.stack([along, np.full_like(along, at)], 1) for at in range(n + 1)]
        return [self.pose.project(line).round(1).tolist() for line in (*across, *(line[:, ::-1] for line in across))]

    def picture(self) -> bytes:
        """The picture as a JPEG file, its longer side at most `MOST_PX`."""
        return jpeg(_at_most(self.image_bgr, MOST_PX))

    def overlay(self) -> bytes:
        """The same with the grid and what was read drawn over it; the mere picture without a board."""
        small = _at_most(self.image_bgr, MOST_PX)
        if self.pose is None:
            return jpeg(small)
        scale = small.shape[1] / self.image_bgr.shape[1]
        pose = replace(self.pose.scaled(scale), image_wh=(small.shape[1], small.shape[0]))
        return jpeg(draw(small, pose, self.grid, findings=self.findings))


def self_check(image_bgr: BgrImage, size: int, colors: tuple[str, ...], locate: Locate) -> SelfCheck:
    """Look for the board in a picture, and read it.

    Args:
        image_bgr: (h, w, 3) picture.
        size: cells a side of the board.
        colors: colours of the game's pieces.
        locate: finds the board.
    """
    try:
        pose = locate(image_bgr, size)
    except BoardNotFoundError as error:
        checks = check_setup(Survey(kept=[image_bgr], count=1, not_found=[str(error)]), colors)
        return SelfCheck(image_bgr, None, str(error), False, (), (), tuple(checks))
    return _at(image_bgr, pose, colors, by_hand=False)


def self_check_at(image_bgr: BgrImage, corners: Sequence[Sequence[float]], size: int, colors: tuple[str, ...]) -> SelfCheck:
    """Read the board at corners that people gave, after these were moved onto the lines seen there.

    Args:
        image_bgr: (h, w, 3) picture.
        corners: (4, 2) outer grid corners in px, clockwise from the top left of the grid.
        size: cells a side of the board.
        colors: colours of the game's pieces.

    Raises:
        CornersError: no board can lie so in this picture, or no lines of one are seen there.
    """
    given = corners_in_order(corners)
    check_corners(given, (image_bgr.shape[1], image_bgr.shape[0]), beyond=0.0)
    try:
        pose = placed_by_hand(image_bgr, given, size)
    except PoseError as error:
        raise CornersError("these corners are not a picture of a flat square board") from error
    if not bears_out(image_bgr, pose):
        raise CornersError(NO_LINES)
    return _at(image_bgr, pose, colors, by_hand=True)


def still(image_bgr: BgrImage, most_px: int) -> bytes:
    """A small JPEG file of a (h, w, 3) picture, its longer side at most ``most_px``."""
    return jpeg(_at_most(image_bgr, most_px))


def _at(image_bgr: BgrImage, pose: GridPose, colors: tuple[str, ...], *, by_hand: bool) -> SelfCheck:
    seen = classify_cells(image_bgr, pose, colors)
    grid = seen.grid()
    checks = check_setup(Survey(kept=[image_bgr], count=1, poses={0: pose}), colors, cells=seen)
    return SelfCheck(image_bgr, pose, "", by_hand, grid, find(seen, grid), tuple(checks))


def _at_most(image_bgr: BgrImage, longest_px: int) -> BgrImage:
    """A picture with its longer side at most that long."""
    scale = longest_px / max(image_bgr.shape[:2])
    if scale >= 1:
        return image_bgr
    return np.asarray(cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
