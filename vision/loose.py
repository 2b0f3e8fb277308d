"""The loose pieces: what lies on the table beside the board, by colour and shape."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose
from referee.cells import Cells
from referee.pieces import identify
from vision.loose_colors import PieceColors, color_shares, piece_colors
from vision.loose_fit import Fit, fit_squares
from vision.loose_match import MatchSettings, doubt, is_pair
from vision.loose_pair import MOST_SQUARES, fit_pair
from vision.loose_patch import Patch, Spot, cut_out, spots
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
    image_bgr: NDArray[np.uint8], pose: GridPose, grid: tuple[str, ...], colors: tuple[str, ...], settings: MatchSettings | None = None
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
    s = settings or MatchSettings()
    view = view_table(image_bgr, pose)
    if view is None:
        return LooseLook()
    known = piece_colors(image_bgr, pose, grid, colors)
    shares = color_shares(view, known)
    spotted = spots(view, shares)
    hidden, told = shares.hidden, list[_Told]()
    for index, own in enumerate(spotted):
        full = [spot for spot in own if spot.is_full]
        is_speckled = len(own) > MOST_SPOTS
        worth = [] if len(full) > MOST_SPOTS else full if is_speckled else own
        mine = [one for spot in worth for one in _all_told(view, known, spot, s)]
        is_patterned = len(full) > MOST_STRANGE and sum(one.cells is not None for one in mine) < len(full) * LEAST_PIECES
        hidden[index] |= is_patterned or is_speckled
        told += [] if is_patterned else mine
    found = [one.as_piece(view, colors[one.color]) for one in _apart(told)]
    return LooseLook(tuple(found), tuple(color for color, is_hidden in zip(colors, hidden, strict=True) if is_hidden))


@dataclass(frozen=True)
class _Told:
    """What a patch is: its colour's index, its squares, None when they are not sure, its outline (k, 2) in the view, and the doubt."""

    color: int
    cells: Cells | None
    outline: Points
    against: float

    def is_on(self, other: _Told) -> bool:
        """Whether its middle lies in the other's outline."""
        at = self.outline.mean(0)
        return cv2.pointPolygonTest(other.outline.astype(np.float32), (float(at[0]), float(at[1])), measureDist=False) >= 0

    def touches(self, other: _Told) -> bool:
        """Whether one of its sides lies along another's, both of one colour."""
        if self is other or self.color != other.color or self.cells is None or other.cells is None:
            return False
        low, high = np.maximum(self.outline.min(0), other.outline.min(0)), np.minimum(self.outline.max(0), other.outline.max(0))
        if (low > high + NEAR_PX).any():
            return False
        corners, ring = self.outline, other.outline.astype(np.float32)
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


def _all_told(view: TableView, known: PieceColors, spot: Spot, s: MatchSettings) -> list[_Told]:
    """What a spot is, and what is left of it beside a piece: two that nearly touch make one spot."""
    told = _told(view, known, spot, s)
    rest = spot.without([one.outline for one in told]) if any(one.cells is not None for one in told) else None
    return told if rest is None else told + _told(view, known, rest, s)


def _told(view: TableView, known: PieceColors, spot: Spot, s: MatchSettings) -> list[_Told]:
    """What a spot is; nothing when it is no piece."""
    best: tuple[float, Patch, Fit, Points] | None = None
    for patch in cut_out(view, known, spot):
        wall = view.wall_px(patch.view_px(np.array(patch.cover.shape[::-1]) / 2))
        fit = fit_squares(patch.cover, wall)
        if fit is None:
            continue
        against = doubt(patch, fit, wall, s)
        if best is None or against < best[0]:
            best = against, patch, fit, wall
        if against < s.certain or spot.strength < 0.4 or fit.overlap > s.fits or patch.area > 2 * MOST_SQUARES + 1:
            break
    if best is None:
        return []
    against, patch, fit, wall = best
    if against < s.certain:
        return [_Told(spot.color, fit.cells, patch.view_px(fit.outline), against)]
    may_be_two = spot.is_full and 0.5 < fit.overlap < 1 - s.pair_lead and 2.5 < patch.area < 2 * MOST_SQUARES + 1
    pair = fit_pair(patch.cover, wall / 2) if may_be_two else None
    if pair is not None and is_pair(patch, pair, fit, s):
        return [_Told(spot.color, one.cells, patch.view_px(one.outline), s.certain) for one in pair]
    may_be = against < s.doubtful or (spot.is_cut and spot.is_full)
    return [_Told(spot.color, None, patch.view_px(fit.outline), against)] if may_be else []
