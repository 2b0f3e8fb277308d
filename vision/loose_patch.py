"""Spots of a piece's colour on the table, and the patches that are cut out around them.

A patch is looked for by its colour alone, coarsely. Then it is all that differs from the table around it and hangs together with
what was found (`vision.loose_cut`): parts of a piece that lie in shadow or mirror a lamp have not its colour, but they are not the
table's either.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.loose_colors import Shares, part_of
from vision.loose_view import CELL_PX, CLOSER, SPOT_PX, TableView

FloatArray = NDArray[np.float32]
BoolArray = NDArray[np.bool_]
Mask = NDArray[np.uint8]

MOST_BLED = 0.35
"""Part of a patch's own colour that may be in the table right beside it: blur, and light through clear plastic."""

NEARER = 0.85
"""Distance from the table's colour, in parts of that from the patch's own, at which a place beside it shows more of the patch."""

SHADES = (0.6, 1.25)
"""Brightness, in parts of the table's, between which it may lie in a shadow, or in more light."""

TABLE_SHADES = (0.4, 2.0)
"""Brightness of the table all over it, in parts of that right beside a patch."""

LEAST_STRANGE = 40.0
"""Difference of colours, of 255, below which they are the table's."""

MOST_SPREADS = 3.0
"""The same in parts of what most of the colours around a patch differ."""

TONE = 25.0
"""The same where colours of the bare table are compared with each other."""

COMMON = 0.25
"""Share of the table's blocks from which a colour is one of its pattern's: large things lie in a tenth of them."""

DULL, BRIGHT = 0.15, 1.3
"""Share of its own colour, in parts of the spot's, below which a point has none of it; brightness from which it may mirror a lamp."""

LEAST_REST = 0.5
"""Area in cells of what is left of a spot beside a piece, from which it may be another piece."""

STEPS = 100.0
"""Steps of a share that are told apart where spots are looked for."""

FULL, LEAST_AREA = 0.6, 0.6
"""Least strength and area in cells of what is more than a streak or a speck."""


@dataclass(frozen=True)
class PatchSettings:
    """Thresholds of looking for patches.

    Attributes:
        share: way from the table's colour to the full colour's from which a point belongs to a spot: least and most, and between
            them ``noises`` times what the table's own points differ.
        noises: see ``share``.
        of_fullest: the same, in parts of the fullest colour within a cell: the table's spots and streaks are paler than the piece.
        purity: least purity of a point itself, whatever the table is like.
        strength: least median of a spot's shares.
        area: least and most area of a spot, in cells: a single square half in glare, and a whole set side by side.
        around: cells of table cut out around a spot.
        near: cells that what has its own colour may reach beyond a spot; ``reach`` what differs from the table.
        ring: nearest and farthest table that it is compared with, in cells from the spot.
        noise: spread of the picture's values that is taken for granted, of 255.
        shades: brightness, in parts of the table's, between which it may lie in the patch's own shadow.
        plain: share of the table around that is plain; the rest may be anything.
        most_tones: colours that a patterned table may have, each with ``least_tone`` of what is seen around.
        least_tone: see ``most_tones``.
        typical: share of the spot that differs less from the table than the patch as a whole does.
        least_off: least difference of a patch from the table, in spreads of that.
        edge: parts of that difference between which a pixel is counted in part.
        hole: area in cells of a hole that is glare or relief and no gap.
    """

    share: tuple[float, float] = (0.15, 0.3)
    noises: float = 4.0
    of_fullest: float = 0.6
    purity: float = 0.25
    strength: float = 0.25
    area: tuple[float, float] = (0.35, 100.0)
    around: float = 1.0
    near: float = 0.3
    reach: float = 0.5
    ring: tuple[float, float] = (0.3, 1.0)
    noise: float = 4.0
    shades: tuple[float, float] = (0.6, 1.1)
    plain: float = 0.8
    most_tones: int = 3
    least_tone: float = 0.08
    typical: float = 0.3
    least_off: float = 4.0
    edge: tuple[float, float] = (0.2, 0.8)
    hole: float = 0.45


@dataclass(frozen=True)
class Spot:
    """Where a patch may be: connected points of one colour.

    Attributes:
        color: its index.
        part: its rows and columns of the coarse view, with table around.
        own: (h, w) uint8, 1 at its points there.
        others: (h, w) uint8, 1 at points of other colours.
        colored: (h, w) uint8, 1 at points of any colour.
        share: (h, w) how far each point there is on the way from the table's colour to the full one.
        strength: median of its own shares.
        is_cut: whether it reaches to where nothing is seen any more.
    """

    color: int
    part: tuple[slice, slice]
    own: Mask
    others: Mask
    colored: Mask
    share: FloatArray
    strength: float
    is_cut: bool

    def without(self, outlines: list[NDArray[np.float64]]) -> Spot | None:
        """The spot but for what lies inside outlines (k, 2) of the view; None when that leaves no square."""
        rows, cols = self.part
        told = np.zeros_like(self.own)
        for outline in outlines:
            at = ((outline - CLOSER / 2 + 0.5) / CLOSER - (cols.start, rows.start)).round().astype(np.int32)
            cv2.fillPoly(told, [at], 1)
        left = np.where(cv2.dilate(told, np.ones((3, 3), np.uint8)) > 0, np.uint8(0), self.own)
        left = np.asarray(cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
        is_more = cv2.countNonZero(left) / SPOT_PX**2 > LEAST_REST
        return replace(self, own=left, others=np.asarray(self.others | told, np.uint8)) if is_more else None

    @property
    def is_full(self) -> bool:
        """Whether it has a piece's colour and size, and is no streak of the table's."""
        return self.strength > FULL and cv2.countNonZero(self.own) / SPOT_PX**2 > LEAST_AREA


@dataclass(frozen=True)
class Patch:
    """A patch of one colour.

    Attributes:
        view: that it was seen in.
        spot: where it was seen.
        cover: (h, w) 0 to 1, how far each pixel belongs to it, 0 along the border; `CELL_PX` pixels a cell.
        sight: (h, w) uint8, 1 where the table is in sight.
        bgr: (h, w, 3) uint8, the picture there.
        own_bgr: (3,) its own middle colour.
        table_bgr: (3,) that of the table around it.
        board_bgr: (3,) that of the board, when it is near.
    """

    view: TableView
    spot: Spot
    cover: FloatArray
    sight: Mask
    bgr: NDArray[np.uint8]
    own_bgr: FloatArray
    table_bgr: FloatArray
    board_bgr: FloatArray | None

    @cached_property
    def empty(self) -> Mask:
        """(h, w) 1 where the table is seen, 0 where the patch or something before it is."""
        return np.asarray(self.sight & (self.cover < 0.5), np.uint8)

    @cached_property
    def dull(self) -> float:
        """Part of it that has nothing of its colour and is no brighter, as things are that lie beside it."""
        inside = self.cover[::CLOSER, ::CLOSER] > 0.5
        light, share = self.view.light[self.spot.part][inside], self.spot.share[inside]
        if not len(light):
            return 0.0
        dull = (share < np.float32(DULL * self.spot.strength)) & (light < np.float32(BRIGHT * part_of(light, 0.5)))
        return np.count_nonzero(dull) / len(light)

    @cached_property
    def on_table(self) -> bool:
        """Whether what lies around it is the table, and no other thing that it is a part of."""
        return self.view.spread(self.table_bgr, TONE, TABLE_SHADES) > COMMON

    @cached_property
    def area(self) -> float:
        """Its area in cells."""
        return float(self.cover.sum()) / CELL_PX**2

    def view_px(self, at_px: NDArray[np.float64]) -> NDArray[np.float64]:
        """(..., 2) view points of (..., 2) points of the patch."""
        rows, cols = self.spot.part
        return np.asarray(at_px + np.array([cols.start, rows.start]) * CLOSER)

    def is_free(self, bgr: FloatArray, facing: BoolArray) -> bool:
        """Whether nothing but the table is seen around the patch: nothing that may hide more of it.

        The table may lie in a shadow, or have some of the patch's own colour in it; where most colours differ, it is patterned.
        The board, of which a part may be seen, hides only what lies behind it.

        Args:
            bgr: (n, 3) colours around it.
            facing: (n,) bool, whether they are seen between the patch and the camera.
        """
        way = self.own_bgr - self.table_bgr
        own = (bgr - self.table_bgr) @ way / max(float(way @ way), 1.0)
        rest = bgr - np.clip(own, 0, MOST_BLED)[:, None] * way
        plain = _off_shades(bgr, self.table_bgr)
        off = np.minimum(_off_shades(rest, self.table_bgr), plain)
        is_table = off < max(LEAST_STRANGE, MOST_SPREADS * part_of(off, 0.5))
        is_table &= plain < NEARER * lengths(bgr - self.own_bgr)
        if self.board_bgr is not None:
            rim = self.board_bgr - self.table_bgr
            share = np.clip((bgr - self.table_bgr) @ rim / max(float(rim @ rim), 1.0), 0, SHADES[1])
            is_table |= ~facing & (lengths(bgr - self.table_bgr - share[:, None] * rim) < LEAST_STRANGE)
        return all(self.view.spread(color, LEAST_STRANGE) > COMMON for color in bgr[~is_table])


def spots(view: TableView, shares: Shares, settings: PatchSettings | None = None) -> list[list[Spot]]:
    """The spots of each colour on a table.

    Args:
        view: of the table.
        shares: of the colours at its points.
        settings: thresholds.
    """
    s = settings or PatchSettings()
    some = view.table[::3, ::3]
    if not some.any():
        return [[] for _ in shares.own]
    steps = [cv2.convertScaleAbs(np.maximum(own, 0), alpha=STEPS) for own in shares.own]
    best, masks = np.max(steps, axis=0), []
    for own, step, pure in zip(shares.own, steps, shares.purity, strict=True):
        noise = part_of(np.abs(own[::3, ::3][some]), 0.5)
        fullest = cv2.dilate(cv2.blur(step, (3, 3)), np.ones((2 * SPOT_PX + 1, 2 * SPOT_PX + 1), np.uint8))
        least = np.maximum(cv2.convertScaleAbs(fullest, alpha=s.of_fullest), np.uint8(STEPS * np.clip(s.noises * noise, *s.share)))
        masks.append((view.table & (step >= best) & (pure > s.purity) & (step > least)).view(np.uint8))
    any_color, sight = np.max(masks, axis=0), (view.table | view.board).view(np.uint8)
    return [list(_spots(color, on, any_color, own, sight, s)) for color, (on, own) in enumerate(zip(masks, shares.own, strict=True))]


def _spots(color: int, on: Mask, any_color: Mask, share: FloatArray, sight: Mask, s: PatchSettings) -> Iterator[Spot]:
    """The spots of one colour, the largest first: connected points (h, w) of its mask, beside those of any colour."""
    outlines, _ = cv2.findContours(on, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    edge = round(s.around * SPOT_PX)
    for outline in sorted(outlines, key=len, reverse=True):
        if len(outline) < SPOT_PX:
            return
        left, top, width, height = cv2.boundingRect(outline)
        part = (slice(max(0, top - edge), top + height + edge), slice(max(0, left - edge), left + width + edge))
        own = np.zeros_like(on[part])
        cv2.drawContours(own, [outline - (part[1].start, part[0].start)], -1, 1, cv2.FILLED)
        if s.area[0] <= cv2.countNonZero(own) / SPOT_PX**2 <= s.area[1]:
            strength = part_of(share[part][(own & on[part]) > 0], 0.5)
            if strength >= s.strength:
                others = np.asarray(any_color[part] & (on[part] ^ 1), np.uint8)
                is_cut = bool((cv2.dilate(own, np.ones((3, 3), np.uint8)) > sight[part]).any())
                yield Spot(color, part, own, others, any_color[part], share[part], strength, is_cut)


def middle_of(values: FloatArray) -> FloatArray:
    """(k,) medians of values (n, k): the upper one of two, for speed."""
    return np.asarray(np.sort(values, axis=0)[len(values) // 2])


def _off_shades(bgr: FloatArray, color: FloatArray) -> FloatArray:
    """(n,) how far colours (n, 3) are from one (3,) in any of its `SHADES`."""
    shade = np.clip((bgr @ color) / max(float(color @ color), 1.0), *SHADES)
    return lengths(bgr - shade[:, None] * color)


def lengths(off: FloatArray) -> FloatArray:
    """(n,) lengths of vectors (n, 3)."""
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", off, off)), np.float32)
