"""A small picture of the board and its rim, cheap enough to be taken of every frame, and how two of them differ.

Two glances are compared after the light between them is taken out: a low-order surface of gains for each channel, so
that a lamp, a white-balance step or a passing cloud leaves nothing, whatever it does to the picture as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import PIECE_HEIGHT_CELLS, GridPose
from vision.lines import vanished

FloatArray = NDArray[np.float32]

CELL_PX = 8
"""Pixels a cell of a glance: a quarter of a usual 1280x960 picture's, so that sensor noise is averaged away."""

MARGIN_CELLS = 2.0
"""Cells around the grid: the rim is 0.3 to 0.7 cell wide, and what reaches over 1.2 cells outside is no piece on the board."""

CORE = slice(2, 6)
"""The middle half of a cell along each axis: at the height of the glance the lean of a neighbour's top stays out of it."""

GLANCE_HEIGHT_CELLS = PIECE_HEIGHT_CELLS / 2
"""Half way up a piece: floor and top of a cell are then equally far off, at most a quarter of a cell at 60 degrees."""

LEVEL_FLOOR = 8.0
"""Grey levels added before ratios are taken: black plastic must not turn noise into change."""

SHADE_PX = CELL_PX + 1
"""Side of the square over which a shadow's gain is taken as even: one cell; the edges of shadows are softer."""

BLOWN_LEVEL = 250.0
"""Grey level that every channel reaches where light is reflected as by a mirror."""

BLOWN_SHARE = 0.5
"""Share of a cell's middle that must be so bright: what is left of a smaller spot still tells what lies there."""

EDGE_PX = int(MARGIN_CELLS * CELL_PX)
"""Pixels of a glance around the grid."""


@dataclass(frozen=True)
class Glancer:
    """Takes glances of one pose.

    Attributes:
        pose: the grid in the pictures.
        halvings: times the picture is halved before it is rectified.
        whole_xy: (m, m, 2) int16 whole pixels of the halved picture.
        part: (m, m) uint16 parts of a pixel, as `cv2.convertMaps` packs them.
    """

    pose: GridPose
    halvings: int
    whole_xy: NDArray[np.int16]
    part: NDArray[np.uint16]

    @classmethod
    def of(cls, pose: GridPose) -> Glancer:
        """For a pose; halves as often as leaves a cell about `CELL_PX` wide."""
        cell_px = float(np.median(pose.cell_sizes_px()))
        halvings = max(0, int(np.log2(max(cell_px, 1.0) / (0.8 * CELL_PX))))
        place = pose.scaled(0.5**halvings).rectify_map(CELL_PX, MARGIN_CELLS, GLANCE_HEIGHT_CELLS)
        whole_xy, part = cv2.convertMaps(place[..., 0], place[..., 1], cv2.CV_16SC2)
        return cls(pose, halvings, np.asarray(whole_xy, np.int16), np.asarray(part, np.uint16))

    def glance(self, image_bgr: NDArray[np.uint8]) -> FloatArray:
        """(m, m, 3) float32 small board image, m = (size + 2 * MARGIN_CELLS) * CELL_PX; black outside the picture."""
        small = image_bgr
        for _ in range(self.halvings):
            half = (small.shape[1] // 2, small.shape[0] // 2)
            small = np.asarray(cv2.resize(small, half, interpolation=cv2.INTER_AREA), np.uint8)
        return np.asarray(cv2.remap(small, self.whole_xy, self.part, cv2.INTER_LINEAR), np.float32)


def core_means(glance: FloatArray) -> FloatArray:
    """(size, size, channels) mean of the middle of each cell."""
    return np.asarray(_by_cell(glance)[:, CORE, :, CORE].mean((1, 3)))


def blown_cells(glance: FloatArray) -> NDArray[np.bool_]:
    """(size, size) cells whose middle is mostly white to the limit of the sensor: nobody can say what lies there."""
    darkest = np.minimum(np.minimum(glance[..., 0], glance[..., 1]), glance[..., 2])
    return np.asarray(core_means((darkest >= BLOWN_LEVEL).astype(np.float32)[..., None])[..., 0] > BLOWN_SHARE)


def _by_cell(glance: FloatArray) -> FloatArray:
    """(size, CELL_PX, size, CELL_PX, channels) view of the grid's part of a glance."""
    grid = glance[EDGE_PX:-EDGE_PX, EDGE_PX:-EDGE_PX]
    n = grid.shape[0] // CELL_PX
    return grid.reshape(n, CELL_PX, n, CELL_PX, -1)


@dataclass(frozen=True)
class ChangeSettings:
    """Thresholds of what counts as changed between two glances; differences are in percent of the board's level.

    Attributes:
        gain_spread: natural logarithm by which a cell may leave the surface of gains before it stops shaping it.
        calm: mean difference of a cell that is surely the same (noise, light and pose: 1 to 2 on renders).
        changed: mean difference at which a cell is as likely changed as not (new pieces in a glare: 7 and more, others
            over 30; their neighbours up to 12).
        calm_noise, changed_noise: the same in units of the median cell's difference, where pictures are noisy.
        surely: difference, beyond that of a shade too, at which a cell has surely changed (new pieces: over 20 on renders,
            their neighbours under 12, at 65 degrees under 26).
        calm_nats: log odds against a change in a cell that looks just the same.
        changed_nats: log odds for a change in a cell that looks quite different: less, for glare and what a neighbour
            hides do that too.
        pixel: difference of a single pixel that is part of a thing (a hand, a piece).
        faint: the same where it goes on from such a pixel: skin over a wooden table, a sleeve over the like (what goes on from
            new pieces never reached ``reach_cells`` in 254 looks at renders, and hands that do not at 14 mostly do).
        reach_cells: what reaches this far outside the grid and is part of a change inside comes from outside: a hand.
        deepest_shade: gain of the deepest shadow that is believed; what is darker is a thing.
        solid_cells: cells of a changed region inside the grid that are more than shade, from which it is no piece: two
            pieces that touch, seen at a slant, reach 16.
        covered_share: share of a cell's pixels that such a thing covers when the cell counts as hidden.
    """

    gain_spread: float = 0.04
    calm: float = 3.0
    changed: float = 7.0
    calm_noise: float = 2.0
    changed_noise: float = 3.5
    surely: float = 20.0
    calm_nats: float = 12.0
    changed_nats: float = 5.0
    pixel: float = 14.0
    faint: float = 8.0
    reach_cells: float = 0.75
    deepest_shade: float = 0.6
    solid_cells: float = 20.0
    covered_share: float = 0.12


@dataclass(frozen=True)
class Difference:
    """How a glance differs from an earlier one once the light is taken out.

    Attributes:
        cell: (size, size) float32 mean difference of each cell's middle, in percent of the board's level.
        solid: (size, size) float32 the same beyond what a smooth colourless shade explains.
        covered: (size, size) bool, a thing that reaches in from outside the board, or a large one, covers part of the cell.
        entered: (size, size) bool, the same for what reaches in from outside alone.
        off: (m, m) float32 difference of each pixel, in percent of the board's level.
        things: (m, m) bool pixels of pieces, hands and other things that came or went.
        lit: (m, m, 3) float32 the earlier glance in the light of the later one.
        unlined: (size, size) bool, covered cells on and around which the board's lines were seen and are no more. It does not tell a
            thing from a piece: seen at a slant, the squares of some have inner edges as strong as their borders.
    """

    cell: FloatArray
    solid: FloatArray
    covered: NDArray[np.bool_]
    entered: NDArray[np.bool_]
    off: FloatArray
    things: NDArray[np.bool_]
    lit: FloatArray
    unlined: NDArray[np.bool_]

    def log_odds(self, settings: ChangeSettings) -> FloatArray:
        """(size, size) natural log odds that what lies on each cell changed, from its looks alone."""
        s = settings
        calm, changed = self._bounds(s)
        against = np.clip((changed - self.cell) / (changed - calm), 0, 1) * s.calm_nats
        both = np.minimum(self.cell, self.solid)
        support = np.clip((both - changed) / max(s.surely - changed, 1.0), 0, 1) * s.changed_nats
        return np.asarray(support - against, np.float32)

    def changed(self, settings: ChangeSettings) -> NDArray[np.bool_]:
        """(size, size) cells that may have changed."""
        return np.asarray(self.cell > sum(self._bounds(settings)) / 2)

    def beside(self, cells: NDArray[np.bool_], settings: ChangeSettings) -> NDArray[np.bool_]:
        """(m, m) things outside the grid that are near to cells (size, size): fingers that still hold a piece, perhaps."""
        outside = -_depth_cells(self.off.shape[0]) > settings.reach_cells
        return self.things & outside & spread_cells(cells, around=2)

    def _bounds(self, s: ChangeSettings) -> tuple[float, float]:
        """Differences of a surely calm cell and of one that is as likely changed as not, among cells as noisy as these."""
        noise = float(np.median(self.cell))
        return max(s.calm, s.calm_noise * noise), max(s.changed, s.changed_noise * noise)


def compare(before: FloatArray, now: FloatArray, settings: ChangeSettings) -> Difference:
    """How ``now`` differs from ``before``; both are glances of the same board by their own poses."""
    lit = before * cv2.exp(gain_surface(before, now, settings.gain_spread))
    n = before.shape[0] // CELL_PX - 2 * int(MARGIN_CELLS)
    level = float(core_means(now).mean()) + LEVEL_FLOOR
    off, thing = (_apart(x, now) * np.float32(100 / level) for x in (lit, lit * _shade(lit, now, settings.deepest_shade)))
    cell, solid = (_by_cell(x)[:, CORE, :, CORE].mean((1, 3)).reshape(n, n) for x in (off, thing))
    dim = _dimness(lit, now, level)
    things = _closed(cv2.blur(thing * dim, (5, 5)) > settings.pixel, 3)
    faint = (cv2.blur(thing * dim, (3, 3)) > settings.faint).astype(np.uint8) | things  # not closed: loose pieces lie near the rim
    covered, entered = _covered(off * dim, things, faint, n, settings)
    unlined = covered & vanished(before, now, CELL_PX, EDGE_PX) if covered.any() else covered
    return Difference(cell, solid, covered, entered, off, things > 0, lit, unlined)


def _apart(one: FloatArray, other: FloatArray) -> FloatArray:
    """(m, m) mean difference of the channels of two glances (m, m, 3)."""
    return _grey(np.asarray(cv2.absdiff(one, other), np.float32))


def _grey(glance: FloatArray) -> FloatArray:
    """(m, m) mean of the three channels of a glance."""
    return np.asarray(cv2.transform(glance, np.full((1, 3), 1 / 3)), np.float32)


def _shade(lit: FloatArray, now: FloatArray, deepest: float) -> FloatArray:
    """(m, m, 1) smooth colourless gain between two glances: what a shadow does and a thing does not."""
    before, after = (cv2.blur(_grey(x), (SHADE_PX, SHADE_PX)) for x in (lit, now))
    ratio = (after + LEVEL_FLOOR) / (before + LEVEL_FLOOR)
    return np.asarray(np.clip(ratio, deepest, 1 / deepest)[..., None], np.float32)


def _dimness(lit: FloatArray, now: FloatArray, level: float) -> FloatArray:
    """(m, m) factor by which differences count for more on what is darker than the board around it: a hand over a dark table."""
    local = cv2.blur(_grey(np.maximum(lit, now)), (5, 5)) + LEVEL_FLOOR
    return np.asarray(np.where(_depth_cells(now.shape[0]) < 0, np.maximum(level / local, 1), 1), np.float32)


def gain_surface(before: FloatArray, now: FloatArray, spread: float) -> FloatArray:
    """(m, m, 3) natural logarithm of the gain of the light from one glance to the next.

    A cubic in the place, fitted to the ratios of the means of most cells, those of the rim included: cells that leave
    it (pieces, hands) lose their say, the more the closer the fit.
    """
    wide = before.shape[0]
    n = wide // CELL_PX
    small = [np.log(cv2.resize(x, (n, n), interpolation=cv2.INTER_AREA) + LEVEL_FLOOR).reshape(n * n, 3) for x in (before, now)]
    ratio = small[1] - small[0]
    basis = _cubic(n)
    off = np.abs(ratio - np.median(ratio, axis=0)).max(1)
    fitted = ratio
    for width in (4 * spread, 3 * spread, 2 * spread, spread, spread):
        weighted = basis / (1 + (off / width) ** 2)[:, None]
        fitted = basis @ np.linalg.solve(weighted.T @ basis + 1e-3 * np.eye(10), weighted.T @ ratio)
        off = np.abs(ratio - fitted).max(1)
    surface = fitted.reshape(n, n, 3).astype(np.float32)
    return np.asarray(cv2.resize(surface, (wide, wide), interpolation=cv2.INTER_LINEAR), np.float32)


@cache
def _cubic(n: int) -> NDArray[np.float64]:
    """(n * n, 10) monomials up to the third degree of places -1 to 1."""
    y, x = (np.mgrid[0:n, 0:n] / (n - 1) * 2 - 1).reshape(2, -1)
    return np.stack([x**i * y**j for i in range(4) for j in range(4 - i)], -1)


def _covered(
    off: FloatArray,
    things: NDArray[np.uint8],
    faint: NDArray[np.uint8],
    n: int,
    s: ChangeSettings,
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(n, n) cells under a hand or another thing, and those of them under one from outside: a changed region that is no mere shadow.

    Something solid in it reaches in from far outside the grid, faintly at least, or is larger than pieces are (a sleeve may
    look like the rim that it crosses).
    """
    outside_cells, solid = -_depth_cells(off.shape[0]), things > 0
    count, blocks = cv2.connectedComponents(things, connectivity=8)
    large = np.bincount(blocks[outside_cells < 0], minlength=count) > s.solid_cells * CELL_PX**2
    count, reaches = cv2.connectedComponents(faint, connectivity=8)
    far, inside = (np.bincount(reaches[mask], minlength=count) > 0 for mask in (outside_cells > s.reach_cells, solid & (outside_cells < 0)))
    entering = solid & (far & inside)[reaches]
    count, regions = cv2.connectedComponents(_closed(cv2.blur(off, (3, 3)) > s.pixel, 5), connectivity=8)

    def under(thing: NDArray[np.bool_]) -> NDArray[np.bool_]:
        held = np.bincount(regions[thing], minlength=count) > 0
        held[0] = False
        share = _by_cell(held[regions].astype(np.float32)).mean((1, 3))
        return np.asarray(share.reshape(n, n) > s.covered_share)

    return under(entering | (solid & large[blocks])), under(entering)


def _closed(mask: NDArray[np.bool_], side_px: int) -> NDArray[np.uint8]:
    """(m, m) the mask with gaps of less than ``side_px`` closed."""
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((side_px, side_px), np.uint8)), np.uint8)


@cache
def _depth_cells(wide: int) -> FloatArray:
    """(wide, wide) how deep inside the grid each pixel of a glance lies, in cells; negative outside."""
    at = (np.arange(wide) + 0.5) / CELL_PX - MARGIN_CELLS
    depth = np.minimum(at, wide / CELL_PX - 2 * MARGIN_CELLS - at)
    return np.asarray(np.minimum(depth[:, None], depth[None, :]), np.float32)


def composed(difference: Difference, now: FloatArray, keep: NDArray[np.bool_]) -> FloatArray:
    """(m, m, 3) the later glance ``now``, but the earlier one in the new light where ``keep`` (m, m) says so."""
    return np.where(keep[..., None], difference.lit, now)


def spread_cells(cells: NDArray[np.bool_], around: int = 0) -> NDArray[np.bool_]:
    """(m, m) the pixels of a glance that belong to cells (size, size), and to ``around`` cells beside them."""
    wide = np.pad(cells.astype(np.uint8), int(MARGIN_CELLS))
    if around:
        wide = np.asarray(cv2.dilate(wide, np.ones((2 * around + 1, 2 * around + 1), np.uint8)), np.uint8)
    return wide.repeat(CELL_PX, 0).repeat(CELL_PX, 1) > 0
