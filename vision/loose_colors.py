"""Which points of the table have a piece's colour, and have it more than the table around them.

The board tells what white and each piece colour look like in this picture (`vision.light`: chroma against the empty board).
Beside the board a piece has the same direction in the chroma plane, and the table has any colour: so each point is measured
along the directions of the colours, and what the table shows there itself is taken off.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose, sample
from referee.cells import COLOR_LETTER, EMPTY
from vision.light import DARK_FLOOR, chroma, log_ratios
from vision.loose_view import SPOT_PX, TableView
from vision.palette import USUAL_PURITY, direction
from vision.sampling import GAMMA, SIGHT_HEIGHT_CELLS

FloatArray = NDArray[np.float32]
BoolArray = NDArray[np.bool_]

LINEAR = ((np.arange(256) / 255.0) ** GAMMA).astype(np.float32)
"""Linear light of each value of a picture."""

LEAST_CELLS = 3
"""Squares of a colour on the board from which its look is taken from them; else it is the usual one."""

LEAST_PURITY = 0.15
"""Length in the chroma plane below which the squares of a colour show the light and not the colour."""

MOST_TURN = np.radians(50)
"""Most that a colour's direction differs from the usual one under an odd light; squares washed out by glare have any direction."""

FULLEST = 0.015
"""Share of the table that shows a colour as full as its pieces are: a handful of squares."""

LEAST_LENGTH = 0.25
"""Least length in the chroma plane of a full colour: paler tables are everywhere, paler sets are not."""

WINDOW_CELLS = 9
"""Side of the window from which the table's own colour is taken."""

BARE = 0.4
"""Part of the way from the table's to a piece's colour from which a cell is not counted as table."""

LEAST_ROOM = 0.25
"""Least difference between the table and a colour, in parts of that colour, at which its pieces are told from the table."""

HIDDEN_SHARE = 0.3
"""Share of the table from which a colour cannot be counted on it."""

STEPS = 80.0
"""Steps of purity that are told apart where medians are taken; ``-1.5`` is the first."""


@dataclass(frozen=True)
class PieceColors:
    """What white and the piece colours look like in one picture.

    Attributes:
        names: of the colours.
        white: (2,) log ratios of the empty board.
        board_bgr: (3,) its colour in the picture, 0 to 255.
        means: (colors, 2) chroma of each colour against it.
        known: (colors,) bool, whether the board has enough squares of the colour to tell.
    """

    names: tuple[str, ...]
    white: FloatArray
    board_bgr: FloatArray
    means: FloatArray
    known: BoolArray


@dataclass(frozen=True)
class Shares:
    """How much of each colour the points of a coarse view have.

    Attributes:
        own: (colors, h, w) 0 what the table around has, 1 as much as the pieces on the board.
        purity: (colors, h, w) 0 white, 1 as much as the pieces on the board.
        hidden: (colors,) bool, whether much of the table itself has nearly the colour.
    """

    own: FloatArray
    purity: FloatArray
    hidden: BoolArray


def piece_colors(image_bgr: NDArray[np.uint8], pose: GridPose, grid: tuple[str, ...], names: tuple[str, ...]) -> PieceColors:
    """The colours as the board shows them.

    Args:
        image_bgr: (h, w, 3) uint8.
        pose: the grid in that picture.
        grid: its letters, as read.
        names: the colours of the set.
    """
    n, letters = pose.size, np.array([list(row) for row in grid])
    at = (np.arange(2 * n) + 0.5) / 2 + np.tile([0.125, -0.125], n)  # two places a cell, away from its edges
    linear = LINEAR[sample(image_bgr, pose.project_grid(at, at, SIGHT_HEIGHT_CELLS))]
    by_cell = np.ascontiguousarray(linear.reshape(n, 2, n, 2, 3).transpose(4, 0, 2, 1, 3)).reshape(3, n, n, 4)
    empty = by_cell[:, letters == EMPTY].reshape(3, -1)
    known = empty if empty.size else by_cell.reshape(3, -1)
    white = _medians(log_ratios(known))
    board_bgr = (255 * _medians(known) ** (1 / GAMMA)).astype(np.float32)
    z = chroma(by_cell, white.reshape(2, 1, 1, 1))
    of_color = [z[:, letters == COLOR_LETTER[name]].reshape(2, -1) for name in names]
    means = [_mean(samples, name) for samples, name in zip(of_color, names, strict=True)]
    return PieceColors(
        names, white, board_bgr, np.stack([mean for mean, _ in means]).astype(np.float32), np.array([known for _, known in means])
    )


def part_of(values: FloatArray, part: float) -> float:
    """The value of (n,) that has such a part of them below it."""
    at = int(part * (len(values) - 1))
    return float(np.partition(values, at)[at])


def _medians(values: FloatArray) -> FloatArray:
    """(k,) medians of (k, n) values: the upper one of two, for speed."""
    return np.asarray(np.partition(values, values.shape[1] // 2, axis=1)[:, values.shape[1] // 2], np.float32)


def _mean(z: FloatArray, name: str) -> tuple[FloatArray, bool]:
    """(2,) chroma of a colour from samples (2, k) of its squares, and True; the usual one when they are few or washed out by glare."""
    unit, _ = direction(name)
    usual = np.asarray(USUAL_PURITY * unit)
    if z.shape[1] < 4 * LEAST_CELLS:
        return usual, False
    length = np.asarray(cv2.magnitude(z[0], z[1]), np.float32).ravel()
    mean = _medians(z[:, length >= part_of(length, 0.5)])
    off = np.arctan2(unit[0] * mean[1] - unit[1] * mean[0], unit @ mean)
    full = float(np.hypot(*mean))
    known = bool(full > LEAST_PURITY and abs(off) < MOST_TURN)
    return (np.asarray(mean * max(1.0, LEAST_LENGTH / full)) if known else usual), known


def color_shares(view: TableView, colors: PieceColors) -> Shares:
    """How much of each colour every point of the coarse view has.

    A colour that the board does not show is as full as the fullest points of the table: pale sets are seen beside an empty board.
    """
    table = view.table
    purity = _purities(view, colors)
    for index in np.flatnonzero(~colors.known) if table.any() else ():
        length = float(np.hypot(*colors.means[index]))
        full = part_of(purity[index][table], 1 - FULLEST)
        purity[index] *= np.float32(length / np.clip(length * full, LEAST_LENGTH, length))
    rows, cols = (n // SPOT_PX for n in table.shape)
    around = _table_purities(purity, table, (cols, rows))
    gain = np.asarray(1 / np.maximum(1 - around, np.float32(LEAST_ROOM)), np.float32)
    gains, offsets = (_grown(one, table.shape) for one in (gain, -around * gain))
    own = purity * gains
    own += offsets
    shown = cv2.resize(table.astype(np.uint8), (cols, rows), interpolation=cv2.INTER_NEAREST) > 0
    hidden = np.array([shown.any() and (one[shown] > 1 - LEAST_ROOM).mean() > HIDDEN_SHARE for one in around])
    return Shares(own, purity, hidden)


def _purities(view: TableView, colors: PieceColors) -> FloatArray:
    """(colors, h, w) how much of each colour every point of a view has: 0 none, 1 as much as ``colors`` say.

    What lies across a colour's direction speaks as much against it as what lies along it speaks for it: nothing is left at 45
    degrees, and red and yellow lie 40 degrees apart. So each is the lesser of two measures, 45 degrees to either side.
    """
    gains = np.exp(-np.array([colors.white[0], 0.0, colors.white[1]]))
    tables = ((LINEAR + DARK_FLOOR) * np.float32(gain) for gain in gains)
    blue, green, red = (np.asarray(cv2.LUT(plane, one), np.float32) for plane, one in zip(cv2.split(view.bgr), tables, strict=True))
    total = np.asarray(1 / (blue + green + red), np.float32)
    red = np.asarray((red - green) * total, np.float32)
    blue = np.asarray(blue * total, np.float32)
    out = np.empty((len(colors.means), *red.shape), np.float32)
    for (x, y), plane in zip(colors.means / (colors.means**2).sum(1, keepdims=True), out, strict=True):
        first, second = (
            blue * np.float32(a * 3 / 6**0.5) + (red * np.float32(b / 2**0.5) - np.float32(a / 6**0.5))
            for a, b in ((x + y, y - x), (x - y, x + y))
        )
        np.minimum(first, second, out=plane)
    return out


def _table_purities(purity: FloatArray, table: BoolArray, size: tuple[int, int]) -> FloatArray:
    """(colors, rows, cols) how much of each colour the table itself has around every cell, by the purities (colors, h, w) of its points."""
    shown = cv2.resize(table.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0.999
    small = np.stack([cv2.resize(one, size, interpolation=cv2.INTER_AREA) for one in purity])
    first = _around(small, shown)
    bare = np.asarray(shown & (((small - first) / np.maximum(1 - first, LEAST_ROOM)).max(0) < BARE))
    return _around(small, bare if bare.any() else shown)


def _around(small: FloatArray, shown: BoolArray) -> FloatArray:
    """(colors, rows, cols) median of the window around each cell, of the values of cells that are shown.

    The others are as often less as more than any, so that they leave the median where it is; where few are shown, it is that of all.
    """
    others = np.where(np.indices(shown.shape).sum(0) % 2, np.uint8(255), np.uint8(0))
    steps = np.clip((small + 1.5) * STEPS, 0, 255).astype(np.uint8)
    count = cv2.boxFilter(shown.astype(np.float32), -1, (WINDOW_CELLS, WINDOW_CELLS), normalize=False)
    some, out = bool(shown.any()), []
    for one, values in zip(steps, small, strict=True):
        middle = cv2.medianBlur(np.where(shown, one, others), WINDOW_CELLS) / np.float32(STEPS) - np.float32(1.5)
        out.append(np.where(count >= WINDOW_CELLS, middle, part_of(values[shown], 0.5) if some else 0))
    return np.stack(out).astype(np.float32)


def _grown(cells: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    """(colors, h, w) values of cells (colors, rows, cols), linear between their middles."""
    return np.stack([cv2.resize(one, shape[::-1], interpolation=cv2.INTER_LINEAR) for one in cells])
