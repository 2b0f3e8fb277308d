"""A recorded game: what was agreed on, everything that went into the table, and what was told then; read from JSON and written to it.

A record is not judged where it is kept: replaying it gives the table, because a table is deterministic. What the people decided is
among the inputs, so house decisions, corrections and lost pieces survive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.cells import EMPTY, Cells
from referee.errors import OptionsError, RecordError, RefereeError
from referee.events import Event, cell_list
from referee.options import GameOptions
from referee.sightings import Sighting
from referee.table import Table

__all__ = ["INPUT_KINDS", "About", "Input", "Record", "RecordError", "take_input"]

INPUT_KINDS = ("start", "sighting", "decision", "finish")
"""The kinds of inputs of a table."""

Input = tuple[str, Mapping[str, Any]]
"""The kind of an input of a table, and its JSON."""


@dataclass(frozen=True)
class About:
    """What people may write about a game; texts, empty when unknown.

    Attributes:
        date: the day it began, YYYY-MM-DD.
        place: where it was played.
        event: on what occasion.
        comment: anything else.
    """

    date: str = ""
    place: str = ""
    event: str = ""
    comment: str = ""


@dataclass(frozen=True)
class Record:
    """A recorded game.

    Attributes:
        options: what was agreed on before the first look.
        inputs: everything that went into the table, in order.
        events: what was told then; empty when nobody wrote it down.
        about: date, place and the like.
        damage: why the record could not be read any further, empty when it was read to its end.
        unplayed: how many moves follow the first illegal one in a record of moves alone; nobody decided anything about it, so they
            are no part of the inputs.
    """

    options: GameOptions
    inputs: tuple[Input, ...] = ()
    events: tuple[Event, ...] = ()
    about: About = About()
    damage: str = ""
    unplayed: int = 0

    @staticmethod
    def of(table: Table, about: About | None = None) -> Record:
        """The record of a table, in a journal or not; tables with other settings than the usual are not recorded as such."""
        return Record(table.first_options, tuple(table.inputs), tuple(table.events), about or About())

    def table(self) -> Table:
        """The table after the whole record, worked out anew at each call; its events are those of today's rules.

        Raises:
            RecordError: an input cannot be understood, or does not go with those before it.
        """
        table = Table(self.options)
        for _ in self.replay(table):
            pass
        return table

    def replay(self, table: Table) -> Iterator[list[Event]]:
        """Give a new table the inputs, one after the other; gives the events of each.

        Raises:
            RecordError: as `table`.
        """
        for number, (kind, value) in enumerate(self.inputs, 1):
            try:
                events = take_input(table, kind, value)
            except UNREADABLE as error:
                raise RecordError(f"input {number} cannot be replayed: {_reason(error)}") from error
            yield events

    def with_options(self, given: Mapping[str, Any]) -> Record:
        """The record with other options of the game, by the names of `GameOptions`.

        Raises:
            OptionsError, UnknownNameError: they contradict the record: another variant, or an order or starts that it says otherwise.
        """
        return replace(self, options=agreed(self.options, given)) if given else self


def played(options: GameOptions, inputs: Sequence[Input], about: About | None = None, damage: str = "") -> Record:
    """The record of a game in which nobody decided about fouls: it ends with the first dispute, or before an input that is refused.

    Args:
        options: what was agreed on.
        inputs: a first look, then moves.
        about: date, place and the like.
        damage: why there are no further inputs, when that is a fault.

    Raises:
        RecordError: not even the first move can be read.
    """
    table, about = Table(options), about or About()
    for done, (kind, value) in enumerate(inputs):
        try:
            events = take_input(table, kind, value)
        except UNREADABLE as error:
            where = f"move {sum(before == 'decision' for before, _ in inputs[: done + 1])}" if kind == "decision" else "where it begins"
            damage = f"{where}: {_reason(error)}"
            return _worth_keeping(Record(options, tuple(inputs[:done]), about=about, damage=damage))
        if any(event.name == "dispute" for event in events):
            return Record(options, tuple(inputs[: done + 1]), about=about, unplayed=len(inputs) - done - 1)
    return _worth_keeping(Record(options, tuple(inputs), about=about, damage=damage))


def _worth_keeping(record: Record) -> Record:
    """The record, when it is whole or a piece lies on its board."""
    if record.damage and not record.table().standing():
        raise RecordError(record.damage)
    return record


def first_look(options: GameOptions, grid: Sequence[str] | None = None, next_color: str | None = None) -> Input:
    """The input for a game that begins with an empty board, or with the position of a grid, one string a row."""
    size = options.rules.size
    return "start", {"grid": [*(grid or [EMPTY * size] * size)], "start_anywhere": True, "next_color": next_color}


def move(color: str, cells: Cells) -> Input:
    """The input for a piece that was put down."""
    return "decision", {"decision": "place", "color": color, "cells": cell_list(cells)}


UNREADABLE = (RefereeError, ValueError, TypeError, KeyError, AttributeError, IndexError, ArithmeticError, RecursionError)
"""What reading values of unknown origin may raise where nothing has checked them yet."""


def take_input(table: Table, kind: str, value: Mapping[str, Any]) -> list[Event]:
    """Give one input of a journal to a table; gives the events.

    Raises:
        RefereeError: the table refuses it.
    """
    if kind == "start":
        return table.start(**value)
    if kind == "sighting":
        return table.observe(Sighting.from_json(value))
    if kind == "decision":
        return table.decide(value)
    return table.finish(**value)


def agreed(options: GameOptions, given: Mapping[str, Any]) -> GameOptions:
    """The options of a recorded game, with those given now in place of its own.

    Raises:
        OptionsError, UnknownNameError: they contradict the record (variant, turn order, starts) or each other.
    """
    starts = "seated" if options.starts == "assigned" else options.starts
    for name, said in (("variant", options.variant), ("order", options.order_used), ("starts", starts)):
        wanted = given.get(name)
        if None not in (said, wanted) and said != wanted:
            raise OptionsError(f"the recorded game has the {name} {_listed(said)}, not {_listed(wanted)}; leave --{name} out")
    return GameOptions.from_json({**options.as_json(), **{name: value for name, value in given.items() if name != "starts"}})


def _listed(value: Any) -> str:
    return value if isinstance(value, str) else ",".join(value)


def _reason(error: Exception) -> str:
    """The error in words: the program's own say it, others only name what they stumbled over."""
    if isinstance(error, RefereeError):
        return str(error)
    return f"{error} is missing in it" if isinstance(error, KeyError) else "its values are not those that belong there"
