import pytest

from referee.errors import OptionsError
from referee.options import GameOptions
from referee.scoring import Scores, color_score, final_scores
from referee.session import Circuit

PEOPLE = ("Ann", "Ben", "Cid", "Dee")
LEFT = {"blue": 1, "yellow": 10, "red": 20, "green": 40}


def result(options: GameOptions, left: dict[str, int]) -> Scores:
    colors = {color: color_score(squares, has_bonus=True, last_was_single=False) for color, squares in left.items()}
    return final_scores(options, colors)


def circuit_of(*lefts: dict[str, int]) -> Circuit:
    circuit = Circuit(PEOPLE)
    for left in lefts:
        circuit = circuit.with_result(result(circuit.options(), left))
    return circuit


def test_everybody_moves_one_seat_clockwise_after_each_game_and_plays_each_colour_once() -> None:
    circuit = Circuit(PEOPLE)
    assert [circuit.color_of("Ann", game) for game in range(4)] == ["blue", "yellow", "red", "green"]
    assert [circuit.color_of("Dee", game) for game in range(4)] == ["green", "blue", "yellow", "red"]


def test_each_game_is_classic_basic_and_starts_with_blue() -> None:
    options = circuit_of(LEFT).options()
    assert (options.variant, options.scoring_used, options.order_used) == ("classic", "basic", ("blue", "yellow", "red", "green"))
    assert options.players == ("Dee", "Ann", "Ben", "Cid")


def test_the_unused_squares_of_the_games_are_added_and_the_lowest_total_wins() -> None:
    circuit = circuit_of(LEFT, LEFT, LEFT, {"blue": 50, "yellow": 50, "red": 50, "green": 5})
    assert circuit.is_over
    assert [(player.name, player.score.as_json(), player.place) for player in circuit.standings] == [
        ("Ann", 36, 1),
        ("Ben", 120, 4),
        ("Cid", 111, 3),
        ("Dee", 101, 2),
    ]
    assert circuit.winners == ("Ann",)


def test_all_equal_totals_share_the_win() -> None:
    circuit = circuit_of(LEFT, LEFT, LEFT, LEFT)
    assert circuit.winners == PEOPLE
    assert circuit.as_json()["players"][0] == {"name": "Ann", "colors": ["blue", "yellow", "red", "green"], "score": 71, "place": 1}


def test_nobody_has_won_before_all_four_games_are_played() -> None:
    circuit = circuit_of(LEFT, LEFT, LEFT)
    assert (circuit.is_over, circuit.winners) == (False, ())
    assert circuit.as_json()["game"] == 3


def test_a_fifth_game_other_people_or_too_few_are_refused() -> None:
    with pytest.raises(OptionsError, match="all four games of this circuit have been played"):
        circuit_of(LEFT, LEFT, LEFT, LEFT).options()
    with pytest.raises(OptionsError, match="the next game of this circuit is played by Ann, Ben, Cid, Dee"):
        Circuit(PEOPLE).with_result(result(GameOptions(players=("Eva", "Ben", "Cid", "Dee")), LEFT))
    with pytest.raises(OptionsError, match="a circuit is played by 4 people with different names, not by Ann, Ann, Cid, Dee"):
        Circuit(("Ann", "Ann", "Cid", "Dee"))
