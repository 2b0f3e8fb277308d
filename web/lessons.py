"""Practice for newcomers: the three demonstrations of the referee as a page, and its ruling on whatever they try there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request

from referee.cells import on_board
from referee.errors import RefereeError
from referee.events import listed_cells
from referee.practice import DEMONSTRATIONS, Demonstration, demonstration
from referee.practice import OPTIONS as PRACTICE
from referee.requests import Request
from referee.rulings import Ruling
from web.api import read_json
from web.board_view import board_view, drawn_piece
from web.security import Refused
from web.shell import frame, shell
from web.spoken import spoken

lessons = Blueprint("lessons", __name__)

SHOWN = 8
"""Rows and columns of the board's corner that is shown: all that the demonstrations need, large enough for a finger."""


@lessons.get("/practice")
def practice() -> str:
    """The demonstrations; without script they are shown with their rulings."""
    return render_template("practice.html", **frame("practice.js"), lessons=[_view(one) for one in DEMONSTRATIONS], size=SHOWN)


@lessons.post("/api/practice")
def judge() -> Response:
    """The ruling on squares that somebody tries in a demonstration."""
    body = read_json()
    shell().gate.check_own(request)
    try:
        shown = demonstration(str(body.get("name"))[:40])
        ruling = shown.judge(Request(body, PRACTICE.rules.colors, PRACTICE.rules.size).cells(rim=0))
    except RefereeError as error:
        raise Refused(str(error), 422) from error
    offending = [list(cell) for cell in sorted(ruling.offending_cells) if on_board(cell, PRACTICE.rules.size)]
    return jsonify({"legal": ruling.is_legal, "kinds": list(ruling.kinds), "offending_cells": offending, "message": _said(ruling)})


def _said(ruling: Ruling) -> str:
    """The ruling in the page's language."""
    facts = {"color": ruling.color, "piece": ruling.piece, "cells": list(ruling.cells), "kinds": ruling.kinds}
    return spoken({**facts, "event": "legality", "sentence": ruling.message})


def _view(shown: Demonstration) -> dict[str, Any]:
    """A demonstration as the page draws it."""
    facts = shown.as_json()
    state = {"grid": facts["grid"], "size": PRACTICE.rules.size, "colors": {}}
    board = board_view(state)
    return {
        **facts,
        "message": _said(shown.ruling),
        "lines": board.grid_path,
        "pieces": [replace(piece, mark="") for piece in board.pieces],
        "shown": drawn_piece(shown.color, facts["piece"], listed_cells(facts["cells"])),
        "offending": sorted(listed_cells(facts["offending_cells"])),
    }
