"""What lies on each cell, given where the grid is: label probabilities from every line of sight over the board."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose
from vision.observation import Observation
from vision.palette import Palette, PaletteSettings, cell_chroma, chroma, empty_level, fit_palette, log_level, with_levels
from vision.sampling import MARGIN_CELLS, BoardSamples, sample_board

FloatArray = NDArray[np.float32]

CLASSIC_COLORS = ("blue", "yellow", "red", "green")


@dataclass(frozen=True)
class ClassifySettings:
    """Thresholds of the cell reading.

    Attributes:
        per_cell: samples a cell along each axis.
        pose_error: standard deviation in cells of the pose's error and of the picture's blur.
        evidence: independent samples that a cell's samples are worth: neighbours share noise, texture and shading.
        blown_weight: share of a sample that is blown to white.
        noise_light: linear light at which half of a sample's chroma is noise.
        ceiling_light: linear light of the brightest channel from which cameras press the highlights together.
        rounds: times that the neighbours' labels are used anew.
        palette: thresholds of the colour model.
    """

    per_cell: int = 8
    pose_error: float = 0.08
    evidence: float = 10.0
    blown_weight: float = 0.15
    noise_light: float = 0.004
    ceiling_light: float = 0.8
    rounds: int = 3
    palette: PaletteSettings = PaletteSettings()


def classify_cells(
    image_bgr: NDArray[np.uint8], pose: GridPose, colors: tuple[str, ...] = CLASSIC_COLORS, settings: ClassifySettings | None = None
) -> Observation:
    """Label probabilities of every cell.

    Args:
        image_bgr: (h, w, 3) uint8.
        pose: the grid in that picture; an error of 0.15 cell is tolerated.
        colors: the colours of the set in use.
        settings: thresholds.

    What it does not check: that the pose is right, and whether the labels make pieces.
    """
    s = settings or ClassifySettings()
    samples = sample_board(image_bgr, pose, s.per_cell, s.pose_error)
    palette, q, medians = fit_palette(samples, colors, s.palette)
    z = _sample_chroma(samples, palette)
    level = log_level(samples.linear_bgr, s.palette.dark_floor)
    ceiling = samples.linear_bgr.max(-1) > s.ceiling_light
    sight = _Sight(samples, _sample_weight(samples, s))
    ignorant = np.array([0.5] + [0.5 / (q.shape[-1] - 1)] * (q.shape[-1] - 1), np.float32)
    for k in range(s.rounds):
        here, spread = empty_level(medians, q[..., 0], s.palette)
        palette = with_levels(palette, cell_chroma(palette, medians), medians[..., 2] - here, q)
        logs = palette.log_density(z, level - samples.spread(here), samples.spread(spread), ceiling)
        log_q = sight.cell_evidence(logs, ignorant * np.ones_like(q) if k == 0 else q, s)
        log_q -= np.logaddexp.reduce(log_q, axis=-1, keepdims=True)
        q = np.exp(log_q).astype(np.float32)
    return Observation(palette.labels, log_q.astype(np.float32))


def _sample_chroma(samples: BoardSamples, palette: Palette) -> FloatArray:
    """(m, m, 2) chroma of each sample against the fitted light."""
    axis = np.clip(samples.cols.at / samples.size * 2 - 1, -1, 1)
    x, y = np.meshgrid(axis, axis)
    return chroma(samples.linear_bgr, palette.light.at(x, y), palette.settings.dark_floor)


def _sample_weight(samples: BoardSamples, s: ClassifySettings) -> FloatArray:
    """(m, m) how much each sample tells: little when blown or dark, nothing outside the picture."""
    light = samples.linear_bgr.mean(-1)
    signal = light**2 / (light**2 + s.noise_light**2)
    return np.asarray(np.where(samples.blown, s.blown_weight, signal) * samples.inside, np.float32)


class _Sight:
    """The lines of sight of one picture, prepared for summing what they tell about each cell."""

    def __init__(self, samples: BoardSamples, weight: FloatArray) -> None:
        self.samples = samples
        self.weight = weight
        rows, cols = samples.rows, samples.cols
        self.same = (rows.top == rows.floor)[:, None] & (cols.top == cols.floor)
        self.diagonal = (rows.top != rows.floor)[:, None] & (cols.top != cols.floor)
        self.row_first = rows.crossing[:, None] < cols.crossing
        self.top_share = rows.top_share[:, None] * cols.top_share
        self.floor_share = rows.floor_share[:, None] * cols.floor_share

    def cell_evidence(self, logs: FloatArray, q: FloatArray, s: ClassifySettings) -> FloatArray:
        """(size, size, labels) log probability of each cell's labels, given the neighbours' probabilities ``q``.

        Args:
            logs: (m, m, labels) log density of each sample under each label.
            q: (size, size, labels).
            s: thresholds.
        """
        labels = logs.shape[-1]
        rows, cols = self.samples.rows, self.samples.cols
        stands = np.zeros((q.shape[0] + 2, q.shape[1] + 2, labels), np.float32)
        stands[..., 0] = 1  # beyond the grid nothing stands in the way
        stands[1:-1, 1:-1] = q
        shows = stands.copy()
        shows[[0, -1]] = shows[:, [0, -1]] = np.eye(labels, dtype=np.float32)[-1]  # but what the table shows is not known
        top = stands[rows.top][:, cols.top]
        middle = np.where(self.row_first[..., None], stands[rows.floor][:, cols.top], stands[rows.top][:, cols.floor])
        clear_middle = np.where(self.diagonal, middle[..., 0], 1)
        behind = shows[rows.floor][:, cols.floor] * clear_middle[..., None]
        behind[..., 1:] += np.where(self.diagonal[..., None], middle[..., 1:], 0)
        behind[self.same] = np.eye(labels, dtype=np.float32)[0]
        full = behind * top[..., :1]
        full[..., 1:] += top[..., 1:]
        blurred = cv2.GaussianBlur(full, (5, 5), s.pose_error * s.per_cell)
        like = np.exp(logs)
        share = self.top_share[..., None]
        rest = (np.maximum(blurred - share * full, 0) * like).sum(-1)
        first = share * like
        first[..., 0] = self.top_share * (behind * like).sum(-1)
        told = self.weight[..., None] * np.log(first + rest[..., None] + 1e-6)
        clear = (self.floor_share * top[..., 0] * clear_middle)[..., None]
        floor = np.where(self.same, 0, self.weight)
        rest = (np.maximum(blurred - clear * shows[rows.floor][:, cols.floor], 0) * like).sum(-1)
        told_floor = floor[..., None] * np.log(clear * like + rest[..., None] + 1e-6)
        total = _sum_cells(told, rows.top, cols.top) + _sum_cells(told_floor, rows.floor, cols.floor)
        count = _sum_cells(self.weight, rows.top, cols.top) + _sum_cells(floor, rows.floor, cols.floor)
        scaled = s.evidence * total / np.maximum(count, s.per_cell**2)[..., None]
        prior = np.log(np.array([0.5] + [0.48 / (labels - 2)] * (labels - 2) + [0.02]))
        return np.asarray(scaled[1:-1, 1:-1] + prior)


def _sum_cells(values: FloatArray, row: NDArray[np.intp], col: NDArray[np.intp]) -> FloatArray:
    """Sums of (m, m, ...) sample values by the cells' never decreasing row and column indices: (size + 2, size + 2, ...)."""
    count = int(max(row[-1], col[-1])) + 1
    size = len(row) // (len(row) // count) if count else 0
    for axis, index in ((0, row), (1, col)):
        starts = np.searchsorted(index, np.arange(size))
        present = np.searchsorted(index, np.arange(size), side="right") > starts
        summed = np.add.reduceat(values, np.minimum(starts, len(index) - 1), axis=axis)
        values = summed * np.expand_dims(present, tuple(k for k in range(summed.ndim) if k != axis))
    return values
