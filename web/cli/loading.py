"""Opening recorded games: a `.blksgf`, our own JSON, the ZIP of diagnostics, or a game kept in a database, told apart by what they hold."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from web.cli.program import Refusal
from web.cli.zipped import MARK, MOST_ZIP_BYTES, ZipError, record_in

if TYPE_CHECKING:
    from referee.record import Record

MOST_BYTES = 32 * 2**20
"""A game of many thousand looks needs a tenth of this; what is larger is something else."""

WANTED = "name a recorded game: a .blksgf or JSON file, or the --db of a game"

_SQLITE = b"SQLite format 3\0"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_PICTURE_MARKS = ((0, b"\xff\xd8\xff"), (0, b"\x89PNG"), (0, b"GIF8"), (0, b"BM"), (0, b"RIFF"), (4, b"ftyp"), (0, b"\x1aE\xdf\xa3"))
"""Where the usual kinds of pictures and videos have their mark, and the mark."""


def load_record(name: str, given: Mapping[str, Any] | None = None, game: int | None = None) -> Record:
    """The recorded game of a file or database URL.

    Args:
        name: a `.blksgf` or JSON file, a ZIP of diagnostics, an SQLite file that games are kept in, or a database URL.
        given: options to use instead of the record's own, by the names of `GameOptions`; see `web.cli.options.given_options`.
        game: the number of the game in a database; None: the last one.

    Raises:
        Refusal: there is no such file, or it holds no game that can be read.
        JournalError: the same for a database.
        OptionsError, UnknownNameError: options that contradict the record.
    """
    data = b"" if "://" in name else _content(name)
    if "://" in name or data.startswith(_SQLITE):
        return _from_database(name, game).with_options(given or {})
    return _from_text(name, data, given or {})


def _content(name: str) -> bytes:
    """What a file holds, of diagnostics the game in them; of a database no more than tells what it is."""
    try:
        with Path(name).open("rb") as file:
            start = file.read(len(_SQLITE))
            most = MOST_ZIP_BYTES if start.startswith(MARK) else MOST_BYTES
            data = start if start == _SQLITE else start + file.read(most)
    except OSError as error:
        raise Refusal(f"{name}: {error.strerror or error}; {WANTED}") from error
    if len(data) > most:
        raise Refusal(f"{name}: more than {most // 2**20} MiB are no recorded game; {WANTED}")
    if not data.startswith(MARK):
        return data
    try:
        return record_in(data, MOST_BYTES)
    except ZipError as error:
        raise Refusal(f"{name}: {error}; {WANTED}") from error


def _from_database(name: str, game: int | None) -> Record:
    from referee.journal import Journal

    journal = Journal(name, must_exist=True)
    try:
        return journal.record(game)
    finally:
        journal.close()


def _from_text(name: str, data: bytes, given: Mapping[str, Any]) -> Record:
    from referee.blksgf import read_blksgf
    from referee.errors import RecordError
    from referee.record_json import record_from_text

    start = data[:1000].removeprefix(_BYTE_ORDER_MARK).lstrip()[:1]
    try:
        if start == b"(":
            return read_blksgf(data, given)
        if start in (b"{", b"["):
            return record_from_text(data, given)
    except RecordError as error:
        raise Refusal(f"{name}: {error}") from error
    raise Refusal(f"{name}: {_what_it_is(data)}; {WANTED}")


def _what_it_is(data: bytes) -> str:
    """What a file is that holds no game, in words."""
    if not data.strip():
        return "the file is empty"
    if any(data[place:].startswith(mark) for place, mark in _PICTURE_MARKS):
        return "that is a picture or video, which `read` and `watch` look at"
    return "no recorded game"
