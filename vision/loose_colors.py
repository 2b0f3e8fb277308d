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

from calibration.pose import GridPose
from referee.cells import COLOR_LETTER, EMPTY
from vision.light import chroma, log_ratios
from vision.loose_view import CELL_PX, TableView
from vision.palette import USUAL_PURITY, direction
from vision.sampling import GAMMA, SIGHT_HEIGHT_CELLS

FloatArray = NDArray[np.float32]

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

SIDEWAYS = 1.0
"""How much chroma across a colour's direction speaks against it, to chroma along it: nothing is left at 45 degrees, and
red and yellow lie 40 degrees apart."""


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
    known: NDArray[np.bool_]


def piece_colors(image_bgr: NDArray[np.uint8], pose: GridPose, grid: tuple[str, ...], names: tuple[str, ...]) -> PieceColors:
    """The colours as the board shows them.

    Args:
        image_bgr: (h, w, 3) uint8.
        pose: the grid in that picture.
        grid: its letters, as read.
        names: the colours of the set.
    """
    n, letters = pose.size, np.array([list(row) for row in grid])
    cells = pose.rectify(image_bgr, 4, height=SIGHT_HEIGHT_CELLS).reshape(n, 4, n, 4, 3)[:, 1:3, :, 1:3]
    linear = LINEAR[np.moveaxis(cells, -1, 0)].transpose(0, 1, 3, 2, 4).reshape(3, n, n, 4)
    empty = linear[:, letters == EMPTY].reshape(3, -1)
    known = empty if empty.size else linear.reshape(3, -1)
    white = np.median(log_ratios(known), axis=1).astype(np.float32)
    board_bgr = (255 * np.median(known, axis=1) ** (1 / GAMMA)).astype(np.float32)
    z = chroma(linear, white.reshape(2, 1, 1, 1))
    of_color = [z[:, letters == COLOR_LETTER[name]].reshape(2, -1) for name in names]
    means = [_mean(samples, name) for samples, name in zip(of_color, names, strict=True)]
    return PieceColors(
        names, white, board_bgr, np.stack([mean for mean, _ in means]).astype(np.float32), np.array([known for _, known in means])
    )


def _mean(z: FloatArray, name: str) -> tuple[FloatArray, bool]:
    """(2,) chroma of a colour from samples (2, k) of its squares, and True; the usual one when they are few or washed out by glare."""
    unit, _ = direction(name)
    usual = np.asarray(USUAL_PURITY * unit)
    if z.shape[1] < 4 * LEAST_CELLS:
        return usual, False
    length = np.hypot(z[0], z[1])
    mean = np.median(z[:, length >= np.quantile(length, 0.5)], axis=1)
    off = np.arctan2(unit[0] * mean[1] - unit[1] * mean[0], unit @ mean)
    known = bool(np.hypot(*mean) > LEAST_PURITY and abs(off) < MOST_TURN)
    return (np.asarray(mean) if known else usual), known


def purities(view: TableView, colors: PieceColors) -> FloatArray:
    """(colors, h, w) how much of each colour every point of a view has: 0 none, 1 as much as the pieces on the board.

    A colour that the board does not show is as full as the fullest points of the table: pale sets are seen beside an empty board.
    """
    linear = np.stack([np.asarray(cv2.LUT(channel, LINEAR), np.float32) for channel in cv2.split(view.bgr)])
    z = chroma(linear, colors.white.reshape(2, 1, 1))
    out, table = [], view.table
    for mean, known in zip(colors.means, colors.known, strict=True):
        length = np.float32(np.hypot(*mean))
        x, y = mean / length
        along = x * z[0] + y * z[1] - np.float32(SIDEWAYS) * np.abs(x * z[1] - y * z[0])
        if not known and table.any():
            length = np.clip(np.quantile(along[table], 1 - FULLEST), LEAST_LENGTH, length)
        out.append(along / length)
    return np.stack(out)


def hidden_colors(view: TableView, table: FloatArray) -> NDArray[np.bool_]:
    """(colors,) whether much of the table itself has nearly the colour, by its purities (colors, h, w)."""
    shown = view.table
    return np.array([shown.any() and (one[shown] > 1 - LEAST_ROOM).mean() > HIDDEN_SHARE for one in table])


NODE_CELLS = 3
"""Distance between the places at which the table's own colour is taken."""

WINDOW_CELLS = 9
"""Side of the window it is taken from."""

BARE = 0.4
"""Part of the way from the table's to a piece's colour from which a cell is not counted as table."""

LEAST_ROOM = 0.25
"""Least difference between the table and a colour, in parts of that colour, at which its pieces are told from the table."""


HIDDEN_SHARE = 0.3
"""Share of the table from which a colour cannot be counted on it."""


def table_purities(view: TableView, purity: FloatArray) -> FloatArray:
    """(colors, h, w) how much of each colour the table itself has around every point.

    Args:
        view: of the table.
        purity: (colors, h, w) of its points.
    """
    rows, cols = (n // CELL_PX for n in view.seen.shape)
    shown = np.asarray(view.table.reshape(rows, CELL_PX, cols, CELL_PX)[:, ::2, :, ::2].all((1, 3)))
    small = np.stack([cv2.resize(one, (cols, rows), interpolation=cv2.INTER_AREA) for one in purity])
    first = _around(small, shown)
    bare = np.asarray(shown & (relative(small, _grown(first, 1, (rows, cols))).max(0) < BARE))
    size = (view.seen.shape[0], view.seen.shape[1])
    return _grown(_around(small, bare if bare.any() else shown), CELL_PX, size)


def relative(purity: FloatArray, table: FloatArray) -> FloatArray:
    """(colors, ...) purity between the table's, 0, and the full colour's, 1; 0 where the table has the colour itself."""
    room = 1 - table
    return np.asarray(np.where(room > LEAST_ROOM, (purity - table) / np.maximum(room, LEAST_ROOM), 0), np.float32)


def _around(small: FloatArray, shown: NDArray[np.bool_]) -> FloatArray:
    """(colors, r, c) median of each window, `NODE_CELLS` apart, of the values (colors, rows, cols) of cells that are shown."""
    half = WINDOW_CELLS // 2
    wide = np.pad(np.where(shown, small, np.inf), ((0, 0), (half, half), (half, half)), constant_values=np.inf)
    windows = np.lib.stride_tricks.sliding_window_view(wide, (WINDOW_CELLS, WINDOW_CELLS), axis=(1, 2))[:, ::NODE_CELLS, ::NODE_CELLS]
    values = np.sort(windows.reshape(*windows.shape[:3], -1), axis=-1)
    count = np.isfinite(values).sum(-1)
    middle = np.take_along_axis(values, np.minimum(count // 2, values.shape[-1] - 1)[..., None], -1)[..., 0]
    everywhere = np.array([np.median(one[shown]) if shown.any() else 0 for one in small])
    return np.where(count >= WINDOW_CELLS, middle, everywhere[:, None, None]).astype(np.float32)


def _grown(nodes: FloatArray, cell_px: int, shape: tuple[int, int]) -> FloatArray:
    """(colors, h, w) values of nodes (colors, r, c), linear between them, at that many pixels a cell."""
    step, at = NODE_CELLS * cell_px, cell_px / 2 - 0.5
    grow = np.array([[step, 0, at], [0, step, at]], np.float64)
    return np.stack([cv2.warpAffine(one, grow, shape[::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) for one in nodes])
