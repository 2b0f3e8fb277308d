"""What a look shows of every cell and of the rim beside it, kept for the whole board: a later look at a part renews that part.

By this things are told that do not belong on a board (`vision.things`): whether the lines of the board or the bevels of pieces run
through a cell is seen over several cells at once, and so is a mug that stands over the rim.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.light import FloatArray
from vision.marks import Facts

FAR_CELLS = (0.3, 0.85)
"""Distances outside the grid that no piece on the board reaches: what has a piece's colour from the cells to there is none."""

TWICE = 2.0
"""How many times likelier a colour is than anything else where the rim counts as having it."""


@dataclass(frozen=True)
class Imprint:
    """All by cells of the whole board; k samples a cell along each axis.

    Attributes:
        floor: (size, size, k * k) log brightness of the samples that show the floor, less their mean.
        top: (size, size, k * k) the same of those at the plane of the tops.
        chroma: (size, size) variance of the samples' chroma.
        shares: (6, size, size) of each cell's samples: odd, bare, covered, cut off, inside, blown; see `vision.marks.CellShares`.
        relief: (size, size) match with the board's relief.
        rim_color: (4, colors, size) at the top, bottom, left and right: how far the rim has a colour from the cells outwards, 0 to 1.
        rim_seen: (4, 3, size) the rim's log brightness against the empty board beside it, and its chroma.
    """

    floor: FloatArray
    top: FloatArray
    chroma: FloatArray
    shares: FloatArray
    relief: FloatArray
    rim_color: FloatArray
    rim_seen: FloatArray

    @classmethod
    def of(cls, facts: Facts, before: Imprint | None = None) -> Imprint:
        """What a look shows.

        Args:
            facts: of a look at the whole board, or at a window of it.
            before: what an earlier look showed, which stays outside the window.
        """
        n, samples = len(facts.q[0]), facts.samples
        k, cells = samples.per_cell, samples.window.cells
        if before is None:
            colors = len(facts.like) - 2
            shapes = ((n, n, k * k), (n, n, k * k), (n, n), (6, n, n), (n, n), (4, colors, n), (4, 3, n))
            new = cls(*(np.zeros(shape, np.float32) for shape in shapes))
        else:
            new = cls(*(getattr(before, name).copy() for name in cls.__dataclass_fields__))
        top, shares = samples.by_cell(samples.level[None])[0], facts.shares
        new.floor[cells] = samples.floor_level - samples.floor_level.mean(-1, keepdims=True)
        new.top[cells] = top - top.mean(-1, keepdims=True)
        new.chroma[cells] = samples.by_cell(facts.chroma).var(-1).sum(0)
        new.shares[:, *cells] = np.stack([shares.odd, shares.bare, shares.covered, shares.cut_off, shares.inside, shares.blown])
        new.relief[cells] = shares.relief
        new._see_rim(facts)
        return new

    def _see_rim(self, facts: Facts) -> None:
        """Put in what a look shows of the rim, as far as its window reaches there."""
        samples, window, n, k = facts.samples, facts.samples.window, len(facts.q[0]), facts.samples.per_cell
        far, near = (k - round(reach * k) for reach in FAR_CELLS[::-1])
        color = (facts.like[1:-1] > TWICE * np.maximum(facts.like[0], facts.like[-1])).astype(np.float32)
        level = samples.level - samples.spread(facts.here[0])
        seen = np.concatenate([level[None], facts.chroma])
        reached = window.top == 0, window.bottom == n, window.left == 0, window.right == n
        for side in np.flatnonzero(reached):
            along = window.cells[1 if side < 2 else 0]
            strip = _strip(color, int(side), k)
            self.rim_color[side, :, along] = np.minimum(strip[:, far:near].mean((1, 3)), strip[:, near:].mean((1, 3)))
            self.rim_seen[side, :, along] = _strip(seen, int(side), k)[:, near:].mean((1, 3))


def _strip(values: FloatArray, side: int, k: int) -> FloatArray:
    """(m, k, cells, k) sample values (m, r, c) beyond the cells of a side, from outside inwards."""
    turned = values if side < 2 else values.swapaxes(1, 2)
    strip = turned[:, :k, k:-k] if side % 2 == 0 else turned[:, : -k - 1 : -1, k:-k]
    return np.asarray(strip.reshape(len(values), k, -1, k))
