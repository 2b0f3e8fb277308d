"""What the lines of sight tell together about each cell, given what its neighbours probably are.

A sample shows the first occupied cell on its line of sight, else the floor. So a cell is judged by two views: of its
top, and of its floor past the cells that may stand before it. Near a cell's border the neighbour may be what is seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sampling import MARGIN_CELLS, BoardSamples

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.intp]

CLEARLY = 4.0
"""How many times likelier an explanation is that clearly is the better one."""

SURELY_OWN = 0.8
"""Probability from which a sample surely lies in its cell."""

_LEAST = np.float32(1e-6)


@dataclass(frozen=True)
class Views:
    """What the samples show if the cells are what they probably are; (labels, r, c) probabilities of labels but for `clear`.

    Attributes:
        whole: what each sample shows.
        blurred: the same under the pose's error and the picture's blur.
        beyond: what it shows if the first cell on its line of sight is empty.
        ground: what the floor shows where it is seen.
        clear: (r, c) probability that the floor is seen.
    """

    whole: FloatArray
    blurred: FloatArray
    beyond: FloatArray
    ground: FloatArray
    clear: FloatArray


class Sight:
    """The lines of sight of one picture, prepared for summing.

    Args:
        samples: of the picture.
        weight: (r, c) how much each sample tells, 0 to 1.
        blur_cells: standard deviation of the pose's error and of the picture's blur.
    """

    def __init__(self, samples: BoardSamples, weight: FloatArray, blur_cells: float) -> None:
        rows, cols = samples.rows, samples.cols
        self._window = samples.window
        self._blur_px = blur_cells * samples.per_cell
        self._least_count = np.float32(samples.per_cell**2)
        self._weight = weight
        same = (rows.top == rows.floor)[:, None] & (cols.top == cols.floor)
        self._floor_weight = np.where(same, 0, weight)
        self._top_share = rows.top_share[:, None] * cols.top_share
        self._floor_share = rows.floor_share[:, None] * cols.floor_share
        self._same = same
        self.slanted = 1 - float(same.mean())
        """Share of the lines of sight that pass from one cell into another."""
        wide = cols.count + 2 * MARGIN_CELLS
        row, col = np.flatnonzero(rows.top != rows.floor)[:, None], np.flatnonzero(cols.top != cols.floor)
        row_first = rows.crossing[row] < cols.crossing[col]
        by_row, by_col = rows.floor[row] * wide + cols.top[col], rows.top[row] * wide + cols.floor[col]
        self._diagonal = row, col
        self._middle = np.where(row_first, by_row, by_col)
        self._top = rows.top, cols.top
        self._floor = rows.floor, cols.floor
        self._per_cell = samples.per_cell
        self._sum_floors = _Sums.of(rows.floor, cols.floor, (rows.count, cols.count))
        self._counts = self._sum_tops(weight) + self._sum_floors(self._floor_weight)

    def views(self, q: FloatArray, *, blur: bool = True) -> Views:
        """What the samples show if the board's cells have the label probabilities ``q`` (labels, size, size).

        Without ``blur`` what they show blurred is left as sharp.
        """
        labels = q.shape[0]
        stands = np.zeros((labels, q.shape[1] + 2, q.shape[2] + 2), np.float32)
        stands[0] = 1  # beyond the grid nothing stands in the way
        stands[:, 1:-1, 1:-1] = q
        shows = stands.copy()
        for label in (0, -1):  # but beyond it lies the rim, then something unknown
            shows[label, [0, -1], :] = shows[label, :, [0, -1]] = 0.5
        stands, shows = (np.ascontiguousarray(cells[:, *self._window.wide]) for cells in (stands, shows))
        top, ground = self._gather(stands, self._top), self._gather(shows, self._floor)
        passed = ground.copy()
        middle = stands.reshape(labels, -1)[:, self._middle]
        at_row, at_col = self._diagonal
        between = passed[:, at_row, at_col] * middle[0]
        between[1:] += middle[1:]
        passed[:, at_row, at_col] = between
        passed *= ~self._same
        passed[0] += self._same
        clear = top[0].copy()
        clear[self._diagonal] *= middle[0]
        whole = passed * top[0]
        whole[1:] += top[1:]
        blurred = np.stack([cv2.GaussianBlur(one, (5, 5), self._blur_px) for one in whole]) if blur else whole
        return Views(whole, blurred, passed, ground, clear)

    def cell_evidence(self, like: FloatArray, views: Views, glared: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Mean log likelihood of each cell's labels over its samples.

        Args:
            like: (labels, r, c) density of each sample under each label.
            views: what the samples show if the neighbours are what they probably are.
            glared: (colors, r, c) density of each sample on a top of that colour under glare.

        Returns:
            (labels, rows, cols) for the labels, and (colors, rows, cols) for the colours under glare.
        """
        labels = like.shape[0]
        others = np.maximum(views.blurred - self._top_share * views.whole, 0)
        own = np.concatenate([like, glared])
        own[0] = _dot(views.beyond, like)
        own *= self._top_share
        own += _dot(others, like) + _LEAST
        told = np.log(own, out=own)
        told *= self._weight
        seen_past = self._floor_share * views.clear
        others = np.maximum(views.blurred - seen_past * views.ground, 0)
        past = seen_past * like
        past += _dot(others, like) + _LEAST
        past = np.log(past, out=past)
        past *= self._floor_weight
        floor = self._sum_floors(past)
        total = self._sum_tops(told)
        total[:labels] += floor
        total[labels:] += floor[1:-1]
        mean = (total / np.maximum(self._counts, self._least_count))[:, 1:-1, 1:-1]
        return mean[:labels], mean[labels:]

    def unexplained(self, like: FloatArray, color: FloatArray, views: Views) -> FloatArray:
        """(rows, cols) share of each cell's samples that show a piece's colour which neither the floor nor the neighbours explain.

        Args:
            like: (labels, r, c) density of each sample under each label.
            color: (r, c) the greatest of the colours' densities.
            views: what the samples show if the neighbours are what they probably are.
        """
        others = np.maximum(views.blurred - self._top_share * views.whole, 0)
        explained = _dot(others, like) + self._top_share * _dot(views.beyond, like)
        clearly = np.float32(CLEARLY)
        odd = (color > clearly * like[0]) & (color > clearly * like[-1]) & (color > 2 * clearly * explained)
        return self.share_of_cells(odd.astype(np.float32))

    def bare(self, like: FloatArray, color: FloatArray, dim: NDArray[np.bool_]) -> FloatArray:
        """(rows, cols) share of the samples well within each cell that clearly show the board.

        Args:
            like: (labels, r, c) density of each sample under each label.
            color: (r, c) the greatest of the colours' densities.
            dim: (r, c) samples no brighter than the board: others may be glare on a piece.
        """
        core = self._top_share > SURELY_OWN
        shows = core & dim & (like[0] > CLEARLY * np.maximum(color, like[-1]))
        count = self._sum_tops(core.astype(np.float32))[1:-1, 1:-1]
        return np.asarray(self._sum_tops(shows.astype(np.float32))[1:-1, 1:-1] / np.maximum(count, 1))

    def share_of_cells(self, values: FloatArray) -> FloatArray:
        """(rows, cols) mean of (r, c) values over the samples at each cell's top."""
        return np.asarray(self._sum_tops(values)[1:-1, 1:-1] / self._least_count)

    def _sum_tops(self, values: FloatArray) -> FloatArray:
        """(..., rows + 2, cols + 2) sums of (..., r, c) values over the samples at each cell's top, of which all cells have as many."""
        k = self._per_cell
        by_row = values[..., ::k, :] + values[..., 1::k, :]
        for part in range(2, k):
            by_row += values[..., part::k, :]
        total = by_row[..., ::k] + by_row[..., 1::k]
        for part in range(2, k):
            total += by_row[..., part::k]
        return np.asarray(total)

    @staticmethod
    def _gather(cells: FloatArray, members: tuple[IntArray, IntArray]) -> FloatArray:
        """(labels, r, c) values of the cells that the samples belong to."""
        return cells.take(members[1], 2).take(members[0], 1)  # rows are copied whole


@dataclass(frozen=True)
class _Sums:
    """Sums over the samples of each cell of the window and its margin: the cells' indices never decrease, so they are stretches.

    (Products with matrices of ones would be as fast, but are spread over threads, which costs more than it brings.)

    Attributes:
        begin: first sample of each stretch along rows and columns.
        some: (rows + 2, 1) and (cols + 2,) 1 where a cell has samples at all, 0 where its stretch must not count.
    """

    begin: tuple[IntArray, IntArray]
    some: tuple[FloatArray, FloatArray]

    @classmethod
    def of(cls, rows: IntArray, cols: IntArray, counts: tuple[int, int]) -> _Sums:
        """From the cells' indices (r,) and (c,) of the samples along each axis, and the cells of the window."""
        (by_row, some_rows), (by_col, some_cols) = (_stretches(index, count) for index, count in zip((rows, cols), counts, strict=True))
        return cls((by_row, by_col), (some_rows[:, None], some_cols))

    def __call__(self, values: FloatArray) -> FloatArray:
        """(..., rows + 2, cols + 2) sums of (..., r, c) values."""
        by_row = np.add.reduceat(values, self.begin[0], axis=-2) * self.some[0]
        return np.asarray(np.add.reduceat(by_row, self.begin[1], axis=-1) * self.some[1])


def _stretches(index: IntArray, count: int) -> tuple[IntArray, FloatArray]:
    """(count + 2,) first sample of each cell, and 1 where it has any, from the samples' cells (n,), which never decrease."""
    cells = np.arange(count + 2 * MARGIN_CELLS)
    begin = np.searchsorted(index, cells)
    some = np.searchsorted(index, cells, side="right") > begin
    return np.minimum(begin, len(index) - 1), some.astype(np.float32)


def _dot(first: FloatArray, second: FloatArray) -> FloatArray:
    """(r, c) sum of products over the labels."""
    return np.asarray(np.einsum("kij,kij->ij", first, second))
