"""The loose pieces: what lies on the table beside the board, by colour and shape."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose
from calibration.views import Views
from referee.cells import Cells
from referee.pieces import identify
from vision.loose_colors import PieceColors, color_shares, piece_colors
from vision.loose_cut import cut_again, cut_out
from vision.loose_fit import Fit, fit_squares
from vision.loose_match import MatchSettings, doubt, is_other, is_pair
from vision.loose_pair import MOST_SQUARES, fit_pair
from vision.loose_patch import Patch, Spot, spots
from vision.loose_view import CELL_PX, Points, TableView, view_table

MOST_SPOTS = 28
"""Spots of one colour above which the table is patterned with it: no set has more than 24 pieces."""

MOST_STRANGE, LEAST_PIECES = 8, 0.34
"""Full spots of one colour above which some of them, in parts of all, must be pieces, or the table is striped or dotted with it."""

NEAR_PX = 0.1 * CELL_PX
"""Distance of two pieces' sides below which they touch."""


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
    image_bgr: NDArray[np.uint8],
    pose: GridPose,
    grid: tuple[str, ...],
    colors: tuple[str, ...],
    settings: MatchSettings | None = None,
    views: Views | None = None,
) -> LooseLook:
    """The loose pieces in a picture.

    Args:
        image_bgr: (h, w, 3) uint8.
        pose: the grid in that picture.
        grid: its letters, as read.
        colors: of the set.
        settings: thresholds.
        views: of the picture, where some have been made.

    What it does not check: whether the set has such a piece left. A reading is never repaired by the rules.
    """
    view = view_table(views or Views(image_bgr), pose)
    if view is None:
        return LooseLook()
    known = piece_colors(image_bgr, pose, grid, colors)
    shares = color_shares(view, known)
    hidden, full, worth = shares.hidden, list[int](), list[Spot]()
    for index, own in enumerate(spots(view, shares)):
        full_ones = [spot for spot in own if spot.is_full]
        is_speckled = len(own) > MOST_SPOTS
        hidden[index] |= is_speckled
        full.append(len(full_ones))
        worth += [] if len(full_ones) > MOST_SPOTS else full_ones if is_speckled else own
    told = _all_told(view, known, worth, settings or MatchSettings())
    for index, count in enumerate(full):
        if count > MOST_STRANGE and sum(one.color == index and one.cells is not None for one in told) < count * LEAST_PIECES:
            hidden[index] = True
            told = [one for one in told if one.color != index]
    found = [one.as_piece(view, colors[one.color]) for one in _apart(told)]
    return LooseLook(tuple(found), tuple(color for color, is_hidden in zip(colors, hidden, strict=True) if is_hidden))


@dataclass(frozen=True)
class _Told:
    """What a patch is: its colour's index, its squares, None when they are not sure, its outline (k, 2) in the view, and the doubt."""

    color: int
    cells: Cells | None
    outline: Points
    against: float

    @cached_property
    def ring(self) -> NDArray[np.float32]:
        """(k, 2) the outline."""
        return self.outline.astype(np.float32)

    @cached_property
    def middle(self) -> tuple[float, float]:
        """(x, y) mean of its corners."""
        x, y = (self.outline.sum(0) / len(self.outline)).tolist()
        return x, y

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """Its left, top, right and bottom."""
        (left, top), (right, bottom) = self.outline.min(0).tolist(), self.outline.max(0).tolist()
        return left, top, right, bottom

    def is_on(self, other: _Told) -> bool:
        """Whether its middle lies in the other's outline."""
        return cv2.pointPolygonTest(other.ring, self.middle, measureDist=False) >= 0

    def touches(self, other: _Told) -> bool:
        """Whether one of its sides lies along another's, both of one colour."""
        if self is other or self.color != other.color or self.cells is None or other.cells is None:
            return False
        (left, top, right, bottom), (left2, top2, right2, bottom2) = self.box, other.box
        if max(left, left2) > min(right, right2) + NEAR_PX or max(top, top2) > min(bottom, bottom2) + NEAR_PX:
            return False
        corners, ring = self.outline, other.ring
        sides = [(a * (1 - t) + b * t).tolist() for a, b in zip(corners, np.roll(corners, -1, 0), strict=True) for t in (0.25, 0.5, 0.75)]
        return any(cv2.pointPolygonTest(ring, (x, y), measureDist=True) > -NEAR_PX for x, y in sides)

    def as_piece(self, view: TableView, color: str) -> LoosePiece:
        at = view.picture_px(self.outline)
        return LoosePiece(color, identify(self.cells), len(self.cells), at) if self.cells is not None else LoosePiece(color, None, None, at)


def _apart(told: list[_Told]) -> list[_Told]:
    """Those that do not lie on each other, the surest of them, in the order of their colours.

    Two of one colour whose sides touch on one lattice may be parts of one piece, of which some is in shadow: neither is sure.
    """
    kept: list[_Told] = []
    for one in sorted(told, key=lambda one: (one.cells is None, one.against)):
        if not any(one.is_on(other) or other.is_on(one) for other in kept):
            kept.append(one)
    kept = [replace(one, cells=None) if any(one.touches(other) for other in kept) else one for one in kept]
    return sorted(kept, key=lambda one: one.color)


@dataclass(frozen=True)
class _Try:
    """A patch that a spot may be, with the squares that explain it best: None when there are none, and the doubt of them."""

    patch: Patch
    wall: Points
    fit: Fit | None
    against: float

    @classmethod
    def of(cls, patch: Patch, s: MatchSettings) -> _Try:
        wall = patch.view.wall_px(patch.view_px(np.array(patch.cover.shape[::-1]) / 2))
        fit = fit_squares(patch.cover, wall)
        return cls(patch, wall, fit, doubt(patch, fit, wall, s) if fit is not None else np.inf)

    def is_enough(self, s: MatchSettings) -> bool:
        """Whether another patch of the spot would tell nothing more."""
        fits = self.fit is not None and (self.against < s.certain or self.patch.spot.strength < 0.4 or self.fit.overlap > s.fits)
        return fits or (self.fit is not None and self.patch.area > 2 * MOST_SQUARES + 1)

    def told(self, s: MatchSettings) -> list[_Told]:
        """What the patch is; nothing when it is no piece."""
        patch, fit, spot = self.patch, self.fit, self.patch.spot
        if fit is None:
            return []
        if self.against < s.certain:
            return [_Told(spot.color, fit.cells, patch.view_px(fit.outline), self.against)]
        may_be_two = spot.is_full and 0.5 < fit.overlap < 1 - s.pair_lead and 2.5 < patch.area < 2 * MOST_SQUARES + 1
        pair = fit_pair(patch.cover, self.wall / 2) if may_be_two else None
        if pair is not None and is_pair(patch, pair, fit, s):
            return [_Told(spot.color, one.cells, patch.view_px(one.outline), s.certain) for one in pair]
        may_be = (self.against < s.doubtful or (spot.is_cut and spot.is_full)) and not is_other(patch, fit, self.against, self.wall, s)
        return [_Told(spot.color, None, patch.view_px(fit.outline), self.against)] if may_be else []


def _all_told(view: TableView, known: PieceColors, spotted: list[Spot], s: MatchSettings) -> list[_Told]:
    """What spots are, and what is left of them beside a piece: two that nearly touch make one spot."""
    told = _told(view, known, spotted, s)
    rests = [
        rest
        for spot, own in zip(spotted, told, strict=True)
        if any(one.cells is not None for one in own) and (rest := spot.without([one.outline for one in own])) is not None
    ]
    return [one for own in told + _told(view, known, rests, s) for one in own]


def _told(view: TableView, known: PieceColors, spotted: list[Spot], s: MatchSettings) -> list[list[_Told]]:
    """What each spot is; nothing when it is no piece."""
    tries = [_Try.of(patch, s) if patch is not None else None for patch in cut_out(view, known, spotted)]
    unsure = [(k, one) for k, one in enumerate(tries) if one is not None and not one.is_enough(s)]
    for (k, one), patch in zip(unsure, cut_again(view, known, [one.patch for _, one in unsure]), strict=True):
        if patch is not None and (other := _Try.of(patch, s)).fit is not None and (one.fit is None or other.against < one.against):
            tries[k] = other
    return [one.told(s) if one is not None else [] for one in tries]
