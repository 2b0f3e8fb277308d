"""How sharp a picture of the board is: the width of its sharpest edges."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose
from vision.frames import BgrImage

FINE_PX, COARSE_PX = 1.0, 2.5
"""Standard deviations of the two blurs compared: the smaller one takes the noise away, the larger still tells edges 4 px wide apart."""

STRONG_SHARE = 0.02
"""Share of the points, those with the strongest edges, that are measured: noise has weak edges, the lines of a board strong ones."""

WIDEST_PX = 8.0
"""Widths beyond this look all alike between those two blurs."""


ENOUGH_PX = 40
"""Cells larger than this are halved first: blur that matters is then still two pixels wide."""

MEASURED = 0.6
"""Part of the board's width and height that is measured, about its middle: it has edges enough, and this is done at every look."""

FAINT = 16.0
"""Steps (Sobel gradient: 8 for one grey level a pixel) under which there are no edges that could be sharp."""


def edge_width_px(image_bgr: BgrImage, pose: GridPose | None = None) -> float:
    """Standard deviation of the blur of the strongest edges, in px: 0 to 1 in a sharp picture; 0 where there are no edges at all.

    An edge of width s becomes weaker by sqrt((s² + a²) / (s² + b²)) when one more blur is b instead of a; the ratio measured gives s
    (Zhuo and Sim, Defocus map estimation from a single image, 2011). Thin lines count as sharper than they are.

    Args:
        image_bgr: (h, w, 3).
        pose: the grid in it: only the middle of the board is measured; None: the whole picture.
    """
    part, cell_px = _part(image_bgr, pose)
    gray, factor = np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8), 1.0
    while cell_px * factor > ENOUGH_PX:
        gray, factor = np.asarray(cv2.resize(gray, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8), factor / 2
    return _width_px(gray) / factor


def _width_px(gray: NDArray[np.uint8]) -> float:
    fine, coarse = (_steepness(gray, sigma).ravel() for sigma in (FINE_PX, COARSE_PX))
    count = max(1, int(STRONG_SHARE * fine.size))
    strong = np.argpartition(fine, -count)[-count:]
    if np.median(fine[strong]) < FAINT:
        return 0.0
    squared = float(np.median(fine[strong] / np.maximum(coarse[strong], 1e-3))) ** 2
    widest = WIDEST_PX**2 * (squared - 1)
    return float(np.sqrt(np.clip(COARSE_PX**2 - squared * FINE_PX**2, 0, max(widest, 0.0)) / (squared - 1))) if widest > 0 else WIDEST_PX


def _part(image_bgr: BgrImage, pose: GridPose | None) -> tuple[BgrImage, float]:
    """The middle of the board, and the side of a cell, in px; of a whole picture the largest that fits in."""
    if pose is not None:
        low, high = pose.corners_px.min(0), pose.corners_px.max(0)
        trim = (high - low) * (1 - MEASURED) / 2
        low, high = np.maximum(np.floor(low + trim).astype(int), 0), np.ceil(high - trim).astype(int) + 1
        part = image_bgr[low[1] : high[1], low[0] : high[0]]
        if min(part.shape[:2]) >= 16:
            return part, float(np.median(pose.cell_sizes_px()))
    return image_bgr, min(image_bgr.shape[:2]) / 22


def _steepness(gray: NDArray[np.uint8], sigma: float) -> NDArray[np.float32]:
    """(h, w) length of the gradient (Sobel's, eight times a step of one level a pixel) after a blur."""
    soft = cv2.GaussianBlur(gray.astype(np.float32), (0, 0), sigma)
    x, y = cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    return np.asarray(cv2.magnitude(x, y), np.float32)


@dataclass(frozen=True)
class FocusSettings:
    """What counts as blurred.

    Attributes:
        most_cells: width of the edges, in cells, over which no board is found (measured on renders: 0.08 is read, 0.12 is not).
        most_times: the same in units of the usual width of this camera; what it always shows is not worth a word.
        whole: the same of a picture in which no board is known, in units of its shorter side: a board that fills it has cells of 1/22.
        patience_s: blur that lasts longer is the camera's own, and the board is looked at all the same.
    """

    most_cells: float = 0.1
    most_times: float = 1.5
    whole: float = 0.004
    patience_s: float = 3.0


class Focus:
    """Whether a source's pictures are blurred, told by the clear looks before.

    Args:
        settings: what counts as blurred.
    """

    def __init__(self, settings: FocusSettings | None = None) -> None:
        self.settings = settings or FocusSettings()
        self._usual_px: float | None = None
        self._newest_px = 0.0
        self._since_s: float | None = None

    def complaint(self, image_bgr: BgrImage, pose: GridPose, time_s: float) -> str:
        """What is wrong with a picture, in words; empty when it is sharp enough, or has been blurred for too long to wait for."""
        s = self.settings
        self._newest_px = width = edge_width_px(image_bgr, pose)
        cells = width / float(np.median(pose.cell_sizes_px()))
        if cells <= s.most_cells or (self._usual_px is not None and width <= s.most_times * self._usual_px):
            self._since_s = None
            return ""
        if self._since_s is None:
            self._since_s = time_s
        return "" if time_s - self._since_s > s.patience_s else _words(width, "the camera looks for its focus or shakes")

    def judged(self) -> None:
        """The newest picture asked about could be read: it is as sharp as this camera's pictures are."""
        self._usual_px = self._newest_px if self._usual_px is None else 0.8 * self._usual_px + 0.2 * self._newest_px

    def whole_complaint(self, image_bgr: BgrImage) -> str:
        """What is wrong with a picture in which no board was found; empty when it is not blurred."""
        width = edge_width_px(image_bgr)
        if width <= self.settings.whole * min(image_bgr.shape[:2]):
            return ""
        return _words(width, "let the camera find its focus, clean its lens, and hold it still")


def _words(width_px: float, advice: str) -> str:
    return f"the picture is blurred, its edges are {width_px:.1f} pixels wide: {advice}"
