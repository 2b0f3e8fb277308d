"""Looks that leave doubt: what is asked, what settles it, and that nothing ever waits for an answer."""

from tests.referee.corpus import games
from tests.referee.watched import BLUE, FIRST_ROUND, GREEN, RED, YELLOW, Watched

ELSEWHERE = "blue c19 c18 c17"


def doubtful() -> Watched:
    """A game in which blue has played one of two places."""
    game = Watched().play(*FIRST_ROUND)
    assert look_in_doubt(game) == ["question 1: blue I3 / blue I3 / Nothing changed"]
    return game


def look_in_doubt(game: Watched, *others: str) -> list[str]:
    return game.doubt((game.with_pieces(BLUE, *others), 0.55), (game.with_pieces(ELSEWHERE, *others), 0.4))


def test_a_likely_reading_is_taken_without_asking() -> None:
    game = Watched().play(*FIRST_ROUND)
    assert game.doubt((game.with_pieces(BLUE), 0.92), (game.with_pieces(ELSEWHERE), 0.05)) == ["placement 5 blue I3"]


def test_what_was_wrong_now_and_then_is_asked() -> None:
    game = Watched().play(*FIRST_ROUND)
    lines = game.doubt((game.with_pieces(BLUE), 0.85), (game.with_pieces(ELSEWHERE), 0.1))
    assert lines == ["question 1: blue I3 / blue I3 / Nothing changed"]


def test_readings_that_come_to_the_same_are_counted_together() -> None:
    game = Watched().play(*FIRST_ROUND)
    hidden = game.with_pieces(BLUE) | {(10, 10): "red"}
    assert game.doubt((game.with_pieces(BLUE), 0.55), (hidden, 0.4), unsure="k10") == ["placement 5 blue I3"]


def test_doubt_between_two_is_asked_with_the_likeliest_first() -> None:
    game = doubtful()
    asked = game.table.events[-1].fields
    assert asked["color"] == "blue"
    assert [answer["p"] for answer in asked["candidates"]] == [0.55, 0.4, 0.0]
    assert asked["candidates"][0]["cells"] == game.cells("c19 d19 e19")
    assert asked["candidates"][2] == {"color": None, "piece": None, "cells": [], "p": 0.0, "label": "Nothing changed"}


def test_the_same_doubt_is_asked_once() -> None:
    game = doubtful()
    assert look_in_doubt(game) == []
    assert look_in_doubt(game) == []


def test_a_question_takes_the_turn_so_that_the_game_goes_on() -> None:
    game = doubtful()
    assert game.table.on_turn() == "yellow"
    assert look_in_doubt(game, YELLOW) == ["placement 6 yellow I3"]
    assert look_in_doubt(game, YELLOW, RED) == ["placement 7 red I3"]
    assert game.decide("answer", id=1, choice=1) == ["answered 1: 1", "placement 5 blue I3"]
    assert game.rulings() == "legal legal legal legal legal legal legal"


def test_what_a_doubtful_piece_causes_is_told_once() -> None:
    reference = next(iter(games("classic")))
    game, told_before = Watched(), list[str]()
    for ply in reference.plies:
        board = game.board | dict.fromkeys(ply.cells, ply.color)
        if len(game.table.state()["colors"]) - len(_retired(game)) == 2 and not told_before:
            told_before = game.doubt((board, 0.5), (game.board, 0.4))
            assert [line for line in told_before if line.startswith("skipped")]
            game.board = board
            assert not [line for line in game.look() if line.startswith("skipped")]
        game.board = board
        game.look()
    assert told_before
    assert game.table.state()["status"] == "over"


def _retired(game: Watched) -> list[str]:
    return [color for color, facts in game.table.state()["colors"].items() if facts["retired"]]


def test_a_later_clear_look_answers_by_itself() -> None:
    game = doubtful()
    game.touch(put=[ELSEWHERE])
    assert game.look(frame=3) == ["answered 1: 1", "placement 5 blue I3"]
    assert game.table.on_turn() == "yellow"


def test_a_later_clear_look_at_something_else_lets_the_question_fall_away() -> None:
    game = doubtful()
    assert game.put("blue c19 d19") == ["answered 1: None", "dispute 2 blue 2: piece_already_used"]
    assert game.open() == ["dispute 2: piece_already_used"]


def test_a_later_clear_look_at_nothing_answers_too() -> None:
    game = doubtful()
    assert game.look() == ["answered 1: 2"]
    assert (game.table.on_turn(), game.open()) == ("blue", [])


def test_a_look_at_which_the_cells_are_hidden_answers_nothing() -> None:
    game = doubtful()
    game.touch(put=[BLUE])
    assert game.look(unsure="c19 d19 e19 c18 c17") == []
    assert game.look() == ["answered 1: 0", "placement 5 blue I3"]


def test_what_is_certain_beside_a_doubt_is_done_at_once() -> None:
    game = Watched().play(*FIRST_ROUND)
    assert look_in_doubt(game, YELLOW) == ["question 1: blue I3 / blue I3 / Nothing changed", "placement 6 yellow I3"]
    assert game.decide("answer", id=1, choice=0) == ["answered 1: 0", "placement 5 blue I3"]


def test_a_doubt_about_a_later_piece_does_not_hold_up_an_earlier_one() -> None:
    game = Watched().play(*FIRST_ROUND)
    lines = game.doubt((game.with_pieces(BLUE, YELLOW), 0.5), (game.with_pieces(BLUE, "yellow r19 r18 r17"), 0.5))
    assert lines == ["placement 5 blue I3", "question 1: yellow I3 / yellow I3 / Nothing changed"]
    assert game.doubt((game.with_pieces(BLUE, YELLOW), 0.5), (game.with_pieces(BLUE, "yellow r19 r18 r17"), 0.5)) == []


def test_people_have_the_last_word_until_the_board_changes() -> None:
    game = doubtful()
    assert game.decide("answer", id=1, choice=2) == ["answered 1: 2"]
    assert look_in_doubt(game) == []
    assert game.doubt((game.with_pieces(BLUE), 0.95)) == []
    assert game.table.on_turn() == "blue"
    assert game.look() == []
    assert game.put(BLUE) == ["placement 5 blue I3"]


def test_the_other_answers_are_not_asked_again_after_people_chose() -> None:
    game = doubtful()
    assert game.decide("answer", id=1, choice=0) == ["answered 1: 0", "placement 5 blue I3"]
    assert look_in_doubt(game) == []
    assert game.doubt((game.with_pieces(ELSEWHERE), 0.9)) == []
    assert game.doubt(({**game.with_pieces(ELSEWHERE, YELLOW)}, 0.9)) == ["placement 6 yellow I3"]


def test_none_of_the_answers_may_be_right() -> None:
    game = doubtful()
    assert game.decide("answer", id=1, choice=None) == ["answered 1: None"]
    assert game.decide("place", color="blue", cells=game.cells("c19 c18 d18")) == ["placement 5 blue V3"]
    assert look_in_doubt(game) == []


def test_a_piece_entered_by_hand_answers_the_question_about_it() -> None:
    game = doubtful()
    look_in_doubt(game, YELLOW)
    assert game.decide("place", color="blue", cells=game.cells("c19 c18 c17")) == ["answered 1: 1", "placement 5 blue I3"]
    other = doubtful()
    look_in_doubt(other, YELLOW)
    assert other.decide("place", color="blue", cells=other.cells("c19 c18 d18")) == ["answered 1: None", "placement 5 blue V3"]
    assert other.rulings() == "legal legal legal legal legal legal"


def test_a_doubt_whether_anything_came_does_not_take_the_turn() -> None:
    game = Watched().play(*FIRST_ROUND)
    assert game.doubt((game.board, 0.6), (game.with_pieces(BLUE), 0.4)) == ["question 1: Nothing changed / blue I3"]
    assert game.table.on_turn() == "blue"
    assert game.put(BLUE) == ["answered 1: 1", "placement 5 blue I3"]


def test_squares_beside_the_last_piece_may_mean_that_it_was_misread() -> None:
    game = Watched().play(*FIRST_ROUND, BLUE)
    assert game.put("blue f19") == ["question 1: blue I4 / blue 1 / Nothing changed"]
    assert game.put(YELLOW) == ["placement 6 yellow I3"]
    assert game.decide("answer", id=1, choice=0) == ["answered 1: 0", "corrected 5: blue I3 -> blue I4 by person"]
    assert game.agrees()


def test_squares_missing_from_the_last_piece_may_mean_that_it_was_misread() -> None:
    game = Watched().play(*FIRST_ROUND, BLUE)
    assert game.take("blue e19") == ["question 1: Nothing changed / blue 2"]
    assert game.put("blue e19") == ["answered 1: 0"]


def test_a_piece_seen_late_may_have_been_put_down_in_its_turn() -> None:
    game = Watched().play(*FIRST_ROUND)
    assert game.put(YELLOW) == ["dispute 1 yellow I3: out_of_turn"]
    assert game.put(BLUE) == ["question 2: blue I3 / blue I3 / Nothing changed"]
    assert game.put(RED) == ["placement 6 red I3"]
    assert game.decide("answer", id=2, choice=0) == [
        "answered 2: 0",
        "resolved 1 misread",
        "placement 5 blue I3 joint",
        "rejudged 6: illegal -> legal",
    ]
    assert game.agrees()
    assert game.put(GREEN) == ["placement 8 green I3"]


def test_a_piece_seen_late_may_as_well_have_come_late() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.put(YELLOW)
    game.put(BLUE)
    assert game.decide("answer", id=2, choice=1) == ["answered 2: 1", "dispute 3 blue I3: out_of_turn"]
    assert game.agrees()


def test_an_answer_after_people_stopped_opens_the_game_again_so_that_it_can_be_finished_anew() -> None:
    game = doubtful()
    assert game.decide("finish") == ["unfinished blue,yellow,red,green"]
    assert game.decide("answer", id=1, choice=2) == ["answered 1: 2"]
    assert game.table.state()["status"] == "playing"
    assert game.decide("finish") == ["unfinished blue,yellow,red,green"]


def test_asking_the_referee_after_people_stopped_opens_nothing() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.decide("finish")
    game.decide("claim_blocked", color="blue")
    assert game.table.state()["status"] == "unfinished"


def test_a_flicker_of_improbable_readings_never_asks() -> None:
    game = Watched().play(*FIRST_ROUND)
    for cell in [(5, 5), (7, 9), (0, 1)]:
        assert game.doubt((game.board, 0.85), ({**game.board, cell: "red"}, 0.1)) == []
    assert game.open() == []


def test_a_disputed_piece_that_goes_with_a_doubtful_one_went_back() -> None:
    game = Watched(touch="strict").play(*FIRST_ROUND)
    two = game.with_pieces(BLUE, "blue k10 k11 l11 l12"), game.with_pieces(BLUE, "blue k10 k11 l11 l12 l13")
    assert game.doubt((two[0], 0.8), (two[1], 0.15)) == ["question 1: blue Z4 / blue N / Nothing changed", "dispute 2 blue I3: out_of_turn"]
    assert game.look() == ["resolved 2 return", "answered 1: 2"]
    assert (game.table.on_turn(), game.open()) == ("blue", [])


def perhaps_played() -> Watched:
    """A game in which blue may have played, and rather has not."""
    game = Watched().play(*FIRST_ROUND)
    assert perhaps(game) == ["question 1: Nothing changed / blue I3"]
    assert game.table.on_turn() == "blue"
    return game


def perhaps(game: Watched, *others: str) -> list[str]:
    return game.doubt((game.with_pieces(*others), 0.55), (game.with_pieces(BLUE, *others), 0.4))


def test_nobody_plays_out_of_turn_as_long_as_the_colour_before_may_have_played() -> None:
    game = perhaps_played()
    assert perhaps(game, YELLOW) == ["placement 6 yellow I3"]
    assert perhaps(game, YELLOW, RED) == ["placement 7 red I3"]
    game.touch(put=[BLUE, YELLOW, RED])
    assert game.look() == ["answered 1: 1", "placement 5 blue I3"]
    assert game.rulings() == "legal legal legal legal legal legal legal"


def test_who_played_after_a_colour_that_had_not_played_did_so_out_of_turn_once_that_is_known() -> None:
    game = perhaps_played()
    assert perhaps(game, YELLOW) == ["placement 6 yellow I3"]
    lines = game.decide("answer", id=1, choice=0)
    assert lines == ["answered 1: 0", "rejudged 5: legal -> illegal out_of_turn", "dispute 2 yellow I3: out_of_turn"]
    assert game.table.on_turn() == "red"


def test_a_doubtful_piece_and_the_next_one_seen_at_once_are_both_in_turn() -> None:
    game = Watched().play(*FIRST_ROUND)
    assert perhaps(game, YELLOW) == ["question 1: Nothing changed / blue I3", "placement 6 yellow I3"]


def test_a_doubt_about_one_colour_excuses_no_other() -> None:
    game = perhaps_played()
    assert perhaps(game, RED) == ["dispute 2 red I3: out_of_turn"]


def test_squares_in_sight_answer_nothing_when_those_that_matter_are_not() -> None:
    game = Watched().play(*FIRST_ROUND)
    small, large = game.with_pieces("blue c19 d19"), game.with_pieces(BLUE)
    assert game.doubt((large, 0.5), (small, 0.3), (game.board, 0.2)) == ["question 1: blue I3 / blue 2 / Nothing changed"]
    assert game.look(unsure="c19 d19") == []
    game.board = small
    assert game.look() == ["answered 1: 1", "dispute 2 blue 2: piece_already_used"]


def test_a_doubtful_piece_holds_its_turn_also_when_something_else_has_happened_too() -> None:
    game = Watched().play(*FIRST_ROUND)
    hole = {cell: color for cell, color in game.with_pieces(BLUE).items() if cell != (0, 19)}
    assert game.doubt((hole, 0.5), (game.board, 0.3)) == ["question 1: blue I3 / Nothing changed"]
    seen = [{cell: color for cell, color in game.with_pieces(*pieces).items() if cell != (0, 19)} for pieces in ((BLUE, YELLOW), (YELLOW,))]
    assert game.doubt((seen[0], 0.6), (seen[1], 0.4))[0] == "placement 6 yellow I3"
    lines = game.decide("answer", id=1, choice=0)
    assert lines[:2] == ["answered 1: 0", "placement 5 blue I3"]
    assert game.rulings() == "legal legal legal legal legal legal"
