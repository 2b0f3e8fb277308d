"""The faint tint that a piece keeps under glare: too little in any one sample, but the same all over its cell."""

from __future__ import annotations

import math
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


@dataclass(frozen=True)
class Tints:
    """The tints of the cells of one picture.

    Attributes:
        length2: (size, size) squared chroma of the cells against an empty board of their own brightness.
        enough: (size, size) bool, cells of which enough is seen.
        along: (colors, size, size) log density of such a tint on a piece of each colour under glare.
        settings: how much it says.
    """

    length2: FloatArray
    enough: NDArray[np.bool_]
    along: FloatArray
    settings: TintSettings

    @classmethod
    def of(cls, palette: Palette, medians: CellMedians, settings: TintSettings | None = None) -> Tints:
        """By the cells' medians, under a fitted palette."""
        s = settings or TintSettings()
        z = cell_chroma(palette, medians, medians.level)
        r2 = z[0] * z[0] + z[1] * z[1]
        r = np.sqrt(r2) + s.hue_error
        x, y = (palette.means / palette.purities[:, None]).T[..., None, None]
        off = np.arctan2(x * z[1] - y * z[0], x * z[0] + y * z[1])
        width = s.hue_sd + s.hue_error / r
        along = np.exp(np.float32(-0.5) * (off / width) ** 2) / (np.float32(2.5 * s.reach) * width * r)
        return cls(r2, medians.enough, np.log(along + np.float32(1e-3)), s)

    def odds(self, empty: FloatArray) -> FloatArray:
        """(colors, size, size) log odds of a piece of each colour under glare against the empty board.

        Args:
            empty: (size, size) probability of being empty, by which the spread of the board's own tints is known.
        """
        s, sure = self.settings, (empty > 0.9) & self.enough
        if not sure.any():
            return np.zeros_like(self.along)
        spread2 = float(np.clip(1.26 * _median(self.length2[sure]) ** 0.5, *s.spread)) ** 2
        on_board = np.float32(-3) * np.log(1 + self.length2 / np.float32(4 * spread2)) - np.float32(math.log(2 * math.pi * spread2))
        return np.asarray(np.clip(self.along - on_board, s.least, s.most) * self.enough, np.float32)


def tint_odds(palette: Palette, medians: CellMedians, empty: FloatArray, settings: TintSettings | None = None) -> FloatArray:
    """(colors, size, size) what `Tints.odds` says of a picture's cells, for those who ask once."""
    return Tints.of(palette, medians, settings).odds(empty)


def _median(values: FloatArray) -> float:
    """Median of (n,) values."""
    half = len(values) // 2
    ordered = np.partition(values, (half - 1, half) if half else 0)
    return float(ordered[half]) if len(values) % 2 else float(ordered[half - 1] + ordered[half]) / 2
