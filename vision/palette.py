"""The colours of one picture, fitted to that picture: the empty board's light and where each piece colour lies.

The direction of a piece colour in the chroma plane of `vision.light` hardly changes between rooms, sets and cameras
(measured on photographs of four boards and on 24 renders: within 3 to 20 degrees), where saturation and lightness
change by factors. So directions find the colours, and everything else is taken from the picture itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.hands import skin_density
from vision.light import WARM_RATIOS, Light, chroma, empty_level, fit_light, flat_light, log_ratios, ratio_chroma
from vision.observation import EMPTY, UNKNOWN
from vision.sampling import BoardSamples

FloatArray = NDArray[np.float32]

HUE_DEG: dict[str, tuple[float, float]] = {
    "blue": (-5, 6),
    "purple": (30, 20),
    "red": (119, 6),
    "orange": (130, 9),
    "yellow": (158, 12),
    "green": (-98, 18),
}
"""Direction in the chroma plane and its spread between sets, in degrees (see the module's text)."""

WARM_AXIS = (-0.966, 0.259)
"""Direction in the chroma plane from daylight to lamp light: the colours of glare lie along it."""

CORE_SHARE = 0.9
"""Samples that lie in their cell with less than this probability do not describe the cell's own colour."""

LIGHT_DEGREES = (0,), (1, 3)
"""Polynomial degrees of the light, fitted one after the other: empty cells under an odd light join step by step.
After the first few the likeliest of several starts is taken."""

MODES = 8
"""Commonest colours of cells among which the board's is looked for: four piece colours, and the board under two lights."""

MODE_WIDTHS = (0.12, 0.36)
"""Log ratios by which they are told apart: those of pieces are narrow, that of a dark board at the edge of the sun is wide."""

RIVAL = 0.6
"""Log likelihood a cell within which another start is tried: the right one was never more than 0.25 behind."""

STARTS = 3
"""Colours of the board from which the fit is started: more make no difference on the pictures tried."""

RIM_CELLS = 0.5
"""How far outside the grid the board's rim is looked for: narrow rims are 0.3 cell wide."""

RIM_NEAR = 0.15
"""Log ratios from the board's within which the rim counts as having its colour: it lies under other light here and there."""

RIM_SAYS = 1.0
"""Log likelihood for each cell that a colour of the board gains when all of the rim has it (rims of half the boards drawn and
photographed have it on 85 % of what is seen, nearly all on 30 %; a wrong colour is seen on 1 to 10 %)."""

USUAL_PURITY = 0.55
"""Length of a full colour in the chroma plane before the picture tells its own."""


@dataclass(frozen=True)
class CellMedians:
    """Medians over the core of each cell at the plane of the tops.

    Attributes:
        ratios: (2, n, n) log ratios.
        level: (n, n) log brightness.
        enough: (n, n) bool, there were samples that are not blown.
    """

    ratios: FloatArray
    level: FloatArray
    enough: NDArray[np.bool_]


@dataclass(frozen=True)
class Palette:
    """Fitted colours of one picture.

    Attributes:
        colors: names, in the order of ``means``.
        means: (colors, 2) chroma of the full colours.
        light: colour of the empty board.
    """

    colors: tuple[str, ...]
    means: FloatArray
    light: Light

    @property
    def labels(self) -> tuple[str, ...]:
        """``empty``, the colours, ``unknown``."""
        return (EMPTY, *self.colors, UNKNOWN)

    @property
    def purities(self) -> FloatArray:
        """(colors,) length of each full colour in the chroma plane."""
        return np.asarray(np.hypot(*self.means.T))


@cache
def direction(color: str) -> tuple[FloatArray, float]:
    """Unit vector (2,) of a colour's usual direction in the chroma plane, and its spread in radians."""
    angle, spread = HUE_DEG[color]
    return np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))], np.float32), float(np.radians(spread))


def cell_medians(samples: BoardSamples) -> CellMedians:
    """Medians of what the cores of the window's cells show."""
    values = np.concatenate([log_ratios(samples.linear_bgr), samples.level[None]])
    core = (samples.rows.top_share[:, None] * samples.cols.top_share > CORE_SHARE) & samples.inside
    told = samples.by_cell((core & ~samples.blown)[None].astype(np.float32))[0].sum(-1)
    few = np.pad(told < 6, 1, mode="edge").repeat(samples.per_cell, 0).repeat(samples.per_cell, 1)
    colored = core & (~samples.blown | few)  # a cell blown all over is white, for all that is known
    by_cell = samples.by_cell(np.where(np.stack([colored, colored, core]), values, np.inf))
    by_cell.sort(axis=-1)
    count = np.isfinite(by_cell).sum(-1)
    middle = np.take_along_axis(by_cell, (count // 2).clip(0, by_cell.shape[-1] - 1)[..., None], -1)[..., 0]
    middle = np.where(np.isfinite(middle), middle, 0)
    return CellMedians(middle[:2], middle[2], count[0] >= 6)


def rim_ratios(samples: BoardSamples) -> FloatArray:
    """(2, k) log ratios of what is seen just outside the grid: of most boards the rim, of the same plastic."""
    reach = samples.per_cell - round(RIM_CELLS * samples.per_cell)
    ring = np.zeros(samples.inside.shape, np.bool_)
    ring[reach:-reach, reach:-reach] = True
    ring[samples.per_cell : -samples.per_cell, samples.per_cell : -samples.per_cell] = False
    return log_ratios(samples.linear_bgr[:, ring & samples.inside & ~samples.blown])


def fit_palette(medians: CellMedians, rim: FloatArray, colors: tuple[str, ...]) -> tuple[Palette, FloatArray]:
    """The palette of a picture, and the (labels, size, size) probabilities of its cells by their medians alone.

    Args:
        medians: of all the board's cells.
        rim: (2, k) of `rim_ratios`.
        colors: of the set in use.
    """
    usual = np.stack([USUAL_PURITY * direction(c)[0] for c in colors])
    fits = []
    whites = _likely_whites(medians.ratios[:, medians.enough], rim, colors)
    for white in whites:
        palette = Palette(colors, usual, flat_light(white))
        q, fit = _responsibilities(palette, medians, medians.level, two_lights=True)
        if len(whites) > 1:
            palette, q, fit = _refined(palette, q, medians, LIGHT_DEGREES[0])
        fits.append((fit + float(medians.enough.sum()) * _white_prior(white, rim), palette, q))
    _, palette, q = max(fits, key=lambda fit: fit[0])
    palette, q, _ = _refined(palette, q, medians, LIGHT_DEGREES[1])
    return palette, q


def _refined(palette: Palette, q: FloatArray, medians: CellMedians, degrees: tuple[int, ...]) -> tuple[Palette, FloatArray, float]:
    """The palette and the labels' probabilities after fitting lights of these degrees, and how well the cells fit (log likelihood)."""
    fit = 0.0
    for degree in degrees:
        light = fit_light(medians.ratios, medians.level, q[0] * medians.enough, degree)
        here = empty_level(medians.level, q[0])[0]
        palette = Palette(palette.colors, palette.means, light)
        means = _fit_means(palette.colors, cell_chroma(palette, medians, here), q[1:-1] * medians.enough)
        palette = Palette(palette.colors, means, light)
        q, fit = _responsibilities(palette, medians, here, two_lights=False)
    return palette, q, fit


def refit_colors(palette: Palette, medians: CellMedians, empty: FloatArray) -> Palette:
    """The palette with its colours fitted anew, under the same light: a colour that was not there before has only its usual look.

    Args:
        palette: of an earlier picture, its light that of this one.
        medians: of the cells.
        empty: (size, size) probability of being empty, as far as known.
    """
    here = empty_level(medians.level, empty)[0]
    z = cell_chroma(palette, medians, here)
    for _ in range(2):
        q, _ = _responsibilities(palette, medians, here, two_lights=False)
        palette = replace(palette, means=_fit_means(palette.colors, z, q[1:-1] * medians.enough))
    return palette


def cell_chroma(palette: Palette, medians: CellMedians, level: FloatArray) -> FloatArray:
    """(2, size, size) chroma of the cells' medians against an empty board of log brightness ``level`` (size, size)."""
    return ratio_chroma(medians.ratios - palette.light.under(palette.light.at_cells(len(level)), level))


def _responsibilities(palette: Palette, medians: CellMedians, here: FloatArray, *, two_lights: bool) -> tuple[FloatArray, float]:
    """(labels, size, size) posterior of the cells' medians with the label shares of this picture, and their log likelihood.

    Args:
        palette: so far.
        medians: of the cells.
        here: (size, size) log brightness of the empty board.
        two_lights: whether empty cells may lie under a second light, warmer or colder than the palette's.
    """
    good = medians.enough
    like = _median_density(palette.means, cell_chroma(palette, medians, here))
    like[0] = _empty_density(cell_chroma(palette, medians, medians.level), 0.05 if two_lights else 0.025)
    share = np.full(like.shape[0], 1 / like.shape[0], np.float32)
    q = like
    for _ in range(2):
        q = like * share.reshape(-1, *[1] * (like.ndim - 1))
        q /= q.sum(0)
        share = (q[:, good].sum(1) + 2) / (good.sum() + 2 * len(share))
    q[:, ~good] = share[:, None]
    return np.asarray(q, np.float32), float(np.log(share @ like[:, good]).sum())


def sample_densities(palette: Palette, samples: BoardSamples) -> FloatArray:
    """(labels, r, c) densities of samples by their chroma alone."""
    z = chroma(samples.linear_bgr, palette.light.under(palette.light.at(*samples.axes), samples.level))
    like = _median_density(palette.means, z)
    like[0] = _empty_density(z, 0.025)
    return like


def _median_density(means: FloatArray, z: FloatArray) -> FloatArray:
    """(labels, n, n) density of a cell's median chroma (2, n, n) under empty (left 0), each colour, unknown."""
    length = np.hypot(means[:, 0], means[:, 1])
    (x, y), length = (means / length[:, None]).T[..., None, None], length[:, None, None]
    along, across = x * z[0] + y * z[1], x * z[1] - y * z[0]
    side_sd2 = np.float32(0.025**2) + (np.float32(0.05) * along) ** 2
    base = 1 + across * across / (4 * side_sd2)
    side = np.float32(0.375) / (base * base * np.sqrt(base * side_sd2))
    pure = np.exp(np.float32(-12.5) * (along / length - 1) ** 2) / (np.float32(0.5) * length)
    out = np.empty((len(means) + 2, *z.shape[1:]), np.float32)
    out[0] = 0
    out[1:-1] = side * (np.float32(0.6) * pure + np.float32(0.4 / 0.85) * (along > np.float32(0.1) * length))
    out[-1] = 0.3 + 0.5 * skin_density(z)
    return out + np.float32(1e-4)


def _empty_density(z: FloatArray, warm_sd: float) -> FloatArray:
    """(...) density of an empty cell's median chroma (2, ...), whose spread along `WARM_AXIS` is given."""
    warm, tint = WARM_AXIS[0] * z[0] + WARM_AXIS[1] * z[1], WARM_AXIS[0] * z[1] - WARM_AXIS[1] * z[0]
    m2 = (warm / warm_sd) ** 2 + (tint / 0.025) ** 2
    density = 0.93 * (1 + m2 / 4) ** -3 + 0.07 / 9 * (1 + m2 / 36) ** -3
    return np.asarray(density / (2 * np.pi * 0.025 * warm_sd) + 1e-4, np.float32)


def _likely_whites(ratios: FloatArray, rim: FloatArray, colors: tuple[str, ...]) -> list[FloatArray]:
    """Log ratios (2,) the board may have: of the modes of the cells' colours (2, k) those that make the others known colours best."""
    if not ratios.shape[1]:
        return [np.zeros(2, np.float32)]
    whites = np.concatenate([_modes(ratios, width) for width in MODE_WIDTHS])
    fits = _white_scores(ratios[:, None] - whites.T[..., None], colors)
    scored = [(fit + ratios.shape[1] * _white_prior(white, rim), white) for fit, white in zip(fits.tolist(), whites, strict=True)]
    found: list[FloatArray] = []
    least = max(score for score, _ in scored) - RIVAL * ratios.shape[1]
    for score, white in sorted(scored, key=lambda one: -one[0]):
        if score > least and len(found) < STARTS and all(np.abs(white - other).max() > 0.15 for other in found):
            found.append(white)
    return found


def _modes(ratios: FloatArray, width: float) -> FloatArray:
    """(k, 2) the commonest of the cells' colours (2, cells) when told apart by so much, the commonest first."""
    bins = np.round(ratios / np.float32(width)).astype(np.int64)
    _, inverse, counts = np.unique(bins[0] * 1000 + bins[1], return_inverse=True, return_counts=True)
    means = np.stack([np.bincount(inverse, one) for one in ratios], 1) / counts[:, None]
    return means[np.argsort(-counts, kind="stable")[:MODES]].astype(np.float32)


def _white_prior(white: FloatArray, rim: FloatArray) -> float:
    """Log likelihood for each cell of a board of those log ratios (2,), whatever lies on it.

    No board is bright green or blue, but lamps that the camera lets be warm it far; and most have a rim of the same colour.
    """
    warm, tint = float(WARM_RATIOS @ white), float(WARM_RATIOS[1] * white[0] - WARM_RATIOS[0] * white[1])
    warm, tint = warm / (0.9 if warm > 0 else 0.4), tint / 0.3
    usual = -0.05 * (warm**2 + tint**2) - 0.1 * ((warm / 1.7) ** 4 + (tint / 1.7) ** 4)  # 1.2 and 0.7 were the farthest of 400 boards
    return usual + RIM_SAYS * float((np.abs(rim - white[:, None]).max(0) < RIM_NEAR).mean() if rim.size else 0)


def _white_scores(ratios: FloatArray, colors: tuple[str, ...]) -> FloatArray:
    """(w,) log likelihoods of the cells' colours (2, w, k) relative to supposed boards: on them, or in the directions of the colours."""
    z = ratio_chroma(ratios)
    r2 = z[0] ** 2 + z[1] ** 2
    r = np.sqrt(r2)
    density = np.float32(0.3 / (2 * np.pi * 0.04**2)) * (1 + r2 * np.float32(1 / (0.04**2 * 4))) ** -3
    coloured = ((r > 0.12) & (r < 0.85)) / (np.float32(0.73) * np.maximum(r, np.float32(0.1)))
    along = np.zeros_like(r)
    turn = np.arctan2(z[1], z[0])
    for color in colors:
        unit, spread = direction(color)
        off = np.abs(turn - np.float32(np.arctan2(unit[1], unit[0])))
        angle = np.minimum(off, np.float32(2 * np.pi) - off) / np.float32(1.5 * spread)
        along += np.exp(np.float32(-0.5) * angle * angle) * np.float32(1 / (1.5 * spread * 2.5))
    density += np.float32(0.7 / len(colors)) * along * coloured
    return np.asarray(np.log(density + np.float32(0.02)).sum(1))


def _fit_means(colors: tuple[str, ...], z: FloatArray, weight: FloatArray) -> FloatArray:
    """(colors, 2) chroma of each colour: its own cells' where there are some, pulled to the usual direction where few."""
    units, spreads = (np.stack(part).astype(np.float32) for part in zip(*map(direction, colors), strict=True))
    flat = z.reshape(2, -1)
    length = np.hypot(flat[0], flat[1])
    w = weight.reshape(len(colors), -1) * np.clip(length / np.float32(0.3), np.float32(0.05), 1)
    off = np.arctan2(units[:, :1] * flat[1] - units[:, 1:] * flat[0], units @ flat)
    angle = (w * off).sum(1) / (w.sum(1) + 2 * (np.float32(np.radians(3)) / spreads) ** 2)
    order = np.argsort(length)
    total = np.cumsum(w[:, order], axis=1)
    middle = (total < 0.6 * total[:, -1:]).sum(1).clip(0, len(length) - 1)
    far = np.where(total[:, -1] > 0.5, length[order][middle], np.float32(USUAL_PURITY))
    turned = np.cos(angle)[:, None] * units + np.sin(angle)[:, None] * np.stack([-units[:, 1], units[:, 0]], 1)
    return np.asarray(np.maximum(far, np.float32(0.15))[:, None] * turned, np.float32)
