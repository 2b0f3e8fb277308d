"""A second judgement of cells in doubt, by a small network that has learnt from drawn boards.

The first judgement weighs samples one by one by the physics of light and glare, and is left in doubt where glare, walls or
reflections make a cell look like two things. The network sees the cell as a whole, with its neighbours and all the first judgement
has measured (`vision.marks`). It decides what the first leaves open; where both find the same likely they bear each other out; where
it contradicts the first nothing is told unless it is sure itself. ``python -m tests.learning.cells`` draws the boards and learns its
weights anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.light import FloatArray
from vision.observation import MIN_CONFIDENCE, MIN_EMPTY_CONFIDENCE

WEIGHTS = Path(__file__).with_name("second.npz")
"""What was learnt, as arrays by the names of `Network`'s attributes."""

FARTHEST = 5.0
"""Standard deviations from the mean beyond which a mark says no more."""


@dataclass(frozen=True)
class SecondSettings:
    """When the second judgement counts.

    Attributes:
        clear: doubt of a cell up to which it needs no second judgement (no cell below it was wrong on 600 drawn boards).
        empty_borne_out: probability that the network must give to "empty" for the first judgement to stand.
        color_borne_out: the same for a colour.
        empty_sure: probability that it must give to "empty" where it doubts many of those around: what washes out one piece does others.
        empty_reach_cells: how far around that is (standard deviation).
        most_empty_doubt: its mean doubt of the cells around that look empty, up to which it need not.
        color_counts: how much more doubt a colour is than a thing: glare hides pieces by the dozen, a thing itself alone.
        no_thing: probability of a thing up to which both judgements of an empty cell may bear each other out.
        things: how much rarer paper, hands and other things are on cells that look empty than they are on the drawn boards.
        reach_cells: how far around a cell others in doubt make it doubtful too (standard deviation): what misleads one misleads many.
        most_around: share of cells in doubt there up to which it is believed.
        beyond_doubt: probability from which it is believed nevertheless.
        mistrust: what is given to "unknown" otherwise (of drawn cells so placed one in ten was wrong).
        lost_reach_cells: how far around a part of the board reaches whose light is not understood (standard deviation).
        most_lost: share of cells in doubt there up to which any other is told: in such a part even sure cells were wrong.
        thing: probability of "unknown" from which a cell shows a thing, which makes nothing around it doubtful.
    """

    clear: float = 3e-6
    empty_borne_out: float = 0.3
    color_borne_out: float = 0.5
    empty_sure: float = 0.997
    empty_reach_cells: float = 3.0
    most_empty_doubt: float = 0.16
    color_counts: float = 4.0
    no_thing: float = 0.1
    things: float = 0.25
    reach_cells: float = 1.5
    most_around: float = 0.2
    beyond_doubt: float = 0.9999
    mistrust: float = 0.1
    lost_reach_cells: float = 5.0
    most_lost: float = 0.25
    thing: float = 0.79


@dataclass(frozen=True)
class Network:
    """One hidden layer of rectified units.

    Attributes:
        mean: (n,) of the marks.
        spread: (n,) their standard deviation.
        first: (n, h) weights of the hidden units.
        first_bias: (h,) and their biases.
        last: (h, 3) weights of: empty, the likeliest colour, anything else.
        last_bias: (3,) and their biases.
    """

    mean: FloatArray
    spread: FloatArray
    first: FloatArray
    first_bias: FloatArray
    last: FloatArray
    last_bias: FloatArray

    def __call__(self, marks: FloatArray) -> FloatArray:
        """(k, 3) probabilities of cells by their marks (k, n)."""
        usual = np.clip((marks - self.mean) / self.spread, -FARTHEST, FARTHEST)
        hidden = np.maximum(usual @ self.first + self.first_bias, 0)
        score = hidden @ self.last + self.last_bias
        score = np.exp(score - score.max(1, keepdims=True))
        return np.asarray(score / score.sum(1, keepdims=True), np.float32)


@cache
def learnt() -> Network:
    """The network that comes with the program."""
    with np.load(WEIGHTS) as arrays:
        return Network(**{name: arrays[name].astype(np.float32) for name in arrays.files})


def needs_second(p: FloatArray, settings: SecondSettings | None = None) -> NDArray[np.bool_]:
    """(...) which cells of label probabilities (labels, ...) are in any doubt."""
    return np.asarray(p.max(0) < 1 - (settings or SecondSettings()).clear)


def doubt_of_empty(second: FloatArray, settings: SecondSettings | None = None) -> FloatArray:
    """(k,) how much the network's probabilities (k, 3) speak against "empty", a colour more than anything else."""
    return np.asarray(np.float32((settings or SecondSettings()).color_counts) * second[:, 1] + second[:, 2], np.float32)


def empty_bound(doubt: FloatArray, settings: SecondSettings | None = None) -> FloatArray:
    """(size, size) probability that the network must give to "empty" for the first judgement to stand.

    Args:
        doubt: (size, size) `doubt_of_empty` of each cell that looks empty to the first, 0 for others.
        settings: how much of it around a cell asks for more.
    """
    s = settings or SecondSettings()
    around = np.asarray(cv2.GaussianBlur(doubt, (0, 0), s.empty_reach_cells))
    return np.where(around > s.most_empty_doubt, np.float32(s.empty_sure), np.float32(s.empty_borne_out))


def judged_again(
    p: FloatArray,
    second: FloatArray,
    color: NDArray[np.intp],
    empty_borne_out: FloatArray,
    thing: FloatArray | None = None,
    settings: SecondSettings | None = None,
) -> FloatArray:
    """(labels, k) probabilities of cells by both judgements.

    Args:
        p: (labels, k) by the first.
        second: (k, 3) by the network.
        color: (k,) likeliest colour of each cell, by its number among the colours.
        empty_borne_out: (k,) of `empty_bound`.
        thing: (k,) probability that a thing lies there (`vision.things`), which both would take for an empty cell; none if not given.
        settings: when the second counts.
    """
    s, cells, best = settings or SecondSettings(), np.arange(len(color)), p.argmax(0)
    second = second * np.where(second[:, :1] > second[:, 1:2], np.array([1, 1, s.things], np.float32), np.float32(1))
    second /= second.sum(1, keepdims=True)
    empty, colored = best == 0, best == 1 + color
    stands = empty & (p[0] >= MIN_EMPTY_CONFIDENCE) & (second[:, 0] >= empty_borne_out)
    stands |= colored & (p[1 + color, cells] >= MIN_CONFIDENCE) & (second[:, 1] >= s.color_borne_out)
    least = p.min(0)
    told = np.broadcast_to(least, p.shape).copy()
    told[0], told[1 + color, cells], told[-1] = (np.maximum(one, least) for one in second.T)
    told /= told.sum(0)
    calm = (empty_borne_out < s.empty_sure) & (thing is None or thing < s.no_thing)
    told = _borne_out(told, 0, (p[0], second[:, 0]), MIN_EMPTY_CONFIDENCE, empty & calm)
    told = _borne_out(told, 1 + color, (p[1 + color, cells], second[:, 1]), MIN_CONFIDENCE, colored)
    return np.asarray(np.where(stands, p, told), np.float32)


def _borne_out(
    told: FloatArray, label: NDArray[np.intp] | int, both: tuple[FloatArray, FloatArray], enough: float, where: NDArray[np.bool_]
) -> FloatArray:
    """The probabilities ``told`` (labels, k), but of a label by the product of both judgements' odds where that alone is enough.

    Args:
        told: by the second judgement.
        label: that may be borne out.
        both: (k,) its probabilities by the first and by the second, neither of which may find something else likelier.
        enough: probability from which it is told.
        where: (k,) cells at which the judgements may bear each other out.
    """
    cells, (one, other) = np.arange(told.shape[1]), both
    joint = one * other / (one * other + (1 - one) * (1 - other) + np.float32(1e-9))
    mine = told[label, cells]
    where = where & (one > 0.5) & (other > 0.5) & (joint >= enough) & (mine < enough)
    out = told * np.where(where, (1 - joint) / np.maximum(1 - mine, np.float32(1e-9)), np.float32(1))
    out[label, cells] = np.where(where, joint, mine)
    return np.asarray(out, np.float32)


def mistrusted(p: FloatArray, settings: SecondSettings | None = None, *, whole: bool = True) -> FloatArray:
    """(labels, size, size) probabilities, less sure where many cells around are in doubt without anything lying on them.

    Args:
        p: (labels, size, size) probabilities.
        settings: how many are many.
        whole: whether all cells have been judged twice; if not, those farther away do not count.
    """
    s = settings or SecondSettings()
    least = np.full(len(p) - 1, MIN_CONFIDENCE, np.float32)
    least[0] = MIN_EMPTY_CONFIDENCE
    untold = (p[:-1] < least[:, None, None]).all(0)
    near = np.asarray(cv2.GaussianBlur((untold & (p[-1] < 0.5)).astype(np.float32), (0, 0), s.reach_cells))
    far = np.asarray(cv2.GaussianBlur((untold & (p[-1] < s.thing)).astype(np.float32), (0, 0), s.lost_reach_cells))
    doubtful = ((near > s.most_around) & (p.max(0) < s.beyond_doubt)) | (whole & (far > s.most_lost))
    return moved_to_unknown(p, np.where(doubtful, np.float32(s.mistrust), np.float32(0)))


def moved_to_unknown(p: FloatArray, share: FloatArray) -> FloatArray:
    """(labels, ...) probabilities with a share (...) of every other label's given to "unknown"."""
    out = p * (1 - share)
    out[-1] = p[-1] + share * p[:-1].sum(0)
    return np.asarray(out, np.float32)
