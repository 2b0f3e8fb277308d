"""Where the board's lines are seen in a glance: between empty cells, around the squares of pieces, but not on what lies over them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]

AROUND = 3
"""Side in cells of the square over which a cell's lines are averaged: a single one may be lost between two pieces."""

FAINT = 1.0
"""Grey levels a pixel added to steps before they are compared, so that noise on even ground is no line."""

LEAST_SEEN = 0.18
"""Contrast under which no lines are seen (drawn boards: 0.27 to 0.9 where nothing lies over them, under 0.1 on sheets, cups and phones)."""

SURELY_SEEN = 0.24
"""Contrast from which lines were seen before."""

LEAST_CELLS = 4
"""Cells in a block without lines from which it is a thing: all that has come between the squares of a piece are lines."""

REACH = 5
"""Side in cells of the square by which such a block grows: the average over a cell's neighbours has made it smaller."""

USUAL, LEAST_USUAL = 0.8, 0.3
"""Share of the cells with fainter lines, and their contrast under which a picture is too soft or too dark to tell anything by it."""


def line_contrast(glance: FloatArray, cell_px: int, edge_px: int) -> FloatArray:
    """(n, n) how much the borders of each cell and those around it stand out against the middles of cells, -1 to 1.

    Tops and floors appear up to a quarter of a cell apart, so that the lines are looked for where most of them are in this glance.

    Args:
        glance: (m, m, 3), as `vision.glance.Glancer` gives it.
        cell_px: its pixels a cell.
        edge_px: its pixels around the grid.
    """
    gray = np.asarray(cv2.transform(glance, np.full((1, 3), 1 / 3)), np.float32)
    across, down = _along(gray, cell_px, edge_px), _along(np.ascontiguousarray(gray.T), cell_px, edge_px).T
    return np.asarray(cv2.blur((across + down) / 2, (AROUND, AROUND)), np.float32)


def _along(gray: FloatArray, cell_px: int, edge_px: int) -> FloatArray:
    """(n, n) contrast of the left border of each cell."""
    n = (gray.shape[1] - 2 * edge_px) // cell_px
    level = np.asarray(cv2.blur(gray, (1, cell_px)), np.float32)[edge_px + cell_px // 2 :: cell_px][:n]
    step = np.abs(np.gradient(level, axis=1))
    ridge = np.maximum(step[:, 1:], step[:, :-1])
    first = edge_px - 1 + cell_px * np.arange(n)
    tried = [(ridge[:, first + shift], ridge[:, first + shift + cell_px // 2]) for shift in range(-cell_px // 4, cell_px // 4 + 1)]
    contrasts = [(border - middle) / (border + middle + FAINT) for border, middle in tried]
    return np.asarray(max(contrasts, key=lambda contrast: float(contrast.mean())), np.float32)


def vanished(before: FloatArray, now: FloatArray, cell_px: int, edge_px: int) -> NDArray[np.bool_]:
    """(n, n) cells under what has come to hide the lines, those half under it too; none where a picture is too soft to tell.

    Args:
        before: (m, m, 3) the earlier glance.
        now: (m, m, 3) the later one.
        cell_px: their pixels a cell.
        edge_px: their pixels around the grid.
    """
    first, last = (line_contrast(glance, cell_px, edge_px) for glance in (before, now))
    if min(float(np.quantile(contrast, USUAL)) for contrast in (first, last)) < LEAST_USUAL:
        return np.zeros(first.shape, np.bool_)
    gone = ((last < LEAST_SEEN) & (first > SURELY_SEEN)).astype(np.uint8)
    count, blocks = cv2.connectedComponents(gone, connectivity=4)
    is_thing = np.bincount(blocks.ravel(), minlength=count) >= LEAST_CELLS
    is_thing[0] = False
    return np.asarray(cv2.dilate(is_thing[blocks].astype(np.uint8), np.ones((REACH, REACH), np.uint8)) > 0)
