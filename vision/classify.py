"""What lies on each cell, given where the grid is: label probabilities from every line of sight over the board."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose
from vision.observation import Observation
from vision.palette import Palette, PaletteSettings, chroma, fit_palette
from vision.sampling import MARGIN_CELLS, BoardSamples, sample_board

FloatArray = NDArray[np.float32]

CLASSIC_COLORS = ("blue", "yellow", "red", "green")


@dataclass(frozen=True)
class ClassifySettings:
    """Thresholds of the cell reading.

    Attributes:
        per_cell: samples a cell along each axis.
        evidence: independent samples that a cell's samples are worth: neighbours share noise, texture and shading.
        clipped_weight: share of a sample whose channels are at their limit.
        noise_light: linear light at which half of a sample's chroma is noise.
        rounds: times that the neighbours' labels are used anew.
        palette: thresholds of the colour model.
    """

    per_cell: int = 8
    evidence: float = 8.0
    clipped_weight: float = 0.15
    noise_light: float = 0.004
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
    samples = sample_board(image_bgr, pose, s.per_cell)
    palette, q = fit_palette(samples, colors, s.palette)
    logs = _sample_log_density(samples, palette)
    weight = _sample_weight(samples, s)
    for _ in range(s.rounds):
        log_q = _cell_evidence(samples, logs, weight, q, s)
        log_q -= np.logaddexp.reduce(log_q, axis=-1, keepdims=True)
        q = np.exp(log_q)
    return Observation(palette.labels, log_q.astype(np.float32))


def _sample_log_density(samples: BoardSamples, palette: Palette) -> FloatArray:
    """(m, m, labels) log density of each sample under each label."""
    n = samples.size
    at = ((np.arange(samples.inside.shape[0]) + 0.5) / samples.per_cell - MARGIN_CELLS).astype(np.float32)
    axis = np.clip(at / n * 2 - 1, -1, 1)
    x, y = np.meshgrid(axis, axis)
    z = chroma(samples.linear_bgr, palette.light.at(x, y), palette.settings.dark_floor)
    return palette.log_density(z)


def _sample_weight(samples: BoardSamples, s: ClassifySettings) -> FloatArray:
    """(m, m) how much each sample tells: little when clipped or dark, nothing outside the picture."""
    light = samples.linear_bgr.mean(-1)
    signal = light**2 / (light**2 + s.noise_light**2)
    return np.asarray(np.where(samples.clipped, s.clipped_weight, signal) * samples.inside, np.float32)


def _cell_evidence(samples: BoardSamples, logs: FloatArray, weight: FloatArray, q: FloatArray, s: ClassifySettings) -> FloatArray:
    """(size, size, labels) log probability of each cell's labels, given the neighbours' probabilities ``q``."""
    n, labels = samples.size, logs.shape[-1]
    padded = np.zeros((n + 2, n + 2, labels), np.float32)
    padded[..., 0] = 1  # beyond the grid nothing stands in the way
    padded[1:-1, 1:-1] = q
    flat = padded.reshape(-1, labels)
    beyond = flat.copy().reshape(n + 2, n + 2, labels)
    beyond[[0, -1]] = beyond[:, [0, -1]] = np.eye(labels, dtype=np.float32)[-1]
    beyond = beyond.reshape(-1, labels)
    # what a line of sight shows when its first cell is empty
    behind = beyond[samples.floor_rc].copy()
    mid = flat[samples.mid_rc]
    distinct = (samples.mid_rc != samples.top_rc) & (samples.mid_rc != samples.floor_rc)
    clear_mid = np.where(distinct, mid[..., 0], 1.0)
    behind = behind * clear_mid[..., None]
    behind[..., 1:] += np.where(distinct[..., None], mid[..., 1:], 0)
    same = samples.top_rc == samples.floor_rc
    behind[same] = np.eye(labels, dtype=np.float32)[0]
    behind = cv2.blur(behind, (3, 3))
    top = np.where(samples.top_inset > s.palette.core_inset, weight, 0)
    like = np.exp(logs)
    seen_through = np.log((behind * like).sum(-1) + 1e-6)
    first = top[..., None] * logs
    first[..., 0] = top * seen_through
    # the floor, where nothing stands before it
    clear = np.where(same, 1.0, flat[samples.top_rc][..., 0] * clear_mid)
    clear = cv2.erode(clear.astype(np.float32), np.ones((3, 3)))
    floor = np.where(samples.floor_inset > s.palette.core_inset, weight * clear, 0) * (~same)
    total = np.stack([np.bincount(samples.top_rc.ravel(), first[..., k].ravel(), (n + 2) ** 2) for k in range(labels)], -1)
    total += np.stack([np.bincount(samples.floor_rc.ravel(), (floor * logs[..., k]).ravel(), (n + 2) ** 2) for k in range(labels)], -1)
    count = np.bincount(samples.top_rc.ravel(), top.ravel(), (n + 2) ** 2) + np.bincount(samples.floor_rc.ravel(), floor.ravel(), (n + 2) ** 2)
    full = (s.per_cell * (1 - 2 * s.palette.core_inset)) ** 2
    scaled = s.evidence * total / np.maximum(count, full)[:, None]
    prior = np.log(np.array([0.5] + [0.48 / (labels - 2)] * (labels - 2) + [0.02]))
    out = scaled.reshape(n + 2, n + 2, labels)[1:-1, 1:-1] + prior
    return np.asarray(out, np.float64)
