"""`export`: a recorded game as a file for other programs, for a spreadsheet, for the printer or to look at."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from web.cli.program import Misuse, Refusal, called, one_line, refusal_about
from web.cli.recorded import game_option, open_record
from web.cli.writing import check_place, write_whole

if TYPE_CHECKING:
    from web.exports import Exported

SUFFIXES = {
    ".blksgf": "blksgf",
    ".json": "json",
    ".csv": "csv",
    ".html": "html",
    ".htm": "html",
    ".png": "png",
    ".gif": "gif",
    ".mp4": "mp4",
}
"""The kind that a file's name asks for."""


FILMS = ("gif", "mp4")
PICTURES = {"png": "PNG", "gif": "GIF", "mp4": "film"}
"""Kinds that are no text, and what they are called."""


@click.command(short_help="Write a recorded game as .blksgf, JSON, CSV, HTML, PNG, GIF or MP4.")
@click.argument("record", metavar="RECORD|DB")
@click.option("--to", "kind", type=click.Choice(sorted(set(SUFFIXES.values()))), help="What to write [default: by the suffix of --out].")
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), help="Where to write it [default: standard output].")
@game_option
def export(record: str, *, kind: str | None, out: Path | None, game: int | None) -> None:
    """Write the recorded game of RECORD (a .blksgf file or our own JSON) or of a database.

    \b
    blksgf   the moves, for Pentobi and other Blokus programs
    json     everything: options, what was seen and decided, and what was told
    csv      the score sheet for a spreadsheet: players, colours, moves and disputes
    html     the score sheet to print, on one page with the final board
    png      the final board
    gif      the game turn by turn, a moving picture
    mp4      the same as a film

    \b
    blokus-referee export games.db --out sheet.html
    blokus-referee export game.blksgf --to csv > game.csv
    blokus-referee export games.db --game 3 --out game.gif
    """
    from web.exports import MAKERS

    if out is not None:
        check_place(out, record)
    kind = kind or (SUFFIXES.get(out.suffix.lower()) if out else None)
    if kind is None:
        unclear = f"the name {one_line(out.name)} does not say what to write; " if out else ""
        raise click.UsageError(f"{unclear}--to takes {', '.join(sorted(set(SUFFIXES.values())))}")
    if out is None:
        _check_output(kind)
    data = _film(kind, _opened(record, game)) if kind in FILMS else MAKERS[kind](_opened(record, game))
    if out is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        write_whole(out, data)


def _film(kind: str, game: Exported) -> bytes:
    """A moving picture.

    Raises:
        Refusal: this computer cannot make it.
    """
    from vision.timelapse import TimeLapseError
    from web.exports import MAKERS

    try:
        return MAKERS[kind](game)
    except TimeLapseError as error:
        raise Refusal(str(error)) from error


def _check_output(kind: str) -> None:
    """Refuse a standard output that cannot take what is written.

    Raises:
        Misuse: it is closed, or a terminal that should show a picture.
    """
    if sys.stdout is None:
        raise Misuse("standard output is closed: name a file with --out")
    if kind in PICTURES and sys.stdout.isatty():
        raise Misuse(f"a {PICTURES[kind]} is no text for a terminal: name a file with --out, or send standard output to one")


def _opened(name: str, game: int | None) -> Exported:
    """The record and its table; what is wrong with it names it.

    Raises:
        Refusal: it cannot be read.
    """
    from referee.errors import RefereeError
    from web.exports import Exported

    try:
        record = open_record(name, {}, game)
        table = record.table()
    except RefereeError as error:
        raise refusal_about(name, error) from error
    if record.damage:
        click.echo(f"blokus-referee: {one_line(f'{called(name)}: {record.damage}; what stands before it is written')}", err=True)
    return Exported(record, table, _title(name, game))


def _title(name: str, game: int | None) -> str:
    """What a game is called in a table of several: its file's name without the suffix, and its number."""
    stem = called(name).rpartition("/")[2] if "://" in name else Path(name).stem
    return stem if game is None else f"{stem} {game}"
