"""Small corrections of the pose from the pieces themselves: where colours change must be where cells end.

Corners are known to a tenth or two of a cell, and the height of the pieces not better. Both only matter at the borders
of pieces, and those are there to be seen.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]

Nudge = NDArray[np.float32]
"""(2, 4) shifts of the samples in cells, rows then columns: constant, and along columns, rows and both (places -1 to 1)."""

NO_NUDGE: Nudge = np.zeros((2, 4), np.float32)

USUAL_ERROR_CELLS = 0.1
"""How far corners usually are off: what the borders do not tell is taken to be right."""

BLUR_CELLS = 0.2
"""Blur of both before their borders are compared, so that each reaches the other."""

BORDER_NOISE_CELLS2 = 0.33
"""Area whose samples are worth one sample's evidence: neighbouring ones err together, and borders are bevelled and shaded."""


def shifts(nudge: Nudge, rows: FloatArray, cols: FloatArray) -> FloatArray:
    """(2, r, c) shifts in cells at the places ``rows`` (r,) and ``cols`` (c,), -1 to 1 across the board."""
    x, y = np.meshgrid(cols, rows)
    return np.asarray(np.einsum("ak,kij->aij", nudge, np.stack([np.ones_like(x), x, y, x * y])), np.float32)


def nudge_of(shown: FloatArray, expected: FloatArray, weight: FloatArray, axis: FloatArray, per_cell: int) -> Nudge:
    """How far the picture lies off the grid, by the borders of the colours: one step of least squares.

    Args:
        shown: (k, m, m) what each sample shows, in any k quantities in which the labels differ by about one.
        expected: (k, m, m) what each sample should show.
        weight: (m, m) how much each sample tells.
        axis: (m,) places of the samples, -1 to 1.
        per_cell: samples a cell.
    """
    x, y = np.meshgrid(axis, axis)
    basis = np.stack([np.ones_like(x), x, y, x * y]).reshape(4, -1)
    size, sigma = (2 * round(3 * BLUR_CELLS * per_cell) + 1,) * 2, BLUR_CELLS * per_cell
    seen, due = (cv2.GaussianBlur(np.ascontiguousarray(np.moveaxis(one, 0, -1)), size, sigma) for one in (shown, expected))
    off = np.clip(np.asarray(seen, np.float32) - due, -0.5, 0.5)
    slopes = [np.asarray(cv2.Sobel(due, cv2.CV_32F, col, 1 - col, ksize=1, scale=0.5 * per_cell), np.float32) for col in (0, 1)]
    products = [[np.einsum("ijk,ijk->ij", one, other) * weight for other in (*slopes, off)] for one in slopes]
    normal = np.block([[(basis * one.ravel()) @ basis.T for one in row[:2]] for row in products]).astype(np.float64)
    right = np.concatenate([basis @ row[2].ravel() for row in products]).astype(np.float64)
    noise = BORDER_NOISE_CELLS2 * per_cell**2
    normal = normal / noise + np.eye(8) / USUAL_ERROR_CELLS**2
    return -np.linalg.solve(normal, right / noise).reshape(2, 4).astype(np.float32)
