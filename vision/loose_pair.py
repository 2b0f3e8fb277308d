"""Two pieces that touch askew make one patch: each lies on a lattice of its own.

The first piece's lattice has one of the directions that the patch's edges show; its squares are those that the patch fills
right to their borders. What is left of the patch must be the second piece.
"""

from __future__ import annotations

import cv2
import numpy as np

from referee.cells import components
from vision.loose_fit import AGREES, Fit, Sheet, edges, fit_sheet
from vision.loose_view import CELL_PX, FloatArray, Points

BINS = 30
"""Directions of edges told apart in a quarter turn: 3 degrees each."""

DIRECTIONS = 2
"""Commonest directions that are tried."""

FILLED = 0.85
"""Least share of a square that lies in the patch whole: the rest is bevel and blur."""

MOST_SQUARES = 5
"""Squares of the largest piece."""


def fit_pair(cover: FloatArray, wall: Points) -> tuple[Fit, Fit] | None:
    """The two pieces that explain a patch best; None when there are no two.

    Args:
        cover: (h, w) 0 to 1, how far each pixel belongs to the patch; empty along its border.
        wall: (2,) px that are seen of their near walls.
    """
    best: tuple[Fit, Fit] | None = None
    most = 0.0
    for angle in _directions(cover):
        pair = _pair_at(cover, wall, angle)
        if pair is not None and (common := _common(cover, pair)) > most:
            best, most = pair, common
        if most > AGREES:
            break
    return best


def _directions(cover: FloatArray) -> list[float]:
    """The commonest directions of the edges, in radians up to a quarter turn."""
    gx, gy = (cv2.Sobel(cover, cv2.CV_32F, *order, ksize=3) for order in ((1, 0), (0, 1)))
    strength = gx**2 + gy**2
    place = (np.arctan2(gy, gx) % (np.pi / 2)) / (np.pi / 2) * BINS
    counts = np.bincount(place.astype(int).ravel() % BINS, strength.ravel(), BINS)
    smooth = counts + 0.5 * (np.roll(counts, 1) + np.roll(counts, -1))
    peaks = np.flatnonzero((smooth >= np.roll(smooth, 1)) & (smooth > np.roll(smooth, -1)))
    return [float((peak + 0.5) / BINS * np.pi / 2) for peak in peaks[np.argsort(-smooth[peaks])][:DIRECTIONS]]


def _pair_at(cover: FloatArray, wall: Points, angle: float) -> tuple[Fit, Fit] | None:
    """A first piece on a lattice of that direction, and a second one on any."""
    sheet = Sheet.of(cover, angle)
    if sheet is None:
        return None
    share = sheet.share(sheet.tops(sheet.unit @ wall))
    filled = share > FILLED
    partly = (share > 1 - FILLED) & ~filled
    row, col = divmod(int((filled.sum((0, 2)) - 0.5 * partly.sum((0, 2))).argmax()), CELL_PX)
    whole = components((int(r), int(c)) for r, c in zip(*np.nonzero(filled[:, row, :, col]), strict=True))
    pieces = [cells for cells in whole if len(cells) <= MOST_SQUARES]
    if not pieces:
        return None
    first = sheet.fit(max(pieces, key=len), (row, col), sheet.unit @ wall)
    rest = np.clip(cover - first.drawn(cover.shape), 0, 1)
    rest = np.asarray(cv2.morphologyEx(rest, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (CELL_PX // 2,) * 2)), np.float32)
    angle, straight = edges(rest)
    other = Sheet.of(rest, angle) if rest.sum() > 0.5 * CELL_PX**2 else None
    second = fit_sheet(other, wall, straight) if other is not None else None
    return (first, second) if second is not None and len(second.cells) <= MOST_SQUARES and len(components(second.cells)) == 1 else None


def _common(cover: FloatArray, pair: tuple[Fit, Fit]) -> float:
    """What a patch and two pieces have in common, to what either has."""
    drawn = np.maximum(*(fit.drawn(cover.shape) for fit in pair))
    return float(np.minimum(drawn, cover).sum() / np.maximum(drawn, cover).sum())
