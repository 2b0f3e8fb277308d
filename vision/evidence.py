"""Pictures of the board for people: upright, cropped to the board so that no face is in them, small."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose

MARGIN_CELLS = 1.0
"""Cells shown around the grid: the rim, and pieces that lie over the edge."""

CELL_PX = 24
"""Pixels a cell: half a thousand pixels a picture, about 50 kB."""

JPEG_QUALITY = 82
"""Shows the grooves between squares without ringing."""


def board_jpeg(image_bgr: NDArray[np.uint8], pose: GridPose) -> bytes:
    """The board seen from straight above, as a JPEG file."""
    board = pose.rectify(image_bgr, CELL_PX, MARGIN_CELLS)
    done, data = cv2.imencode(".jpg", board, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not done:
        raise ValueError(f"a board picture of shape {board.shape} could not be written as JPEG")
    return data.tobytes()
