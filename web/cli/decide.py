"""`decide`: what the people decide, from a script or a shell instead of the page."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import Any

import click

from web.cli.games import open_journal
from web.cli.options import Keeping, db_option, json_option
from web.cli.output import Printer


@click.command(short_help="Carry out a decision of the people.")
@click.argument("decision")
@db_option
@json_option
def decide(decision: str, *, db: str, table: str | None, as_json: bool) -> None:
    """Carry out DECISION, a JSON object, in the game kept in --db, and print what it causes. `-` reads it from standard input.

    A page or a camera that has the same game open goes on with it from there.

    \b
    blokus-referee decide --db game.db '{"decision": "resolve", "id": 1, "how": "let_stand"}'
    blokus-referee decide --db game.db '{"decision": "correct", "turn": 5, "now": null}'
    """
    from web.live import LiveGame

    wanted = _as_object(sys.stdin.read() if decision == "-" else decision)
    printer = Printer(as_json=as_json)
    with closing(open_journal(Keeping(db, table), must_exist=True)) as journal:
        for event in LiveGame.open(journal).decide(wanted):
            printer.event(event.as_json())


def _as_object(text: str) -> dict[str, Any]:
    from referee.json_text import JsonTextError, parse_json

    try:
        value = parse_json(text.encode(errors="surrogateescape"))  # as the shell gave it: what is no UTF-8 is told
    except JsonTextError as error:
        raise click.BadParameter(str(error), param_hint="DECISION") from None
    if not isinstance(value, dict):
        raise click.BadParameter('a JSON object is wanted, like {"decision": "undo"}', param_hint="DECISION")
    return value
