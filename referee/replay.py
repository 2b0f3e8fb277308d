"""A recorded game judged anew, from its beginning to its end or to the first dispute that nothing in the record settles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from referee.events import Event
from referee.record import Record
from referee.table import Table


@dataclass(frozen=True)
class Replay:
    """What judging a recorded game gives.

    Attributes:
        table: the table where it ends.
        events: what it tells, without frames and times; placements with `legal_count` where that was asked for.
        dispute: the dispute it ends in, its last event; None when the record goes on to its end.
        unplayed: how many inputs follow that dispute.
    """

    table: Table
    events: tuple[Event, ...]
    dispute: Event | None = None
    unplayed: int = 0


def replay(record: Record, *, counts: bool = False) -> Replay:
    """Judge a recorded game as if it were being played; a game that does not end is `unfinished`.

    With `counts` each placement says as `legal_count` how many different legal placements its colour had before it.

    Raises:
        RecordError: an input cannot be understood.
    """
    table = Table(record.options)
    steps = list(_steps(record, table, counts=counts))
    end = _first_unsettled(table, steps)
    if end is None:
        return Replay(table, tuple(_timeless([*_joined(steps), *table.finish()])))
    step, place = end
    if step + 1 < len(steps):
        table = replace(record, inputs=record.inputs[: step + 1]).table()
    events = tuple(_timeless([*_joined(steps[:step]), *steps[step][: place + 1]]))
    return Replay(table, events, events[-1], len(steps) - step - 1 + record.unplayed)


def _steps(record: Record, table: Table, *, counts: bool) -> Iterator[list[Event]]:
    for events in record.replay(table):
        yield [_counted(event, table) for event in events] if counts else events


def _counted(event: Event, table: Table) -> Event:
    if event.name != "placement":
        return event
    return replace(event, fields={**event.fields, "legal_count": table.legal_count_before(event.fields["turn"])})


def _first_unsettled(table: Table, steps: list[list[Event]]) -> tuple[int, int] | None:
    """Where the first dispute was told that is still open at the end: the input and the place among its events; None without any."""
    still_open = {dispute["id"] for dispute in table.state()["disputes"]}
    for step, events in enumerate(steps):
        for place, event in enumerate(events):
            if event.name == "dispute" and event.fields["id"] in still_open:
                return step, place
    return None


def _joined(steps: Iterable[list[Event]]) -> Iterator[Event]:
    return (event for events in steps for event in events)


def _timeless(events: Iterable[Event]) -> Iterator[Event]:
    """The events as told where nobody watches."""
    return (replace(event, frame=None, seen_frame=None, time_s=None) for event in events)
