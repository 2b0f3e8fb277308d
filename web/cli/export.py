"""`export`: a recorded game as a file for other programs, for a spreadsheet, for the printer or to look at."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import click

from web.cli.program import Misuse, Refusal, as_refusal, one_line
from web.cli.recorded import game_option, open_record

if TYPE_CHECKING:
    from referee.record import Record

SUFFIXES = {".blksgf": "blksgf", ".json": "json", ".csv": "csv", ".html": "html", ".htm": "html", ".png": "png"}
"""The kind that a file's name asks for."""


@click.command(short_help="Write a recorded game as .blksgf, JSON, CSV, HTML or PNG.")
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

    \b
    blokus-referee export games.db --out sheet.html
    blokus-referee export game.blksgf --to csv > game.csv
    """
    if out is not None:
        _check_place(out, record)
    kind = kind or (SUFFIXES.get(out.suffix.lower()) if out else None)
    if kind is None:
        unclear = f"the name {one_line(out.name)} does not say what to write; " if out else ""
        raise click.UsageError(f"{unclear}--to takes {', '.join(sorted(set(SUFFIXES.values())))}")
    if kind == "png" and out is None and sys.stdout.isatty():
        raise Misuse("a PNG is no text for a terminal: name a file with --out, or send standard output to one")
    data = MAKERS[kind](_opened(record, game), _title(record, game))
    if out is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        _write(out, data)


def _opened(name: str, game: int | None) -> Record:
    """The record; what is wrong with it names it.

    Raises:
        Refusal: it cannot be read.
    """
    from referee.errors import RefereeError

    try:
        record = open_record(name, {}, game)
        record.table()
    except RefereeError as error:
        message = str(error)
        raise type(as_refusal(error))(message if one_line(name) in one_line(message) else f"{name}: {message}") from error
    if record.damage:
        click.echo(f"blokus-referee: {one_line(f'{name}: {record.damage}; what stands before it is written')}", err=True)
    return record


def _title(name: str, game: int | None) -> str:
    """What a game is called in a table of several: its file's name without the suffix, and its number."""
    stem = name.rpartition("/")[2] if "://" in name else Path(name).stem
    return stem if game is None else f"{stem} {game}"


# -- what is written


def _blksgf(record: Record, _: str) -> bytes:
    from referee.blksgf_writing import write_blksgf

    return write_blksgf(record, f"blokus-referee:{version('blokus-referee')}").encode()


def _json(record: Record, _: str) -> bytes:
    from referee.record_json import record_as_text

    return record_as_text(record).encode()


def _csv(record: Record, title: str) -> bytes:
    from referee.sheet import Sheet
    from web.sheets import sheet_csv

    return sheet_csv(Sheet.of_record(record), title).encode()


def _html(record: Record, _: str) -> bytes:
    from referee.sheet import Sheet, remarks_on
    from web.sheets import sheet_html

    table = record.table()
    return sheet_html(Sheet.of_table(table, record.about, remarks_on(record)), table.state()).encode()


def _png(record: Record, _: str) -> bytes:
    from referee.sheet import Sheet
    from vision.board_picture import draw_board, png

    sheet = Sheet.of_record(record)
    return png(draw_board(record.options.rules.size, sheet.pieces, disputed=sheet.disputed))


MAKERS: dict[str, Callable[[Record, str], bytes]] = {"blksgf": _blksgf, "json": _json, "csv": _csv, "html": _html, "png": _png}


# -- where it is written


def _check_place(out: Path, record: str) -> None:
    """Refuse a place that cannot or must not be written to before any work is done.

    Raises:
        Refusal: it is a folder, its folder is not there, or it is the record itself.
    """
    if out.is_dir():
        raise Refusal(f"--out {out}: this is a folder; name a file in it")
    if not out.parent.is_dir():
        raise Refusal(f"--out {out}: there is no folder {out.parent}; make it first")
    if "://" not in record and out.exists() and Path(record).exists() and out.samefile(record):
        raise Refusal(f"--out {out}: this is the record itself; name another file")


def _write(out: Path, data: bytes) -> None:
    """Write the whole file or nothing: it is written beside its place and then put there.

    Raises:
        Refusal: it cannot be written.
    """
    place = out.resolve()  # a link stays one
    try:
        if place.exists() and not stat.S_ISREG(place.stat().st_mode):
            place.write_bytes(data)  # a pipe or a device is no file to be replaced
        else:
            _replace(place, data)
    except OSError as error:
        raise Refusal(f"--out {out}: cannot be written ({error.strerror or error})") from error


def _replace(place: Path, data: bytes) -> None:
    if place.exists() and not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    draft = place.with_name(f".{place.name[:100]}.{os.getpid()}.part")
    try:
        with draft.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if place.exists():
            draft.chmod(stat.S_IMODE(place.stat().st_mode))
        draft.replace(place)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
