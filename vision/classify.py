"""What lies on each cell, given where the grid is: label probabilities from every line of sight over the board."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose
from vision.light import empty_level
from vision.likelihood import LikelihoodSettings, SampleLikelihood, usual_levels
from vision.observation import Observation
from vision.palette import cell_chroma, cell_medians, fit_palette
from vision.sampling import BoardSamples, sample_board
from vision.sight import Sight

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
        rounds: times that the neighbours' labels are used anew.
        prior_empty: probability of an empty cell before looking.
        prior_unknown: the same of a cell that nothing explains.
        prior_glare: probability that a piece lies under glare.
        glare_cover: share of a cell that must be brighter than the board for it.
        likelihood: spreads of the densities.
    """

    per_cell: int = 8
    pose_error: float = 0.1
    evidence: float = 10.0
    blown_weight: float = 0.3
    noise_light: float = 0.004
    rounds: int = 3
    prior_empty: float = 0.5
    prior_unknown: float = 0.02
    prior_glare: float = 0.02
    glare_cover: float = 0.15
    likelihood: LikelihoodSettings = field(default_factory=LikelihoodSettings)


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
    medians = cell_medians(samples)
    palette, q = fit_palette(medians, colors)
    likelihood = SampleLikelihood(samples, palette, medians, q[0], s.likelihood)
    sight = Sight(samples, _sample_weight(samples, s), s.pose_error)
    prior = _prior(s, len(colors))
    neighbours = np.broadcast_to(prior, q.shape)  # at first nothing is supposed of what stands before a cell
    log_q = np.log(q)
    for _ in range(s.rounds):
        here, spread = empty_level(medians.level, q[0])
        like = likelihood.densities(here, spread, usual_levels(palette, cell_chroma(palette, medians, here), medians.level - here, q))
        tops, bright = likelihood.glared(like, here)
        told, told_glared = sight.cell_evidence(like, neighbours, tops)
        log_q = s.evidence * told + np.log(prior)
        may_glare = np.where(sight.share_of_cells(bright.astype(np.float32)) > s.glare_cover, np.log(s.prior_glare), -np.inf)
        log_q[1:-1] = np.logaddexp(log_q[1:-1], s.evidence * told_glared + np.log(prior[1:-1]) + may_glare)
        log_q -= np.logaddexp.reduce(log_q, axis=0)
        q = neighbours = np.exp(log_q)
    return Observation(palette.labels, np.moveaxis(log_q, 0, -1).astype(np.float32))


def _prior(s: ClassifySettings, colors: int) -> FloatArray:
    """(labels, 1, 1) probabilities before looking."""
    each = (1 - s.prior_empty - s.prior_unknown) / colors
    return np.array([s.prior_empty, *[each] * colors, s.prior_unknown], np.float32)[:, None, None]


def _sample_weight(samples: BoardSamples, s: ClassifySettings) -> FloatArray:
    """(m, m) how much each sample tells: little when blown or dark, nothing outside the picture."""
    light2 = samples.linear_bgr.mean(0) ** 2
    signal = light2 / (light2 + np.float32(s.noise_light**2))
    return np.asarray(np.where(samples.blown, s.blown_weight, signal) * samples.inside, np.float32)
