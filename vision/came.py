"""Doubtful cells beside a piece that came: what has changed as much as the piece, and much more than all around, belongs to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cells import Cell
from vision.bright import BRIGHT, bright_cells
from vision.glance import Difference
from vision.observation import EMPTY, MIN_CONFIDENCE, MIN_EMPTY_CONFIDENCE, UNKNOWN, Observation

CellMask = NDArray[np.bool_]

AROUND = np.ones((3, 3), np.uint8)


@dataclass(frozen=True)
class CameSettings:
    """When the doubt of a cell is settled.

    Attributes:
        calm: difference (percent of the level) that cells around the piece may have at least; near white less counts.
        contrast: how many times theirs the cell's must be: cells over which a piece leans change as well.
        likelier: how many times likelier than "empty" its colour must be by its looks.
        least: probability of its colour at least: what is rather something else is not looked at.
        settled: share of the doubt that is then dropped.
    """

    calm: float = 3.0
    contrast: float = 2.0
    likelier: float = 20.0
    least: float = 0.3
    settled: float = 0.8


def settled_by_change(
    seen: Observation, difference: Difference, covered: CellMask, board: Mapping[Cell, str], settings: CameSettings | None = None
) -> Observation:
    """The observation with less doubt in cells whose colour is doubtful, and whose change is not.

    Args:
        seen: label probabilities of the cells.
        difference: from the last look that was understood.
        covered: (size, size) cells of which the picture says nothing.
        board: what lay there at that look.
        settings: when a doubt is settled.
    """
    s = settings or CameSettings()
    p, unknown, empty = np.exp(seen.log_p), seen.labels.index(UNKNOWN), seen.labels.index(EMPTY)
    known = np.delete(p, (unknown, empty), axis=-1)
    free = ~covered
    for cell in board:
        free[cell] = False
    best = known.max(-1)
    colored = free & (best >= s.least) & (best > s.likelier * p[..., empty]) & (best > 0.9 * known.sum(-1))
    doubtful = colored & (p[..., unknown] > 1 - MIN_CONFIDENCE)
    if not doubtful.any():
        return seen
    apart = free & (p[..., empty] >= MIN_EMPTY_CONFIDENCE)
    settled, calm = np.zeros_like(doubtful), np.where(bright_cells(difference), BRIGHT.calm, s.calm)
    count, pieces = cv2.connectedComponents(colored.astype(np.uint8), connectivity=4)
    for number in range(1, count):
        piece = pieces == number
        ring = (cv2.dilate(piece.astype(np.uint8), AROUND) > 0) & ~piece & apart
        around = np.maximum(calm, difference.cell[ring].max(initial=0.0))
        changed = np.minimum(difference.cell, difference.solid) >= s.contrast * around
        settled |= doubtful & piece & changed
    moved = np.where(settled, s.settled * p[..., unknown], 0)
    out = p.copy()
    out[..., unknown] -= moved
    color = np.where(np.isin(np.arange(p.shape[-1]), (unknown, empty)), 0, p).argmax(-1)[..., None]
    np.put_along_axis(out, color, np.take_along_axis(out, color, -1) + moved[..., None], -1)
    return replace(seen, log_p=np.log(out).astype(np.float32))
