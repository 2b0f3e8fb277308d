"""What tells whether a cell shows the board or a piece at all, as numbers by which `vision.things` judges it.

The board's lines lie in every empty cell at the same place, and so do the bevels of pieces in every cell of a piece: the mean of a
few cells shows them out of noise and print, whichever way the light falls, and shows none where a sheet or a mug hides them. The
other marks compare a cell's brightness, chroma and texture with the board's around, its pieces with the shapes that pieces have,
and what is seen of the rim with the rest of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imprint import Imprint
from vision.light import FloatArray
from vision.marks import Facts
from vision.palette import cell_chroma

Mask = NDArray[np.bool_]
Values = NDArray[np.floating[Any] | np.bool_ | np.integer[Any]]

CENTRED = (5, 5), (3, 3), (1, 5), (5, 1)
"""Rows and columns of the windows around a cell whose relief is looked at."""

HELD = (2, 2), (3, 3), (1, 4), (4, 1)
"""Those of which the one counts that shows least, of all that hold a cell: a sheet may cover no more than a row."""

USUAL = 0.6
"""Quantile of the energies of the board's lines that counts as usual: with sheets and shade on a part of the board."""

LEAST_ENERGY = 0.02
"""Share of the usual energy under which energies are not told apart."""

LEAST_LEVEL = 0.003
"""Log brightness under which textures are not told apart."""

DEPTH_CELLS = 2.0
"""How far into the board what is seen of the rim tells of cells."""


def thing_marks(imprint: Imprint, facts: Facts) -> FloatArray:
    """(size, size, n) marks of all the board's cells.

    Args:
        imprint: what is seen of them.
        facts: of the same look; its window may be a part of the board.
    """
    color = facts.q[1:-1].max(0)
    empty, piece = facts.q[0] > 0.5, color > 0.5
    good = (imprint.shares[3] < 0.3) & (imprint.shares[4] > 0.8)
    columns = [
        *_relief_marks(imprint.floor, empty & good, 0.5),
        *_relief_marks(imprint.top, piece & good, 0.7),
        *_look_marks(imprint, facts, empty),
        *_shape_marks(imprint, facts, piece),
        *_rim_marks(imprint),
    ]
    return np.stack([np.broadcast_to(one, empty.shape) for one in columns], -1).astype(np.float32)


def _relief_marks(patches: FloatArray, which: Mask, most: float) -> Iterator[Values]:
    """Marks (n, n) of the relief that cells have in common.

    Args:
        patches: (n, n, k * k) log brightness less the cell's mean.
        which: (n, n) cells that have that relief if nothing hides it.
        most: beyond this log brightness it is an edge or a glint.
    """
    lines, weight = _profiles(np.clip(patches, -most, most)), which.astype(np.float32)
    count = max(float(weight.sum()), 1.0)
    common = (lines * weight[..., None]).sum((0, 1)) / count
    power = (lines * lines).sum(-1)
    spread = float((power * weight).sum()) / count
    stack = np.dstack([lines * weight[..., None], power * weight, weight])
    seen = {window: _coherence(stack, window) for window in {*CENTRED, *HELD}}
    enough = which & (seen[5, 5][2] >= 8)
    usual = float(np.quantile(seen[5, 5][0][enough], USUAL)) if enough.sum() > 5 else spread
    usual = max(usual, 1e-7)
    for window in CENTRED:
        energy, noise, cells = seen[window]
        yield np.where(cells > 1, _nats(energy / usual, LEAST_ENERGY), 0)
        yield np.where(cells > 1, _nats(noise / usual, LEAST_ENERGY / 10), 0)
        yield cells / (window[0] * window[1])
    for window in HELD:
        energy, _, cells = seen[window]
        known = np.where(cells >= 0.7 * window[0] * window[1], _nats(energy / usual, LEAST_ENERGY), np.float32(9)).astype(np.float32)
        # The least of all windows that hold a cell: each is known at its middle, or at the cell after that.
        anchor = (window[1] - 1 - window[1] // 2, window[0] - 1 - window[0] // 2)
        least = cv2.erode(known, np.ones(window, np.uint8), anchor=anchor, borderType=cv2.BORDER_CONSTANT, borderValue=9.0)
        yield np.where(least < 8, least, 0)
    alike = np.clip(lines @ common / (float(common @ common) + 1e-9), -3, 3)
    strong = np.log((power + 1e-6) / (spread + 1e-6))
    yield alike
    yield strong
    both = np.dstack([alike * weight, strong * weight, weight]).astype(np.float32)
    for window in CENTRED[1:]:
        total = cv2.boxFilter(both, cv2.CV_32F, window[::-1], normalize=False, borderType=cv2.BORDER_CONSTANT)
        yield from np.moveaxis(total[..., :2] / np.maximum(total[..., 2:], 1), -1, 0)
    yield np.full(which.shape, np.log(usual))
    yield np.full(which.shape, np.log(usual / (spread + 1e-9)))
    some = patches[which]
    middle = np.median(some, axis=0) if len(some) > 5 else np.zeros(patches.shape[-1], np.float32)
    rest = np.sqrt((np.clip(patches - middle, -1, 1) ** 2).mean(-1))
    typical = float(np.median(rest[which])) if len(some) > 5 else 0.05
    yield np.log((rest + LEAST_LEVEL) / (typical + LEAST_LEVEL))
    yield np.full(which.shape, np.log(typical + LEAST_LEVEL))


def _profiles(patches: FloatArray) -> FloatArray:
    """(n, n, 2 * k) means along the rows and columns of each cell's samples (n, n, k * k), without their own mean and slope."""
    k = round(patches.shape[-1] ** 0.5)
    square = patches.reshape(*patches.shape[:2], k, k)
    slope = np.linspace(-1, 1, k, dtype=np.float32)
    slope /= np.sqrt(slope @ slope)
    both = np.stack([square.mean(3), square.mean(2)], 2)
    both -= both.mean(-1, keepdims=True)
    both -= (both @ slope)[..., None] * slope
    return np.asarray(both.reshape(*patches.shape[:2], 2 * k), np.float32)


def _coherence(stack: FloatArray, window: tuple[int, int]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(n, n) energy of the mean profile in a window of cells around each, without the part that noise has in it; that; and the cells.

    Args:
        stack: (n, n, m + 2) the profiles, their energies, and weights 0 or 1, the first two 0 where the weight is.
        window: rows and columns of cells.
    """
    total = cv2.boxFilter(stack, cv2.CV_32F, window[::-1], normalize=False, borderType=cv2.BORDER_CONSTANT)
    cells = total[..., -1]
    mean = total[..., :-1] / np.maximum(cells, 1)[..., None]
    energy = (mean[..., :-1] ** 2).sum(-1)
    noise = np.maximum(mean[..., -1] - energy, 0) / np.maximum(cells - 1, 1)
    return np.asarray(energy - noise, np.float32), np.asarray(noise, np.float32), np.asarray(cells, np.float32)


def _look_marks(imprint: Imprint, facts: Facts, empty: Mask) -> Iterator[Values]:
    """Marks (n, n) of brightness, chroma and texture, and of what the samples tell."""
    level, here, chroma_sd = facts.medians.level, facts.here[0], facts.board.chroma_sd
    x, y = cell_chroma(facts.palette, facts.medians, here)
    yield imprint.relief
    yield np.log(np.sqrt((imprint.top**2).mean(-1)) + LEAST_LEVEL)
    yield np.clip(level - here, -2, 2)
    yield np.clip(level - (np.median(level[empty]) if empty.any() else level.mean()), -3, 3)
    yield here
    yield x
    yield y
    yield np.log(np.hypot(x, y) / chroma_sd + 0.1)
    yield np.full(empty.shape, np.log(chroma_sd))
    yield np.log(np.sqrt(imprint.chroma) / chroma_sd + 0.1)
    weight = empty.astype(np.float32)
    own = np.dstack([level * weight, x * weight, y * weight, weight]).astype(np.float32)
    for side in (3, 5, 7):
        around = cv2.boxFilter(own, cv2.CV_32F, (side, side), normalize=False, borderType=cv2.BORDER_CONSTANT) - own
        mean = around[..., :3] / np.maximum(around[..., 3:], 1)
        for value, usual in zip((level, x, y), np.moveaxis(mean, -1, 0), strict=True):
            yield np.where(around[..., 3] > 0.5, np.clip(value - usual, -1.5, 1.5), 0)
    for p in (facts.q[0], facts.q[1:-1].max(0), facts.q[-1]):
        yield np.log(p + 1e-9) / 5
    yield from imprint.shares
    yield facts.washed
    yield weight


def _shape_marks(imprint: Imprint, facts: Facts, piece: Mask) -> Iterator[Values]:
    """Marks (n, n) of what looks like pieces: the size and the kind of each patch of one colour, and whether it goes on outside."""
    n, label = len(piece), np.where(piece, facts.q[1:-1].argmax(0) + 1, 0)
    odd, bare = imprint.shares[:2]
    outside = _beside(imprint.rim_color)
    patch, solid = np.zeros((n, n), np.intp), np.zeros((n, n), np.float32)
    for color in range(1, len(facts.q) - 1):
        mine = (label == color).astype(np.uint8)
        _, ids = cv2.connectedComponents(mine, connectivity=4, ltype=cv2.CV_32S)
        patch += np.where(ids > 0, ids + patch.max(), 0)
        solid += opened(mine, 3) + np.float32(0.3) * opened(mine, 2)
    flat = patch.ravel()
    cells = np.maximum(np.bincount(flat), 1)
    goes_on = np.zeros(len(cells), np.float32)
    own_outside = np.take_along_axis(outside, np.maximum(label - 1, 0)[None], 0)[0]
    np.maximum.at(goes_on, flat, own_outside.ravel())
    yield piece
    yield np.where(piece, np.log(cells)[patch], 0)
    yield np.where(piece, goes_on[patch], 0)
    yield outside.max(0)
    for values in (solid, bare):
        yield np.where(piece, (np.bincount(flat, values.ravel()) / cells)[patch], 0)
    near = np.dstack([np.where(piece, bare, 0), np.where(piece, 0, odd), piece]).astype(np.float32)
    yield from np.moveaxis(cv2.blur(near, (3, 3), borderType=cv2.BORDER_CONSTANT), -1, 0)
    yield cv2.blur(piece.astype(np.float32), (5, 5), borderType=cv2.BORDER_CONSTANT)
    yield np.full((n, n), piece.mean())
    inward = np.minimum(np.arange(n), np.arange(n)[::-1])
    yield np.minimum(np.minimum(inward[:, None], inward), 4)
    yield np.full((n, n), np.log(facts.samples.cell_px / 20))


def opened(mask: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """(n, n) marked cells that lie in a square of marked cells, so many a side."""
    square, last = np.ones((side, side), np.uint8), (side - 1, side - 1)
    begins = cv2.erode(mask, square, anchor=(0, 0), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return np.asarray(cv2.dilate(begins, square, anchor=last), np.uint8)


def _beside(rim: FloatArray) -> FloatArray:
    """(m, n, n) greatest values of the rim (4, m, n) beside each cell; 0 for cells that do not lie at the rim."""
    n = rim.shape[-1]
    out = np.zeros((rim.shape[1], n, n), np.float32)
    for line, side in zip((out[:, 0], out[:, -1], out[..., 0], out[..., -1]), rim, strict=True):
        np.maximum(line, side, out=line)
    return out


def _rim_marks(imprint: Imprint) -> Iterator[Values]:
    """Marks (n, n) of how the rim differs beside each cell from the rest of that side: in brightness, and in chroma."""
    off = imprint.rim_seen - np.median(imprint.rim_seen, axis=-1, keepdims=True)
    fade = np.exp(-np.arange(off.shape[-1], dtype=np.float32) / DEPTH_CELLS)
    for values in (np.clip(np.abs(off[:, 0]), 0, 2), np.hypot(off[:, 1], off[:, 2])):
        top, bottom, left, right = values
        rows = np.maximum(fade[:, None] * top, fade[::-1, None] * bottom)
        yield np.maximum(rows, np.maximum(left[:, None] * fade, right[:, None] * fade[::-1]))


def _nats(share: FloatArray, least: float) -> FloatArray:
    """Logarithm of shares of the usual, with a floor."""
    return np.asarray(np.log(np.maximum(share, 0) + np.float32(least)))
