"""Learns how cells in doubt are judged a second time: ``python -m tests.learning.cells FOLDER`` writes ``vision/second.npz``.

Every cell in doubt of the pictures of `tests.learning.drawn` is a lesson: its marks, and what it truly is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.cells import COLOR_LETTER
from tests.learning.drawn import COVERED, FIRST_SEED, SEEN, judged, pictures
from vision.marks import cell_marks
from vision.second import FARTHEST, WEIGHTS, Network

FloatArray = NDArray[np.float32]

NETWORKS, HIDDEN = 3, 32
"""Networks that are learnt apart and then judge together, and the hidden units of each: alone they are surer than they should be."""

EPOCHS, BATCH, RATE = 45, 512, 3e-3
NOISE, LEFT_OUT, DECAY = 0.2, 0.05, 1e-4
"""Standard deviations of noise put on the marks, share of marks left out each time, and decay of the weights."""

SHARPER = 1.12
"""Exponent of their common odds: together they are a little less sure than they should be."""


@dataclass(frozen=True)
class Lessons:
    """Cells in doubt.

    Attributes:
        marks: (n, marks) of `vision.marks`.
        truth: (n,) 0 empty, 1 the likeliest colour, 2 anything else.
    """

    marks: FloatArray
    truth: NDArray[np.intp]


def lessons_of(path: Path, rng: np.random.Generator) -> Lessons:
    """The lessons of one picture by its truth file."""
    drawn = judged(path, rng)
    covered = (drawn.letters == "?") | (drawn.hidden >= COVERED)
    likeliest = np.array([COLOR_LETTER[color] for color in drawn.colors])[drawn.facts.q[1:-1].argmax(0)]
    what = np.select([covered, drawn.letters == ".", drawn.letters == likeliest], [2, 0, 1], 2)
    known = (covered | (drawn.hidden <= SEEN))[drawn.again]
    return Lessons(cell_marks(drawn.facts, drawn.again)[known], what[drawn.again][known])


def batches(lessons: Lessons, rng: np.random.Generator) -> Iterator[tuple[FloatArray, NDArray[np.intp]]]:
    """The lessons in random order, blurred by noise."""
    order = rng.permutation(len(lessons.truth))
    for begin in range(0, len(order) - BATCH + 1, BATCH):
        some = order[begin : begin + BATCH]
        marks = lessons.marks[some] + rng.normal(0, NOISE, (BATCH, lessons.marks.shape[1])).astype(np.float32)
        yield marks * (rng.random(marks.shape) > LEFT_OUT), lessons.truth[some]


def learn(lessons: Lessons, seed: int, epochs: int = EPOCHS) -> list[FloatArray]:
    """First weights, their biases, last weights and theirs, of one network for marks of mean 0 and spread 1 (Adam, falling rate)."""
    rng, n = np.random.default_rng(seed), lessons.marks.shape[1]
    first, last = rng.normal(0, (2 / n) ** 0.5, (n, HIDDEN)), rng.normal(0, 0.1 * (2 / HIDDEN) ** 0.5, (HIDDEN, 3))
    weights = [one.astype(np.float32) for one in (first, np.zeros(HIDDEN), last, np.zeros(3))]
    mean, square = [0 * one for one in weights], [0 * one for one in weights]
    steps, step = epochs * (len(lessons.truth) // BATCH), 0
    for _ in range(epochs):
        for marks, truth in batches(lessons, rng):
            hidden = np.maximum(marks @ weights[0] + weights[1], 0)
            score = hidden @ weights[2] + weights[3]
            p = np.exp(score - score.max(1, keepdims=True))
            off = (p / p.sum(1, keepdims=True) - np.eye(3, dtype=np.float32)[truth]) / np.float32(BATCH)
            back = (off @ weights[2].T) * (hidden > 0)
            slopes = marks.T @ back + DECAY * weights[0], back.sum(0), hidden.T @ off + DECAY * weights[2], off.sum(0)
            step += 1
            rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
            for k, slope in enumerate(slopes):
                mean[k] = 0.9 * mean[k] + 0.1 * slope
                square[k] = 0.999 * square[k] + 0.001 * slope**2
                weights[k] -= np.float32(rate) * (mean[k] / (1 - 0.9**step)) / (np.sqrt(square[k] / (1 - 0.999**step)) + np.float32(1e-8))
    return weights


def together(lessons: Lessons, epochs: int = EPOCHS) -> Network:
    """Several networks as one: their scores are averaged."""
    mean, spread = lessons.marks.mean(0), lessons.marks.std(0) + np.float32(0.02)
    usual = Lessons(np.clip((lessons.marks - mean) / spread, -FARTHEST, FARTHEST), lessons.truth)
    first, first_bias, last, last_bias = zip(*(learn(usual, seed, epochs) for seed in range(NETWORKS)), strict=True)
    share = np.float32(SHARPER / NETWORKS)
    return Network(
        mean, spread, np.concatenate(first, 1), np.concatenate(first_bias), share * np.concatenate(last), share * np.sum(last_bias, 0)
    )


def main() -> None:
    """Draw, read, learn, write."""
    paths = pictures("tests.learning.cells", __doc__)
    rng = np.random.default_rng(FIRST_SEED)
    found = [lessons_of(path, rng) for path in paths]
    lessons = Lessons(np.concatenate([one.marks for one in found]), np.concatenate([one.truth for one in found]))
    network = together(lessons)
    np.savez_compressed(WEIGHTS, **{one.name: getattr(network, one.name).astype(np.float16) for one in fields(network)})
    right = network(lessons.marks).argmax(1) == lessons.truth
    sys.stdout.write(f"{len(right)} cells in doubt, {right.mean():.4f} of them learnt; {WEIGHTS}\n")


if __name__ == "__main__":
    main()
