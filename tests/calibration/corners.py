"""How far a found grid lies from the truth."""

import numpy as np

from calibration.pose import GridPose


def off_cells(pose: GridPose, corners: np.ndarray) -> float:
    """Largest distance of a corner from its truth in cells, the naming turned so that it is least.

    Args:
        pose: as found.
        corners: (4, 2) true outer corners in px, clockwise.
    """
    cell = float(np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1).min()) / pose.size
    return min(float(np.linalg.norm(np.roll(pose.corners_px, -k, axis=0) - corners, axis=1).max()) for k in range(4)) / cell
