"""The loose pieces: what lies on the table beside the board, by colour and shape."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose
from referee.pieces import identify
from vision.loose_colors import hidden_colors, piece_colors, purities, relative, table_purities
from vision.loose_match import MatchSettings, is_certain, is_pair, match_lattice, match_pair
from vision.loose_patch import PATCH_PX, Patch, cut_out, spots
from vision.loose_shape import LatticeFit
from vision.loose_view import Points, TableView, view_table

MOST_SPOTS = (28, 14)
"""Spots of one colour above which the table is patterned with it: no set has more than 24 pieces. The second number holds for
the other colours of a pattern."""


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
    purity = purities(view, known)
    table = table_purities(view, purity)
    spotted = spots(view, purity, relative(purity, table))
    hidden = hidden_colors(view, table) | _patterned([len(one) for one in spotted])
    patches = [
        cut_out(view, known, index, spot)
        for index, (own, is_hidden) in enumerate(zip(spotted, hidden, strict=True))
        if not is_hidden
        for spot in own
    ]
    found = [piece for patch in patches if patch is not None for piece in _told(view, colors[patch.color], patch, s)]
    return LooseLook(tuple(found), tuple(color for color, is_hidden in zip(colors, hidden, strict=True) if is_hidden))


def _patterned(counts: list[int]) -> NDArray[np.bool_]:
    """(colors,) whether the table is patterned with a colour, by the number of its spots."""
    most = MOST_SPOTS[1 if max(counts) > MOST_SPOTS[0] else 0]
    return np.array(counts) > most


def _told(view: TableView, color: str, patch: Patch, s: MatchSettings) -> list[LoosePiece]:
    """What a patch is; nothing when it is no piece."""
    middle = patch.view_px(np.array(patch.cover.shape[::-1]) / 2)
    wall = view.wall(middle) * PATCH_PX
    matches = match_lattice(patch, wall, s)
    if not matches:
        return []

    def outline(fit: LatticeFit) -> Points:
        return view.picture_px(patch.view_px(fit.outline))

    best = max(matches, key=lambda match: match.overlap)
    (fit,) = best.fits
    if is_certain(patch, matches, wall, s):
        return [LoosePiece(color, identify(fit.cells), best.squares, outline(fit))]
    if patch.strength < s.doubtful_strength:
        return []
    pair = match_pair(patch, best, wall / 2, s)
    if pair is not None and is_pair(patch, pair, best, wall, s):
        return [LoosePiece(color, identify(one.cells), len(one.cells), outline(one)) for one in pair.fits]
    may_be = best.may_be(patch, s) or (pair is not None and pair.may_be(patch, s))
    return [LoosePiece(color, None, None, outline(fit))] if may_be else []
