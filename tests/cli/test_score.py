"""`score`: who wins, from a picture or a record, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.cells import COLOR_LETTER
from referee.table import Table
from tests.cli.programs import CLASSIC, NAMES, RECORDS, kept, refused
from tests.referee import corpus
from tests.referee.watched import FIRST_ROUND, FOUL, Watched
from web.cli import main
from web.samples import SAMPLE_IMAGES

STILLS = SAMPLE_IMAGES / "stills"
OVER, EARLY = STILLS / "oak_table.jpg", STILLS / "walnut_table.jpg"


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, ["score", *map(str, args)])


def scores(*args: str | Path) -> list[dict[str, Any]]:
    result = run(*args, "--json")
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_record_gives_the_contract_s_scores() -> None:
    (found,) = scores(CLASSIC)
    game = next(corpus.games("classic"))
    assert found["scoring"] == "basic"
    assert {color: value["squares_left"] for color, value in found["colors"].items()} == game.remaining
    assert {color: value["advanced"] for color, value in found["colors"].items()} == game.advanced
    assert sorted(player["place"] for player in found["players"]) == [1, 2, 3, 4]
    best = min(game.remaining, key=game.remaining.__getitem__)
    assert found["winners"] == [best.capitalize()]
    assert found["final"] is True


@pytest.mark.parametrize("path", sorted(RECORDS.iterdir()), ids=lambda path: path.stem)
def test_every_reference_game_can_be_scored(path: Path) -> None:
    (found,) = scores(path)
    assert (found["status"], found["can_move"], found["final"]) == ("over", [], True)


def test_people_see_places_squares_and_the_winner() -> None:
    text = run(CLASSIC, "--players", ",".join(NAMES)).stdout
    assert "Place  Player" in text
    assert "Colour  Squares left  Basic  Advanced" in text
    assert text.rstrip().endswith("The game is over. Cem wins.")


def test_ties_share_the_place(tmp_path: Path) -> None:
    table = Watched(players=NAMES).play(*FIRST_ROUND, "blue c19 d19 e19", "yellow r19 q19 p19").table
    text = run(kept(tmp_path / "tied.db", table)).stdout
    assert [line.split()[0] for line in text.splitlines() if "(" in line and line.startswith("  ")] == ["1", "1", "3", "3"]
    assert text.count(" tied ") == 4


def test_a_game_of_a_database_is_chosen_by_its_number(tmp_path: Path) -> None:
    db = kept(tmp_path / "games.db", Watched(players=NAMES).play(*FIRST_ROUND).table, Table({"variant": "duo"}))
    assert scores(db)[0]["variant"] == "duo"
    assert scores(db, "--game", "1")[0]["players"][0]["name"] == "Ann"
    assert "no game 3" in refused(run(db, "--game", "3"))


def test_a_number_for_a_file_of_one_game_is_wrong_usage() -> None:
    assert "one game" in refused(run(CLASSIC, "--game", "2"), 2)


def test_options_count_anew() -> None:
    (found,) = scores(CLASSIC, "--scoring", "advanced", "--players", ",".join(NAMES))
    assert found["scoring"] == "advanced"
    assert {player["name"] for player in found["players"]} == {*NAMES}


def test_options_that_contradict_the_record_are_wrong_usage() -> None:
    assert "variant" in refused(run(CLASSIC, "--variant", "duo"), 2)


def test_an_open_dispute_is_told(tmp_path: Path) -> None:
    watched = Watched().play(*FIRST_ROUND)
    watched.put(FOUL)
    db = kept(tmp_path / "open.db", watched.table)
    assert scores(db)[0]["open_disputes"] == 1
    assert "1 dispute is open: the scores are provisional" in run(db).stdout


def test_an_abandoned_game_has_no_winner(tmp_path: Path) -> None:
    watched = Watched().play(*FIRST_ROUND)
    watched.decide("abandon")
    db = kept(tmp_path / "abandoned.db", watched.table)
    assert scores(db)[0]["winners"] == []
    assert "nobody wins" in run(db).stdout


def test_a_name_of_terminal_sequences_does_no_harm(tmp_path: Path) -> None:
    db = kept(tmp_path / "evil.db", Table({"variant": "duo", "players": ["\x1b[2J\nAnn", "Bea"]}))
    text = run(db).stdout
    assert "\x1b" not in text
    assert "[2J Ann" in text


def test_pictures_of_boards_are_scored_in_the_order_given() -> None:
    early, over = scores(EARLY, OVER, "--players", ",".join(NAMES))
    truth = json.loads((STILLS / "oak_table.json").read_text())["board"]
    squares = "".join("".join(row) for row in truth)
    left = {color: 89 - squares.count(letter) for color, letter in COLOR_LETTER.items() if color in over["colors"]}
    assert {color: value["squares_left"] for color, value in over["colors"].items()} == left
    assert over["can_move"] == []
    assert over["winners"] == ["Ann"]
    assert early["can_move"] == ["blue", "yellow", "red", "green"]
    assert early["final"] is False
    assert [early["source"], over["source"]] == [str(EARLY), str(OVER)]


def test_people_who_stop_too_early_are_told() -> None:
    text = run(EARLY).stdout
    assert "Score so far" in text
    assert "The game is not over: blue (" in text


def test_a_folder_stands_for_its_pictures_and_records(tmp_path: Path) -> None:
    for name in ("b.blksgf", "a.blksgf"):
        (tmp_path / name).write_bytes(CLASSIC.read_bytes())
    (tmp_path / "notes.txt").write_text("no game")
    assert [Path(found["source"]).name for found in scores(tmp_path)] == ["a.blksgf", "b.blksgf"]


@pytest.mark.parametrize("name", ["empty", "missing.blksgf", "missing.jpg", "text.txt", "text.jpg"])
def test_what_holds_no_game_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.txt").write_text("no game")
    (tmp_path / "text.jpg").write_text("no picture")
    assert name in refused(run(tmp_path / name))


def test_one_bad_record_does_not_keep_the_others_from_being_counted(tmp_path: Path) -> None:
    bad = tmp_path / "bad.blksgf"
    bad.write_text("(;GM[Chess])")
    result = run(bad, CLASSIC, tmp_path / "none.jpg", "--json")
    assert result.exit_code == 0
    assert ["error" in json.loads(line) for line in result.stdout.splitlines()] == [True, False, True]
    assert len(result.stderr.strip().splitlines()) == 2
