"""The colours of one picture, fitted to that picture: the empty board's light and where each piece colour lies.

The direction of a piece colour in the chroma plane of `vision.light` hardly changes between rooms, sets and cameras
(measured on photographs of four boards and on 24 renders: within 3 to 20 degrees), where saturation and lightness
change by factors. So directions find the colours, and everything else is taken from the picture itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.hands import skin_density
from vision.light import WARM_RATIOS, Light, empty_level, fit_light, flat_light, log_level, log_ratios, ratio_chroma
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

RIVAL = 0.6
"""Log likelihood a cell within which another start is tried: the right one was never more than 0.25 behind."""

STARTS = 3
"""Colours of the board from which the fit is started: more make no difference on the pictures tried."""

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


def direction(color: str) -> tuple[FloatArray, float]:
    """Unit vector (2,) of a colour's usual direction in the chroma plane, and its spread in radians."""
    angle, spread = HUE_DEG[color]
    return np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))], np.float32), float(np.radians(spread))


def cell_axis(size: int) -> FloatArray:
    """(size,) places of the cells' middles, -1 to 1 across the board."""
    return ((np.arange(size) + 0.5) / size * 2 - 1).astype(np.float32)


def cell_medians(samples: BoardSamples) -> CellMedians:
    """Medians of what the cells' cores show."""
    values = np.concatenate([log_ratios(samples.linear_bgr), log_level(samples.linear_bgr)[None]])
    core = (samples.rows.top_share[:, None] * samples.cols.top_share > CORE_SHARE) & samples.inside
    told = samples.by_cell((core & ~samples.blown)[None].astype(np.float32))[0].sum(-1)
    few = (told < 6).astype(np.float32)
    colored = core & (~samples.blown | (samples.spread(few) > 0.5))  # a cell blown all over is white, for all that is known
    by_cell = samples.by_cell(np.where(np.stack([colored, colored, core]), values, np.inf))
    by_cell.sort(axis=-1)
    count = np.isfinite(by_cell).sum(-1)
    middle = np.take_along_axis(by_cell, (count // 2).clip(0, by_cell.shape[-1] - 1)[..., None], -1)[..., 0]
    middle = np.where(np.isfinite(middle), middle, 0)
    return CellMedians(middle[:2], middle[2], count[0] >= 6)


def fit_palette(medians: CellMedians, colors: tuple[str, ...]) -> tuple[Palette, FloatArray]:
    """The palette of a picture, and the (size, size, labels) probabilities of its cells by their medians alone."""
    usual = np.stack([USUAL_PURITY * direction(c)[0] for c in colors])
    fits = []
    for white in _likely_whites(medians.ratios[:, medians.enough], colors):
        palette = Palette(colors, usual, flat_light(white))
        q, _ = _responsibilities(palette, medians, medians.level, two_lights=True)
        fits.append(_refined(palette, q, medians, LIGHT_DEGREES[0]))
    palette, q, _ = max(fits, key=lambda fit: fit[2])
    palette, q, _ = _refined(palette, q, medians, LIGHT_DEGREES[1])
    return palette, q


def _refined(palette: Palette, q: FloatArray, medians: CellMedians, degrees: tuple[int, ...]) -> tuple[Palette, FloatArray, float]:
    """The palette and the labels' probabilities after fitting lights of these degrees, and how well the cells fit (log likelihood)."""
    axis, fit = cell_axis(medians.level.shape[0]), 0.0
    for degree in degrees:
        light = fit_light(axis, medians.ratios, medians.level, q[0] * medians.enough, degree)
        here = empty_level(medians.level, q[0])[0]
        palette = Palette(palette.colors, palette.means, light)
        means = _fit_means(palette.colors, cell_chroma(palette, medians, here), q[1:-1] * medians.enough)
        palette = Palette(palette.colors, means, light)
        q, fit = _responsibilities(palette, medians, here, two_lights=False)
    return palette, q, fit + 0.1 * medians.enough.sum() * _white_prior(palette.light.middle)


def cell_chroma(palette: Palette, medians: CellMedians, level: FloatArray) -> FloatArray:
    """(2, size, size) chroma of the cells' medians against an empty board of log brightness ``level`` (size, size)."""
    place = palette.light.at(cell_axis(level.shape[0]))
    return ratio_chroma(medians.ratios - palette.light.under(place, level))


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


def _median_density(means: FloatArray, z: FloatArray) -> FloatArray:
    """(labels, ...) density of a cell's median chroma (2, ...) under empty, each colour, unknown."""
    out: list[NDArray[np.floating]] = [np.zeros(z.shape[1:])]
    for mean in means:
        length = float(np.hypot(*mean))
        along = (mean[0] * z[0] + mean[1] * z[1]) / length
        across = (mean[0] * z[1] - mean[1] * z[0]) / length
        side_sd2 = 0.025**2 + (0.05 * along) ** 2
        side = (1 + across**2 / side_sd2 / 4) ** -2.5 * 0.375 / np.sqrt(side_sd2)
        pure = np.exp(-0.5 * ((along / length - 1) / 0.2) ** 2) / (0.5 * length)
        out.append(side * (0.6 * pure + 0.4 * (along > 0.1 * length) / 0.85))
    out.append(0.3 + 0.5 * skin_density(z))
    return np.stack(out).astype(np.float32) + np.float32(1e-4)


def _empty_density(z: FloatArray, warm_sd: float) -> FloatArray:
    """(...) density of an empty cell's median chroma (2, ...), whose spread along `WARM_AXIS` is given."""
    warm, tint = WARM_AXIS[0] * z[0] + WARM_AXIS[1] * z[1], WARM_AXIS[0] * z[1] - WARM_AXIS[1] * z[0]
    m2 = (warm / warm_sd) ** 2 + (tint / 0.025) ** 2
    density = 0.93 * (1 + m2 / 4) ** -3 + 0.07 / 9 * (1 + m2 / 36) ** -3
    return np.asarray(density / (2 * np.pi * 0.025 * warm_sd) + 1e-4, np.float32)


def _likely_whites(ratios: FloatArray, colors: tuple[str, ...]) -> list[FloatArray]:
    """Log ratios (2,) the board may have: of the modes of the cells' colours (2, k) those that make the others known colours best."""
    if not ratios.shape[1]:
        return [np.zeros(2, np.float32)]
    _, inverse, counts = np.unique(np.round(ratios / 0.12).astype(int), axis=1, return_inverse=True, return_counts=True)
    scored: list[tuple[float, FloatArray]] = []
    for mode in np.argsort(-counts)[:MODES]:
        white = np.median(ratios[:, inverse == mode], axis=1).astype(np.float32)
        scored.append((_white_score(ratios - white[:, None], colors) + 0.1 * ratios.shape[1] * _white_prior(white), white))
    found: list[FloatArray] = []
    least = max(score for score, _ in scored) - RIVAL * ratios.shape[1]
    for score, white in sorted(scored, key=lambda one: -one[0]):
        if score > least and len(found) < STARTS and all(np.abs(white - other).max() > 0.15 for other in found):
            found.append(white)
    return found


def _white_prior(white: FloatArray) -> float:
    """Log density of a board's log ratios: no board is bright green or blue, but lamps that the camera lets be warm it far."""
    warm, tint = float(WARM_RATIOS @ white), float(WARM_RATIOS[1] * white[0] - WARM_RATIOS[0] * white[1])
    return -0.5 * ((warm / (0.9 if warm > 0 else 0.4)) ** 2 + (tint / 0.3) ** 2)


def _white_score(ratios: FloatArray, colors: tuple[str, ...]) -> float:
    """Log likelihood of the cells' colours (2, k) relative to a supposed board: on it, or in the directions of the colours."""
    z = ratio_chroma(ratios)
    r = np.hypot(z[0], z[1])
    density = 0.3 / (2 * np.pi * 0.04**2) * (1 + (r / 0.04) ** 2 / 4) ** -3
    coloured = ((r > 0.12) & (r < 0.85)) / (0.73 * np.maximum(r, 0.1))
    for color in colors:
        unit, spread = direction(color)
        angle = np.arccos(np.clip((unit @ z) / np.maximum(r, 1e-6), -1, 1)) / (1.5 * spread)
        density += 0.7 / len(colors) * np.exp(-0.5 * angle**2) / (1.5 * spread * 2.5) * coloured
    return float(np.log(density + 0.02).sum())


def _fit_means(colors: tuple[str, ...], z: FloatArray, weight: FloatArray) -> FloatArray:
    """(colors, 2) chroma of each colour: its own cells' where there are some, pulled to the usual direction where few."""
    out = []
    length = np.hypot(z[0], z[1]).ravel()
    order = np.argsort(length)
    for color, share in zip(colors, weight, strict=True):
        unit, spread = direction(color)
        w = share.ravel() * np.clip(length / 0.3, 0.05, 1)
        off = np.arctan2(unit[0] * z[1] - unit[1] * z[0], unit[0] * z[0] + unit[1] * z[1]).ravel()
        angle = float((w * off).sum() / (w.sum() + 2 * (np.radians(3) / spread) ** 2))
        total = np.cumsum(w[order])
        far = float(length[order][np.searchsorted(total, 0.6 * total[-1])]) if total[-1] > 0.5 else USUAL_PURITY
        out.append(max(far, 0.15) * (np.cos(angle) * unit + np.sin(angle) * np.array([-unit[1], unit[0]])))
    return np.stack(out).astype(np.float32)
