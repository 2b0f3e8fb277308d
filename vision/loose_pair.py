"""Two pieces that touch askew make one patch: each lies on a lattice of its own.

The first piece's lattice has one of the directions that the patch's edges show; its squares are those that the patch fills
right to their borders. What is left of the patch must be the second piece.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cells import Cells, components
from vision.loose_shape import LatticeFit, Lattices, fit_lattice

FloatArray = NDArray[np.float32]

BINS = 30
"""Directions of edges told apart in a quarter turn: 3 degrees each."""

DIRECTIONS = 2
"""Commonest directions that are tried."""

FILLED = 0.85
"""Least share of a square that lies in the patch whole: the rest is bevel and blur."""

MOST_SQUARES = 5
"""Squares of the largest piece."""


def fit_pair(patch: FloatArray, cell_px: int) -> tuple[LatticeFit, LatticeFit] | None:
    """The two pieces that explain a patch best; None when there are no two.

    Args:
        patch: (h, w) 0 to 1, how far each pixel belongs to the patch; empty along its border.
        cell_px: pixels a cell.
    """
    pairs = [pair for angle in _directions(patch) if (pair := _pair_at(patch, cell_px, angle)) is not None]
    return max(pairs, key=lambda pair: _common(patch, pair), default=None)


def _directions(patch: FloatArray) -> list[float]:
    """The commonest directions of the edges, in radians up to a quarter turn."""
    gx, gy = (cv2.Sobel(patch, cv2.CV_32F, *order, ksize=3) for order in ((1, 0), (0, 1)))
    strength = gx**2 + gy**2
    place = (np.arctan2(gy, gx) % (np.pi / 2)) / (np.pi / 2) * BINS
    counts = np.bincount(place.astype(int).ravel() % BINS, strength.ravel(), BINS)
    smooth = counts + 0.5 * (np.roll(counts, 1) + np.roll(counts, -1))
    peaks = np.flatnonzero((smooth >= np.roll(smooth, 1)) & (smooth > np.roll(smooth, -1)))
    return [float((peak + 0.5) / BINS * np.pi / 2) for peak in peaks[np.argsort(-smooth[peaks])][:DIRECTIONS]]


def _pair_at(patch: FloatArray, cell_px: int, angle: float) -> tuple[LatticeFit, LatticeFit] | None:
    """A first piece on a lattice of that direction, and a second one on any."""
    lattices = Lattices.over(patch, cell_px, angle)
    if lattices is None:
        return None
    filled = lattices.share > FILLED
    partly = (lattices.share > 1 - FILLED) & ~filled
    best = int((filled.sum((1, 2)) - 0.5 * partly.sum((1, 2))).argmax())
    whole = components((int(r), int(c)) for r, c in zip(*np.nonzero(filled[best]), strict=True))
    pieces = [cells for cells in whole if len(cells) <= MOST_SQUARES]
    if not pieces:
        return None
    first = lattices.fit(best, max(pieces, key=len))
    rest = np.clip(patch - first.drawn(patch.shape, np.zeros(2)), 0, 1)
    rest = np.asarray(cv2.morphologyEx(rest, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (cell_px // 2,) * 2)), np.float32)
    second = fit_lattice(rest, cell_px) if rest.sum() > 0.5 * cell_px**2 else None
    return (first, second) if second is not None and _is_piece(second.cells) else None


def _is_piece(cells: Cells) -> bool:
    return len(cells) <= MOST_SQUARES and len(components(cells)) == 1


def _common(patch: FloatArray, pair: tuple[LatticeFit, LatticeFit]) -> float:
    """What a patch and two pieces have in common, to what either has."""
    drawn = np.maximum(*(fit.drawn(patch.shape, np.zeros(2)) for fit in pair))
    return float(np.minimum(drawn, patch).sum() / np.maximum(drawn, patch).sum())
