"""Things on the board that pass for empty cells or for pieces.

Small flat ones, such as a bit of paper that stands for a lost piece or a coin, have no colour of the set, but neither have they
the board's: against the empty cells around them they differ in chroma and in brightness at once, over a few cells. Shadows and
sunbeams differ in brightness alone, reflections in chroma alone. Large ones, such as a sleeve or a mug, may have the colour of
a piece, but pieces leave gaps.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from referee.cells import components
from vision.light import FloatArray
from vision.palette import CellMedians, Palette, cell_chroma

BLOCK_CELLS = 4
"""A square of 4x4 cells of one colour takes at least four pieces of that colour laid side by side, and every arm covers one."""


@dataclass(frozen=True)
class ForeignSettings:
    """What is a thing. Of 800 cells of paper on drawn boards four in ten were found by this, and eight in 10,000 empty ones.

    Attributes:
        reach: cells on each side that are compared.
        least_around: empty cells there by which a cell can be told.
        chroma: difference of chroma from theirs in units of their usual difference among themselves.
        chroma_floor: chroma added to that unit, for boards without any texture.
        chroma_sd: least difference of chroma in units of the spread of the board's samples.
        level: difference of log brightness in units of its spread there.
        level_floor: log brightness added to that unit.
        most_level: difference from which it is sun or deep shade.
        cells: least and most cells of one thing.
    """

    reach: int = 3
    least_around: int = 5
    chroma: float = 2.5
    chroma_floor: float = 0.004
    chroma_sd: float = 1.2
    level: float = 1.2
    level_floor: float = 0.05
    most_level: float = 1.3
    cells: tuple[int, int] = (2, 6)


def foreign_cells(
    palette: Palette, medians: CellMedians, empty: NDArray[np.bool_], chroma_sd: float, settings: ForeignSettings | None = None
) -> NDArray[np.bool_]:
    """(size, size) cells that look empty but belong to a small thing.

    Args:
        palette: the picture's colours.
        medians: of the cells.
        empty: (size, size) cells that look empty, and whose channels are not cut off.
        chroma_sd: spread of the chroma of the board's samples.
        settings: thresholds.
    """
    s, out = settings or ForeignSettings(), np.zeros(empty.shape, np.bool_)
    z = cell_chroma(palette, medians, medians.level)
    row, col = np.nonzero(empty & (np.hypot(z[0], z[1]) > 0.8 * s.chroma_sd * chroma_sd))
    if not len(row):
        return out
    around = _around(np.stack([z[0], z[1], medians.level]), empty, s.reach)[:, row, col]
    known = np.isfinite(around[0]).sum(-1) >= s.least_around
    around, row, col = around[:, known], row[known], col[known]
    middle = _medians(around)
    off = np.stack([z[0], z[1], medians.level])[:, row, col] - middle
    usual_chroma = _medians(np.hypot(around[0] - middle[0, :, None], around[1] - middle[1, :, None]))
    usual_level = 1.48 * _medians(np.abs(around[2] - middle[2, :, None]))
    chroma, level = np.hypot(off[0], off[1]), np.abs(off[2])
    odd = (chroma > s.chroma * (usual_chroma + s.chroma_floor)) & (chroma > s.chroma_sd * chroma_sd)
    odd &= (level > s.level * (usual_level + s.level_floor)) & (level < s.most_level)
    for thing in components(zip(row[odd].tolist(), col[odd].tolist(), strict=True)):
        if s.cells[0] <= len(thing) <= s.cells[1]:
            out[tuple(np.array(sorted(thing)).T)] = True
    return out


def solid_blocks(q: FloatArray, side: int = BLOCK_CELLS) -> NDArray[np.bool_]:
    """(size, size) cells that look like pieces but make a solid block of one colour: a sleeve, a mug, a box.

    Args:
        q: (labels, size, size) probabilities of the cells: empty, the colours, unknown.
        side: cells a side from which a square of one colour is such a block.
    """
    best, out = q.argmax(0), np.zeros(q.shape[1:], np.bool_)
    square = np.ones((side, side), np.uint8)
    for label in range(1, len(q) - 1):
        mine = (best == label).astype(np.uint8)
        if mine.sum() < side * side:
            continue
        begins = cv2.erode(mine, square, anchor=(0, 0), borderType=cv2.BORDER_CONSTANT, borderValue=0)
        block = cv2.dilate(begins, square, anchor=(side - 1, side - 1))
        out |= (cv2.dilate(block, np.ones((3, 3), np.uint8)) & mine) > 0
    return out


def _around(values: FloatArray, empty: NDArray[np.bool_], reach: int) -> FloatArray:
    """(k, size, size, (2 * reach + 1)**2) values (k, size, size) of the empty cells around each cell, infinite for all others."""
    side = 2 * reach + 1
    known = np.pad(np.where(empty, values, np.inf), ((0, 0), (reach, reach), (reach, reach)), constant_values=np.inf)
    windows = sliding_window_view(known, (side, side), axis=(1, 2)).reshape(*values.shape, side * side).copy()
    windows[..., side * side // 2] = np.inf
    return windows


def _medians(values: FloatArray) -> FloatArray:
    """(...) medians over the last axis of what is finite; infinite where nothing is."""
    known = np.sort(np.where(np.isfinite(values), values, np.inf), axis=-1)
    middle = (np.isfinite(known).sum(-1) // 2).clip(0, known.shape[-1] - 1)
    return np.asarray(np.take_along_axis(known, middle[..., None], -1)[..., 0])
