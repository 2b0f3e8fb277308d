"""The mini-games for one player as pages: the ten that come along, laid by hand and checked with every piece."""

from __future__ import annotations

import threading
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request

from referee.cells import Cell, components
from referee.errors import RefereeError
from referee.puzzle import ORANGE, SHIPPED, Puzzle, shipped_puzzle
from referee.puzzle_check import Check, check
from referee.puzzle_seen import SeenPuzzle, puzzle_on
from referee.puzzle_solution import parse_solution
from referee.rulings import Violation
from web.api import read_json
from web.live import LiveGame
from web.outlines import grooves, outline
from web.security import Refused
from web.shell import frame, shell
from web.translating import tr

puzzles = Blueprint("puzzles", __name__)

WAIT_S = 3.0
"""Seconds that a request waits for another one's look at the board, which takes one or two."""

_looking = threading.Lock()


@dataclass(frozen=True)
class PuzzleView:
    """A puzzle as drawn: its size, its names for people, and colour, outline and grooves of each drawn piece."""

    number: int
    puzzle: Puzzle
    drawn: tuple[tuple[str, str, str], ...]
    lines: str

    @property
    def columns(self) -> list[str]:
        """Column letters, left to right."""
        return [chr(ord("a") + col) for col in range(self.puzzle.cols)]

    @property
    def title(self) -> str:
        """Its name."""
        return tr(self.puzzle.title or "")


@puzzles.get("/puzzles")
def all_puzzles() -> str:
    """The puzzles to choose from, in rising difficulty."""
    return render_template("puzzles.html", **frame("puzzle.js"), puzzles=[_view(number) for number in range(1, SHIPPED + 1)])


@puzzles.get("/puzzles/<int:number>")
def one_puzzle(number: int) -> str:
    """One puzzle to play."""
    following = number + 1 if number < SHIPPED else None
    return render_template(
        "puzzle.html", **frame("puzzle.js"), view=_view(number), following=following, camera=shell().live.board_now is not None
    )


@puzzles.post("/api/puzzles/<int:number>")
def judge(number: int) -> Response:
    """What there is to say about the pieces laid on a puzzle: ``{"solution": [{"piece", "cells"}]}``, few or all."""
    body = read_json()
    shell().gate.check_own(request)
    puzzle = _known(number)
    try:
        found = check(puzzle, parse_solution(puzzle, body))
    except RefereeError as error:
        raise Refused(str(error), 422) from error
    return jsonify(_of_check(puzzle, found))


@puzzles.post("/api/puzzles/<int:number>/camera")
def judge_seen(number: int) -> Response:
    """What there is to say about the pieces that the camera sees on a puzzle, with ``seen`` (their squares) and those ``unsure``.

    Looking takes a processor's time: it is for those at the table.
    """
    read_json()
    parts = shell()
    parts.gate.check_change(request)
    puzzle = _known(number)
    grid = _grid_now(parts.live)
    try:
        found = puzzle_on(puzzle, grid)
    except RefereeError as error:
        raise Refused(tr(_sentence(str(error))), 422) from error
    told = _of_check(puzzle, check(puzzle, found.laid)) if found.can_be_judged else _not_judged(puzzle, found)
    seen = [[list(cell) for cell in sorted(piece.cells) if puzzle.holds(cell)] for piece in found.laid]
    return jsonify({**told, "seen": seen, "unsure": [list(cell) for cell in sorted(found.unsure)]})


def _grid_now(live: LiveGame) -> list[str]:
    """The board as the camera of this program sees it now: the letters of its cells, as people see it."""
    with live.lock:
        options = live.table.first_options
    if "green" not in options.rules.colors:
        raise Refused(tr("Puzzles have green pieces: watch a game of Junior or Classic for them."), 409)
    shot = live.board_now() if live.board_now else None
    if shot is None:
        raise Refused(tr("No camera sees the board at present."), 409 if live.board_now is None else 503)
    if not _looking.acquire(timeout=WAIT_S):
        raise Refused(tr("The camera is being asked by somebody else: try again in a moment."), 503, retry_after_s=3)
    try:
        grid = shot.read(options.rules.colors)
    finally:
        _looking.release()
    return [line[::-1] if options.mirrored else line for line in grid]


def _not_judged(puzzle: Puzzle, found: SeenPuzzle) -> dict[str, Any]:
    """The answer as long as not every square is told, or the puzzle is put down wrongly: no verdict."""
    if found.unsure:
        text = tr("Not sure: what lies on {cells} cannot be told. Take hands away and look again.")
        told = {"kind": "unsure", "cells": [], "message": text.format(cells=puzzle.cell_names(found.unsure))}
        return {"solved": False, "left": [], "wrong": [], "open": [told]}
    text = tr("The puzzle is drawn otherwise on {cells}: put that right first.")
    amiss = {
        "kind": "amiss",
        "cells": [list(cell) for cell in sorted(found.amiss)],
        "message": text.format(cells=puzzle.cell_names(found.amiss)),
    }
    return {"solved": False, "left": [], "wrong": [amiss], "open": []}


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _known(number: int) -> Puzzle:
    if not 1 <= number <= SHIPPED:
        raise Refused("There is no such puzzle.", 404)
    return shipped_puzzle(number)


def _of_check(puzzle: Puzzle, found: Check) -> dict[str, Any]:
    told = {"wrong": [_told(puzzle, one) for one in found.wrong], "open": [_told(puzzle, one) for one in found.open]}
    return {"solved": found.is_solved, "left": list(found.left), **told}


def _told(puzzle: Puzzle, violation: Violation) -> dict[str, Any]:
    cells = [list(cell) for cell in sorted(violation.cells) if puzzle.holds(cell)]
    return {"kind": violation.kind, "cells": cells, "message": violation.message}


def _view(number: int) -> PuzzleView:
    puzzle = _known(number)
    blocks = components(puzzle.cells_of(ORANGE))
    drawn = (*(_drawn("green", cells) for cells in puzzle.drawn), *(_drawn("orange", cells) for cells in blocks))
    lines = "".join(f"M{col} 0v{puzzle.rows}" for col in range(1, puzzle.cols)) + "".join(
        f"M0 {row}h{puzzle.cols}" for row in range(1, puzzle.rows)
    )
    return PuzzleView(number, puzzle, drawn, lines)


def _drawn(color: str, cells: Collection[Cell]) -> tuple[str, str, str]:
    return color, outline(cells), grooves(cells)
