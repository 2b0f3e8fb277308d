"""From vanishing points to lattices: evenly spaced lines in two directions at right angles on one plane."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.pose import FOCAL_SPREAD, USUAL_FOCAL
from calibration.segments import FloatArray, Segments, agrees

MOST_SEGMENTS = 400
"""Longest segments of each direction used for the period: a board's lines give 40 to 800."""


@dataclass(frozen=True)
class Lattice:
    """A square lattice on a plane, seen by a pinhole camera; which of its lines bound a board is still open.

    Attributes:
        focal_px: focal length in px.
        rotation: (3, 3) plane to camera; columns are the two line directions and the normal into the table.
        origin: (3,) camera point of one lattice crossing, in units of the lattice's period.
        middle: (2,) ``(col, row)`` of the middle of its segments, counted from that crossing.
        strength: agreement of the segments with the period, 0 to 1.
    """

    focal_px: float
    rotation: FloatArray
    origin: FloatArray
    middle: FloatArray
    strength: float

    def is_like(self, other: Lattice) -> bool:
        """Whether both lie on the same plane with lines in the same directions at the same spacing: following one is enough."""
        near = np.abs(self.rotation.T @ other.rotation)
        spacing = float(self.rotation[:, 2] @ self.origin) / float(other.rotation[:, 2] @ other.origin)
        return bool(near[2, 2] > ALIKE and near[0, :2].max() > ALIKE and abs(np.log(spacing)) < 0.015)


ALIKE = float(np.cos(np.radians(1.0)))
"""Cosine of the angle under which two directions lead to the same lattice when it is followed over the picture."""


def focal_of(first: FloatArray, second: FloatArray, image_wh: tuple[int, int]) -> tuple[float, float] | None:
    """Focal length in px under which two vanishing points lie at right angles, and the prior misfit of that length.

    The length is free near the vertical, so the usual one is kept as far as the right angle allows: the cost is
    ``(angle error / 1 degree)^2 + (log ratio to the usual / FOCAL_SPREAD)^2``.

    Args:
        first, second: homogeneous points as from `vanishing_points`.
        image_wh: size of the picture in px.

    Returns:
        focal length in px and cost; None when no camera in use can make them a right angle.
    """
    unit = float(max(image_wh))
    focals = USUAL_FOCAL * np.exp(FOCAL_SPREAD * np.linspace(-3, 3, 61))
    rays = [np.stack([p[0] + 0 * focals, p[1] + 0 * focals, p[2] * focals], -1) for p in (first, second)]
    one, two = (r / np.linalg.norm(r, axis=1, keepdims=True) for r in rays)
    off_deg = np.degrees(np.arcsin(np.clip(np.abs((one * two).sum(axis=1)), 0, 1)))
    cost = off_deg**2 + (np.log(focals / USUAL_FOCAL) / FOCAL_SPREAD) ** 2
    best = int(cost.argmin())
    if off_deg[best] > 4:
        return None
    return float(focals[best]) * unit, float(cost[best])


def plane_of(first: FloatArray, second: FloatArray, focal_px: float, image_wh: tuple[int, int]) -> FloatArray:
    """(3, 3) rotation of the plane with the two line directions: columns col axis, row axis, normal away from the camera.

    The axes are signed so that the pair turns clockwise in the picture, as columns and rows do.
    """
    unit = float(max(image_wh))
    axes = [np.array([p[0], p[1], p[2] * focal_px / unit]) for p in (first, second)]
    one, two = (a / np.linalg.norm(a) for a in axes)
    middle = one + two, one - two  # symmetric orthogonalisation
    a, b = (m / np.linalg.norm(m) for m in middle)
    one, two = (a + b) / np.sqrt(2), (a - b) / np.sqrt(2)
    normal = np.cross(one, two)
    if normal[2] < 0:
        two, normal = -two, -normal
    return np.column_stack([one, two, normal])


def find_lattices(
    segments: Segments,
    points: tuple[FloatArray, FloatArray],
    focal_px: float,
    image_wh: tuple[int, int],
    least_cell_px: float,
    most_cell_px: float,
    count: int = 3,
) -> list[Lattice]:
    """Lattices whose lines run towards the two vanishing points, best first.

    The offsets of the segments on the plane are tested for a common period: the length of the sum of
    ``exp(2 pi i offset / period)``, as in a periodogram, over both directions together.

    Args:
        segments: undistorted, in px.
        points: two vanishing points at right angles.
        focal_px: focal length in px.
        image_wh: size of the picture in px.
        least_cell_px, most_cell_px: range of the cell's side at the middle of the segments.
        count: how many periods to return at the most.
    """
    rotation = plane_of(points[0], points[1], focal_px, image_wh)
    middle = (np.array(image_wh, float) - 1) / 2
    unit = float(max(image_wh))
    ends = (segments.ends_px - middle) / unit
    offsets, weights, where = [], [], []
    for axis, point in enumerate(points):
        mine = agrees(point, ends, 1.5)
        plane = to_plane(segments.ends_px[mine], rotation, focal_px, middle)
        ok = np.isfinite(plane).all(axis=(1, 2))
        across = plane[ok].mean(axis=1)
        longest = np.argsort(-segments.length_px[mine][ok])[:MOST_SEGMENTS]
        offsets.append(across[longest, 1 - axis])
        weights.append(np.sqrt(segments.length_px[mine][ok][longest]))
        where.append(across)
    if min(len(o) for o in offsets) < 8:
        return []
    spots = np.vstack(where)
    center = np.median(spots, axis=0)
    scale_px = focal_px / float((rotation @ np.array([*center, 1.0]))[2])
    periods = np.exp(np.arange(np.log(least_cell_px / scale_px), np.log(most_cell_px / scale_px), 0.006))
    power, phase = _periodogram(offsets, weights, periods)
    found: list[Lattice] = []
    for k in _peaks(power, periods, count):
        shift = [np.angle(phase[a][k]) / (2 * np.pi) for a in (0, 1)]
        # Axis 0 runs along columns' direction, so its offsets are rows: (row offset, column offset).
        start = np.array([shift[1], shift[0], 1 / periods[k]])
        found.append(Lattice(focal_px, rotation, rotation @ start, center / periods[k] - start[:2], float(power[k])))
    return found


def to_plane(points_px: FloatArray, rotation: FloatArray, focal_px: float, middle: FloatArray) -> FloatArray:
    """Plane coordinates (along columns, along rows) of image points, in units of the camera's distance from the plane.

    Args:
        points_px: (..., 2) image points.
        rotation: (3, 3) as from `plane_of`.
        focal_px: focal length in px.
        middle: (2,) principal point in px.

    Returns:
        (..., 2); NaN at or beyond the horizon.
    """
    rays = np.concatenate([(points_px - middle) / focal_px, np.ones((*points_px.shape[:-1], 1))], -1)
    on_plane = rays @ rotation
    depth = np.where(on_plane[..., 2:] > 0.05, on_plane[..., 2:], np.nan)
    return np.asarray(on_plane[..., :2] / depth)


def _periodogram(offsets: list[FloatArray], weights: list[FloatArray], periods: FloatArray) -> tuple[FloatArray, list[FloatArray]]:
    power, phases = np.ones(len(periods)), []
    for offset, weight in zip(offsets, weights, strict=True):
        turn = (2 * np.pi * offset[None] / periods[:, None]).astype(np.float32)
        light = weight.astype(np.float32)
        total = (np.cos(turn) @ light + 1j * (np.sin(turn) @ light)) / weight.sum()
        power = power * np.abs(total)
        phases.append(total)
    return np.sqrt(power), phases


def _peaks(power: FloatArray, periods: FloatArray, count: int) -> list[int]:
    """Indices of the strongest local maxima, the longer period first among near equals (a half period agrees too)."""
    inner = (power[1:-1] >= power[:-2]) & (power[1:-1] > power[2:])
    tops = np.flatnonzero(inner) + 1
    tops = tops[np.argsort(-power[tops])][: count * 2]
    good = [int(k) for k in tops if power[k] > 0.5 * power[tops[0]]] if len(tops) else []
    return sorted(good, key=lambda k: -power[k] * (periods[k] / periods[good[0]]) ** 0.35)[:count]
