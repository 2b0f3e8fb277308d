"""Game options: texts of the command line become the rules' options, and nonsense is refused before anything starts."""

from __future__ import annotations

from typing import Any

import click
import pytest
from click.testing import CliRunner

from referee.options import GameOptions
from referee.variants import VARIANTS as RULES
from web.cli import main
from web.cli.options import VARIANTS, game_options
from web.cli.program import Program


def options_of(*args: str) -> GameOptions:
    got: list[GameOptions] = []

    @click.command()
    @game_options
    def play(game: GameOptions) -> None:
        got.append(game)

    result = CliRunner().invoke(Program("program", commands={"play": play}), ["play", *args])
    assert result.exit_code == 0, result.output
    return got[0]


def test_the_names_of_variants_are_those_of_the_rules() -> None:
    assert set(VARIANTS) == set(RULES)


@pytest.mark.parametrize(
    ("args", "field", "value"),
    [
        ((), "variant", "classic"),
        ((), "order", None),
        (("--variant", "duo"), "variant", "duo"),
        (("--scoring", "advanced"), "scoring", "advanced"),
        (("--order", "red, green,blue,yellow"), "order", ("red", "green", "blue", "yellow")),
        (("--starts", "free"), "starts", "free"),
        (("--players", "Ada,Ben,Cy,Dee"), "players", ("Ada", "Ben", "Cy", "Dee")),
        (("--touch", "strict"), "touch", "strict"),
        (("--set", "blue:-W,blue:-I5"), "missing", {"blue": ("W", "I5")}),
        (("--variant", "three_player", "--shared", "red"), "shared", "red"),
        (("--mirrored",), "mirrored", True),
    ],
)
def test_each_option_reaches_the_rules(args: tuple[str, ...], field: str, value: Any) -> None:
    assert getattr(options_of(*args), field) == value


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (("--variant", "trigon"), "Trigon"),
        (("--variant", "Classic "), "classic"),
        (("--order", "blue,red"), "order"),
        (("--order", "blue,yellow,red,pink"), "pink"),
        (("--set", "blue:W"), "blue:-W"),
        (("--set", "blue:-Q9"), "Q9"),
        (("--players", "Ada,Ada,Ben,Cy"), "same name"),
    ],
)
def test_contradictions_are_wrong_usage_in_one_line(args: tuple[str, ...], word: str) -> None:
    result = CliRunner().invoke(main, ["watch", "nowhere", "--no-web", "--db", ":memory:", *args])
    assert result.exit_code == 2
    assert word in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_next_must_be_a_colour_of_the_variant() -> None:
    result = CliRunner().invoke(main, ["watch", "nowhere", "--variant", "duo", "--next", "blue"])
    assert result.exit_code == 2
    assert "purple, orange" in result.stderr
