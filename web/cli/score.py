"""`score`: the result of a game, from a picture of its board or from its record."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.cli.options import given_options, json_option
from web.cli.output import Printer
from web.cli.program import NOTHING_READ, Misuse, Refusal, called, refusal_about
from web.cli.reading import Order, Outcome, read_all, usual_jobs
from web.cli.recorded import game_option, open_record
from web.cli.score_text import describe

if TYPE_CHECKING:
    from referee.options import GameOptions
    from referee.tally import Tally

RECORD_SUFFIXES = (".blksgf", ".json", ".db", ".sqlite", ".sqlite3")
"""What is taken for a recorded game in a folder, where pictures and other things may lie beside it."""


@click.command(short_help="Count the scores of a picture or a recorded game.")
@click.argument("names", metavar="IMAGE|RECORD|DB...", nargs=-1, required=True)
@json_option
@game_option
@given_options
@click.pass_context
def score(ctx: click.Context, names: tuple[str, ...], *, as_json: bool, game: int | None, given: Mapping[str, Any]) -> None:
    """Count what each colour has left and who wins, for each IMAGE of a board, .blksgf or JSON record, or database of games.

    A folder stands for the pictures and records in it. One picture has no history: all pieces placed is "15 or 20" points in
    advanced scoring, and squares that could not be told leave a range. Whoever could still play is named.

    \b
    blokus-referee score table3.jpg --scoring advanced --players Ann,Bea,Cem,Dan
    blokus-referee score games.db --game 2
    blokus-referee score evening/ --json
    """
    items = list(_expanded(names))
    counting = Counting(items, given, game)
    printer, failures = Printer(as_json=as_json), []
    for name in items:
        try:
            tally = counting.tally(name)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one must not keep the others from being counted
            failures.append(_tell_failure(name, error, printer))
        else:
            printer.result(json.dumps({"source": called(name), **tally.as_json()}) if as_json else describe(tally, called(name)))
    if len(failures) == len(items):
        is_misused = all(isinstance(failure, Misuse) for failure in failures)
        ctx.exit(Misuse.exit_code if is_misused else NOTHING_READ)


def _tell_failure(name: str, error: Exception, printer: Printer) -> Refusal:
    """Say why one could not be counted."""
    refusal = refusal_about(name, error)
    if printer.as_json:
        printer.result(json.dumps({"source": called(name), "error": refusal.message}))
    printer.note(f"blokus-referee: {refusal.message}")
    return refusal


def _expanded(names: Sequence[str]) -> Iterator[str]:
    """The names, folders replaced by the pictures and records in them; an empty folder stays, to be refused in its turn."""
    from vision.recordings import PICTURE_SUFFIXES, listed_files

    for name in names:
        path = Path(name)
        if "://" not in name and path.is_dir():
            known = (*PICTURE_SUFFIXES, *RECORD_SUFFIXES)
            yield from [str(item) for item in listed_files(path, known)] or [name]
        else:
            yield name


class Counting:
    """Counting one name after the other; pictures are read ahead, several at once where that pays."""

    def __init__(self, names: Sequence[str], given: Mapping[str, Any], game: int | None = None) -> None:
        """`names` in the order in which they will be asked for; `given` and `game` as on the command line.

        Raises:
            OptionsError, UnknownNameError: there are pictures, and the options contradict each other.
        """
        from referee.options import GameOptions

        self._given, self._game = given, game
        pictures = [Path(name) for name in names if _is_picture(name)]
        self._options: GameOptions = GameOptions.from_json(given) if pictures else GameOptions()
        self._outcomes = read_all(pictures, Order(self._options.variant), usual_jobs(len(pictures)))

    def tally(self, name: str) -> Tally:
        """How the game of the next name stands.

        Raises:
            Refusal, RefereeError: it cannot be read.
        """
        if _is_picture(name):
            return self._of_picture(next(self._outcomes))
        from referee.sheet import remarks_on
        from referee.tally import Tally

        if "://" not in name and Path(name).is_dir():
            raise Refusal(f"{name}: no pictures and no recorded games in this folder")
        record = open_record(name, self._given, self._game)
        return Tally.of_table(record.table(), remarks_on(record))

    def _of_picture(self, outcome: Outcome) -> Tally:
        from referee.bounds import tally_of_grid

        if outcome.found is None:
            raise Refusal(outcome.error)
        faults = [violation["message"] for violation in outcome.found["violations"]]
        return tally_of_grid(self._options, outcome.found["grid"], faults)


def _is_picture(name: str) -> bool:
    """Whether a name is that of a picture; what is no picture in truth is then refused as one."""
    from vision.recordings import PICTURE_SUFFIXES

    return "://" not in name and Path(name).suffix.lower() in PICTURE_SUFFIXES
