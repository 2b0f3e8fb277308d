"""The faint tint that a piece keeps under glare: too little in any one sample, but the same all over its cell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.palette import CellMedians, Palette, cell_chroma

FloatArray = NDArray[np.float32]


@dataclass(frozen=True)
class TintSettings:
    """How much the tint of a whole cell says; chroma in units of the plane of `vision.light`.

    Attributes:
        spread: least and most spread of the tint of empty cells, which the picture itself tells.
        hue_sd: spread of a colour's direction where it is faint (radians), and the error of chroma that widens it further.
        hue_error: that error.
        reach: range of tints of pieces under glare.
        least: log odds below which the absence of a tint does not speak further against glare.
        most: log odds above which a tint does not speak further for it: a piece next to it may be mirrored in the board.
    """

    spread: tuple[float, float] = (0.004, 0.03)
    hue_sd: float = 0.12
    hue_error: float = 0.01
    reach: float = 0.4
    least: float = -5.0
    most: float = 4.0


def tint_odds(palette: Palette, medians: CellMedians, empty: FloatArray, settings: TintSettings | None = None) -> FloatArray:
    """(colors, size, size) log odds of a piece of each colour under glare against the empty board, by the tint of the cells' medians.

    Args:
        palette: fitted.
        medians: of the cells.
        empty: (size, size) probability of being empty.
        settings: how much it says.
    """
    s, sure = settings or TintSettings(), (empty > 0.9) & medians.enough
    if not sure.any():
        return np.zeros((len(palette.colors), *empty.shape), np.float32)
    z = cell_chroma(palette, medians, medians.level)
    r2 = (z**2).sum(0)
    spread = float(np.clip(1.26 * np.sqrt(np.median(r2[sure])), *s.spread))
    on_board = (1 + r2 / (4 * spread**2)) ** -3 / (2 * np.pi * spread**2)
    r = np.sqrt(r2) + s.hue_error
    x, y = (palette.means / palette.purities[:, None]).T[..., None, None]
    off = np.arctan2(x * z[1] - y * z[0], x * z[0] + y * z[1])
    width = s.hue_sd + s.hue_error / r
    along = np.exp(np.float32(-0.5) * (off / width) ** 2) / (np.float32(2.5 * s.reach) * width * r)
    odds = np.log((along + np.float32(1e-3)) / on_board)
    return np.asarray(np.clip(odds, s.least, s.most) * medians.enough, np.float32)
