"""Lessons of drawn boards, and what is learnt of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.learning.cells import BATCH, Lessons, lessons_of, together
from tests.synthetic.stills import write_still
from vision.second import learnt


def test_lessons_are_cells_in_doubt_and_what_they_truly_are(tmp_path: Path) -> None:
    write_still(tmp_path, 520_002, "a", "classic", (800, 600))
    lessons = lessons_of(tmp_path / "a.json", np.random.default_rng(1))
    assert 0 < len(lessons.truth) < 400
    assert lessons.marks.shape == (len(lessons.truth), len(learnt().mean))
    told = learnt()(lessons.marks)
    assert (told.argmax(1) == lessons.truth).mean() > 0.9


def test_networks_together_tell_what_they_have_learnt() -> None:
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, 4 * BATCH)
    marks = rng.normal(0, 0.5, (len(truth), 5)).astype(np.float32)
    marks[:, :3] += 4 * np.eye(3, dtype=np.float32)[truth]
    network = together(Lessons(marks, truth))
    p = network(marks)
    assert p.sum(1).round(4).tolist() == [1.0] * len(p)
    assert (p.argmax(1) == truth).mean() > 0.99
