"""What is printed: JSON Lines or sentences, each line at once."""

from __future__ import annotations

import json
import sys

import click
import pytest

from web.cli.output import Printer, score_lines
from web.cli.read_text import describe

PLACEMENT = {"event": "placement", "turn": 7, "color": "red", "piece": "W", "cells": [[1, 2]], "sentence": "Red places the W."}
READING = {
    "image": "a.jpg",
    "board": {"rows": 3, "cols": 3, "corners_px": []},
    "grid": ["BB.", "..?", "R.R"],
    "confidence": 0.97,
    "pieces": [{"color": "blue", "piece": "2", "cells": [[0, 0], [0, 1]]}],
    "loose": [
        {"color": "red", "piece": "W", "squares": 5, "polygon_px": []},
        {"color": "green", "piece": None, "squares": 7, "polygon_px": []},
        {"color": "green", "piece": None, "squares": None, "polygon_px": []},
    ],
    "violations": [
        {"color": "red", "kinds": ["no_corner_contact"], "cells": [[2, 2]], "ambiguous": True, "message": "A red piece stands alone."}
    ],
    "findings": [
        {"kind": "unknown_object", "cells": [[1, 2]], "message": "Something lies on the board."},
        {"kind": "loose_count", "cells": [], "color": "red", "message": "Red: 5 squares left on the table, 5 by the board."},
        {"kind": "loose_mismatch", "cells": [], "color": "green", "message": "Green: 7 squares left on the table, 9 by the board."},
    ],
    "colors": {
        "blue": {"squares_left": 87, "pieces_left": ["1", "I3"], "blocked": False, "example": None},
        "red": {"squares_left": [86, 87], "pieces_left": ["W"], "blocked": None, "example": None},
        "green": {"squares_left": 9, "pieces_left": ["I5", "I4"], "blocked": True, "example": None},
        "yellow": {"squares_left": 0, "pieces_left": [], "blocked": False, "example": None},
    },
}


def test_json_is_one_object_a_line_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    printer = Printer(as_json=True)
    printer.say("http://127.0.0.1:8000/")
    printer.event(PLACEMENT)
    printer.event({"event": "progress", "done": 1, "total": 2})
    printer.note("a warning")
    out, err = capsys.readouterr()
    assert [json.loads(line) for line in out.splitlines()] == [PLACEMENT]
    assert err.splitlines() == ["http://127.0.0.1:8000/", "a warning"]


def test_people_read_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    printer = Printer(as_json=False)
    printer.say("http://127.0.0.1:8000/")
    printer.event(PLACEMENT)
    printer.event({"event": "dispute", "id": 1, "sentence": "Red's W shares a side with red."})
    out, err = capsys.readouterr()
    assert out.splitlines() == ["http://127.0.0.1:8000/", "  7   Red places the W.", "    ! Red's W shares a side with red."]
    assert err == ""


def test_a_reminder_catches_the_eye_as_a_dispute_does(capsys: pytest.CaptureFixture[str]) -> None:
    Printer(as_json=False).event({"event": "reminder", "sentence": "These pieces lie on the board: blue V3."})
    assert capsys.readouterr().out == "    ! These pieces lie on the board: blue V3.\n"


@pytest.mark.parametrize(("state", "is_loud"), [("paused", True), ("lost", True), ("ready", False), ("hidden", False)])
def test_a_trouble_is_bold_and_red_at_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, state: str, is_loud: bool
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    Printer(as_json=False).event({"event": "state", "state": state, "reason": "NOT KEPT: the disk is full"})
    line = f"Camera: {state} (NOT KEPT: the disk is full)"
    assert capsys.readouterr().err == "\r" + (click.style(line, fg="red", bold=True) if is_loud else line)


def test_of_the_camera_a_log_holds_troubles_and_their_end_only(capsys: pytest.CaptureFixture[str]) -> None:
    printer = Printer(as_json=False)
    for state in ("no_board", "no_board", "ready", "motion", "settling", "hidden", "ready", "lost", "lost", "ready"):
        printer.event({"event": "state", "state": state, "reason": "why"})
    assert [line.split()[1] for line in capsys.readouterr().err.splitlines()] == ["no_board", "ready", "lost", "ready"]


def test_a_terminal_has_one_line_for_progress_and_camera(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    printer = Printer(as_json=False)
    printer.event({"event": "state", "state": "motion", "reason": "something moves"})
    printer.progress(3, 77)
    printer.event(PLACEMENT)
    err = capsys.readouterr().err
    assert "\n" not in err
    assert "3 of 77 pictures  Camera: motion (something moves)" in err
    assert err.rsplit("\r", 2)[1].strip() == ""


def test_progress_is_not_drawn_into_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    Printer(as_json=False).progress(3, 77)
    assert capsys.readouterr() == ("", "")


def test_a_reading_is_told_whole(capsys: pytest.CaptureFixture[str]) -> None:
    import click

    click.echo(describe(READING))
    assert capsys.readouterr().out.rstrip().splitlines() == [
        "a.jpg: a board of 3 x 3, 1 piece, 97 % sure of every other square",
        "     a b c",
        "  3  B B .",
        "  2  . . ?",
        "  1  R . R",
        "1 square could not be told (?): hidden, glaring or in doubt.",
        "! A red piece stands alone.",
        "? Something lies on the board.",
        "Blue    can still move, 87 squares left: 1 I3",
        "Red     perhaps blocked, 86 or 87 squares left: W",
        "Green   BLOCKED, 9 squares left: I5 I4",
        "Yellow  has placed everything",
        "Loose: Red: 5 squares left on the table, 5 by the board. [W]",
        "Loose: Green: 7 squares left on the table, 9 by the board. [7 squares, ?]",
    ]


def test_a_place_that_is_not_known_is_shown_as_such() -> None:
    players = [
        {"name": "A", "colors": ["red"], "score": [15, 20], "place": None},
        {"name": "B", "colors": ["blue"], "score": 9, "place": 1},
    ]
    assert [line.split(".")[0].strip() for line in score_lines({"players": players})] == ["1", "?"]


@pytest.mark.parametrize(("score", "words"), [(-3, "-3"), ([15, 20], "15 or 20"), ([30, 40], "30 to 40")])
def test_scores_that_are_not_known_are_told_with_all_they_may_be(score: int | list[int], words: str) -> None:
    players = [{"name": "Ann", "colors": ["blue", "red"], "score": score, "place": 1}]
    assert list(score_lines({"players": players})) == [f"      1. Ann (blue + red): {words}"]
