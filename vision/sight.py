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

_LEAST = np.float32(1e-6)


@dataclass(frozen=True)
class Views:
    """What the samples show if the cells are what they probably are; (labels, m, m) probabilities of labels but for `clear`.

    Attributes:
        whole: what each sample shows.
        blurred: the same under the pose's error and the picture's blur.
        beyond: what it shows if the first cell on its line of sight is empty.
        ground: what the floor shows where it is seen.
        clear: (m, m) probability that the floor is seen.
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
        weight: (m, m) how much each sample tells, 0 to 1.
        blur_cells: standard deviation of the pose's error and of the picture's blur.
    """

    def __init__(self, samples: BoardSamples, weight: FloatArray, blur_cells: float) -> None:
        rows, cols = samples.rows, samples.cols
        self._blur_px = blur_cells * samples.per_cell
        self._least_count = np.float32(samples.per_cell**2)
        self._weight = weight
        same = (rows.top == rows.floor)[:, None] & (cols.top == cols.floor)
        self._floor_weight = np.where(same, 0, weight)
        self._top_share = rows.top_share[:, None] * cols.top_share
        self._floor_share = rows.floor_share[:, None] * cols.floor_share
        self._same = np.nonzero(same.ravel())[0]
        self.slanted = 1 - len(self._same) / same.size
        """Share of the lines of sight that pass from one cell into another."""
        diagonal = (rows.top != rows.floor)[:, None] & (cols.top != cols.floor)
        row_first = rows.crossing[:, None] < cols.crossing
        wide = samples.size + 2 * MARGIN_CELLS
        middle = np.where(row_first, rows.floor[:, None] * wide + cols.top, rows.top[:, None] * wide + cols.floor)
        self._diagonal = np.nonzero(diagonal.ravel())[0]
        self._middle = middle.ravel()[self._diagonal]
        self._top = rows.top, cols.top
        self._floor = rows.floor, cols.floor
        self._wide = wide
        self._counts = self._sum(weight, self._top) + self._sum(self._floor_weight, self._floor)

    def views(self, q: FloatArray) -> Views:
        """What the samples show if the cells have the label probabilities ``q`` (labels, size, size)."""
        labels, m = q.shape[0], self._weight.shape[0]
        stands = np.zeros((labels, q.shape[1] + 2, q.shape[2] + 2), np.float32)
        stands[0] = 1  # beyond the grid nothing stands in the way
        stands[:, 1:-1, 1:-1] = q
        shows = stands.copy()
        for label in (0, -1):  # but beyond it lies the rim, then something unknown
            shows[label, [0, -1], :] = shows[label, :, [0, -1]] = 0.5
        top, ground = self._gather(stands, self._top), self._gather(shows, self._floor)
        passed = ground.reshape(labels, -1).copy()
        middle = stands.reshape(labels, -1)[:, self._middle]
        passed[:, self._diagonal] *= middle[0]
        passed[1:, self._diagonal] += middle[1:]
        passed[:, self._same] = 0
        passed[0, self._same] = 1
        clear = np.ones(m * m, np.float32)
        clear[self._diagonal] = middle[0]
        beyond = passed.reshape(labels, m, m)
        whole = beyond * top[0]
        whole[1:] += top[1:]
        blurred = np.stack([cv2.GaussianBlur(one, (5, 5), self._blur_px) for one in whole])
        return Views(whole, blurred, beyond, ground, clear.reshape(m, m) * top[0])

    def cell_evidence(self, like: FloatArray, views: Views, glared: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Mean log likelihood of each cell's labels over its samples.

        Args:
            like: (labels, m, m) density of each sample under each label.
            views: what the samples show if the neighbours are what they probably are.
            glared: (colors, m, m) density of each sample on a top of that colour under glare.

        Returns:
            (labels, size, size) for the labels, and (colors, size, size) for the colours under glare.
        """
        labels = like.shape[0]
        others = np.maximum(views.blurred - self._top_share * views.whole, 0)
        own = self._top_share * like
        own[0] = self._top_share * _dot(views.beyond, like)
        own = np.concatenate([own, self._top_share * glared])
        told = self._weight * np.log(own + (_dot(others, like) + _LEAST))
        seen_past = self._floor_share * views.clear
        others = np.maximum(views.blurred - seen_past * views.ground, 0)
        floor = self._sum(self._floor_weight * np.log(seen_past * like + (_dot(others, like) + _LEAST)), self._floor)
        total = self._sum(told, self._top) + np.concatenate([floor, floor[1:-1]])
        mean = (total / np.maximum(self._counts, self._least_count))[:, 1:-1, 1:-1]
        return mean[:labels], mean[labels:]

    def unexplained(self, like: FloatArray, views: Views) -> FloatArray:
        """(size, size) share of each cell's samples that show a piece's colour which neither the floor nor the neighbours explain."""
        color = like[1:-1].max(0)
        others = np.maximum(views.blurred - self._top_share * views.whole, 0)
        explained = _dot(others, like) + self._top_share * _dot(views.beyond, like)
        clearly = np.float32(CLEARLY)
        odd = (color > clearly * like[0]) & (color > clearly * like[-1]) & (color > 2 * clearly * explained)
        return self.share_of_cells(odd.astype(np.float32))

    def share_of_cells(self, values: FloatArray) -> FloatArray:
        """(size, size) mean of (m, m) values over the samples at each cell's top."""
        return np.asarray(self._sum(values, self._top)[1:-1, 1:-1] / self._least_count)

    @staticmethod
    def _gather(cells: FloatArray, members: tuple[IntArray, IntArray]) -> FloatArray:
        """(labels, m, m) values of the cells that the samples belong to."""
        return cells.take(members[0], 1).take(members[1], 2)

    def _sum(self, values: FloatArray, members: tuple[IntArray, IntArray]) -> FloatArray:
        """(..., size + 2, size + 2) sums over the samples that belong to each cell; their indices never decrease."""
        for axis, index in ((-2, members[0]), (-1, members[1])):
            cells = np.arange(self._wide)
            begin = np.searchsorted(index, cells)
            some = np.searchsorted(index, cells, side="right") > begin
            sums = np.add.reduceat(values, np.minimum(begin, len(index) - 1), axis=axis)
            values = sums * (some[:, None] if axis == -2 else some).astype(np.float32)
        return values


def _dot(first: FloatArray, second: FloatArray) -> FloatArray:
    """(m, m) sum of products over the labels."""
    return np.asarray(np.einsum("kij,kij->ij", first, second))
