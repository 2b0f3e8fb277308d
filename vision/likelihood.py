"""How well one sample fits each label: densities over chroma and brightness.

Glare adds light: a piece at half its purity must be twice as bright. So purity times brightness tells a blown piece
from a pale board, whatever both look like alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.hands import hand_mask
from vision.light import chroma
from vision.palette import WARM_AXIS, CellMedians, Palette
from vision.sampling import BoardSamples

FloatArray = NDArray[np.float32]


@dataclass(frozen=True)
class LikelihoodSettings:
    """Spreads of the densities, in units of the chroma plane, radians, or natural logarithms of brightness.

    Attributes:
        empty_sd: least and most spread of the empty board's chroma about the fitted light, which the picture itself tells.
        tinted_sd: the same where a piece is reflected, or shines through.
        cross_sd: a piece colour across its own direction.
        hue_sd: its direction within one picture (radians), which acts on saturated samples most.
        glare_tint: colour of glare about the empty board's.
        glare_warmth: the same along `WARM_AXIS`: lamps and windows differ most there.
        blown_share: share of a piece's bright samples that glare has made white altogether.
        blown_chroma: chroma from which even a blown sample has a colour: its lowest channel is the piece's.
        white_sd: chroma of those about the empty board's.
        shine_share: share of a glared top's samples that show the light and not the colour.
        shine_sd: chroma of that light about the empty board's.
        shine_level: log brightness over the empty board's from which a sample may show it: glare adds light.
        full_level: log brightness above which a picture shows hardly more: there glare and a white board are equally bright.
        blown_board: log brightness of the board from which it is blown itself, so that a blown cell is no sign of glare.
        ceiling_light: linear light of the brightest channel from which cameras press the highlights together, so that the
            true brightness may be higher.
        brighter_sd: a piece's brightness above the usual one.
        darker_sd: the same below it: walls and shaded bevels.
        relief_sd: least and most spread of an empty cell's log brightness about the board's relief.
        blank: share of a cell blown to white that leaves no groove to be seen.
        blank_board: log brightness of the board around below which such a cell is not just white board.
        hand_density: of a sample that shows a hand: more than under any piece.
        unknown_density: of any sample under ``unknown``: about one over the range of everything seen.
    """

    empty_sd: tuple[float, float] = (0.006, 0.03)
    tinted_sd: float = 0.07
    cross_sd: float = 0.025
    hue_sd: float = 0.05
    glare_tint: float = 0.035
    glare_warmth: float = 0.12
    blown_share: float = 0.1
    blown_chroma: float = 0.07
    white_sd: float = 0.05
    shine_share: float = 0.97
    shine_sd: float = 0.03
    shine_level: float = 0.15
    full_level: float = -0.12
    blown_board: float = -0.05
    ceiling_light: float = 0.8
    brighter_sd: float = 0.45
    darker_sd: float = 0.8
    unknown_density: float = 0.2
    relief_sd: tuple[float, float] = (0.05, 0.5)
    blank: float = 0.93
    blank_board: float = -0.1
    hand_density: float = 50.0


ENOUGH_CELLS = 60
"""Empty cells by which the board is learnt: more say the same."""


def board_chroma2(samples: BoardSamples, palette: Palette) -> FloatArray:
    """(r, c) squared chroma of the samples against an empty board of their own brightness."""
    z = chroma(samples.linear_bgr, palette.light.under(palette.light.at(*samples.axes), samples.level))
    return np.asarray(z[0] ** 2 + z[1] ** 2)


@dataclass(frozen=True)
class BoardLook:
    """What empty cells look like in one picture; k samples a cell.

    Attributes:
        chroma_sd: spread of their samples' chroma: texture, noise and JPEG.
        relief: (k, k) log brightness of the samples of a cell less the cell's own: grooves, ridges, their shade.
        relief_sd: (k, k) its spread.
    """

    chroma_sd: float
    relief: FloatArray
    relief_sd: FloatArray

    @classmethod
    def of(cls, samples: BoardSamples, chroma2: FloatArray, medians: CellMedians, empty: FloatArray, s: LikelihoodSettings) -> BoardLook:
        """From a look at the whole board.

        Args:
            samples: of all cells.
            chroma2: (r, c) of `board_chroma2`.
            medians: of the cells.
            empty: (size, size) probability of being empty.
            s: bounds of the spreads.
        """
        sure = empty > 0.9
        typical = float(np.median(_some(samples.by_cell(chroma2[None])[0][sure]))) ** 0.5 if sure.any() else np.inf
        seen = _some((samples.floor_level - medians.level[..., None])[(empty > 0.95) & medians.enough])
        shape = (samples.per_cell, samples.per_cell)
        if len(seen) < 12:
            middle, spread = np.zeros(shape, np.float32), np.full(shape, 0.3, np.float32)
        else:
            middle = _medians(seen)
            spread = 1.48 * _medians(np.abs(seen - middle))
        return cls(float(np.clip(1.3 * typical, *s.empty_sd)), middle.reshape(shape), np.clip(spread, *s.relief_sd).reshape(shape))


class SampleLikelihood:
    """Densities of the samples of one picture; what does not depend on the brightness of the board is computed once.

    Args:
        samples: of the picture.
        chroma2: (r, c) of `board_chroma2`.
        palette: its colours.
        level: (size, size) log brightness of the cells.
        here: (size, size) log brightness of the empty board at them.
        board: what empty cells look like.
        settings: spreads.
    """

    def __init__(
        self,
        samples: BoardSamples,
        chroma2: FloatArray,
        palette: Palette,
        level: FloatArray,
        here: FloatArray,
        board: BoardLook,
        settings: LikelihoodSettings,
    ) -> None:
        s = self.settings = settings
        self.samples = samples
        self.palette = palette
        self._level = samples.level
        self._cell_level = level
        z = self.chroma = chroma(samples.linear_bgr, palette.light.under(palette.light.at(*samples.axes), samples.spread(here)))
        z2 = z[0] ** 2 + z[1] ** 2
        blown = samples.blown & (z2 < s.blown_chroma**2)
        self._blown = blown
        self._relief_density = self._relief(board)
        self._ceiling = samples.linear_bgr.max(0) > s.ceiling_light
        sd = board.chroma_sd
        tinted = 0.85 * _round_t(chroma2, sd) + 0.12 * _round_t(chroma2, 3 * sd) + 0.03 * _round_t(chroma2, s.tinted_sd)
        self._empty = np.where(blown, 1, tinted)
        self._shine = np.where(blown, 1, 0.8 * tinted + 0.2 * _round_t(np.minimum(chroma2, z2), s.shine_sd))
        self._white = np.where(self._ceiling & ~blown, 0.5 * s.blown_share * _round_t(chroma2, s.white_sd), 0)
        density, self._purity = self._color(z, palette.means)
        self._colors = np.where(blown, np.float32(s.blown_share), density)
        self._hand = hand_mask(samples, z, np.concatenate([self._empty[None], self._colors]))

    def _relief(self, board: BoardLook) -> FloatArray:
        """(r, c) density of each sample's log brightness less its cell's, by the relief that empty cells have.

        The board's own relief is the same on all its cells; a piece's bevels are not.
        """
        at = np.ix_(self.samples.rows.floor_place, self.samples.cols.floor_place)
        spread = board.relief_sd[at]
        off = (self._level - self.samples.of_cells(self._cell_level) - board.relief[at]) / spread
        return np.asarray(_line_t(off**2) / spread, np.float32)

    def _color(self, z: FloatArray, means: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Chroma density (colors, r, c) of the colours, and the log purity of each sample in terms of each colour."""
        s, length = self.settings, np.hypot(means[:, 0], means[:, 1])
        unit = means / length[:, None]
        warm = np.float32(s.glare_warmth) * (unit[:, 0] * np.float32(WARM_AXIS[1]) - unit[:, 1] * np.float32(WARM_AXIS[0]))
        glare2 = (np.float32(s.glare_tint**2) + warm**2)[:, None, None]
        (x, y), length = unit.T[..., None, None], length[:, None, None]
        purity = (x * z[0] + y * z[1]) / length
        across = x * z[1] - y * z[0]
        pale = 1 - purity
        sd2 = (np.float32(s.hue_sd) * length * purity) ** 2 + glare2 * np.clip(pale, 0, 1) ** 2 + np.float32(s.cross_sd**2)
        pure = np.exp(np.float32(-12.5) * pale**2) * (np.float32(1.2) / length) + np.float32(0.4 / 0.85) * (purity > -0.05)
        return _line_t(across**2 / sd2) / np.sqrt(sd2) * pure, np.log(np.clip(purity, 0.04, 1.3))

    def glared(self, like: FloatArray, here: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
        """Piece tops under glare, which may be white all over but for an edge.

        Args:
            like: (labels, r, c) of `densities`.
            here: (size, size) log brightness of the empty board.

        Returns:
            (colors, r, c) density of each sample on such a top, and (r, c) which samples are bright enough for glare.
        """
        s = self.settings
        level = self._level - self.samples.spread(here)
        bright = np.exp(-np.abs(level) * np.where(level > 0, np.float32(1 / 0.6), np.float32(1 / 1.2)))
        bright *= np.where(level > 0, np.float32(0.6 / 0.6), np.float32(0.4 / 1.2))
        shine = self._shine * np.where(self._level > s.full_level, np.maximum(bright, self._empty_level), bright)
        may = ((level > s.shine_level) | self._ceiling) & ~(self._blown & (self.samples.spread(here) > s.blown_board))
        return s.shine_share * shine + (1 - s.shine_share) * like[1:-1], may

    def hidden_by_glare(self, here: FloatArray) -> NDArray[np.bool_]:
        """(rows, cols) cells of the window so blown that not even a groove is left of what they show, where the board around is not.

        Args:
            here: (size, size) log brightness of the empty board.
        """
        blown = self.samples.by_cell(self.samples.blown[None].astype(np.float32))[0].mean(-1)
        return np.asarray((blown > self.settings.blank) & (here[self.samples.window.cells] < self.settings.blank_board))

    def densities(self, here: FloatArray, spread: FloatArray, usual: FloatArray) -> FloatArray:
        """(labels, r, c) density of each sample.

        Args:
            here: (size, size) log brightness of the empty board.
            spread: (size, size) its spread.
            usual: (colors,) log brightness of the full colours against the empty board; NaN where not known.
        """
        s = self.settings
        level = self._level - self.samples.spread(here)
        off = (self._cell_level - here) / spread
        usual_cell = self.samples.of_cells(np.asarray((1 + off**2 / 4) ** -0.6, np.float32))
        wide = self.samples.spread(spread)
        smooth = _line_t((level / wide) ** 2) / wide
        self._empty_level = 0.45 * usual_cell * self._relief_density + 0.35 * smooth + _uneven(level)
        out = np.empty((len(self._colors) + 2, *level.shape), np.float32)
        out[0] = self._empty * self._empty_level
        known = np.nan_to_num(usual)[:, None, None]
        off = level + (self._purity - known)
        dark = np.where(self._ceiling, np.float32(0), np.float32(-1 / s.darker_sd))
        off *= np.where(off < 0, dark, np.float32(1 / s.brighter_sd))
        peak = np.float32(1.8 / (s.darker_sd + s.brighter_sd))
        usual_level = peak * _line_t(off**2) + np.float32(0.015)
        usual_level[np.isnan(usual)] = 0.25
        out[1:-1] = self._colors * usual_level + self._white
        out[-1] = np.where(self._hand, np.float32(s.hand_density), np.float32(s.unknown_density))
        return out + np.float32(1e-4)


def usual_levels(palette: Palette, z: FloatArray, level: FloatArray, q: FloatArray) -> FloatArray:
    """(colors,) log brightness of the full colours against the empty board, from the cells' medians; NaN where there are too few.

    Args:
        palette: fitted.
        z: (2, size, size) chroma of the cells.
        level: (size, size) their log brightness against the empty board there.
        q: (labels, size, size) their label probabilities.
    """
    (x, y), length2 = palette.means.T[..., None], (palette.means**2).sum(1)[:, None]
    flat = z.reshape(2, -1)
    purity = np.clip((x * flat[0] + y * flat[1]) / length2, 0.04, 1.3)
    values, weight = level.ravel() + np.log(purity), q[1:-1].reshape(len(purity), -1) * np.clip(purity, 0, 1)
    order = np.argsort(values, axis=1)
    total = np.cumsum(np.take_along_axis(weight, order, 1), axis=1)
    middle = (total < total[:, -1:] / 2).sum(1, keepdims=True).clip(0, values.shape[1] - 1)
    usual = np.take_along_axis(np.take_along_axis(values, order, 1), middle, 1)[:, 0]
    return np.asarray(np.where(total[:, -1] > 1, usual, np.nan), np.float32)


def _some(cells: FloatArray) -> FloatArray:
    """Of (n, k) values of cells those of every so many cells, of which there are `ENOUGH_CELLS` or a few more."""
    return cells[:: max(1, len(cells) // ENOUGH_CELLS)]


def _medians(values: FloatArray) -> FloatArray:
    """(k,) upper medians of (n, k) values down the columns."""
    return np.asarray(np.partition(values, len(values) // 2, axis=0)[len(values) // 2])


def _round_t(r2: FloatArray, sd: float) -> FloatArray:
    """Density in the plane of a round Student t with 4 degrees of freedom, by squared distance."""
    base = 1 + r2 * np.float32(1 / (4 * sd**2))
    return np.asarray(np.float32(1 / (2 * np.pi * sd**2)) / (base * base * base))


def _line_t(m2: FloatArray) -> FloatArray:
    """Density on the line of a Student t with 4 degrees of freedom and unit scale, by squared distance."""
    base = 1 + m2 * np.float32(0.25)
    return np.asarray(np.float32(0.375) / (base * base * np.sqrt(base)))


def _uneven(level: FloatArray) -> FloatArray:
    """Density of an empty cell's log brightness off its relief: darker (shade of a piece), seldom brighter (glint)."""
    tail = np.exp(-np.abs(level) * np.where(level < 0, np.float32(1 / 0.7), np.float32(1 / 0.5)))
    return np.asarray(tail * np.where(level < 0, np.float32(0.15 / 0.7), np.float32(0.05 / 0.5)))
