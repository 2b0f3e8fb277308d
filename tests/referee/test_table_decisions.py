"""What people decide: every remedy, undoing anything, and asking the referee."""

from typing import Any

import pytest

from referee.errors import DecisionError
from tests.referee.corpus import games
from tests.referee.watched import BLUE, FIRST_ROUND, FOUL, GREEN, LATER, RED, SECOND_ROUND, YELLOW, Watched, disputed, only, told


def found_late() -> Watched:
    """Blue has played a foul, the others have gone on, and blue has built on it."""
    game = disputed().play(YELLOW, RED, GREEN)
    assert game.put("blue d17 e17 e16") == ["placement 9 blue V3"]
    return game


# -- remedies


def test_returned_piece_gives_the_turn_back_and_may_lie_there_until_somebody_takes_it() -> None:
    game = disputed()
    assert game.decide("resolve", id=1, how="return") == ["resolved 1 return"]
    assert game.table.on_turn() == "blue"
    assert game.look() == []
    assert game.take(FOUL) == []
    assert game.put(BLUE) == ["placement 5 blue I3"]
    assert game.agrees()


def test_returned_piece_may_be_put_right_in_one_go() -> None:
    game = disputed()
    game.decide("resolve", id=1, how="return")
    assert game.swap(take=[FOUL], put=[BLUE]) == ["placement 5 blue I3"]


def test_a_piece_cannot_be_returned_after_others_played() -> None:
    game = found_late()
    before = game.table.state()
    with pytest.raises(DecisionError, match="undo it instead"):
        game.decide("resolve", id=1, how="return")
    assert game.table.state() == before


def test_undo_found_late_keeps_the_turns_and_judges_later_moves_again() -> None:
    game = found_late()
    preview = game.table.decide({"decision": "resolve", "id": 1, "how": "undo", "preview": True})[0].fields["rejudged"]
    assert [(change["turn"], change["now"], change["kinds"]) for change in preview] == [(9, "illegal", ["no_corner_contact"])]
    assert game.open() == ["dispute 1: edge_contact"]
    assert game.decide("resolve", id=1, how="undo") == [
        "resolved 1 undo",
        "rejudged 8: legal -> illegal no_corner_contact",
        "dispute 2 blue V3: no_corner_contact",
    ]
    assert game.rulings() == "legal legal legal legal legal legal legal illegal"


def test_a_preview_counts_only_what_was_not_illegal_before() -> None:
    game = disputed().play(YELLOW, RED, GREEN)
    assert game.put("blue d18 d17 d16") == ["dispute 2 blue I3: piece_already_used edge_contact"]
    preview = game.table.decide({"decision": "resolve", "id": 1, "how": "undo", "preview": True})[0]
    assert [(change["was"], change["now"], change["kinds"]) for change in preview.fields["rejudged"]] == [
        ("illegal", "illegal", ["no_corner_contact"])
    ]
    assert preview.sentence == "No later placement would become illegal."


def test_after_a_turn_out_of_order_is_undone_late_those_it_passed_over_may_make_up_for_it_too() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.put(RED)
    game.play(GREEN)
    assert game.decide("resolve", id=1, how="undo") == ["resolved 1 undo"]
    assert (game.table.on_turn(), game.table.state()["owed"]) == ("blue", ["blue", "red", "yellow"])
    game.touch(take=[RED])
    assert game.put(YELLOW) == ["placement 6 yellow I3"]
    assert (game.table.on_turn(), game.table.state()["owed"]) == ("blue", ["blue", "red"])


def test_the_turn_of_an_undone_foul_goes_on_to_the_next_colour_that_is_not_retired() -> None:
    game = Watched(missing={"yellow": only("2")}).play(*FIRST_ROUND)
    game.put(FOUL)
    game.play(RED)
    assert game.decide("resolve", id=1, how="undo") == ["resolved 1 undo"]
    assert (game.rulings(), game.table.on_turn()) == ("legal legal legal legal legal", "green")


def test_let_stand_marks_the_placement_and_later_ones_stay_legal() -> None:
    game = found_late()
    assert game.decide("resolve", id=1, how="let_stand") == ["resolved 1 let_stand"]
    assert game.rulings() == "legal legal legal legal let_stand legal legal legal legal"
    assert game.look() == []


def test_out_of_turn_let_stand_loses_the_turns_that_were_passed_over() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.put(RED)
    assert game.decide("resolve", id=1, how="let_stand") == ["resolved 1 let_stand", "skipped blue", "skipped yellow"]
    assert game.table.on_turn() == "green"


def test_misread_drops_the_placement_and_what_the_camera_goes_on_seeing() -> None:
    game = disputed()
    assert game.decide("resolve", id=1, how="misread") == ["resolved 1 misread"]
    assert (game.look(), game.table.on_turn()) == ([], "blue")
    game.touch(put=["blue c17"])
    assert game.look()[0].startswith("dispute 2 blue I4:")


def test_misread_may_say_what_the_piece_is() -> None:
    game = disputed()
    now = {"color": "blue", "cells": game.cells("c19 d19 e19")}
    assert game.decide("resolve", id=1, how="misread", now=now) == ["resolved 1 misread", "placement 5 blue I3"]
    assert game.look() == []


def test_misread_found_late_puts_the_right_piece_in_at_its_turn() -> None:
    game = disputed().play(YELLOW, RED, GREEN)
    now = {"color": "blue", "cells": game.cells("c19 d19 e19")}
    assert game.decide("resolve", id=1, how="misread", now=now) == ["resolved 1 misread", "placement 5 blue I3"]
    assert game.rulings() == " ".join(["legal"] * 8)
    assert [placed["color"] for placed in game.table.state()["placements"]][4:] == ["blue", "yellow", "red", "green"]


def test_abandon_ends_the_game_without_a_winner() -> None:
    game = disputed()
    assert game.decide("resolve", id=1, how="abandon") == ["resolved 1 abandon", "abandoned"]
    assert game.table.state()["status"] == "abandoned"
    assert game.table.state()["scores"]["winners"] == []
    assert game.put(YELLOW) == []
    assert told(game.table.finish()) == []
    with pytest.raises(DecisionError, match="abandoned"):
        game.decide("place", color="yellow", cells=[[0, 0]])
    assert game.decide("undo") == ["dispute 1 blue I3: edge_contact"]
    assert game.table.state()["status"] == "playing"


def test_two_pieces_let_stand_both_stand() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.put(BLUE, LATER)
    assert game.decide("resolve", id=1, how="let_stand")[0] == "resolved 1 let_stand"
    assert game.rulings().split()[4:] == ["legal", "let_stand"]


def test_every_way_out_is_recorded_with_who_chose_it() -> None:
    seen_back, decided, named = disputed(), disputed(), disputed()
    seen_back.take(FOUL)
    decided.decide("resolve", id=1, how="return")
    named.decide("resolve", id=1, how="let_stand", who="Ann")
    resolved = [game.table.events[-1].fields for game in (seen_back, decided, named)]
    assert resolved == [
        {"id": 1, "how": "return", "by": "camera"},
        {"id": 1, "how": "return", "by": "person"},
        {"id": 1, "how": "let_stand", "by": "person", "who": "Ann"},
    ]


def test_every_decision_may_say_who_made_it_and_what_follows_of_itself_does_not() -> None:
    game = found_late()
    events = game.table.decide({"decision": "resolve", "id": 1, "how": "undo", "who": "Ben"})
    assert [(event.name, event.fields.get("who")) for event in events] == [("resolved", "Ben"), ("rejudged", None), ("dispute", None)]
    events = game.table.decide({"decision": "undo", "who": "Cid"})
    assert {event.fields.get("who") for event in events if event.name in ("resolved", "corrected")} == {"Cid"}
    assert game.table.decide({"decision": "abandon", "who": "Dee"})[-1].fields == {"who": "Dee"}


PHYSICAL: list[tuple[str, list[str], bool]] = [
    ("undo", ["resolved 1 undo"], False),
    ("return", ["resolved 1 return"], False),
    ("misread", ["resolved 1 misread"], False),
    ("let_stand", ["resolved 1 let_stand"], True),
]


@pytest.mark.parametrize(("how", "lines", "stays"), PHYSICAL)
def test_a_moved_piece_goes_back_or_stays(how: str, lines: list[str], stays: bool) -> None:
    game = Watched().play(*FIRST_ROUND, *SECOND_ROUND)
    moved = "blue k10 k11 k12"
    game.swap(take=[BLUE], put=[moved])
    assert game.decide("resolve", id=1, how=how) == lines
    assert game.look() == []
    assert game.agrees() == stays
    assert game.swap(take=[moved], put=[BLUE]) == (["dispute 2 blue I3: piece_moved"] if stays else [])
    assert game.agrees()


def test_a_removed_piece_let_stand_goes_back_into_the_hand() -> None:
    game = Watched().play(*FIRST_ROUND, *SECOND_ROUND, LATER)
    game.take(BLUE)
    assert game.decide("resolve", id=1, how="let_stand") == ["resolved 1 let_stand"]
    assert "I3" in game.table.state()["colors"]["blue"]["pieces_left"]
    assert game.table.on_turn() == "yellow"
    assert game.look() == []


def test_a_removed_piece_that_people_want_back_may_be_missing_until_it_is_put_back() -> None:
    game = Watched().play(*FIRST_ROUND, *SECOND_ROUND)
    game.take(BLUE)
    assert game.decide("resolve", id=1, how="undo") == ["resolved 1 undo"]
    assert game.put(LATER) == ["placement 9 blue 1"]
    assert game.put(BLUE) == []
    assert game.take(BLUE) == ["dispute 2 blue I3: piece_removed"]


def test_unexplained_squares_can_be_dismissed_for_good() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.board = {**game.board, (0, 1): "red"}
    assert game.look() == ["dispute 1 red None: unexplained"]
    assert game.decide("resolve", id=1, how="misread") == ["resolved 1 misread"]
    assert game.look() == []
    assert game.put(BLUE) == ["placement 5 blue I3"]


@pytest.mark.parametrize(
    ("cells", "kinds"),
    [
        ("c19 d19 e19 f19 g19 h19", "not_a_piece edge_contact"),  # an I5 and a 1, say
        ("c19 d19 e19 g19 h19", "not_a_piece"),  # apart
        ("c19 d19 e19 e17 f17", "not_a_piece"),
    ],
)
def test_only_squares_that_hang_together_are_taken_for_two_pieces_side_by_side(cells: str, kinds: str) -> None:
    game = Watched().play(*FIRST_ROUND)
    assert game.decide("place", color="blue", cells=game.cells(cells)) == [f"dispute 1 blue None: {kinds}"]


# -- undoing


def test_undo_takes_back_the_last_placement_and_then_the_one_before() -> None:
    game = Watched().play(*FIRST_ROUND)
    assert game.decide("undo") == ["corrected 4: green 2 -> nothing by person"]
    assert game.decide("undo") == ["corrected 3: red 2 -> nothing by person"]
    assert (game.look(), game.table.on_turn()) == ([], "red")
    assert game.decide("redo") == ["corrected 3: nothing -> red 2 by person"]
    assert game.decide("redo") == ["corrected 4: nothing -> green 2 by person"]
    assert game.agrees()


@pytest.mark.parametrize("how", ["return", "misread", "let_stand", "abandon"])
def test_a_decision_that_is_redone_is_told_as_it_was(how: str) -> None:
    game = Watched().play(*FIRST_ROUND)
    game.put(FOUL)
    told = game.decide("resolve", id=1, how=how)
    assert (game.decide("undo")[0], game.decide("redo")) == ("dispute 1 blue I3: edge_contact", told)


def test_an_answer_that_is_redone_is_told_as_it_was() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.doubt((game.with_pieces(BLUE), 0.6), (game.with_pieces(FOUL), 0.4))
    game.decide("answer", id=1, choice=1)
    game.decide("undo")
    assert game.decide("redo")[0] == "answered 1: 1"


def test_the_turn_that_a_first_piece_on_a_later_corner_passed_over_is_logged() -> None:
    game = Watched(order=None).play("red a1", "blue a20")
    assert game.put("green t1") == ["dispute 1 green 1: out_of_turn"]
    assert game.decide("resolve", id=1, how="let_stand") == ["resolved 1 let_stand", "skipped yellow"]


def test_what_was_undone_cannot_be_redone_after_something_else_was_played() -> None:
    game = Watched().play(*FIRST_ROUND)
    game.decide("undo")
    game.decide("place", color="green", cells=game.cells("a1 a2"))
    with pytest.raises(DecisionError, match="nothing to redo"):
        game.decide("redo")


def test_every_undo_equals_a_game_without_the_last_step() -> None:
    steps = [("put", BLUE), ("put", "yellow k10"), ("let", ""), ("put", RED)]
    for count in range(1, len(steps) + 1):
        game, shorter = Watched().play(*FIRST_ROUND), Watched().play(*FIRST_ROUND)
        for step in steps[:count]:
            _do(game, *step)
        for step in steps[: count - 1]:
            _do(shorter, *step)
        game.decide("undo")
        assert _truth(game) == _truth(shorter)


def _do(game: Watched, step: str, piece: str) -> None:
    if step == "put":
        game.put(piece)
    else:
        game.decide("resolve", id=1, how="let_stand")


def _truth(game: Watched) -> dict[str, Any]:
    state = game.table.state()
    return {key: state[key] for key in ("grid", "placements", "disputes", "on_turn", "colors", "scores", "status", "turn")}


def test_nothing_to_undo_is_refused() -> None:
    game = Watched()
    with pytest.raises(DecisionError, match="nothing to undo"):
        game.decide("undo")
    with pytest.raises(DecisionError, match="nothing to redo"):
        game.decide("redo")


def test_an_undo_can_be_looked_at_before_it_is_done() -> None:
    game = Watched().play(*FIRST_ROUND, *SECOND_ROUND, LATER)
    game.decide("correct", turn=5, now={"color": "blue", "cells": game.cells("c19 c18 c17")})
    changes = game.table.decide({"decision": "undo", "preview": True})[0].fields["rejudged"]
    assert [(change["turn"], change["was"], change["now"]) for change in changes] == [(9, "illegal", "legal")]
    assert game.rulings().endswith("illegal")


def test_undo_over_the_end_of_the_game_opens_it_again() -> None:
    reference = next(iter(games("duo")))
    game = Watched(variant=reference.variant)
    lines: list[str] = []
    for ply in reference.plies:
        game.board = game.board | dict.fromkeys(ply.cells, ply.color)
        lines = game.look()
    assert lines[-1] == "game_over"
    back = game.decide("undo")
    assert back[0].startswith("corrected")
    assert any(line.startswith("unblocked") for line in back)
    assert game.table.state()["status"] == "playing"
    assert game.decide("redo")[-1] == "game_over"


# -- asking the referee


def test_a_claim_of_being_blocked_is_answered_with_proof_and_shows_a_move_only_when_asked() -> None:
    game = Watched().play(*FIRST_ROUND)
    answer = game.table.decide({"decision": "claim_blocked", "color": "blue"})[0].as_json()
    assert (answer["event"], answer["blocked"], answer["example"]) == ("claim", False, None)
    assert 0 < answer["fitting"] < answer["tried"]
    shown = game.table.decide({"decision": "claim_blocked", "color": "blue", "show": True})[0].fields["example"]
    asked = {"decision": "would_be_legal", "color": "blue", "cells": shown["cells"]}
    assert game.table.decide(asked)[0].fields["legal"] is True


def test_legality_help_names_the_rule_and_the_cells_and_changes_nothing() -> None:
    game = Watched().play(*FIRST_ROUND)
    before = game.table.state()
    answer = game.table.decide({"decision": "would_be_legal", "color": "blue", "cells": game.cells("c20 c19 c18")})[0].fields
    assert (answer["legal"], answer["kinds"]) == (False, ["edge_contact"])
    assert answer["offending_cells"] == game.cells("b20 c20")
    assert game.table.state() == before


def test_people_who_stop_early_are_told_who_can_still_play() -> None:
    game = Watched().play(*FIRST_ROUND)
    assert game.decide("finish") == ["unfinished blue,yellow,red,green"]
    assert game.table.state()["status"] == "unfinished"
    with pytest.raises(DecisionError, match="ended already"):
        game.decide("finish")
    assert game.put(BLUE) == ["placement 5 blue I3"]
    assert game.table.state()["status"] == "playing"
