"""What the lines of sight tell together about each cell, given what its neighbours probably are.

A sample shows the first occupied cell on its line of sight, else the floor. So a cell is judged by two views: of its
top, and of its floor past the cells that may stand before it. Near a cell's border the neighbour may be what is seen.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sampling import MARGIN_CELLS, AxisSight, BoardSamples

FloatArray = NDArray[np.float32]

_LEAST = np.float32(1e-6)


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
        diagonal = (rows.top != rows.floor)[:, None] & (cols.top != cols.floor)
        row_first = rows.crossing[:, None] < cols.crossing
        wide = samples.size + 2 * MARGIN_CELLS
        middle = np.where(row_first, rows.floor[:, None] * wide + cols.top, rows.top[:, None] * wide + cols.floor)
        self._diagonal = np.nonzero(diagonal.ravel())[0]
        self._middle = middle.ravel()[self._diagonal]
        self._top = _members(rows, wide, "top"), _members(cols, wide, "top")
        self._floor = _members(rows, wide, "floor"), _members(cols, wide, "floor")
        self._counts = self._sum(weight, self._top) + self._sum(self._floor_weight, self._floor)

    def cell_evidence(self, like: FloatArray, q: FloatArray, glared: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Mean log likelihood of each cell's labels over its samples.

        Args:
            like: (labels, m, m) density of each sample under each label.
            q: (labels, size, size) probabilities of the neighbours' labels.
            glared: (colors, m, m) density of each sample on a top of that colour under glare.

        Returns:
            (labels, size, size) for the labels, and (colors, size, size) for the colours under glare.
        """
        labels, m, _ = like.shape
        stands = np.zeros((labels, q.shape[1] + 2, q.shape[2] + 2), np.float32)
        stands[0] = 1  # beyond the grid nothing stands in the way
        stands[:, 1:-1, 1:-1] = q
        shows = stands.copy()
        for label in (0, -1):  # but beyond it lies the rim, then something unknown
            shows[label, [0, -1], :] = shows[label, :, [0, -1]] = 0.5
        top = self._gather(stands, self._top)
        ground = self._gather(shows, self._floor)
        behind = ground.reshape(labels, -1).copy()
        middle = stands.reshape(labels, -1)[:, self._middle]
        behind[:, self._diagonal] *= middle[0]
        behind[1:, self._diagonal] += middle[1:]
        behind[:, self._same] = 0
        behind[0, self._same] = 1
        clear = np.ones(m * m, np.float32)
        clear[self._diagonal] = middle[0]
        unhidden = clear.reshape(m, m) * top[0]
        beyond = behind.reshape(labels, m, m)
        full = beyond * top[0]
        full[1:] += top[1:]
        blurred = np.stack([cv2.GaussianBlur(one, (5, 5), self._blur_px) for one in full])
        rest = np.einsum("kij,kij->ij", np.maximum(blurred - self._top_share * full, 0), like)
        own = self._top_share * like
        own[0] = self._top_share * np.einsum("kij,kij->ij", beyond, like)
        own = np.concatenate([own, self._top_share * glared])
        told = self._weight * np.log(own + (rest + _LEAST))
        seen_past = self._floor_share * unhidden
        rest = np.einsum("kij,kij->ij", np.maximum(blurred - seen_past * ground, 0), like)
        floor = self._sum(self._floor_weight * np.log(seen_past * like + (rest + _LEAST)), self._floor)
        total = self._sum(told, self._top) + np.concatenate([floor, floor[1:-1]])
        mean = (total / np.maximum(self._counts, self._least_count))[:, 1:-1, 1:-1]
        return mean[:labels], mean[labels:]

    @staticmethod
    def _gather(cells: FloatArray, members: tuple[FloatArray, FloatArray]) -> FloatArray:
        """(labels, m, m) values of the cells that the samples belong to."""
        return np.asarray(members[0].T @ cells @ members[1])

    def share_of_cells(self, values: FloatArray) -> FloatArray:
        """(size, size) mean of (m, m) values over the samples at each cell's top."""
        return np.asarray(self._sum(values, self._top)[1:-1, 1:-1] / self._least_count)

    @staticmethod
    def _sum(values: FloatArray, members: tuple[FloatArray, FloatArray]) -> FloatArray:
        """(..., size + 2, size + 2) sums over the samples that belong to each cell."""
        return np.asarray(members[0] @ values @ members[1].T)


def _members(axis: AxisSight, wide: int, which: str) -> FloatArray:
    """(wide, m) 1 where a sample belongs to a cell along one axis."""
    index = axis.top if which == "top" else axis.floor
    return np.asarray(np.arange(wide)[:, None] == index, np.float32)
