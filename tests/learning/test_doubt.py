"""Cells that look empty on drawn boards, and the weights learnt of them."""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest

from tests.learning.doubt import learn, lessons_of
from tests.synthetic.stills import write_still
from vision.doubt import GlareWeights


def test_lessons_are_cells_that_look_empty_and_whether_they_are_pieces(tmp_path: Path) -> None:
    write_still(tmp_path, 520_002, "a", "classic", (800, 600))
    terms, piece = lessons_of(tmp_path / "a.json", np.random.default_rng(1))
    assert terms.shape == (len(piece), len(astuple(GlareWeights())))
    assert 50 < len(piece) < 400
    assert piece.mean() < 0.05
    assert (terms[:, 0] == 1).all()


def test_weights_are_those_by_which_the_lessons_were_made() -> None:
    rng, weights = np.random.default_rng(2), np.array([-1.0, 2.0, -0.5])
    terms = np.column_stack([np.ones(40_000), rng.normal(size=(40_000, 2))])
    piece = rng.random(len(terms)) < 1 / (1 + np.exp(-terms @ weights))
    assert learn(terms, piece) == pytest.approx(weights, abs=0.06)


def test_lessons_that_one_term_tells_apart_still_give_weights_with_an_end() -> None:
    side = np.linspace(-1, 1, 200)
    weights = learn(np.column_stack([np.ones(200), side]), side > 0)
    assert 1 < weights[1] < 50
    assert weights[0] == pytest.approx(0, abs=1e-6)
