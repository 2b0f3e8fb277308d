"""Opening recorded games: a `.blksgf`, our own JSON, or a game kept in a database, told apart by what they hold."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from web.cli.program import Refusal

if TYPE_CHECKING:
    from referee.record import Record

MOST_BYTES = 32 * 2**20
"""A game of many thousand looks needs a tenth of this; what is larger is something else."""

_SQLITE = b"SQLite format 3\0"


def load_record(name: str, given: Mapping[str, Any] | None = None, game: int | None = None) -> Record:
    """The recorded game of a file or database URL.

    Args:
        name: a `.blksgf` or JSON file, an SQLite file that games are kept in, or a database URL.
        given: options to use instead of the record's own, by the names of `GameOptions`; see `web.cli.options.given_options`.
        game: the number of the game in a database; None: the last one.

    Raises:
        Refusal: there is no such file, or it is none of these.
        RecordError, JournalError: it holds no game that can be read.
        OptionsError, UnknownNameError: options that contradict the record.
    """
    return _from_database(name, game).with_options(given or {}) if _is_database(name) else _from_file(name, given or {})


def _is_database(name: str) -> bool:
    if "://" in name:
        return True
    try:
        with Path(name).open("rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except OSError as error:
        raise Refusal(f"{name}: {error.strerror or error}; name a recorded game: .blksgf, JSON, or the --db of a game") from error


def _from_database(name: str, game: int | None) -> Record:
    from referee.journal import Journal

    journal = Journal(name)
    try:
        return journal.record(game)
    finally:
        journal.close()


def _from_file(name: str, given: Mapping[str, Any]) -> Record:
    from referee.record_json import record_from_text

    with Path(name).open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    return record_from_text(data, given)
