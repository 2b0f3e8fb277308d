"""Pictures of a recording that are kept while no board is found in them: once it is, what happened in them is seen after all."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from calibration.pose import GridPose
from vision.frames import BgrImage, Frame
from vision.registration import TrackSettings, anchor, track


@dataclass
class Lookback:
    """The newest pictures in which no board was found.

    Attributes:
        most_bytes: room for them: some thirty pictures of 1280x960.
        frames: the pictures, oldest first.
    """

    most_bytes: int = 128_000_000
    frames: deque[Frame] = field(default_factory=deque)

    def keep(self, frame: Frame) -> None:
        """One more picture without a board; the oldest ones make room for it."""
        self.frames.append(frame)
        while sum(kept.image_bgr.nbytes for kept in self.frames) > self.most_bytes:
            self.frames.popleft()

    def recall(self, image_bgr: BgrImage, pose: GridPose, settings: TrackSettings | None = None) -> tuple[list[Frame], GridPose]:
        """The pictures through which the board can be followed back from the one in which it was found, and its pose in the first.

        Args:
            image_bgr: (h, w, 3) the picture in which it was found.
            pose: the grid in it.
            settings: how it is followed.
        """
        found, origin = list[Frame](), anchor(image_bgr, pose, settings)
        while self.frames:
            there = track(origin, self.frames[-1].image_bgr, settings)
            if there is None:
                break
            pose = there.pose
            found.insert(0, self.frames.pop())
        self.frames.clear()
        return found, pose
