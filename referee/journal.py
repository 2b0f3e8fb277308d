"""The journal: everything that went into a table and every event that came out, kept in a database, never changed.

What is written is durable when `append` returns. A table is not stored: it is worked out again from its options and inputs, which
gives the same table, because a table is deterministic. Any database that SQLAlchemy knows will do; a plain file name is an SQLite file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import StaticPool

from referee.errors import JournalError, RecordError, RefereeError
from referee.events import Event
from referee.options import GameOptions
from referee.record import INPUT_KINDS, About, Record, take_input
from referee.table import Table

__all__ = ["INPUT_KINDS", "Journal", "JournalError", "take_input"]

SCHEMA = 1
"""The number of the database's layout; a program refuses layouts newer than its own."""

_META = sa.MetaData()
_SCHEMAS = sa.Table("journal_schema", _META, sa.Column("number", sa.Integer, primary_key=True))
_GAMES = sa.Table(
    "games",
    _META,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("options", sa.Text, nullable=False),
    sa.Column("begun_at", sa.DateTime(timezone=True), server_default=sa.func.now()),
)
_INPUTS = sa.Table(
    "inputs",
    _META,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("game", sa.ForeignKey("games.number"), nullable=False, index=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("value", sa.Text, nullable=False),
)
_EVENTS = sa.Table(
    "events",
    _META,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("game", sa.ForeignKey("games.number"), nullable=False, index=True),
    sa.Column("input", sa.ForeignKey("inputs.number"), nullable=False),
    sa.Column("value", sa.Text, nullable=False),
)


class Journal:
    """A database of games. Not for several threads at once; one program at a time writes a game."""

    def __init__(self, db: str, *, must_exist: bool = False) -> None:
        """Open the journal at a file name, `:memory:` (kept nowhere) or a database URL; an empty database is prepared.

        With `must_exist` nothing is prepared: a database that is no journal stays as it is and is refused.

        Raises:
            JournalError: it cannot be opened, is no database or no journal, or was written by a newer program.
        """
        self._db = db if "://" not in db else db.partition("://")[0] + "://..."
        with self._refusing("opened"):
            self._db = sa.make_url(db).render_as_string(hide_password=True) if "://" in db else db
            if must_exist and not _holds_games(db):
                raise JournalError(f"{self._db} is a database, but no games are kept in it")
            self._engine = _engine(db)
            _META.create_all(self._engine)
            with self._engine.begin() as connection:
                newest = connection.scalar(sa.select(sa.func.max(_SCHEMAS.c.number)))
                if newest is None:
                    connection.execute(_SCHEMAS.insert().values(number=SCHEMA))
                self._seen = _newest(connection)
        if newest is not None and newest > SCHEMA:
            self.close()
            raise JournalError(f"{db} was written by a newer version of this program; use that one")

    @property
    def event_count(self) -> int:
        """How many events all games of this database have together; the number of the last one, which is never used again."""
        with self._refusing("read"), self._engine.connect() as connection:
            return _last(connection, _EVENTS)

    @property
    def game_number(self) -> int | None:
        """The number of the game under way, the last one begun; None when there is none."""
        with self._refusing("read"), self._engine.connect() as connection:
            return _last(connection, _GAMES) or None

    def new_game(self, options: Mapping[str, Any]) -> int:
        """Begin a game with the JSON of its options; gives its number, one more than the last.

        Raises:
            JournalError: the database cannot be written.
        """
        with self._refusing("written"), self._engine.begin() as connection:
            number = _last(connection, _GAMES) + 1
            connection.execute(_GAMES.insert().values(number=number, options=_text(options)))
            seen = _newest(connection)
        self._seen = seen
        return number

    def append(self, kind: str, value: Mapping[str, Any], events: Sequence[Event]) -> None:
        """Add an input of the game under way and the events it gave, both or neither; durable when this returns.

        Raises:
            JournalError: the database cannot be written, no game was begun, or another program has written to it meanwhile.
        """
        if kind not in INPUT_KINDS:
            raise JournalError(f"{kind!r} is no kind of input; known: {', '.join(INPUT_KINDS)}")
        with self._refusing("written"), self._engine.begin() as connection:
            game, last = seen = _newest(connection)
            if not game:
                raise JournalError(f"{self._db} holds no game yet")
            # A game begun elsewhere has no input yet, and must not get those of this one.
            if seen != self._seen:
                self._seen = seen
                raise JournalError(f"another program has written to {self._db}; the game was read again, please repeat")
            connection.execute(_INPUTS.insert().values(number=last + 1, game=game, kind=kind, value=_text(value)))
            first = _last(connection, _EVENTS) + 1
            rows = [
                {"number": number, "game": game, "input": last + 1, "value": _text(event.as_json())}
                for number, event in enumerate(events, first)
            ]
            if rows:
                connection.execute(_EVENTS.insert(), rows)
        self._seen = game, last + 1

    def load_table(self, game: int | None = None) -> Table:
        """A game worked out again from its inputs, the one under way unless another number is given; its events are those told then.

        Raises:
            JournalError: there is no such game, or what is written cannot be understood.
        """
        record = self.record(game)
        try:
            table = record.table()
        except RecordError as error:
            raise JournalError(f"{_the_game(game)} of {self._db} cannot be replayed: {error}") from error
        table.events[:] = record.events
        return table

    def record(self, game: int | None = None) -> Record:
        """A game as it was written down, the one under way unless another number is given.

        Raises:
            JournalError: there is no such game, or what is written cannot be understood.
        """
        with self._refusing("read"), self._engine.connect() as connection:
            number = _last(connection, _GAMES) if game is None else game
            row = connection.execute(sa.select(_GAMES).where(_GAMES.c.number == number)).first()
            inputs = connection.execute(_of_game(_INPUTS, number)).all()
            events = connection.execute(_of_game(_EVENTS, number)).all()
        if row is None:
            raise JournalError(f"{self._db} holds no {_the_game(game)}")
        try:
            return Record(
                GameOptions.from_json(json.loads(row.options)),
                tuple((item.kind, json.loads(item.value)) for item in inputs),
                tuple(Event.from_json(json.loads(item.value)) for item in events),
                About(date=f"{row.begun_at:%Y-%m-%d}" if row.begun_at else ""),
            )
        except (RefereeError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise JournalError(f"{_the_game(game)} of {self._db} cannot be replayed: {error}") from error

    def events_of(self, game: int) -> list[tuple[int, dict[str, Any]]]:
        """Every event of a game: its number in the whole database, and its JSON.

        Raises:
            JournalError: the database cannot be read.
        """
        with self._refusing("read"), self._engine.connect() as connection:
            rows = connection.execute(_of_game(_EVENTS, game)).all()
        return [(row.number, json.loads(row.value)) for row in rows]

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    @contextmanager
    def _refusing(self, what: str) -> Iterator[None]:
        """Turn the database's errors into one line."""
        try:
            yield
        except (SQLAlchemyError, OSError, ImportError) as error:
            reason = str(getattr(error, "orig", None) or error).splitlines()[0]
            raise JournalError(f"{self._db} cannot be {what}: {reason}") from error


def _engine(db: str) -> sa.Engine:
    """The engine for a file name, `:memory:` or a URL."""
    url = db if "://" in db else "sqlite://" if db == ":memory:" else sa.URL.create("sqlite", database=db)
    if sa.make_url(url).get_backend_name() != "sqlite":
        return sa.create_engine(url)
    # One connection for all threads: the live game lets in one at a time.
    engine = sa.create_engine(url, poolclass=StaticPool, connect_args={"check_same_thread": False})
    sa.event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _holds_games(db: str) -> bool:
    """Whether a database is a journal; nothing is written to it, not even how it is to be opened."""
    url = sa.make_url(db if "://" in db else sa.URL.create("sqlite", database=db))
    if url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:"):
        url = url.set(database=Path(str(url.database)).absolute().as_uri()).update_query_dict({"mode": "ro", "uri": "true"})
    engine = sa.create_engine(url)
    try:
        return sa.inspect(engine).has_table(_SCHEMAS.name)
    finally:
        engine.dispose()


def _prepare_sqlite(connection: Any, _: Any) -> None:
    """Write ahead, so that readers never wait, and to the disk itself at each commit, so that nothing told is lost."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=3000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _the_game(number: int | None) -> str:
    return "game" if number is None else f"game {number}"


def _last(connection: sa.Connection, table: sa.Table) -> int:
    """The highest number used in a table, 0 when it is empty."""
    return int(connection.scalar(sa.select(sa.func.max(table.c.number))) or 0)


def _newest(connection: sa.Connection) -> tuple[int, int]:
    """The numbers of the last game and of the last input: what another program's writing changes."""
    return _last(connection, _GAMES), _last(connection, _INPUTS)


def _of_game(table: sa.Table, game: int) -> sa.Select[Any]:
    return sa.select(table).where(table.c.game == game).order_by(table.c.number)


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True, allow_nan=False)
