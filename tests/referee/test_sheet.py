"""The score sheet: the log of moves with what happened between them, disputes and their ends, what was agreed, what lies there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.record import About, Record
from referee.sheet import LogLine, Sheet, remarks_on
from referee.variants import get_variant
from tests.referee import corpus
from tests.referee.boards import at
from tests.referee.test_tally import played_out
from tests.referee.watched import FIRST_ROUND, FOUL, GREEN, RED, SECOND_ROUND, YELLOW, Watched


def brief(line: LogLine) -> str:
    if line.turn is None:
        return f"{line.color} {line.what}"
    return f"{line.turn} {line.color} {line.piece} {line.ruling}"


def log(watched: Watched) -> list[str]:
    return [brief(line) for line in Sheet.of_table(watched.table).log]


@pytest.fixture
def fouled() -> Watched:
    """A table after the first round at which blue's second piece is a foul."""
    watched = Watched().play(*FIRST_ROUND)
    watched.put(FOUL)
    return watched


@pytest.mark.parametrize("file", [*corpus.GAMES_IN_FILE])
def test_the_log_holds_every_turn_and_its_skips(file: str) -> None:
    table = played_out(file)
    lines = Sheet.of_table(table).log
    game = next(corpus.games(file))
    assert [(line.color, line.piece) for line in lines if line.turn] == [(ply.color, ply.piece) for ply in game.plies]
    assert [line.turn for line in lines if line.turn] == list(range(1, len(game.plies) + 1))
    assert {line.color for line in lines if line.what in ("blocked", "finished")} == set(game.remaining)
    assert {line.color for line in lines if line.what == "finished"} == {color for color, squares in game.remaining.items() if squares == 0}
    told = [event.fields["color"] for event in table.events if event.name == "skipped"]
    assert [line.color for line in lines if line.what == "skipped"] == told
    assert not [line for line in lines if line.what == "lost"]


def test_a_move_is_told_with_person_squares_and_ruling() -> None:
    watched = Watched(players=["Ann", "Bea", "Cem", "Dan"]).play(*FIRST_ROUND)
    first = Sheet.of_table(watched.table).log[0]
    assert first == LogLine("move", 1, "blue", "Ann", "2", "a20 b20", "legal")


def test_the_shared_colour_is_played_by_the_three_in_rotation() -> None:
    table = played_out("classic_3", players=["X", "Y", "Z"])
    movers = [line.person for line in Sheet.of_table(table).log if line.color == "green" and line.turn]
    assert movers == [("X", "Y", "Z")[number % 3] for number in range(len(movers))]


def test_an_open_dispute_is_marked_in_the_log_and_listed_as_open(fouled: Watched) -> None:
    sheet = Sheet.of_table(fouled.table)
    assert brief(sheet.log[-1]) == "5 blue I3 illegal"
    assert "side" in sheet.log[-1].rules
    assert [(matter.after_turn, matter.end) for matter in sheet.matters] == [(4, "open")]
    assert sheet.disputed == at("c20 c19 c18")


def test_what_the_table_let_stand_is_a_house_decision(fouled: Watched) -> None:
    fouled.decide("resolve", id=1, how="let_stand", who="Ann")
    sheet = Sheet.of_table(fouled.table)
    assert brief(sheet.log[-1]) == "5 blue I3 let_stand"
    (matter,) = sheet.matters
    assert matter.is_house_decision
    assert matter.end == "the table lets it stand (Ann)"
    assert sheet.disputed == frozenset()


def test_a_piece_taken_back_leaves_no_move_but_its_dispute(fouled: Watched) -> None:
    fouled.take(FOUL)
    sheet = Sheet.of_table(fouled.table)
    assert len(sheet.log) == 4
    assert [matter.end for matter in sheet.matters] == ["the piece went back to its owner"]


def test_a_placement_undone_later_is_gone_from_the_log(fouled: Watched) -> None:
    fouled.put(YELLOW)
    fouled.decide("resolve", id=1, how="undo")
    assert log(fouled)[4:] == ["5 yellow I3 legal"]
    assert [matter.end for matter in Sheet.of_table(fouled.table).matters] == ["the placement was undone"]


def test_turns_passed_over_by_the_table_s_decision_are_lost() -> None:
    watched = Watched().play(*FIRST_ROUND)
    watched.put(RED)
    watched.decide("resolve", id=1, how="let_stand")
    watched.play(GREEN)
    assert log(watched)[4:] == ["blue lost", "yellow lost", "5 red I3 let_stand", "6 green I3 legal"]


def test_a_piece_of_a_retired_colour_costs_nobody_a_turn() -> None:
    """Blue has one piece, and puts down another when it is red's turn; the table lets it stand."""
    only = [name for name in get_variant("classic").pieces if name != "2"]
    watched = Watched(missing={"blue": only}).play(*FIRST_ROUND, YELLOW)
    watched.put("blue c19 d19")
    watched.decide("resolve", id=1, how="let_stand")
    watched.play(RED)
    assert log(watched)[:2] == ["1 blue 2 legal", "blue finished"]
    assert log(watched)[5:] == ["blue skipped", "5 yellow I3 legal", "6 blue 2 let_stand", "7 red I3 legal"]


def test_a_retired_colour_is_skipped_even_after_a_piece_of_its_own() -> None:
    only = [name for name in get_variant("classic").pieces if name != "2"]
    watched = Watched(missing={"blue": only}).play(*FIRST_ROUND)
    watched.put("blue c19 d19")
    watched.decide("resolve", id=1, how="let_stand")
    watched.play(YELLOW)
    assert log(watched)[5:] == ["5 blue 2 let_stand", "blue skipped", "6 yellow I3 legal"]


def test_making_up_for_an_undone_placement_costs_nobody_a_turn(fouled: Watched) -> None:
    fouled.put(YELLOW)
    fouled.decide("resolve", id=1, how="undo")
    fouled.take(FOUL)
    fouled.put(SECOND_ROUND[0])
    assert not [line for line in log(fouled) if line.endswith(("lost", "skipped"))]


def test_corrections_by_people_are_listed_and_those_of_the_camera_are_not() -> None:
    watched = Watched().play(*FIRST_ROUND)
    watched.swap(take=["green a1 b1"], put=["green a1 a2"])
    assert Sheet.of_table(watched.table).matters == ()
    watched.decide("correct", turn=1, now={"color": "blue", "cells": watched.cells("a20 a19")})
    (matter,) = Sheet.of_table(watched.table).matters
    assert matter.end == ""
    assert "turn 1" in matter.words


def test_pieces_that_lay_there_at_the_beginning_are_found_and_not_moves() -> None:
    watched = Watched().play(*FIRST_ROUND)
    later = Watched()
    later.table.start(watched.table.state()["grid"], start_anywhere=True)
    assert [line.what for line in Sheet.of_table(later.table).log] == ["found"] * 4


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "Turn order blue, yellow, red, green"),
        ({"order": None}, ""),
        ({"touch": "strict", "order": None}, "House rule: a legal piece stays where it was put"),
        ({"starts": "free", "order": None}, "Any free start corner"),
        ({"missing": {"blue": ["W", "1"]}, "order": None}, "Blue's set lacks W, 1 (6 of its squares)"),
    ],
)
def test_what_was_agreed_on_is_said_where_it_is_not_the_usual(options: dict[str, object], words: str) -> None:
    assert "; ".join(Sheet.of_table(Watched(**options).table).agreed) == words


def test_the_pieces_that_lie_there_cover_the_board_once(fouled: Watched) -> None:
    fouled.board[10, 10] = fouled.board[10, 11] = "red"
    fouled.look()
    sheet = Sheet.of_table(fouled.table)
    covered = [(cell, color) for color, cells in sheet.pieces for cell in cells]
    assert dict(covered) == dict(fouled.table.standing())
    assert len(covered) == len(dict(covered))


def test_a_record_gives_the_sheet_of_its_table_with_date_and_place() -> None:
    table = Watched().play(*FIRST_ROUND).table
    about = About("2026-11-30", "Hall", "League")
    record = Record.of(table, about)
    sheet = Sheet.of_table(record.table(), record.about)
    assert sheet.about == about
    assert [brief(line) for line in sheet.log] == [brief(line) for line in Sheet.of_table(table).log]


def test_a_record_that_breaks_off_says_so() -> None:
    record = Record.of(Watched().play(*FIRST_ROUND).table)
    assert remarks_on(record) == ()
    assert remarks_on(replace(record, damage="the file ends", unplayed=1)) == (
        "The record could be read only in part: the file ends.",
        "1 move of the record after its first wrong placement is not counted.",
    )
