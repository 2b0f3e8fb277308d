"""`replay`: recorded games judged, one or several, whatever file they are given as."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.journal import Journal
from referee.record import Record
from referee.record_json import record_as_text
from tests.referee.corpus import FOLDER
from tests.referee.watched import FIRST_ROUND, FOUL, SECOND_ROUND, YELLOW, Watched
from web.cli import main
from web.cli.loading import MOST_BYTES
from web.samples import sample_game

DUO = FOLDER / "blksgf" / "duo_001_uniform.blksgf"
THREE = FOLDER / "blksgf" / "classic_3_000_uniform.blksgf"


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, ["replay", *map(str, args)])


def events_of(*args: str | Path) -> list[dict[str, Any]]:
    result = run(*args, "--json")
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def written(folder: Path, *nodes: str, game: str = "Blokus", name: str = "game.blksgf") -> Path:
    path = folder / name
    path.write_text("\n".join(("(", f";GM[{game}]", *(f";{node}" for node in nodes), ")", "")))
    return path


@pytest.fixture
def disputed(tmp_path: Path) -> Path:
    return written(tmp_path, "1[a20]", "2[t20]", "3[t1]", "4[a1]", "1[a19]", "2[s19]", "3[s2]", name="foul.blksgf")


# -- JSON


def test_a_game_is_told_as_if_it_were_being_played() -> None:
    events = events_of(DUO)
    assert (events[0]["event"], events[-1]["event"]) == ("start", "game_over")
    assert not any({"frame", "seen_frame", "time_s", "legal_count", "record"} & event.keys() for event in events)


def test_counts_are_added_to_placements() -> None:
    counts = [event.get("legal_count") for event in events_of(DUO, "--counts") if event["event"] == "placement"]
    assert counts[:2] == [414, 414]
    assert None not in counts
    assert events_of(THREE, "--counts")[1]["legal_count"] == 58


def test_a_foul_ends_in_a_dispute(disputed: Path) -> None:
    last = events_of(disputed)[-1]
    assert (last["event"], last["color"], last["kinds"][0]) == ("dispute", "blue", "piece_already_used")


def test_a_game_that_breaks_off_is_unfinished(tmp_path: Path) -> None:
    last = events_of(written(tmp_path, "1[a20]"))[-1]
    assert (last["event"], last["can_move"]) == ("unfinished", ["blue", "yellow", "red", "green"])


def test_several_records_are_told_one_after_the_other_each_by_its_name(disputed: Path) -> None:
    records = [event["record"] for event in events_of(DUO, disputed)]
    assert list(dict.fromkeys(records)) == [str(DUO), str(disputed)]


def test_one_unreadable_record_of_several_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    result = run(tmp_path / "nowhere.blksgf", DUO, "--json")
    assert result.exit_code == 0
    assert "nowhere.blksgf" in result.stderr
    assert json.loads(result.stdout.splitlines()[-1])["event"] == "game_over"


# -- sentences


def test_people_read_sentences_with_turns_and_the_final_scores() -> None:
    lines = run(DUO).stdout.splitlines()
    assert lines[1] == "  1   Purple Y is legal."
    assert lines[-2:] == ["      1. Purple: -37", "      2. Orange: -38"]


def test_people_read_where_and_why_judging_ended(disputed: Path) -> None:
    out = run(disputed).stdout
    assert "! Blue has already placed its piece 1." in out
    assert "Judging ends with turn 5: nothing in the record settles this dispute; 2 later entries of the record were not judged." in out
    assert out.splitlines()[-4:] == ["      1. Blue: 87", "      2. Yellow: 88", "      2. Red: 88", "      2. Green: 88"]


def test_people_read_counts_in_words() -> None:
    assert "  1   Purple Y is legal. It was one of 414 legal placements." in run(DUO, "--counts").stdout


def test_people_see_which_record_is_which(disputed: Path) -> None:
    out = run(disputed, DUO).stdout
    assert f"{disputed}: Blokus\n" in out
    assert f"{DUO}: Blokus Duo\n" in out


# -- our own records


def test_json_keeps_free_starts_and_house_decisions(tmp_path: Path) -> None:
    watched = Watched(starts="free").play("blue t1 s1", "yellow a20 b20", "red a1 b1", "green t20 t19")
    watched.put("blue r1")
    watched.decide("resolve", id=1, how="let_stand")
    path = tmp_path / "game.json"
    path.write_text(record_as_text(Record.of(watched.table)))
    names = [event["event"] for event in events_of(path)]
    assert names == ["start", *["placement"] * 4, "dispute", "resolved", "unfinished"]


def test_a_game_may_be_written_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text('{"variant": "junior", "moves": [{"color": "orange", "cells": [[4, 9]]}, {"color": "green", "cells": ["e5"]}]}')
    assert [event.get("piece") for event in events_of(path)[1:3]] == ["1", "1"]


@pytest.mark.parametrize("how", ["file", "url"])
def test_a_game_is_read_from_its_database(tmp_path: Path, how: str) -> None:
    table = Watched().play(*FIRST_ROUND, *SECOND_ROUND).table
    journal = Journal(str(tmp_path / "game.db"))
    journal.new_game(table.first_options.as_json())
    for kind, value in table.inputs:
        journal.append(kind, value, [])
    journal.close()
    name = tmp_path / "game.db" if how == "file" else f"sqlite:///{tmp_path / 'game.db'}"
    assert [event["event"] for event in events_of(name)] == ["start", *["placement"] * 8, "unfinished"]


# -- options


@pytest.mark.parametrize(
    "options",
    [
        ("--variant", "classic"),
        ("--variant", "junior"),
        ("--order", "orange,purple"),
        ("--starts", "free"),
        ("--mirrored",),
        ("--players", "A,B,C"),
        ("--set", "blue:-W"),
        ("--shared", "red"),
    ],
)
def test_options_that_contradict_the_record_are_wrong_usage(options: tuple[str, ...]) -> None:
    result = run(DUO, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert str(DUO) in result.stderr


@pytest.mark.parametrize(
    "options",
    [("--variant", "duo"), ("--order", "purple,orange"), ("--starts", "seated"), ("--touch", "strict"), ("--scoring", "advanced")],
)
def test_options_that_agree_with_the_record_change_nothing(options: tuple[str, ...]) -> None:
    assert events_of(DUO, *options) == events_of(DUO)


def test_scoring_and_names_apply() -> None:
    over = events_of(DUO, "--scoring", "basic", "--players", "Ann,Bob")[-1]["scores"]
    assert (over["scoring"], over["winners"], over["players"][0]["score"]) == ("basic", ["Ann"], 37)


def test_a_missing_piece_cannot_be_played() -> None:
    assert events_of(DUO, "--set", "purple:-Y")[1]["event"] == "dispute"


# -- what cannot be read


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b"\n \n", "the file is empty"),
        (b"hello", "no recorded game"),
        (b"\xff\xd8\xff\xe0\0\0", "that is a picture or video"),
        (b"\0\0\0\x20ftypisom", "that is a picture or video"),
        (b"{", "no JSON"),
        (b"[1]", "a recorded game is a JSON object"),
        (b'{"event": "start"}\n{"event": "placement"}\n', "events that a command told"),
        (b"(;GM[Blokus Trigon];1[a1])", "a game of another kind"),
        (b"(;GM[Blokus Duo];B[e10])(;GM[Blokus Duo];B[e10])", "more than one game"),
        (b"(;B[e10])", "GM[...] is missing"),
        (b"(;GM[Blokus", "line 1"),
        (b"(;GM[Blokus];1[9])", "is no point"),
        (b"(;GM[Blokus]C[\xe9])", "no UTF-8 text"),
        (b"SQLite format 3\0" + b"x" * 100, "cannot be opened"),
    ],
)
def test_a_file_without_a_game_is_refused_in_one_line(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "game"
    path.write_bytes(content)
    result = run(path, "--json")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.count("\n") == 1
    assert reason in result.stderr
    assert str(path) in result.stderr


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.blksgf", tmp_path):
        result = run(path)
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (3, "", 1)


def test_a_broken_database_is_named_once(tmp_path: Path) -> None:
    (tmp_path / "games.db").write_bytes(b"SQLite format 3\0" + b"garbage" * 100)
    result = run(tmp_path / "games.db")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.count(str(tmp_path / "games.db")) == 1


def test_a_file_too_large_for_a_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(b"{" + b" " * MOST_BYTES)
    result = run(path)
    assert (result.exit_code, result.stderr.count("\n")) == (3, 1)
    assert "more than 32 MiB" in result.stderr


def test_a_picture_is_sent_to_the_command_that_reads_pictures() -> None:
    assert "which `read` and `watch` look at" in run(min(sample_game().glob("*.jpg"))).stderr


def test_nothing_at_all_is_wrong_usage() -> None:
    assert run().exit_code == 2


def test_a_text_that_breaks_off_tells_the_moves_before_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "cut.blksgf"
    path.write_bytes(DUO.read_bytes()[:80])
    result = run(path, "--json")
    assert result.exit_code == 3
    assert [json.loads(line)["event"] for line in result.stdout.splitlines()] == ["start", *["placement"] * 3, "unfinished"]
    assert "what stands before it was judged" in result.stderr
    assert result.stderr.count("\n") == 1


def test_records_none_of_which_can_be_read_are_all_named(tmp_path: Path) -> None:
    result = run(tmp_path / "a", tmp_path / "b")
    assert (result.exit_code, result.stderr.count("\n")) == (3, 3)


def test_an_input_that_cannot_be_replayed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text('{"inputs": [["decision", {"decision": "fly"}]]}')
    result = run(path)
    assert (result.exit_code, result.stdout) == (3, "")
    assert "input 1 cannot be replayed" in result.stderr


def test_a_foul_that_was_let_stand_ends_nothing(tmp_path: Path) -> None:
    watched = Watched().play(*FIRST_ROUND)
    watched.put(FOUL)
    watched.decide("resolve", id=1, how="let_stand")
    watched.put(YELLOW)
    path = tmp_path / "game.json"
    path.write_text(record_as_text(Record.of(watched.table)))
    assert "Judging ends" not in run(path).stdout
