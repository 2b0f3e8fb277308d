"""Who starts where, and whose turn it is in the first round."""

import pytest

from referee.cells import Cell
from referee.errors import RefereeError
from referee.game import Game
from referee.options import GameOptions
from tests.referee.boards import CORNER, forced, game_with, kinds, played

ORDER = ("red", "yellow", "blue", "green")
FOUR = {"blue", "yellow", "red", "green"}


def start(**options: object) -> Game:
    return Game.new(GameOptions(**options))  # type: ignore[arg-type]  # rows of tables name the options


def test_before_the_first_piece_any_colour_may_start_from_any_corner() -> None:
    game = start()
    assert (game.on_turn, set(game.may_play)) == (None, FOUR)
    assert all(game.start_cells(color) == set(CORNER.values()) for color in FOUR)


@pytest.mark.parametrize(
    "moves",
    [
        ("blue a20", "yellow t20", "red t1", "green a1"),
        ("red t1", "green a1", "yellow a20", "blue t20"),
        ("green t20", "blue t1", "red a1", "yellow a20"),
    ],
)
def test_any_clockwise_seating_with_any_starter_is_learnt_from_the_first_pieces(moves: tuple[str, ...]) -> None:
    game = played(start(), *moves)
    order = tuple(move.split()[0] for move in moves)
    assert (game.order, game.on_turn) == (order, order[0])


def test_the_last_colour_s_seat_is_known_before_it_plays() -> None:
    game = played(start(), "red t1", "green a1", "yellow a20")
    assert (game.on_turn, game.order) == ("blue", ("red", "green", "yellow", "blue"))
    assert game.start_cells("blue") == {CORNER["top-right"]}


def test_without_an_order_the_next_piece_belongs_on_the_next_corner_clockwise() -> None:
    game = played(start(), "blue a20")
    assert set(game.may_play) == {"yellow", "red", "green"}
    assert kinds(game, "yellow t20") == ()
    assert kinds(game, "yellow t1") == kinds(game, "red a1") == ("out_of_turn",)
    assert kinds(game, "yellow j10") == ("start_not_covered",)
    assert kinds(game, "blue b19 c19") == ("out_of_turn",)
    assert game.legal_count("yellow") == 58


def test_a_start_out_of_turn_that_stands_takes_its_corner_s_place_in_the_order() -> None:
    game = forced(played(start(), "blue a20"), "yellow t1")
    assert game.order == ("blue", None, "yellow", None)
    assert set(game.may_play) == {"red", "green"}
    assert kinds(game, "green a1") == ()
    assert kinds(game, "green t20") == ("out_of_turn",)
    game = played(game, "green a1")
    assert (game.order, game.on_turn) == (("blue", "red", "yellow", "green"), "blue")


def test_with_an_order_the_first_piece_fixes_every_corner() -> None:
    game = played(start(order=ORDER), "red a1")
    assert game.on_turn == "yellow"
    assert [game.start_cells(color) for color in ORDER[1:]] == [{CORNER[name]} for name in ("top-left", "top-right", "bottom-right")]
    assert kinds(game, "yellow t20") == ("start_not_covered",)
    assert kinds(game, "blue t20") == ("out_of_turn",)
    assert kinds(game, "blue a20") == ("start_not_covered", "out_of_turn")


def test_with_an_order_a_first_piece_of_another_colour_still_fixes_every_corner() -> None:
    game = forced(start(order=ORDER), "blue t20")
    assert game.moves[0].ruling.kinds == ("out_of_turn",)
    assert [game.start_cells(color) for color in ("green", "red", "yellow")] == [
        {CORNER[name]} for name in ("bottom-right", "bottom-left", "top-left")
    ]


def test_a_first_piece_beside_every_corner_fixes_none() -> None:
    game = forced(start(), "blue j10")
    assert game.moves[0].ruling.kinds == ("start_not_covered",)
    assert game.order == ("blue", None, None, None)
    game = played(game, "green t20")
    assert game.order == ("blue", "green", None, None)
    assert game.seating.starts[0] == CORNER["top-left"]


def test_free_corners_are_anybody_s_and_the_order_is_that_of_appearing() -> None:
    game = played(start(starts="free"), "blue a20")
    assert kinds(game, "yellow t1") == kinds(game, "red a1") == ()
    assert kinds(game, "blue b19 c19") == ("out_of_turn",)
    game = played(game, "red t1", "yellow t20")
    assert (game.order, game.on_turn) == (("blue", "red", "yellow", "green"), "green")


def test_free_corners_with_an_order_keep_to_it() -> None:
    game = played(start(starts="free", order=ORDER), "red a1")
    assert kinds(game, "yellow t20") == kinds(game, "yellow t1") == kinds(game, "yellow a20") == ()
    assert kinds(game, "blue t20") == ("out_of_turn",)


def test_assigned_corners_are_the_colour_s_own() -> None:
    game = start(starts="assigned")
    assert game.on_turn == "blue"
    assert kinds(game, "blue t20") == ("start_not_covered",)
    own = start(starts="assigned", order=ORDER, start_cells=dict(zip(ORDER, CORNER.values(), strict=True)))
    assert kinds(own, "red a20") == ()
    assert kinds(own, "blue t1") == ("out_of_turn",)


@pytest.mark.parametrize("variant", ["two_player", "partners", "three_player"])
def test_variants_with_a_fixed_order_may_be_seated_from_any_corner(variant: str) -> None:
    game = played(start(variant=variant), "blue t1", "yellow a1", "red a20", "green t20")
    assert game.on_turn == "blue"


@pytest.mark.parametrize("variant", ["duo", "junior"])
@pytest.mark.parametrize(("first", "second"), [("e10", "j5"), ("j5", "e10"), ("j10", "e5"), ("e5", "j10")])
def test_either_colour_takes_either_marked_cell_of_either_diagonal_and_the_other_the_opposite(
    variant: str, first: str, second: str
) -> None:
    for one, other in [("orange", "purple" if variant == "duo" else "green"), ("purple" if variant == "duo" else "green", "orange")]:
        game = played(start(variant=variant), f"{one} {first}")
        assert game.on_turn == other
        wrong = "e5" if first in ("e10", "j5") else "e10"
        assert kinds(game, f"{other} {wrong}") == ("start_not_covered",)
        assert played(game, f"{other} {second}").on_turn == one


def test_known_marks_leave_one_diagonal() -> None:
    marks: tuple[Cell, Cell] = ((9, 4), (4, 9))
    game = start(variant="duo", marks=marks)
    assert game.start_cells("purple") == set(marks)
    assert kinds(game, "purple e10") == ("start_not_covered",)


def test_squares_on_cells_of_both_diagonals_do_not_tell_which_one_is_in_use() -> None:
    game = forced(start(variant="duo"), "purple e10 f10 g10 h10 i10 j10")
    assert game.moves[0].ruling.kinds == ("not_a_piece",)
    assert game.on_turn == "orange"
    assert kinds(game, "orange j5") == kinds(game, "orange e5") == ()
    assert kinds(game, "orange j10") == ("overlap",)
    assert played(game, "orange e5").start_cells("purple") == set()


def test_a_colour_found_on_both_diagonals_is_taken_to_have_started_where_the_other_left_it() -> None:
    purple, orange = frozenset({(4, 4), (4, 9)}), frozenset({(9, 4)})
    options = GameOptions("duo")
    assert Game.from_position(options, [("purple", purple)]).start_cells("orange") == {(4, 4), (4, 9), (9, 9), (9, 4)}
    game = Game.from_position(options, [("purple", purple), ("orange", orange)])
    assert game.seating.rings == (((4, 9), (9, 4)),)


def test_a_first_piece_on_no_marked_cell_leaves_both_diagonals_to_the_other_colour() -> None:
    game = forced(start(variant="junior"), "green a1")
    assert game.start_cells("orange") == {(4, 4), (9, 9), (4, 9), (9, 4)}
    assert kinds(game, "orange j10") == ()


COUNTER_CLOCKWISE = ("blue a20", "yellow a1", "red t1", "green t20")


def test_a_first_round_counter_clockwise_looks_like_a_mirrored_picture() -> None:
    game = forced(start(), *COUNTER_CLOCKWISE)
    assert game.looks_mirrored
    assert [move.ruling.kinds for move in game.moves[1:3]] == [("out_of_turn",)] * 2
    assert not forced(start(), *COUNTER_CLOCKWISE[:3]).looks_mirrored
    assert not played(start(), "blue a20", "yellow t20", "red t1", "green a1").looks_mirrored


def test_corners_that_people_gave_their_colours_themselves_are_no_sign_of_a_mirrored_picture() -> None:
    names = ("top-left", "bottom-left", "bottom-right", "top-right")
    cells = {color: CORNER[name] for color, name in zip(("blue", "yellow", "red", "green"), names, strict=True)}
    game = played(start(starts="assigned", start_cells=cells), *COUNTER_CLOCKWISE)
    assert not game.looks_mirrored


def test_in_a_picture_known_to_be_mirrored_clockwise_runs_the_other_way() -> None:
    game = played(start(mirrored=True), *COUNTER_CLOCKWISE)
    assert game.order == ("blue", "yellow", "red", "green")
    assert not game.looks_mirrored


def test_a_game_seen_in_its_middle_learns_its_seats_from_the_corners() -> None:
    picture = "B" + "." * 18 + "R"
    game = game_with(picture)
    assert game.order == ("blue", "red", None, None)
    assert kinds(game, "yellow t1") == kinds(game, "green a1") == kinds(game, "blue b19 c19") == ()
    game = played(game, "green t1")
    assert (game.order, game.on_turn) == (("blue", "red", "green", "yellow"), "yellow")


def test_in_a_game_seen_in_its_middle_nothing_is_out_of_turn_before_a_legal_piece() -> None:
    game = forced(game_with("B" + "." * 18 + "Y"), "blue a19 a18")
    assert game.moves[0].ruling.kinds == ("edge_contact", "no_corner_contact")
    assert (game.on_turn, game.seat_on_turn) == (None, None)
    assert kinds(game, "yellow s19 s18") == ()


def test_a_game_seen_in_its_middle_may_be_told_whose_turn_it_is() -> None:
    game = game_with("B" + "." * 18 + "Y", next_color="yellow")
    assert (game.on_turn, kinds(game, "blue b19 c19")) == ("yellow", ("out_of_turn",))


def test_colours_and_cells_that_do_not_exist_are_refused() -> None:
    with pytest.raises(RefereeError, match="unknown colour 'purple'; known: blue, yellow, red, green"):
        start().judge("purple", {(0, 0)})
    with pytest.raises(RefereeError, match="a placement needs at least one cell"):
        start().judge("blue", ())
