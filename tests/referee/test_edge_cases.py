"""The edge cases of the rules' page, section 8, by number; those about records and pictures are tested beside them."""

import json
from collections import Counter
from itertools import pairwise

import pytest

from referee.errors import DecisionError
from referee.game import Game
from referee.options import GameOptions
from referee.pieces import PIECES, identify
from referee.scoring import Span, color_score, final_scores, places
from referee.table import Table
from tests.referee.boards import CORNER, at, forced, game_with, kinds, played
from tests.referee.corpus import Ply, ReferenceGame, games
from tests.referee.slow_rules import canonical, fixed_shapes


def reference(file: str, number: int = 0) -> ReferenceGame:
    return next(game for at_, game in enumerate(games(file)) if at_ == number)


def watched(game: ReferenceGame, plies: int | None = None) -> tuple[Table, Ply]:
    """A table after some plies of a reference game, and the ply that comes next; after all of them the last one."""
    table = Table(game.options)
    for ply in game.plies[:plies]:
        table.decide({"decision": "place", "color": ply.color, "cells": [list(cell) for cell in sorted(ply.cells)]})
    return table, game.plies[-1 if plies is None else plies]


def ways(number: int) -> str:
    return f"{number} placement{'' if number == 1 else 's'}"


def test_case_1_seats_and_order_are_learnt_from_a_table_that_is_not_blue_yellow_red_green() -> None:
    game = played(Game.new(), "yellow a1", "green a20", "blue t20", "red t1")
    assert game.order == ("yellow", "green", "blue", "red")


def test_case_2_a_game_that_stops_while_someone_can_move_is_not_over() -> None:
    game = reference("classic").final().undone()
    assert not game.is_over
    assert game.legal_count(game.may_play[0]) > 0


def test_case_2_people_who_stop_early_are_told_who_can_still_move_and_in_how_many_ways_but_not_where() -> None:
    table, last = watched(reference("classic"), plies=-1)
    event = table.finish()[0]
    color = last.color
    assert (event.name, event.fields["can_move"], table.state()["status"]) == ("unfinished", [color], "unfinished")
    assert event.fields["legal_counts"] == {color: last.legal_count}
    assert event.sentence == f"The game is not over: {color.capitalize()} ({ways(last.legal_count)}) can still play."
    assert "cells" not in json.dumps(event.as_json())
    over = table.decide({"decision": "place", "color": color, "cells": [list(cell) for cell in last.cells]})
    assert over[-1].name == "game_over"
    assert table.finish() == []


def test_case_3_a_blocked_colour_is_skipped_and_one_may_play_several_times_running() -> None:
    longest = 0
    run = 1
    for (_, ply), (game, following) in pairwise(reference("classic_complete").replay()):
        run = run + 1 if ply.color == following.color else 1
        longest = max(longest, run)
        if ply.color == following.color:
            assert set(game.skipped) == set(game.retired)
            assert len(game.skipped) == 3
    assert longest > 3


def test_case_4_the_game_ends_when_all_are_retired_and_not_when_one_finishes() -> None:
    game = reference("classic_complete").final()
    finisher = next(color for color, how in game.retired.items() if how == "finished")
    at_finish = max(move.turn for move in game.moves if move.color == finisher)
    assert game.is_over
    assert [game.replayed(game.moves[:turn]).is_over for turn in (at_finish - 1, len(game.moves) - 1)] == [False, False]


def test_case_4_one_colour_finishing_ends_nothing_for_the_others() -> None:
    game = played(small_game("classic", blue=("1",)), "blue a20")
    assert game.retired == {"blue": "finished"}
    assert not game.is_over
    assert played(game, "yellow t20", "red t1", "green a1").on_turn == "yellow"


def small_game(variant: str, **sets: tuple[str, ...]) -> Game:
    """A game with advanced scoring in which some colours have these pieces only."""
    everything = Game.new(GameOptions(variant)).hands
    lost = {color: tuple(name for name in everything[color] if name not in names) for color, names in sets.items()}
    return Game.new(GameOptions(variant, scoring="advanced", missing=lost))


SMALL_GAMES = [
    ("the single square last of purple, not of the game", ("purple e10 e9", "orange j5", "purple f8", "orange k4 l4"), (20, 15)),
    ("the single square last of the game, not of purple", ("purple e10", "orange j5 k5", "purple f9 g9", "orange l4"), (15, 20)),
    ("the single square last of both", ("purple e10 e9", "orange j5 k5", "purple f8", "orange l4"), (20, 20)),
]


@pytest.mark.parametrize(("moves", "points"), [row[1:] for row in SMALL_GAMES], ids=[row[0] for row in SMALL_GAMES])
def test_case_5_each_colour_s_own_last_piece_decides(moves: tuple[str, ...], points: tuple[int, int]) -> None:
    game = played(small_game("duo", purple=("1", "2"), orange=("1", "2")), *moves)
    assert game.is_over
    assert tuple(game.color_score(color).advanced for color in ("purple", "orange")) == tuple(Span(score, score) for score in points)


def test_case_5_twenty_points_need_the_colour_s_own_last_piece_to_be_the_single_square() -> None:
    assert color_score(0, has_bonus=True, last_was_single=True).advanced == Span(20, 20)
    assert color_score(0, has_bonus=True, last_was_single=False).advanced == Span(15, 15)
    assert color_score(4, has_bonus=True, last_was_single=True).advanced == Span(-4, -4)
    game = reference("duo_complete20").final()
    hero = next(color for color, how in game.retired.items() if how == "finished")
    assert game.color_score(hero).advanced == Span(20, 20)


def test_case_5_a_single_square_last_in_the_game_but_not_of_that_colour_earns_nothing() -> None:
    game = reference("duo_complete").final()
    hero, other = sorted(game.hands, key=game.squares_left.__getitem__)
    assert game.color_score(hero).advanced == Span(15, 15)
    assert game.color_score(other).advanced == Span(-game.squares_left[other], -game.squares_left[other])


def test_case_5_junior_never_has_a_bonus() -> None:
    game = reference("junior_complete").final()
    hero = next(color for color, how in game.retired.items() if how == "finished")
    assert game.color_score(hero).as_json() == {"squares_left": 0, "basic": 0, "advanced": 0}


def test_case_5_squares_laid_twice_are_no_piece_placed_and_earn_no_bonus() -> None:
    lost = tuple(name for name in Game.new().hands["blue"] if name not in ("2", "I3", "V3"))
    game = game_with("BB", next_color="blue", scoring="advanced", missing={"blue": lost})
    game = forced(game, "blue c19 d19 e19", "blue f18 g18 h18")
    assert (game.hands["blue"], game.squares_left["blue"]) == (("V3",), 0)
    assert game.color_score("blue").advanced == Span(0, 0)


def test_case_6_a_set_without_the_single_square_cannot_have_ended_with_it() -> None:
    lost = tuple(name for name in Game.new().hands["blue"] if name != "2")
    game = game_with("BB", scoring="advanced", missing={"blue": lost})
    assert game.retired["blue"] == "finished"
    assert game.color_score("blue").advanced == Span(15, 15)


def test_case_6_one_final_picture_cannot_tell_15_from_20_and_says_so() -> None:
    final = reference("duo_complete20").final()
    game = Game.from_position(final.options, final.placed)
    hero = next(color for color, how in game.retired.items() if how == "finished")
    assert game.scores().colors[hero].as_json()["advanced"] == [15, 20]
    assert f"{hero.capitalize()} has 15 or 20." in game.scores().notes


def test_case_7_the_two_scorings_can_name_different_winners() -> None:
    left = {"blue": 0, "red": 12, "yellow": 5, "green": 6}
    colors = {color: color_score(squares, has_bonus=True, last_was_single=False) for color, squares in left.items()}
    basic, advanced = (final_scores(GameOptions("two_player", scoring=scoring), colors) for scoring in ("basic", "advanced"))
    assert (basic.scoring, basic.winners) == ("basic", ("B",))
    assert (advanced.scoring, advanced.winners) == ("advanced", ("A",))


def test_case_7_the_scoring_is_fixed_before_the_first_move_and_shown_from_then_on() -> None:
    table, _ = watched(reference("classic"), plies=0)
    shown = Table({"scoring": "advanced"})
    assert (table.state()["scoring"], shown.state()["scoring"], shown.state()["scores"]["scoring"]) == ("basic", "advanced", "advanced")
    with pytest.raises(DecisionError, match="unknown decision"):
        shown.decide({"decision": "set_scoring", "scoring": "basic"})


def test_case_8_a_blocked_colour_gives_no_extra_move_to_its_owner_s_other_colour() -> None:
    game = game_with(BLUE_SHUT_IN, variant="two_player", next_color="green")
    assert game.retired == {"blue": "blocked"}
    order = []
    for _ in range(6):
        order.append(game.on_turn)
        game = game.play(game.may_play[0], game.legal_placements(game.may_play[0])[0].cells)
    assert order == ["green", "yellow", "red", "green", "yellow", "red"]


BLUE_SHUT_IN = """
    BYYYYY
    YY
"""


def test_case_9_the_shared_colour_goes_round_the_three_and_a_skipped_turn_does_not_rotate() -> None:
    game = Game.new(GameOptions("three_player", players=("Ann", "Ben", "Cid"), starts="assigned"))
    names: list[str] = []
    while game.on_turn and len(names) < 6:
        if game.on_turn == "green":
            names.append(game.mover("green"))
        game = game.play(game.on_turn, game.legal_placements(game.on_turn)[0].cells)
    assert names == ["Ann", "Ben", "Cid", "Ann", "Ben", "Cid"]
    assert [game.mover(color) for color in ("blue", "yellow", "red")] == ["Ann", "Ben", "Cid"]


def test_case_9_who_moves_the_shared_colour_is_always_said() -> None:
    table = Table({"variant": "three_player", "players": ["Ann", "Ben", "Cid"]})
    said = []
    for turn, corner in enumerate(("blue a20", "yellow t20", "red t1", "green a1", "blue b19", "yellow s19", "red s2", "green b2")):
        color, _, cell = corner.partition(" ")
        assert table.state()["colors"]["green"]["mover"] == ("Ann" if turn < 4 else "Ben")
        said.append(table.state()["on_turn"] or {"player": "anybody"})
        table.decide({"decision": "place", "color": color, "cells": [list(*at(cell))]})
    assert [on_turn["player"] for on_turn in said] == ["Ann", "Ben", "Cid", "Ann", "Ann", "Ben", "Cid", "Ben"]


def test_case_9_a_player_whose_own_colour_is_retired_still_plays_the_shared_one() -> None:
    game = game_with(BLUE_SHUT_IN, variant="three_player", next_color="green", players=("Ann", "Ben", "Cid"))
    assert game.retired == {"blue": "blocked"}
    assert game.mover("green") == "Ann"


def test_case_9_another_colour_may_be_the_shared_one() -> None:
    game = Game.new(GameOptions("three_player", players=("Ann", "Ben", "Cid"), shared="yellow"))
    assert [game.mover(color) for color in ("blue", "red", "green", "yellow")] == ["Ann", "Ben", "Cid", "Ann"]
    assert [player.colors for player in game.scores().players] == [("blue",), ("red",), ("green",)]


def test_case_10_a_colour_that_missed_its_first_round_may_still_start() -> None:
    game = played(Game.new(GameOptions(order=("blue", "yellow", "red", "green"))), "blue a20")
    game = forced(game, "red t1")
    assert game.moves[-1].ruling.kinds == ("out_of_turn",)
    game = played(game, "green a1", "blue b19 b18")
    assert kinds(game, "yellow t20") == ()


@pytest.mark.parametrize(("starts", "retired"), [("seated", {"yellow": "blocked"}), ("free", {})])
def test_case_10_a_colour_whose_corner_is_covered_is_blocked_for_good_unless_corners_are_free(starts: str, retired: dict[str, str]) -> None:
    game = played(Game.new(GameOptions(order=("blue", "yellow", "red", "green"), starts=starts)), "blue a20")
    game = forced(game, "red t20 t19", "green a1")
    assert game.retired == retired
    assert game.start_cells("yellow") == ({CORNER["top-right"]} if starts == "seated" else {CORNER["bottom-right"]})


def test_case_11_no_corner_is_claimed_twice() -> None:
    game = played(Game.new(GameOptions(starts="free")), "blue a20")
    assert kinds(game, "yellow a20") == ("overlap", "start_not_covered")


def test_case_12_the_end_of_a_row_does_not_touch_the_start_of_the_next() -> None:
    for row in range(20):
        game = Game.from_position(GameOptions(), [("blue", frozenset({(row, 19)}))])
        for other in (row, row + 1, row + 2):
            if other < 20:
                assert game.judge("blue", {(other, 0), (other, 1)}).kinds == ("no_corner_contact",)


@pytest.mark.parametrize("along", ["left", "right", "top", "bottom"])
def test_case_12_pieces_along_each_border_touch_as_anywhere(along: str) -> None:
    def cell(forward: int, inward: int) -> tuple[int, int]:
        return {
            "left": (forward, inward),
            "right": (forward, 19 - inward),
            "top": (inward, forward),
            "bottom": (19 - inward, forward),
        }[along]

    game = Game.from_position(GameOptions(), [("blue", frozenset({cell(4, 0), cell(5, 0)}))])
    assert game.judge("blue", {cell(6, 1), cell(7, 1), cell(8, 1)}).kinds == ()
    assert game.judge("blue", {cell(6, 0), cell(7, 0), cell(8, 0)}).kinds == ("edge_contact", "no_corner_contact")
    assert game.judge("blue", {cell(7, 0), cell(8, 0), cell(9, 0)}).kinds == ("no_corner_contact",)


def test_case_13_mirror_images_are_one_piece_and_there_are_21_of_them_in_91_orientations() -> None:
    shapes = {canonical(form) for form in fixed_shapes()}
    assert (len(PIECES), len(shapes), len(fixed_shapes())) == (21, 21, 91)
    assert Counter(piece.squares for piece in PIECES.values()) == {1: 1, 2: 1, 3: 2, 4: 5, 5: 12}
    assert {form for piece in PIECES.values() for form in piece.orientations} == fixed_shapes()
    for piece in PIECES.values():
        assert {canonical(form) for form in piece.orientations} == {canonical(piece.orientations[0])}
        assert {identify((row, -col) for row, col in form) for form in piece.orientations} == {piece.name}


def test_case_14_corner_contact_together_with_an_edge_contact_is_illegal() -> None:
    game = game_with("BB", next_color="blue")
    assert kinds(game, "blue c19 c20 d20") == ("edge_contact",)
    assert game.judge("blue", at("c19 c20 d20")).offending_cells == at("b20 c20")


def test_case_14_corner_contact_with_another_colour_is_none() -> None:
    game = game_with(
        """
        BBY
        ...
        """,
        next_color="blue",
    )
    assert kinds(game, "blue d19 e19 f19") == ("no_corner_contact",)
    assert kinds(game, "blue c19 d19 e19") == ()


def test_case_15_a_skip_uses_no_number_and_is_told() -> None:
    game = game_with(BLUE_SHUT_IN, variant="two_player", next_color="green")
    game = game.play("green", game.legal_placements("green")[0].cells)
    assert (game.turn, game.on_turn, game.skipped) == (2, "yellow", ("blue",))


def test_case_15_skips_are_in_the_log_and_the_placements_are_numbered_without_gaps() -> None:
    table, _ = watched(reference("classic"))
    order = table.state()["order"]
    turns, colors, skipped = [], [], dict[int, list[str]]()
    for event in table.events:
        if event.name == "placement":
            turns.append(event.fields["turn"])
            colors.append(event.fields["color"])
        elif event.name == "skipped":
            skipped.setdefault(turns[-1], []).append(event.fields["color"])
    between = {turn: between_in(order, color, following) for turn, (color, following) in enumerate(pairwise(colors), 1)}
    assert turns == [*range(1, len(turns) + 1)]
    assert skipped
    assert skipped == {turn: passed for turn, passed in between.items() if passed}


def between_in(order: list[str], color: str, following: str) -> list[str]:
    """The colours whose turns lie between those of two colours."""
    round_on = [*order[order.index(color) + 1 :], *order[: order.index(color) + 1]]
    return round_on[: round_on.index(following)]


def test_case_16_ties_share_a_place_and_the_next_is_left_out() -> None:
    assert places([10, 10, 12, 15], "basic") == (1, 1, 3, 4)
    assert places([-10, -10, -12, 15], "advanced") == (2, 2, 4, 1)
    assert places([7, 7, 7, 7], "basic") == (1, 1, 1, 1)


def test_case_17_junior_s_two_copies_are_one_placement_and_the_third_use_is_refused() -> None:
    game = Game.new(GameOptions("junior", marks=((4, 4), (9, 9))))
    assert game.legal_count("green") == 378
    game = played(game, "green e10", "orange j5")
    assert game.hands["green"].count("1") == 1
    game = played(game, "green f9", "orange k4")
    assert game.hands["green"].count("1") == 0
    assert kinds(game, "green g8") == ("piece_already_used",)
    assert game.judge("green", at("g8", 14)).message == "Green has already placed both copies of its piece 1."


def test_case_18_a_reduced_set_is_counted_over_the_pieces_in_use_and_said_in_the_result() -> None:
    game = Game.new(GameOptions(missing={"blue": ("W", "I5")}))
    assert game.squares_left == {"blue": 79, "yellow": 89, "red": 89, "green": 89}
    assert "W" not in game.hands["blue"]
    assert game.legal_count("blue") < 232
    scores = game.scores()
    assert scores.as_json()["missing"] == {"blue": ["W", "I5"]}
    assert "Blue played without W, I5." in scores.notes


def test_case_18_a_piece_declared_missing_that_turns_up_is_not_a_piece_of_this_set() -> None:
    game = Game.new(GameOptions(missing={"blue": ("2",)}))
    ruling = game.judge("blue", at("a20 a19"))
    assert (ruling.piece, ruling.kinds) == ("2", ("not_a_piece",))
    assert ruling.message == "The 2 was declared missing from blue's set."


def test_case_18_all_of_a_reduced_set_placed_is_all_pieces_placed() -> None:
    everything_but_the_single = tuple(name for name in Game.new().hands["blue"] if name != "1")
    game = Game.new(GameOptions(scoring="advanced", missing={"blue": everything_but_the_single}))
    game = played(game, "blue a20")
    assert game.retired == {"blue": "finished"}
    assert game.color_score("blue").advanced == Span(20, 20)


def test_case_19_a_game_of_which_a_later_move_is_illegal_keeps_its_good_prefix_and_the_reason() -> None:
    game = forced(played(Game.new(), "blue a20", "yellow t20"), "red t19", "green a1")
    good = [move for move in game.moves if move.ruling.is_legal]
    assert [move.turn for move in good] == [1, 2, 4]
    assert game.moves[2].ruling.kinds == ("start_not_covered",)
