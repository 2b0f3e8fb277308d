"""Which side of the board is up for a game under way, whatever camera looks at it: its pieces tell."""

from __future__ import annotations

from calibration.pose import GridPose
from vision.classify import classify_cells
from vision.first import quarter_turns
from vision.frames import BgrImage
from vision.items import Locate, View


def facing(locate: Locate, view: View, colors: tuple[str, ...]) -> Locate:
    """A search that names rows and columns as the game does. Of a board with fewer than two pieces it cannot be told.

    Args:
        locate: finds the board, any side up.
        view: the game.
        colors: colours of its pieces.
    """

    def located(image_bgr: BgrImage, size: int) -> GridPose:
        pose, board = locate(image_bgr, size), view.standing()
        return pose.turned(quarter_turns(classify_cells(image_bgr, pose, colors), board, grown=True)) if board else pose

    return located
