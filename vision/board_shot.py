"""The newest picture of a watched board with where the board is in it: for streams, and for whoever asks what lies there now."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2

from calibration.pose import GridPose
from vision.classify import classify_cells
from vision.evidence import MARGIN_CELLS
from vision.frames import BgrImage

SIDE_PX = 1080
"""Side of the picture of a stream at most: the height of the usual one."""

QUALITY = 85
"""JPEG quality: the lines of the grid without ringing, about 150 kB."""


@dataclass(frozen=True, eq=False)
class BoardShot:
    """One picture of a watched board.

    Attributes:
        image_bgr: (h, w, 3) the picture.
        pose: where the board is in it, named as in the game.
        frame: its number in the source.
    """

    image_bgr: BgrImage
    pose: GridPose
    frame: int

    @cached_property
    def square(self) -> bytes:
        """The board from straight above, square and upright as it is drawn, as a JPEG file.

        Nothing farther than `vision.evidence.MARGIN_CELLS` from the grid is in it, and so no face beside the board.
        """
        cell_px = int(SIDE_PX / (self.pose.size + 2 * MARGIN_CELLS))
        board = self.pose.rectify(self.image_bgr, cell_px, MARGIN_CELLS)
        return cv2.imencode(".jpg", board, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()

    def whole(self) -> bytes:
        """The whole picture as a JPEG file, with whatever else the camera sees."""
        return cv2.imencode(".jpg", self.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()

    def read(self, colors: tuple[str, ...]) -> tuple[str, ...]:
        """What lies on the board, one string a row: colours' letters, ``.`` empty, ``?`` not told."""
        return classify_cells(self.image_bgr, self.pose, colors).grid()
