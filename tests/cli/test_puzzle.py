"""`puzzle`: one-player mini-games from the shell."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.puzzle import Puzzle, parse_puzzle, read_puzzle, shipped_puzzle
from referee.puzzle_check import check
from referee.puzzle_make import make
from referee.puzzle_solution import parse_solution
from referee.puzzle_solve import solve
from web.cli import main

TWO_WAYS = {"rows": 4, "cols": 4, "grid": ["G...", "....", "....", "...G"], "pieces": ["V3"], "title": "Short", "author": "us"}
NO_WAY = {"rows": 3, "cols": 3, "grid": ["G..", ".O.", "..G"], "pieces": ["1"]}


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, ["puzzle", *map(str, args)])


def told(*args: str | Path) -> dict[str, Any]:
    """The one JSON object that a command prints."""
    result = run(*args, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    (line,) = result.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """Puzzles and solutions as files."""
    contents = {
        "good": TWO_WAYS,
        "unsolvable": NO_WAY,
        "solved": ["G...", ".aa.", "..a.", "...G"],
        "listed": [{"piece": "V3", "cells": [[1, 1], [1, 2], [2, 2]]}],
        "empty": [],
        "wrong": [{"piece": "I3", "cells": [[1, 0], [1, 1]]}],
    }
    paths = {name: tmp_path / f"{name}.json" for name in contents}
    for name, value in contents.items():
        paths[name].write_text(json.dumps(value))
    return paths


def test_a_puzzle_is_told_to_be_solvable(files: dict[str, Path]) -> None:
    assert told("check", files["good"]).items() >= {"puzzle": str(files["good"]), "solvable": True, "pieces": ["V3"]}.items()
    assert told("check", files["unsolvable"])["solvable"] is False
    assert "It can be solved." in run("check", "1").stdout
    assert "It cannot be solved" in run("check", files["unsolvable"]).stdout


@pytest.mark.parametrize("name", ["solved", "listed"])
def test_a_solution_is_told_to_solve(files: dict[str, Path], name: str) -> None:
    assert told("check", files["good"], files[name]) == {"puzzle": str(files["good"]), "solved": True, "violations": [], "left": []}
    assert run("check", files["good"], files[name]).stdout.splitlines()[-1] == "Solved."


def test_every_fault_of_a_wrong_solution_is_told(files: dict[str, Path]) -> None:
    found = told("check", files["good"], files["wrong"])
    assert (found["solved"], found["left"]) == (False, ["V3"])
    kinds = ["wrong_name", "piece_not_given", "edge_contact", "piece_missing", "no_corner_contact"]
    assert [fault["kinds"] for fault in found["violations"]] == [[kind] for kind in kinds]
    assert found["violations"][2]["cells"] == [[0, 0], [1, 0]]
    text = run("check", files["good"], files["wrong"])
    assert text.exit_code == 0
    assert all(fault["message"] in text.stdout for fault in found["violations"])
    assert text.stdout.splitlines()[-1] == "Not solved."


def test_nothing_laid_yet_is_no_fault_but_leaves_all_to_do(files: dict[str, Path]) -> None:
    found = told("check", files["good"], files["empty"])
    assert (found["solved"], found["left"]) == (False, ["V3"])
    assert [fault["kinds"] for fault in found["violations"]] == [["piece_missing"], ["no_corner_contact"]]


def test_a_solution_that_solve_prints_is_one(tmp_path: Path) -> None:
    found = told("solve", "3")
    puzzle = shipped_puzzle(3)
    assert check(puzzle, parse_solution(puzzle, found)).is_solved
    assert check(puzzle, parse_solution(puzzle, found["drawing"])).is_solved
    (tmp_path / "found.json").write_text(json.dumps(found))
    assert told("check", "3", tmp_path / "found.json")["solved"]


def counted(puzzle: Puzzle) -> int:
    return solve(puzzle).solutions


@pytest.mark.parametrize("options", [[], ["--count"], ["--all"]])
def test_solutions_are_counted(options: list[str]) -> None:
    found = told("solve", "1", *options)
    assert (found["solutions"], found["complete"]) == (counted(shipped_puzzle(1)), True)
    assert len(found["solution"]) == 2
    assert ("all" in found) == (options == ["--all"])


def test_all_solutions_are_different_and_right(files: dict[str, Path]) -> None:
    found = told("solve", files["good"], "--all")
    puzzle = parse_puzzle(TWO_WAYS)
    assert len({json.dumps(one["solution"]) for one in found["all"]}) == len(found["all"]) == found["solutions"] == counted(puzzle)
    assert all(check(puzzle, parse_solution(puzzle, one)).is_solved for one in found["all"])


def test_people_see_all_solutions_and_their_number(files: dict[str, Path]) -> None:
    count = counted(parse_puzzle(TWO_WAYS))
    lines = run("solve", files["good"], "--all").stdout.splitlines()
    assert lines.count("a is V3") == count == 2
    assert lines[-1] == f"There are {count} solutions."
    assert told("solve", files["unsolvable"], "--all")["all"] == []


def test_a_limit_gives_so_many_and_claims_no_more() -> None:
    found = told("solve", "1", "--limit", "1")
    assert (found["solutions"], found["complete"], len(found["all"])) == (1, False, 1)
    assert "At least 1 solution;" in run("solve", "1", "--limit", "1").stdout


def test_a_limit_that_cuts_nothing_off_is_told_as_the_whole_number(files: dict[str, Path]) -> None:
    count = counted(parse_puzzle(TWO_WAYS))
    assert told("solve", files["good"], "--limit", str(count))["complete"] is True
    assert f"There are {count} solutions." in run("solve", files["good"], "--limit", str(count)).stdout


def test_a_puzzle_without_solution_is_told_so(files: dict[str, Path]) -> None:
    found = told("solve", files["unsolvable"])
    assert (found["solutions"], found["complete"], found["solution"]) == (0, True, None)
    assert "no solution" in run("solve", files["unsolvable"]).stdout


def test_people_see_the_board_with_a_letter_for_each_piece(files: dict[str, Path]) -> None:
    lines = run("solve", files["good"]).stdout.splitlines()
    assert lines[:3] == [f"Puzzle {files['good']} (Short): a board of 4 x 4", "Place V3", "     a b c d"]
    assert lines[3:7] in (
        ["  4  G . . .", "  3  . a a .", "  2  . . a .", "  1  . . . G"],
        ["  4  G . . .", "  3  . a . .", "  2  . a a .", "  1  . . . G"],
    )
    assert lines[7:] == ["a is V3", "", "There are 2 solutions."]


def test_a_search_that_is_cut_off_says_that_it_does_not_know(monkeypatch: pytest.MonkeyPatch, files: dict[str, Path]) -> None:
    monkeypatch.setattr(sys.modules["web.cli.puzzle"], "WORK", 0)
    assert told("check", files["good"])["solvable"] is None
    assert "Not sure" in run("check", files["good"]).stdout
    assert told("solve", "1")["complete"] is False
    assert "may have missed" in run("solve", "1").stdout
    assert told("solve", "1", "--count")["complete"] is True


def test_a_made_puzzle_is_written_and_printed(tmp_path: Path) -> None:
    found = told("make", "--level", "2", "--seed", "4", "--out", tmp_path / "new.json")
    wanted = make(2, 4)
    assert read_puzzle(tmp_path / "new.json") == parse_puzzle(found) == wanted.puzzle
    assert (found["level"], found["seed"], found["solutions"]) == (2, 4, wanted.outcome.solutions)
    text = run("make", "--level", "2", "--seed", "4").stdout
    assert "level 2, seed 4" in text
    assert all(" ".join(row) in text for row in wanted.puzzle.grid)


def test_a_full_disk_is_told_and_leaves_the_old_puzzle_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "mine.json"
    out.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = run("make", "--level", "1", "--seed", "1", "--out", out)
    assert (result.exit_code, result.stdout, out.read_text()) == (3, "", "old")
    assert f"--out {out}: cannot be written" in result.stderr


def test_without_a_seed_the_one_taken_is_told_and_gives_the_same_again() -> None:
    first = told("make", "--level", "1")
    assert told("make", "--level", "1", "--seed", str(first["seed"])) == first


@pytest.mark.parametrize(
    "args",
    [
        ["check", "0"],
        ["check", "11"],
        ["check", "9" * 5000],
        ["check", "03"],
        ["solve", "1", "--all", "--limit", "3"],
        ["solve", "1", "--count", "--limit", "3"],
        ["solve", "1", "--limit", "0"],
        ["make", "--level", "11"],
        ["make", "--seed", "-1"],
        ["make", "--seed", "x"],
        ["check"],
        ["paint"],
    ],
)
def test_wrong_usage_is_told(args: list[str]) -> None:
    result = run(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("content", ["", "no json", "[]", '{"rows": 3}', '{"rows": 1, "cols": 1, "grid": ["x"], "pieces": ["1"]}'])
@pytest.mark.parametrize("command", [["check"], ["solve", "--json"]])
def test_a_malformed_puzzle_is_one_line_that_names_the_file(tmp_path: Path, command: list[str], content: str) -> None:
    (tmp_path / "bad.json").write_text(content)
    result = run(*command, tmp_path / "bad.json")
    assert (result.exit_code, result.stdout) == (3, "")
    (line,) = result.stderr.splitlines()
    assert "bad.json: " in line


@pytest.mark.parametrize(
    "args",
    [
        ["check", "MISSING"],
        ["check", "FOLDER"],
        ["check", "1", "MISSING"],
        ["check", "1", "TEXT"],
        ["make", "--level", "1", "--out", "MISSING/x"],
        ["make", "--level", "1", "--out", "FOLDER"],
    ],
)
def test_a_file_that_cannot_be_read_or_written_is_one_line(tmp_path: Path, args: list[str]) -> None:
    (tmp_path / "text").write_text("hello")
    places = {"MISSING": tmp_path / "none", "FOLDER": tmp_path, "TEXT": tmp_path / "text", "MISSING/x": tmp_path / "none" / "x"}
    result = run(*(places.get(arg, arg) for arg in args))
    assert (result.exit_code, result.stdout) == (3, "")
    (line,) = result.stderr.splitlines()
    assert str(tmp_path) in line


@pytest.mark.parametrize("options", [("--all", "--count"), ("--count", "--all"), ("--all", "--limit", "2"), ("--count", "--limit", "2")])
def test_what_is_to_be_shown_of_the_solutions_is_said_once(options: tuple[str, ...]) -> None:
    asked = run("solve", "1", *options)
    assert asked.exit_code == 2
    assert "exclude each other" in asked.stderr
