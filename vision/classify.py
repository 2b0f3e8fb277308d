"""What lies on each cell, given where the grid is: label probabilities from every line of sight over the board."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose
from vision.align import NO_NUDGE, Nudge, nudge_of, shifts
from vision.light import empty_level
from vision.likelihood import LikelihoodSettings, SampleLikelihood, usual_levels
from vision.observation import Observation
from vision.palette import CellMedians, Palette, cell_chroma, cell_medians, fit_palette
from vision.sampling import BoardSamples, sample_board
from vision.sight import Sight
from vision.tint import tint_odds

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
        first_rounds: times that the neighbours' labels are used anew before the pose is nudged.
        last_rounds: the same after it.
        least_nudge: correction of the pose in cells below which the samples are not taken again.
        prior_empty: probability of an empty cell before looking.
        prior_unknown: the same of a cell that nothing explains.
        prior_glare: probability that a piece lies under glare.
        glare_cover: share of a cell that must be brighter than the board for it.
        most_unexplained: share of an empty cell that may show a piece's colour for no reason.
        likelihood: spreads of the densities.
    """

    per_cell: int = 6
    pose_error: float = 0.1
    evidence: float = 10.0
    blown_weight: float = 0.5
    noise_light: float = 0.004
    first_rounds: int = 2
    last_rounds: int = 1
    least_nudge: float = 0.03
    prior_empty: float = 0.5
    prior_unknown: float = 0.02
    prior_glare: float = 0.02
    glare_cover: float = 0.15
    most_unexplained: float = 0.1
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
    look = _Look.at(image_bgr, pose, s, NO_NUDGE)
    palette, q = fit_palette(look.medians, colors)
    likelihood = look.likelihood(palette, q)
    q, like = look.judge(palette, likelihood, q, None, s.first_rounds)
    nudge = nudge_of(like, look.sight.views(q).whole, look.weight, look.axis, s.per_cell)
    if np.abs(shifts(nudge, np.array([-1.0, 1.0], np.float32))).max() > s.least_nudge:
        look = _Look.at(image_bgr, pose, s, nudge)
        likelihood = look.likelihood(palette, q)
    q, like = look.judge(palette, likelihood, q, q, s.last_rounds)
    unexplained = look.sight.unexplained(like, look.sight.views(q)) > s.most_unexplained
    doubt = 0.5 * q[0] * (likelihood.hidden_by_glare(empty_level(look.medians.level, q[0])[0]) | unexplained)
    q[0], q[-1] = q[0] - doubt, q[-1] + doubt
    return Observation(palette.labels, np.moveaxis(np.log(q), 0, -1).astype(np.float32))


@dataclass(frozen=True)
class _Look:
    """The samples of one picture under one nudge of its pose, and what is worked out of them alone."""

    samples: BoardSamples
    medians: CellMedians
    weight: FloatArray
    sight: Sight
    settings: ClassifySettings

    @classmethod
    def at(cls, image_bgr: NDArray[np.uint8], pose: GridPose, s: ClassifySettings, nudge: Nudge) -> _Look:
        samples = sample_board(image_bgr, pose, s.per_cell, s.pose_error, nudge)
        weight = _sample_weight(samples, s)
        return cls(samples, cell_medians(samples), weight, Sight(samples, weight, s.pose_error), s)

    @property
    def axis(self) -> FloatArray:
        """(m,) places of the samples, -1 to 1 across the board."""
        return np.asarray(self.samples.cols.at / self.samples.size * 2 - 1)

    def likelihood(self, palette: Palette, q: FloatArray) -> SampleLikelihood:
        """The densities of the samples under a palette, given the cells' probabilities so far."""
        return SampleLikelihood(self.samples, palette, self.medians, q[0], self.settings.likelihood)

    def judge(
        self, palette: Palette, likelihood: SampleLikelihood, q: FloatArray, neighbours: FloatArray | None, rounds: int
    ) -> tuple[FloatArray, FloatArray]:
        """(labels, size, size) probabilities after some rounds, and the (labels, m, m) densities of the samples in the last.

        Args:
            palette: fitted.
            likelihood: of the samples under it.
            q: probabilities so far, for the brightness of the board and the colours.
            neighbours: the same for what stands before and beside a cell; None when nothing is to be supposed yet.
            rounds: how many.
        """
        s, level = self.settings, self.medians.level
        prior = _prior(s, len(palette.colors))
        like = np.empty(0, np.float32)
        for _ in range(rounds):
            here, spread = empty_level(level, q[0])
            like = likelihood.densities(here, spread, usual_levels(palette, cell_chroma(palette, self.medians, here), level - here, q))
            tops, bright = likelihood.glared(like, here)
            views = self.sight.views(np.broadcast_to(prior, q.shape) if neighbours is None else neighbours)
            told, told_glared = self.sight.cell_evidence(like, views, tops)
            may_glare = self.sight.share_of_cells(bright.astype(np.float32)) > s.glare_cover
            log_q = s.evidence * told + np.log(prior)
            log_glared = s.evidence * told_glared + np.log(prior[1:-1]) + np.where(may_glare, np.log(s.prior_glare), -np.inf)
            log_glared += tint_odds(palette, self.medians, q[0])
            log_q[1:-1] = np.logaddexp(log_q[1:-1], log_glared)
            q = neighbours = np.exp(log_q - np.logaddexp.reduce(log_q, axis=0)) + np.float32(1e-12)
        return q, like


def _prior(s: ClassifySettings, colors: int) -> FloatArray:
    """(labels, 1, 1) probabilities before looking."""
    each = (1 - s.prior_empty - s.prior_unknown) / colors
    return np.array([s.prior_empty, *[each] * colors, s.prior_unknown], np.float32)[:, None, None]


def _sample_weight(samples: BoardSamples, s: ClassifySettings) -> FloatArray:
    """(m, m) how much each sample tells: little when blown or dark, nothing outside the picture."""
    light2 = samples.linear_bgr.mean(0) ** 2
    signal = light2 / (light2 + np.float32(s.noise_light**2))
    return np.asarray(np.where(samples.blown, s.blown_weight, signal) * samples.inside, np.float32)
