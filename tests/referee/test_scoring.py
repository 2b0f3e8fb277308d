from typing import Any

import pytest

from referee.options import GameOptions
from referee.scoring import ColorScore, Scores, Span, color_score, final_scores, sure_places

LEFT = {"blue": 10, "yellow": 10, "red": 12, "green": 30}


def scores(left: dict[str, int | Span], *, last_was_single: bool | None = False, **options: Any) -> Scores:
    rules = GameOptions(**options)
    colors = {color: color_score(squares, has_bonus=rules.rules.bonus, last_was_single=last_was_single) for color, squares in left.items()}
    return final_scores(rules, colors)


def results(result: Scores) -> list[tuple[str, Any, int | None]]:
    return [(player.name, player.score.as_json(), player.place) for player in result.players]


def test_basic_counts_unused_squares_and_the_lowest_wins_ties_sharing() -> None:
    result = scores({**LEFT})
    assert results(result) == [("Blue", 10, 1), ("Yellow", 10, 1), ("Red", 12, 3), ("Green", 30, 4)]
    assert result.winners == ("Blue", "Yellow")


def test_advanced_counts_down_and_the_highest_wins() -> None:
    result = scores({**LEFT, "red": 0}, scoring="advanced")
    assert results(result) == [("Blue", -10, 2), ("Yellow", -10, 2), ("Red", 15, 1), ("Green", -30, 4)]


def test_two_players_add_both_their_colours() -> None:
    assert results(scores({**LEFT}, variant="two_player")) == [("A", 22, 1), ("B", 40, 2)]
    assert results(scores({**LEFT}, variant="two_player", players=("Ann", "Ben"), scoring="advanced")) == [("Ann", -22, 1), ("Ben", -40, 2)]


def test_three_players_leave_the_shared_colour_out() -> None:
    result = scores({**LEFT, "green": 0}, variant="three_player", players=("Ann", "Ben", "Cid"))
    assert results(result) == [("Ann", 10, 1), ("Ben", 10, 1), ("Cid", 12, 3)]
    assert "green" in result.colors


def test_partners_are_scored_advanced_and_added_by_team() -> None:
    result = scores({**LEFT, "red": 0}, variant="partners")
    assert (result.scoring, results(result)) == ("advanced", [("Blue and Red", 5, 1), ("Yellow and Green", -40, 2)])
    named = scores({**LEFT}, variant="partners", players=("Ann", "Ben", "Cid", "Dee"))
    assert [player.name for player in named.players] == ["Ann and Cid", "Ben and Dee"]
    assert scores({**LEFT}, variant="partners", players=("Us", "Them")).winners == ("Us",)


def test_players_are_listed_in_the_turn_order_agreed_on() -> None:
    result = scores({**LEFT}, order=("red", "green", "blue", "yellow"), players=("Ann", "Ben", "Cid", "Dee"))
    assert [(player.name, player.colors) for player in result.players] == [
        ("Ann", ("red",)),
        ("Ben", ("green",)),
        ("Cid", ("blue",)),
        ("Dee", ("yellow",)),
    ]


def test_the_result_has_the_fields_that_others_read() -> None:
    assert scores({"purple": 0, "orange": 7}, variant="duo", last_was_single=True).as_json() == {
        "scoring": "advanced",
        "colors": {
            "purple": {"squares_left": 0, "basic": 0, "advanced": 20},
            "orange": {"squares_left": 7, "basic": 7, "advanced": -7},
        },
        "players": [
            {"name": "Purple", "colors": ["purple"], "score": 20, "place": 1},
            {"name": "Orange", "colors": ["orange"], "score": -7, "place": 2},
        ],
        "winners": ["Purple"],
    }


def test_an_unknown_last_piece_is_a_span_that_leaves_places_open_only_where_it_decides() -> None:
    clear = scores({"purple": 0, "orange": 7}, variant="duo", last_was_single=None)
    assert results(clear) == [("Purple", [15, 20], 1), ("Orange", -7, 2)]
    assert clear.is_decided
    colors = {
        "blue": ColorScore(Span(0, 0), Span(0, 0), Span(15, 20)),
        "red": ColorScore(Span(0, 0), Span(0, 0), Span(0, 0)),
        "yellow": ColorScore(Span(0, 0), Span(0, 0), Span(18, 18)),
        "green": ColorScore(Span(0, 0), Span(0, 0), Span(0, 0)),
    }
    unclear = final_scores(GameOptions("two_player", scoring="advanced"), colors)
    assert results(unclear) == [("A", [15, 20], None), ("B", 18, None)]
    assert (unclear.is_decided, unclear.winners) == (False, ("A", "B"))


def test_unseen_cells_make_a_span_of_unused_squares() -> None:
    score = color_score(Span(3, 5), has_bonus=True, last_was_single=None)
    assert score.as_json() == {"squares_left": [3, 5], "basic": [3, 5], "advanced": [-5, -3]}
    assert color_score(Span(0, 2), has_bonus=True, last_was_single=None).advanced == Span(-2, 20)


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([Span(1, 1), Span(2, 3), Span(3, 3)], (1, 2, None)),
        ([Span(1, 2), Span(3, 4)], (1, 2)),
        ([Span(4, 4), Span(4, 4)], (1, 1)),
    ],
)
def test_a_place_is_told_when_it_holds_in_every_case(spans: list[Span], expected: tuple[int | None, ...]) -> None:
    assert sure_places(spans, "basic") == expected


@pytest.mark.parametrize(
    ("span", "text"),
    [(Span(20, 20), "20"), (Span(15, 20), "15 or 20"), (Span(3, 4), "3 or 4"), (Span(3, 7), "3 to 7"), (Span(3, 8), "3 to 8")],
)
def test_a_span_is_said_in_words(span: Span, text: str) -> None:
    assert str(span) == text
