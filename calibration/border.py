"""Where the grid ends: what the picture shows across the four sides of a found board, against what it shows across real borders.

Lines that cross a side end there, and so do the colours of pieces; the border's own line, the rim and the table follow. Across each side
this is measured in steps of a sixth of a cell, and compared with what was learnt of drawn boards, at every place where the border may be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property, reduce
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import EDGE_HEIGHT_CELLS, GridPose, sample

FloatArray = NDArray[np.float32]

STEPS = 6
"""Places a cell."""

REACH = 15
"""Places measured on either side of where the border is expected."""

FARTHEST = 7
"""Places by which a border may be off: over a cell."""

TAPS = 16
"""Places around a border that tell that it is one."""

HEIGHTS = (0.0, EDGE_HEIGHT_CELLS)
"""Planes in which the board's own lines and the edges of pieces are seen, in cells."""

CHANNELS = 9
"""Values at each place, see `profiles`."""

OFFSETS = np.arange(-FARTHEST, FARTHEST + 1) / STEPS
"""(15,) offsets of the border in cells, outwards positive."""

RIGHT = np.abs(OFFSETS) < 0.25
"""Offsets at which the border lies where it is expected."""

_NOISE = np.float32(1.2)
"""Grey levels that a step may reach by noise alone, as in `calibration.extent`."""


@dataclass(frozen=True)
class Border:
    """What the four sides (upper, right, lower, left) say of where the grid ends.

    Attributes:
        log_p: (4, 16) log probabilities of each side's border at `OFFSETS`, and at none of them.
    """

    log_p: FloatArray

    @classmethod
    def of(cls, image_bgr: NDArray[np.uint8], pose: GridPose) -> Border:
        """Measured in a picture (h, w, 3) uint8, for a grid found in it."""
        weights, nowhere = _learnt()
        score = windows(features(image_bgr, pose)) @ weights
        score = np.concatenate([score, np.full((4, 1), nowhere, np.float32)], axis=1) * TEMPER
        return cls(score - np.logaddexp.reduce(score, axis=1, keepdims=True))

    @cached_property
    def doubt(self) -> float:
        """Probability that the grid does not end where it was found to."""
        doubts = [_axis_doubt(self.log_p[k], self.log_p[k + 2]) for k in (0, 1)]
        return 1 - (1 - doubts[0]) * (1 - doubts[1])

    @property
    def moved(self) -> tuple[int, int]:
        """Whole columns and rows by which the grid should be moved so that opposite sides agree best."""
        upper, right, lower, left = self.log_p[:, :-1]
        col, row = (OFFSETS[int((high + low[::-1]).argmax())] for high, low in ((right, left), (lower, upper)))
        return round(col), round(row)


TEMPER = np.float32(0.7)
"""Share of the learnt scores that counts: the places along a side do not err independently of each other."""


def profiles(image_bgr: NDArray[np.uint8], pose: GridPose) -> FloatArray:
    """What is seen across each side, averaged along it.

    Args:
        image_bgr: (h, w, 3) uint8.
        pose: of the grid.

    Returns:
        (4, CHANNELS, 2 * REACH), from inside to outside: contrast of the lines that cross the side and steps along it, both on the floor
        and at the height of pieces' edges; share of places with a piece's colour, and how much they differ; the crossing lines against
        those inside the board, on both planes; share of places outside the picture.
    """
    n = pose.size
    at = np.stack([_map(pose, height) for height in HEIGHTS])
    flat = sample(image_bgr, at.reshape(-1, 2 * REACH, 2)).reshape(2, 4, n, STEPS, 2 * REACH, 3)
    x, y = at[-1, ..., 0], at[-1, ..., 1]
    inside = (x > 0) & (y > 0) & (x < image_bgr.shape[1] - 1) & (y < image_bgr.shape[0] - 1)
    known = inside.reshape(4, n * STEPS, -1).mean(axis=1, dtype=np.float32)
    grey = cv2.cvtColor(flat.reshape(-1, 2 * REACH, 3), cv2.COLOR_BGR2GRAY).astype(np.float32)
    crossing = _crossing(grey.reshape(8, n * STEPS, -1), n).reshape(2, 4, -1)
    bands = reduce(np.add, np.moveaxis(grey.reshape(2, 4, n, STEPS, -1)[:, :, :, 1:-1], 3, 0)) / np.float32(STEPS - 2)
    steps = np.zeros_like(bands)
    np.abs(bands[..., 1:] - bands[..., :-1], out=steps[..., 1:])
    base = 2 * (np.median(steps, axis=(2, 3), keepdims=True) + _NOISE)
    along = (steps / (steps + base)).mean(axis=2)
    away = _from_the_light(flat[-1])
    colored = np.clip((away - PALE) / SPREAD, 0, 1).mean(axis=1)
    varied = np.clip(away.std(axis=1) / SPREAD, 0, 1)
    usual = max(float(np.maximum(crossing[:, :, : REACH - 2].max(axis=0).mean(axis=1), 0).mean()), LEAST_CONTRAST)
    against = np.clip(crossing / np.float32(usual), -0.5, 2)
    shown = [crossing[0], along[0], crossing[1], along[1], colored, varied, against[0], against[1]]
    return np.stack([*(channel * known for channel in shown), 1 - known], axis=1)


PALE, SPREAD = 0.12, 0.25
"""Colour distance (logarithms of channel ratios) up to which a place may have the board's own colour, and that to a strong colour."""

LEAST_CONTRAST = 0.08
"""Contrast of the lines inside the board under which they are taken for noise."""


def _map(pose: GridPose, height: float) -> FloatArray:
    """(4, size * STEPS, 2 * REACH, 2) image points across the four sides, along each, from inside to outside."""
    cols, rows = _spots(pose.size)
    at_px = np.empty((*cols.shape, 2), np.float32)
    pose.project_mesh(cols, rows, height, at_px)
    return at_px.reshape(4, -1, 2 * REACH, 2)


@cache
def _spots(size: int) -> tuple[FloatArray, FloatArray]:
    """Columns and rows, both (4 * size * STEPS, 2 * REACH), of the board points across the four sides."""
    along = (np.arange(size * STEPS)[:, None] + 0.5) / STEPS
    out = (np.arange(2 * REACH) + 0.5 - REACH) / STEPS
    sides = [np.broadcast_arrays(*spot) for spot in ((along, -out), (size + out, along), (along, size + out), (-out, along))]
    cols, rows = (np.concatenate(part).astype(np.float32) for part in zip(*sides, strict=True))
    return cols, rows


def _crossing(grey: FloatArray, n: int) -> FloatArray:
    """(k, 2 * REACH) contrast of the lines between cells along each side against their middles, from (k, n * STEPS, 2 * REACH)."""
    smooth = cv2.blur(grey.reshape(-1, grey.shape[-1]), (3, 1), borderType=cv2.BORDER_REPLICATE).reshape(grey.shape)
    step = np.zeros_like(smooth)
    np.abs(smooth[:, 1:] - smooth[:, :-1], out=step[:, 1:])
    cells = step.reshape(len(grey), n, STEPS, -1)
    # The strongest step near each line, and near each middle.
    middle = cells[:, :, STEPS // 2 - 1 : STEPS // 2 + 2].max(axis=2)
    line = np.maximum(cells[:, 1:, :2].max(axis=2), cells[:, :-1, -1])
    beside = (middle[:, 1:] + middle[:, :-1]) / 2
    return np.asarray(((line - beside) / (line + beside + _NOISE)).mean(axis=1))


def _from_the_light(flat: NDArray[np.uint8]) -> FloatArray:
    """(4, n, 2 * REACH) colour distance from the least coloured third of the board's outer cells, of (4, n, STEPS, 2 * REACH, 3) BGR."""
    level = reduce(np.add, np.moveaxis(flat[:, :, 1:-1], 2, 0).astype(np.uint16))
    log = np.log(level * np.float32(1 / (STEPS - 2)) + 4)
    chroma = np.stack([log[..., 2] - log[..., 1], log[..., 0] - log[..., 1]], -1)
    board = chroma[:, :, : REACH - 1].reshape(-1, 2)
    light = np.zeros(2, np.float32)
    for _ in range(3):
        near = np.argpartition(np.abs(board - light).sum(axis=1), len(board) // 3)[: len(board) // 3]
        light = np.median(board[near], axis=0)
    return np.asarray(np.linalg.norm(chroma - light, axis=-1))


def slopes(pose: GridPose) -> FloatArray:
    """(4,) outward lean of the view at the middle of each side: cells across for each cell of height, positive towards the camera."""
    n, (col, row, height) = pose.size, pose.camera_position
    return np.asarray(np.clip(np.array([-row, col - n, row - n, -col]) / height, -STEEPEST, STEEPEST), np.float32)


STEEPEST = 2.2
"""Slope beyond which views do not differ any more."""


def features(image_bgr: NDArray[np.uint8], pose: GridPose) -> FloatArray:
    """(4, 3 * CHANNELS, 2 * REACH): profiles, and the same in proportion to the slope of far and of near sides.

    The picture (h, w, 3) uint8 is halved until no line of it can be lost between two places.
    """
    cell_px = float(np.sqrt(abs(cv2.contourArea(pose.corners_px.astype(np.float32))))) / pose.size
    while cell_px >= 2 * LEAST_CELL_PX:
        width, height = (side // 2 for side in pose.image_wh)
        image_bgr = np.asarray(cv2.resize(image_bgr[: 2 * height, : 2 * width], (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        pose, cell_px = replace(pose.scaled(0.5), image_wh=(width, height)), cell_px / 2
    seen, lean = profiles(image_bgr, pose), slopes(pose)
    far, near = (part[:, None, None] * seen for part in (np.minimum(lean, 0), np.maximum(lean, 0)))
    return np.concatenate([seen, far, near], axis=1)


LEAST_CELL_PX = 10.0
"""Pixels a cell with which lines are still seen."""


def windows(features: FloatArray) -> FloatArray:
    """(4, 15, 3 * CHANNELS * TAPS) the features around each of the `OFFSETS`."""
    at = REACH + np.arange(-FARTHEST, FARTHEST + 1)[:, None] + np.arange(-TAPS // 2, TAPS // 2)
    return features[:, :, at].transpose(0, 2, 1, 3).reshape(len(features), len(at), -1)


@cache
def _learnt() -> tuple[FloatArray, np.float32]:
    """(3 * CHANNELS * TAPS,) weights, and the score of no border at all; made by `python -m tests.learning`."""
    numbers = np.load(WEIGHTS).astype(np.float32)
    return numbers[:-1], numbers[-1]


WEIGHTS = Path(__file__).with_name("border.npy")
"""Where the weights lie."""


def _axis_doubt(one: FloatArray, other: FloatArray) -> float:
    """Probability that not both of two opposite sides are where they should be, from their log probabilities (16,)."""
    p, q = np.exp(one - one.max()), np.exp(other - other.max())
    right = SHARE_RIGHT * p[:-1][RIGHT].mean() * q[:-1][RIGHT].mean()
    moved = SHARE_MOVED * (p[:-1] * q[-2::-1])[~RIGHT].mean()
    stretched = SHARE_STRETCHED * (p[:-1][~RIGHT].mean() * q[:-1][RIGHT].mean() + q[:-1][~RIGHT].mean() * p[:-1][RIGHT].mean())
    nowhere = SHARE_NOWHERE * (p[-1] * q[:-1].mean() + q[-1] * p[:-1].mean() + p[-1] * q[-1])
    return float(1 - right / (right + moved + stretched + nowhere))


SHARE_RIGHT, SHARE_MOVED, SHARE_STRETCHED, SHARE_NOWHERE = 0.9, 0.07, 0.02, 0.01
"""How often, before looking, a found grid has two opposite sides right, both off by the same, one off, or lies on no board."""
