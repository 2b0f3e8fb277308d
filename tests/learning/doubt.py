"""Learns how often a cell that looks empty is a piece in glare: ``python -m tests.learning.doubt FOLDER`` prints the `GlareWeights`.

The pictures are those of `tests.learning.drawn`. Every cell that would be told to be empty
by its samples alone is a lesson: its `glare_terms`, and whether it is a piece. Cells that things hide teach nothing.
The weights choose what `tests.learning.cells` learns from, which is to be run again after they have changed.
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.learning.drawn import FIRST_SEED, SEEN, judged, pictures
from vision.doubt import GlareWeights, glare_terms
from vision.observation import MIN_EMPTY_CONFIDENCE

RARER_AT_TABLES = 0.03
"""Odds that a cell which looks empty is a piece at a table, over those in the drawings: chosen, not learnt. At 0.05 sixteen of 9,600
cells are asked about on pictures by another hand, at 0.03 ten, and none is wrong either way."""

RIDGE = 1.0
"""Weight of the squared weights, that of `first` apart: as if each had been seen to be about 0."""

NEWTON_STEPS = 30


def lessons_of(path: Path, rng: np.random.Generator) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """(n, 9) terms of the cells of one picture that look empty, and (n,) whether they are pieces, by its truth file."""
    drawn = judged(path, rng)
    facts, shares = drawn.facts, drawn.facts.shares
    terms = glare_terms(facts.samples.window, shares.relief, facts.washed, facts.q, shares.odd, shares.cut_off)
    lesson = (facts.q[0] >= MIN_EMPTY_CONFIDENCE) & (drawn.letters != "?") & (drawn.hidden <= SEEN)
    return terms[:, lesson].T.astype(np.float64), (drawn.letters != ".")[lesson]


def learn(terms: NDArray[np.float64], piece: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(n,) weights of terms (k, n), the first of which is 1, for log odds of ``piece`` (k,): logistic regression by Newton's steps."""
    ridge = RIDGE * np.diag(np.r_[0.0, np.ones(terms.shape[1] - 1)])
    weights = np.zeros(terms.shape[1])
    for _ in range(NEWTON_STEPS):
        p = 1 / (1 + np.exp(-terms @ weights))
        slope = terms.T @ (p - piece) + ridge @ weights
        weights -= np.linalg.solve(terms.T @ (terms * (p * (1 - p))[:, None]) + ridge, slope)
    return weights


def main() -> None:
    """Draw, read, learn, print."""
    paths = pictures("tests.learning.doubt", __doc__)
    rng = np.random.default_rng(FIRST_SEED)
    terms, piece = (np.concatenate(part) for part in zip(*(lessons_of(path, rng) for path in paths), strict=True))
    weights = learn(terms, piece)
    weights[0] += np.log(RARER_AT_TABLES)
    sys.stdout.write(f"{len(piece)} cells that look empty, {piece.sum()} of them pieces\n")
    sys.stdout.write("".join(f"    {name}: float = {weight:.2f}\n" for name, weight in asdict(GlareWeights(*weights)).items()))


if __name__ == "__main__":
    main()
