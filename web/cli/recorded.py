"""Naming a recorded game on the command line: the option that chooses one of a database, and opening it for its table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.cli.loading import load_record
from web.cli.program import Misuse

if TYPE_CHECKING:
    from referee.record import Record

ONE_GAME_FILES = (".blksgf", ".json", ".zip")

game_option = click.option(
    "--game", type=click.IntRange(1, 10**9), metavar="N", help="Which game of a database, by its number [default: the last]."
)


def open_record(name: str, given: Mapping[str, Any], game: int | None) -> Record:
    """The recorded game of that name, as `load_record` gives it.

    Raises:
        Misuse: a number is given for a file that holds one game.
        Refusal, RefereeError: as `load_record`.
    """
    if game is not None and Path(name).suffix.lower() in ONE_GAME_FILES:
        raise Misuse(f"{name} holds one game; --game chooses one of a database")
    return load_record(name, given, game)
