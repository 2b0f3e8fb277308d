"""The light over the board: what the empty board looks like at every cell, and colours measured against it.

Chroma is measured against the empty board: channels divided by the board's own colour at that place, then by their
sum. In that plane the board is the origin whatever the light, and glare pulls a piece straight towards the origin.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]

DARK_FLOOR = np.float32(0.002)
"""Linear light added to every channel, so that sensor noise in the dark does not make colours."""

LIGHT_PRIOR = 4.0
"""Weight of the flat light in units of cells, which keeps the surface calm where pieces cover the board."""

LEVEL_REACH_CELLS = 1.5
"""Distance over which empty cells tell their neighbours' brightness: shadows of hands and windows are this wide."""

LEVEL_SD = 0.06
"""Least spread of the empty board's log brightness about its neighbourhood: grooves and bevels."""

_FAR_WEIGHT = 0.01
"""Share of the whole board: it speaks only where no empty cell is near."""


SLOPE_PRIOR = 10.0
"""Weight of "colour does not change with brightness", in units of cells times the squared log brightness."""


MOST_SLOPE = 0.25
"""Greatest change of colour for each unit of log brightness: sun over sky changes it by 0.15; a piece is no board in the shade."""

WARM_RATIOS = np.array([-0.87, 0.49], np.float32)
"""Direction of lamp light and sun against the sky in the plane of ln blue/green and ln red/green."""


@dataclass(frozen=True)
class Light:
    """Colour of the empty board over the board: polynomials of the place, and a slope over its brightness.

    The slope stands for two lights with a hard edge between them: the sun is warmer and brighter than the sky in its shade.

    Attributes:
        degree: of the polynomials.
        weights: (terms, 2) for ln blue/green and ln red/green.
        slope: (2,) change of both for each unit of log brightness.
        levels: least and most log brightness of the empty board, between which the slope holds.
    """

    degree: int
    weights: FloatArray
    slope: FloatArray
    levels: tuple[float, float]

    def at(self, rows: FloatArray, cols: FloatArray) -> FloatArray:
        """(2, r, c) log ratios on the lattice of places ``rows`` (r,) and ``cols`` (c,), -1 to 1 across the board."""
        return self._over(_powers(rows, self.degree), _powers(cols, self.degree))

    def at_cells(self, size: int) -> FloatArray:
        """(2, size, size) the same at the middles of the cells."""
        powers = _cell_powers(size, self.degree)
        return self._over(powers, powers)

    def _over(self, rows: FloatArray, cols: FloatArray) -> FloatArray:
        """(2, r, c) log ratios on a lattice of places, by their powers (degree + 1, r) and (degree + 1, c)."""
        out = np.zeros((2, self.degree + 1, self.degree + 1), np.float32)
        col, row = _exponent_arrays(self.degree)
        out[:, row, col] = self.weights.T
        return np.asarray(rows.T @ (out @ cols))

    def changed(self, ratios: FloatArray, level: float) -> Light:
        """The light after a change that is the same everywhere: of the log ratios (2,), and of the log brightness."""
        weights = self.weights.copy()
        weights[0] += ratios
        return replace(self, weights=weights, levels=(self.levels[0] + level, self.levels[1] + level))

    @property
    def middle(self) -> FloatArray:
        """(2,) log ratios in the middle of the board, where it is brightest."""
        return np.asarray(self.weights[0])

    def under(self, place: FloatArray, level: FloatArray) -> FloatArray:
        """(2, ...) log ratios where the empty board has the log brightness ``level`` (...), from those of `at` (2, ...)."""
        return place + self.slope.reshape(2, *[1] * level.ndim) * (np.clip(level, *self.levels) - np.float32(self.levels[1]))


@cache
def _exponents(degree: int) -> tuple[tuple[int, int], ...]:
    return tuple((i, j) for i in range(degree + 1) for j in range(degree + 1 - i))


@cache
def _exponent_arrays(degree: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Exponents of the terms along columns and along rows."""
    cols, rows = np.array(_exponents(degree)).T
    return cols, rows


@cache
def _cell_powers(size: int, degree: int) -> FloatArray:
    """(degree + 1, size) powers of the places of the cells' middles."""
    return _powers(cell_axis(size), degree)


def _powers(axis: FloatArray, degree: int) -> FloatArray:
    """(degree + 1, n) powers of places (n,)."""
    out = np.ones((degree + 1, len(axis)), np.float32)
    for k in range(degree):
        np.multiply(out[k], axis, out=out[k + 1])
    return out


@cache
def _terms(size: int, degree: int) -> NDArray[np.float64]:
    """(size * size, terms) the polynomials' terms at the middles of the cells."""
    x, y = (values.ravel().astype(np.float64) for values in np.meshgrid(*[cell_axis(size)] * 2))
    return np.stack([x**i * y**j for i, j in _exponents(degree)], -1)


@cache
def cell_axis(size: int) -> FloatArray:
    """(size,) places of the cells' middles, -1 to 1 across the board."""
    return ((np.arange(size) + 0.5) / size * 2 - 1).astype(np.float32)


def fit_light(ratios: FloatArray, level: FloatArray, weight: FloatArray, degree: int) -> Light:
    """Weighted least squares of the log ratios of empty cells, robust by reweighting, calm where nothing is seen.

    Args:
        ratios: (2, n, n) log ratios.
        level: (n, n) log brightness.
        weight: (n, n) probability that the cell shows the empty board.
        degree: of the polynomials.
    """
    levels = _range_of(level.ravel(), weight.ravel())
    bright = np.clip(level.ravel(), *levels) - levels[1]
    place = _terms(len(level), degree)
    basis = np.column_stack([bright, place])
    penalty = np.diag([SLOPE_PRIOR, 0.0] + [LIGHT_PRIOR] * (place.shape[1] - 1))
    target, empty = ratios.reshape(2, -1).T.astype(np.float64), weight.ravel().astype(np.float64)
    w = empty + 1e-9
    slope, weights = np.zeros(2), np.zeros((place.shape[1], 2))
    for _ in range(3):
        normal, right = basis.T @ (basis * w[:, None]) + penalty, basis.T @ (target * w[:, None])
        solved = np.linalg.solve(normal[1:, 1:], np.column_stack([right[1:], normal[1:, 0]]))
        alone, each = solved[:, :2], solved[:, 2]  # the place's weights without a slope, and what they lose for each unit of it
        free = (right[0] - normal[0, 1:] @ alone) / (normal[0, 0] - normal[0, 1:] @ each)
        slope = np.clip(float(free @ WARM_RATIOS), -MOST_SLOPE, MOST_SLOPE) * WARM_RATIOS
        weights = alone - each[:, None] * slope
        off2 = ((target - place @ weights - bright[:, None] * slope) ** 2).sum(1)
        scale2 = max(0.06**2, _weighted_median(off2, empty))
        w = empty / (1 + off2 / (4 * scale2)) + 1e-9
    return Light(degree, weights.astype(np.float32), slope.astype(np.float32), levels)


def _weighted_median(values: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
    """The value with half of the weight on either side."""
    order = np.argsort(values)
    total = np.cumsum(weight[order])
    return float(values[order][np.searchsorted(total, total[-1] / 2).clip(0, len(values) - 1)])


def flat_light(ratios: FloatArray) -> Light:
    """The same light everywhere, of log ratios (2,)."""
    return Light(0, ratios[None], np.zeros(2, np.float32), (-1.0, 0.0))


def _range_of(values: FloatArray, weight: FloatArray) -> tuple[float, float]:
    """The values between which all but a fiftieth of the weight lies on either side."""
    order = np.argsort(values)
    total = np.cumsum(weight[order])
    low, high = np.searchsorted(total, [0.02 * total[-1], 0.98 * total[-1]]).clip(0, len(values) - 1)
    return float(values[order[low]]), float(values[order[high]])


def log_ratios(linear_bgr: FloatArray) -> FloatArray:
    """(2, ...) natural logarithms of blue/green and red/green of (3, ...) linear light."""
    logs = np.log(linear_bgr + DARK_FLOOR)
    return np.asarray(np.stack([logs[0] - logs[1], logs[2] - logs[1]]))


def chroma(linear_bgr: FloatArray, light: FloatArray) -> FloatArray:
    """(2, ...) chroma of (3, ...) linear light against the board's log ratios (2, ...) there."""
    gain = np.exp(-light)
    blue = (linear_bgr[0] + DARK_FLOOR) * gain[0]
    green = linear_bgr[1] + DARK_FLOOR
    red = (linear_bgr[2] + DARK_FLOOR) * gain[1]
    total = blue + green + red
    return np.stack([(2 * blue - green - red) / (np.float32(6**0.5) * total), (red - green) / (np.float32(2**0.5) * total)])


def ratio_chroma(ratios: FloatArray) -> FloatArray:
    """(2, ...) chroma of log ratios (2, ...) that are already relative to the board's."""
    blue, red = np.exp(ratios)
    total = blue + 1 + red
    return np.stack([(2 * blue - 1 - red) / (np.float32(6**0.5) * total), (red - 1) / (np.float32(2**0.5) * total)])


def empty_level(level: FloatArray, empty: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Log brightness of the empty board at every cell, and its spread, from the cells that are probably empty.

    Args:
        level: (n, n) log brightness of the cells.
        empty: (n, n) probability that a cell is empty.

    Returns:
        two (n, n) arrays.
    """
    stack = np.empty((*level.shape, 3), np.result_type(empty, level))
    stack[..., 0] = empty
    np.multiply(empty, level, out=stack[..., 1])
    np.multiply(stack[..., 1], level, out=stack[..., 2])
    near = cv2.GaussianBlur(stack, (0, 0), LEVEL_REACH_CELLS, borderType=cv2.BORDER_REFLECT)
    far = np.array(cv2.mean(stack)[:3]) * _FAR_WEIGHT + 1e-9
    known, first, second = np.moveaxis(near + far.astype(stack.dtype), -1, 0)
    mean = first / known
    spread2 = np.clip(second / known - mean**2, 0, 1) + LEVEL_SD**2 + 0.001 / (known + 0.05)
    return mean.astype(np.float32), np.sqrt(spread2).astype(np.float32)
