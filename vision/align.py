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

BLUR_SAMPLES = 1.2
"""Blur of both before their borders are compared, so that each reaches the other."""

STRIDE = 2
"""Every how many samples are compared: the blur leaves no more to be seen."""

BORDER_NOISE = 12.0
"""Samples' worth of one sample's evidence: neighbouring ones err together, and borders are bevelled and shaded."""


def shifts(nudge: Nudge, axis: FloatArray) -> FloatArray:
    """(2, m, m) shifts in cells at the places ``axis`` (m,), -1 to 1 across the board."""
    x, y = np.meshgrid(axis, axis)
    return np.asarray(np.einsum("ak,kij->aij", nudge, np.stack([np.ones_like(x), x, y, x * y])), np.float32)


def nudge_of(shown: FloatArray, expected: FloatArray, weight: FloatArray, axis: FloatArray, per_cell: int) -> Nudge:
    """How far the picture lies off the grid, by the borders of the labels: one step of least squares.

    Args:
        shown: (labels, m, m) density of each sample under each label.
        expected: (labels, m, m) probabilities of what each sample should show.
        weight: (m, m) how much each sample tells.
        axis: (m,) places of the samples, -1 to 1.
        per_cell: samples a cell.
    """
    share = shown / shown.sum(0)
    thin = slice(None, None, STRIDE)
    x, y = np.meshgrid(axis[thin], axis[thin])
    heavy = weight[thin, thin].ravel() * STRIDE**2
    basis = np.stack([np.ones_like(x), x, y, x * y])
    normal, right = np.zeros((8, 8)), np.zeros(8)
    for seen, due in zip(share[:-1], expected[:-1], strict=True):
        smooth = np.asarray(cv2.GaussianBlur(due, (7, 7), BLUR_SAMPLES))
        off = np.clip(cv2.GaussianBlur(seen, (7, 7), BLUR_SAMPLES) - smooth, -0.5, 0.5)[thin, thin]
        slope = np.stack(np.gradient(smooth))[:, thin, thin] * per_cell
        terms = (slope[:, None] * basis).reshape(8, -1)
        weighted = terms * heavy
        normal += np.einsum("ai,bi->ab", weighted, terms)
        right += np.einsum("ai,i->a", weighted, off.ravel())
    normal = normal / BORDER_NOISE + np.eye(8) / USUAL_ERROR_CELLS**2
    return -np.linalg.solve(normal, right / BORDER_NOISE).reshape(2, 4).astype(np.float32)
