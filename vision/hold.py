"""Where the board is in the newest picture, held from look to look."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from calibration.known import is_elsewhere
from calibration.pose import GridPose
from vision.glance import Difference, FloatArray, Glancer
from vision.registration import Anchor, TrackSettings, anchor, resized, stands_still, track

BgrImage = NDArray[np.uint8]


@dataclass(frozen=True)
class HoldSettings:
    """How the board is held.

    Attributes:
        worn: share of agreeing points under which the board is followed from a newer picture.
        glanced: looks in a row at which glances may tell that it did not move; then it is followed, so that no creeping goes unnoticed.
        unfollowed: looks in a row at which it cannot be followed from which it may lie elsewhere, whatever else is seen.
        track: how points are followed.
    """

    worn: float = 0.7
    glanced: int = 10
    unfollowed: int = 4
    track: TrackSettings = field(default_factory=TrackSettings)


class Hold:
    """Follows the board from the picture in which it was found.

    Args:
        image_bgr: that picture.
        pose: the grid in it.
        settings: how it is held.
    """

    def __init__(self, image_bgr: BgrImage, pose: GridPose, settings: HoldSettings | None = None) -> None:
        self.settings = settings or HoldSettings()
        self._glancer = Glancer.of(pose)
        self._anchor: Anchor = anchor(image_bgr, pose, self.settings.track)
        self._worn = False
        self._glanced = 0
        self._unfollowed = 0
        self._elsewhere = False

    @property
    def is_astray(self) -> bool:
        """Whether the board cannot be followed and seems to lie elsewhere; few pieces on a bare board change little when it is moved.

        Of looks in a row at which it cannot be followed only one tells by their number, for a large thing may lie there for long.
        """
        return self._elsewhere or self._unfollowed == self.settings.unfollowed

    @property
    def pose(self) -> GridPose:
        """The grid in the newest picture; the same object as long as nothing moved."""
        return self._glancer.pose

    def glance(self, image_bgr: BgrImage) -> FloatArray:
        """A small board image of a picture whose board is where it is held."""
        return self._glancer.glance(image_bgr)

    def place(self, image_bgr: BgrImage, pose: GridPose) -> None:
        """The board has been found anew."""
        self._glancer, self._anchor, self._worn = Glancer.of(pose), anchor(image_bgr, pose, self.settings.track), False
        self._forget_straying()

    def resize(self, image_wh: tuple[int, int]) -> bool:
        """From now on pictures come in another size (width, height in px); False when they must show something else than before."""
        found = resized(self._anchor, image_wh, self.settings.track)
        if found is not None:
            pose = replace(self.pose.scaled(image_wh[0] / self.pose.image_wh[0]), image_wh=image_wh)
            self._anchor, self._glancer = found, Glancer.of(pose)
        return found is not None

    def follow(self, image_bgr: BgrImage, glance: FloatArray, difference: Difference) -> bool | None:
        """Follows the board into a picture: whether it moved; None when it cannot be followed.

        Args:
            image_bgr: (h, w, 3).
            glance: (m, m, 3) of it, where the board is held.
            difference: of that glance from that of the last look that was understood.
        """
        if self._glanced < self.settings.glanced and stands_still(difference, glance, self.settings.track):
            self._glanced += 1
            self._forget_straying()
            return False
        self._glanced = 0
        found = track(self._anchor, image_bgr, self.settings.track)
        self._worn = found is None or found.share < self.settings.worn
        if found is None:
            self._unfollowed, self._elsewhere = self._unfollowed + 1, is_elsewhere(image_bgr, self.pose)
            return None
        self._forget_straying()
        if found.moved:
            self.place(image_bgr, found.pose)
        return found.moved

    def regain(self, image_bgr: BgrImage) -> bool:
        """Whether a board that was lost is about where it was, as after a hand that hid it has left; it is then held there."""
        found = track(self._anchor, image_bgr, self.settings.track)
        if found is None:
            return False
        self._forget_straying()
        if found.moved:
            self.place(image_bgr, found.pose)
        return True

    def _forget_straying(self) -> None:
        """It is known where the board is: nothing of the looks before tells that it lies elsewhere."""
        self._unfollowed, self._elsewhere = 0, False

    def renew(self, image_bgr: BgrImage) -> None:
        """A clear picture of the board where it is held: followed from here when too few points agreed of late."""
        if self._worn:
            self.place(image_bgr, self.pose)


def angle_between_deg(one: GridPose, other: GridPose) -> float:
    """Angle between the directions from the board's middle to two cameras, as the board's own rows and columns name them, in degrees.

    The turn about the board's axis counts fully, also for a camera straight above.
    """
    turn = one.rotation.T @ other.rotation
    return float(np.degrees(np.arccos(np.clip((np.trace(turn) - 1) / 2, -1, 1))))
