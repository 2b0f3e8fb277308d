"""What a journal's database holds, over all its tables: the games in order, and what the cameras last said.

A camera's word is for the pages of other programs: it says how the watching goes and is no part of any game.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from referee.journal_tables import CAMERAS, GAMES, INPUTS


@dataclass(frozen=True)
class Kept:
    """A game of the database.

    Attributes:
        number: its number in the database.
        table: the table at which it is played; '' of those who named none.
        begun: when it began, YYYY-MM-DD HH:MM by the database's clock in UTC; empty when nobody knows.
        is_recording: it was watched from a film or folder.
        last_input: the number of its last input, which everything written to the game raises; 0 before the first.
        is_last: no game was begun later at its table.
    """

    number: int
    table: str
    begun: str
    is_recording: bool
    last_input: int
    is_last: bool


@dataclass(frozen=True)
class CameraWord:
    """What the camera at a table last said, and how many seconds ago."""

    state: str
    reason: str
    age_s: float


def last_games(connection: sa.Connection) -> list[Kept]:
    """The last game of each table, the newest first."""
    return _kept(connection, _numbered().where(GAMES.c.number.in_(_last_of_each())))


def earlier_games(connection: sa.Connection, before: int | None, most: int) -> list[Kept]:
    """Up to `most` games that are not their table's last, newest first, with numbers under `before` (None: all)."""
    wanted = _numbered().where(GAMES.c.number.not_in(_last_of_each())).limit(most)
    return _kept(connection, wanted if before is None else wanted.where(GAMES.c.number < before))


def one_game(connection: sa.Connection, number: int) -> Kept | None:
    """The game of that number, None when there is none."""
    return next(iter(_kept(connection, _numbered().where(GAMES.c.number == number))), None)


def say_camera(connection: sa.Connection, table: str, state: str | None, reason: str) -> None:
    """Put a camera's word down in place of its last one; None: no camera watches the table any more."""
    connection.execute(CAMERAS.delete().where(CAMERAS.c.table_name == table))
    if state is not None:
        connection.execute(CAMERAS.insert().values(table_name=table, state=state, reason=reason, said_at=sa.func.now()))


def camera_words(connection: sa.Connection) -> dict[str, CameraWord]:
    """The last word of the camera at each table that one watches."""
    rows = connection.execute(sa.select(CAMERAS, sa.func.now().label("now"))).all()
    return {row.table_name: CameraWord(row.state, row.reason, (_moment(row.now) - _moment(row.said_at)).total_seconds()) for row in rows}


def _last_of_each() -> sa.Select[Any]:
    return sa.select(sa.func.max(GAMES.c.number)).group_by(GAMES.c.table_name)


def _numbered() -> sa.Select[Any]:
    return sa.select(GAMES.c.number, GAMES.c.table_name, GAMES.c.begun_at, GAMES.c.from_recording).order_by(GAMES.c.number.desc())


def _kept(connection: sa.Connection, wanted: sa.Select[Any]) -> list[Kept]:
    rows = connection.execute(wanted).all()
    numbers = [row.number for row in rows]
    inputs = sa.select(INPUTS.c.game, sa.func.max(INPUTS.c.number).label("last")).where(INPUTS.c.game.in_(numbers)).group_by(INPUTS.c.game)
    newest = {row.game: row.last for row in connection.execute(inputs)}
    lasts = set(connection.scalars(_last_of_each()))
    return [
        Kept(
            row.number,
            row.table_name,
            f"{_moment(row.begun_at):%Y-%m-%d %H:%M}" if row.begun_at else "",
            bool(row.from_recording),
            newest.get(row.number, 0),
            row.number in lasts,
        )
        for row in rows
    ]


def _moment(value: datetime | str) -> datetime:
    """A time of the database in UTC; SQLite gives its times without a zone, and `now()` as text."""
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
