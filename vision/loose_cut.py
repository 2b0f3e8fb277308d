"""Spots cut out sharply, each against the table right around it.

A patch is all that has the spot's own colour, or all that differs from the table around it, and hangs together with the spot.
All spots of a table are cut out together: they are laid side by side in one picture, as each step takes about as long for one of
them as for twenty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.loose_colors import PieceColors, part_of
from vision.loose_patch import COMMON, TONE, Mask, Patch, PatchSettings, Spot, lengths, middle_of
from vision.loose_view import CELL_PX, CLOSER, SPOT_PX, TableView

FloatArray = NDArray[np.float32]

MOST_SAMPLES = 150
"""Pixels from which the colours of a patch and of the table around it are taken."""

LEAST_SAMPLES = 16
"""Pixels of each below which nothing is cut out."""

OWN, OTHERS, COLORED, TABLE, INNER = 1, 2, 4, 8, 16
"""What a point of a spot's part of the table is: the spot's, of another colour, of any, table in sight, not on the part's border."""


@dataclass(frozen=True)
class Mosaic:
    """Spots side by side, a cell apart.

    Attributes:
        spots: in their order.
        parts: rows and columns of each, in px at `CELL_PX` a cell.
        marks: (h, w) uint8, `OWN` and so on, 0 between the spots.
        bgr: (h, w, 3) uint8, the close view there.
    """

    spots: Sequence[Spot]
    parts: list[tuple[slice, slice]]
    marks: Mask
    bgr: NDArray[np.uint8]

    @classmethod
    def of(cls, view: TableView, spots: Sequence[Spot]) -> Mosaic:
        """The spots of a view, those of like height in one row."""
        sizes = [spot.own.shape for spot in spots]
        wide = max(*(width for _, width in sizes), round(sum((h + SPOT_PX) * (w + SPOT_PX) for h, w in sizes) ** 0.5)) + SPOT_PX
        at, top, left, high = [(0, 0)] * len(spots), 0, 0, 0
        for k in sorted(range(len(spots)), key=lambda k: -sizes[k][0]):
            height, width = sizes[k]
            if left + width > wide:
                top, left, high = top + high, 0, 0
            at[k], left, high = (top, left), left + width + SPOT_PX, max(high, height + SPOT_PX)
        marks = np.zeros((top + high, wide), np.uint8)
        bgr = np.zeros((CLOSER * (top + high), CLOSER * wide, 3), np.uint8)
        parts = []
        for spot, (row, col), (height, width) in zip(spots, at, sizes, strict=True):
            here = marks[row : row + height, col : col + width]
            here[1:-1, 1:-1] = INNER
            here |= spot.own * np.uint8(OWN) | spot.others * np.uint8(OTHERS) | spot.colored * np.uint8(COLORED)
            here |= view.table[spot.part] * np.uint8(TABLE)
            part = slice(CLOSER * row, CLOSER * (row + height)), slice(CLOSER * col, CLOSER * (col + width))
            bgr[part] = view.close_bgr[tuple(slice(CLOSER * one.start, CLOSER * one.stop) for one in spot.part)]
            parts.append(part)
        return cls(spots, parts, np.asarray(cv2.resize(marks, bgr.shape[1::-1], interpolation=cv2.INTER_NEAREST), np.uint8), bgr)

    def having(self, *marks: int, but: int = 0) -> Mask:
        """(h, w) 1 at points that are all of that, and nothing of ``but``."""
        return np.asarray((self.marks & np.uint8(sum(marks) | but)) == sum(marks)).view(np.uint8)


def cut_out(view: TableView, colors: PieceColors, spots: Sequence[Spot], settings: PatchSettings | None = None) -> list[Patch | None]:
    """For each spot all that has its own colour; None where there is too little of it, or of the table around.

    Args:
        view: of the table.
        colors: what the pieces' colours and the board look like.
        spots: that are cut out.
        settings: thresholds.
    """
    if not spots:
        return []
    mosaic = Mosaic.of(view, spots)
    return _cut(view, colors, mosaic, mosaic.having(OWN), settings or PatchSettings(), again=False)


def cut_again(view: TableView, colors: PieceColors, patches: Sequence[Patch], settings: PatchSettings | None = None) -> list[Patch | None]:
    """For each patch that was cut out by its colour all that differs from the table; the rest as for `cut_out`."""
    if not patches:
        return []
    mosaic = Mosaic.of(view, [patch.spot for patch in patches])
    mine = np.zeros_like(mosaic.marks)
    for part, patch in zip(mosaic.parts, patches, strict=True):
        mine[part] = patch.cover > 0.5
    return _cut(view, colors, mosaic, mine, settings or PatchSettings(), again=True)


def _cut(view: TableView, colors: PieceColors, mosaic: Mosaic, mine: Mask, s: PatchSettings, *, again: bool) -> list[Patch | None]:
    """The patches of a mosaic's spots, of which ``mine`` (h, w) is known."""
    near = _grown(mine, s.ring[0])
    ring = np.asarray(_grown(mine, s.ring[1]) & (near ^ 1) & mosaic.having(TABLE, but=COLORED), np.uint8)
    may_be = np.asarray((_grown(mine, s.reach) if again else near) & mosaic.having(TABLE, INNER, but=OTHERS), np.uint8)
    bgr, off = mosaic.bgr.astype(np.float32), np.zeros(mine.shape, np.float32)
    looks: list[tuple[FloatArray, FloatArray, FloatArray | None] | None] = []
    for spot, part in zip(mosaic.spots, mosaic.parts, strict=True):
        inner, outer = _some(bgr[part], mine[part]), _some(bgr[part], ring[part])
        if len(inner) < LEAST_SAMPLES or len(outer) < LEAST_SAMPLES:
            looks.append(None)
            continue
        own_bgr, table_bgr = middle_of(inner), middle_of(outer)
        board_bgr = colors.board_bgr if view.board[spot.part].any() else None
        here = _off_table(view, bgr[part], outer, board_bgr, s) if again else _own_way(bgr[part], inner, outer, own_bgr - table_bgr, s)
        off[part] = here * np.float32(1 / max(part_of(here[mine[part] > 0], s.typical), s.least_off))
        looks.append((own_bgr, table_bgr, board_bgr))
    cover, sight = _cover(off, mine, may_be, s), mosaic.having(TABLE)
    return [
        Patch(view, spot, cover[part], sight[part], mosaic.bgr[part], *look) if look is not None else None
        for spot, part, look in zip(mosaic.spots, mosaic.parts, looks, strict=True)
    ]


def _cover(off: FloatArray, mine: Mask, may_be: Mask, s: PatchSettings) -> FloatArray:
    """(h, w) 0 to 1, what hangs together with the spots, by how far each pixel is from the table, in parts of its patch's distance."""
    count, labels = cv2.connectedComponents((off > 0.5).view(np.uint8) & may_be, connectivity=4)
    is_mine = np.zeros(count, np.uint8)
    is_mine[labels[mine > 0]] = 1
    is_mine[0] = 0
    cover = (off - np.float32(s.edge[0])) * np.float32(1 / (s.edge[1] - s.edge[0]))
    np.clip(cover, 0, 1, out=cover)
    cover *= np.asarray(cv2.dilate(is_mine[labels], np.ones((3, 3), np.uint8)), np.uint8) & may_be
    return _filled(np.asarray(cv2.morphologyEx(cover, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.float32), s.hole)


def _grown(mask: Mask, cells: float) -> Mask:
    """(h, w) a mask that reaches so many cells farther."""
    return np.asarray(cv2.dilate(mask, np.ones((2 * round(cells * CELL_PX) + 1,) * 2, np.uint8)), np.uint8)


def _some(bgr: FloatArray, mask: Mask) -> FloatArray:
    """At most about `MOST_SAMPLES` of the colours (h, w, 3) in a mask, from all over: (k, 3)."""
    at = np.flatnonzero(mask)
    return bgr.reshape(-1, 3)[at[:: max(1, len(at) // MOST_SAMPLES)]]


def _own_way(bgr: FloatArray, own: FloatArray, table: FloatArray, way: FloatArray, s: PatchSettings) -> FloatArray:
    """(h, w) how far colours (h, w, 3) are on the way (3,) from the table's (k, 3) to a spot's own (m, 3), in spreads of both."""
    weight = np.linalg.solve(_spread(own) + _spread(table) + s.noise**2 * np.eye(3), way)
    weight = (weight / np.sqrt(max(float(weight @ way), 1e-9))).astype(np.float32)
    off = cv2.transform(bgr, np.append(weight, -part_of(table @ weight, 0.5))[None])
    return np.asarray(np.maximum(off, 0), np.float32)


def _spread(colors: FloatArray) -> NDArray[np.float64]:
    """(3, 3) covariance of colours (k, 3)."""
    return np.asarray(cv2.calcCovarMatrix(colors, np.empty(0), cv2.COVAR_NORMAL | cv2.COVAR_ROWS | cv2.COVAR_SCALE)[0])


def _off_table(view: TableView, bgr: FloatArray, table: FloatArray, board_bgr: FloatArray | None, s: PatchSettings) -> FloatArray:
    """(h, w) how far colours (h, w, 3) are from those (k, 3) of the table around, in spreads of these, shadows apart.

    A patterned table has several colours, each of them seen all over it.
    """
    pixels, rest = bgr.reshape(-1, 3), table
    off = np.full(len(pixels), np.inf, np.float32)
    for _ in range(s.most_tones):
        middle = middle_of(rest)
        if len(rest) < len(table) and view.spread(middle, TONE) < COMMON:
            break
        away = ((rest - middle) ** 2).sum(1)
        near = rest[away <= part_of(away, s.plain)] - middle
        white = np.linalg.cholesky(np.linalg.inv(near.T @ near / len(near) + s.noise**2 * np.eye(3))).astype(np.float32)
        off = np.minimum(off, _spreads_off(pixels, middle, white, s))
        rest = rest[_spreads_off(rest, middle, white, s) > s.least_off]
        if len(rest) < s.least_tone * len(table):
            break
    if board_bgr is not None:
        off = np.minimum(off, _spreads_off(pixels, board_bgr, np.eye(3, dtype=np.float32) / np.float32(2 * s.noise), s))
    return off.reshape(bgr.shape[:2])


def _spreads_off(bgr: FloatArray, middle: FloatArray, white: FloatArray, s: PatchSettings) -> FloatArray:
    """(n,) how far colours (n, 3) are from one (3,), in spreads as ``white`` (3, 3) makes them equal."""
    shade = np.clip(bgr @ (middle / max(float(middle @ middle), 1.0)), *s.shades)
    return lengths(np.asarray((bgr - shade[:, None] * middle) @ white, np.float32))


def _filled(cover: FloatArray, hole: float) -> FloatArray:
    """Patches without small holes."""
    outlines, levels = cv2.findContours((cover >= 0.5).view(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    holes = [outlines[k] for k in range(len(outlines)) if levels[0, k, 3] >= 0 and cv2.contourArea(outlines[k]) < hole * CELL_PX**2]
    if holes:
        filled = cv2.drawContours(np.zeros(cover.shape, np.uint8), holes, -1, 1, cv2.FILLED)
        cover = np.where(filled > 0, np.float32(1), cover)
    return cover
