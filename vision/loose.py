"""The loose pieces: what lies on the table beside the board, by colour and shape."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose
from referee.pieces import identify
from vision.loose_colors import hidden_colors, piece_colors, purities, relative, table_purities
from vision.loose_pair import MOST_SQUARES, fit_pair
from vision.loose_patch import PATCH_PX, Patch, patches
from vision.loose_shape import AGREES, LatticeFit, fit_lattice, without_wall
from vision.loose_view import FloatArray, Points, TableView, view_table


@dataclass(frozen=True)
class LooseSettings:
    """Thresholds.

    Attributes:
        walls: parts of the wall's height that may have the piece's colour, the usual one first; the rest is lost in shadow.
        overlap: least share that squares and patch have in common, to what either has.
        lead: how much less any other number of squares must overlap.
        misfit: greatest mean distance in cells between the outlines of squares and patch.
        misfit_single: the same for a single square, with which dice must not be taken.
        straight: how much the edges must keep to two directions at right angles: squares do to more than 0.4, discs to 0.2.
        stray: greatest part of a spot of 0.4 cell that belongs to one of the two only.
        empty: least share of each place beside the squares that must be seen to be empty, or there may be more of them.
        repeats: how much the squares of a block must look alike: boxes and books of whole cells are plain or printed.
        pair_lead: how much better two pieces must explain a patch than one: hidden or glaring parts of one are no second piece.
        askew_deg: least angle between two pieces that are told apart by it.
        doubtful_overlap: least overlap of what may be a piece and is called unsure; below it is no piece.
        doubtful_misfit: greatest misfit of the same.
        doubtful_strength: least strength of its colour.
    """

    walls: tuple[float, ...] = (0.5, 1.0, 0.0)
    overlap: float = 0.8
    lead: float = 0.04
    misfit: float = 0.075
    misfit_single: float = 0.06
    straight: float = 0.33
    stray: float = 0.45
    empty: float = 0.2
    repeats: float = 1.9
    pair_lead: float = 0.1
    askew_deg: float = 5.0
    doubtful_overlap: float = 0.72
    doubtful_misfit: float = 0.13
    doubtful_strength: float = 0.55


@dataclass(frozen=True)
class LoosePiece:
    """Something of a piece's colour beside the board.

    Attributes:
        color: its colour.
        piece: its name; None when its shape is not sure, or when several pieces touch.
        squares: how many squares it has; None when that is not sure.
        polygon_px: (k, 2) its outline in the picture.
    """

    color: str
    piece: str | None
    squares: int | None
    polygon_px: NDArray[np.float64] = field(compare=False)

    def as_json(self) -> dict[str, Any]:
        """The contract's object."""
        outline = [[round(float(v), 1) for v in xy] for xy in self.polygon_px]
        return {"color": self.color, "piece": self.piece, "squares": self.squares, "polygon_px": outline}


@dataclass(frozen=True)
class LooseLook:
    """What one picture shows beside the board.

    Attributes:
        pieces: the loose pieces, colours in the order of the set.
        hidden: colours that the table itself has, so that pieces of them cannot be told from it.
    """

    pieces: tuple[LoosePiece, ...] = ()
    hidden: tuple[str, ...] = ()


def find_loose(
    image_bgr: NDArray[np.uint8], pose: GridPose, grid: tuple[str, ...], colors: tuple[str, ...], settings: LooseSettings | None = None
) -> LooseLook:
    """The loose pieces in a picture.

    Args:
        image_bgr: (h, w, 3) uint8.
        pose: the grid in that picture.
        grid: its letters, as read.
        colors: of the set.
        settings: thresholds.

    What it does not check: whether the set has such a piece left. A reading is never repaired by the rules.
    """
    s = settings or LooseSettings()
    view = view_table(image_bgr, pose)
    if view is None:
        return LooseLook()
    purity = purities(view, piece_colors(image_bgr, pose, grid, colors))
    table = table_purities(view, purity)
    found = [piece for patch in patches(view, purity, relative(purity, table)) for piece in _told(view, colors[patch.color], patch, s)]
    hidden = tuple(color for color, is_hidden in zip(colors, hidden_colors(view, table), strict=True) if is_hidden)
    return LooseLook(tuple(found), hidden)


@dataclass(frozen=True)
class _Match:
    """How well pieces explain a patch.

    Attributes:
        fits: their squares.
        overlap: what pieces and patch have in common, to what either has.
        misfit: mean distance of their outlines in cells.
        stray: greatest part of a spot of 0.4 cell that belongs to one of the two only.
    """

    fits: tuple[LatticeFit, ...]
    overlap: float
    misfit: float
    stray: float

    @classmethod
    def of(cls, patch: Patch, fits: tuple[LatticeFit, ...], wall: Points) -> _Match:
        """Compares a patch with pieces below which a wall (2,) px is seen; of its covers that counts which they explain best."""
        drawn = np.max([fit.drawn(patch.cover.shape, wall) for fit in fits], axis=0)
        sides = sum(fit.sides for fit in fits)
        match = cls._compared(patch.cover, drawn, fits, sides)
        if match.overlap > AGREES:
            return match
        others = (cls._compared(cover, drawn, fits, sides) for cover in patch.other_covers)
        return max((match, *others), key=lambda one: one.overlap)

    @classmethod
    def _compared(cls, cover: FloatArray, drawn: FloatArray, fits: tuple[LatticeFit, ...], sides: int) -> _Match:
        off = np.abs(drawn - cover)
        total, spot = float(off.sum()), round(0.4 * PATCH_PX)
        stray = float(cv2.boxFilter(off, -1, (spot, spot)).max())
        return cls(fits, 1 - total / float(np.maximum(drawn, cover).sum()), total / PATCH_PX**2 / sides, stray)

    @property
    def squares(self) -> int:
        return sum(len(fit.cells) for fit in self.fits)

    def is_close(self, s: LooseSettings) -> bool:
        """Whether nothing of the patch is left to explain."""
        misfit = s.misfit_single if self.squares == 1 else s.misfit
        return self.overlap > s.overlap and self.misfit < misfit and self.stray < s.stray and self.is_straight(s)

    def is_straight(self, s: LooseSettings) -> bool:
        """Whether the edges are those of squares."""
        return all(fit.straight > s.straight for fit in self.fits)

    def may_be(self, s: LooseSettings) -> bool:
        """Whether the patch looks like pieces at all."""
        return self.overlap > s.doubtful_overlap and self.misfit < s.doubtful_misfit and self.is_straight(s)


def _told(view: TableView, color: str, patch: Patch, s: LooseSettings) -> list[LoosePiece]:
    """What a patch is; nothing when it is no piece."""
    middle = patch.view_px(np.array(patch.cover.shape[::-1]) / 2)
    wall = view.wall(middle) * PATCH_PX
    matches = _matches(patch, wall, s)
    if not matches:
        return []

    def outline(fit: LatticeFit) -> Points:
        return view.picture_px(patch.view_px(fit.outline))

    best = max(matches, key=lambda match: match.overlap)
    (fit,) = best.fits
    if _is_sure(patch, matches, wall, s):
        return [LoosePiece(color, identify(fit.cells), best.squares, outline(fit))]
    if patch.strength < s.doubtful_strength:
        return []
    pair = _pair(patch, wall / 2)
    if pair is not None and _is_sure_pair(patch, pair, best, s):
        return [LoosePiece(color, identify(one.cells), len(one.cells), outline(one)) for one in pair.fits]
    may_be = best.may_be(s) or (pair is not None and pair.may_be(s))
    return [LoosePiece(color, None, None, outline(fit))] if may_be else []


def _matches(patch: Patch, wall: Points, s: LooseSettings) -> list[_Match]:
    """The best squares for each part of the wall (2,) px that may belong to the patch."""
    found: list[_Match] = []
    for part in s.walls if np.hypot(*wall) > 0.1 * PATCH_PX else s.walls[:1]:
        fit = fit_lattice(without_wall(patch.cover, wall * part), PATCH_PX)
        if fit is not None:
            found.append(_Match.of(patch, (fit,), wall * part))
            if found[-1].overlap > AGREES:
                break
    return found


def _pair(patch: Patch, wall: Points) -> _Match | None:
    """The best two pieces, with a wall (2,) px below them."""
    if patch.area > 2 * MOST_SQUARES + 1:
        return None
    pair = fit_pair(without_wall(patch.cover, wall), PATCH_PX)
    return _Match.of(patch, pair, wall) if pair is not None else None


def _is_sure_pair(patch: Patch, pair: _Match, single: _Match, s: LooseSettings) -> bool:
    """Whether a patch is two pieces askew to each other, and far from being one."""
    first, second = (fit.turn_deg for fit in pair.fits)
    askew = min((first - second) % 90, (second - first) % 90) > s.askew_deg
    ahead = pair.overlap - single.overlap > s.pair_lead
    return askew and ahead and pair.is_close(s) and all(fit.empty_around(patch.empty) > s.empty for fit in pair.fits)


def _is_sure(patch: Patch, matches: list[_Match], wall: Points, s: LooseSettings) -> bool:
    """Whether a patch is so many squares of one lattice and nothing else."""
    best = max(matches, key=lambda match: match.overlap)
    other = max((match.overlap for match in matches if match.squares != best.squares), default=0.0)
    (fit,) = best.fits
    ahead = best.overlap - other > s.lead and fit.overlap - fit.rival > s.lead
    is_plain = best.squares > MOST_SQUARES and fit.repeats(patch.bgr.mean(-1)) < s.repeats
    is_free = fit.empty_around(patch.empty) > s.empty and bool(patch.is_table(fit.beside(patch.bgr, wall)).all())
    return best.is_close(s) and ahead and not is_plain and is_free
