"""When the motion gate wants a look: after stillness, once, whatever the light and the table do."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

from tests.vision.desk import Desk
from vision.glance import FloatArray, Glancer
from vision.settle import MotionGate, Phase

PIECE = [(0, 0), (0, 1), (0, 2), (1, 2)]


@cache
def glancer() -> Glancer:
    return Glancer.of(Desk().pose)


def glances(desks: Sequence[Desk]) -> list[FloatArray]:
    return [glancer().glance(desk.picture(seed)) for seed, desk in enumerate(desks)]


def phases(desks: Sequence[Desk], fps: float = 10.0) -> list[Phase]:
    """The gate's words for frames of these desks; each look is judged at once."""
    gate, out = MotionGate(), []
    for index, glance in enumerate(glances(desks)):
        out.append(gate.see(glance, index / fps))
        if out[-1] is Phase.LOOK:
            gate.judged()
    return out


def looks(desks: Sequence[Desk], fps: float = 10.0) -> list[int]:
    return [index for index, phase in enumerate(phases(desks, fps)) if phase is Phase.LOOK]


def passing_hand(desk: Desk, then: Desk) -> list[Desk]:
    """A hand comes in from below and goes away; afterwards the board is as `then`."""
    path = [(320, 500), (300, 420), (280, 340), (270, 300), (285, 350), (300, 430), (320, 510)]
    return [(desk if k < 4 else then).but(hand=tip) for k, tip in enumerate(path)]


@pytest.fixture
def still() -> list[Desk]:
    return [Desk()] * 8


def test_a_still_board_is_looked_at_once(still: list[Desk]) -> None:
    assert looks(still * 3) == [7]


def test_a_board_is_looked_at_again_after_a_hand(still: list[Desk]) -> None:
    after = Desk().put("red", PIECE)
    got = looks([*still, *passing_hand(Desk(), after), *[after] * 12])
    assert len(got) == 2
    last_motion = len(still) + 7
    assert 0.5 <= (got[1] - last_motion) / 10 <= 0.8


def test_a_hand_that_moves_is_motion_all_the_time(still: list[Desk]) -> None:
    moving = passing_hand(Desk(), Desk())[1:]
    assert set(phases([*still, *moving])[len(still) : -1]) == {Phase.MOTION}


def test_thirty_frames_a_second_wait_as_long_as_ten(still: list[Desk]) -> None:
    slow = looks([*still, *passing_hand(Desk(), Desk()), *[Desk()] * 10], fps=10)[-1] / 10
    fast_desks = [desk for desk in [*still, *passing_hand(Desk(), Desk()), *[Desk()] * 10] for _ in range(3)]
    assert looks(fast_desks, fps=30)[-1] / 30 == pytest.approx(slow, abs=0.15)


def test_people_beside_the_board_are_not_motion(still: list[Desk]) -> None:
    assert looks([*still, *(Desk(busy=seed) for seed in range(30))]) == [7]


@pytest.mark.parametrize("tint", [(1.0, 1.0, 1.0), (0.9, 1.0, 1.12)])
def test_light_that_changes_slowly_is_not_motion(still: list[Desk], tint: tuple[float, float, float]) -> None:
    fading = [Desk(gain=1 - 0.02 * k, tint=tuple(1 + (t - 1) * k / 20 for t in tint)) for k in range(20)]  # type: ignore[arg-type]
    assert Phase.MOTION not in phases([*still, *fading])


def test_a_lamp_switched_on_calls_for_one_look(still: list[Desk]) -> None:
    assert len(looks([*still, *[Desk(lamp=0.6)] * 20])) <= 2


def test_a_piece_that_appears_between_two_frames_is_looked_at(still: list[Desk]) -> None:
    assert len(looks([*still, *[Desk().put("green", [(5, 5)])] * 12])) == 2


def test_a_knock_ends_in_one_look(still: list[Desk]) -> None:
    rng = np.random.default_rng(3)
    knock = [Desk(nudge=(float(rng.normal(0, 2)), float(rng.normal(0, 2)), 0.0)) for _ in range(5)]
    assert len(looks([*still, *knock, *[Desk()] * 12])) == 2


def test_a_doubtful_look_is_repeated_after_the_pause() -> None:
    gate, seen = MotionGate(), []
    for index, glance in enumerate(glances([Desk()] * 30)):
        if gate.see(glance, index / 10) is Phase.LOOK:
            seen.append(index)
            gate.look_again(0.5)
    assert [b - a for a, b in itertools.pairwise(seen)] == [5] * (len(seen) - 1)
    assert len(seen) >= 4


def test_between_doubtful_looks_it_waits_and_is_not_quiet() -> None:
    gate, seen = MotionGate(), []
    for index, glance in enumerate(glances([Desk()] * 20)):
        seen.append(gate.see(glance, index / 10))
        if seen[-1] is Phase.LOOK:
            gate.look_again(0.5)
    assert set(seen[seen.index(Phase.LOOK) :]) == {Phase.LOOK, Phase.WAITING}


def test_a_restarted_gate_looks_anew(still: list[Desk]) -> None:
    gate = MotionGate()
    first = glances(still)
    for index, glance in enumerate(first):
        if gate.see(glance, index / 10) is Phase.LOOK:
            gate.judged()
    gate.restart()
    assert [gate.see(glance, 1 + index / 10) for index, glance in enumerate(first)].count(Phase.LOOK) >= 1
