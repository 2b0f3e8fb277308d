"""What a look tells of each cell, as numbers by which cells in doubt are judged a second time (`vision.second`).

Everything is relative: chroma to the picture's own colours, brightness to the empty board around, places to the side from which
the camera looks. So the numbers mean the same in every picture, whatever its light and whichever way the board lies in it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.light import FloatArray
from vision.likelihood import BoardLook
from vision.palette import WARM_AXIS, CellMedians, Palette, cell_chroma
from vision.sampling import AxisSight, BoardSamples
from vision.tint import tint_odds

PATCH = 5
"""Parts a side of what is seen of a cell: three by three are its own, and one more lies around them."""

PART = 2
"""Samples a side of one part."""

ACROSS_SD = 0.1
"""Chroma across a colour's direction that counts as one."""

PIECE = 0.9
"""Probability from which a cell counts as a piece around others."""

SURE = 0.99
"""Probability below which a cell is in doubt around others."""

AROUND_CELLS = 1.2
"""How far "around" reaches (standard deviation)."""


@dataclass(frozen=True)
class CellShares:
    """Shares of each cell's samples, all (rows, cols) of a window, and what else the first judgement has worked out of them.

    Attributes:
        odd: a colour that nothing explains.
        bare: the board, clearly.
        covered: a colour, clearly.
        cut_off: a channel that is cut off.
        blown: white.
        inside: within the picture.
        relief: match with the board's relief, -1 to 1.
    """

    odd: FloatArray
    bare: FloatArray
    covered: FloatArray
    cut_off: FloatArray
    blown: FloatArray
    inside: FloatArray
    relief: FloatArray


@dataclass(frozen=True)
class Facts:
    """All that is known of a window of cells before they are judged a second time.

    Attributes:
        samples: of the window.
        palette: the picture's colours.
        medians: of all the board's cells.
        board: what empty cells look like.
        here: (size, size) log brightness of the empty board, and its spread.
        chroma: (2, r, c) of the samples against it.
        like: (labels, r, c) densities of the samples.
        q: (labels, size, size) probabilities of the cells by their samples.
        washed: (size, size) share of its colour that each cell lacks.
        shares: of the window's cells.
    """

    samples: BoardSamples
    palette: Palette
    medians: CellMedians
    board: BoardLook
    here: tuple[FloatArray, FloatArray]
    chroma: FloatArray
    like: FloatArray
    q: FloatArray
    washed: FloatArray
    shares: CellShares


def cell_marks(facts: Facts, which: NDArray[np.bool_]) -> FloatArray:
    """(k, n) marks of the ``which`` (rows, cols) cells of a window, row by row, each with its likeliest colour."""
    row, col = np.nonzero(which)
    top, left = facts.samples.window.top, facts.samples.window.left
    color = facts.q[1:-1, row + top, col + left].argmax(0)
    turn = _Turn.of(facts.samples)
    patches = turn.sides(_patches(facts, row, col, color))
    around = turn.sides(_around(facts.q, row + top, col + left, color))
    parts = (part.reshape(len(row), math.prod(part.shape[1:])) for part in (patches, around))
    return np.concatenate([_single(facts, turn, row, col, color), *parts], axis=1, dtype=np.float32)


@dataclass(frozen=True)
class _Turn:
    """How cells are turned so that the camera always looks from the same eighth of all sides.

    Attributes:
        rows: whether rows are counted from the other end.
        cols: the same for columns.
        swap: whether rows and columns change places after that.
    """

    rows: bool
    cols: bool
    swap: bool

    @classmethod
    def of(cls, samples: BoardSamples) -> _Turn:
        """By how the lines of sight lean in the middle of the board."""
        row, col = (_lean(axis, np.float32(samples.size / 2)) for axis in (samples.rows, samples.cols))
        return cls(bool(row < 0), bool(col < 0), bool(abs(col) > abs(row)))

    def sides(self, values: FloatArray) -> FloatArray:
        """(k, a, a, n) values of parts by row and column, so turned."""
        values = values[:, :: -1 if self.rows else 1, :: -1 if self.cols else 1]
        return values.swapaxes(1, 2) if self.swap else values

    def lean(self, row: FloatArray, col: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Leans (k,) along rows and columns, so turned."""
        pair = (-row if self.rows else row), (-col if self.cols else col)
        return pair[::-1] if self.swap else pair


def _lean(axis: AxisSight, at: FloatArray | np.float32) -> FloatArray:
    """Cells by which lines of sight lean at places ``at`` of the board: the same straight line everywhere."""
    slope = (axis.lean[-1] - axis.lean[0]) / (axis.at[-1] - axis.at[0])
    return np.asarray(axis.lean[0] + slope * (at - axis.at[0]), np.float32)


def _patches(facts: Facts, row: NDArray[np.intp], col: NDArray[np.intp], color: NDArray[np.intp]) -> FloatArray:
    """(k, 5, 5, 5) by part: chroma along and across the colour, log brightness, and what speaks for the colour and for anything else."""
    logs = np.log(facts.like)
    told = np.clip(logs[1:-1] - logs[0], -5, 5)
    other = np.clip(logs[-1] - logs[:-1].max(0), -5, 5)
    level = facts.samples.level - facts.samples.spread(facts.here[0])
    parts = _windows(_parts(np.concatenate([facts.chroma, level[None], other[None], told])))[:, row, col]
    x, y, bright, unlike = parts[:4]
    along, across = _turned(facts.palette, color, x, y)
    like_color = parts[4 + color, np.arange(len(row))]
    return np.stack([along, across, np.clip(bright, -3, 3), like_color / 2, unlike / 2], -1)


def _turned(palette: Palette, color: NDArray[np.intp], x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Chroma (k, ...) along the colours (k,), 1 for the full colour, and across them."""
    length = palette.purities[color]
    ux, uy = (palette.means[color] / length[:, None]).T.reshape(2, -1, *[1] * (x.ndim - 1))
    return (ux * x + uy * y) / length.reshape(ux.shape), (ux * y - uy * x) / np.float32(ACROSS_SD)


def _parts(values: FloatArray) -> FloatArray:
    """(n, r, c) sample values averaged over parts."""
    rows = values[:, ::PART] + values[:, 1::PART]
    return np.asarray((rows[..., ::PART] + rows[..., 1::PART]) / PART**2, np.float32)


def _windows(parts: FloatArray) -> FloatArray:
    """(n, rows, cols, 5, 5) parts of each cell and around it, from those of the window and its margin."""
    inner = parts[:, PATCH - 3 : 3 - PATCH, PATCH - 3 : 3 - PATCH]
    return sliding_window_view(inner, (PATCH, PATCH), axis=(1, 2))[:, ::3, ::3]


def _around(q: FloatArray, row: NDArray[np.intp], col: NDArray[np.intp], color: NDArray[np.intp]) -> FloatArray:
    """(k, 3, 3, 3) by cell: probabilities of empty (-1 beyond the grid), of the middle one's colour, and of unknown."""
    padded = np.pad(q, ((0, 0), (1, 1), (1, 1)))
    padded[0, [0, -1]] = padded[0, :, [0, -1]] = -1
    near = padded[:, row[:, None, None] + np.arange(3)[:, None], col[:, None, None] + np.arange(3)]
    return np.stack([near[0], near[1 + color, np.arange(len(row))], near[-1]], -1)


def _single(facts: Facts, turn: _Turn, row: NDArray[np.intp], col: NDArray[np.intp], color: NDArray[np.intp]) -> FloatArray:
    """(k, n) marks of each cell as a whole."""
    samples, q, (here, spread) = facts.samples, facts.q, facts.here
    on_board = row + samples.window.top, col + samples.window.left
    logs = np.log(q[:, *on_board])
    mine, others = logs[1 + color, np.arange(len(row))], np.sort(logs[1:-1], axis=0)
    along, across = _turned(facts.palette, color, *cell_chroma(facts.palette, facts.medians, here)[:, *on_board])
    piece = (q[1:-1].max(0) > PIECE).astype(np.float32)
    in_doubt = (q[:-1].max(0) < SURE).astype(np.float32)
    near, washed, doubts = (cv2.GaussianBlur(part, (0, 0), AROUND_CELLS)[on_board] for part in (piece, piece * facts.washed, in_doubt))
    lean = turn.lean(*(_lean(axis, at + np.float32(0.5)) for axis, at in zip((samples.rows, samples.cols), on_board, strict=True)))
    warm = facts.palette.means[color] @ np.array(WARM_AXIS, np.float32) / facts.palette.purities[color]
    shares = [getattr(facts.shares, name)[row, col] for name in ("blown", "cut_off", "relief", "odd", "bare", "covered", "inside")]
    tint = tint_odds(facts.palette, facts.medians, q[0])[color, *on_board]
    picture = (
        facts.board.chroma_sd,
        np.log(samples.cell_px / 20),
        piece.mean(),
        np.log(facts.board.relief_sd.mean()),
        facts.board.relief.std(),
    )
    columns = [
        np.clip(mine - logs[0], -30, 30) / 5,
        np.clip(mine - others[-2], 0, 30) / 5,
        np.clip(logs[-1] - np.maximum(mine, logs[0]), -30, 30) / 5,
        _nats(1 - np.exp(logs[0])) / 5,
        _nats(1 - np.exp(mine)) / 5,
        along,
        across,
        np.clip((facts.medians.level - here)[on_board], -2, 2),
        facts.medians.enough[on_board],
        tint / 3,
        *shares,
        facts.washed[on_board],
        facts.palette.purities[color],
        warm,
        *(5 * one for one in lean),
        near,
        washed / (near + np.float32(1e-3)),
        doubts,
        here[on_board],
        spread[on_board],
        *(np.full(len(row), value) for value in picture),
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def _nats(p: FloatArray) -> FloatArray:
    """Surprise at something of probability ``p``, 27 nats at most."""
    return np.asarray(-np.log(np.clip(p, 2e-12, 1)), np.float32)
