"""`replay`: recorded games judged as if they were being played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from web.cli.loading import load_record
from web.cli.options import given_options, json_option
from web.cli.output import Printer, score_lines
from web.cli.program import Refusal, called, refusal_about

if TYPE_CHECKING:
    from referee.replay import Replay


@click.command(short_help="Judge recorded games.")
@click.argument("records", metavar="RECORD...", nargs=-1, required=True)
@json_option
@click.option("--counts", is_flag=True, help="Say with each placement how many legal ones its colour had before it.")
@given_options
def replay(records: tuple[str, ...], *, as_json: bool, counts: bool, given: Mapping[str, Any]) -> None:
    """Judge each RECORD as if it were being played: a .blksgf file, our own JSON, the ZIP of diagnostics, or the --db of a game.

    The first illegal move that nothing in the record settles ends the game in a dispute. Options of the game are the record's own;
    those given here are used instead, unless they contradict it. A damaged record is judged as far as it can be read and counts as
    unreadable (exit status 3, unless another RECORD was read).

    \b
    blokus-referee replay game.blksgf
    blokus-referee replay *.blksgf --json --counts
    blokus-referee replay game.json --scoring advanced
    blokus-referee replay blokus-diagnostics-game-3.zip
    """
    printer = Printer(as_json=as_json)
    failures = []
    for name in records:
        failure = _replayed(name, given, printer, counts=counts, is_named=len(records) > 1)
        if failure is not None:
            failures.append(failure)
            if len(records) > 1:
                printer.note(f"blokus-referee: {failure.message}")
    if len(failures) == len(records):
        raise failures[0] if len(records) == 1 else type(failures[0])("none of the records could be read to its end")


def _replayed(name: str, given: Mapping[str, Any], printer: Printer, *, counts: bool, is_named: bool) -> Refusal | None:
    """Print what a record tells; gives why it could not be read, or not to its end."""
    from referee.errors import RefereeError
    from referee.replay import replay as judge

    try:
        record = load_record(name, given)
        found = judge(record, counts=counts)
    except (Refusal, RefereeError) as error:
        return refusal_about(name, error)
    title = called(name)
    if is_named and not printer.as_json:
        printer.say(click.style(f"{title}: {record.options.rules.title}", underline=True))
    for event in found.events:
        printer.event(_as_told(event.as_json(), title if is_named else None, printer))
    _tell_the_end(found, printer)
    return Refusal(f"{title}: {record.damage}; what stands before it was judged") if record.damage else None


def _as_told(event: dict[str, Any], name: str | None, printer: Printer) -> dict[str, Any]:
    if not printer.as_json and "legal_count" in event:
        others = f"one of {event['legal_count']} legal placements" if event["legal_count"] > 1 else "the only legal placement"
        event["sentence"] += f" It was {others}."
    return event if name is None else {**event, "record": name}


def _tell_the_end(found: Replay, printer: Printer) -> None:
    """For people: where and why judging ended, and the squares so far."""
    if found.dispute is None or printer.as_json:
        return
    left = f"; {found.unplayed} later entries of the record were not judged" if found.unplayed else ""
    printer.say(f"    Judging ends with turn {found.table.state()['turn'] - 1}: nothing in the record settles this dispute{left}. So far:")
    for line in score_lines(found.table.state()["scores"]):
        printer.say(line)
