"""The journal: everything that went into a table and every event that came out, kept in a database, never changed.

What is written is durable when `append` returns, the pictures that its events name included. A table is not stored: it is worked out
again from its options and inputs, which gives the same table, because a table is deterministic. Any database that SQLAlchemy knows will
do; a plain file name is an SQLite file. Several programs may have one journal open, and `news` tells each what the others wrote.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import sqlalchemy as sa

from referee import journal_evidence as evidence
from referee import journal_listing as listing
from referee.errors import JournalError, NotKeptError, OvertakenError, RecordError, RefereeError
from referee.events import Event
from referee.journal_evidence import Picture, Retention
from referee.journal_listing import CameraWord
from referee.journal_opening import open_engine, refusing, writing
from referee.journal_tables import EVENTS, EVIDENCE_DAYS, GAMES, INPUTS, SCHEMA, SCHEMAS
from referee.options import GameOptions
from referee.record import INPUT_KINDS, About, Input, Record, take_input
from referee.table import Table

__all__ = [
    "INPUT_KINDS",
    "SCHEMA",
    "Journal",
    "JournalError",
    "News",
    "NotKeptError",
    "OvertakenError",
    "Picture",
    "Retention",
    "take_input",
]

_A = TypeVar("_A")


@dataclass(frozen=True)
class News:
    """What other programs have written.

    Attributes:
        game: the number of the game under way.
        is_new_game: it was begun by another program: read all of it.
        inputs: otherwise its inputs since the last one known here.
        events: what they gave, each with its number in the whole database.
    """

    game: int
    is_new_game: bool = False
    inputs: tuple[Input, ...] = ()
    events: tuple[tuple[int, Event], ...] = ()


class Journal:
    """A database of games, seen from one table. Not for several threads at once."""

    def __init__(
        self,
        db: str,
        *,
        must_exist: bool = False,
        table: str | None = None,
        recordings: bool = True,
        retention: Retention | None = None,
    ) -> None:
        """Open the journal at a file name, `:memory:` (kept nowhere) or a database URL; an empty one is prepared, an older one updated.

        Args:
            db: where it is kept.
            must_exist: prepare nothing: an empty database is refused.
            table: which of several tables that play at once; None: whichever began a game last.
            recordings: take games watched from a film or folder for the game under way too; False for a camera, which goes on with its own.
            retention: how much evidence is kept.

        Raises:
            JournalError: it cannot be opened, is no database or no journal, or was written by a newer program.
        """
        self.retention = retention or Retention()
        self._db = db
        self._table = table
        self._recordings = recordings
        self._engine, self.name = open_engine(db, must_exist=must_exist)
        with refusing(self.name, "read"), self._engine.connect() as connection:
            self._seen = self._newest(connection)

    @property
    def event_count(self) -> int:
        """How many events all games of this database have together; the number of the last one, which is never used again."""
        with refusing(self.name, "read"), self._engine.connect() as connection:
            return _last(connection, EVENTS)

    @property
    def game_number(self) -> int | None:
        """The number of the game under way, the last one begun at this table; None when there is none."""
        with refusing(self.name, "read"), self._engine.connect() as connection:
            return self._newest(connection)[0] or None

    def sit_at(self, table: str) -> None:
        """Take the games of the table of that name for one's own from now on."""
        self._table = table
        with refusing(self.name, "read"), self._engine.connect() as connection:
            self._seen = self._newest(connection)

    def beside(self, table: str | None) -> Journal:
        """Another journal on the same database, seen from the table of that name or (None) from whichever began a game last.

        Raises:
            JournalError: it cannot be opened any more.
        """
        return Journal(self._db, must_exist=True, table=table, retention=self.retention)

    @property
    def table(self) -> str | None:
        """The name of the table from which the database is seen; None: whichever began a game last."""
        return self._table

    def tables(self) -> list[str]:
        """Names of the tables that have games here; the table of those who named none is ''."""
        with refusing(self.name, "read"), self._engine.connect() as connection:
            return list(connection.scalars(sa.select(GAMES.c.table_name).distinct().order_by(GAMES.c.table_name)))

    def newest_table(self) -> str | None:
        """The table that began a game last; None when there is none."""
        return next((game.table for game in self.ask(listing.last_games)), None)

    def new_game(self, options: Mapping[str, Any], *, from_recording: bool = False) -> int:
        """Begin a game with the JSON of its options; gives its number, which no other game of the database has.

        Args:
            options: `GameOptions.as_json`.
            from_recording: it is watched from a film or folder: no camera will go on with it.

        Raises:
            NotKeptError: the database cannot be written.
        """
        with refusing(self.name, "written"), writing(self._engine) as connection:
            number = _last(connection, GAMES) + 1
            days = self._evidence_days(connection)
            row = {"number": number, "options": _text(options), "table_name": self._table or "", "from_recording": from_recording}
            connection.execute(GAMES.insert().values(**row, evidence_days=days))
            seen = self._newest(connection)
        self._seen = seen
        return number

    def append(
        self, kind: str, value: Mapping[str, Any], events: Sequence[Event], pictures: Mapping[str, Picture] | None = None
    ) -> list[int]:
        """Add an input of the game under way, the events it gave and their pictures, all or nothing; durable when this returns.

        Gives the numbers of the events.

        Raises:
            NotKeptError: the database cannot be written.
            OvertakenError: another program has written to the game meanwhile: take its `news` first.
            JournalError: no game was begun.
        """
        if kind not in INPUT_KINDS:
            raise JournalError(f"{kind!r} is no kind of input; known: {', '.join(INPUT_KINDS)}")
        with refusing(self.name, "written"), writing(self._engine) as connection:
            seen = game, _ = self._newest(connection)
            if not game:
                raise JournalError(f"{self.name} holds no game yet")
            # A game begun elsewhere has no input yet, and must not get those of this one.
            if seen != self._seen:
                raise OvertakenError(f"another program has written to {self.name}; look at the game and repeat")
            number, first = _last(connection, INPUTS) + 1, _last(connection, EVENTS) + 1
            connection.execute(INPUTS.insert().values(number=number, game=game, kind=kind, value=_text(value)))
            numbers = list(range(first, first + len(events)))
            rows = [
                {"number": place, "game": game, "input": number, "value": _text(event.as_json())}
                for place, event in zip(numbers, events, strict=True)
            ]
            if rows:
                connection.execute(EVENTS.insert(), rows)
            evidence.keep(connection, game, number, pictures or {}, self.retention)
        self._seen = game, number
        return numbers

    def news(self) -> News | None:
        """What other programs have written to the game under way since this one last read or wrote; None when nothing.

        Raises:
            JournalError: the database cannot be read.
        """
        with refusing(self.name, "read"), self._engine.connect() as connection:
            game, last = newest = self._newest(connection)
            if newest == self._seen:
                return None
            if game != self._seen[0]:
                self._seen = newest
                return News(game, is_new_game=True)
            # Writers take turns, so nothing older than the last input can still appear.
            since = self._seen[1]
            inputs = connection.execute(_of_game(INPUTS, game).where(INPUTS.c.number.between(since + 1, last))).all()
            events = connection.execute(_of_game(EVENTS, game).where(EVENTS.c.input.between(since + 1, last))).all()
        with self._understood(game):
            news = News(game, False, _inputs(inputs), tuple(zip((row.number for row in events), _events(events), strict=True)))
        self._seen = newest
        return news

    def load_table(self, game: int | None = None) -> Table:
        """A game worked out again from its inputs, the one under way unless another number is given; its events are those told then.

        Raises:
            JournalError: there is no such game, or what is written cannot be understood.
        """
        record = self.record(game)
        try:
            table = record.table()
        except RecordError as error:
            raise JournalError(f"{_the_game(game)} of {self.name} cannot be replayed: {error}") from error
        table.events[:] = record.events
        return table

    def record(self, game: int | None = None) -> Record:
        """A game as it was written down, the one under way unless another number is given; what was read of that one is no news.

        Raises:
            JournalError: there is no such game, or what is written cannot be understood.
        """
        with refusing(self.name, "read"), self._engine.connect() as connection:
            under_way, _ = self._newest(connection)
            number = under_way if game is None else game
            row = connection.execute(sa.select(GAMES).where(GAMES.c.number == number)).first()
            inputs = connection.execute(_of_game(INPUTS, number)).all()
            last = inputs[-1].number if inputs else 0
            events = connection.execute(_of_game(EVENTS, number).where(EVENTS.c.input <= last)).all()
        if row is None:
            raise JournalError(f"{self.name} holds no {_the_game(game)}")
        if number == under_way:
            self._seen = number, last
        with self._understood(game):
            about = About(date=_day_begun(row))
            return Record(GameOptions.from_json(json.loads(row.options)), _inputs(inputs), _events(events), about)

    def begun_on(self, game: int) -> str:
        """The day a game began, YYYY-MM-DD by the database's clock; empty when nobody knows, as of a recording.

        Raises:
            JournalError: the database cannot be read.
        """
        with refusing(self.name, "read"), self._engine.connect() as connection:
            row = connection.execute(sa.select(GAMES).where(GAMES.c.number == game)).first()
        return _day_begun(row) if row else ""

    def events_of(self, game: int) -> list[tuple[int, dict[str, Any]]]:
        """Every event of a game: its number in the whole database, and its JSON.

        Raises:
            JournalError: the database cannot be read.
        """
        with refusing(self.name, "read"), self._engine.connect() as connection:
            rows = connection.execute(_of_game(EVENTS, game)).all()
        return [(row.number, json.loads(row.value)) for row in rows]

    def picture(self, game: int, name: str) -> Picture | None:
        """An evidence picture of a game, None when it is not kept (any more).

        Raises:
            JournalError: the database cannot be read.
        """
        with refusing(self.name, "read"), self._engine.connect() as connection:
            return evidence.fetch(connection, game, name)

    def ask(self, question: Callable[[sa.Connection], _A]) -> _A:
        """The answer to one of the questions of `referee.journal_listing`, about all tables of the database.

        Raises:
            JournalError: the database cannot be read.
        """
        with refusing(self.name, "read"), self._engine.connect() as connection:
            return question(connection)

    def say_camera(self, state: str | None, reason: str = "") -> None:
        """Tell pages of other programs how the watching of this table goes; None: no camera watches it any more.

        Raises:
            NotKeptError: the database cannot be written.
        """
        with refusing(self.name, "written"), writing(self._engine) as connection:
            listing.say_camera(connection, self._table or "", state, reason)

    def camera_word(self) -> CameraWord | None:
        """What the camera that watches this table last said, to whichever program; None when none watches.

        Raises:
            JournalError: the database cannot be read.
        """
        return self.ask(listing.camera_words).get(self._table or "")

    def prune(self) -> float:
        """Drop the evidence of this table's games that is older than it may be; gives for how many days it is kept.

        Raises:
            NotKeptError: the database cannot be written.
        """
        with refusing(self.name, "written"), writing(self._engine) as connection:
            days = self._evidence_days(connection)
            if self.retention.days is not None:
                connection.execute(GAMES.update().where(self._here(), GAMES.c.evidence_days != days).values(evidence_days=days))
            evidence.prune(connection, self._table)
            return days

    def check(self) -> None:
        """Write something that changes nothing, to learn whether anything can be written.

        Raises:
            NotKeptError: nothing can.
        """
        with refusing(self.name, "written"), writing(self._engine) as connection:
            connection.execute(SCHEMAS.update().values(number=SCHEMAS.c.number))

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def _newest(self, connection: sa.Connection) -> tuple[int, int]:
        """The numbers of the game under way and of its last input: what another program's writing changes."""
        games = sa.select(sa.func.max(GAMES.c.number)).where(self._here())
        if not self._recordings:
            games = games.where(sa.not_(GAMES.c.from_recording))
        game = int(connection.scalar(games) or 0)
        return game, int(connection.scalar(sa.select(sa.func.max(INPUTS.c.number)).where(INPUTS.c.game == game)) or 0)

    def _here(self) -> sa.ColumnElement[bool]:
        """Whether a game is one of this table's."""
        return sa.true() if self._table is None else GAMES.c.table_name == self._table

    def _evidence_days(self, connection: sa.Connection) -> float:
        """For how long evidence is kept: as was said now, else for the table's last game."""
        if self.retention.days is not None:
            return self.retention.days
        found = connection.scalar(sa.select(GAMES.c.evidence_days).where(self._here()).order_by(GAMES.c.number.desc()).limit(1))
        return EVIDENCE_DAYS if found is None else float(found)

    def _understood(self, game: int | None) -> _Understood:
        return _Understood(f"{_the_game(game)} of {self.name}")


class _Understood:
    """Turns what cannot be understood in a block into one line about `what`."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, RefereeError | ValueError | KeyError | TypeError | AttributeError):
            raise JournalError(f"{self._what} cannot be replayed: {error}") from error


def _the_game(number: int | None) -> str:
    return "game" if number is None else f"game {number}"


def _day_begun(game: sa.Row[Any]) -> str:
    """The day in a row of `GAMES`; that of a recording says when it was watched, not when it was played."""
    return f"{game.begun_at:%Y-%m-%d}" if game.begun_at and not game.from_recording else ""


def _last(connection: sa.Connection, table: sa.Table) -> int:
    """The highest number used in a table, 0 when it is empty."""
    return int(connection.scalar(sa.select(sa.func.max(table.c.number))) or 0)


def _of_game(table: sa.Table, game: int) -> sa.Select[Any]:
    return sa.select(table).where(table.c.game == game).order_by(table.c.number)


def _inputs(rows: Sequence[sa.Row[Any]]) -> tuple[Input, ...]:
    return tuple((row.kind, json.loads(row.value)) for row in rows)


def _events(rows: Sequence[sa.Row[Any]]) -> tuple[Event, ...]:
    return tuple(Event.from_json(json.loads(row.value)) for row in rows)


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True, allow_nan=False)
