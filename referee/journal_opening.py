"""Opening a journal's database: nothing is written before it is known to be a journal, and every refusal is one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import NullPool, StaticPool

from referee.errors import JournalError, NotKeptError
from referee.journal_tables import SCHEMA, State, bring_up_to_date, recognise

BUSY_MS = 3000
"""Milliseconds that a writer waits for another one; each writes for a few."""

ANSWER_S = 10
"""Seconds that a database server gets to answer; while one waits for it, nothing else goes on at the table."""

_WORDS = (
    ("database or disk is full", "the disk is full; make room"),
    ("disk i/o error", "the disk takes no more (full, or a limit on the size of files?)"),
    ("database is locked", "another program holds it; end that one, or name another --db"),
    ("unable to open database file", "no such file, or it or its folder may not be used; look at its permissions, or name another --db"),
    ("readonly database", "that is forbidden; look at the permissions of the file and its folder, or name another --db"),
    ("is not a database", "it is no database; name another --db"),
)
"""What SQLite says, and what that means to people."""


def open_engine(db: str, *, must_exist: bool) -> tuple[sa.Engine, str]:
    """The engine of a journal brought up to date, and what to call it: a name without passwords.

    Args:
        db: a file name, `:memory:` or a database URL.
        must_exist: prepare nothing: an empty database is refused.

    Raises:
        JournalError: it cannot be opened, is no journal, or was written by a newer program.
    """
    url = _url(db)
    name = url.set(query={}).render_as_string() if "://" in db else db
    with refusing(name, "opened"):
        state, number = _look(url, must_exist=must_exist)
        if state == "foreign" or (state == "empty" and must_exist):
            raise JournalError(f"{name} is a database, but no games are kept in it; name another --db")
        if number > SCHEMA:
            raise JournalError(f"{name} was written by a newer version of this program; use that one")
        engine = _engine(url)
        try:
            _prepare(engine, number)
        except BaseException:
            engine.dispose()
            raise
    return engine, name


@contextmanager
def refusing(name: str, what: str) -> Iterator[None]:
    """Turn the database's errors into one line: `name` cannot be `what` (opened, read, written), and why.

    Raises:
        JournalError: it could not be opened.
        NotKeptError: it was open, and could not be read or written; later it may.
    """
    try:
        yield
    except (SQLAlchemyError, OSError, ImportError) as error:
        kind = JournalError if what == "opened" else NotKeptError
        raise kind(f"{name} cannot be {what}: {_reason(error)}") from error


@contextmanager
def writing(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A transaction that writes; only one at a time runs in a database, so that what it reads first stays true."""
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        yield connection


_LOCK = 0x426C6F6B  # any number that other programs on the same server are unlikely to lock


def _url(db: str) -> sa.URL:
    if not db.strip():
        raise JournalError("--db names no database: give a file name, a database URL, or :memory: to keep nothing")
    if "://" not in db:
        if Path(db).is_dir():
            raise JournalError(f"{db} is a folder; name a file in it, for example {Path(db) / 'games.db'}")
        return sa.URL.create("sqlite", database=db)
    scheme = db.partition("://")[0]
    try:
        url = sa.make_url(db)
    except (ArgumentError, ValueError) as error:  # its own text may repeat the URL with the password in it
        raise JournalError(f"{scheme}://... is no database URL that can be read: write {scheme}://USER@HOST:PORT/DATABASE") from error
    return url.set(drivername="postgresql+psycopg") if url.drivername in ("postgres", "postgresql") else url


def _look(url: sa.URL, *, must_exist: bool) -> tuple[State, int]:
    """What a database is; nothing is written to it, not even how it is to be opened."""
    if _is_sqlite(url) and "uri" not in url.query:
        path = Path(url.database or ":memory:")
        if str(path) == ":memory:" or (not must_exist and _is_unwritten(path)):
            return "empty", 0
        url = url.set(database=path.absolute().as_uri()).update_query_dict({"mode": "ro", "uri": "true"})
    engine = sa.create_engine(url, poolclass=NullPool, connect_args=_connect_args(url))
    with engine.connect() as connection:
        return recognise(connection)


def _is_sqlite(url: sa.URL) -> bool:
    return url.get_backend_name() == "sqlite"


def _is_unwritten(path: Path) -> bool:
    """Whether a file is not there or holds nothing."""
    return not path.exists() or (path.is_file() and path.stat().st_size == 0)


def _connect_args(url: sa.URL) -> dict[str, Any]:
    if _is_sqlite(url):
        return {"timeout": BUSY_MS / 1000, "check_same_thread": False}
    if url.get_backend_name() != "postgresql":
        return {}
    usual = {"connect_timeout": ANSWER_S, "tcp_user_timeout": 1000 * ANSWER_S, "options": f"-c statement_timeout={1000 * ANSWER_S}"}
    return {name: value for name, value in usual.items() if name not in url.query}


def _engine(url: sa.URL) -> sa.Engine:
    if not _is_sqlite(url):
        # Asked before use: a server that was started again has closed its connections.
        return sa.create_engine(url, pool_pre_ping=True, pool_size=1, connect_args=_connect_args(url))
    # One connection for all threads: the live game lets in one at a time.
    engine = sa.create_engine(url, poolclass=StaticPool, connect_args=_connect_args(url))
    sa.event.listen(engine, "connect", _prepare_sqlite)
    sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare(engine: sa.Engine, number: int) -> None:
    """Bring the tables up to date; looked up once more inside the transaction, for two programs may begin at the same moment."""
    if number == SCHEMA:
        return
    with writing(engine) as connection:
        _, number = recognise(connection)
        if number < SCHEMA:
            bring_up_to_date(connection, number)


def _prepare_sqlite(connection: Any, _: Any) -> None:
    """Write ahead, so that readers never wait, and to the disk itself at each commit, so that nothing told is lost.

    Transactions begin when this program says so, not when the driver thinks it is time.
    """
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: sa.Connection) -> None:
    """A writer waits its turn before it reads, or what it read could be out of date when it writes."""
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")


def _reason(error: Exception) -> str:
    """An error of the database or its driver as the rest of one line."""
    if isinstance(error, NoSuchModuleError):
        return "no such kind of database is known; use sqlite:///FILE or postgresql://USER@HOST/DATABASE"
    if isinstance(error, ModuleNotFoundError):
        extra = "; pip install 'blokus-referee[postgres]'" if error.name == "psycopg" else ""
        return f"the Python package {error.name} is not installed{extra}"
    text = str(error)
    with suppress(AttributeError):
        text = str(error.orig or error)  # type: ignore[attr-defined]  # what the driver said, without the statement
    text = " ".join(text.split("\n", maxsplit=1)[0].split())
    return next((words for part, words in _WORDS if part in text.lower()), text)
