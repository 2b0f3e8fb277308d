"""Patches of a piece's colour on the table, each cut out sharply against the table right around it.

A patch is looked for by its colour alone, coarsely. Then all that the picture tells, brightness as well, goes into where
it ends: the best linear measure between the colours inside it and those of the table in a ring around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.loose_colors import PieceColors
from vision.loose_view import CELL_PX, CLOSER, TableView

FloatArray = NDArray[np.float32]
BoolArray = NDArray[np.bool_]

PATCH_PX = CELL_PX * CLOSER
"""Pixels a cell of a patch."""


MOST_BLED = 0.35
"""Part of a patch's own colour that may be in the table right beside it: blur, and light through clear plastic."""

NEARER = 0.85
"""Distance from the table's colour, in parts of that from the patch's own, at which a place beside it shows more of the patch."""

SHADES = (0.45, 1.25)
"""Brightness, in parts of the table's, between which it may lie in a shadow, or in more light."""

LEAST_STRANGE = 40.0
"""Difference of colours, of 255, below which they are the table's."""

MOST_SPREADS = 3.0
"""The same in parts of what most of the colours around a patch differ."""


def _off_shades(bgr: FloatArray, color: FloatArray) -> FloatArray:
    """(n,) how far colours (n, 3) are from one (3,) in any of its `SHADES`."""
    shade = np.clip((bgr @ color) / max(float(color @ color), 1.0), *SHADES)
    return np.asarray(np.linalg.norm(bgr - shade[:, None] * color, axis=-1))


@dataclass(frozen=True)
class PatchSettings:
    """Thresholds of looking for patches.

    Attributes:
        share: way from the table's colour to the full colour's from which a point belongs to a patch.
        of_fullest: the same, in parts of the fullest colour within a cell: the table's spots and streaks are paler than the piece.
        purity: least purity of a point itself, whatever the table is like.
        strength: least median of a patch's shares.
        area: least and most area of a patch, in cells: a single square seen dimly, and a whole set side by side.
        hole: area in cells of a hole that is glare or relief and no gap.
        noise: spread of the picture's values that is taken for granted, of 255.
        edge: parts of the way from the table to the patch between which a pixel is counted in part.
        other_edges: the same for patches whose edges bleed into the table, or fade.
        around: cells of table cut out around a patch.
    """

    share: float = 0.3
    of_fullest: float = 0.6
    purity: float = 0.25
    strength: float = 0.38
    area: tuple[float, float] = (0.5, 100.0)
    hole: float = 0.45
    noise: float = 4.0
    edge: tuple[float, float] = (0.2, 0.8)
    other_edges: tuple[tuple[float, float], ...] = ((0.05, 0.5), (0.5, 0.95))
    around: int = 1


@dataclass(frozen=True)
class Patch:
    """A patch of one colour.

    Attributes:
        color: its index.
        part: its rows and columns of the view, with table around.
        way: (h, w) how far each pixel is from the table's colour, 0, to the patch's own, 1; `PATCH_PX` pixels a cell.
        inside: (h, w) bool, where it may reach.
        bgr: (h, w, 3) float32, the picture there.
        own_bgr: (3,) its own middle colour.
        table_bgr: (3,) that of the table around it.
        board_bgr: (3,) that of the board, when it is near.
        sight: (h, w) float32, 1 where the table is in sight.
        strength: how full its colour is: 0 the table's, 1 that of the pieces on the board.
        settings: thresholds.
    """

    color: int
    part: tuple[slice, slice]
    way: FloatArray
    inside: BoolArray
    bgr: FloatArray
    own_bgr: FloatArray
    table_bgr: FloatArray
    board_bgr: FloatArray | None
    sight: FloatArray
    strength: float
    settings: PatchSettings

    @cached_property
    def cover(self) -> FloatArray:
        """(h, w) 0 to 1, what most likely belongs to it, 0 along the border."""
        return self._cover(self.settings.edge)

    @property
    def empty(self) -> FloatArray:
        """(h, w) 1 where the table is seen, 0 where the patch or something before it is."""
        return np.asarray(self.sight * (self.cover < 0.5), np.float32)

    @cached_property
    def other_covers(self) -> tuple[FloatArray, ...]:
        """(h, w) each, what belongs to it if its edges bleed into the table, or fade."""
        return tuple(self._cover(edge) for edge in self.settings.other_edges)

    def _cover(self, edge: tuple[float, float]) -> FloatArray:
        cover = np.clip((self.way - edge[0]) / (edge[1] - edge[0]), 0, 1) * self.inside
        cover[[0, -1]] = 0
        cover[:, [0, -1]] = 0
        closed = cv2.morphologyEx(cover.astype(np.float32), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        return _filled(np.asarray(closed, np.float32), self.settings.hole)

    def view_px(self, at_px: NDArray[np.float64]) -> NDArray[np.float64]:
        """(..., 2) view points of (..., 2) points of the patch."""
        return np.asarray((at_px + 0.5) / CLOSER - 0.5 + [self.part[1].start, self.part[0].start])

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
        is_table = off < max(LEAST_STRANGE, MOST_SPREADS * float(np.quantile(off, 0.7)))
        is_table &= plain < NEARER * np.linalg.norm(bgr - self.own_bgr, axis=-1)
        if self.board_bgr is not None:
            rim = self.board_bgr - self.table_bgr
            share = np.clip((bgr - self.table_bgr) @ rim / max(float(rim @ rim), 1.0), 0, SHADES[1])
            is_table |= ~facing & (np.linalg.norm(bgr - self.table_bgr - share[:, None] * rim, axis=-1) < LEAST_STRANGE)
        return bool(is_table.all())

    @property
    def area(self) -> float:
        """Its area in cells."""
        return float(self.cover.sum()) / PATCH_PX**2


@dataclass(frozen=True)
class Spot:
    """Where a patch may be: connected points of one colour.

    Attributes:
        part: its rows and columns of the view, with table around.
        own: (h, w) bool, its points there.
        others: (h, w) bool, those of other spots.
        strength: median of its shares.
    """

    part: tuple[slice, slice]
    own: BoolArray
    others: BoolArray
    strength: float


def spots(view: TableView, purity: FloatArray, share: FloatArray, settings: PatchSettings | None = None) -> list[list[Spot]]:
    """The spots of each colour on a table.

    Args:
        view: of the table.
        purity: (colors, h, w) how much of each colour every point has.
        share: (colors, h, w) the same between the table's and the full colour.
        settings: thresholds.
    """
    s = settings or PatchSettings()
    best = share.max(0)
    return [_spots(view.table & (own >= best) & (pure > s.purity), own, s) for own, pure in zip(share, purity, strict=True)]


def _spots(may_be: BoolArray, share: FloatArray, s: PatchSettings) -> list[Spot]:
    """The spots of one colour, by the points (h, w) that may have it and how much they do."""
    fullest = cv2.dilate(cv2.blur(share, (3, 3)), np.ones((2 * CELL_PX + 1, 2 * CELL_PX + 1), np.uint8))
    on = (may_be & (share > np.maximum(np.float32(s.of_fullest) * fullest, s.share))).astype(np.uint8)
    outlines, _ = cv2.findContours(on, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(on, outlines, -1, 1, cv2.FILLED)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(on, connectivity=4)
    areas = stats[:, cv2.CC_STAT_AREA] / CELL_PX**2
    found = []
    for label in np.flatnonzero((areas >= s.area[0]) & (areas <= s.area[1])).tolist():
        left, top, width, height, _ = (int(v) for v in stats[label])
        edge = s.around * CELL_PX
        rows, cols = (slice(max(0, low - edge), low + long + edge) for low, long in ((top, height), (left, width)))
        own = labels[rows, cols] == label
        strength = float(np.median(share[rows, cols][own]))
        if label and strength >= s.strength:
            found.append(Spot((rows, cols), own, (on[rows, cols] > 0) & ~own, strength))
    return found


def cut_out(view: TableView, colors: PieceColors, color: int, spot: Spot, settings: PatchSettings | None = None) -> Patch | None:
    """The patch of a spot of the colour with that index; None when there is too little of it or of the table around it."""
    s = settings or PatchSettings()
    bgr = view.closer(spot.part).astype(np.float32)
    mine, others, table = (_closer(mask) for mask in (spot.own, spot.others, view.table[spot.part]))
    core = cv2.erode(mine, np.ones((3, 3), np.uint8)) > 0
    near = cv2.dilate(mine, np.ones((7, 7), np.uint8)) > 0
    ring = (cv2.dilate(mine, np.ones((15, 15), np.uint8)) > 0) & ~near & (table > others)
    if core.sum() < 16 or ring.sum() < 16:
        return None
    own_bgr, table_bgr = (np.median(colors, axis=0) for colors in (_some(bgr[core]), _some(bgr[ring])))
    weight = _weight(_some(bgr[core]), _some(bgr[ring]), own_bgr - table_bgr, s.noise)
    way = (bgr @ weight - np.float32(table_bgr @ weight)).astype(np.float32)
    inside = near & (table > others)
    board_bgr = colors.board_bgr if view.board[spot.part].any() else None
    return Patch(color, spot.part, way, inside, bgr, own_bgr, table_bgr, board_bgr, table.astype(np.float32), spot.strength, s)


MOST_SAMPLES = 300
"""Pixels from which the colours of a patch and of the table around it are taken."""


def _some(colors: FloatArray) -> FloatArray:
    """At most about `MOST_SAMPLES` of colours (k, 3), from all over."""
    return colors[:: max(1, len(colors) // MOST_SAMPLES)]


def _closer(mask: BoolArray) -> NDArray[np.uint8]:
    return np.asarray(mask.astype(np.uint8).repeat(CLOSER, 0).repeat(CLOSER, 1))


def _weight(piece: FloatArray, table: FloatArray, way: FloatArray, noise: float) -> FloatArray:
    """(3,) the linear measure that tells two sets of colours (k, 3) apart best, 1 along the way (3,) between their middles."""
    spread = np.cov(table.T) + np.cov(piece.T) + noise**2 * np.eye(3)
    weight = np.linalg.solve(spread, way)
    return np.asarray(weight / max(float(weight @ way), 1e-9), np.float32)


def _filled(cover: FloatArray, hole: float) -> FloatArray:
    """The patch without small holes."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats((cover < 0.5).astype(np.uint8), connectivity=4)
    small = stats[:, cv2.CC_STAT_AREA] < hole * PATCH_PX**2
    for edge in (labels[0], labels[-1], labels[:, 0], labels[:, -1]):
        small[edge] = False
    small[0] = False
    return np.where(small[labels], np.float32(1), cover) if small.any() else cover
