"""What the drawn board shows."""

from referee.table import Table
from tests.web.states import dispute, move, state_of
from web.board_view import board_view
from web.outlines import outline


def test_each_move_is_one_piece_and_the_last_is_marked() -> None:
    state = state_of(
        {(0, 0): "B", (0, 1): "B", (0, 19): "Y"},
        placements=[move(1, "blue", "2", [[0, 0], [0, 1]]), move(2, "yellow", "1", [[0, 19]])],
    )
    pieces = board_view(state).pieces
    assert [(piece.turn, piece.color, piece.mark) for piece in pieces] == [(1, "blue", ""), (2, "yellow", "last")]
    assert pieces[0].label == "Turn 1: Blue 2"


def test_a_piece_that_was_let_stand_keeps_its_mark() -> None:
    placements = [move(1, "blue", "1", [[0, 0]], ruling="let_stand"), move(2, "yellow", "1", [[0, 19]])]
    assert board_view(state_of({(0, 0): "B", (0, 19): "Y"}, placements=placements)).pieces[0].mark == "let_stand"


def test_a_dispute_marks_its_piece_its_offending_squares_and_nothing_else() -> None:
    state = state_of(
        {(0, 0): "B", (5, 5): "R", (5, 6): "R"},
        placements=[move(1, "blue", "1", [[0, 0]])],
        disputes=[dispute()],
    )
    view = board_view(state)
    assert [piece.mark for piece in view.pieces] == ["", "disputed"]
    assert view.offending == ((5, 6), (5, 7))


def test_a_move_in_dispute_is_drawn_once() -> None:
    placements = [move(1, "red", "2", [[5, 5], [5, 6]], dispute=1, ruling="illegal")]
    view = board_view(state_of({(5, 5): "R", (5, 6): "R"}, placements=placements, disputes=[dispute()]))
    assert [(piece.turn, piece.mark) for piece in view.pieces] == [(1, "disputed")]


def test_a_removed_piece_leaves_the_outline_of_where_it_lay() -> None:
    gone = dispute(cells=[], from_cells=[[5, 5], [5, 6]], kinds=["piece_removed"])
    view = board_view(state_of(disputes=[gone]))
    assert [color for color, _ in view.ghosts] == ["red"]
    assert view.pieces == ()


def test_squares_that_nothing_explains_are_drawn_as_loose_pieces() -> None:
    view = board_view(state_of({(3, 3): "G", (3, 4): "G", (9, 9): "G"}))
    assert [(piece.color, piece.mark, piece.turn) for piece in view.pieces] == [("green", "loose", None)] * 2


def test_unsure_squares_are_no_pieces() -> None:
    assert board_view(state_of({(3, 3): "?"})).pieces == ()


def test_the_board_is_described_for_people_who_do_not_see_it() -> None:
    assert board_view(state_of()).label == "Board of 20 by 20 squares, no piece placed yet"
    placed = state_of({(0, 0): "B"}, placements=[move(1, "blue", "1", [[0, 0]])])
    assert board_view(placed).label == "Board of 20 by 20 squares, 1 piece placed, the last one Blue 1"


def starts_after(variant: str, *moves: tuple[str, list[list[int]]], **options: str) -> set[tuple[int, int]]:
    """The starting cells marked after some placements."""
    table = Table({"variant": variant, **options})
    for color, cells in moves:
        table.decide({"decision": "place", "color": color, "cells": cells})
    return set(board_view(table.state()).starts)


def test_starting_cells_are_marked_as_long_as_a_first_piece_may_take_them() -> None:
    blue, yellow = ("blue", [[0, 0]]), ("yellow", [[0, 19]])
    assert starts_after("classic") == {(0, 0), (0, 19), (19, 19), (19, 0)}
    assert starts_after("classic", blue) == {(0, 19), (19, 19), (19, 0)}
    assert starts_after("classic", blue, yellow, starts="free") == {(19, 19), (19, 0)}
    assert (0, 0) not in board_view(state_of({(0, 0): "B"})).starts


def test_of_two_diagonals_only_the_one_in_use_is_marked() -> None:
    assert starts_after("duo") == {(4, 4), (9, 9), (4, 9), (9, 4)}
    assert starts_after("duo", ("purple", [[4, 9]])) == {(9, 4)}


def test_a_later_piece_on_a_cell_of_the_other_diagonal_marks_nothing() -> None:
    first = ("purple", [[4, 9]]), ("orange", [[9, 4]])
    assert starts_after("duo", *first) == set()
    assert starts_after("duo", *first, ("purple", [[5, 8], [5, 7], [5, 6], [4, 6]]), ("orange", [[8, 3], [8, 2]])) == set()
    assert starts_after("duo", *first, ("purple", [[5, 10], [6, 10]]), ("orange", [[8, 5], [8, 6], [8, 7]]), ("purple", [[4, 4]])) == set()


def test_a_piece_that_was_moved_or_taken_away_is_known_where_it_was_put_down() -> None:
    placements = [
        move(1, "blue", "1", [[0, 1]], home=[[0, 0]]),
        move(2, "yellow", "2", [], home=[[5, 5], [5, 6]]),
        move(3, "red", "1", [[9, 9]], home=[[9, 9]]),
    ]
    view = board_view(state_of({(0, 1): "B", (9, 9): "R"}, placements=placements))
    assert [(piece.turn, piece.path) for piece in view.was] == [(1, outline([(0, 0)])), (2, outline([(5, 5), (5, 6)]))]
