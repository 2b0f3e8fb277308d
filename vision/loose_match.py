"""Whether a patch is a piece: squares that explain it, and nothing else that would.

Each thing that speaks against it is a doubt: 0 as far as most pieces go, 1 where hardly a piece is, and on in proportion. The sum of
the doubts decides, so that what is a little odd in one way must be plain in all others.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cells import components
from vision.loose_fit import Fit, Sheet
from vision.loose_pair import MOST_SQUARES
from vision.loose_patch import Patch
from vision.loose_view import CELL_PX, Points

FloatArray = NDArray[np.float32]
BoolArray = NDArray[np.bool_]
Range = tuple[float, float]


def _pairs(rows: Points, cols: Points) -> Points:
    """(n, 2) each of the rows with each of the columns."""
    return np.stack(np.meshgrid(rows, cols, indexing="ij"), -1).reshape(-1, 2)


SPOTS, FINE_SPOTS = (_pairs(at, at) for at in (np.arange(0.1, 1, 0.2), np.arange(0.05, 1, 0.1)))
"""Where a square is looked at: (25, 2) and (100, 2) rows and columns from its corner."""

OUT_CELLS, ALONG_CELLS = _pairs(np.array([0.12, 0.2, 0.28]), np.array([-0.3, -0.15, 0.0, 0.15, 0.3])).T
"""Where the table is looked at beside a square: distances from its side, and from the middle of that."""


@dataclass(frozen=True)
class MatchSettings:
    """Thresholds; of each pair the first is where a doubt begins, the second where it is 1.

    Attributes:
        certain: sum of doubts below which a patch is told; ``doubtful`` below which it may be a piece, and is called unsure.
        overlap: share that squares and patch have in common, to what either has.
        fits: the same from which squares fit as they are: what is in doubt is not where the patch ends.
        misfit: mean distance in cells between the outlines of squares and patch.
        misfit_single: the same for a single square, for which dice must not be taken; walls blur it: ``misfit_of_wall`` for each
            cell that they are seen long.
        stray: greatest part of a spot of 0.4 cell that belongs to one of the two only.
        straight: how much the edges keep to two directions at right angles: squares do to more than 0.4, discs to 0.2.
        empty: least share of each place beside the squares that is seen to be empty, or there may be more of them.
        rival: how much better another number of squares agrees.
        strength: how full its colour is.
        dull: part of the patch that has nothing of its colour.
        small: width of one or two squares to that of their lattice: toy bricks and dice are smaller; ``large`` the other way.
        wary: how much more every doubt about one or two squares counts: dice and bricks look much like them.
        strange: doubt where other things than the table are seen right beside it, which may hide more of it.
        alike: how much the squares of a block must look alike: boxes and books of whole cells are plain or printed.
        pair_lead: how much better two pieces must explain a patch than one: hidden or glaring parts of one are no second piece.
        askew_deg: least angle between two pieces that are told apart by it.
        other: sum of doubts from which what is seen whole and is at most a domino is another thing: a pencil's end, a die, a token.
        seen_whole: least strength and most of the dull part for that: paler pieces lie in glare or in shadow.
        heap: squares from which what is seen whole and is ``plain``, not `alike`, is a box or a book and no heap of pieces.
        plain: see ``heap``.
        smooth: the same for its `texture`: pieces that lie across the squares are not alike, but have bevels and grooves all the same.
    """

    certain: float = 1.0
    doubtful: float = 4.0
    overlap: Range = (0.86, 0.74)
    fits: float = 0.85
    misfit: Range = (0.075, 0.13)
    misfit_single: Range = (0.05, 0.1)
    misfit_of_wall: float = 0.03
    stray: Range = (0.4, 0.75)
    straight: Range = (0.45, 0.22)
    empty: Range = (0.25, 0.05)
    rival: Range = (-0.08, -0.02)
    strength: Range = (0.6, 0.3)
    dull: Range = (0.15, 0.3)
    small: Range = (0.91, 0.85)
    large: Range = (1.06, 1.14)
    wary: float = 1.5
    strange: float = 1.0
    alike: float = 0.15
    pair_lead: float = 0.1
    askew_deg: float = 5.0
    other: float = 2.0
    seen_whole: Range = (0.8, 0.05)
    heap: int = 7
    plain: float = 0.12
    smooth: float = 0.045


def doubt(patch: Patch, fit: Fit, wall: Points, s: MatchSettings) -> float:
    """The sum of what speaks against a patch being these squares; what would cost time is left out where it would change nothing.

    Args:
        patch: that they explain.
        fit: the squares.
        wall: (2,) px from the upper edges of its near walls to the lower ones.
        s: thresholds.
    """
    count = len(fit.cells)
    more = s.misfit_of_wall * float(np.hypot(*wall)) / CELL_PX
    misfit = (s.misfit_single[0] + more, s.misfit_single[1] + more) if count == 1 else s.misfit
    found = _beyond(fit.overlap, s.overlap) + _beyond(fit.misfit, misfit) + _beyond(fit.stray, s.stray) + _beyond(fit.straight, s.straight)
    found += _beyond(fit.rival, s.rival) + _beyond(patch.spot.strength, s.strength)
    if found < s.doubtful:
        found += _beyond(patch.dull, s.dull) + _beyond(empty_around(patch, fit), s.empty)
    if found < s.doubtful and count <= 2:
        size = width(patch, fit)
        found = s.wary * (found + _beyond(size, s.small) + _beyond(size, s.large))
    if found < s.certain and not (patch.on_table and patch.is_free(*beside(patch, fit, wall))):
        found += s.strange
    if found < s.certain and count > MOST_SQUARES and (is_bar(fit) or alike(patch, fit) < s.alike):
        found += s.certain
    return found if len(components(fit.cells)) == 1 else np.inf


def _beyond(value: float, limits: Range) -> float:
    """How far a value lies beyond the first limit, in parts of the way to the second."""
    return max(0.0, (value - limits[0]) / (limits[1] - limits[0]))


def is_pair(patch: Patch, pair: tuple[Fit, Fit], single: Fit, s: MatchSettings) -> bool:
    """Whether a patch is two pieces askew to each other, and far from being one."""
    first, second = (fit.turn_deg for fit in pair)
    askew = min((first - second) % 90, (second - first) % 90) > s.askew_deg
    drawn = np.maximum(*(fit.drawn(patch.cover.shape) for fit in pair))
    off = np.abs(drawn - patch.cover)
    total, sides = float(off.sum()), sum(len(fit.around) for fit in pair)
    overlap = 1 - total / float(np.maximum(drawn, patch.cover).sum())
    stray = float(cv2.boxFilter(off, -1, (CELL_PX * 2 // 5,) * 2).max())
    found = _beyond(overlap, s.overlap) + _beyond(total / CELL_PX**2 / sides, s.misfit) + _beyond(stray, s.stray)
    found += sum(_beyond(fit.straight, s.straight) + _beyond(empty_around(patch, fit), s.empty) for fit in pair)
    return askew and overlap - single.overlap > s.pair_lead and found < s.certain


def is_other(patch: Patch, fit: Fit, against: float, wall: Points, s: MatchSettings) -> bool:
    """Whether a patch that is no sure piece is another thing for certain, so that nothing needs to be said of it.

    Nothing hides a part of it, nothing touches it, its colour is full all over, and yet no squares explain it; or it is larger than any
    piece and smooth.

    Args:
        patch: that they explain badly.
        fit: the squares that do best.
        against: the doubt of them.
        wall: (2,) px from the upper edges of its near walls to the lower ones.
        s: thresholds.
    """
    if patch.spot.is_cut:
        return False
    if len(fit.cells) >= s.heap:
        return alike(patch, fit) < s.plain and texture(patch) < s.smooth
    if len(fit.cells) > 2 or against < s.other or patch.spot.strength < s.seen_whole[0] or patch.dull > s.seen_whole[1]:
        return False
    return empty_around(patch, fit) > s.empty[0] and patch.on_table and patch.is_free(*beside(patch, fit, wall))


def empty_around(patch: Patch, fit: Fit) -> float:
    """Least share of the places beside the squares that is seen to be empty."""
    near = np.array([place for place, _ in fit.around], float)
    return float(fit.seen(patch.empty, near[:, None] + SPOTS).sum(1).min()) / len(SPOTS)


def beside(patch: Patch, fit: Fit, to_camera: Points) -> tuple[FloatArray, BoolArray]:
    """Colours right outside each side of the squares, beyond their walls; sides that are covered all along are left out.

    Args:
        patch: that the squares explain.
        fit: the squares.
        to_camera: (2,) the direction of the camera on the patch.

    Returns:
        (sides, 3) mean colours, and (sides,) whether the side faces the camera.
    """
    near, step = np.array(fit.around, float).transpose(1, 0, 2)
    wall = fit.wall[::-1] / CELL_PX
    facing = step @ (fit.sheet.unit @ to_camera)[::-1] > 0
    foot = near + 0.5 - 0.5 * step + facing[:, None] * wall
    at = foot[:, None] + OUT_CELLS[:, None] * step[:, None] + ALONG_CELLS[:, None] * step[:, None, ::-1]
    free = fit.seen(patch.cover, at) < 0.1
    count = free.sum(1)
    shown = count > 0
    colors = fit.seen(patch.bgr, at).astype(np.float32) * free[..., None]
    return colors.sum(1)[shown] / count[shown, None], facing[shown]


def width(patch: Patch, fit: Fit) -> float:
    """How wide the patch is across the line of sight, where no wall adds to it, in parts of what the squares would be."""
    across = np.array([-fit.wall[1], fit.wall[0]]) if np.hypot(*fit.wall) > 0 else np.array([1.0, 0.0])
    across = across / np.hypot(*across)
    corners = np.array([(c + b, r + a) for r, c in fit.cells for a in (0, 1) for b in (0, 1)]) @ across
    along = fit.sheet.unit.T @ across
    sheet = Sheet.of(patch.cover, float(np.arctan2(along[1], along[0])))
    return float(sheet.cover.max(0).sum()) / CELL_PX / float(np.ptp(corners)) if sheet is not None else 0.0


def is_bar(fit: Fit) -> bool:
    """Whether the squares lie in one row: pens do, and people do not lay pieces so."""
    return min(len(set(axis)) for axis in zip(*fit.cells, strict=True)) == 1


def alike(patch: Patch, fit: Fit) -> float:
    """How much every square looks the same, bevels and grooves: the mean correlation of two, about 0 for plain things.

    The variance of the mean of n squares would be 1 / n of theirs if they had nothing in common, and theirs if they were the same.
    """
    squares = fit.seen(_fine(_grey(patch)), np.array(sorted(fit.cells), float)[:, None] + FINE_SPOTS)
    squares -= squares.mean(1, keepdims=True)
    squares /= squares.std(1, keepdims=True) + 1e-3
    return float(squares.mean(0).var() * len(squares) - 1) / (len(squares) - 1)


def texture(patch: Patch) -> float:
    """How much the patch differs from place to place, clear of its rim, in parts of its level: the camera's noise gives about 0.03."""
    inside = cv2.erode((patch.cover > 0.9).astype(np.uint8), np.ones((CELL_PX // 2 + 1,) * 2, np.uint8)) > 0
    grey = _grey(patch)
    return float(_fine(grey)[inside].std() / max(1.0, float(grey[inside].mean()))) if inside.any() else np.inf


def _grey(patch: Patch) -> FloatArray:
    return np.asarray(cv2.cvtColor(patch.bgr, cv2.COLOR_BGR2GRAY), np.float32)


def _fine(grey: FloatArray) -> FloatArray:
    """What of a picture is finer than half a cell."""
    return np.asarray(grey - cv2.GaussianBlur(grey, (0, 0), CELL_PX / 4), np.float32)
