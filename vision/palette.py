"""The colours of one picture: the light over the board and where each piece colour lies, fitted to that picture.

Chroma is measured against the empty board: channels divided by the board's own colour at that place, then by their
sum. In that plane the board is the origin whatever the light, glare pulls a piece straight towards the origin, and the
direction of a piece colour hardly changes between rooms, sets and cameras (measured on photographs of four boards and
24 renders: within 3 to 20 degrees) where saturation and lightness change by factors.
"""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True)
class PaletteSettings:
    """Thresholds of the colour model.

    Attributes:
        core_inset: samples nearer than this to a cell's border (cells) do not describe the cell: poses err by 0.15.
        dark_floor: linear light added to every channel, so that sensor noise in the dark does not make colours.
        empty_sd: spread of the empty board's chroma about the fitted light (plane units), texture and noise included.
        cross_sd: spread of a piece colour across its own direction (plane units).
        hue_sd: spread of its direction within one picture (radians), which acts on saturated samples most.
        light_degrees: polynomial degrees of the light over the board, fitted one after the other.
        light_prior: weight of the flat light in units of cells, which keeps the surface calm where pieces cover the board.
    """

    core_inset: float = 0.2
    dark_floor: float = 0.002
    empty_sd: float = 0.025
    cross_sd: float = 0.025
    hue_sd: float = 0.05
    light_degrees: tuple[int, ...] = (0, 0, 1, 2, 3)
    light_prior: float = 4.0


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
    blue = (linear_bgr[..., 0] + dark_floor) * np.exp(-light[..., 0])
    green = linear_bgr[..., 1] + dark_floor
    red = (linear_bgr[..., 2] + dark_floor) * np.exp(-light[..., 1])
    total = blue + green + red
    return np.stack([(2 * blue - green - red) / (np.float32(6**0.5) * total), (red - green) / (np.float32(2**0.5) * total)], -1)


def log_ratios(linear_bgr: FloatArray, dark_floor: float) -> FloatArray:
    """(..., 2) natural logarithms of blue/green and red/green."""
    logs = np.log(linear_bgr + dark_floor)
    return np.asarray(np.stack([logs[..., 0] - logs[..., 1], logs[..., 2] - logs[..., 1]], -1))


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
    """

    colors: tuple[str, ...]
    means: FloatArray
    light: Light
    settings: PaletteSettings

    @property
    def labels(self) -> tuple[str, ...]:
        """``empty``, the colours, ``unknown``: the order of `log_density`."""
        return (EMPTY, *self.colors, UNKNOWN)

    def log_density(self, z: FloatArray) -> FloatArray:
        """(..., labels) natural logarithm of the density of chroma ``z`` (..., 2) under each label."""
        s = self.settings
        r2 = (z**2).sum(-1)
        empty = 0.93 * _student(r2 / s.empty_sd**2) / s.empty_sd**2 + 0.07 * _student(r2 / (3 * s.empty_sd) ** 2) / (3 * s.empty_sd) ** 2
        out = [np.log(empty + 1e-4)]
        for mean in self.means:
            length = float(np.hypot(*mean))
            along = z @ (mean / length)
            across = z @ np.array([-mean[1], mean[0]], np.float32) / length
            sd2 = s.cross_sd**2 + (s.hue_sd * along) ** 2
            side = (1 + across**2 / sd2 / 4) ** -2.5 * 0.375 * 2 / np.sqrt(sd2) / 2
            t = along / length
            pure = np.exp(-0.5 * ((t - 1) / 0.2) ** 2) / (0.2 * 2.507 * length)
            pale = ((t > 0.0) & (t < 1.6)) / (1.6 * length)
            out.append(np.log(side * (0.7 * pure + 0.3 * pale) + 1e-4))
        out.append(np.full(r2.shape, np.log(0.6), np.float32))
        return np.stack(out, -1).astype(np.float32)


def _student(m2: FloatArray) -> FloatArray:
    """Density in the plane of a round Student t with 4 degrees of freedom and unit scale, by squared distance."""
    return np.asarray((1 + m2 / 4) ** -3 / (2 * np.pi))


def cell_log_ratios(samples: BoardSamples, settings: PaletteSettings) -> tuple[FloatArray, NDArray[np.bool_]]:
    """(size, size, 2) medians of the log ratios over each cell's core at the tops' plane, and which cells have enough samples."""
    ratios = samples.by_cell(log_ratios(samples.linear_bgr, settings.dark_floor))
    usable = samples.by_cell(((samples.top_inset > settings.core_inset) & ~samples.clipped & samples.inside).astype(np.float32)) > 0
    count = usable.sum(-1)
    ordered = np.sort(np.where(usable[..., None], ratios, np.inf), axis=2)
    middle = np.take_along_axis(ordered, np.maximum(count // 2, 0)[..., None, None].clip(0, ordered.shape[2] - 1), 2)[:, :, 0]
    enough = count >= 6
    return np.where(enough[..., None], middle, 0).astype(np.float32), enough


def fit_palette(samples: BoardSamples, colors: tuple[str, ...], settings: PaletteSettings | None = None) -> tuple[Palette, FloatArray]:
    """The palette of a picture, and the (size, size, labels) label probabilities of its cells by their medians alone."""
    s = settings or PaletteSettings()
    ratios, enough = cell_log_ratios(samples, s)
    n = samples.size
    axis = ((np.arange(n) + 0.5) / n * 2 - 1).astype(np.float32)
    x, y = np.meshgrid(axis, axis)
    flat, good = ratios.reshape(-1, 2), enough.reshape(-1)
    start = _likeliest_white(flat[good], colors, s)
    palette = Palette(colors, _usual_means(colors), Light(0, start[None]), s)
    for degree in s.light_degrees:
        z = _ratio_chroma(flat - palette.light.at(x, y).reshape(-1, 2))
        q = _responsibilities(palette, z, good)
        light = _fit_light(x.reshape(-1), y.reshape(-1), flat, q[:, 0] * good, degree, s)
        z = _ratio_chroma(flat - light.at(x, y).reshape(-1, 2))
        palette = Palette(colors, _fit_means(colors, z, q[:, 1:-1] * good[:, None]), light, s)
    q = _responsibilities(palette, z, good)
    return palette, q.reshape(n, n, -1).astype(np.float32)


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
    keys, inverse, counts = np.unique(np.round(ratios / 0.12).astype(int), axis=0, return_inverse=True, return_counts=True)
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
