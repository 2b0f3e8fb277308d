"""Plain grids of lines or squares on a table, for what is and what is not a board."""

import cv2
import numpy as np

from tests.synthetic.camera import View, look

MARGIN = 40
"""Width of the rim in px of the flat drawing."""


def grid_picture(rows: int, cols: int, chequered: bool = False, side: int = 720) -> np.ndarray:
    """(960, 1280, 3) uint8 picture of a slab with that many squares, lying on a dark table, seen at a slant.

    Args:
        rows: squares downwards.
        cols: squares across.
        chequered: whether squares alternate instead of being bounded by lines.
        side: longer side of the grid in px of the flat drawing.
    """
    cell = side // max(rows, cols)
    slab = np.full((rows * cell + 2 * MARGIN, cols * cell + 2 * MARGIN), 190, np.float32)
    field = slab[MARGIN:-MARGIN, MARGIN:-MARGIN]
    if chequered:
        field[:] = np.kron(np.indices((rows, cols)).sum(axis=0) % 2, np.ones((cell, cell))) * 100 + 80
    else:
        for at in range(0, rows * cell + 1, cell):
            slab[MARGIN + at - 1 : MARGIN + at + 1, MARGIN:-MARGIN] = 110
        for at in range(0, cols * cell + 1, cell):
            slab[MARGIN:-MARGIN, MARGIN + at - 1 : MARGIN + at + 1] = 110
    height, width = slab.shape
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    view = View(tilt_deg=27, azimuth_deg=80, roll_deg=3, hfov_deg=62, k1=0, fill=0.85)
    seen_at = look(view, 20, (1280, 960), 0.0).project(corners * np.float64(20 / max(width, height))).astype(np.float32)
    table = np.full((960, 1280), 70, np.float32)
    seen = cv2.warpPerspective(
        slab, cv2.getPerspectiveTransform(corners, seen_at), (1280, 960), dst=table, borderMode=cv2.BORDER_TRANSPARENT
    )
    noise = np.random.default_rng(3).normal(0, 3, seen.shape)
    return np.repeat(np.clip(cv2.GaussianBlur(seen, (0, 0), 1) + noise, 0, 255).astype(np.uint8)[..., None], 3, axis=2)
