"""Remarks on cells in doubt: what kind they are of, where they are, and in which words; made-up probabilities."""

from __future__ import annotations

import numpy as np
import pytest

from referee.cells import Cell
from vision.findings import Finding, find
from vision.observation import EMPTY, UNKNOWN, Observation

LABELS = (EMPTY, "blue", "red", UNKNOWN)


def seen(**p_unknown: float) -> Observation:
    """All cells surely empty, but for those named like ``r2c3``, which are unknown with that probability, else red."""
    p = np.full((14, 14, len(LABELS)), 1e-6)
    p[..., 0] = 1
    for name, unknown in p_unknown.items():
        row, col = (int(part) for part in name[1:].split("c"))
        p[row, col] = (1e-6, 1e-6, 1 - unknown, unknown + 1e-6)
    return Observation(LABELS, np.log(p / p.sum(-1, keepdims=True)).astype(np.float32))


def found(look: Observation) -> list[tuple[str, set[Cell]]]:
    return [(finding.kind, set(finding.cells)) for finding in find(look, look.grid())]


def test_a_sure_picture_has_no_findings() -> None:
    assert found(seen()) == []


@pytest.mark.parametrize(("unknown", "kind"), [(0.95, "unknown_object"), (0.3, "unclear")])
def test_the_probability_of_unknown_decides_the_kind(unknown: float, kind: str) -> None:
    assert found(seen(r2c3=unknown)) == [(kind, {(2, 3)})]


def test_cells_that_touch_by_a_side_are_one_finding_and_others_are_not() -> None:
    look = seen(r5c5=0.9, r5c6=0.9, r6c7=0.9, r1c1=0.2)
    assert found(look) == [("unclear", {(1, 1)}), ("unknown_object", {(5, 5), (5, 6)}), ("unknown_object", {(6, 7)})]


def test_a_group_is_what_most_of_it_is() -> None:
    assert found(seen(r5c5=0.9, r5c6=0.9, r5c7=0.2)) == [("unknown_object", {(5, 5), (5, 6), (5, 7)})]


def test_only_cells_that_are_not_told_are_remarked_on() -> None:
    look = seen(r2c3=0.95)
    assert find(look, tuple(line.replace("?", ".") for line in look.grid())) == ()


def test_the_words_name_the_cells_or_their_middle() -> None:
    few, many = seen(r2c3=0.95), seen(**{f"r{row}c{col}": 0.95 for row in range(4, 7) for col in range(4, 7)})
    (small,), (large,) = find(few, few.grid()), find(many, many.grid())
    assert small.message.startswith("Something that is neither the board nor a piece lies on")
    assert "9 squares around" in large.message
    unclear = seen(r2c3=0.3)
    assert find(unclear, unclear.grid())[0].message.endswith("cannot be told for certain.")


def test_json_lists_the_cells_in_reading_order() -> None:
    finding = Finding("unclear", frozenset({(3, 1), (2, 9), (3, 0)}), "Words.")
    assert finding.as_json() == {"kind": "unclear", "cells": [[2, 9], [3, 0], [3, 1]], "message": "Words."}
