"""What the page says around the board."""

from typing import Any

import pytest

from tests.web.states import dispute, move, state_of
from web import page_view
from web.page_view import Banner
from web.pages import trays
from web.translating import in_language


def scores(*players: tuple[str, str, int, int], scoring: str = "basic") -> dict[str, Any]:
    """Contract scores of (name, colour, score, place)."""
    best = [name for name, _, _, place in players if place == 1]
    listed = [{"name": name, "colors": [color], "score": score, "place": place} for name, color, score, place in players]
    colors = {color: {"squares_left": abs(score), "basic": abs(score), "advanced": score} for _, color, score, _ in players}
    return {"scoring": scoring, "colors": colors, "players": listed, "winners": best}


def cards(state: dict[str, Any]) -> dict[str, page_view.ColorCard]:
    return {card.color: card for card in page_view.color_cards(state, trays(state))}


def test_before_the_first_piece_the_banner_asks_for_it() -> None:
    assert page_view.banner(state_of()).title == "Place the first piece"


def test_the_banner_names_the_colour_and_who_plays_it() -> None:
    state = state_of(status="playing", on_turn={"color": "red", "player": "Anna"})
    assert page_view.banner(state) == Banner("red", "To play", "Red", "Anna")


def test_a_name_that_only_repeats_the_colour_is_not_said_twice() -> None:
    assert page_view.banner(state_of(status="playing", on_turn={"color": "red", "player": "Red"})).subtitle == ""


def test_one_winner_tints_the_banner_and_several_share_the_win() -> None:
    alone = state_of(status="over", on_turn=None, scores=scores(("Anna", "red", 3, 1), ("Ben", "blue", 9, 2)))
    assert page_view.banner(alone) == Banner("red", "Game over", "Anna wins")
    shared = state_of(status="over", on_turn=None, scores=scores(("Anna", "red", 3, 1), ("Ben", "blue", 3, 1), ("Cem", "green", 3, 1)))
    assert page_view.banner(shared) == Banner(None, "Game over", "Anna, Ben and Cem share the win")


def test_an_abandoned_game_has_no_winner() -> None:
    assert page_view.banner(state_of(status="abandoned")).title == "Game abandoned"


@pytest.mark.parametrize("state", ["dark", "blurred", "no_board", "lost", "paused", "a state nobody knows"])
def test_not_watching_is_loud(state: str) -> None:
    shown = page_view.camera(state_of(camera={"state": state, "reason": "why"}))
    assert shown.level == "loud"
    assert shown.title.startswith("Not watching")
    assert shown.reason == "why"


@pytest.mark.parametrize("state", ["ready", "motion", "settling", "hidden"])
def test_watching_is_quiet(state: str) -> None:
    shown = page_view.camera(state_of(camera={"state": state, "reason": ""}))
    assert shown.level in ("calm", "busy")
    assert shown.title.startswith("Watching")


def test_without_a_camera_the_page_says_so_quietly() -> None:
    assert page_view.camera(state_of()).level == "none"


def test_a_card_tells_what_is_left_and_whose_turn_it_is() -> None:
    state = state_of(status="playing", on_turn={"color": "blue", "player": "Anna"}, players=[{"name": "Anna", "colors": ["blue", "red"]}])
    state["colors"]["blue"].update(squares_left=6, pieces_left=["1", "I5"])
    card = cards(state)["blue"]
    assert (card.squares_left, card.pieces_left, card.owner, card.letter) == ("6", ("1", "I5"), "Anna", "B")
    assert card.left == {("1", 0), ("I5", 0)}
    assert card.on_turn
    assert card.can_claim
    assert not cards(state)["yellow"].on_turn


def test_a_blocked_colour_says_how_that_was_proved() -> None:
    state = state_of(status="playing")
    state["colors"]["green"].update(retired="blocked", blocked_proof={"tried": 21345})
    card = cards(state)["green"]
    assert (card.badge, card.badge_reason, card.can_claim) == ("Blocked", "21,345 placements tried, none fits", False)
    with in_language("de"):
        assert "21.345 " in cards(state)["green"].badge_reason


def test_a_finished_colour_needs_no_proof() -> None:
    state = state_of(status="playing")
    state["colors"]["green"].update(retired="finished")
    card = cards(state)["green"]
    assert (card.badge, card.badge_reason) == ("All placed", "")


def test_points_are_shown_where_they_are_not_the_squares_left() -> None:
    assert cards(state_of(scores=scores(("Anna", "red", -12, 1), scoring="advanced")))["red"].score == "−12"
    assert cards(state_of(scores=scores(("Anna", "red", 20, 1), scoring="advanced")))["red"].score == "+20"
    assert cards(state_of(scores=scores(("Anna", "red", 12, 1))))["red"].score == ""


def test_squares_left_may_be_known_between_bounds_only() -> None:
    state = state_of()
    state["colors"]["red"]["squares_left"] = [3, 5]
    assert cards(state)["red"].squares_left == "3 to 5"
    state["colors"]["red"]["squares_left"] = [3, 4]
    assert cards(state)["red"].squares_left == "3 or 4"


def test_a_shared_colour_says_so() -> None:
    state = state_of(players=[{"name": "Anna", "colors": ["blue"]}])
    state["colors"]["green"]["mover"] = "Anna"
    assert cards(state)["green"].owner == "shared, next Anna"


def test_a_dispute_names_every_rule_and_shows_only_pictures_that_are_kept() -> None:
    view = page_view.dispute(state_of(disputes=[dispute(kinds=["edge_contact", "no_corner_contact"]), dispute(id=2)]), {"after": 1.0})
    assert view is not None
    assert (view.id, view.title, view.more) == (1, "Red, piece 2", 1)
    assert view.titles == ("Side touches its own colour", "No corner contact")
    assert [(picture.name, picture.caption) for picture in view.evidence] == [("after", "After")]
    assert [remedy.how for remedy in view.remedies] == ["return"]


def test_several_pieces_that_are_gone_are_spoken_of_as_several() -> None:
    remedies = [{"how": "put_back", "label": "Put it back", "effect": "The piece goes back to where it lay."}]
    gone = dispute(color=None, piece=None, kinds=["piece_removed"], remedies=remedies)
    view = page_view.dispute(state_of(disputes=[gone]), {})
    assert view is not None
    assert view.titles == ("Pieces are gone",)
    assert (view.remedies[0].label, view.remedies[0].effect) == ("Put them back", "The pieces go back to where they lay.")


def test_a_dispute_of_no_colour_is_about_the_board() -> None:
    view = page_view.dispute(state_of(disputes=[dispute(color=None, piece=None, kinds=[], cells=[])]), {})
    assert view is not None
    assert (view.title, view.titles) == ("The board", ("Something unexplained",))


@pytest.mark.parametrize("cells", [[[0, 0]], [[19, 19]], [[0, 0], [19, 19]], [[10, 0], [10, 19]], []])
def test_the_part_of_the_board_that_is_shown_holds_the_cells_and_stays_on_the_board(cells: list[list[int]]) -> None:
    view = page_view.dispute(state_of(disputes=[dispute(cells=cells, offending_cells=[])]), {})
    assert view is not None
    left, top, width, height = map(float, view.view_box.split())
    assert left >= 0
    assert top >= 0
    assert left + width <= 20
    assert top + height <= 20
    assert all(top <= row and row + 1 <= top + height and left <= col and col + 1 <= left + width for row, col in cells)


def test_a_question_offers_the_likeliest_answer_first_under_its_own_number() -> None:
    candidates = [
        {"color": None, "piece": None, "cells": [], "p": 0.1},
        {"color": "red", "piece": "W", "cells": [[1, 2]], "p": 0.6},
        {"color": "red", "piece": "1", "cells": [[1, 2]], "p": 0.004},
    ]
    view = page_view.question(state_of(questions=[{"id": 4, "message": "Which?", "candidates": candidates}]), {})
    assert view is not None
    assert [(found.choice, found.label, found.sureness) for found in view.candidates] == [
        (1, "Red W", "60 % likely"),
        (0, "Nothing changed", "10 % likely"),
        (2, "Red 1", "hardly likely"),
    ]


def test_a_question_that_is_not_about_the_board_weighs_nothing_and_shows_no_board() -> None:
    candidates: list[Any] = [{"color": None, "piece": None, "cells": [], "p": 0.5, "label": label} for label in ("Yes", "No")]
    view = page_view.question(state_of(questions=[{"id": 4, "about": "start", "message": "Start here?", "candidates": candidates}]), {})
    assert view is not None
    assert view.view_box == ""
    assert [(found.label, found.sureness) for found in view.candidates] == [("Yes", ""), ("No", "")]


def test_when_nobody_knows_whose_turn_it_is_the_banner_asks() -> None:
    state = state_of(status="playing", on_turn=None, placements=[move(1, "blue", "1", [[0, 0]])])
    assert page_view.banner(state).title == "Who plays next?"


@pytest.mark.parametrize(
    ("open_matter", "expected"),
    [
        ({"disputes": [dispute()]}, Banner("red", "Next, if it stands", "Red", "Anna")),
        ({"disputes": [dispute(kinds=["piece_removed"])]}, Banner("red", "To play", "Red", "Anna")),
        ({"questions": [{"id": 1}]}, Banner("red", "Next, as it seems", "Red", "Anna")),
    ],
)
def test_while_something_is_open_the_banner_says_on_what_the_turn_depends(open_matter: dict[str, Any], expected: Banner) -> None:
    assert page_view.banner(state_of(status="playing", on_turn={"color": "red", "player": "Anna"}, **open_matter)) == expected


@pytest.mark.parametrize(
    ("open_matter", "title"),
    [({"disputes": [dispute()]}, "Settle the dispute first"), ({"questions": [{"id": 1}]}, "Answer the question first")],
)
def test_while_something_is_open_nobody_is_asked_who_plays_next(open_matter: dict[str, Any], title: str) -> None:
    state = state_of(status="playing", on_turn=None, placements=[move(1, "blue", "1", [[0, 0]])], **open_matter)
    assert page_view.banner(state).title == title


@pytest.mark.parametrize(
    ("kind", "is_offered"), [("edge_contact", True), ("unexplained", True), ("piece_moved", False), ("piece_removed", False)]
)
def test_the_right_piece_is_asked_for_where_a_piece_was_misread(kind: str, *, is_offered: bool) -> None:
    remedies = [{"how": "misread", "label": "Misread", "effect": ""}, {"how": "abandon", "label": "Abandon", "effect": ""}]
    view = page_view.dispute(state_of(disputes=[dispute(kinds=[kind], remedies=remedies)]), {})
    assert view is not None
    assert [(one.how, one.editor) for one in view.remedies] == [
        ("misread", ""),
        *([("misread", "misread")] if is_offered else []),
        ("abandon", ""),
    ]


def test_moves_come_newest_first_with_their_marks() -> None:
    placements = [move(1, "blue", "1", [[0, 0]]), move(2, "red", "W", [[9, 9]], ruling="let_stand")]
    assert [(one.turn, one.piece, one.mark) for one in page_view.moves(state_of(placements=placements))] == [
        (2, "W", "let stand"),
        (1, "1", ""),
    ]


def test_the_table_of_places_shows_ties_and_leaves_out_the_next_place() -> None:
    lines = page_view.standings(
        state_of(status="over", scores=scores(("Anna", "red", 3, 1), ("Ben", "blue", 3, 1), ("Cem", "green", 7, 3)))
    )
    assert [(line.place, line.name, line.score, line.tied, line.winner) for line in lines] == [
        ("1st", "Anna", "3", True, True),
        ("1st", "Ben", "3", True, True),
        ("3rd", "Cem", "7", False, False),
    ]


def test_advanced_points_carry_their_sign() -> None:
    lines = page_view.standings(state_of(scores=scores(("Anna", "red", 20, 1), ("Ben", "blue", -7, 2), scoring="advanced")))
    assert [line.score for line in lines] == ["+20", "−7"]


def test_a_score_may_be_known_between_bounds_only() -> None:
    final = scores(("Anna", "red", 3, 1), ("Ben", "blue", 3, 2), scoring="advanced")
    final["players"][0]["score"], final["players"][1]["score"] = [15, 20], [-9, -7]
    assert [line.score for line in page_view.standings(state_of(status="over", scores=final))] == ["15 or 20", "\u22129 to \u22127"]


def test_a_place_that_is_not_known_is_not_made_up_and_comes_last() -> None:
    unknown = {"name": "Anna", "colors": ["red"], "score": [15, 20], "place": None}
    known = {"name": "Ben", "colors": ["blue"], "score": 9, "place": 3}
    lines = page_view.standings(
        state_of(status="over", scores={"scoring": "advanced", "players": [unknown, unknown, known], "winners": []})
    )
    assert [(line.place, line.name, line.tied) for line in lines] == [("3rd", "Ben", False), ("?", "Anna", False), ("?", "Anna", False)]
