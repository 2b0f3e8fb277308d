"""Bare hands and arms over the board: skin has one hue on everybody, and hands come from outside or are large.

Measured against a neutral board, skin of every shade lies within a few degrees of one direction in the chroma plane,
between red and yellow pieces and paler than both; only its lightness and strength differ.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sampling import MARGIN_CELLS, BoardSamples

FloatArray = NDArray[np.float32]

SKIN_HUE_DEG = 135.5
"""Direction of skin in the chroma plane of `vision.light` (rendered hands of five games: 131 to 143; usual reflectances: 135 to 138)."""

SKIN_HUE_SD = 0.075
"""Spread of that direction in radians, casts of the board included."""

SKIN_PURITY = (0.34, 0.1)
"""Length of skin's chroma and its spread: 0.16 pale to 0.5 dark or in warm light."""

SURER = 2.0
"""How much better skin must explain a sample than any piece: orange plastic may have skin's very colour, and is then no skin."""

LEAST_CELLS = 3.0
"""Area of skin in cells that is no piece in odd light, wherever it lies."""

BAND_CELLS = (0.2, 0.85)
"""Distances outside the grid at which a hand must show to come from outside: on the rim of every board, and beyond
the walls of pieces at the edge."""

CROSSING_CELLS = 0.6
"""Width at which a finger crosses that band."""


def skin_density(z: FloatArray) -> FloatArray:
    """(...) density of chroma (2, ...) on skin."""
    x, y = math.cos(math.radians(SKIN_HUE_DEG)), math.sin(math.radians(SKIN_HUE_DEG))
    along, across = x * z[0] + y * z[1], x * z[1] - y * z[0]
    mean, spread = SKIN_PURITY
    side2 = 0.015**2 + (SKIN_HUE_SD * along) ** 2
    density = np.exp(-0.5 * across * across / side2 - (0.5 / spread**2) * (along - mean) ** 2) / (2 * math.pi * spread * np.sqrt(side2))
    return np.asarray(density * (along > 0.08), np.float32)


def hand_mask(samples: BoardSamples, z: FloatArray, others: FloatArray) -> NDArray[np.bool_]:
    """Which samples show a hand.

    Args:
        samples: of the picture.
        z: (2, r, c) chroma of each sample.
        others: (labels, r, c) densities of the samples under the other labels.
    """
    k, likely = samples.per_cell, np.zeros(samples.inside.shape, np.uint8)
    if 4 * np.count_nonzero(_near_skin(z[:, ::2, ::2])) >= k * k // 2:
        near = np.nonzero(samples.inside & _near_skin(z))
        likely[near] = skin_density(z[:, near[0], near[1]]) > SURER * others[:, near[0], near[1]].max(0)
    if likely.sum() < k * k:
        return np.zeros(likely.shape, np.bool_)
    opened = np.asarray(cv2.morphologyEx(likely, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    count, found = cv2.connectedComponents(opened)
    labels = np.asarray(found, np.int32)
    grid = slice(MARGIN_CELLS * k, -MARGIN_CELLS * k)
    area = np.bincount(labels[grid, grid].ravel(), minlength=count) / k**2
    crossing = np.min([_crossing(labels, count, round((MARGIN_CELLS - band) * k), grid) for band in BAND_CELLS], axis=0) / k
    is_hand = (area >= LEAST_CELLS) | ((crossing >= CROSSING_CELLS) & (area > 0.5))
    is_hand[0] = False
    return np.asarray(cv2.dilate(is_hand[labels].astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)


def _near_skin(z: FloatArray) -> NDArray[np.bool_]:
    """(...) whether chroma (2, ...) lies within some 10 degrees of skin's."""
    return np.asarray((z[0] < 0) & (z[1] > -0.7 * z[0]) & (z[1] < -1.6 * z[0]))


def _crossing(labels: NDArray[np.int32], count: int, inset: int, grid: slice) -> NDArray[np.intp]:
    """(count,) samples of each component on the lines ``inset`` samples inside the sampled square, on all four sides."""
    lines = labels[inset, grid], labels[-inset - 1, grid], labels[grid, inset], labels[grid, -inset - 1]
    return np.bincount(np.concatenate(lines), minlength=count)
