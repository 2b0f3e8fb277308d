"""Recorded games as JSON: everything the game had, or written by hand as a list of moves.

    {"format": "blokus-referee game", "version": 1, "options": {...}, "about": {...}, "inputs": [[kind, {...}], ...], "events": [...],
     "moves": [...], "scores": {...}}

`moves` and `scores` are what the inputs lead to, written for other programs and not read when there are inputs. By hand `options` and
`moves` will do: `{"options": {"variant": "duo"}, "moves": [{"color": "purple", "cells": [[4, 4]]}, {"color": "orange", "cells": ["j5"]}]}`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from referee.cells import Cell, Cells, parse_cell_name
from referee.errors import RecordError
from referee.events import Event
from referee.json_text import JsonTextError, parse_json
from referee.options import GameOptions
from referee.pieces import identify
from referee.plain_text import plain_lines
from referee.record import INPUT_KINDS, UNREADABLE, About, Input, Record, agreed, first_look, move, played

FORMAT = "blokus-referee game"
VERSION = 1
"""The number of the layout; a program refuses layouts newer than its own."""

MOST_INPUTS = 100_000
"""Looks and decisions of a game; a camera that looks every second for a day gives fewer."""


def record_as_json(record: Record) -> dict[str, Any]:
    """The record as JSON values; `record_from_json` reads them back.

    Raises:
        RecordError: the record cannot be replayed.
    """
    state = record.table().state()
    kept = ("turn", "color", "piece", "cells", "ruling", "found", "kinds")
    return {
        "format": FORMAT,
        "version": VERSION,
        "about": {name: text for name, text in asdict(record.about).items() if text},
        "options": record.options.as_json(),
        "inputs": [[kind, dict(value)] for kind, value in record.inputs],
        "events": [event.as_json() for event in record.events],
        "moves": [{name: placement[name] for name in kept} for placement in state["placements"]],
        "status": state["status"],
        "scores": state["scores"],
        **({"damage": record.damage} if record.damage else {}),
        **({"unplayed": record.unplayed} if record.unplayed else {}),
    }


def record_as_text(record: Record) -> str:
    """The record as a JSON text, one input, event and move a line.

    Raises:
        RecordError: the record cannot be replayed.
    """
    parts = (f"{json.dumps(key)}: {_lines(value)}" for key, value in record_as_json(record).items())
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines(value: Any) -> str:
    if not isinstance(value, list) or not value:
        return json.dumps(value)
    return "[\n" + ",\n".join(map(json.dumps, value)) + "\n]"


def record_from_text(data: bytes, given: Mapping[str, Any] | None = None) -> Record:
    """The record of a JSON text in UTF-8; `given` are options to use instead of its own.

    Raises:
        RecordError: it is no JSON, or none of this form.
        OptionsError, UnknownNameError: `given` contradicts it.
    """
    try:
        value = parse_json(data)
    except JsonTextError as error:
        if data.lstrip().startswith(b'{"event"'):
            raise RecordError("it holds the events that a command told, one a line, and no recorded game") from error
        raise RecordError(str(error)) from error
    return record_from_json(value, given)


def record_from_json(value: Any, given: Mapping[str, Any] | None = None) -> Record:
    """The record of the values of `record_as_json`, or of a game written by hand.

    The inputs are not tried here; a record of moves alone is played as far as the first illegal one.

    Raises:
        RecordError: it is none of these.
        OptionsError, UnknownNameError: `given` contradicts it.
    """
    if not isinstance(value, Mapping) or not {"inputs", "moves"} & value.keys():
        raise RecordError('a recorded game is a JSON object with "options" and "moves" or "inputs"')
    _check_format(value)
    options, about = _options(value, given or {}), _about(_object(value, "about"))
    if "inputs" not in value:
        moves = _moves(_list(value, "moves"), options)
        return played(options, [first_look(options, _list(value, "grid"), value.get("next")), *moves], about)
    inputs = tuple(_input(item, number) for number, item in enumerate(_list(value, "inputs"), 1))
    events = tuple(map(_event, _list(value, "events")))
    return Record(options, inputs, events, about, *_rest(value.get("damage", ""), value.get("unplayed", 0)))


def _check_format(value: Mapping[str, Any]) -> None:
    if value.get("format", FORMAT) != FORMAT:
        raise RecordError(f'"format" is {FORMAT!r} in records of this program')
    version = value.get("version", VERSION)
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise RecordError('"version" is a whole number from 1 up')
    if version > VERSION:
        raise RecordError("it was written by a newer version of this program; use that one")


def _options(value: Mapping[str, Any], given: Mapping[str, Any]) -> GameOptions:
    """The options of a record, with those given; a game written by hand may have them beside its moves, and leave any out."""
    beside = {field.name: value[field.name] for field in fields(GameOptions) if field.name in value}
    said = {name: item for name, item in {**_object(value, "options"), **beside}.items() if item is not None}
    try:
        options = GameOptions.from_json(said)
    except UNREADABLE as error:
        raise RecordError(f"the options of the game cannot be read: {error}") from error
    left_open = {name: given[name] for name in ("variant", "order", "starts") if name in given and name not in said}
    return agreed(GameOptions.from_json({**said, **left_open}) if left_open else options, given)


def _about(value: Mapping[str, Any]) -> About:
    texts = {field.name: value.get(field.name, "") for field in fields(About)}
    if not all(isinstance(text, str) for text in texts.values()):
        raise RecordError(f'"about" holds texts: {", ".join(texts)}')
    return About(**{name: plain_lines(text) for name, text in texts.items()})


def _object(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = {} if value.get(key) is None else value[key]
    if not isinstance(found, Mapping):
        raise RecordError(f'"{key}" is a JSON object')
    return found


def _list(value: Mapping[str, Any], key: str) -> Sequence[Any]:
    found = [] if value.get(key) is None else value[key]
    if not isinstance(found, list) or len(found) > MOST_INPUTS:
        raise RecordError(f'"{key}" is a list of at most {MOST_INPUTS} items')
    return found


def _input(item: Any, number: int) -> Input:
    if not isinstance(item, list) or len(item) != 2 or item[0] not in INPUT_KINDS or not isinstance(item[1], Mapping):
        raise RecordError(f"input {number} is no pair of one of {', '.join(INPUT_KINDS)} and a JSON object")
    return item[0], item[1]


def _event(item: Any) -> Event:
    if not isinstance(item, Mapping) or not isinstance(item.get("event"), str) or not isinstance(item.get("sentence"), str):
        raise RecordError('an event is a JSON object with the texts "event" and "sentence"')
    return Event.from_json(item)


def _rest(damage: Any, unplayed: Any) -> tuple[str, int]:
    """What is said of moves that are not among the inputs."""
    if not isinstance(damage, str) or isinstance(unplayed, bool) or not isinstance(unplayed, int):
        raise RecordError('"damage" is a text and "unplayed" a number of moves')
    return damage, unplayed


def _moves(items: Sequence[Any], options: GameOptions) -> list[Input]:
    return [_move(item, number, options) for number, item in enumerate(items, 1)]


def _move(item: Any, number: int, options: GameOptions) -> Input:
    if not isinstance(item, Mapping) or not isinstance(item.get("color"), str) or not isinstance(item.get("cells"), list):
        raise RecordError(f'move {number} is no {{"color": ..., "cells": [[row, col], ...]}}')
    try:
        cells = [_cell(cell, options.rules.size) for cell in item["cells"]]
    except UNREADABLE as error:
        raise RecordError(f"move {number}: {error}") from error
    if len(set(cells)) < len(cells):
        raise RecordError(f"move {number} names a cell twice")
    _check_piece(item.get("piece"), frozenset(cells), number)
    return move(item["color"], frozenset(cells))


def _cell(value: Any, size: int) -> Cell:
    if isinstance(value, str):
        return parse_cell_name(value, size)
    if not isinstance(value, list) or len(value) != 2 or not all(type(place) is int for place in value):
        raise RecordError("a cell is a name like a1, or [row, col]")
    return value[0], value[1]


def _check_piece(said: Any, cells: Cells, number: int) -> None:
    """Refuse a move whose piece is called otherwise than its cells are: nobody knows which of the two is wrong."""
    found = identify(cells)
    if said not in (None, found):
        raise RecordError(f"move {number} is called {str(said)[:10]!r}, but its cells make {f'a {found}' if found else 'no piece'}")
