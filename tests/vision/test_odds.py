"""Evidence of single cells: what is expected scores nothing, unchanged looks weigh, hidden cells say nothing."""

from __future__ import annotations

import numpy as np

from vision.observation import Observation
from vision.odds import CellOdds, cell_odds

LABELS = ("empty", "blue", "red", "unknown")


def one_cell(p: list[float], standing: str | None = None, change: float | None = None, before: str | None = None) -> CellOdds:
    """The odds of the only cell of a 1x1 board."""
    look = Observation(LABELS, np.log(np.array(p, np.float32).reshape(1, 1, 4) + 1e-9))
    return cell_odds(
        {} if standing is None else {(0, 0): standing},
        look,
        change_log_odds=None if change is None else np.array([[change]]),
        before=None if before is None else {(0, 0): before},
    )


def test_the_expected_label_gains_nothing() -> None:
    odds = one_cell([0.1, 0.8, 0.1, 0.0], standing="blue")
    assert odds.gain[0, 1] == 0
    assert (odds.gain[0, [0, 2]] < 0).all()


def test_one_cell_alone_says_at_most_eight_nats() -> None:
    assert 7 < one_cell([0, 1, 0, 0]).gain[0, 1] < 8


def test_a_cell_that_looks_unchanged_outweighs_a_sure_reading() -> None:
    assert one_cell([0, 1, 0, 0], change=-12.0).best[0] == 0


def test_a_cell_that_looks_changed_supports_the_reading() -> None:
    assert one_cell([0.4, 0.3, 0.3, 0], change=2.0).best[0] != 0


def test_looks_are_compared_with_what_lay_there_then() -> None:
    odds = one_cell([0.5, 0.5, 0, 0], standing="blue", change=-12.0, before="red")
    assert LABELS[odds.best[0]] == "red"


def test_a_hidden_cell_says_nothing() -> None:
    odds = one_cell([0, 0, 0, 1], standing="blue", change=2.5)
    assert odds.hidden[0]
    assert np.abs(odds.gain).max() < 1e-6


def test_a_covered_cell_is_hidden_whatever_was_read() -> None:
    look = Observation(LABELS, np.log(np.array([[[0.01, 0.97, 0.01, 0.01]]], np.float32)))
    odds = cell_odds({}, look, covered=np.array([[True]]))
    assert odds.hidden[0]
    assert odds.best[0] == 0


def test_something_unread_speaks_for_every_colour_alike_and_is_not_hidden() -> None:
    look = Observation(LABELS, np.log(np.array([[[0.97, 0.01, 0.01, 0.01]]], np.float32)))
    odds = cell_odds({}, look, unread=np.array([[True]]))
    assert not odds.hidden[0]
    assert odds.gain[0, 1] == odds.gain[0, 2] > 0
