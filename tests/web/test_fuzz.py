"""Hostile decisions: whatever JSON comes, the answer is no error of the program, and a refusal changes nothing."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.options import GameOptions
from referee.table import Table
from tests.web.conftest import Visitor
from web import create_app
from web.live import LiveGame

NAMES = [
    "pause",
    "resume",
    "resolve",
    "answer",
    "correct",
    "place",
    "claim_blocked",
    "would_be_legal",
    "undo",
    "redo",
    "new_game",
    "set_cells",
    "swap_colors",
    "set_turn",
    "declare_missing",
    "abandon",
    "finish",
    "start",
    "observe",
]
KEYS = [
    "id",
    "how",
    "choice",
    "turn",
    "now",
    "color",
    "cells",
    "colors",
    "variant",
    "options",
    "players",
    "order",
    "set",
    "missing",
    "shared",
    "scoring",
    "starts",
    "touch",
    "marks",
    "mirrored",
    "start_cells",
    "preview",
    "show",
    "frame",
    "who",
    "pieces",
]
WORDS = st.sampled_from(
    ["blue", "red", "purple", "classic", "duo", "let_stand", "misread", "W", "blue:-W", "", "\x00", "../x", "<b>", "ä" * 50]
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-2, 21),
    st.floats(allow_nan=False, allow_infinity=False),
    WORDS,
    st.text(max_size=8),
)
CELLS = st.lists(st.lists(st.integers(-3, 22), min_size=2, max_size=2), max_size=6)
PIECE = st.fixed_dictionaries({"color": WORDS, "cells": CELLS})
VALUES = st.recursive(
    SCALARS | CELLS | PIECE,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*KEYS, "blue", "red"]), inner, max_size=3),
    max_leaves=8,
)
DECISIONS = st.builds(
    lambda name, fields: {**fields, "decision": name},
    st.sampled_from(NAMES) | VALUES,
    st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=5),
)


def table_under_way() -> Visitor:
    """A program at a table with a few pieces down and a dispute open."""
    live = LiveGame(Table(GameOptions()))
    for color, cells in (("blue", [[0, 0]]), ("yellow", [[0, 19]]), ("red", [[19, 19]]), ("green", [[19, 0]]), ("blue", [[0, 1]])):
        live.decide({"decision": "place", "color": color, "cells": cells})
    return Visitor(create_app(live).test_client(use_cookies=False))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(decisions=st.lists(DECISIONS, min_size=1, max_size=6))
def test_no_decision_breaks_the_program(decisions: list[Any]) -> None:
    visitor = table_under_way()
    for decision in decisions:
        before = visitor.state
        answer = visitor.post("/api/decisions", decision)
        assert answer.status_code in (200, 422), (decision, answer.get_json())
        if answer.status_code == 422:
            assert visitor.state == before
            assert answer.get_json()["message"].splitlines()[1:] == []
    assert visitor.client.get("/").status_code == 200


QUESTIONS = ["/api/try", "/api/practice", "/api/puzzles/1"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(decision=DECISIONS, solution=VALUES, name=st.sampled_from(["edge_contact", "x", None]))
def test_no_question_breaks_the_program_or_changes_the_game(decision: dict[str, Any], solution: Any, name: str | None) -> None:
    visitor = table_under_way()
    before = visitor.state
    for path in QUESTIONS:
        answer = visitor.post(path, {"name": name, "solution": solution, **decision})
        assert answer.status_code in (200, 422), (path, answer.get_json())
        assert answer.status_code == 200 or answer.get_json()["message"].splitlines()[1:] == []
    assert visitor.state == before


@settings(max_examples=40, deadline=None)
@given(body=st.binary(max_size=200), path=st.sampled_from(["/api/decisions", "/api/session", *QUESTIONS]))
def test_no_body_breaks_the_program(body: bytes, path: str) -> None:
    visitor = Visitor(create_app(LiveGame(Table()), lan=True, pin="271828").test_client(use_cookies=False))
    answer = visitor.client.post(path, data=body, content_type="application/json")
    assert 400 <= answer.status_code < 500
