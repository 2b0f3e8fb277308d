"""Boards proposed from their outline: four long lines that bound a square on the table, with faint grid lines inside."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from calibration.lattice import Lattice, plane_of, to_plane
from calibration.pose import sample
from calibration.segments import FloatArray, Segments, agrees

SIDE_PX = 336
"""Side of the board image in which grid lines are looked for: 15 px a cell of a board with the wide rim."""


@dataclass(frozen=True)
class OutlineSettings:
    """Numbers of the outline search.

    Attributes:
        lines: how many lines of each direction are combined.
        aspect: how far from square an outline may be, as a share of its side (focal length and vanishing points err).
        least_side: smallest side in units of the picture's longer side.
        least_drawn: share of each side that must be drawn: hands and leftovers hide the rest.
        rim_cells: widest rim between outline and grid, both sides together (two designs: 0.6 and 1.4, with the slab's wall more).
    """

    lines: int = 14
    aspect: float = 0.06
    least_side: float = 0.15
    rim_cells: float = 2.2
    least_drawn: float = 0.25


DEFAULT_OUTLINE = OutlineSettings()


def outline_lattices(
    gray: NDArray[np.uint8],
    segments: Segments,
    points: tuple[FloatArray, FloatArray],
    focal_px: float,
    sizes: tuple[int, ...],
    settings: OutlineSettings = DEFAULT_OUTLINE,
    count: int = 2,
) -> list[Lattice]:
    """Lattices inside square outlines whose sides run towards two vanishing points, best first.

    Args:
        gray: (h, w) uint8.
        segments: of it, in px, undistorted.
        points: two vanishing points at right angles.
        focal_px: focal length in px.
        sizes: cells a side to consider.
        settings: numbers of the search.
        count: how many to return at the most.
    """
    wh = (gray.shape[1], gray.shape[0])
    rotation = plane_of(points[0], points[1], focal_px, wh)
    middle = (np.array(wh, float) - 1) / 2
    found: list[Lattice] = []
    for square in _squares(segments, points, rotation, focal_px, wh, settings)[: 3 * count]:
        best = _inside(gray, square, rotation, focal_px, middle, sizes, settings)
        if best is not None:
            found.append(best)
    return sorted(found, key=lambda lattice: -lattice.strength)[:count]


@dataclass(frozen=True)
class _Square:
    """A square on the plane: ``(col, row)`` of its first corner, its sides, and the share of its border that is drawn."""

    start: FloatArray
    side: FloatArray
    support: float


def _squares(
    segments: Segments,
    points: tuple[FloatArray, FloatArray],
    rotation: FloatArray,
    focal_px: float,
    wh: tuple[int, int],
    settings: OutlineSettings,
) -> list[_Square]:
    unit = float(max(wh))
    middle = (np.array(wh, float) - 1) / 2
    ends = (segments.ends_px - middle) / unit
    families = []
    for axis, point in enumerate(points):
        mine = agrees(point, ends, 1.5)
        plane = to_plane(segments.ends_px[mine], rotation, focal_px, middle)
        plane = plane[np.isfinite(plane).all(axis=(1, 2))]
        families.append(_lines_of(plane, axis, unit / focal_px, settings))
    (rows, row_spans), (cols, col_spans) = families  # lines along columns' direction have a row offset, and the other way round
    if len(rows) < 2 or len(cols) < 2:
        return []
    least = settings.least_side * unit / focal_px * 0.6
    squares = []
    for a, b in combinations(range(len(rows)), 2):
        height = float(rows[b] - rows[a])
        if height < least:
            continue
        for c, d in combinations(range(len(cols)), 2):
            width = float(cols[d] - cols[c])
            if abs(width / height - 1) > settings.aspect:
                continue
            across = min(_drawn(row_spans[k], cols[c], cols[d]) for k in (a, b))
            share = min(across, *(_drawn(col_spans[k], rows[a], rows[b]) for k in (c, d))) if across > settings.least_drawn else 0.0
            if share > settings.least_drawn:
                squares.append(_Square(np.array([cols[c], rows[a]]), np.array([width, height]), share))
    squares.sort(key=lambda s: -s.support * float(s.side[0]) ** 0.5)
    return _different(squares[:60])


def _different(squares: list[_Square]) -> list[_Square]:
    kept: list[_Square] = []
    for square in squares:
        tolerance = 0.01 * float(square.side[0])
        if all(np.abs(square.start - k.start).max() > tolerance or np.abs(square.side - k.side).max() > tolerance for k in kept):
            kept.append(square)
    return kept


def _lines_of(plane: FloatArray, axis: int, scale: float, settings: OutlineSettings) -> tuple[FloatArray, list[FloatArray]]:
    """Offsets of the most drawn lines of one direction, ascending, and the spans drawn on each: list of (k, 2)."""
    offsets = plane.mean(axis=1)[:, 1 - axis]
    spans = np.sort(plane[:, :, axis], axis=1)
    width = 0.006 * scale
    order = np.argsort(-(spans[:, 1] - spans[:, 0]))
    centers: list[float] = []
    members: list[list[int]] = []
    for k in order:
        near = [i for i, c in enumerate(centers) if abs(c - offsets[k]) < width]
        if near:
            members[near[0]].append(int(k))
        else:
            centers.append(float(offsets[k]))
            members.append([int(k)])
    drawn = [float((spans[m, 1] - spans[m, 0]).sum()) for m in members]
    best = np.argsort(-np.array(drawn))[: settings.lines]
    best = best[np.argsort(np.array(centers)[best])]
    return np.array(centers)[best], [spans[members[i]] for i in best]


def _drawn(spans: FloatArray, low: float, high: float) -> float:
    """Share of the interval that the spans cover."""
    grid = np.linspace(low, high, 64)
    return float(((grid[:, None] >= spans[:, 0]) & (grid[:, None] <= spans[:, 1])).any(axis=1).mean())


def _inside(
    gray: NDArray[np.uint8],
    square: _Square,
    rotation: FloatArray,
    focal_px: float,
    middle: FloatArray,
    sizes: tuple[int, ...],
    settings: OutlineSettings,
) -> Lattice | None:
    """The evenly spaced lines inside a square, summed over its whole width so that faint ones show."""
    at = (np.arange(SIDE_PX) + 0.5) / SIDE_PX
    cols, rows = square.start[0] + at * square.side[0], square.start[1] + at * square.side[1]
    x, y = np.meshgrid(cols, rows)
    rays = np.stack([x, y, np.ones_like(x)], -1) @ rotation.T
    where = (rays[..., :2] / rays[..., 2:] * focal_px + middle).astype(np.float32)
    flat = sample(gray, where).astype(np.float64)
    profiles = [_profile(flat), _profile(flat.T)]
    best: tuple[float, float, FloatArray] | None = None
    for size in sizes:
        for rim in np.arange(0.0, settings.rim_cells, 0.1):
            period = SIDE_PX / (size + rim)
            scores, offsets = zip(*(_comb(p, period, size, rim) for p in profiles), strict=True)
            score = float(np.sqrt(max(scores[0], 0) * max(scores[1], 0)))
            if best is None or score > best[0]:
                best = score, period, np.array(offsets)
    if best is None or best[0] < 0.05:
        return None
    score, period, offset = best
    cell = float(square.side.mean()) * period / SIDE_PX
    origin = np.append(square.start + offset / SIDE_PX * square.side, 1.0)
    return Lattice(focal_px, rotation, rotation @ origin / cell, np.full(2, 10.0), score)


def _profile(flat: FloatArray) -> FloatArray:
    """(SIDE_PX - 1,) steps across columns: averaged with their sign over each of 12 bands of rows, then their sizes over the bands."""
    step = np.diff(flat, axis=1)
    return np.asarray(np.abs(step.reshape(12, -1, step.shape[1]).mean(axis=1)).mean(axis=0))


def _comb(profile: FloatArray, period: float, size: int, rim: float) -> tuple[float, float]:
    """Best contrast of lines against the middles between them, and the place of the first line in px."""
    level = np.clip(profile, 0, 4 * np.median(profile) + 1e-6)
    widest = np.maximum(level, np.maximum(np.roll(level, 1), np.roll(level, -1)))
    firsts = np.arange(max(0.0, rim / 2 - 0.5), rim / 2 + 0.5, 0.1) * period
    lines = firsts[:, None] + np.arange(0.5, size, 0.5) * period - 1  # middles and lines by turns
    seen = widest[np.clip(np.round(lines).astype(int), 1, len(level) - 2)]
    off, on = seen[:, 0::2].mean(axis=1), seen[:, 1::2].mean(axis=1)
    contrast = (on - off) / (on + off + 1e-6)
    best = int(contrast.argmax())
    return float(contrast[best]), float(firsts[best])
