"""Each rule alone and all together: kinds, offending cells and the sentence."""

import pytest

from referee.game import Game
from referee.options import GameOptions
from tests.referee.boards import at, forced, game_with, kinds, played

BOARD = """
    B....
    .BB..
    ...B.
    ....Y
"""
"""Blue on a20, b19 c19 and d18; yellow on e17."""


def blue(names: str) -> tuple[tuple[str, ...], frozenset[tuple[int, int]], str]:
    ruling = game_with(BOARD, next_color="blue").judge("blue", at(names))
    return ruling.kinds, ruling.offending_cells, ruling.message


@pytest.mark.parametrize(
    ("squares", "kind", "offending", "message"),
    [
        ("c17 a17", "not_a_piece", "c17 a17", "Blue's new squares are not one piece of this game."),
        ("c17", "piece_already_used", "c17", "Blue has already placed its piece 1."),
        ("e17 f17 f18", "overlap", "e17", "Blue's V3 covers squares that were occupied: e17."),
        ("d20 e20 f20", "edge_contact", None, None),
        ("h10 h9 h8", "no_corner_contact", "h10 h9 h8", "Blue's I3 touches no piece of blue by a corner."),
    ],
)
def test_each_rule_of_place_names_its_cells_in_a_sentence(squares: str, kind: str, offending: str | None, message: str | None) -> None:
    if offending is None:
        assert blue(squares) == ((), frozenset(), "Blue's I3 is legal.")
    else:
        assert blue(squares) == ((kind,), at(offending), message)


def test_an_edge_contact_names_the_cells_on_both_sides_of_it() -> None:
    assert blue("d20 c20 e20") == (
        ("edge_contact",),
        at("c20 c19"),
        "Blue's I3 shares a side with another piece of blue at c20 and c19.",
    )


def test_a_piece_over_the_edge_names_the_squares_outside() -> None:
    game = game_with(BOARD, next_color="blue")
    ruling = game.judge("blue", {(3, -1), (2, -1), (2, 0)})
    assert ruling.kinds == ("off_board",)
    assert ruling.violations[0].cells == {(3, -1), (2, -1)}
    assert ruling.violations[0].message == "Blue's V3 sticks out over the edge of the board."


def test_squares_that_are_no_piece_are_spoken_of_in_the_plural() -> None:
    game = game_with(BOARD, next_color="blue")
    assert game.judge("blue", {(0, -1), (0, 0), (1, 0), (9, 9)}).message == (
        "Blue's new squares are not one piece of this game. Blue's new squares stick out over the edge of the board. "
        "Blue's new squares cover squares that were occupied: a20. Blue's new squares share a side with another piece of blue at "
        "a20, a19 and b19."
    )
    assert "Blue's new squares touch no piece of blue by a corner." in game.judge("blue", {(9, 9), (11, 11)}).message


def test_all_rules_broken_are_told_together_in_the_order_of_the_rules_page() -> None:
    ruling = game_with(BOARD, next_color="yellow").judge("blue", {(0, -1), (0, 0), (0, 1), (5, 5)})
    assert ruling.kinds == ("not_a_piece", "off_board", "overlap", "edge_contact", "out_of_turn")
    assert ruling.piece is None
    assert len(ruling.message.split(". ")) == 5


def test_a_first_piece_in_the_wrong_place_names_the_cell_it_must_cover() -> None:
    game = played(Game.new(GameOptions(order=("blue", "yellow", "red", "green"))), "blue a20")
    ruling = game.judge("yellow", at("j10"))
    assert (ruling.kinds, ruling.offending_cells) == (("start_not_covered",), at("t20"))
    assert ruling.message == "Yellow's first piece must cover t20."


def test_a_first_piece_that_may_choose_is_told_all_cells_left() -> None:
    assert Game.new().judge("yellow", at("j10")).message == "Yellow's first piece must cover one of a20, t20, a1 and t1."


def test_a_piece_out_of_turn_names_who_is_on_turn() -> None:
    game = played(Game.new(GameOptions(order=("blue", "yellow", "red", "green"))), "blue a20")
    assert game.judge("green", at("a1")).message == "Green played, but yellow is on turn."
    unknown = played(Game.new(), "blue a20")
    assert unknown.judge("green", at("a1")).message == "Green played, but the colour that starts from t20 is on turn."
    assert unknown.judge("blue", at("b19 b18")).message == "Blue played, but a colour that has not played yet is on turn."


SHUT_IN = """
    BYYYYY
    YY....
"""


def test_a_retired_colour_s_piece_is_color_retired_and_never_out_of_turn() -> None:
    game = game_with(SHUT_IN, next_color="yellow")
    ruling = game.judge("blue", at("j10 j9"))
    assert game.on_turn == "yellow"
    assert ruling.kinds == ("no_corner_contact", "color_retired")
    assert ruling.violations[1].message == "Blue is blocked and plays no more."


def test_after_the_game_every_piece_is_told_that_it_is_over() -> None:
    lost = tuple(name for name in Game.new().hands["blue"] if name != "1")
    game = Game.new(GameOptions(missing=dict.fromkeys(("blue", "yellow", "red", "green"), lost)))
    game = played(game, "blue a20", "yellow t20", "red t1", "green a1")
    assert game.is_over
    assert (game.on_turn, game.may_play, set(game.retired.values())) == (None, (), {"finished"})
    assert kinds(game, "red s2 s3") == ("not_a_piece", "color_retired", "game_over")


def test_a_claim_of_blocked_is_answered_with_the_number_of_placements_tried() -> None:
    game = game_with(SHUT_IN, next_color="yellow")
    proof = game.blocked_proof("blue")
    assert (proof.is_blocked, proof.tried, proof.fitting) == (True, 30_033, 0)
    assert proof.message == "Blue is blocked: none of the 30033 placements of its pieces fits."


def test_a_wrong_claim_of_blocked_is_answered_with_the_number_that_fit_and_shows_none() -> None:
    proof = Game.new(GameOptions(starts="assigned")).blocked_proof("blue")
    assert (proof.is_blocked, proof.tried, proof.fitting) == (False, 30_433, 58)
    assert proof.message == "Blue is not blocked: 58 of 30433 placements fit."


def test_a_finished_colour_is_not_called_blocked() -> None:
    lost = tuple(name for name in Game.new().hands["blue"] if name != "1")
    proof = played(Game.new(GameOptions(missing={"blue": lost})), "blue a20").blocked_proof("blue")
    assert (proof.is_blocked, proof.message) == (False, "Blue has no pieces left.")


def test_contact_between_colours_is_free_a_partner_s_too() -> None:
    game = played(Game.new(GameOptions("two_player")), "blue a20 b20 c20", "yellow t20 s20 r20 q20 p20", "red t1", "green a1")
    game = forced(game, "blue d19 e19 f19 g19 h19")
    assert kinds(game, "red d18 e18 f18") == ("no_corner_contact", "out_of_turn")
    assert kinds(played(Game.new(GameOptions("duo")), "purple e10 e9"), "orange j5 j6 i6 h6 g6") == ()
