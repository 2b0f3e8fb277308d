"""The puzzles' pages and their check."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from referee.cells import Cell
from referee.options import GameOptions
from referee.puzzle import SHIPPED, shipped_puzzle
from referee.puzzle_solve import solve
from referee.table import Table
from tests.referee.test_puzzle_seen import board
from tests.vision.boards import drawn
from tests.web.conftest import Visitor
from vision.board_shot import BoardShot
from web import create_app
from web.live import LiveGame


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


@dataclass(eq=False)
class Shot:
    """A picture in which a board is read."""

    grid: list[str]

    def read(self, colors: tuple[str, ...]) -> list[str]:
        assert "green" in colors
        return self.grid


def see(live: LiveGame, grid: list[str]) -> None:
    live.board_now = lambda: Shot(grid)  # type: ignore[assignment]  # of the same shape


def laid(number: int) -> dict[Cell, str]:
    """The squares of a solution."""
    [found] = solve(shipped_puzzle(number), limit=1, keep=1).found
    return {cell: "G" for placement in found for cell in placement.cells}


def test_a_puzzle_on_the_real_board_is_judged_as_the_camera_sees_it(browser: Visitor, live: LiveGame) -> None:
    see(live, board(shipped_puzzle(1), laid(1), size=20, at=(3, 9), turns=2))
    found = browser.post("/api/puzzles/1/camera", {}).get_json()
    assert (found["solved"], found["wrong"], found["open"], found["unsure"]) == (True, [], [], [])
    assert {(row, col) for cells in found["seen"] for row, col in cells} == laid(1).keys()


def test_a_square_that_the_camera_cannot_tell_leaves_the_verdict_open(browser: Visitor, live: LiveGame) -> None:
    cell = min(laid(1))
    see(live, board(shipped_puzzle(1), {**laid(1), cell: "?"}))
    found = browser.post("/api/puzzles/1/camera", {}).get_json()
    assert (found["solved"], found["wrong"], found["unsure"]) == (False, [], [list(cell)])
    assert found["open"][0]["message"].startswith("Not sure: what lies on ")


def test_a_puzzle_that_is_put_down_wrongly_is_said_to_be(browser: Visitor, live: LiveGame) -> None:
    orange = min(shipped_puzzle(1).cells_of("O"))
    see(live, board(shipped_puzzle(1), {orange: "."}))
    found = browser.post("/api/puzzles/1/camera", {}).get_json()
    assert [one["cells"] for one in found["wrong"]] == [[list(orange)]]


def test_a_mirrored_picture_is_judged_as_people_see_the_board() -> None:
    live = LiveGame(Table(GameOptions("junior", mirrored=True)))
    see(live, [line[::-1] for line in board(shipped_puzzle(2), laid(2), at=(1, 5))])
    browser = Visitor(create_app(live).test_client())
    browser.open_page()
    assert browser.post("/api/puzzles/2/camera", {}).get_json()["solved"] is True


@pytest.mark.parametrize(
    ("variant", "grid", "status", "words"),
    [
        ("classic", None, 409, "No camera sees the board"),
        ("duo", ["." * 14] * 14, 409, "Puzzles have green pieces"),
        ("junior", ["." * 14] * 14, 422, "This puzzle does not lie on the board"),
        ("junior", ["?" * 14] * 14, 422, "Too little of the board"),
    ],
)
def test_where_nothing_can_be_judged_one_line_says_why(variant: str, grid: list[str] | None, status: int, words: str) -> None:
    live = LiveGame(Table(GameOptions(variant)))
    if grid is not None:
        see(live, grid)
    browser = Visitor(create_app(live).test_client())
    browser.open_page()
    answer = browser.post("/api/puzzles/1/camera", {})
    assert answer.status_code == status
    assert words in answer.get_json()["message"]


def test_the_camera_is_asked_by_those_at_the_table_alone(guest: Visitor, live: LiveGame) -> None:
    see(live, board(shipped_puzzle(1), laid(1)))
    assert guest.post("/api/puzzles/1/camera", {}).status_code == 401


def test_a_drawn_board_is_read_and_judged(browser: Visitor, live: LiveGame) -> None:
    """From pixels to the verdict."""
    live.decide({"decision": "new_game", "variant": "junior"})
    image, pose = drawn(board(shipped_puzzle(3), laid(3), at=(2, 4), turns=1))
    shot = BoardShot(image, pose, 0)
    live.board_now = lambda: shot
    assert browser.post("/api/puzzles/3/camera", {}).get_json()["solved"] is True
