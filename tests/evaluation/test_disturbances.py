"""Films of disturbances: how they are scored, and a few of them watched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from calibration.pose import GridPose
from tests.evaluation.disturbances import Run, found_board, judged, table, watch
from tests.synthetic.disturbances import NOTHING, take_of
from tests.synthetic.stage import Stage, random_stage
from tests.synthetic.take import Take

SEED = 650020
NAMES = {"B": "blue", "Y": "yellow", "R": "red", "G": "green"}


@pytest.fixture(scope="module")
def stage() -> Stage:
    return random_stage(SEED, (640, 480))


@pytest.fixture(scope="module")
def known(stage: Stage) -> GridPose:
    pose = found_board(stage)
    assert pose is not None
    return pose


def played(stage: Stage) -> Take:
    take = take_of(stage, NOTHING)
    take.played = [step.added[0] for step in stage.steps[:2]]
    take.ready_s = 0.5
    return take


def placement(take: Take, number: int) -> Mapping[str, Any]:
    piece = take.played[number]
    return {"event": "placement", "color": NAMES[piece.color], "piece": piece.piece, "cells": [list(cell) for cell in piece.cells]}


def test_placements_are_right_asked_or_missed_and_everything_else_is_false(stage: Stage) -> None:
    take = played(stage)
    first, second = placement(take, 0), placement(take, 1)
    question = {"event": "question", "candidates": [{**second, "p": 0.6}, {"color": "red", "cells": [[0, 0]], "p": 0.4}]}
    state = {"event": "state", "state": "ready"}

    def came_of(*told: Mapping[str, Any]) -> tuple[int, int, int, int, int]:
        run = judged("knock", take, [(1.0, one) for one in told])
        return run.right, run.asked, run.missed, len(run.false), run.questions

    assert came_of(state, first, second) == (2, 0, 0, 0, 0)
    assert came_of(first, question) == (1, 1, 0, 0, 1)
    assert came_of(first) == (1, 0, 1, 0, 0)
    assert came_of(first, first, second) == (2, 0, 0, 1, 0)
    assert came_of(first, {**second, "event": "dispute"}) == (1, 0, 1, 1, 0)


def test_a_row_for_each_kind_and_one_for_all() -> None:
    runs = [
        Run("knock", 1, (), 0, 2, 0, 0, 0.5, 1.0),
        Run("knock", 2, ("a dispute",), 1, 1, 0, 1, None, 1.0),
        Run("cat", 1, (), 0, 2, 0, 0, 2.5, 1.0),
    ]
    rows = [row.split() for row in table(runs)]
    assert rows[1] == ["knock", "2", "1", "1", "3/4", "1", "0.5,", "0.5"]
    assert rows[-1] == ["all", "3", "1", "1", "5/6", "1", "1.5,", "2.5"]


@pytest.mark.parametrize(
    "kind",
    [
        NOTHING,
        "a hand that does nothing",
        "knock",
        "side lamp",
        "camera nudged",
        "board turned",
        "a cup stays",
        "a sheet of paper",
        "smaller pictures",
        "pictures torn",
        "camera unplugged",
    ],
)
def test_what_is_no_play_is_no_event_and_play_goes_on(stage: Stage, known: GridPose, kind: str) -> None:
    run = watch(take_of(stage, kind), kind, known)
    assert (run.false, run.questions, run.missed) == ((), 0, 0), run.told
    assert run.ready_s is not None
