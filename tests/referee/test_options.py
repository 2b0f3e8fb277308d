from typing import Any

import pytest
from hypothesis import given

from referee.errors import RefereeError
from referee.options import GameOptions, parse_missing
from referee.variants import VARIANTS
from tests.strategies import game_options


@pytest.mark.parametrize(
    ("variant", "scoring", "size", "squares"),
    [
        ("classic", "basic", 20, 89),
        ("two_player", "basic", 20, 89),
        ("three_player", "basic", 20, 89),
        ("partners", "advanced", 20, 89),
        ("duo", "advanced", 14, 89),
        ("junior", "basic", 14, 88),
    ],
)
def test_each_variant_has_its_board_set_and_scoring(variant: str, scoring: str, size: int, squares: int) -> None:
    options = GameOptions(variant)
    assert (options.scoring_used, options.rules.size, options.rules.squares) == (scoring, size, squares)


def test_there_are_no_other_variants() -> None:
    assert sorted(VARIANTS) == ["classic", "duo", "junior", "partners", "three_player", "two_player"]


@given(game_options())
def test_options_survive_json(options: GameOptions) -> None:
    assert GameOptions.from_json(options.as_json()) == options


def test_every_option_survives_json() -> None:
    starts = {"purple": (9, 4), "orange": (4, 9)}
    duo = GameOptions(
        "duo", "basic", ("orange", "purple"), "assigned", starts, ("Ann", "Ben"), "strict", {"orange": ("W",)}, None, mirrored=True
    )
    three = GameOptions("three_player", shared="red")
    marks = GameOptions("junior", marks=((4, 4), (9, 9)))
    assert [GameOptions.from_json(options.as_json()) for options in (duo, three, marks)] == [duo, three, marks]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"variant": "trigon"}, "unknown variant 'trigon'; known: classic, two_player"),
        ({"scoring": "golf"}, "unknown scoring 'golf'; it is one of basic, advanced"),
        ({"starts": "anywhere"}, "unknown starts 'anywhere'"),
        ({"touch": "soft"}, "unknown touch 'soft'"),
        ({"order": ["blue", "yellow"]}, "the order must name each of blue, yellow, red, green once, not blue, yellow"),
        ({"order": ["blue", "blue", "red", "green"]}, "the order must name each"),
        ({"order": ["blue", "purple"]}, "unknown colour 'purple'"),
        ({"variant": "partners", "order": ["red", "green", "blue", "yellow"]}, "the order of partners is blue, yellow, red, green"),
        ({"players": ["Ann", "Ben"]}, "classic is played by 4, but 2 names were given; 2 play two_player"),
        ({"players": ["Ann", "Ben", "Cid"]}, "classic is played by 4, but 3 names were given; 3 play three_player"),
        ({"variant": "duo", "players": ["Ann", "Ben", "Cid"]}, "duo is played by 2, but 3 names were given$"),
        ({"variant": "two_player", "players": ["A", "B", "C", "D"]}, "but 4 names were given; 4 play classic or partners"),
        ({"variant": "duo", "players": ["Ann", "Ann"]}, "two players have the same name"),
        ({"shared": "green"}, "no colour is shared in classic"),
        ({"variant": "three_player", "shared": "pink"}, "unknown colour 'pink'"),
        ({"missing": {"pink": ["W"]}}, "unknown colour 'pink'"),
        ({"missing": {"blue": ["Q"]}}, "unknown piece 'Q'"),
        ({"missing": {"blue": ["W", "W"]}}, "a set of classic has no such W to lose"),
        ({"variant": "junior", "missing": {"green": ["W"]}}, "a set of junior has no such W to lose"),
        ({"marks": [[1, 1], [2, 2]]}, "the marked start cells of classic cannot be"),
        ({"start_cells": {"blue": [0, 0]}}, "start cells can only be given with assigned starts"),
        ({"starts": "assigned", "start_cells": {"blue": [0, 0]}}, "each colour of classic needs a start cell of its own"),
        ({"speed": 3}, "unknown game options: speed"),
        ({"order": "blue"}, "the game option order cannot be 'blue'"),
        ({"players": 4}, "the game option players cannot be 4"),
        ({"missing": ["W"]}, r"the game option missing cannot be \['W'\]"),
        ({"mirrored": "yes"}, "the game option mirrored cannot be 'yes'"),
        ({"variant": ["classic"]}, "the game option variant cannot be"),
        ({"marks": [1, 2]}, "the game option marks cannot be"),
    ],
)
def test_options_that_cannot_be_are_refused_with_the_reason(values: dict[str, Any], message: str) -> None:
    with pytest.raises(RefereeError, match=message):
        GameOptions.from_json(values)


def test_lost_pieces_are_read_from_text() -> None:
    assert parse_missing("blue:-W, red:-I5,blue:-1") == {"blue": ("W", "1"), "red": ("I5",)}
    assert parse_missing("") == {}
    with pytest.raises(RefereeError, match="'blue:W' is no lost piece; write it like blue:-W"):
        parse_missing("blue:W")


def test_one_of_junior_s_two_copies_may_be_lost() -> None:
    options = GameOptions("junior", missing={"green": ("I5",)})
    assert (options.sets["green"].count("I5"), options.sets["orange"].count("I5")) == (1, 2)
