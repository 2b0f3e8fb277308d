"""Hidden cells that are told are counted, whatever they are told to be."""

from __future__ import annotations

from typing import Any

from tests.evaluation.things import ThingScore, score, table

SQUARE = [[0.0, 0.0], [140.0, 0.0], [140.0, 140.0], [0.0, 140.0]]
BOARD = ["BB" + "." * 12] + ["." * 14] * 13
TRUTH: dict[str, Any] = {"board": BOARD, "grid_corners_px": SQUARE, "cell_occlusion": [[0, 0, 1.0], [0, 1, 0.6], [0, 2, 0.9], [0, 3, 0.3]]}


def reading(first: str) -> dict[str, Any]:
    return {"grid": [first, *BOARD[1:]], "board": {"corners_px": SQUARE}}


def test_a_hidden_cell_that_is_told_right_is_told_by_luck() -> None:
    assert score(TRUTH, reading(BOARD[0])) == ThingScore(pictures=1, hidden=3, told=3)
    assert score(TRUTH, reading("???" + "." * 11)) == ThingScore(pictures=1, hidden=3)


def test_wrong_and_unsure_cells_are_told_apart_by_what_is_in_sight() -> None:
    found = score(TRUTH, reading("." + "R" + "?" + "R" + "R" + "?" + "." * 8))
    assert found == ThingScore(pictures=1, hidden=3, told=2, wrong=2, clear_wrong=1, clear_unsure=1)


def test_a_refused_or_misplaced_board_tells_nothing() -> None:
    astray = {"grid": BOARD, "board": {"corners_px": [[x + 30, y] for x, y in SQUARE]}}
    assert score(TRUTH, {"error": "no board"}) == score(TRUTH, astray) == ThingScore(pictures=1, refused=1)


def test_the_table_has_a_row_a_kind_and_one_of_all() -> None:
    lines = list(table([("mug", ThingScore(1, 0, 4)), ("sheet", ThingScore(1, 0, 5)), ("mug", ThingScore(1, 0, 6))]))
    assert [line.split()[:4] for line in lines[1:]] == [["mug", "2", "0", "10"], ["sheet", "1", "0", "5"], ["all", "3", "0", "15"]]
