"""Pieces put down before a perfect camera: placements, fouls of every kind, several at once, and what no piece explains."""

import pytest

from tests.referee.watched import BLUE, FIRST_ROUND, FOUL, GREEN, RED, SECOND_ROUND, YELLOW, Watched, seen


def test_a_legal_piece_is_a_placement_with_its_turn_and_owner() -> None:
    game = Watched(players=["Ann", "Bob", "Cem", "Dee"])
    game.touch(put=["blue a20 b20"])
    game.look(frame=7)
    placed = game.table.events[-1].as_json()
    assert placed == {
        "event": "placement",
        "turn": 1,
        "color": "blue",
        "piece": "2",
        "cells": [[0, 0], [0, 1]],
        "ruling": "legal",
        "joint": False,
        "open_disputes": [],
        "player": "Ann",
        "frame": 7,
        "time_s": None,
        "sentence": "Blue 2 is legal.",
    }


def test_looking_again_tells_nothing() -> None:
    game = Watched().play(*FIRST_ROUND)
    assert game.look() == []
    assert game.look(unsure="a20 k10") == []


FOULS = [
    ("not_a_piece", ["blue c19 d19 e19 f19 g19 h19"], "dispute 1 blue None: not_a_piece edge_contact"),
    ("a block that two pieces explain", ["blue c19 d19 e19 f19 g19 g18 g17 g16"], "dispute 1 blue None: two_pieces edge_contact"),
    ("a block that no two pieces explain", ["blue c19 d19 e19 c18 e18 c17 d17 e17"], "dispute 1 blue None: two_pieces edge_contact"),
    ("piece_already_used", ["blue c19 d19"], "dispute 1 blue 2: piece_already_used"),
    ("edge_contact", [FOUL], "dispute 1 blue I3: edge_contact"),
    ("no_corner_contact", ["blue h10 h11 h12"], "dispute 1 blue I3: no_corner_contact"),
    ("out_of_turn", [RED], "dispute 1 red I3: out_of_turn"),
    ("all kinds together", ["red k10 k11"], "dispute 1 red 2: piece_already_used no_corner_contact out_of_turn"),
]


@pytest.mark.parametrize(("pieces", "line"), [row[1:] for row in FOULS], ids=[row[0] for row in FOULS])
def test_a_foul_is_a_dispute_that_names_every_rule(pieces: list[str], line: str) -> None:
    game = Watched().play(*FIRST_ROUND)
    assert game.put(*pieces) == [line]
    assert game.agrees()


def test_a_first_piece_beside_its_corner_is_start_not_covered() -> None:
    game = Watched().play("blue a20 b20")
    assert game.put("yellow t18 s18") == ["dispute 1 yellow 2: start_not_covered"]


def test_a_piece_laid_on_another_overlaps_and_uncovers_it_again() -> None:
    game = Watched().play(*FIRST_ROUND)
    under = dict(game.board)
    assert game.put("blue s1 s2 s3") == ["dispute 1 blue I3: overlap no_corner_contact"]
    assert game.agrees()
    game.board = under
    assert game.look() == ["resolved 1 return"]


@pytest.mark.parametrize("variant", ["duo", "junior", "two_player", "three_player", "partners"])
def test_every_variant_knows_a_colour_that_is_not_on_turn(variant: str) -> None:
    game = Watched(variant=variant)
    first, second = game.table.options.rules.colors[:2]
    corner, other = ("e10", "j5") if game.size == 14 else ("a20", "t20")
    assert game.put(f"{first} {corner}") == [f"placement 1 {first} 1"]
    assert game.put(f"{first} {_diagonal(corner)}")[0].startswith(f"dispute 1 {first} 1:")
    assert game.take(f"{first} {_diagonal(corner)}") == ["resolved 1 return"]
    assert game.put(f"{second} {other}") == [f"placement 2 {second} 1"]


def _diagonal(name: str) -> str:
    return f"{chr(ord(name[0]) + 1)}{int(name[1:]) - 1}"


# -- disputes that are still open


def test_later_pieces_are_judged_as_if_the_disputed_one_stood() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.put(FOUL)
    assert game.put(YELLOW) == ["placement 6 yellow I3"]
    assert game.table.events[-1].fields["open_disputes"] == [1]
    assert game.rulings() == "legal legal legal legal illegal legal"


def test_a_foul_taken_back_gives_its_owner_the_turn_again() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.put(FOUL)
    assert game.table.on_turn() == "yellow"
    assert game.take(FOUL) == ["resolved 1 return"]
    assert game.table.on_turn() == "blue"
    assert game.put(BLUE) == ["placement 5 blue I3"]


def test_a_foul_moved_to_a_legal_place_is_settled_and_placed() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.put(FOUL)
    assert game.swap(take=[FOUL], put=[BLUE]) == ["resolved 1 return", "placement 5 blue I3"]


def test_a_foul_moved_to_another_wrong_place_is_a_new_dispute() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.put(FOUL)
    assert game.swap(take=[FOUL], put=["blue h10 h11 h12"]) == ["resolved 1 return", "dispute 2 blue I3: no_corner_contact"]


def test_a_foul_exchanged_for_another_piece_between_two_looks() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.put(FOUL)
    assert game.swap(take=[FOUL], put=["blue c19 d19 d18 e18"]) == ["resolved 1 return", "placement 5 blue Z4"]


def test_a_foul_of_which_only_some_squares_are_left_is_asked_about() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.put(FOUL)
    assert game.swap(take=[FOUL], put=["blue c19"]) == ["question 2: Nothing changed / blue 1"]
    assert game.decide("answer", id=2, choice=1) == ["answered 2: 1", "resolved 1 misread", "corrected 5: blue I3 -> blue 1 by person"]


def test_the_right_colour_playing_in_the_same_moment_as_the_wrong_one_takes_back() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.put(RED)
    assert game.swap(take=[RED], put=[BLUE, YELLOW]) == ["resolved 1 return", "placement 5 blue I3 joint", "placement 6 yellow I3 joint"]


def test_a_foul_taken_back_after_others_played_leaves_their_turns_and_its_owner_makes_up_for_it() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.put(FOUL)
    game.play(YELLOW)
    assert game.take(FOUL) == ["resolved 1 return"]
    assert game.rulings() == "legal legal legal legal legal"
    assert (game.table.on_turn(), game.table.state()["owed"]) == ("red", ["blue"])
    assert game.put(BLUE) == ["placement 6 blue I3"]
    assert (game.table.on_turn(), game.table.state()["owed"]) == ("red", [])


def test_a_foul_that_makes_a_later_piece_legal_takes_that_along_when_it_goes() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.put(FOUL)
    game.play(YELLOW, RED, GREEN)
    assert game.put("blue d17 e17 e16") == ["placement 9 blue V3"]
    assert game.take(FOUL) == [
        "resolved 1 return",
        "rejudged 8: legal -> illegal no_corner_contact",
        "dispute 2 blue V3: no_corner_contact",
    ]


# -- several pieces at once


def test_several_pieces_legal_in_turn_are_joint_placements() -> None:
    game = Watched().play(*FIRST_ROUND)
    assert game.put(*SECOND_ROUND) == [
        "placement 5 blue I3 joint",
        "placement 6 yellow I3 joint",
        "placement 7 red I3 joint",
        "placement 8 green I3 joint",
    ]


TOGETHER = [
    ("one colour twice", [BLUE, "blue f18"], "dispute 1 blue None: two_pieces out_of_turn"),
    ("turns left out", [BLUE, RED], "dispute 1 None None: two_pieces out_of_turn"),
    ("one of them a foul", [FOUL, YELLOW], "dispute 1 None None: two_pieces edge_contact"),
]


@pytest.mark.parametrize(("pieces", "line"), [row[1:] for row in TOGETHER], ids=[row[0] for row in TOGETHER])
def test_several_pieces_not_all_legal_in_turn_are_one_dispute(pieces: list[str], line: str) -> None:
    game = Watched().play(*FIRST_ROUND)
    assert game.put(*pieces) == [line]
    assert sorted(game.table.events[-1].fields["cells"]) == sorted(cell for piece in pieces for cell in game.cells(piece.partition(" ")[2]))
    assert game.take(*pieces) == ["resolved 1 return"]
    assert game.rulings() == "legal legal legal legal"


def test_two_pieces_of_the_only_colour_that_still_plays_are_a_dispute_though_each_is_legal_in_turn() -> None:
    lost = [name for name in Watched().table.hands()["red"] if name != "1"]
    game = Watched(missing=dict.fromkeys(("yellow", "red", "green"), lost)).play("blue a20 b20", "yellow t20", "red t1", "green a1")
    assert game.put(BLUE, "blue f18")[0] == "dispute 1 blue None: two_pieces"
    assert game.take("blue f18")[:2] == ["resolved 1 return", "placement 5 blue I3"]


def test_when_one_of_two_is_taken_back_the_other_is_judged_for_itself() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.put(BLUE, "blue f18")
    assert game.take("blue f18") == ["resolved 1 return", "placement 5 blue I3"]
    game.put(YELLOW, "yellow k10")
    assert game.take(YELLOW) == ["dispute 2 yellow 1: no_corner_contact"]
    assert game.take("yellow k10") == ["resolved 2 return"]


def test_first_pieces_seen_together_need_no_agreed_order() -> None:
    game = Watched(order=None)
    assert game.put("yellow a20 b20", "red t20 s20") == ["placement 1 yellow 2 joint", "placement 2 red 2 joint"]
    assert game.table.state()["order"][:2] == ["yellow", "red"]
    other = Watched(order=None)
    assert other.put("red a20 b20", "yellow t20 s20") == ["placement 1 red 2 joint", "placement 2 yellow 2 joint"]


def test_who_started_is_not_guessed_when_all_first_pieces_are_seen_together() -> None:
    game = Watched(order=None)
    assert [line.split()[0] for line in game.put(*FIRST_ROUND)] == ["placement"] * 4
    assert (game.table.on_turn(), game.table.state()["turn"]) == (None, 5)
    assert game.put(RED) == ["placement 5 red I3"]
    assert game.table.on_turn() == "green"
    assert game.put(YELLOW) == ["dispute 1 yellow I3: out_of_turn"]


def test_either_of_two_first_pieces_seen_together_may_have_come_first() -> None:
    for starter, place in (("purple", "f9"), ("orange", "k4")):
        game = Watched(variant="duo")
        assert game.put("purple e10", "orange j5") == ["placement 1 purple 1 joint", "placement 2 orange 1 joint"]
        assert game.table.on_turn() is None
        assert game.put(f"{starter} {place}")[0].startswith(f"dispute 1 {starter} 1: piece_already_used")
        game.take(f"{starter} {place}")
        other = {"purple": "f9 g9", "orange": "k4 l4"}[starter]
        assert game.put(f"{starter} {other}") == [f"placement 3 {starter} 2"]
        assert game.table.on_turn() == ("orange" if starter == "purple" else "purple")


def test_where_the_order_is_agreed_on_pieces_seen_together_leave_no_doubt_whose_turn_it_is() -> None:
    game = Watched()
    game.put(*FIRST_ROUND)
    assert game.table.on_turn() == "blue"


def test_undoing_pieces_seen_together_undoes_the_doubt_too() -> None:
    game = Watched(variant="duo")
    game.put("purple e10", "orange j5")
    game.decide("undo")
    assert game.table.state()["placements"] == []
    game.decide("redo")
    assert game.table.on_turn() is None
    assert game.decide("set_turn", color="orange") == ["turn orange"]
    assert game.table.on_turn() == "orange"


# -- cells that no piece explains


def test_squares_that_change_colour_on_a_piece_are_unexplained_until_they_are_right_again() -> None:
    game = Watched().play(*FIRST_ROUND, *SECOND_ROUND)
    before = dict(game.board)
    game.board[1, 2] = "red"
    assert game.look() == ["dispute 1 red None: unexplained"]
    assert game.look() == []
    assert game.put("blue f18 f17") == ["dispute 2 blue 2: piece_already_used"]
    game.board = before
    assert game.look() == ["resolved 1 restored", "resolved 2 return"]


def test_a_hole_in_an_old_piece_is_unexplained() -> None:
    game = Watched().play(*FIRST_ROUND)
    del game.board[0, 1]
    assert game.look() == ["dispute 1 None None: unexplained"]
    assert game.agrees()
    assert game.put("blue c19 d19 e19") == ["placement 5 blue I3"]


def test_a_colour_that_is_not_in_the_game_is_unexplained() -> None:
    game = Watched()
    game.board[5, 5] = "purple"
    assert game.look() == ["dispute 1 purple None: unexplained"]


def test_cells_that_nobody_could_see_keep_their_last_truth() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.touch(take=["blue a20 b20"], put=[BLUE])
    assert game.look(unsure="a20 b20 d19") == []
    assert game.table.standing()[0, 0] == "blue"
    game.touch(put=["blue a20 b20"])
    assert game.look() == ["placement 5 blue I3"]


def test_a_picture_read_from_a_drawing_is_the_same_as_pieces_by_name() -> None:
    game = Watched()
    game.board = seen("BB..................")
    assert game.look() == ["placement 1 blue 2"]
