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
from vision.sight import Sight, Views
from vision.tint import tint_odds

FloatArray = NDArray[np.float32]

LEAST_P = np.float32(1e-12)
"""Least probability of any label: nothing is impossible, and logarithms stay finite."""

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
        slanted_rounds: rounds before the last one where pieces hide much of what is behind them; else one.
        much_slanted: share of the lines of sight that pass from one cell into another from which they do.
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
    slanted_rounds: int = 2
    much_slanted: float = 0.25
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
    judge = _Judge.of(look, palette, q)
    views = look.sight.views(np.broadcast_to(judge.prior, q.shape))  # at first nothing is supposed of what stands before a cell
    like = np.empty(0, np.float32)
    for _ in range(s.slanted_rounds if look.sight.slanted > s.much_slanted else 1):
        q, like = judge.round(q, views)
        views = look.sight.views(q)
    nudge = nudge_of(like, views.whole, look.weight, look.axis, s.per_cell)
    if np.abs(shifts(nudge, np.array([-1.0, 1.0], np.float32))).max() > s.least_nudge:
        judge = _Judge.of(_Look.at(image_bgr, pose, s, nudge), palette, q)
    q, like = judge.round(q, views)
    q = judge.with_doubt(q, like, views)
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


@dataclass(frozen=True)
class _Judge:
    """Turns what the samples show into probabilities of the cells, round by round."""

    look: _Look
    palette: Palette
    likelihood: SampleLikelihood
    prior: FloatArray

    @classmethod
    def of(cls, look: _Look, palette: Palette, q: FloatArray) -> _Judge:
        """For a look under a palette, given the cells' probabilities so far."""
        likelihood = SampleLikelihood(look.samples, palette, look.medians, q[0], look.settings.likelihood)
        return cls(look, palette, likelihood, _prior(look.settings, len(palette.colors)))

    def round(self, q: FloatArray, views: Views) -> tuple[FloatArray, FloatArray]:
        """(labels, size, size) probabilities, and the (labels, m, m) densities of the samples that gave them.

        Args:
            q: probabilities so far, for the brightness of the board and of the colours.
            views: what the samples show if the neighbours are what they are supposed to be.
        """
        s, medians, sight = self.look.settings, self.look.medians, self.look.sight
        here, spread = empty_level(medians.level, q[0])
        usual = usual_levels(self.palette, cell_chroma(self.palette, medians, here), medians.level - here, q)
        like = self.likelihood.densities(here, spread, usual)
        tops, bright = self.likelihood.glared(like, here)
        told, told_glared = sight.cell_evidence(like, views, tops)
        log_q = s.evidence * told + np.log(self.prior)
        may_glare = sight.share_of_cells(bright.astype(np.float32)) > s.glare_cover
        log_glared = s.evidence * told_glared + np.log(self.prior[1:-1]) + np.where(may_glare, np.log(s.prior_glare), -np.inf)
        log_q[1:-1] = np.logaddexp(log_q[1:-1], log_glared + tint_odds(self.palette, medians, q[0]))
        return np.exp(log_q - np.logaddexp.reduce(log_q, axis=0)) + LEAST_P, like

    def with_doubt(self, q: FloatArray, like: FloatArray, views: Views) -> FloatArray:
        """The probabilities with half of "empty" given to "unknown" where a piece may look like that too."""
        here, _ = empty_level(self.look.medians.level, q[0])
        odd = self.look.sight.unexplained(like, views) > self.look.settings.most_unexplained
        doubt = 0.5 * q[0] * (self.likelihood.hidden_by_glare(here) | odd)
        out = q.copy()
        out[0] -= doubt
        out[-1] += doubt
        return out


def _prior(s: ClassifySettings, colors: int) -> FloatArray:
    """(labels, 1, 1) probabilities before looking."""
    each = (1 - s.prior_empty - s.prior_unknown) / colors
    return np.array([s.prior_empty, *[each] * colors, s.prior_unknown], np.float32)[:, None, None]


def _sample_weight(samples: BoardSamples, s: ClassifySettings) -> FloatArray:
    """(m, m) how much each sample tells: little when blown or dark, nothing outside the picture."""
    light2 = samples.linear_bgr.mean(0) ** 2
    signal = light2 / (light2 + np.float32(s.noise_light**2))
    return np.asarray(np.where(samples.blown, s.blown_weight, signal) * samples.inside, np.float32)
