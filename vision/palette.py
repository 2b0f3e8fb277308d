"""The colours of one picture: the light over the board and where each piece colour lies, fitted to that picture.

Chroma is measured against the empty board: channels divided by the board's own colour at that place, then by their
sum. In that plane the board is the origin whatever the light, glare pulls a piece straight towards the origin, and the
direction of a piece colour hardly changes between rooms, sets and cameras (measured on photographs of four boards and
24 renders: within 3 to 20 degrees) where saturation and lightness change by factors.

Glare adds light: a piece at half its purity must be twice as bright. So purity times brightness tells a blown piece
from a pale board, whatever both look like alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.observation import EMPTY, UNKNOWN
from vision.sampling import BoardSamples

FloatArray = NDArray[np.float32]

HUE_DEG: dict[str, tuple[float, float]] = {
    "blue": (-5, 6),
    "purple": (30, 20),
    "red": (119, 6),
    "orange": (130, 9),
    "yellow": (157, 10),
    "green": (-98, 18),
}
"""Direction in the chroma plane and its spread between sets, in degrees (see the module's text)."""

WARM_AXIS = (-0.966, 0.259)
"""Direction in the chroma plane from daylight to lamp light: the colours of glare lie along it."""


@dataclass(frozen=True)
class PaletteSettings:
    """Thresholds of the colour model.

    Attributes:
        core_share: samples whose cell is less sure than this (0 to 1, from the pose's error) do not describe the cell.
        dark_floor: linear light added to every channel, so that sensor noise in the dark does not make colours.
        empty_sd: spread of the empty board's chroma about the fitted light (plane units), texture and noise included.
        cross_sd: spread of a piece colour across its own direction (plane units).
        hue_sd: spread of its direction within one picture (radians), which acts on saturated samples most.
        blown_share: share of a piece's bright samples that glare has made white altogether.
        glare_tint: spread of the colour of glare about the empty board's (plane units).
        glare_warmth: the same along `WARM_AXIS`.
        light_degrees: polynomial degrees of the light over the board, fitted one after the other.
        light_prior: weight of the flat light in units of cells, which keeps the surface calm where pieces cover the board.
        level_reach: distance in cells over which empty cells tell their neighbours' brightness.
        level_sd: least spread of the empty board's log brightness about its neighbourhood.
    """

    core_share: float = 0.9
    dark_floor: float = 0.002
    empty_sd: float = 0.025
    cross_sd: float = 0.025
    hue_sd: float = 0.05
    blown_share: float = 0.1
    glare_tint: float = 0.035
    glare_warmth: float = 0.12
    light_degrees: tuple[int, ...] = (0, 0, 1, 2, 3)
    light_prior: float = 4.0
    level_reach: float = 1.5
    level_sd: float = 0.12


def direction(color: str) -> tuple[FloatArray, float]:
    """Unit vector (2,) of a colour's usual direction in the chroma plane, and its spread in radians."""
    angle, spread = HUE_DEG[color]
    return np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))], np.float32), float(np.radians(spread))


def chroma(linear_bgr: FloatArray, light: FloatArray, dark_floor: float) -> FloatArray:
    """(..., 2) chroma against the board.

    Args:
        linear_bgr: (..., 3) linear light.
        light: (..., 2) natural logarithms of blue/green and red/green of the empty board there.
        dark_floor: see `PaletteSettings`.
    """
    gain = np.exp(-light)
    blue = (linear_bgr[..., 0] + dark_floor) * gain[..., 0]
    green = linear_bgr[..., 1] + dark_floor
    red = (linear_bgr[..., 2] + dark_floor) * gain[..., 1]
    total = blue + green + red
    return np.stack([(2 * blue - green - red) / (np.float32(6**0.5) * total), (red - green) / (np.float32(2**0.5) * total)], -1)


def log_ratios(linear_bgr: FloatArray, dark_floor: float) -> FloatArray:
    """(..., 2) natural logarithms of blue/green and red/green."""
    logs = np.log(linear_bgr + dark_floor)
    return np.asarray(np.stack([logs[..., 0] - logs[..., 1], logs[..., 2] - logs[..., 1]], -1))


def log_level(linear_bgr: FloatArray, dark_floor: float) -> FloatArray:
    """(...) natural logarithm of the mean of the channels."""
    return np.asarray(np.log(linear_bgr.mean(-1) + dark_floor))


def _basis(x: FloatArray, y: FloatArray, degree: int) -> FloatArray:
    """(..., terms) monomials of x and y up to a degree."""
    return np.stack([x**i * y**j for i in range(degree + 1) for j in range(degree + 1 - i)], -1)


@dataclass(frozen=True)
class Light:
    """Colour of the empty board over the board: polynomials of the place.

    Attributes:
        degree: of the polynomials.
        weights: (terms, 2) for ln blue/green and ln red/green.
    """

    degree: int
    weights: FloatArray

    def at(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """(..., 2) log ratios at places -1 to 1 across the board."""
        return np.asarray(_basis(x, y, self.degree) @ self.weights, np.float32)


@dataclass(frozen=True)
class Palette:
    """Fitted colours of one picture.

    Attributes:
        colors: names, in the order of ``means``.
        means: (colors, 2) chroma of the full colours.
        light: colour of the empty board.
        settings: thresholds used.
        levels: (colors,) log brightness of the full colours against the empty board; NaN where not known.
    """

    colors: tuple[str, ...]
    means: FloatArray
    light: Light
    settings: PaletteSettings
    levels: FloatArray

    @property
    def labels(self) -> tuple[str, ...]:
        """``empty``, the colours, ``unknown``: the order of `log_density`."""
        return (EMPTY, *self.colors, UNKNOWN)

    def log_density(
        self,
        z: FloatArray,
        level: FloatArray | None = None,
        level_sd: FloatArray | None = None,
        ceiling: NDArray[np.bool_] | None = None,
    ) -> FloatArray:
        """(..., labels) natural logarithm of the density under each label.

        Args:
            z: (..., 2) chroma.
            level: (...,) log brightness against the empty board there; without it chroma alone is judged.
            level_sd: (...,) spread of the empty board's own log brightness there.
            ceiling: (...,) bool, as bright as the picture can show: the true brightness may be higher.
        """
        s = self.settings
        r2 = (z**2).sum(-1)
        empty = 0.93 * _student(r2 / s.empty_sd**2) / s.empty_sd**2 + 0.07 * _student(r2 / (3 * s.empty_sd) ** 2) / (3 * s.empty_sd) ** 2
        if level is not None and level_sd is not None:
            empty = empty * _empty_level_density(level, level_sd)
        floor = 1e-4
        white = _student(r2 / (2 * s.empty_sd) ** 2) / (2 * s.empty_sd) ** 2
        out = [np.log(empty + floor)]
        for mean, usual in zip(self.means, self.levels, strict=True):
            length = float(np.hypot(*mean))
            along = z @ (mean / length)
            glare2 = s.glare_tint**2 + (s.glare_warmth * float(WARM_AXIS[1] * mean[0] - WARM_AXIS[0] * mean[1]) / length) ** 2
            across = z @ np.array([-mean[1], mean[0]], np.float32) / length
            t = along / length
            sd2 = s.cross_sd**2 + (s.hue_sd * along) ** 2 + glare2 * np.clip(1 - t, 0, 1) ** 2
            side = (1 + across**2 / sd2 / 4) ** -2.5 * 0.375 / np.sqrt(sd2)
            pure = np.exp(-0.5 * ((t - 1) / 0.2) ** 2) / (0.2 * 2.507 * length)
            any_purity = (t > -0.05) / 0.85
            density = side * (0.6 * pure + 0.4 * any_purity)
            if level is not None and ceiling is not None:
                density = density * _piece_level_density(level, t, float(usual), ceiling)
                density = density + np.where(ceiling, s.blown_share * 0.5 * white, 0)
            out.append(np.log(density + floor))
        out.append(np.full(r2.shape, np.log(0.6 if level is None else 0.2), np.float32))
        return np.stack(out, -1).astype(np.float32)


def _student(m2: FloatArray) -> FloatArray:
    """Density in the plane of a round Student t with 4 degrees of freedom and unit scale, by squared distance."""
    return np.asarray((1 + m2 / 4) ** -3 / (2 * np.pi))


def _empty_level_density(level: FloatArray, sd: FloatArray) -> FloatArray:
    """Density of an empty cell's log brightness: near its neighbourhood's, or darker (shade of a piece), seldom brighter (glint)."""
    main = (1 + (level / sd) ** 2 / 4) ** -2.5 * 0.375 / sd
    shade = np.where(level < 0, np.exp(level / 0.7) / 0.7, 0)
    glint = np.where(level > 0, np.exp(-level / 0.5) / 0.5, 0)
    return np.asarray(0.8 * main + 0.15 * shade + 0.05 * glint)


def _piece_level_density(level: FloatArray, purity: FloatArray, usual: float, ceiling: NDArray[np.bool_]) -> FloatArray:
    """Density of a piece's log brightness: glare that halves its purity doubles its brightness."""
    if np.isnan(usual):
        return np.full(level.shape, 0.25, np.float32)
    off = level - usual + np.log(np.clip(purity, 0.04, 1.3))
    off = np.where(off < 0, np.where(ceiling, 0, off / 0.8), off / 0.45)
    return np.asarray((1 + off**2 / 4) ** -2.5 * 0.375 / 0.62 * 0.9 + 0.1 * 0.15)


def cell_medians(samples: BoardSamples, settings: PaletteSettings) -> tuple[FloatArray, NDArray[np.bool_]]:
    """(size, size, 3) medians over each cell's core at the tops' plane of the log ratios and the log brightness; which have enough samples."""
    values = np.concatenate(
        [log_ratios(samples.linear_bgr, settings.dark_floor), log_level(samples.linear_bgr, settings.dark_floor)[..., None]], -1
    )
    share = samples.rows.top_share[:, None] * samples.cols.top_share
    core = (share > settings.core_share) & samples.inside
    usable = np.stack([core & ~samples.blown] * 2 + [core], -1)
    by_cell = samples.by_cell(np.where(usable, values, np.inf))
    count = np.isfinite(by_cell).sum(2)
    ordered = np.sort(by_cell, axis=2)
    middle = np.take_along_axis(ordered, (count // 2).clip(0, ordered.shape[2] - 1)[:, :, None], 2)[:, :, 0]
    enough = count[..., 0] >= 6
    return np.where(np.isfinite(middle), middle, 0).astype(np.float32), enough


def fit_palette(samples: BoardSamples, colors: tuple[str, ...], settings: PaletteSettings | None = None) -> tuple[Palette, FloatArray, FloatArray]:
    """The palette of a picture.

    Returns:
        the palette; the (size, size, labels) label probabilities of its cells by their medians alone; the (size, size, 3) medians.
    """
    s = settings or PaletteSettings()
    medians, enough = cell_medians(samples, s)
    n = samples.size
    axis = ((np.arange(n) + 0.5) / n * 2 - 1).astype(np.float32)
    x, y = np.meshgrid(axis, axis)
    flat, good = medians[..., :2].reshape(-1, 2), enough.reshape(-1)
    start = _likeliest_white(flat[good], colors, s)
    unknown = np.full(len(colors), np.nan, np.float32)
    palette = Palette(colors, _usual_means(colors), Light(0, start[None]), s, unknown)
    for degree in s.light_degrees:
        z = _ratio_chroma(flat - palette.light.at(x, y).reshape(-1, 2))
        q = _responsibilities(palette, z, good)
        light = _fit_light(x.reshape(-1), y.reshape(-1), flat, q[:, 0] * good, degree, s)
        z = _ratio_chroma(flat - light.at(x, y).reshape(-1, 2))
        palette = Palette(colors, _fit_means(colors, z, q[:, 1:-1] * good[:, None]), light, s, unknown)
    q = _responsibilities(palette, z, good).reshape(n, n, -1).astype(np.float32)
    return palette, q, medians


def empty_level(medians: FloatArray, empty: FloatArray, s: PaletteSettings) -> tuple[FloatArray, FloatArray]:
    """(size, size) log brightness of the empty board at every cell, and its spread, from the cells that are probably empty.

    Args:
        medians: (size, size, 3) of `cell_medians`.
        empty: (size, size) probability of being empty.
        s: thresholds.
    """
    level = medians[..., 2]
    near = _smooth(empty, s.level_reach) + 0.02 * _smooth(empty, 5 * s.level_reach) + 1e-6 * empty.mean() + 1e-9
    mean = (_smooth(empty * level, s.level_reach) + 0.02 * _smooth(empty * level, 5 * s.level_reach) + 1e-6 * (empty * level).mean()) / near
    off2 = np.minimum((level - mean) ** 2, 1.0)
    spread = (_smooth(empty * off2, s.level_reach) + 0.02 * _smooth(empty * off2, 5 * s.level_reach)) / near
    return mean.astype(np.float32), np.sqrt(spread + s.level_sd**2 + 0.02 / (near + 0.05) * 0.05).astype(np.float32)


def _smooth(values: FloatArray, reach: float) -> FloatArray:
    return np.asarray(cv2.GaussianBlur(values, (0, 0), reach, borderType=cv2.BORDER_REFLECT))


def with_levels(palette: Palette, z: FloatArray, level: FloatArray, q: FloatArray) -> Palette:
    """The palette with each colour's brightness, from the cells' medians.

    Args:
        palette: fitted.
        z: (size, size, 2) chroma of the cells.
        level: (size, size) their log brightness against the empty board there.
        q: (size, size, labels) their label probabilities.
    """
    levels = []
    for k, mean in enumerate(palette.means):
        purity = np.clip(z @ mean / (mean @ mean), 0.04, 1.3)
        values, weight = (level + np.log(purity)).ravel(), (q[..., k + 1] * np.clip(purity, 0, 1)).ravel()
        order = np.argsort(values)
        total = np.cumsum(weight[order])
        levels.append(values[order][np.searchsorted(total, total[-1] / 2)] if total[-1] > 1 else np.nan)
    return replace(palette, levels=np.array(levels, np.float32))


def cell_chroma(palette: Palette, medians: FloatArray) -> FloatArray:
    """(size, size, 2) chroma of the cells' medians against the fitted light."""
    n = medians.shape[0]
    axis = ((np.arange(n) + 0.5) / n * 2 - 1).astype(np.float32)
    x, y = np.meshgrid(axis, axis)
    return _ratio_chroma(medians[..., :2] - palette.light.at(x, y))


def _ratio_chroma(ratios: FloatArray) -> FloatArray:
    """Chroma of log ratios already relative to the board's."""
    return chroma(np.exp(np.stack([ratios[..., 0], np.zeros_like(ratios[..., 0]), ratios[..., 1]], -1)), np.zeros(2, np.float32), 0.0)


def _usual_means(colors: tuple[str, ...]) -> FloatArray:
    return np.stack([0.55 * direction(c)[0] for c in colors])


def _responsibilities(palette: Palette, z: FloatArray, good: NDArray[np.bool_]) -> FloatArray:
    """(cells, labels) posterior of single chroma values, with the label shares of this picture."""
    logs = palette.log_density(z)
    share = np.full(logs.shape[1], 1 / logs.shape[1])
    for _ in range(4):
        q = np.exp(logs - logs.max(1, keepdims=True)) * share
        q /= q.sum(1, keepdims=True)
        share = (q[good].sum(0) + 2) / (good.sum() + 2 * len(share))
    q[~good] = share
    return q


def _likeliest_white(ratios: FloatArray, colors: tuple[str, ...], s: PaletteSettings) -> FloatArray:
    """(2,) log ratios of the board: of the modes of the cells' colours the one that makes the others known colours best."""
    if not len(ratios):
        return np.zeros(2, np.float32)
    _, inverse, counts = np.unique(np.round(ratios / 0.12).astype(int), axis=0, return_inverse=True, return_counts=True)
    best: tuple[float, FloatArray] | None = None
    for mode in np.argsort(-counts)[:12]:
        white = np.median(ratios[inverse == mode], axis=0)
        z = _ratio_chroma(ratios - white)
        r = np.hypot(z[:, 0], z[:, 1])
        density = 0.3 * _student(r**2 / 0.04**2) / 0.04**2
        for color in colors:
            unit, spread = direction(color)
            cosine = np.clip(z @ unit / np.maximum(r, 1e-6), -1, 1)
            angle = np.exp(-0.5 * (np.arccos(cosine) / (spread * 1.5)) ** 2) / (spread * 1.5 * 2.5)
            density += 0.7 / len(colors) * angle / np.maximum(r, 0.1) * ((r > 0.12) & (r < 0.85)) / 0.7
        score = float(np.log(density + 0.02).sum() - 0.5 * (white**2).sum() / 0.35**2)
        if best is None or score > best[0]:
            best = score, white
    assert best is not None
    return best[1].astype(np.float32)


def _fit_light(x: FloatArray, y: FloatArray, ratios: FloatArray, weight: FloatArray, degree: int, s: PaletteSettings) -> Light:
    """Weighted least squares of the log ratios of empty cells, robust by two reweightings, calm where unseen."""
    basis = _basis(x, y, degree)
    penalty = np.diag([0.0 if k == 0 else s.light_prior for k in range(basis.shape[1])])
    w = weight.astype(np.float64) + 1e-9
    for _ in range(3):
        solved = np.linalg.solve(basis.T @ (basis * w[:, None]) + penalty, basis.T @ (ratios * w[:, None]))
        off = np.hypot(*(ratios - basis @ solved).T)
        scale = max(0.03, float(np.sqrt((w * off**2).sum() / w.sum())))
        w = weight / (1 + (off / (2 * scale)) ** 2) + 1e-9
    return Light(degree, solved.astype(np.float32))


def _fit_means(colors: tuple[str, ...], z: FloatArray, weight: FloatArray) -> FloatArray:
    """(colors, 2) chroma of each colour: its own cells' where there are some, pulled to the usual direction where few."""
    out = []
    for k, color in enumerate(colors):
        unit, spread = direction(color)
        w, length = weight[:, k], np.hypot(z[:, 0], z[:, 1])
        w = w * np.clip(length / 0.3, 0.05, 1)
        normal = np.array([-unit[1], unit[0]])
        off = np.arctan2(z @ normal, z @ unit)
        prior = 2 * (np.radians(3) / spread) ** 2
        angle = float((w * off).sum() / (w.sum() + prior))
        order = np.argsort(length)
        total = np.cumsum(w[order])
        far = float(length[order][np.searchsorted(total, 0.6 * total[-1])]) if total[-1] > 0.5 else 0.55
        out.append(max(far, 0.15) * (np.cos(angle) * unit + np.sin(angle) * normal))
    return np.stack(out).astype(np.float32)
