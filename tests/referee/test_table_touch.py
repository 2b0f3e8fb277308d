"""Pieces touched after they were ruled on: the lenient and the strict touch rule, pieces moved and removed, and the sweep at the end."""

import pytest

from tests.referee.corpus import ReferenceGame, games
from tests.referee.watched import BLUE, FIRST_ROUND, FOUL, SECOND_ROUND, YELLOW, Watched, told

SHIFTED = "blue c19 c18 c17"
"""The same piece as BLUE at another legal place."""


def lenient() -> Watched:
    return Watched().play(*FIRST_ROUND, BLUE)


def strict() -> Watched:
    return Watched(touch="strict").play(*FIRST_ROUND, BLUE)


# -- lenient: until the next colour plays


def test_lenient_lets_the_owner_take_a_legal_piece_back_and_play_again() -> None:
    game = lenient()
    assert game.take(BLUE) == ["corrected 5: blue I3 -> nothing by camera"]
    assert game.table.on_turn() == "blue"
    assert game.put(SHIFTED) == ["placement 5 blue I3"]


def test_lenient_lets_the_owner_shift_a_legal_piece() -> None:
    game = lenient()
    assert game.swap(take=[BLUE], put=[SHIFTED]) == ["corrected 5: blue I3 -> blue I3 by camera"]
    assert (game.table.on_turn(), game.open(), game.agrees()) == ("yellow", [], True)


def test_lenient_lets_the_owner_exchange_a_legal_piece() -> None:
    game = lenient()
    assert game.swap(take=[BLUE], put=["blue c19 c18 d18"]) == ["corrected 5: blue I3 -> nothing by camera", "placement 5 blue V3"]


def test_a_shift_to_a_wrong_place_is_a_foul_even_when_lenient() -> None:
    game = lenient()
    assert game.swap(take=[BLUE], put=[FOUL]) == ["corrected 5: blue I3 -> nothing by camera", "dispute 1 blue I3: edge_contact"]
    assert game.swap(take=[FOUL], put=[BLUE]) == ["resolved 1 return", "placement 5 blue I3"]


def test_lenient_ends_when_the_next_colour_plays() -> None:
    game = lenient().play(YELLOW)
    assert game.swap(take=[BLUE], put=[SHIFTED]) == ["dispute 1 blue I3: piece_moved"]


def test_lenient_ends_when_the_next_colour_plays_a_foul() -> None:
    game = lenient()
    game.put("yellow k10")
    assert game.take(BLUE) == ["dispute 2 blue I3: piece_removed"]


def test_lenient_ends_for_good_when_the_next_colour_has_played_even_if_that_is_taken_back() -> None:
    game = lenient().play(YELLOW)
    assert game.take(YELLOW) == ["corrected 6: yellow I3 -> nothing by camera"]
    assert game.take(BLUE) == ["dispute 1 blue I3: piece_removed"]


def test_taken_back_while_the_next_colour_plays_at_the_same_look() -> None:
    game = lenient()
    assert game.swap(take=[BLUE], put=[YELLOW]) == ["corrected 5: blue I3 -> nothing by camera", "dispute 1 yellow I3: out_of_turn"]


# -- strict: once a legal piece is placed it stays


def test_strict_disputes_a_legal_piece_taken_back_until_it_is_put_back() -> None:
    game = strict()
    assert game.take(BLUE) == ["dispute 1 blue I3: piece_removed piece_moved"]
    assert game.put(BLUE) == ["resolved 1 restored"]
    assert game.put(YELLOW) == ["placement 6 yellow I3"]


def test_strict_disputes_a_legal_piece_shifted_and_tells_where_it_lay() -> None:
    game = strict()
    assert game.swap(take=[BLUE], put=[SHIFTED]) == ["dispute 1 blue I3: piece_moved"]
    told_fields = game.table.events[-1].fields
    assert told_fields["cells"] == game.cells("c19 c18 c17")
    assert told_fields["from_cells"] == game.cells("c19 d19 e19")
    assert game.swap(take=[SHIFTED], put=[BLUE]) == ["resolved 1 restored"]


def test_a_foul_may_be_taken_back_even_when_strict() -> None:
    game = Watched(touch="strict").play(*FIRST_ROUND)
    game.put(FOUL)
    assert game.take(FOUL) == ["resolved 1 return"]


# -- moved and removed at any time


def test_a_piece_moved_by_one_cell_over_its_own_squares_is_moved() -> None:
    game = Watched().play(*FIRST_ROUND, *SECOND_ROUND)
    assert game.swap(take=["yellow r19 q19 p19"], put=["yellow q19 p19 o19"]) == ["dispute 1 yellow I3: piece_moved"]
    assert game.agrees()


def test_later_pieces_are_judged_by_where_a_moved_piece_lies_now_and_earlier_ones_are_left_alone() -> None:
    game = Watched().play(*FIRST_ROUND, *SECOND_ROUND)
    assert game.swap(take=[BLUE], put=["blue k10 k11 k12"]) == ["dispute 1 blue I3: piece_moved"]
    assert game.put("blue l9 m9") == ["dispute 2 blue 2: piece_already_used"]
    assert game.take("blue l9 m9") == ["resolved 2 return"]
    assert game.put("blue l9") == ["placement 9 blue 1"]
    assert game.rulings() == " ".join(["legal"] * 9)


def test_putting_a_moved_piece_back_judges_later_ones_again() -> None:
    game = Watched().play(*FIRST_ROUND, *SECOND_ROUND)
    game.swap(take=[BLUE], put=["blue k10 k11 k12"])
    game.play("blue l9")
    assert game.swap(take=["blue k10 k11 k12"], put=[BLUE]) == [
        "resolved 1 restored",
        "rejudged 9: legal -> illegal no_corner_contact",
        "dispute 2 blue 1: no_corner_contact",
    ]


def test_a_moved_piece_moved_again_or_taken_away_stays_the_same_dispute() -> None:
    game = Watched().play(*FIRST_ROUND, *SECOND_ROUND)
    game.swap(take=[BLUE], put=["blue k10 k11 k12"])
    assert game.swap(take=["blue k10 k11 k12"], put=["blue m10 m11 m12"]) == ["dispute 1 blue I3: piece_moved"]
    assert game.table.events[-1].fields["from_cells"] == game.cells("c19 d19 e19")
    assert game.take("blue m10 m11 m12") == ["dispute 1 blue I3: piece_removed"]
    assert game.put("blue k10 k11 k12") == ["dispute 1 blue I3: piece_moved"]
    assert game.swap(take=["blue k10 k11 k12"], put=[BLUE]) == ["resolved 1 restored"]
    assert game.open() == []


def test_a_removed_piece_still_counts_where_it_belongs() -> None:
    game = Watched().play(*FIRST_ROUND, *SECOND_ROUND)
    assert game.take(BLUE) == ["dispute 1 blue I3: piece_removed"]
    assert game.table.state()["colors"]["blue"]["squares_left"] == 89 - 5
    assert game.put("blue f18") == ["placement 9 blue 1"]
    assert game.put(BLUE) == ["resolved 1 restored"]
    assert game.agrees()


def test_a_removed_piece_still_counts_after_another_was_moved() -> None:
    game = Watched().play(*FIRST_ROUND, *SECOND_ROUND)
    game.take(YELLOW)
    game.swap(take=[BLUE], put=["blue k10 k11 k12"])
    assert game.open() == ["dispute 1: piece_removed", "dispute 2: piece_moved"]
    assert game.table.state()["colors"]["yellow"]["squares_left"] == 84
    assert game.decide("resolve", id=1, how="let_stand") == ["resolved 1 let_stand"]
    assert game.table.state()["colors"]["yellow"]["squares_left"] == 87


def test_two_pieces_of_one_shape_that_change_colours_are_unexplained_rather_than_exchanged() -> None:
    game = Watched().play(*FIRST_ROUND, *SECOND_ROUND, "blue f18", "yellow o18", "red o3", "green f3")
    lines = game.swap(take=["blue f18", "yellow o18"], put=["yellow f18", "blue o18"])
    assert lines == ["dispute 1 blue None: unexplained", "dispute 2 yellow None: unexplained"]


# -- clearing the board


@pytest.fixture(scope="module")
def reference() -> ReferenceGame:
    return next(iter(games("duo")))


def whole(reference: ReferenceGame) -> Watched:
    game = Watched(variant=reference.variant)
    for ply in reference.plies:
        game.board |= dict.fromkeys(ply.cells, ply.color)
        assert game.look()[0].startswith("placement")
    return game


def test_clearing_the_board_after_the_end_changes_nothing(reference: ReferenceGame) -> None:
    game = whole(reference)
    before = game.table.state()
    assert before["status"] == "over"
    for ply in reference.plies:
        for cell in ply.cells:
            del game.board[cell]
        assert game.look() == []
    assert game.table.state() == before


def test_a_piece_put_down_after_the_end_is_a_foul_that_can_be_taken_back(reference: ReferenceGame) -> None:
    game = whole(reference)
    free = next((row, col) for row in range(14) for col in range(14) if (row, col) not in game.board)
    game.board[free] = "purple"
    assert game.look()[0].endswith("color_retired game_over")
    del game.board[free]
    assert game.look() == ["resolved 1 return"]


def test_a_board_cleared_before_the_end_is_one_dispute_and_keeps_the_scores() -> None:
    game = Watched().play(*FIRST_ROUND, *SECOND_ROUND)
    scores = game.table.state()["scores"]
    assert game.take(*FIRST_ROUND) == ["dispute 1 None None: piece_removed"]
    assert game.take(*SECOND_ROUND) == []
    assert game.open() == ["dispute 1: piece_removed"]
    assert game.table.state()["scores"] == scores
    assert told(game.table.finish()) == ["unfinished blue,yellow,red,green"]


def test_pieces_cleared_away_one_by_one_are_not_a_dispute_each() -> None:
    game = Watched().play(*FIRST_ROUND, *SECOND_ROUND)
    lines = [line for piece in (*SECOND_ROUND[::-1], *FIRST_ROUND[::-1]) for line in game.take(piece)]
    assert [line.split()[0] for line in lines] == ["corrected", "dispute", "dispute", "dispute"]
    assert game.agrees()


def test_a_board_put_back_after_it_was_cleared_goes_on() -> None:
    game = Watched().play(*FIRST_ROUND, *SECOND_ROUND)
    game.take(*FIRST_ROUND, *SECOND_ROUND[:3])
    assert game.put(*FIRST_ROUND, *SECOND_ROUND[:3]) == ["resolved 1 restored"]
    assert game.put("blue f18") == ["placement 9 blue 1"]
