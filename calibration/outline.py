"""Boards proposed from their outline: four long lines that bound a square on the table, with faint grid lines inside."""

from __future__ import annotations

from dataclasses import dataclass

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
    (a, b), (c, d) = (np.triu_indices(len(lines), 1) for lines in (rows, cols))
    height, width = (rows[b] - rows[a])[:, None], (cols[d] - cols[c])[None]
    on_rows = np.stack([_drawn(spans, cols) for spans in row_spans])  # (row line, column line)
    on_cols = np.stack([_drawn(spans, rows) for spans in col_spans])
    square = (height >= least) & (np.abs(width / np.maximum(height, least) - 1) <= settings.aspect)
    k, m = np.nonzero(square)
    a, b, c, d = a[k], b[k], c[m], d[m]
    across = np.minimum(on_rows[a, d] - on_rows[a, c], on_rows[b, d] - on_rows[b, c]) / (cols[d] - cols[c])
    down = np.minimum(on_cols[c, b] - on_cols[c, a], on_cols[d, b] - on_cols[d, a]) / (rows[b] - rows[a])
    share = np.minimum(across, down)
    squares = [
        _Square(np.array([cols[c[i]], rows[a[i]]]), np.array([cols[d[i]] - cols[c[i]], rows[b[i]] - rows[a[i]]]), float(share[i]))
        for i in np.flatnonzero(share > settings.least_drawn)
    ]
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


def _drawn(spans: FloatArray, at: FloatArray) -> FloatArray:
    """How much of a line is drawn before each place, of the (k, 2) spans drawn on it, which may overlap."""
    low, high = spans[np.argsort(spans[:, 0])].T
    low = np.maximum(low, np.append(-np.inf, np.maximum.accumulate(high)[:-1]))
    return np.asarray(np.clip(at[:, None] - low, 0, np.maximum(high - low, 0)).sum(axis=1))


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
    fine, coarse = ((np.arange(count) + 0.5) / count for count in (SIDE_PX, BANDS * ALONG))
    profiles = []
    for col, row in ((fine, coarse[:, None]), (coarse[:, None], fine)):
        x, y = square.start[0] + col * square.side[0], square.start[1] + row * square.side[1]
        depth = x * rotation[2, 0] + y * rotation[2, 1] + rotation[2, 2]
        where = [(x * rotation[k, 0] + y * rotation[k, 1] + rotation[k, 2]) / depth * focal_px + middle[k] for k in (0, 1)]
        profiles.append(_profile(sample(gray, np.stack(where, -1).astype(np.float32))))
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


BANDS, ALONG = 12, 8
"""Bands of a square in each of which steps are averaged, and places sampled along each."""


def _profile(flat: NDArray[np.uint8]) -> FloatArray:
    """(SIDE_PX - 1,) strongest step near each place across columns, from (BANDS * ALONG, SIDE_PX) levels.

    Steps are averaged with their sign over each band, then their sizes over the bands.
    """
    level = flat.reshape(BANDS, ALONG, -1).mean(axis=1)
    step = np.abs(level[:, 1:] - level[:, :-1]).mean(axis=0)
    capped = np.clip(step, 0, 4 * np.median(step) + 1e-6)
    return np.asarray(np.maximum(capped, np.maximum(np.roll(capped, 1), np.roll(capped, -1))))


def _comb(widest: FloatArray, period: float, size: int, rim: float) -> tuple[float, float]:
    """Best contrast of lines against the middles between them, of a profile, and the place of the first line in px."""
    firsts = np.arange(max(0.0, rim / 2 - 0.5), rim / 2 + 0.5, 0.1) * period
    lines = firsts[:, None] + np.arange(0.5, size, 0.5) * period - 1  # middles and lines by turns
    seen = widest[np.clip(np.round(lines).astype(int), 1, len(widest) - 2)]
    off, on = seen[:, 0::2].mean(axis=1), seen[:, 1::2].mean(axis=1)
    contrast = (on - off) / (on + off + 1e-6)
    best = int(contrast.argmax())
    return float(contrast[best]), float(firsts[best])
