"""`circuit`: four games of the same four people added up."""

from __future__ import annotations

import json

import click

from web.cli.options import json_option
from web.cli.output import Printer
from web.cli.program import called, refusal_about
from web.cli.score import Counting
from web.cli.score_text import standings_lines


@click.command(short_help="Add up the four games of a circuit.")
@click.argument("games", metavar="IMAGE|RECORD|DB...", nargs=-1, required=True)
@click.option(
    "--players",
    required=True,
    metavar="NAME,NAME,NAME,NAME",
    help="Who plays blue, yellow, red and green in the first game, in this order.",
)
@json_option
def circuit(games: tuple[str, ...], *, players: str, as_json: bool) -> None:
    """Add up a circuit: up to four classic games, in the order played, each a picture of the final board or a record of the game.

    After each game everybody moves one seat clockwise, so that each person plays each colour once. The squares left in all four
    games are added; the lowest total wins.

    \b
    blokus-referee circuit game1.jpg game2.jpg game3.jpg game4.jpg --players Ann,Bea,Cem,Dan
    """
    from referee.session import Circuit

    printer = Printer(as_json=as_json)
    standing = Circuit(tuple(name.strip() for name in players.split(",")))
    counting = Counting(games, {})
    for number, name in enumerate(games, 1):
        try:
            tally = counting.tally(name)
            standing = standing.with_tally(tally)
        except Exception as error:
            raise refusal_about(name, error) from error
        if not tally.is_final:
            printer.note(f"Game {number} ({called(name)}) may still change: {tally.sentences[0]}")
    printer.result(json.dumps(standing.as_json()) if as_json else "\n".join(standings_lines(standing)) + "\n")
