"""What people put right: corrections that judge all later moves again, cells, colours, the turn, and lost pieces."""

from typing import Any

import pytest

from referee.errors import DecisionError
from tests.referee.watched import BLUE, FIRST_ROUND, GREEN, LATER, SECOND_ROUND, YELLOW, Watched, disputed, only


def test_of_two_pieces_at_once_the_one_left_by_a_correction_is_judged_for_itself() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.put(BLUE, LATER)
    assert game.decide("correct", turn=6, now=None) == ["resolved 1 misread", "placement 5 blue I3"]
    assert game.rulings() == "legal legal legal legal legal"


def test_a_late_correction_judges_everything_after_it_again() -> None:
    game = Watched().play(*FIRST_ROUND, *SECOND_ROUND, LATER)
    now = {"color": "blue", "cells": game.cells("c19 c18 c17")}
    assert game.decide("correct", turn=5, now=now) == [
        "corrected 5: blue I3 -> blue I3 by person",
        "rejudged 9: legal -> illegal no_corner_contact",
        "dispute 1 blue 1: no_corner_contact",
    ]
    assert game.decide("undo") == ["resolved 1 undo", "corrected 5: blue I3 -> blue I3 by person", "rejudged 9: illegal -> legal"]


def test_a_foul_that_was_let_stand_is_disputed_anew_when_it_is_corrected_to_another_foul() -> None:
    game = disputed()
    game.decide("resolve", id=1, how="let_stand")
    now = {"color": "blue", "cells": game.cells("h10 h11 h12")}
    assert game.decide("correct", turn=5, now=now) == ["corrected 5: blue I3 -> blue I3 by person", "dispute 2 blue I3: no_corner_contact"]


def test_a_placement_that_never_was_is_taken_out_of_the_record() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.put(BLUE)
    assert game.decide("correct", turn=5, now=None) == ["corrected 5: blue I3 -> nothing by person"]
    assert (game.look(), game.table.on_turn()) == ([], "blue")


def test_a_phantom_before_real_moves_leaves_its_owner_on_turn_in_between() -> None:
    game = Watched().play(*FIRST_ROUND, *SECOND_ROUND)
    lines = game.decide("correct", turn=5, now=None)
    assert lines[:2] == ["corrected 5: blue I3 -> nothing by person", "rejudged 5: legal -> illegal out_of_turn"]


def test_a_missed_placement_can_be_put_in_at_its_turn() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.put(YELLOW)
    assert game.open() == ["dispute 1: out_of_turn"]
    lines = game.decide("place", color="blue", cells=game.cells("c19 d19 e19"), turn=5)
    assert lines == ["resolved 1 undo", "placement 5 blue I3", "rejudged 6: illegal -> legal"]
    game.touch(put=[BLUE])
    assert game.look() == []
    assert game.agrees()


def test_a_placement_by_hand_needs_no_camera() -> None:
    game = Watched()
    for piece in FIRST_ROUND:
        color, _, cells = piece.partition(" ")
        assert game.decide("place", color=color, cells=game.cells(cells))[0].startswith("placement")
    assert game.decide("place", color="red", cells=game.cells("r2")) == ["dispute 1 red 1: out_of_turn"]
    assert game.decide("resolve", id=1, how="return") == ["resolved 1 return"]


def test_set_cells_reshapes_the_piece_they_belong_to() -> None:
    game = Watched().play(*FIRST_ROUND, BLUE)
    assert game.decide("set_cells", cells=game.cells("e19"), color=None) == [
        "corrected 5: blue I3 -> blue 2 by person",
        "dispute 1 blue 2: piece_already_used",
    ]
    assert game.decide("set_cells", cells=game.cells("d18 e18"), color="blue")[:2] == [
        "resolved 1 misread",
        "corrected 5: blue 2 -> blue Z4 by person",
    ]
    assert game.look() == []


def test_set_cells_can_add_and_remove_whole_pieces() -> None:
    game = Watched().play(*FIRST_ROUND)
    assert game.decide("set_cells", cells=game.cells("c19 d19 e19"), color="blue") == ["placement 5 blue I3"]
    assert game.decide("set_cells", cells=game.cells("c19 d19 e19"), color=None) == ["corrected 5: blue I3 -> nothing by person"]


def test_set_cells_can_change_the_colour_of_a_piece() -> None:
    game = Watched().play(*FIRST_ROUND)
    assert game.put("yellow c19 d19 e19") == ["dispute 1 yellow I3: no_corner_contact out_of_turn", "blocked blue"]
    assert game.decide("set_cells", cells=game.cells("c19 d19 e19"), color="blue") == [
        "resolved 1 misread",
        "placement 5 blue I3",
        "unblocked blue",
    ]
    assert game.look() == []


def test_swapped_colours_are_swapped_back() -> None:
    game = Watched(order=None)
    for piece in ("red a20 b20", "yellow t20 s20", "blue t1 s1"):
        game.put(piece)
    lines = game.decide("swap_colors", colors=["red", "blue"])
    assert lines == ["corrected 1: red 2 -> blue 2 by person", "corrected 3: blue 2 -> red 2 by person"]
    assert game.look() == []


def test_the_turn_can_be_set() -> None:
    game = Watched().play(*FIRST_ROUND)
    assert game.decide("set_turn", color="green") == ["turn green"]
    assert game.put(GREEN) == ["placement 5 green I3"]
    assert game.table.on_turn() == "blue"


def test_the_turn_cannot_be_given_to_a_retired_colour() -> None:
    game = Watched(missing={"blue": only("2")}).play(*FIRST_ROUND)
    with pytest.raises(DecisionError, match="blue is finished and plays no more"):
        game.decide("set_turn", color="blue")


def test_a_turn_given_to_a_colour_that_proves_to_be_retired_stays_where_it_was() -> None:
    game = Watched(missing={"blue": only("2", "I3")}).play(*FIRST_ROUND)
    game.decide("set_turn", color="green")
    game.decide("set_turn", color="blue")
    assert game.decide("declare_missing", color="blue", pieces=["I3"])[:2] == ["missing blue", "finished blue"]
    assert game.table.on_turn() == "green"


# -- lost pieces


def test_a_piece_found_missing_in_the_middle_of_a_game_is_counted_out_and_said_in_the_result() -> None:
    game = Watched().play(*FIRST_ROUND)
    events = game.table.decide({"decision": "declare_missing", "color": "red", "pieces": ["W", "I5"]})
    assert [(event.name, event.sentence) for event in events] == [("missing", "Red plays on without W and I5.")]
    red = game.table.state()["colors"]["red"]
    assert (red["squares_left"], "W" in red["pieces_left"]) == (89 - 2 - 10, False)
    assert game.table.state()["scores"]["missing"] == {"red": ["W", "I5"]}
    assert game.put("blue c19 d19 e19") == ["placement 5 blue I3"]
    assert game.decide("undo") == ["corrected 5: blue I3 -> nothing by person"]
    game.decide("undo")
    assert game.table.state()["colors"]["red"]["squares_left"] == 87


def test_a_colour_whose_last_piece_is_lost_has_finished() -> None:
    game = Watched(missing={"blue": only("2", "I3")}).play(*FIRST_ROUND)
    assert game.decide("declare_missing", color="blue", pieces=["I3"]) == ["missing blue", "finished blue"]


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        (["2"], "red has no piece '2' left to lose"),
        (["W", "W"], "red has no piece 'W' left to lose"),
        (["Q"], "red has no piece 'Q' left to lose"),
        ([], "one piece's name or more"),
        ("W", "one piece's name or more"),
    ],
)
def test_only_pieces_left_can_be_lost(pieces: Any, message: str) -> None:
    game = Watched().play(*FIRST_ROUND)
    with pytest.raises(DecisionError, match=message):
        game.decide("declare_missing", color="red", pieces=pieces)
