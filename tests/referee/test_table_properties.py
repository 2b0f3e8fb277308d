"""What holds at a table whatever happens: nothing but refusals is raised, there is one truth, and the log gives the same table again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.cells import COLOR_LETTER
from referee.errors import DecisionError
from referee.events import Event
from referee.journal import Journal, take_input
from referee.judging import judge_acts
from referee.sightings import Change, Sighting
from referee.table import Table
from tests.referee.watched import FIRST_ROUND, FOUL, Watched
from tests.referee.wild import WildBoard, wild_decision, wild_options, wild_start

STEPS = 25
LOOKS = settings(max_examples=40, deadline=None)


class Log:
    """A table with the log of what went into it."""

    def __init__(self, options: Mapping[str, Any], start: Mapping[str, Any] | None = None) -> None:
        self.options, self.table = options, Table(options)
        self.inputs: list[tuple[str, str]] = []
        self.events: list[list[Event]] = []
        self.give("start", start or {"grid": ["." * self.table.options.rules.size] * self.table.options.rules.size})

    def give(self, kind: str, value: Mapping[str, Any]) -> None:
        before = self.table.state()
        try:
            events = take_input(self.table, kind, value)
        except DecisionError:
            assert self.table.state() == before
            return
        json.dumps([event.as_json() for event in events], allow_nan=False)
        if not (kind == "decision" and (value.get("preview") or value["decision"] == "would_be_legal")):
            self.inputs.append((kind, json.dumps(value)))
            self.events.append(events)

    def replayed(self) -> Table:
        table = Table(self.options)
        for kind, value in self.inputs:
            take_input(table, kind, json.loads(value))
        return table


def one_truth(table: Table) -> None:
    """The grid is what stands, and what stands is the placements and the unexplained squares."""
    state, standing = table.state(), table.standing()
    grid = {(row, col): letter for row, line in enumerate(state["grid"]) for col, letter in enumerate(line) if letter != "."}
    assert grid == {cell: COLOR_LETTER[color] for cell, color in standing.items()}
    odd = {(row, col): color for row, col, color in state["unexplained"]}
    listed: dict[tuple[int, int], set[str]] = {}
    for placement in state["placements"]:
        for row, col in placement["cells"]:
            if 0 <= row < state["size"] and 0 <= col < state["size"]:
                listed.setdefault((row, col), set()).add(placement["color"])
    for cell, color in standing.items():
        assert odd.get(cell) == color or color in listed[cell]
    assert all(cell in standing or odd.get(cell, "") is None for cell in listed)


def well_formed(table: Table) -> None:
    """The state can be sent, turns are numbered, and every open dispute says what it is about."""
    state = table.state()
    json.dumps(state, allow_nan=False)
    assert [placement["turn"] for placement in state["placements"]] == sorted({placement["turn"] for placement in state["placements"]})
    numbers = [found["id"] for found in (*state["disputes"], *state["questions"])]
    assert len(numbers) == len(set(numbers))
    for dispute in state["disputes"]:
        assert dispute["kinds"]
        assert dispute["message"]
        assert dispute["remedies"]
    disputed = {dispute["id"] for dispute in state["disputes"]}
    for placement in state["placements"]:
        assert placement["ruling"] != "illegal" or placement["dispute"] in disputed or state["status"] == "abandoned"


def judged_afresh(table: Table) -> None:
    """What was judged piece by piece is what the whole course judged afresh gives: every undo and correction equals a replay."""
    now = table._now
    fresh = judge_acts(now.options, now.acts, now.next_color)
    assert [(item.turn, item.verdict, item.kinds) for item in fresh.judged] == [(i.turn, i.verdict, i.kinds) for i in now.course.judged]
    assert (fresh.game.on_turn, fresh.game.retired, fresh.owed) == (now.course.game.on_turn, now.course.game.retired, now.course.owed)


def wild_game(rng: Random, steps: int) -> None:
    """Wild play and wild decisions leave one truth and a log that gives it again."""
    options = wild_options(rng)
    log = Log(options, wild_start(rng, options["variant"]))
    board = WildBoard(rng, log.table, is_flat=rng.random() < 0.7)
    board.cells = dict(log.table.standing())
    for _ in range(steps):
        if rng.random() < 0.35:
            log.give("decision", wild_decision(rng, log.table))
        else:
            board.cells = board.happen()
            log.give("sighting", (board.sure_look() if rng.random() < 0.5 else board.doubtful_look()).as_json())
        one_truth(log.table)
        well_formed(log.table)
        judged_afresh(log.table)
    log.give("finish", {})
    again = log.replayed()
    assert again.state() == log.table.state()
    assert again.events == log.table.events


@LOOKS
@given(st.randoms(use_true_random=False), st.integers(0, STEPS))
def test_wild_games_never_raise_and_are_replayed_by_their_log(rng: Random, steps: int) -> None:
    wild_game(rng, steps)


@pytest.mark.parametrize("seed", range(6))
def test_long_wild_games_never_raise_and_are_replayed_by_their_log(seed: int) -> None:
    wild_game(Random(seed), 70)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 108))
def test_many_long_wild_games_never_raise_and_are_replayed_by_their_log(seed: int) -> None:
    wild_game(Random(seed), 120)


@LOOKS
@given(st.randoms(use_true_random=False), st.integers(0, STEPS))
def test_under_sure_looks_the_table_always_has_the_board_as_it_lies(rng: Random, steps: int) -> None:
    table = Table(wild_options(rng))
    board = WildBoard(rng, table, is_flat=rng.random() < 0.5)
    for _ in range(steps):
        board.cells = board.happen()
        for _ in range(3):  # what moves while many pieces go at once is left to the next look
            table.observe(board.sure_look())
        if table.is_over or table.state()["questions"]:
            break
        assert dict(table.standing()) == board.cells


@LOOKS
@given(st.randoms(use_true_random=False), st.integers(0, STEPS // 2))
def test_undoing_everything_gives_an_empty_table(rng: Random, steps: int) -> None:
    table = Table(wild_options(rng))
    board = WildBoard(rng, table, is_flat=False)
    for _ in range(steps):
        board.cells = board.happen()
        table.observe(board.doubtful_look())
    while table.state()["can_undo"]:
        table.decide({"decision": "undo"})
        one_truth(table)
    state = table.state()
    assert (state["placements"], state["disputes"], state["questions"], state["status"]) == ([], [], [], "waiting")
    while table.state()["can_redo"]:
        table.decide({"decision": "redo"})
        well_formed(table)


@settings(LOOKS, max_examples=12)
@given(st.randoms(use_true_random=False), st.integers(0, STEPS))
def test_a_program_killed_at_any_moment_finds_the_same_table_in_its_journal(rng: Random, steps: int) -> None:
    log, journal = Log(wild_options(rng)), Journal(":memory:")
    journal.new_game(log.options)
    board, kept = WildBoard(rng, log.table, is_flat=True), 0
    for _ in range(steps):
        if rng.random() < 0.4:
            log.give("decision", wild_decision(rng, log.table))
        else:
            board.cells = board.happen()
            log.give("sighting", board.doubtful_look().as_json())
        for (kind, value), events in zip(log.inputs[kept:], log.events[kept:], strict=True):
            journal.append(kind, json.loads(value), events)
        kept = len(log.inputs)
        found = journal.load_table()
        assert found.state() == log.table.state()
        assert found.events == log.table.events
    journal.close()


NUMBERS = st.integers() | st.floats() | st.booleans() | st.none()
WORDS = st.sampled_from(["blue", "red", "purple", "return", "undo", "let_stand", "misread", "abandon", "", "W"]) | st.text(max_size=5)
NONSENSE = st.recursive(
    NUMBERS | WORDS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=3), max_leaves=12
)
KEYS = ("id", "how", "choice", "turn", "now", "color", "colors", "cells", "show", "preview", "who")
KINDS = ("resolve", "answer", "correct", "place", "claim_blocked", "would_be_legal", "set_cells", "swap_colors", "set_turn")


@LOOKS
@given(st.lists(st.tuples(st.sampled_from(KINDS), st.dictionaries(st.sampled_from(KEYS), NONSENSE, max_size=6)), max_size=8))
def test_nonsense_is_refused_as_a_decision_and_nothing_else(requests: list[tuple[str, dict[str, Any]]]) -> None:
    game = Watched().play(*FIRST_ROUND)
    game.put(FOUL)
    for kind, values in requests:
        before = game.table.state()
        refused = False
        try:
            game.table.decide({**values, "decision": kind})
        except DecisionError:
            refused = True
        assert not refused or game.table.state() == before


COLORED = st.tuples(st.tuples(st.integers(-3, 23), st.integers(-3, 23)), st.sampled_from(["blue", "yellow", "red", "green", "purple", "x"]))
CHANGES = st.builds(Change, st.frozensets(COLORED, max_size=12), st.frozensets(COLORED, max_size=12))
LOOK = st.builds(
    Sighting,
    st.lists(st.tuples(CHANGES, st.floats(-0.5, 1.5)), max_size=4).map(tuple),
    st.frozensets(st.tuples(st.integers(-3, 23), st.integers(-3, 23)), max_size=30),
)


@LOOKS
@given(st.lists(LOOK, max_size=6))
def test_looks_that_make_no_sense_never_raise_and_leave_one_truth(looks: list[Sighting]) -> None:
    game = Watched().play(*FIRST_ROUND)
    for look in looks:
        game.table.observe(look)
        one_truth(game.table)
        well_formed(game.table)
        judged_afresh(game.table)
