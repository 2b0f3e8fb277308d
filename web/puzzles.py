"""The mini-games for one player as pages: the ten that come along, laid by hand and checked with every piece."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request

from referee.cells import Cell, components
from referee.errors import RefereeError
from referee.puzzle import ORANGE, SHIPPED, Puzzle, shipped_puzzle
from referee.puzzle_check import check
from referee.puzzle_solution import parse_solution
from referee.rulings import Violation
from web.api import read_json
from web.outlines import grooves, outline
from web.security import Refused
from web.shell import frame, shell

puzzles = Blueprint("puzzles", __name__)


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
        """Its name, or its number."""
        return self.puzzle.title or f"Puzzle {self.number}"


@puzzles.get("/puzzles")
def all_puzzles() -> str:
    """The puzzles to choose from, in rising difficulty."""
    return render_template("puzzles.html", **frame("puzzle.js"), puzzles=[_view(number) for number in range(1, SHIPPED + 1)])


@puzzles.get("/puzzles/<int:number>")
def one_puzzle(number: int) -> str:
    """One puzzle to play."""
    following = number + 1 if number < SHIPPED else None
    return render_template("puzzle.html", **frame("puzzle.js"), view=_view(number), following=following)


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
    told = {"wrong": [_told(puzzle, one) for one in found.wrong], "open": [_told(puzzle, one) for one in found.open]}
    return jsonify({"solved": found.is_solved, "left": list(found.left), **told})


def _known(number: int) -> Puzzle:
    if not 1 <= number <= SHIPPED:
        raise Refused("There is no such puzzle.", 404)
    return shipped_puzzle(number)


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
