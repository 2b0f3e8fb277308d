"""Playing, letting stand, undoing: what a game becomes."""

import pytest

from referee.errors import IllegalMoveError
from referee.game import Game
from referee.options import GameOptions
from tests.referee.boards import at, forced, game_with, kinds, played

ORDER = ("blue", "yellow", "red", "green")


def ordered(**options: object) -> Game:
    return Game.new(GameOptions(order=ORDER, **options))  # type: ignore[arg-type]  # tests name the options


def test_playing_leaves_the_game_before_it_as_it_was() -> None:
    before = ordered()
    after = played(before, "blue a20 b20")
    assert (before.turn, before.on_turn, before.position.cells) == (1, "blue", {})
    assert (after.turn, after.on_turn) == (2, "yellow")
    assert after.position.cells == {(0, 0): "blue", (0, 1): "blue"}
    assert "2" not in after.hands["blue"]
    assert after.squares_left["blue"] == 87


def test_an_illegal_placement_is_refused_with_its_ruling_unless_it_is_forced() -> None:
    with pytest.raises(IllegalMoveError, match="Blue's first piece must cover one of") as refusal:
        ordered().play("blue", at("j10"))
    assert refusal.value.ruling.kinds == ("start_not_covered",)
    game = ordered().play("blue", at("j10"), force=True)
    assert game.moves[0].ruling == refusal.value.ruling
    assert game.on_turn == "yellow"


def test_a_piece_that_stands_touches_occupies_and_is_used_up_whatever_was_wrong_with_it() -> None:
    game = forced(ordered(), "blue j10 k10", "yellow t20", "red t1", "green a1")
    assert kinds(game, "blue l9 m9 n9") == ()
    assert kinds(game, "blue l10 m10 n10") == ("edge_contact", "no_corner_contact")
    assert "2" not in game.hands["blue"]


def test_a_piece_on_top_of_another_shows_its_colour_and_the_covered_one_keeps_its_squares() -> None:
    game = forced(played(ordered(), "blue a20 b20"), "yellow b20 c20 d20")
    assert game.position.to_text()[0].startswith("BYYY.")
    assert game.position.squares("blue") == at("a20 b20")
    assert (game.squares_left["blue"], game.squares_left["yellow"]) == (87, 86)


def test_squares_over_the_edge_lie_on_no_cell_but_the_piece_is_put_down() -> None:
    game = ordered().play("blue", {(0, -1), (0, 0)}, force=True)
    assert game.position.cells == {(0, 0): "blue"}
    assert (game.squares_left["blue"], "2" in game.hands["blue"]) == (87, False)


def test_squares_that_are_no_piece_stand_and_use_up_nothing_of_the_hand() -> None:
    game = ordered().play("blue", at("a20 b20 c20 d20 e20 f20"), force=True)
    assert game.moves[0].piece is None
    assert len(game.hands["blue"]) == 21
    assert game.squares_left["blue"] == 83


def test_after_a_piece_out_of_turn_that_stands_the_colour_after_it_is_on_turn() -> None:
    assert forced(played(ordered(), "blue a20"), "red t1").on_turn == "green"


SHUT_IN = """
    BYYYYY
    YY....
"""


def test_a_retired_colour_s_piece_that_stands_changes_nobody_s_turn_and_it_stays_retired() -> None:
    game = forced(game_with(SHUT_IN, next_color="red"), "blue j10 j9 j8")
    assert (game.on_turn, game.retired) == ("red", {"blue": "blocked"})
    assert game.legal_placements("blue") == ()
    assert kinds(game, "blue k7 l7") == ("color_retired",)


def test_a_retired_colour_s_piece_can_block_the_colour_on_turn() -> None:
    game = game_with("BR..\nRR..", next_color="yellow")
    assert game.retired == {"blue": "blocked"}
    lost = tuple(name for name in game.hands["yellow"] if name not in ("1", "2"))
    game = game_with("BR\nRR", next_color="yellow", missing={"yellow": lost}, order=ORDER)
    game = forced(game, "blue t20")
    assert game.retired == {"blue": "blocked", "yellow": "blocked"}
    assert (game.on_turn, game.skipped) == ("red", ("yellow",))


def test_without_one_move_the_later_ones_are_judged_anew() -> None:
    game = played(ordered(), "blue a20", "yellow t20", "red t1", "green a1", "blue b19 c19", "yellow s19 r19")
    again = game.without(1)
    assert [(move.turn, move.color) for move in again.moves] == [(1, "yellow"), (2, "red"), (3, "green"), (4, "blue"), (5, "yellow")]
    assert [move.ruling.kinds for move in again.moves] == [("out_of_turn",), (), (), ("start_not_covered",), ()]


def test_undoing_reaches_over_the_end_of_the_game_and_no_further_than_its_beginning() -> None:
    lost = tuple(name for name in Game.new().hands["blue"] if name != "1")
    game = played(Game.new(GameOptions("duo", missing={"purple": lost, "orange": lost})), "purple e10", "orange j5")
    assert game.is_over
    assert (game.undone().on_turn, game.undone().undone().turn) == ("orange", 1)
    assert game.undone().undone().undone() == Game.new(game.options)


def test_undoing_in_a_game_seen_in_its_middle_keeps_what_was_found() -> None:
    game = game_with("BB", next_color="yellow")
    assert played(game, "yellow t20").undone() == game


def test_a_forced_foul_returned_brings_blocked_colours_back() -> None:
    game = forced(played(ordered(), "blue a20"), "red t20 t19")
    assert game.retired == {"yellow": "blocked"}
    assert game.undone().retired == {}
