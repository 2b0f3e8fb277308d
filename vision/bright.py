"""How surely cells have changed, those near white included: what comes and goes there changes the picture little, and so does the light."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.glance import EDGE_PX, ChangeSettings, Difference, FloatArray, core_means


@dataclass(frozen=True)
class BrightSettings:
    """Thresholds for cells near white; differences are in percent of the board's level.

    Attributes:
        level: grey level of the brightest channel from which a cell is near white: a camera's tone curve is flat there.
        calm: mean difference of a cell that is surely the same (noise is flattened like everything else: 0.3 to 0.6).
        changed: mean difference from which nothing speaks against a change (new pieces on an overexposed board: 2.4 and more); nothing
            less than usual speaks for one, as what a piece leans over changes as well.
    """

    level: float = 245.0
    calm: float = 1.0
    changed: float = 2.0


BRIGHT = BrightSettings()


def bright_cells(difference: Difference, settings: BrightSettings = BRIGHT) -> NDArray[np.bool_]:
    """(size, size) cells that were near white in the look before, under the light of this one."""
    return np.asarray(core_means(difference.lit).max(-1) >= settings.level)


def change_log_odds(difference: Difference, settings: ChangeSettings, bright: BrightSettings = BRIGHT) -> FloatArray:
    """(size, size) natural log odds that what lies on each cell changed, from its looks alone."""
    usual, white = difference.log_odds(settings), bright_cells(difference, bright)
    if not white.any():
        return usual
    much, (calm, changed) = _much(difference), _bounds(difference, settings, bright)
    against = np.clip((changed - much) / (changed - calm), 0, 1) * settings.calm_nats
    return np.asarray(np.where(white, np.maximum(usual, -against), usual), np.float32)


def changed_cells(difference: Difference, settings: ChangeSettings, bright: BrightSettings = BRIGHT) -> NDArray[np.bool_]:
    """(size, size) cells that may have changed."""
    usual, white = difference.changed(settings), bright_cells(difference, bright)
    if not white.any():
        return usual
    return np.asarray(usual | (white & (_much(difference) > sum(_bounds(difference, settings, bright)) / 2)))


def _much(difference: Difference) -> FloatArray:
    """(size, size) difference of each cell's middle or of the whole cell: of a piece near white only the edges may be left."""
    grid, size = difference.off[EDGE_PX:-EDGE_PX, EDGE_PX:-EDGE_PX], difference.cell.shape
    return np.asarray(np.maximum(difference.cell, cv2.resize(grid, size, interpolation=cv2.INTER_AREA)), np.float32)


def _bounds(difference: Difference, s: ChangeSettings, bright: BrightSettings) -> tuple[float, float]:
    noise = float(np.median(difference.cell))
    return max(bright.calm, s.calm_noise * noise), max(bright.changed, s.changed_noise * noise)
