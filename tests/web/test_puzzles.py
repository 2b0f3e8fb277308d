"""The puzzles' pages and their check."""

from __future__ import annotations

import pytest

from referee.puzzle import SHIPPED, shipped_puzzle
from referee.puzzle_solve import solve
from tests.web.conftest import Visitor


def solution(number: int) -> list[dict[str, object]]:
    [found] = solve(shipped_puzzle(number), limit=1, keep=1).found
    return [dict(placement.as_json()) for placement in found]


def test_all_puzzles_are_there_to_choose_from(browser: Visitor) -> None:
    html = browser.client.get("/puzzles").get_data(as_text=True)
    assert html.count("data-number=") == SHIPPED
    assert "1. Two friends" in html


def test_a_solution_is_recognised(browser: Visitor) -> None:
    assert browser.post("/api/puzzles/1", {"solution": solution(1)}).get_json() == {"solved": True, "left": [], "wrong": [], "open": []}


def test_what_is_wrong_and_what_is_open_is_told_apart(browser: Visitor) -> None:
    part = browser.post("/api/puzzles/1", {"solution": solution(1)[:1]}).get_json()
    assert (part["solved"], part["wrong"]) == (False, [])
    assert part["open"][0]["kind"] == "piece_missing"
    wrong = browser.post("/api/puzzles/1", {"solution": [{"piece": "I4", "cells": [[1, 1], [1, 2], [1, 3], [1, 4]]}]}).get_json()
    assert {one["kind"] for one in wrong["wrong"]} == {"edge_contact"}
    assert [2, 1] in wrong["wrong"][0]["cells"]


@pytest.mark.parametrize("number", [0, 11, 999999])
def test_a_number_without_a_puzzle_is_said_in_one_line(browser: Visitor, number: int) -> None:
    assert browser.client.get(f"/puzzles/{number}").status_code == 404
    assert browser.post(f"/api/puzzles/{number}", {"solution": []}).get_json()["message"] == "There is no such puzzle."


@pytest.mark.parametrize("value", [None, "x", [1], [{"cells": []}], [{"cells": [[0, 99]]}], [{"cells": [[0, 0], [0, 0]]}]])
def test_what_is_no_solution_is_refused_in_one_line(browser: Visitor, value: object) -> None:
    answer = browser.post("/api/puzzles/1", {"solution": value})
    assert answer.status_code == 422
    assert "\n" not in answer.get_json()["message"]


def test_other_sites_may_not_ask(guest: Visitor) -> None:
    assert guest.post("/api/puzzles/1", {"solution": []}).status_code == 200
    assert guest.post("/api/puzzles/1", {"solution": []}, Origin="http://evil.example").status_code == 403
