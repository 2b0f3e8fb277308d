"""Whole games before a perfect camera: the rendered games with their fouls, and the reference games of every variant."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from referee.cells import COLOR_LETTER, LETTER_COLOR, Cell
from referee.events import Event
from referee.journal import take_input
from referee.sightings import Change, Sighting
from referee.table import Table
from tests.referee.corpus import GAMES_IN_FILE, ReferenceGame, games

RENDERED = json.loads((Path(__file__).parents[1] / "data" / "tables" / "rendered_games.json").read_text(encoding="utf-8"))

KIND = {
    "edge_touch": "edge_contact",
    "no_corner": "no_corner_contact",
    "piece_used_twice": "piece_already_used",
    "not_in_set": "not_a_piece",
    "wrong_turn": "out_of_turn",
    "removed_piece": "piece_removed",
    "moved_piece": "piece_moved",
    "two_pieces": "two_pieces",
}


def _begun(game: dict[str, Any], touch: str) -> tuple[Table, dict[Cell, str]]:
    table = Table({"touch": touch, "order": ["blue", "yellow", "red", "green"]})
    grid = game["initial"] or ["." * 20] * 20
    table.start(grid, start_anywhere=game["initial"] is not None, next_color=game["next"] if game["initial"] else None)
    cells = {(row, col): letter for row, line in enumerate(grid) for col, letter in enumerate(line)}
    return table, {cell: LETTER_COLOR[letter] for cell, letter in cells.items() if letter != "."}


def _step(table: Table, board: dict[Cell, str], step: list[Any]) -> list[Event]:
    _, _, added, removed = step
    for _, cells in removed:
        for row, col in cells:
            del board[row, col]
    for color, cells in added:
        board |= dict.fromkeys(((row, col) for row, col in cells), color)
    events = table.observe(Sighting.sure(Change.between(table.standing(), board)))
    assert dict(table.standing()) == board
    return events


def _cells(event: Event) -> set[tuple[int, int]]:
    return {(row, col) for row, col in [*event.fields["cells"], *event.fields.get("from_cells", ())]}


@pytest.mark.parametrize("game", RENDERED, ids=lambda game: game["name"])
def test_every_step_of_a_rendered_game_is_told_exactly(game: dict[str, Any]) -> None:
    table, board = _begun(game, "strict")
    for step in game["steps"]:
        kind, reason, added, removed = step
        rulings = [
            event for event in _step(table, board, step) if event.name in ("placement", "dispute", "resolved", "question", "corrected")
        ]
        assert len(rulings) == 1, (step, rulings)
        event = rulings[0]
        if kind == "correction":
            assert event.name == "resolved"
            assert event.fields["how"] in ("return", "restored")
            continue
        assert _cells(event) == {(row, col) for _, cells in [*added, *removed] for row, col in cells}
        assert event.fields["color"] == (added or removed)[0][0]
        assert event.name == ("placement" if kind == "move" else "dispute")
        assert kind == "move" or KIND[reason] in event.fields["kinds"]
    table.finish()
    last = [event for event in table.events if event.name in ("game_over", "unfinished")][-1]
    assert {color: score["squares_left"] for color, score in last.fields["scores"]["colors"].items()} == game["squares_left"]


@pytest.mark.parametrize("game", RENDERED, ids=lambda game: game["name"])
def test_lenient_differs_only_in_pieces_taken_back_before_the_next_colour_plays(game: dict[str, Any]) -> None:
    table, board = _begun(game, "lenient")
    for step in game["steps"]:
        names = [event.name for event in _step(table, board, step)]
        expected = {"move": "placement", "illegal": "dispute", "correction": "resolved"}[step[0]]
        assert expected in names or names in (["corrected"], ["placement"])


# -- reference games


def _watch(reference: ReferenceGame) -> Table:
    """The whole game by perfect sightings, with the legality of every ply checked."""
    options = reference.options
    table, board = Table(options), dict[Cell, str]()
    table.start(["." * options.rules.size] * options.rules.size)
    for number, ply in enumerate(reference.plies, 1):
        assert table.on_turn() == ply.color
        board |= dict.fromkeys(ply.cells, ply.color)
        first, *rest = table.observe(Sighting.sure(Change.between(table.standing(), board)))
        assert (first.name, first.fields["turn"], first.fields["color"], first.fields["piece"]) == (
            "placement",
            number,
            ply.color,
            ply.piece,
        )
        assert {event.name for event in rest} <= {"blocked", "finished", "skipped", "game_over"}
    return table


CASES = [(file, number) for file in GAMES_IN_FILE for number in range(3)]


@pytest.mark.parametrize(("file", "number"), CASES)
def test_a_reference_game_is_watched_to_its_end_with_the_reference_s_result(file: str, number: int) -> None:
    reference = next(islice(games(file), number, None))
    table = _watch(reference)
    over = table.events[-1]
    assert over.name == "game_over"
    colors = over.fields["scores"]["colors"]
    assert {color: score["squares_left"] for color, score in colors.items()} == reference.remaining
    assert {color: score["advanced"] for color, score in colors.items()} == reference.advanced
    retired = [event.fields["color"] for event in table.events if event.name in ("blocked", "finished")]
    assert sorted(retired) == sorted(reference.remaining)


def test_a_watched_game_looks_like_the_same_game_played_by_hand() -> None:
    reference = next(iter(games("junior")))
    watched, by_hand = _watch(reference), Table(reference.options)
    for ply in reference.plies:
        take_input(by_hand, "decision", {"decision": "place", "color": ply.color, "cells": [list(cell) for cell in sorted(ply.cells)]})
    seen, played = watched.state(), by_hand.state()
    assert {key: seen[key] for key in ("grid", "placements", "colors", "scores", "status")} == {
        key: played[key] for key in ("grid", "placements", "colors", "scores", "status")
    }


def test_skips_are_told_and_never_shift_the_numbering() -> None:
    table = _watch(next(iter(games("classic"))))
    turns = [event.fields["turn"] for event in table.events if event.name == "placement"]
    assert turns == list(range(1, len(turns) + 1))
    skipped = [event for event in table.events if event.name == "skipped"]
    assert skipped
    after_end = [event.name for event in table.events[-1:]]
    assert after_end == ["game_over"]


def test_the_grid_of_the_state_is_the_reference_s_final_board() -> None:
    reference = next(iter(games("duo")))
    grid = _watch(reference).state()["grid"]
    drawn = {(row, col): letter for row, line in enumerate(grid) for col, letter in enumerate(line) if letter != "."}
    assert drawn == {cell: COLOR_LETTER[ply.color] for ply in reference.plies for cell in ply.cells}
