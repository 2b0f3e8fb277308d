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

JPEG_QUALITIES = (82, 60, 40)
"""The first shows the grooves between squares without ringing; the others are for what would be too large, noise at worst."""

MOST_BYTES = 160 * 1024
"""Bytes of a picture: three times a usual one. Only noise is larger, and a game's pictures are to stay within some megabytes."""


def board_jpeg(image_bgr: NDArray[np.uint8], pose: GridPose) -> bytes:
    """The board seen from straight above, as a JPEG file of at most `MOST_BYTES`.

    Nothing farther than `MARGIN_CELLS` from the grid is in it, whatever the (h, w, 3) picture shows.
    """
    board = pose.rectify(image_bgr, CELL_PX, MARGIN_CELLS)
    files = (jpeg(board, quality) for quality in JPEG_QUALITIES[:-1])
    return next((data for data in files if len(data) <= MOST_BYTES), None) or jpeg(board, JPEG_QUALITIES[-1])


def jpeg(image_bgr: NDArray[np.uint8], quality: int = JPEG_QUALITIES[0]) -> bytes:
    """A (h, w, 3) picture as a JPEG file."""
    done, data = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError(f"a picture of shape {image_bgr.shape} could not be written as JPEG")
    return data.tobytes()
