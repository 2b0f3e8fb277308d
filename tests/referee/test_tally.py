"""How a game at a table stands, in numbers and in what must be said with them."""

from __future__ import annotations

import pytest

from referee.table import Table
from referee.tally import Tally
from referee.variants import get_variant
from tests.referee import corpus
from tests.referee.boards import padded
from tests.referee.watched import FIRST_ROUND, FOUL, Watched

NAMES = ("Ann", "Bea", "Cem", "Dan")


def played_out(file: str, number: int = 0, **options: object) -> Table:
    """A game of the corpus, entered by hand to its end."""
    game = [*corpus.games(file)][number]
    table = Table({"variant": game.variant, "starts": "assigned", **options})
    for ply in game.plies:
        table.decide({"decision": "place", "color": ply.color, "cells": [list(cell) for cell in ply.cells]})
    return table


def test_a_game_that_is_over_is_final_and_names_the_winner() -> None:
    tally = Tally.of_table(played_out("classic", players=list(NAMES)))
    assert tally.is_final
    assert tally.sentences == (f"The game is over. {tally.places[0].name} wins.",)
    assert [player.place for player in tally.places] == [1, 2, 3, 4]


@pytest.mark.parametrize("file", ["classic", "classic_2", "classic_3", "duo_complete20", "junior"])
def test_the_json_is_the_scores_of_game_over(file: str) -> None:
    table = played_out(file)
    (over,) = [event for event in table.events if event.name == "game_over"]
    said = Tally.of_table(table).as_json()
    assert {key: said[key] for key in ("scoring", "colors", "players", "winners")} == {
        key: over.fields["scores"][key] for key in ("scoring", "colors", "players", "winners")
    }


def test_ties_share_the_place_and_the_next_is_left_out() -> None:
    tally = Tally.of_table(Watched(players=list(NAMES)).play(*FIRST_ROUND).table)
    assert [player.place for player in tally.places] == [1, 1, 1, 1]
    assert all(map(tally.is_tied, tally.places))
    watched = Watched(players=list(NAMES)).play(*FIRST_ROUND, "blue c19 d19 e19", "yellow r19 q19 p19")
    assert [(player.name, player.place) for player in Tally.of_table(watched.table).places] == [
        ("Ann", 1),
        ("Bea", 1),
        ("Cem", 3),
        ("Dan", 3),
    ]


def test_who_could_still_move_is_said() -> None:
    watched = Watched(players=list(NAMES)).play(*FIRST_ROUND)
    watched.decide("finish")
    tally = Tally.of_table(watched.table)
    assert tally.as_json()["can_move"] == ["blue", "yellow", "red", "green"]
    assert tally.sentences[0].startswith("The game is not over: blue (Ann, ")
    assert not tally.is_final


def test_an_open_dispute_makes_the_scores_provisional() -> None:
    watched = Watched().play(*FIRST_ROUND)
    watched.put(FOUL)
    tally = Tally.of_table(watched.table)
    assert tally.as_json()["open_disputes"] == 1
    assert "1 dispute is open: the scores are provisional until the table has decided." in tally.sentences


def test_a_dispute_open_at_the_end_leaves_the_winner_open() -> None:
    """Junior, where green's second single square was declared lost and is put down all the same."""
    tally = Tally.of_table(played_out("junior", 1, missing={"green": ["1"]}))
    assert tally.state == "over"
    assert not tally.is_final
    assert tally.sentences[0] == "The game is over, but not decided. As it stands, Green wins."


def test_squares_beyond_the_set_are_told_apart_from_the_pieces_left() -> None:
    tally = Tally.of_table(played_out("junior", 1, missing={"green": ["1"]}))
    assert {line.color: line.excess for line in tally.colors} == {"green": 1, "orange": 0}


def test_a_house_decision_is_counted() -> None:
    watched = Watched().play(*FIRST_ROUND)
    watched.put(FOUL)
    watched.decide("resolve", id=1, how="let_stand")
    tally = Tally.of_table(watched.table)
    assert tally.house_decisions == 1
    assert "1 wrong placement stands by the table's own decision." in tally.sentences


def test_an_abandoned_game_has_no_winner_and_no_places() -> None:
    watched = Watched().play(*FIRST_ROUND)
    watched.decide("abandon")
    tally = Tally.of_table(watched.table)
    assert tally.as_json()["winners"] == []
    assert not tally.has_places
    assert "abandoned" in tally.sentences[0]
    assert tally.can_move == ()


def test_a_team_wins_in_the_plural() -> None:
    game = next(corpus.games("classic_2"))
    table = Table({"variant": "partners", "starts": "assigned", "players": list(NAMES)})
    for ply in game.plies:
        table.decide({"decision": "place", "color": ply.color, "cells": [list(cell) for cell in ply.cells]})
    assert Tally.of_table(table).sentences[0] == "The game is over. Bea and Dan win."


def test_before_the_first_piece_nothing_is_decided() -> None:
    tally = Tally.of_table(Table())
    assert tally.sentences == ("No piece has been played yet.",)
    assert not tally.has_places


@pytest.mark.parametrize(
    ("options", "owners"),
    [
        ({}, {"blue": "", "yellow": "", "red": "", "green": ""}),
        ({"players": list(NAMES)}, {"blue": "Ann", "yellow": "Bea", "red": "Cem", "green": "Dan"}),
        ({"variant": "two_player"}, {"blue": "A", "yellow": "B", "red": "A", "green": "B"}),
        ({"variant": "partners", "players": list(NAMES)}, {"blue": "Ann", "yellow": "Bea", "red": "Cem", "green": "Dan"}),
        ({"variant": "three_player", "players": ["X", "Y", "Z"]}, {"blue": "X", "yellow": "Y", "red": "Z", "green": "all in turn"}),
    ],
)
def test_each_colour_s_owner_is_named_unless_the_colour_says_as_much(options: dict[str, object], owners: dict[str, str]) -> None:
    tally = Tally.of_table(Table(options))
    assert {line.color: tally.owner(line.color) for line in tally.colors} == owners


def test_what_nobody_saw_is_not_made_up() -> None:
    """A game first seen when everything lay there: 15 or 20, and perhaps no winner known."""
    finished = played_out("duo_complete20")
    table = Table({"variant": "duo"})
    table.start(finished.state()["grid"], start_anywhere=True)
    tally = Tally.of_table(table)
    assert any("15 or 20" in sentence for sentence in tally.sentences)


def test_a_game_whose_winner_nobody_can_tell_is_not_final() -> None:
    """Both colours have placed everything, and nobody saw which piece came last."""
    only = [name for name in get_variant("duo").pieces if name not in ("1", "2")]
    table = Table({"variant": "duo", "missing": {"purple": only, "orange": only}})
    grid = padded(". . . . ....P .....PP . . .......OO .........O", 14)
    table.start(grid, start_anywhere=True)
    tally = Tally.of_table(table)
    assert tally.state == "over"
    assert not tally.is_final
    assert tally.sentences[0] == "The game is over. Who wins is not known yet: Purple and Orange may."
