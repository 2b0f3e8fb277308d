"""A picture at smaller sizes: most of the search for a board needs no more than a few hundred pixels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose

Image = NDArray[np.uint8]
"""(h, w, 3) BGR uint8."""

Gray = NDArray[np.uint8]
"""(h, w) uint8."""


@dataclass(frozen=True)
class View:
    """One picture at one size.

    Attributes:
        image_bgr: (h, w, 3) uint8.
        factor: its size in units of the whole picture's.
    """

    image_bgr: Image
    factor: float

    @cached_property
    def gray(self) -> Gray:
        """(h, w) uint8."""
        return np.asarray(cv2.cvtColor(self.image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)

    @property
    def wh(self) -> tuple[int, int]:
        """Width and height in px."""
        return self.image_bgr.shape[1], self.image_bgr.shape[0]

    @property
    def longer_px(self) -> int:
        """The longer side in px."""
        return max(self.wh)

    def pose_in(self, pose: GridPose, other: View) -> GridPose:
        """The pose of this picture in another size of it."""
        return replace(pose.scaled(other.factor / self.factor), image_wh=other.wh)


class Views:
    """A picture at any size, each made once; halving is cheap and keeps every pixel's part."""

    def __init__(self, image_bgr: Image) -> None:
        """Keep the (h, w, 3) uint8 picture."""
        self._halved = [View(image_bgr, 1.0)]
        self._made: dict[int, View] = {}

    def at(self, longer_px: int) -> View:
        """The picture with its longer side at most that long."""
        if longer_px not in self._made:
            self._made[longer_px] = self._make(longer_px)
        return self._made[longer_px]

    def at_least(self, longer_px: int, most_px: int) -> View:
        """The smallest of the halved pictures with its longer side at least that long; none longer than ``most_px``."""
        self._halve(longer_px)
        view = next((view for view in reversed(self._halved) if view.longer_px >= longer_px), self._halved[0])
        return view if view.longer_px <= most_px else self.at(most_px)

    def _make(self, longer_px: int) -> View:
        self._halve(longer_px)
        whole = next(view for view in reversed(self._halved) if view.longer_px >= longer_px or view.factor == 1.0)
        part = longer_px / whole.longer_px
        if part >= 1:
            return whole
        small = cv2.resize(whole.image_bgr, None, fx=part, fy=part, interpolation=cv2.INTER_LINEAR)
        return View(np.asarray(small, np.uint8), whole.factor * part)

    def _halve(self, longer_px: int) -> None:
        """Halve the picture as long as it stays at least that long."""
        while self._halved[-1].longer_px >= 2 * longer_px:
            last = self._halved[-1]
            width, height = (side // 2 for side in last.wh)
            small = cv2.resize(last.image_bgr[: 2 * height, : 2 * width], (width, height), interpolation=cv2.INTER_AREA)
            self._halved.append(View(np.asarray(small, np.uint8), last.factor / 2))
