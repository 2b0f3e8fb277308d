"""Evidence pictures: the board and its rim, nothing else, and never large."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.pose import GridPose
from vision.evidence import CELL_PX, MARGIN_CELLS, MOST_BYTES, board_jpeg
from vision.frames import BgrImage

CORNERS = ((350.0, 300.0), (650.0, 290.0), (720.0, 620.0), (290.0, 640.0))
POSE = GridPose.from_corners(np.array(CORNERS), (1000, 1000), 20)


def decoded(jpeg: bytes) -> BgrImage:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return image.astype(np.uint8)


def test_nothing_beside_the_board_and_its_rim_is_in_the_picture() -> None:
    """Whoever sits at the table is red here."""
    image = np.full((1000, 1000, 3), (0, 0, 255), np.uint8)
    reach = 1.6  # cells: the rim shown, and what sampling and the JPEG's blocks may smear
    board = POSE.project(np.array([[-reach, -reach], [20 + reach, -reach], [20 + reach, 20 + reach], [-reach, 20 + reach]]))
    cv2.fillConvexPoly(image, board.round().astype(np.int32), (120, 120, 120))
    shown = decoded(board_jpeg(image, POSE))
    side = round((20 + 2 * MARGIN_CELLS) * CELL_PX)
    assert shown.shape == (side, side, 3)
    assert int(shown[..., 2].max()) < 140
    assert int(shown.min()) > 100


def test_even_noise_makes_no_large_picture() -> None:
    """The board fills the picture, so that no smoothing makes the noise any smaller."""
    noise = np.random.default_rng(5).integers(0, 256, (528, 528, 3)).astype(np.uint8)
    corners = np.array([[24.0, 24.0], [504.0, 24.0], [504.0, 504.0], [24.0, 504.0]])
    assert len(cv2.imencode(".jpg", noise, [cv2.IMWRITE_JPEG_QUALITY, 82])[1]) > MOST_BYTES
    jpeg = board_jpeg(noise, GridPose.from_corners(corners, (528, 528), 20))
    assert decoded(jpeg).shape == (528, 528, 3)
    assert 20_000 < len(jpeg) <= MOST_BYTES
