"""How often a cell that looks empty is a piece whose colour has gone in glare.

No one sample can tell: blown white is the light's colour. What tells is the whole: whether the cell shows the board's relief,
whether its channels are cut off, whether pieces around have lost their colour or are in doubt themselves. The weights are
those of a logistic regression on 440 drawn boards, checked on others; pieces lost in glare are rarer at tables than in those
drawings, which the first weight takes into account. ``python -m tests.learning.doubt FOLDER`` draws the boards and works them
out anew.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.light import FloatArray
from vision.likelihood import BoardLook
from vision.palette import CellMedians, Palette, cell_chroma
from vision.sampling import BoardSamples, Window, linear

RELIEF_NOISE = 0.01
"""Log brightness that noise adds to a relief, by which a cell without any matches none."""

CUT_OFF = linear(245)
"""Linear light from which a channel may be cut off, JPEG's ringing considered."""


@dataclass(frozen=True)
class GlareWeights:
    """Weights of the logistic regression, in log odds of "this is a piece", in the order of `glare_terms`.

    Attributes:
        first: log odds where every term is 0.
        surprise: for each nat by which the samples leave room for something else, less the first 4.6 and up to 14.
        doubt_near: for the share of cells around that are in doubt, full at a fifth.
        relief: for the match with the board's relief, -0.2 to 0.8.
        washed_near: for the share of their colour that pieces around have lost, up to 0.6.
        pieces_near: for the share of pieces around.
        cut_off: for the share of samples with a channel that is cut off, full at a tenth.
        unexplained: for the share of samples with a colour that nothing explains, full at a fifth.
        pieces: for the share of pieces on the board.
    """

    first: float = -4.78
    surprise: float = -0.66
    doubt_near: float = 1.68
    relief: float = -3.17
    washed_near: float = 4.78
    pieces_near: float = -7.83
    cut_off: float = 1.35
    unexplained: float = 2.60
    pieces: float = 4.80


@dataclass(frozen=True)
class DoubtSettings:
    """How doubts are taken.

    Attributes:
        glare: weights of the doubt of cells that look empty.
        reach_cells: how far "around" reaches (standard deviation).
        full_colour: share of its colour that a piece outside glare lacks at most.
        no_colour: share from which what it has is no colour of its own.
        whole: share of a cell's samples from which its colour is all over it.
        sure_colour: probability from which a colour on a part of a cell is its own nevertheless.
    """

    glare: GlareWeights = field(default_factory=GlareWeights)
    reach_cells: float = 1.2
    full_colour: float = 0.2
    no_colour: float = 0.65
    whole: float = 0.85
    sure_colour: float = 0.9985


def glare_doubt(
    window: Window,
    relief: FloatArray,
    washed: FloatArray,
    q: FloatArray,
    unexplained: FloatArray,
    cut_off: FloatArray,
    settings: DoubtSettings | None = None,
) -> FloatArray:
    """(rows, cols) probability that a cell of the window is a piece under glare, if it looks empty.

    Args:
        window: the cells.
        relief: (rows, cols) of `relief_match`.
        washed: (size, size) of `washed_share`.
        q: (labels, size, size) probabilities of the cells by their samples.
        unexplained: (rows, cols) share of each cell's samples with a colour that nothing explains.
        cut_off: (rows, cols) share of each cell's samples of which a channel is cut off.
        settings: the weights.
    """
    s = settings or DoubtSettings()
    log_odds = np.tensordot(np.array(astuple(s.glare), np.float32), glare_terms(window, relief, washed, q, unexplained, cut_off, s), 1)
    return np.asarray(1 / (1 + np.exp(-log_odds)), np.float32)


def glare_terms(
    window: Window,
    relief: FloatArray,
    washed: FloatArray,
    q: FloatArray,
    unexplained: FloatArray,
    cut_off: FloatArray,
    settings: DoubtSettings | None = None,
) -> FloatArray:
    """(9, rows, cols) what the weights are for; arguments as for `glare_doubt`."""
    s, cells = settings or DoubtSettings(), window.cells
    piece = (q[1:-1].max(0) > 0.9).astype(np.float32)
    around = [_around(part, s.reach_cells)[cells] for part in (piece, piece * washed, _in_doubt(q))]
    pieces_near, washed_near, doubt_near = around
    room = -np.log(np.clip(1 - q[0][cells], 1e-6, 0.01))
    terms = (
        np.ones_like(room),
        room - 4.6,
        np.minimum(5 * doubt_near, 1),
        np.clip(relief, -0.2, 0.8),
        np.minimum(washed_near / (pieces_near + 1e-3), 0.6),
        pieces_near,
        np.minimum(10 * cut_off, 1),
        np.minimum(5 * unexplained, 1),
        np.full_like(room, piece.mean()),
    )
    return np.stack(terms).astype(np.float32)


def shown_in_part(
    washed: FloatArray, q: FloatArray, covered: FloatArray, window: Window, settings: DoubtSettings | None = None
) -> NDArray[np.bool_]:
    """(rows, cols) whether a cell of the window that looks like a piece has a full colour on a part of it only.

    In glare a piece has little colour but has it all over. A full colour on a part is a neighbour's wall or top.

    Args:
        washed: (size, size) of `washed_share`.
        q: (labels, size, size) probabilities of the cells by their samples.
        covered: (rows, cols) share of each cell's samples that clearly show a colour.
        window: the cells.
        settings: bounds.
    """
    s, lacks = settings or DoubtSettings(), washed[window.cells]
    full = (lacks < s.full_colour) | (lacks > s.no_colour)
    return np.asarray(full & (covered < s.whole) & (q[1:-1].max(0)[window.cells] < s.sure_colour))


def cut_off_samples(samples: BoardSamples) -> FloatArray:
    """(r, c) 1 for each sample of which a channel is cut off, else 0."""
    return np.asarray(samples.linear_bgr.max(0) >= CUT_OFF, np.float32)


def relief_match(samples: BoardSamples, board: BoardLook) -> FloatArray:
    """(rows, cols) how well each of the window's cells shows the board's relief on its floor: a correlation, -1 to 1."""
    seen = samples.floor_level - samples.floor_level.mean(-1, keepdims=True)
    relief = board.relief.ravel() - board.relief.mean()
    energy = (relief @ relief) * ((seen * seen).sum(-1) + np.float32(len(relief) * RELIEF_NOISE**2))
    return np.asarray(seen @ relief / np.sqrt(energy + np.float32(1e-9)), np.float32)


def washed_share(palette: Palette, medians: CellMedians, here: FloatArray, q: FloatArray) -> FloatArray:
    """(size, size) share of the full colour that each cell lacks, if it is a piece of the likeliest colour.

    Args:
        palette: the picture's colours.
        medians: of the cells.
        here: (size, size) log brightness of the empty board at them.
        q: (labels, size, size) probabilities of the cells.
    """
    z = cell_chroma(palette, medians, here)
    return np.asarray(np.clip(1 - np.hypot(z[0], z[1]) / palette.purities[q[1:-1].argmax(0)], 0, 1), np.float32)


def _in_doubt(q: FloatArray) -> FloatArray:
    """(size, size) 1 where neither "empty" nor a colour is likely enough."""
    return np.asarray(q[:-1].max(0) < 0.99, np.float32)


def _around(values: FloatArray, reach_cells: float) -> FloatArray:
    """(size, size) weighted mean of (size, size) values around each cell."""
    return np.asarray(cv2.GaussianBlur(values, (0, 0), reach_cells), np.float32)
