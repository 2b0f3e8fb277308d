"""What lies on each cell, given where the grid is: label probabilities from every line of sight over the board."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose
from vision.align import Nudge, nudge_of
from vision.doubt import cut_off_samples, glare_doubt, relief_match, shown_in_part, washed_share
from vision.foreign import foreign_cells, solid_blocks
from vision.imprint import Imprint
from vision.light import empty_level
from vision.likelihood import BoardLook, LikelihoodSettings, SampleLikelihood, board_chroma2, usual_levels
from vision.marks import CellShares, Facts, cell_marks
from vision.observation import Observation
from vision.palette import CellMedians, Palette, cell_chroma, cell_medians, fit_palette, refit_colors, rim_ratios, sample_densities
from vision.sampling import BoardSamples, Window, sample_board
from vision.second import doubt_of_empty, empty_bound, judged_again, learnt, mistrusted, moved_to_unknown, needs_second
from vision.sight import Sight, Views
from vision.thing_marks import thing_marks
from vision.things import THING, thing_probability
from vision.tint import Tints

FloatArray = NDArray[np.float32]

LEAST_P = np.float32(1e-12)
"""Least probability of any label: nothing is impossible, and logarithms stay finite."""

LEAST_KNOWN = 0.5
"""Probability of "unknown" from which a cell does not tell the light."""

CLASSIC_COLORS = ("blue", "yellow", "red", "green")


@dataclass(frozen=True)
class ClassifySettings:
    """Thresholds of the cell reading.

    Attributes:
        per_cell: samples a cell along each axis.
        coarse_per_cell: the same for the first look, which need not see details.
        ring_cells: cells around those that are read again, by which the light is compared.
        pose_error: standard deviation in cells of the pose's error and of the picture's blur.
        evidence: independent samples that a cell's samples are worth: neighbours share noise, texture and shading.
        blown_weight: share of a sample that is blown to white.
        noise_light: linear light at which half of a sample's chroma is noise.
        more_rounds: rounds after the first where pieces hide much of what is behind them.
        much_slanted: share of the lines of sight that pass from one cell into another from which they do.
        prior_empty: probability of an empty cell before looking.
        prior_unknown: the same of a cell that nothing explains.
        prior_glare: probability that a piece lies under glare.
        glare_cover: share of a cell that must be brighter than the board for it.
        most_unexplained: share of an empty cell that may show a piece's colour for no reason.
        foreign_empty: probability from which a cell counts as empty when small things are looked for.
        foreign_cut_off: share of a cell's samples with a channel cut off up to which it does.
        foreign_doubt: probability that what is found so is one.
        most_bare: share of a piece's cell that may show the board.
        most_bare_leaking: the same beside a cell that shows a piece's colour for no reason.
        dim: log brightness over the board's up to which a sample may show it, and not glare.
        likelihood: spreads of the densities.
    """

    per_cell: int = 6
    coarse_per_cell: int = 4
    ring_cells: int = 2
    pose_error: float = 0.1
    evidence: float = 10.0
    blown_weight: float = 0.5
    noise_light: float = 0.004
    more_rounds: int = 2
    much_slanted: float = 0.25
    prior_empty: float = 0.5
    prior_unknown: float = 0.02
    prior_glare: float = 0.0005
    glare_cover: float = 0.15
    most_unexplained: float = 0.1
    foreign_empty: float = 0.9
    foreign_cut_off: float = 0.2
    foreign_doubt: float = 0.8
    most_bare: float = 0.3
    most_bare_leaking: float = 0.1
    dim: float = 0.1
    likelihood: LikelihoodSettings = field(default_factory=LikelihoodSettings)


@dataclass(frozen=True)
class CellReading:
    """What a read says of the cells, and what it has learnt of the picture, from which `read_again` starts.

    Attributes:
        seen: what the cells are told to be.
        palette: the picture's colours.
        medians: of the cells.
        board: what empty cells look like.
        nudge: correction of the pose.
        q: (labels, size, size) probabilities without the last doubts.
        imprint: what is seen of the cells, by which things are told.
        empty_doubt: (size, size) how much the second judgement doubts cells that look empty.
    """

    seen: Observation
    palette: Palette
    medians: CellMedians
    board: BoardLook
    nudge: Nudge
    q: FloatArray
    imprint: Imprint
    empty_doubt: FloatArray


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
    return read_cells(image_bgr, pose, colors, settings).seen


def read_cells(
    image_bgr: NDArray[np.uint8], pose: GridPose, colors: tuple[str, ...] = CLASSIC_COLORS, settings: ClassifySettings | None = None
) -> CellReading:
    """`classify_cells`, and what was learnt on the way.

    A coarse look finds the colours and the pose's error; a finer one, so corrected, decides.
    """
    judge, q, like, views = _judged(image_bgr, pose, colors, settings or ClassifySettings())
    seen, imprint, empty_doubt = judge.final(q, like, views)
    return CellReading(seen, judge.palette, judge.medians, judge.board, judge.look.nudge, q, imprint, empty_doubt)


def cells_in_doubt(image_bgr: NDArray[np.uint8], pose: GridPose, colors: tuple[str, ...]) -> tuple[NDArray[np.bool_], Facts]:
    """What the judgements of doubt are given, for those who would teach them.

    Args:
        image_bgr: (h, w, 3) uint8.
        pose: the grid in that picture.
        colors: of the set in use.

    Returns:
        (size, size) cells in doubt after the first judgement, and what is known of all cells.
    """
    judge, q, like, views = _judged(image_bgr, pose, colors, ClassifySettings())
    return judge.doubted(q, like, views)[1:]


def _judged(
    image_bgr: NDArray[np.uint8], pose: GridPose, colors: tuple[str, ...], s: ClassifySettings
) -> tuple[_Judge, FloatArray, FloatArray, Views]:
    """The judge of a whole board, and what it makes of its samples: the cells' probabilities, the densities, and the views they rest on."""
    coarse = sample_board(image_bgr, pose, s.coarse_per_cell, s.pose_error)
    palette, q = fit_palette(cell_medians(coarse), rim_ratios(coarse), colors)
    look = _Look.at(image_bgr, pose, s, _nudge(coarse, palette, q, s))
    medians = cell_medians(look.samples)
    judge = _Judge.of(look, palette, medians, q)
    slanted = look.sight.slanted > s.much_slanted
    views = look.sight.views(np.broadcast_to(judge.prior, q.shape) if slanted else q)  # what stands before what is not supposed
    q, like = judge.round(q, views)
    for _ in range(s.more_rounds if slanted else 0):
        views = look.sight.views(q)
        q, like = judge.round(q, views)
    return judge, q, like, views


def _nudge(coarse: BoardSamples, palette: Palette, q: FloatArray, s: ClassifySettings) -> Nudge:
    """The pose's error by a coarse look at the whole board, whose cells have the label probabilities ``q``."""
    weight = _sample_weight(coarse, s)
    due = Sight(coarse, weight, s.pose_error).views(q, blur=False).whole
    like = sample_densities(palette, coarse)
    return nudge_of((like / like.sum(0))[:-1], due[:-1], weight, coarse.axes[0], coarse.per_cell)


def read_again(
    image_bgr: NDArray[np.uint8],
    pose: GridPose,
    before: CellReading,
    only: NDArray[np.bool_],
    settings: ClassifySettings | None = None,
) -> CellReading:
    """Reads a few cells of a later picture; all others are what they were, and the light may have changed as a whole.

    Args:
        image_bgr: (h, w, 3) uint8.
        pose: the grid in that picture.
        before: a read of the same board by the same camera.
        only: (size, size) the cells to read.
        settings: thresholds.

    What it does not check: that the other cells have not changed. Many changed cells are read better by `read_cells`.
    """
    if not only.any():
        return before
    s = settings or ClassifySettings()
    look = _Look.at(image_bgr, pose, s, before.nudge, Window.around(only, s.ring_cells))
    palette, medians = _relit(before, look, only)
    prior = _prior(s, len(palette.colors))
    q = np.where(only, prior, before.q)
    judge = _Judge.of(look, palette, medians, q, before.board)
    slanted = look.sight.slanted > s.much_slanted
    views = look.sight.views(q)
    read, like = judge.round(q, views)
    for _ in range(s.more_rounds if slanted else 1):
        q = np.where(only, read, q)
        views = look.sight.views(q)
        read, like = judge.round(q, views)
    q = np.where(only, read, q)
    seen, imprint, empty_doubt = judge.final(q, like, views, only, before)
    log_p = np.where(only[..., None], seen.log_p, before.seen.log_p)
    return CellReading(Observation(palette.labels, log_p), palette, medians, before.board, before.nudge, q, imprint, empty_doubt)


def _relit(before: CellReading, look: _Look, only: NDArray[np.bool_]) -> tuple[Palette, CellMedians]:
    """The palette and the medians under the light of a later look at a part of the board, by the cells there that are not in question."""
    cells, old, new = look.samples.window.cells, before.medians, cell_medians(look.samples)
    known = ~only[cells] & old.enough[cells] & new.enough & (before.q[-1][cells] < LEAST_KNOWN)
    step = np.zeros(3, np.float32)
    if known.any():
        step[:2] = np.median((new.ratios - old.ratios[:, *cells])[:, known], axis=1)
        step[2] = np.median((new.level - old.level[cells])[known])
    ratios, level, enough = old.ratios + step[:2, None, None], old.level + step[2], old.enough.copy()
    ratios[:, *cells], level[cells], enough[cells] = new.ratios, new.level, new.enough
    light, relit = before.palette.light.changed(step[:2], float(step[2])), CellMedians(ratios, level, enough)
    return refit_colors(replace(before.palette, light=light), relit, np.where(only, 0, before.q[0])), relit


@dataclass(frozen=True)
class _Look:
    """The samples of one picture under one nudge of its pose, and what is worked out of them alone."""

    samples: BoardSamples
    nudge: Nudge
    sight: Sight
    settings: ClassifySettings

    @classmethod
    def at(cls, image_bgr: NDArray[np.uint8], pose: GridPose, s: ClassifySettings, nudge: Nudge, window: Window | None = None) -> _Look:
        samples = sample_board(image_bgr, pose, s.per_cell, s.pose_error, nudge, window)
        return cls(samples, nudge, Sight(samples, _sample_weight(samples, s), s.pose_error), s)


@dataclass(frozen=True)
class _Judge:
    """Turns what the samples of a look show into probabilities of the cells, round by round.

    Attributes:
        look: at the board or a window of it.
        palette: the picture's colours.
        medians: of all the board's cells.
        board: what empty cells look like.
        likelihood: densities of the samples.
        prior: (labels, 1, 1) probabilities before looking.
    """

    look: _Look
    palette: Palette
    medians: CellMedians
    board: BoardLook
    likelihood: SampleLikelihood
    prior: FloatArray

    @classmethod
    def of(cls, look: _Look, palette: Palette, medians: CellMedians, q: FloatArray, board: BoardLook | None = None) -> _Judge:
        """For a look under a palette, given the cells' probabilities so far; what empty cells look like is learnt if it is not known."""
        s = look.settings.likelihood
        chroma2 = board_chroma2(look.samples, palette)
        board = board or BoardLook.of(look.samples, chroma2, medians, q[0], s)
        here, _ = empty_level(medians.level, q[0])
        likelihood = SampleLikelihood(look.samples, chroma2, palette, medians.level, here, board, s)
        return cls(look, palette, medians, board, likelihood, _prior(look.settings, len(palette.colors)))

    @cached_property
    def tints(self) -> Tints:
        """Of all the board's cells."""
        return Tints.of(self.palette, self.medians)

    def round(self, q: FloatArray, views: Views) -> tuple[FloatArray, FloatArray]:
        """(labels, size, size) probabilities, and the (labels, r, c) densities of the samples that gave them.

        Args:
            q: probabilities so far, for the brightness of the board and of the colours; those outside the window stay.
            views: what the samples show if the neighbours are what they are supposed to be.
        """
        s, medians, sight, cells = self.look.settings, self.medians, self.look.sight, self.look.samples.window.cells
        here, spread = empty_level(medians.level, q[0])
        usual = usual_levels(self.palette, cell_chroma(self.palette, medians, here), medians.level - here, q)
        like = self.likelihood.densities(here, spread, usual)
        tops, bright = self.likelihood.glared(like, here)
        told, told_glared = sight.cell_evidence(like, views, tops)
        log_q = s.evidence * told + np.log(self.prior)
        may_glare = sight.share_of_cells(bright.astype(np.float32)) > s.glare_cover
        log_glared = s.evidence * told_glared + np.log(self.prior[1:-1]) + np.where(may_glare, np.log(s.prior_glare), -np.inf)
        log_q[1:-1] = np.logaddexp(log_q[1:-1], log_glared + self.tints.odds(q[0])[:, *cells])
        out = np.array(q, np.float32)
        out[:, *cells] = np.exp(log_q - np.logaddexp.reduce(log_q, axis=0)) + LEAST_P
        return out, like

    def facts(self, q: FloatArray, like: FloatArray, views: Views) -> Facts:
        """What is known of the window's cells, besides their probabilities ``q`` by their samples alone."""
        s, samples, sight, color = self.look.settings, self.look.samples, self.look.sight, like[1:-1].max(0)
        here = empty_level(self.medians.level, q[0])
        dim = samples.level < samples.spread(here[0]) + np.float32(s.dim)
        shares = CellShares(
            odd=sight.unexplained(like, color, views),
            bare=sight.bare(like, color, dim),
            covered=sight.share_of_cells((color > 2 * np.maximum(like[0], like[-1])).astype(np.float32)),
            cut_off=sight.share_of_cells(cut_off_samples(samples)),
            blown=sight.share_of_cells(samples.blown.astype(np.float32)),
            inside=sight.share_of_cells(samples.inside.astype(np.float32)),
            relief=relief_match(samples, self.board),
        )
        washed = washed_share(self.palette, self.medians, here[0], q)
        return Facts(samples, self.palette, self.medians, self.board, here, self.likelihood.chroma, like, q, washed, shares)

    def with_doubt(self, facts: Facts) -> FloatArray:
        """The probabilities with a part of "empty" and of the colours given to "unknown" where something else may look like that too."""
        q, cells = facts.q, facts.samples.window.cells
        leaks = (facts.shares.odd > self.look.settings.most_unexplained) & (q[0][cells] > 0.5)
        given = np.empty((len(q) - 1, *leaks.shape), np.float32)
        given[0] = q[0][cells] * self._doubt_of_empty(facts, leaks)
        given[1:] = q[1:-1][:, *cells] * self._doubt_of_pieces(facts, leaks)
        out = q.copy()
        out[:-1, *cells] -= given
        out[-1][cells] += given.sum(0)
        return out

    def _doubt_of_empty(self, facts: Facts, leaks: NDArray[np.bool_]) -> FloatArray:
        """(rows, cols) share of "empty" that is in doubt: a piece in glare, one that lies across cells, or a thing."""
        s, q, shares, window = self.look.settings, facts.q, facts.shares, facts.samples.window
        share = glare_doubt(window, shares.relief, facts.washed, q, shares.odd, shares.cut_off)
        share = np.where(self.likelihood.hidden_by_glare(facts.here[0]) | leaks, np.maximum(share, 0.5), share)
        clear = q[0] > s.foreign_empty
        clear[window.cells] &= shares.cut_off < s.foreign_cut_off
        foreign = foreign_cells(self.palette, self.medians, clear, self.board.chroma_sd)[window.cells]
        return np.asarray(np.where(foreign, s.foreign_doubt, share), np.float32)

    def _doubt_of_pieces(self, facts: Facts, leaks: NDArray[np.bool_]) -> FloatArray:
        """(rows, cols) share of the colours that is in doubt: a piece that lies across cells, or a neighbour's wall."""
        s, shares = self.look.settings, facts.shares
        beside_leak = cv2.dilate(leaks.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        askew = shares.bare > np.where(beside_leak, s.most_bare_leaking, s.most_bare)
        return np.asarray(0.5 * (askew | shown_in_part(facts.washed, facts.q, shares.covered, facts.samples.window)), np.float32)

    def doubted(self, q: FloatArray, like: FloatArray, views: Views) -> tuple[FloatArray, NDArray[np.bool_], Facts]:
        """The probabilities after the first judgement, the window's cells that are in any doubt (size, size), and what is known of them."""
        facts = self.facts(q, like, views)
        p = self.with_doubt(facts)
        return p, needs_second(p) & facts.samples.window.mask(facts.samples.size), facts

    def final(
        self, q: FloatArray, like: FloatArray, views: Views, only: NDArray[np.bool_] | None = None, before: CellReading | None = None
    ) -> tuple[Observation, Imprint, FloatArray]:
        """What the cells are told to be, those in doubt being judged a second time.

        For the next look also what is seen of them, and (size, size) how much those that look empty are doubted then.

        Args:
            q: probabilities of the cells.
            like: (labels, r, c) densities of the samples.
            views: by which those gave these.
            only: (size, size) the cells that are told; None: all.
            before: an earlier look, which tells of the others.
        """
        p, again, facts = self.doubted(q, like, views)
        only = np.ones_like(again) if only is None else only
        again &= only
        marks = cell_marks(facts, again[facts.samples.window.cells])
        second = learnt()(marks)
        empty_doubt = np.where(only, np.float32(0), before.empty_doubt) if before else np.zeros(again.shape, np.float32)
        empty_doubt[again] = np.where(p[:, again].argmax(0) == 0, doubt_of_empty(second), 0)
        imprint = Imprint.of(facts, before.imprint if before else None)
        thing = thing_probability(thing_marks(imprint, facts))
        p[:, again] = judged_again(p[:, again], second, q[1:-1, again].argmax(0), empty_bound(empty_doubt)[again], thing[again])
        share = np.where(solid_blocks(p) | (thing > THING), np.float32(self.look.settings.foreign_doubt), np.float32(0))
        p = moved_to_unknown(mistrusted(p, whole=before is None), share)
        return Observation(self.palette.labels, np.moveaxis(np.log(p), 0, -1).astype(np.float32)), imprint, empty_doubt


def _prior(s: ClassifySettings, colors: int) -> FloatArray:
    """(labels, 1, 1) probabilities before looking."""
    each = (1 - s.prior_empty - s.prior_unknown) / colors
    return np.array([s.prior_empty, *[each] * colors, s.prior_unknown], np.float32)[:, None, None]


def _sample_weight(samples: BoardSamples, s: ClassifySettings) -> FloatArray:
    """(r, c) how much each sample tells: little when blown or dark, nothing outside the picture."""
    light2 = samples.linear_bgr.mean(0) ** 2
    signal = light2 / (light2 + np.float32(s.noise_light**2))
    return np.asarray(np.where(samples.blown, s.blown_weight, signal) * samples.inside, np.float32)
