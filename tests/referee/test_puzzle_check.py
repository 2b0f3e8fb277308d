"""Checking pieces laid on a puzzle: every fault at once, and what is left to do."""

from __future__ import annotations

import pytest

from referee.puzzle import PuzzleError
from referee.puzzle_check import Laid, check
from referee.puzzle_solution import drawing, parse_solution
from tests.referee.puzzles import cells, drawn_puzzle, laid_on

BOARD = """
    GG...
    .....
    ..O..
    ..O.G
    ...GG
"""


@pytest.mark.parametrize(
    ("given", "picture", "wrong", "still", "left"),
    [
        ("V3", "GG... ..... ..O.. ..O.G ...GG", [], ["piece_missing", "no_corner_contact"], ("V3",)),
        ("1 1", "GG... ..a.. ..O.. ..O.G ...GG", [], ["piece_missing", "no_corner_contact"], ("1",)),
        ("V3 1", "GG... ..aa. ..Oa. ..O.G ...GG", [], ["piece_missing"], ("1",)),
        ("I3", "GG... ..aaa ..O.. ..O.G ...GG", [], ["no_corner_contact"], ()),
        ("1", "GGa.. ..... ..O.. ..O.G ...GG", ["edge_contact"], ["no_corner_contact"], ()),
        ("1", "GG... ..... ..a.. ..O.G ...GG", ["overlap"], ["no_corner_contact"], ()),
        ("2", "aG... a.... ..O.. ..O.G ...GG", ["overlap"], ["no_corner_contact"], ()),
        ("1", "GG... ..a.. ..Oa. ..O.G ...GG", ["not_a_piece"], ["piece_missing"], ("1",)),
        ("1", "GG... ..aa. ..O.. ..O.G ...GG", ["piece_not_given"], ["piece_missing", "no_corner_contact"], ("1",)),
        ("1", "GG... ..a.. ..Ob. ..O.G ...GG", ["piece_not_given"], [], ()),
        ("1 1", "GG... ..ab. ..O.. ..O.G ...GG", ["edge_contact"], ["no_corner_contact"], ()),
        ("V3", "GG... ..aa. ..Oa. ..O.G ...GG", [], [], ()),
        ("1 1", "GG... ..b.. ..Oa. ..O.G ...GG", [], [], ()),
    ],
)
def test_each_fault_and_what_is_left(given: str, picture: str, wrong: list[str], still: list[str], left: tuple[str, ...]) -> None:
    puzzle = drawn_puzzle(BOARD, given)
    found = check(puzzle, laid_on(puzzle, picture))
    assert [fault.kind for fault in found.wrong] == wrong
    assert [fault.kind for fault in found.open] == still
    assert found.left == left
    assert found.is_solved == (not wrong and not still)


def test_the_order_of_the_pieces_does_not_matter() -> None:
    puzzle = drawn_puzzle("G.... ..... ..... ..... ....G", "1 2 2")
    laid = laid_on(puzzle, "G.... .aa.. ...b. ...b. ....G")
    assert [check(puzzle, order).left for order in (laid, laid[::-1])] == [("1",), ("1",)]
    puzzle = drawn_puzzle("G.... ..... ..... ..... ....G", "2 2")
    assert all(check(puzzle, order).is_solved for order in (laid, laid[::-1]))


def test_all_faults_are_told_together_with_pieces_and_squares_in_words() -> None:
    puzzle = drawn_puzzle(BOARD, "I3 V3")
    found = check(
        puzzle,
        [
            Laid(cells((0, 4), (0, 5), (0, 6)), "I3"),
            Laid(cells((2, 1), (2, 2)), "V3"),
            Laid(cells((2, 1), (3, 1), (3, 0)), "V3"),
            Laid(cells((4, 0), (4, 2))),
        ],
    )
    assert [(fault.kind, fault.message) for fault in found.violations] == [
        ("wrong_name", "The piece on b3, c3 is a 2, not a V3."),
        ("piece_not_given", "The piece 2 on b3, c3 is not given."),
        ("not_a_piece", "The squares a1, c1 are not one piece."),
        ("off_board", "The I3 on e5, (0, 5), (0, 6) lies outside the board with (0, 5), (0, 6)."),
        ("overlap", "The 2 on b3, c3 covers drawn orange squares: c3."),
        ("overlap", "The 2 on b3, c3 and the V3 on b3, a2, b2 both cover b3."),
        ("edge_contact", "The shape on a1, c1 shares a side with the drawn green piece on e2, d1, e1, at c1, d1."),
        ("edge_contact", "The V3 on b3, a2, b2 shares a side with the shape on a1, c1, at a2, a1."),
        ("no_corner_contact", "The green pieces are 4 groups not linked by corners: those at a5, e5, b3, e2."),
    ]
    assert found.wrong[3].cells == cells((0, 5), (0, 6))


def test_edge_contact_names_both_pieces_and_the_squares() -> None:
    puzzle = drawn_puzzle(BOARD, "1 2")
    (fault,) = [fault for fault in check(puzzle, laid_on(puzzle, "GG... ..... ..O.. aaO.G .b.GG")).wrong if fault.kind == "edge_contact"]
    assert fault.message == "The 2 on a2, b2 shares a side with the 1 on b1, at b2, b1."
    assert fault.cells == cells((3, 1), (4, 1))


def test_cells_at_the_end_of_a_row_and_the_start_of_the_next_are_no_neighbours() -> None:
    puzzle = drawn_puzzle("....G ..... .....", "1")
    assert [fault.kind for fault in check(puzzle, laid_on(puzzle, "....G a.... .....")).violations] == ["no_corner_contact"]
    assert [fault.kind for fault in check(puzzle, laid_on(puzzle, "....G ..... a....")).violations] == ["no_corner_contact"]


def test_a_solution_is_read_as_a_list_with_or_without_names_or_as_a_drawing_in_any_wrapping() -> None:
    puzzle = drawn_puzzle(BOARD, "V3 1")
    wanted = (Laid(cells((2, 3), (2, 4), (1, 4))), Laid(cells((0, 4))))
    listed = [{"cells": [[2, 3], [2, 4], [1, 4]]}, {"piece": None, "cells": [[0, 4]]}]
    pictured = ["GG..z", "....c", "..Occ", "..O.G", "....."]
    assert parse_solution(puzzle, listed) == parse_solution(puzzle, {"solution": listed}) == wanted
    assert parse_solution(puzzle, pictured) == wanted
    assert parse_solution(puzzle, [{"piece": "1", "cells": [[0, 4]]}]) == (Laid(cells((0, 4)), "1"),)
    assert parse_solution(puzzle, drawing(puzzle, [laid.cells for laid in wanted])) == wanted
    assert parse_solution(puzzle, []) == ()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "a solution is"),
        ({}, "a solution is"),
        ([1], "each piece"),
        (["GG..."], "5 texts of 5"),
        (["GG...", ".....", "..O..", "..O.G", "...G"], "5 texts of 5"),
        (["GG...", ".....", "..O..", "..O.G", "O..GG"], "row 4, column 0"),
        (["GG...", ".....", "..O..", "..O.G", "A..GG"], "'A'"),
        ([{"piece": "1"}], '"cells"'),
        ([{"piece": 1, "cells": [[0, 4]]}], '"piece"'),
        ([{"piece": "x" * 99, "cells": [[0, 4]]}], '"piece"'),
        ([{"cells": []}], '"cells"'),
        ([{"cells": [[0, 4], [0, 4]]}], "twice"),
        ([{"cells": [[0]]}], "[row, col]"),
        ([{"cells": [[0, True]]}], "whole numbers"),
        ([{"cells": [[0, 10**9]]}], "whole numbers"),
        ([{"cells": [[0, 4]]}] * 49, "a solution is"),
    ],
)
def test_a_malformed_solution_is_refused_in_one_line(value: object, words: str) -> None:
    with pytest.raises(PuzzleError) as refusal:
        parse_solution(drawn_puzzle(BOARD, "1"), value)
    assert words in str(refusal.value)
    assert str(refusal.value).isprintable()
