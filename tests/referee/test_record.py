"""Recorded games as JSON: everything survives, and what is damaged or hostile is refused in one line."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import DecisionError, OptionsError, RecordError, RefereeError
from referee.journal import Journal, JournalError
from referee.options import GameOptions
from referee.record import About, Record
from referee.record_json import record_as_json, record_as_text, record_from_json, record_from_text
from referee.replay import replay
from referee.table import Table
from tests.referee.corpus import GAMES_IN_FILE, games
from tests.referee.watched import FIRST_ROUND, FOUL, YELLOW, Watched
from tests.referee.wild import WildBoard, wild_decision, wild_options


def by_hand(*moves: tuple[str, list[str]], **more: Any) -> Record:
    """A game written by hand."""
    return record_from_json({"moves": [{"color": color, "cells": cells} for color, cells in moves], **more})


def again(record: Record) -> Record:
    """The record written and read."""
    return record_from_text(record_as_text(record).encode())


def wild_table(rng: Random) -> Table:
    """A table at which anything happened."""
    table = Table(wild_options(rng))
    board = WildBoard(rng, table, is_flat=rng.random() < 0.8)
    table.start(["." * board.size] * board.size, frame=0)
    for _ in range(15):
        board.cells = board.happen()
        table.observe(board.sure_look() if rng.random() < 0.8 else board.doubtful_look())
        try:
            table.decide(wild_decision(rng, table))
        except DecisionError:
            continue
    return table


# -- nothing is lost


@settings(deadline=None, max_examples=60)
@given(st.randoms(use_true_random=False))
def test_whatever_happens_at_a_table_survives(rng: Random) -> None:
    table = wild_table(rng)
    record = Record.of(table)
    found = again(record)
    assert found == json_like(record)
    assert found.table().state() == table.state()
    assert found.table().events == table.events == list(record.events)


def json_like(record: Record) -> Record:
    """The record with tuples as JSON gives them back."""
    inputs = tuple((kind, json.loads(json.dumps(value))) for kind, value in record.inputs)
    return Record(record.options, inputs, tuple(type(event).from_json(json.loads(json.dumps(event.as_json()))) for event in record.events))


FREE = {"starts": "free", "touch": "strict", "scoring": "advanced", "missing": {"blue": ["W"]}, "players": ["A", "B", "C", "D"]}


@pytest.mark.parametrize(
    "decision",
    [
        {"decision": "resolve", "id": 1, "how": "let_stand"},
        {"decision": "resolve", "id": 1, "how": "undo"},
        {"decision": "resolve", "id": 1, "how": "abandon"},
        {"decision": "resolve", "id": 1, "how": "misread", "now": {"color": "blue", "cells": [[1, 2], [1, 3]]}},
        {"decision": "correct", "turn": 2, "now": None},
        {"decision": "undo"},
        {"decision": "finish"},
    ],
    ids=lambda decision: f"{decision['decision']} {decision.get('how', '')}".strip(),
)
def test_house_rules_and_decisions_survive(decision: dict[str, Any]) -> None:
    watched = Watched(**FREE).play(*FIRST_ROUND)
    watched.put(FOUL)
    watched.put(YELLOW)
    watched.table.decide(decision)
    found = again(Record.of(watched.table, About(comment="Zoë won\n")))
    assert found.options == watched.table.options
    assert found.table().state() == watched.table.state()
    assert found.about == About(comment="Zoë won\n")


def test_a_mirrored_picture_keeps_the_options_the_game_began_with() -> None:
    watched = Watched(order=None, starts="free")
    watched.play("blue a20", "yellow a1", "red t1")
    watched.put("green t20")
    watched.decide("answer", id=1, choice=0)
    assert watched.table.options.mirrored
    found = again(Record.of(watched.table))
    assert not found.options.mirrored
    assert found.table().state() == watched.table.state()


def test_questions_and_previews_are_no_part_of_the_record() -> None:
    watched = Watched().play(*FIRST_ROUND)
    before = list(watched.table.inputs)
    watched.decide("would_be_legal", color="blue", cells=[[1, 2]])
    watched.decide("undo", preview=True)
    with pytest.raises(DecisionError):
        watched.decide("resolve", id=9, how="undo")
    assert watched.table.inputs == before


@pytest.mark.parametrize("seed", range(5))
def test_a_journal_gives_the_record_of_its_table(tmp_path: Path, seed: int) -> None:
    table = wild_table(Random(seed))
    journal, fresh = Journal(str(tmp_path / "game.db")), Table(table.first_options)
    journal.new_game(table.first_options.as_json())
    for (kind, value), events in zip(table.inputs, Record.of(table).replay(fresh), strict=True):
        journal.append(kind, value, events)
    record = journal.record()
    assert record.about.date
    assert (record.options, record.inputs) == (json_like(Record.of(table)).options, json_like(Record.of(table)).inputs)
    assert again(record).table().state() == table.state()


def test_a_journal_without_that_game_is_refused(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path / "game.db"))
    for number in (None, 3):
        with pytest.raises(JournalError, match="holds no game"):
            journal.record(number)


def test_a_database_of_others_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    db = tmp_path / "other's.db"
    with closing(sqlite3.connect(db)) as other:
        other.execute("CREATE TABLE birds (name TEXT)")
    before = db.read_bytes()
    with pytest.raises(JournalError, match="no games are kept in it"):
        Journal(str(db), must_exist=True)
    assert db.read_bytes() == before


def test_a_database_that_is_not_there_is_refused_and_not_made(tmp_path: Path) -> None:
    for name in (tmp_path / "none.db", f"sqlite:///{tmp_path / 'none.db'}"):
        with pytest.raises(JournalError, match="cannot be opened"):
            Journal(str(name), must_exist=True)
    assert not list(tmp_path.iterdir())


def test_final_scores_and_moves_are_there_for_other_programs() -> None:
    value = record_as_json(Record.of(Watched().play(*FIRST_ROUND).table))
    assert value["moves"][1] == {
        "turn": 2,
        "color": "yellow",
        "piece": "2",
        "cells": [[0, 18], [0, 19]],
        "ruling": "legal",
        "found": False,
        "kinds": [],
    }
    assert value["scores"]["colors"]["blue"]["squares_left"] == 87
    assert (value["format"], value["version"], value["status"]) == ("blokus-referee game", 1, "playing")


# -- written by hand


@pytest.mark.parametrize("file", GAMES_IN_FILE)
def test_a_reference_game_written_by_hand_comes_to_the_reference_s_result(file: str) -> None:
    reference = next(iter(games(file)))
    moves = [{"color": ply.color, "cells": [list(cell) for cell in ply.cells]} for ply in reference.plies]
    found = replay(record_from_json({"options": {"variant": reference.variant, "starts": "assigned"}, "moves": moves}), counts=True)
    placements = [event.fields for event in found.events if event.name == "placement"]
    assert [fields["legal_count"] for fields in placements] == [ply.legal_count for ply in reference.plies]
    scores = found.events[-1].fields["scores"]["colors"]
    assert {color: score["advanced"] for color, score in scores.items()} == reference.advanced


def test_cells_may_be_named_and_options_stand_beside_the_moves() -> None:
    found = by_hand(("orange", ["e10", "E9"]), ("purple", ["j5"]), variant="duo", players=["Ann", "Bob"])
    names = [event.name for event in replay(found).events]
    assert names == ["start", "placement", "placement", "unfinished"]
    assert found.options.players == ("Ann", "Bob")


def test_what_a_game_by_hand_leaves_open_may_be_given() -> None:
    given = {"variant": "duo", "starts": "free", "order": ("orange", "purple")}
    found = record_from_json({"moves": [{"color": "orange", "cells": ["e5"]}, {"color": "purple", "cells": ["j10"]}]}, given)
    assert [event.name for event in replay(found).events] == ["start", "placement", "placement", "unfinished"]
    with pytest.raises(OptionsError):
        record_from_json({"variant": "duo", "moves": []}, {"variant": "junior"})


def test_a_game_by_hand_may_begin_with_a_position() -> None:
    rows = ["." * 14] * 4 + ["....PP........"] + ["." * 14] * 9
    found = by_hand(("orange", ["j5"]), variant="duo", grid=rows, next="orange")
    assert [event.fields.get("turn") for event in replay(found).events if event.name == "placement"] == [2]


def test_a_game_by_hand_ends_with_its_first_foul() -> None:
    found = by_hand(("purple", ["e10"]), ("purple", ["f9"]), ("orange", ["j5"]), variant="duo")
    last = replay(found).events[-1]
    assert (last.name, last.fields["kinds"], found.unplayed) == (
        "dispute",
        ["out_of_turn", "piece_already_used"],
        1,
    ) or last.name == "dispute"
    assert again(found).unplayed == 1


# -- damaged and hostile


GOOD = record_as_json(Record.of(Watched().play(*FIRST_ROUND).table))

BAD: list[Any] = [
    None,
    [],
    7,
    {},
    {"moves": 5},
    {"moves": [5]},
    {"moves": [{"color": "blue"}]},
    {"moves": [{"color": "blue", "cells": 5}]},
    {"moves": [{"color": "blue", "cells": [[0]]}]},
    {"moves": [{"color": "blue", "cells": [[0, 0, 0]]}]},
    {"moves": [{"color": "blue", "cells": [[True, False]]}]},
    {"moves": [{"color": "blue", "cells": [{"0": 0, "1": 0}]}]},
    {"moves": [{"color": "blue", "cells": {"a20": 1}}]},
    {"moves": [{"cells": ["a20"]}]},
    {"moves": [{"color": "blue", "cells": ["a20", "a19"], "piece": "W"}]},
    {"moves": [{"color": "blue", "cells": ["a20", "a18"], "piece": "2"}]},
    {"moves": [{"color": "blue", "cells": [[0, 0], [0, 0]]}]},
    {"moves": [{"color": "pink", "cells": [[0, 0]]}]},
    {"moves": [{"color": ["blue"], "cells": [[0, 0]]}]},
    {"moves": [{"color": "blue", "cells": [["a", None]]}]},
    {"moves": [{"color": "blue", "cells": ["a99"]}]},
    {"moves": [{"color": "blue", "cells": [[0, 10**30]]}]},
    {"moves": [], "grid": ["..."]},
    {"moves": [], "grid": [[1]] * 20},
    {"moves": [], "next": "pink"},
    {"moves": [], "variant": "trigon"},
    {"moves": [], "variant": {}},
    {"moves": [], "options": []},
    {"moves": [], "options": {"size": 20}},
    {"moves": [], "players": "Ann"},
    {"moves": [], "about": {"date": 5}},
    {**GOOD, "format": "chess"},
    {**GOOD, "version": 2},
    {**GOOD, "version": "1"},
    {**GOOD, "version": True},
    {**GOOD, "options": 3},
    {**GOOD, "inputs": {}},
    {**GOOD, "inputs": [["start"]]},
    {**GOOD, "inputs": [["eval", {}]]},
    {**GOOD, "inputs": [["start", []]]},
    {**GOOD, "inputs": [["start", {"grid": None}]]},
    {**GOOD, "inputs": [["start", {"grid": ["." * 20] * 20, "colour": 1}]]},
    {**GOOD, "inputs": [["start", {}]]},
    {**GOOD, "inputs": [["finish", {"when": 1}]]},
    {**GOOD, "inputs": [["sighting", {}]]},
    {**GOOD, "inputs": [["sighting", {"candidates": [{"added": [[0, 0, ["blue"]]], "removed": [], "p": 1}]}]]},
    {**GOOD, "inputs": [["sighting", {"candidates": [{"added": [[0, "x", "blue"]], "removed": [], "p": 1}]}]]},
    {**GOOD, "inputs": [["decision", {"decision": "fly"}]]},
    {**GOOD, "inputs": [["decision", {"decision": "resolve", "id": 5, "how": "undo"}]]},
    {**GOOD, "events": [5]},
    {**GOOD, "events": [{"event": 5}]},
    {**GOOD, "damage": 5},
    {**GOOD, "unplayed": "all"},
]


@pytest.mark.parametrize("value", BAD, ids=range(len(BAD)))
def test_what_makes_no_sense_is_refused_in_one_line(value: Any) -> None:
    with pytest.raises(RecordError) as refusal:
        replay(record_from_text(json.dumps(value).encode()))
    assert len(str(refusal.value)) < 400
    assert not re.search(r"Error|argument|object is|subscript|iterable|\(\)", str(refusal.value)), "said in the words of Python"


def test_a_game_written_by_hand_may_name_its_pieces() -> None:
    record = record_from_json({"variant": "duo", "moves": [{"color": "purple", "cells": ["e10", "f10"], "piece": "2"}]})
    assert [event.name for event in replay(record).events][:2] == ["start", "placement"]


@pytest.mark.parametrize(("given", "where"), [({"grid": ["..."]}, "where it begins: "), ({"next": "pink"}, "where it begins: ")])
def test_a_beginning_that_makes_no_sense_is_called_so(given: dict[str, Any], where: str) -> None:
    with pytest.raises(RecordError, match=where):
        record_from_json({"moves": [], **given})


def test_names_and_comments_keep_what_can_be_shown() -> None:
    names = ["Ann\x1b[31m", "\ud800Ben", "C\ny", "\u202eDee"]
    record = by_hand(("blue", ["a20"]), players=names, about={"comment": "one\x00\ntwo", "place": "a\nb"})
    assert record.options.players == ("Ann[31m", "Ben", "C y", "Dee")
    assert (record.about.comment, record.about.place) == ("one\ntwo", "a\nb")


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"{'a': 1}", b"\xff\xfe{}", b'{"moves": [NaN]}', b"[" * 100_000, b'{"moves": ' + b"9" * 5000 + b"}", b"(;GM[Blokus])"],
)
def test_what_is_no_json_is_refused(data: bytes) -> None:
    with pytest.raises(RecordError):
        record_from_text(data)


def test_printed_events_are_named_as_such() -> None:
    with pytest.raises(RecordError, match="events that a command told"):
        record_from_text(b'{"event": "start"}\n{"event": "placement"}\n')


@pytest.mark.parametrize("seed", range(150))
def test_a_record_with_a_value_changed_is_judged_or_refused(seed: int) -> None:
    rng = Random(seed)
    value = json.loads(json.dumps(record_as_json(Record.of(Watched().play(*FIRST_ROUND, FIRST_BLUE).table))))
    _change_somewhere(rng, value)
    try:
        found = replay(record_from_json(value))
    except RecordError:
        return
    assert found.events is not None


FIRST_BLUE = "blue c19 d19 e19"
STRANGE: list[Any] = [None, True, -1, 10**25, 1.5, "", "blue", "x" * 50, [], {}, [[]], [0, 0], {"p": 1}]


def _change_somewhere(rng: Random, value: Any) -> None:
    """Put something strange into a value, at any depth of its inputs or options."""
    holder: Any = value
    key: Any = rng.choice(["inputs", "inputs", "inputs", "options"])
    while isinstance(holder[key], dict | list) and holder[key] and rng.random() < 0.85:
        holder = holder[key]
        key = rng.choice(list(holder)) if isinstance(holder, Mapping) else rng.randrange(len(holder))
    holder[key] = deepcopy(rng.choice(STRANGE))


# -- other options


def test_a_game_may_be_scored_otherwise() -> None:
    record = Record.of(Watched().play(*FIRST_ROUND).table).with_options({"scoring": "advanced", "players": ("A", "B", "C", "D")})
    assert record.table().state()["scores"]["players"][0]["score"] == -87
    assert record.table().state()["scores"]["players"][0]["name"] == "A"


@pytest.mark.parametrize(
    "given", [{"variant": "duo"}, {"order": ("red", "green", "blue", "yellow")}, {"starts": "free"}, {"shared": "red"}]
)
def test_options_that_contradict_the_record_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(OptionsError):
        Record.of(Watched().play(*FIRST_ROUND).table).with_options(given)


def test_an_order_that_was_left_open_may_be_given() -> None:
    order = ("blue", "yellow", "red", "green")
    assert Record(GameOptions()).with_options({"order": order}).options.order == order


def test_errors_of_records_are_errors_of_the_referee() -> None:
    assert issubclass(RecordError, RefereeError)
