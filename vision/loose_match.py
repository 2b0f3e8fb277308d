"""What explains a patch best, and whether nothing else does: so many squares of one lattice, or two pieces askew."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from referee.cells import components
from vision.loose_pair import MOST_SQUARES, fit_pair
from vision.loose_patch import PATCH_PX, Patch
from vision.loose_shape import AGREES, TURNS_DEG, LatticeFit, fit_lattice, without_wall
from vision.loose_view import FloatArray, Points


@dataclass(frozen=True)
class MatchSettings:
    """Thresholds.

    Attributes:
        walls: parts of the wall's height that may have the piece's colour, the usual one first; the rest is lost in shadow.
        overlap: least share that squares and patch have in common, to what either has.
        lead: how much less any other number of squares must overlap.
        misfit: greatest mean distance in cells between the outlines of squares and patch.
        misfit_single: the same for a single square, with which dice must not be taken; walls blur it: ``misfit_of_wall`` for each
            cell that they are seen long.
        size: least area of a patch to that of one or two squares: toy bricks and dice are smaller.
        straight: how much the edges must keep to two directions at right angles: squares do to more than 0.4, discs to 0.2.
        stray: greatest part of a spot of 0.4 cell that belongs to one of the two only.
        empty: least share of each place beside the squares that must be seen to be empty, or there may be more of them.
        repeats: how much the squares of a block must look alike: boxes and books of whole cells are plain or printed.
        pair_lead: how much better two pieces must explain a patch than one: hidden or glaring parts of one are no second piece.
        askew_deg: least angle between two pieces that are told apart by it.
        doubtful_overlap: least overlap of what may be a piece and is called unsure; below it is no piece.
        doubtful_misfit: greatest misfit of the same.
        cut_overlap: least overlap of the same where it goes on out of sight; ``cut_straight`` how straight its edges must be there,
            and ``cut_strength`` how full its colour.
        doubtful_strength: least strength of its colour.
    """

    walls: tuple[float, ...] = (0.5, 1.0, 0.0)
    overlap: float = 0.8
    lead: float = 0.04
    misfit: float = 0.075
    misfit_single: float = 0.048
    misfit_of_wall: float = 0.03
    size: float = 0.80
    straight: float = 0.33
    stray: float = 0.45
    empty: float = 0.2
    repeats: float = 1.9
    pair_lead: float = 0.1
    askew_deg: float = 5.0
    doubtful_overlap: float = 0.72
    doubtful_misfit: float = 0.13
    cut_overlap: float = 0.62
    cut_straight: float = 0.25
    cut_strength: float = 0.7
    doubtful_strength: float = 0.55


@dataclass(frozen=True)
class Match:
    """How well pieces explain a patch.

    Attributes:
        fits: their squares.
        wall: (2,) px that are seen of their near walls.
        overlap: what pieces and patch have in common, to what either has.
        misfit: mean distance of their outlines in cells.
        stray: greatest part of a spot of 0.4 cell that belongs to one of the two only.
    """

    fits: tuple[LatticeFit, ...]
    wall: Points
    overlap: float
    misfit: float
    stray: float

    @classmethod
    def of(cls, patch: Patch, fits: tuple[LatticeFit, ...], wall: Points) -> Match:
        """Compares a patch with pieces below which a wall (2,) px is seen; of its covers that counts which they explain best."""
        drawn = np.max([fit.drawn(patch.cover.shape, wall) for fit in fits], axis=0)
        sides = sum(fit.sides for fit in fits)
        match = cls(fits, wall, *_differences(patch.cover, drawn, sides))
        if match.overlap > AGREES:
            return match
        others = (cls(fits, wall, *_differences(cover, drawn, sides)) for cover in patch.other_covers)
        return max((match, *others), key=lambda one: one.overlap)

    @property
    def squares(self) -> int:
        """How many squares they have together."""
        return sum(len(fit.cells) for fit in self.fits)

    def is_close(self, s: MatchSettings, wall: Points) -> bool:
        """Whether nothing of the patch is left to explain; ``wall`` (2,) px is how long its walls are seen."""
        single = s.misfit_single + s.misfit_of_wall * float(np.hypot(*wall)) / PATCH_PX
        misfit = single if self.squares == 1 else s.misfit
        return self.overlap > s.overlap and self.misfit < misfit and self.stray < s.stray and self.is_straight(s)

    def is_straight(self, s: MatchSettings) -> bool:
        """Whether the edges are those of squares."""
        return all(fit.straight > s.straight for fit in self.fits)

    def may_be(self, patch: Patch, s: MatchSettings) -> bool:
        """Whether the patch looks like pieces at all; of those that are cut off, less is asked."""
        is_cut = any(fit.empty_around(patch.empty) < s.empty for fit in self.fits) and patch.strength > s.cut_strength
        overlap, straight = (s.cut_overlap, s.cut_straight) if is_cut else (s.doubtful_overlap, s.straight)
        straight_enough = all(fit.straight > straight for fit in self.fits)
        return self.overlap > overlap and self.misfit < s.doubtful_misfit and straight_enough


def _differences(cover: FloatArray, drawn: FloatArray, sides: int) -> tuple[float, float, float]:
    """What two patches (h, w) have in common, their mean distance over outlines of that length, and the greatest stray spot."""
    off = np.abs(drawn - cover)
    total, spot = float(off.sum()), round(0.4 * PATCH_PX)
    stray = float(cv2.boxFilter(off, -1, (spot, spot)).max())
    return 1 - total / float(np.maximum(drawn, cover).sum()), total / PATCH_PX**2 / sides, stray


def match_lattice(patch: Patch, wall: Points, s: MatchSettings) -> list[Match]:
    """The best squares for each part of the wall (2,) px that may belong to the patch."""
    found: list[Match] = []
    for part in s.walls if np.hypot(*wall) > 0.1 * PATCH_PX else s.walls[:1]:
        match = _match_at(patch, wall * part)
        if match is not None:
            found.append(match)
            if match.overlap > AGREES:
                return found
    best = max(found, key=lambda match: match.overlap, default=None)
    turned = _match_at(patch, best.wall, TURNS_DEG) if best is not None else None
    return found if turned is None else [*found, turned]


def _match_at(patch: Patch, wall: Points, turns_deg: tuple[float, ...] = (0.0,)) -> Match | None:
    fit = fit_lattice(without_wall(patch.cover, wall), PATCH_PX, turns_deg)
    return Match.of(patch, (fit,), wall) if fit is not None else None


def match_pair(patch: Patch, single: Match, wall: Points, s: MatchSettings) -> Match | None:
    """The best two pieces, with a wall (2,) px below them; None where one is nearly enough, and for too small or large patches."""
    if single.overlap > 1 - s.pair_lead or not 2.5 < patch.area < 2 * MOST_SQUARES + 1:
        return None
    pair = fit_pair(without_wall(patch.cover, wall), PATCH_PX)
    return Match.of(patch, pair, wall) if pair is not None else None


def is_pair(patch: Patch, pair: Match, single: Match, wall: Points, s: MatchSettings) -> bool:
    """Whether a patch is two pieces askew to each other, and far from being one."""
    first, second = (fit.turn_deg for fit in pair.fits)
    askew = min((first - second) % 90, (second - first) % 90) > s.askew_deg
    ahead = pair.overlap - single.overlap > s.pair_lead
    return askew and ahead and pair.is_close(s, wall) and all(fit.empty_around(patch.empty) > s.empty for fit in pair.fits)


def is_certain(patch: Patch, matches: list[Match], wall: Points, s: MatchSettings) -> bool:
    """Whether a patch is so many squares of one lattice and nothing else."""
    best = max(matches, key=lambda match: match.overlap)
    other = max((match.overlap for match in matches if match.squares != best.squares), default=0.0)
    (fit,) = best.fits
    ahead = best.overlap - other > s.lead and fit.overlap - fit.rival > s.lead
    if not (ahead and best.is_close(s, wall) and len(components(fit.cells)) == 1 and fit.empty_around(patch.empty) > s.empty):
        return False
    is_plain = best.squares > MOST_SQUARES and fit.repeats(patch.bgr.mean(-1)) < s.repeats
    is_full = best.squares > 2 or float(without_wall(patch.cover, wall / 2).sum()) / PATCH_PX**2 > s.size * best.squares
    return is_full and not is_plain and patch.is_free(*fit.beside(patch.bgr, wall))
