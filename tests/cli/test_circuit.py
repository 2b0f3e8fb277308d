"""`circuit`: four games added up, everybody one seat further in each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.cli.programs import NAMES, RECORDS, refused
from web.cli import main
from web.samples import SAMPLE_IMAGES

COLORS = ("blue", "yellow", "red", "green")
GAMES = sorted(RECORDS.glob("classic_[01]*.blksgf"))[:4]


def run(*args: str | Path, players: str = ",".join(NAMES)) -> Result:
    return CliRunner().invoke(main, ["circuit", *map(str, args), "--players", players])


def squares_left(record: Path) -> dict[str, int]:
    result = CliRunner().invoke(main, ["score", str(record), "--json"])
    return {color: score["squares_left"] for color, score in json.loads(result.stdout)["colors"].items()}


def test_the_squares_of_each_person_s_colours_are_added() -> None:
    found = json.loads(run(*GAMES, "--json").stdout)
    left = [squares_left(record) for record in GAMES]
    totals = {name: sum(left[game][COLORS[(seat + game) % 4]] for game in range(4)) for seat, name in enumerate(NAMES)}
    assert {player["name"]: player["score"] for player in found["players"]} == totals
    assert found["winners"] == [name for name in NAMES if totals[name] == min(totals.values())]
    assert (found["game"], found["games"]) == (4, 4)


def test_people_see_the_places_best_first_and_who_wins() -> None:
    lines = run(*GAMES).stdout.splitlines()
    assert lines[0] == "Circuit: 4 of 4 games, fewest squares left wins"
    scores = [int(line.split()[-1]) for line in lines[2:6]]
    assert scores == sorted(scores)
    assert lines[-2].endswith(("wins.", "share the win."))


def test_nobody_wins_before_all_four_games() -> None:
    found = json.loads(run(GAMES[0], SAMPLE_IMAGES / "stills" / "oak_table.jpg", "--json").stdout)
    assert (found["game"], found["winners"]) == (2, [])


def test_a_game_in_which_people_could_still_play_is_named() -> None:
    result = run(SAMPLE_IMAGES / "stills" / "walnut_table.jpg")
    assert result.exit_code == 0
    assert "Game 1 (" in result.stderr
    assert "may still change" in result.stderr


def test_games_of_other_people_or_seats_are_refused(tmp_path: Path) -> None:
    game = tmp_path / "game.json"
    moves = [{"color": "blue", "cells": ["a20"]}]
    game.write_text(json.dumps({"variant": "classic", "players": [*NAMES], "moves": moves}))
    assert run(game).exit_code == 0
    result = run(game, game)
    assert result.exit_code == 2
    assert "Dan, Ann, Bea, Cem" in result.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("names", "players", "words"),
    [
        (["duo_001_uniform.blksgf"], ",".join(NAMES), "four classic games"),
        (["classic_000_uniform.blksgf"] * 5, ",".join(NAMES), "all four games"),
        (["classic_000_uniform.blksgf"], "Ann,Bea,Cem", "4 people"),
        (["classic_000_uniform.blksgf"], "Ann,Ann,Bea,Cem", "different names"),
    ],
)
def test_what_is_no_circuit_is_wrong_usage(names: list[str], players: str, words: str) -> None:
    assert words in refused(run(*(RECORDS / name for name in names), players=players), 2)


def test_a_game_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    assert "none.blksgf" in refused(run(GAMES[0], tmp_path / "none.blksgf"))
