"""Puzzles as values and as JSON: read exactly, or refused in one line."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from referee.puzzle import LARGEST_FILE_BYTES, SHIPPED, PuzzleError, parse_puzzle, read_puzzle, shipped_puzzle
from tests.referee.puzzles import cells, drawn_puzzle

GOOD: dict[str, Any] = {"rows": 2, "cols": 3, "grid": ["G.O", "..G"], "pieces": ["I3", "1"]}


def test_a_puzzle_is_read_with_its_pieces_in_order_and_other_keys_left_out() -> None:
    puzzle = parse_puzzle({**GOOD, "title": "Two", "difficulty": 1.5, "author": ["anybody"]})
    assert puzzle.as_json() == {**GOOD, "title": "Two", "difficulty": 1.5, "pieces": ["1", "I3"]}
    assert parse_puzzle(puzzle.as_json()) == puzzle


@pytest.mark.parametrize("difficulty", [0, 3, 12.5, "easy", None])
def test_difficulty_may_be_a_number_or_words(difficulty: float | str | None) -> None:
    assert parse_puzzle({**GOOD, "difficulty": difficulty}).difficulty == difficulty


def test_drawn_squares_side_by_side_are_one_piece() -> None:
    puzzle = drawn_puzzle("GG.G .G.. G...", "1")
    assert puzzle.drawn == (cells((0, 0), (0, 1), (1, 1)), cells((0, 3)), cells((2, 0)))


def test_cells_are_named_from_the_bottom_left_also_on_boards_that_are_not_square() -> None:
    puzzle = drawn_puzzle("....... .......", "1")
    assert puzzle.cell_names([(1, 0), (0, 6), (2, 0), (0, -1)]) == "(0, -1), g2, a1, (2, 0)"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rows": None}, '"rows"'),
        ({"rows": True}, '"rows"'),
        ({"rows": 0}, '"rows"'),
        ({"rows": 21}, "1 to 20"),
        ({"cols": 3.0}, '"cols"'),
        ({"cols": "3"}, '"cols"'),
        ({"rows": 10**400}, '"rows"'),
        ({"grid": None}, "2 texts"),
        ({"grid": "G.O..G"}, "2 texts"),
        ({"grid": ["G.O"]}, "2 texts"),
        ({"grid": ["G.O", ".."]}, "row 1"),
        ({"grid": ["G.O", 3]}, "row 1"),
        ({"grid": ["G.O", "..g"]}, "'g'"),
        ({"grid": ["G.O", "..\ud800"]}, "ud800"),
        ({"pieces": []}, "1 to 24"),
        ({"pieces": "I3"}, "1 to 24"),
        ({"pieces": ["1"] * 25}, "1 to 24"),
        ({"pieces": ["Q"]}, "'Q'"),
        ({"pieces": [["1"]]}, "known: 1, 2"),
        ({"pieces": ["x" * 999]}, "known: 1, 2"),
        ({"title": "two\nlines"}, "title"),
        ({"title": "x" * 81}, "title"),
        ({"title": 5}, "title"),
        ({"difficulty": "hard\x1b[31m"}, "difficulty"),
        ({"difficulty": ["hard"]}, "difficulty"),
        ({"difficulty": True}, "difficulty"),
        ({"difficulty": float("nan")}, "difficulty"),
        ({"difficulty": -1}, "difficulty"),
    ],
)
def test_a_malformed_puzzle_is_refused_in_one_short_line(change: dict[str, Any], words: str) -> None:
    with pytest.raises(PuzzleError) as refusal:
        parse_puzzle({**GOOD, **change})
    assert words in str(refusal.value)
    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 150


@pytest.mark.parametrize("value", [None, [], "G", 3, {}])
def test_what_is_no_object_with_the_keys_is_refused(value: Any) -> None:
    with pytest.raises(PuzzleError):
        parse_puzzle(value)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe\x00", b"[" * 50_000, b"9" * 5_000, b"[1, 2]", b" " * (LARGEST_FILE_BYTES + 1)],
    ids=lambda c: c[:4].hex(),
)
def test_a_file_that_is_no_puzzle_is_refused_by_its_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(PuzzleError, match=r"bad\.json: "):
        read_puzzle(path)


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(PuzzleError, match=r"pipe\.json"):
        read_puzzle(tmp_path / "pipe.json")


def test_a_good_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "good.json"
    path.write_text(json.dumps(GOOD), encoding="utf-8-sig")
    assert read_puzzle(path) == parse_puzzle(GOOD)


@pytest.mark.parametrize("number", [0, -1, SHIPPED + 1])
def test_there_are_no_other_numbers(number: int) -> None:
    with pytest.raises(PuzzleError, match="1 to 10"):
        shipped_puzzle(number)
