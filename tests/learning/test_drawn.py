"""Drawn boards to learn from: which are drawn, and that their truth is turned as they are read."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from tests.learning.drawn import judged, pictures
from tests.synthetic.stills import write_still


def test_a_command_learns_from_so_many_pictures_and_draws_none_that_lies_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / "000.json", tmp_path / "001.json"]
    for path in paths:
        path.write_text("{}")
    monkeypatch.setattr(sys, "argv", ["learn", str(tmp_path), "--count", "2"])
    assert pictures("tests.learning.cells", "about") == paths
    assert [path.read_text() for path in paths] == ["{}", "{}"]


def test_truth_is_turned_as_the_board_is_read(tmp_path: Path) -> None:
    write_still(tmp_path, 520_002, "a", "classic", (800, 600))
    for seed in range(4):
        drawn = judged(tmp_path / "a.json", np.random.default_rng(seed))
        empty = drawn.facts.q[0] > 0.5
        assert (empty == (drawn.letters == "."))[drawn.hidden == 0].mean() > 0.95
