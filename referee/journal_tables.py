"""The tables of a journal's database, and how those of older versions are brought up to date."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import sqlalchemy as sa

SCHEMA = 3
"""The number of the database's layout; a program refuses layouts newer than its own."""

EVIDENCE_DAYS = 30.0
"""Days that pictures are kept when nobody says otherwise: longer than people argue about a game."""

META = sa.MetaData()

SCHEMAS = sa.Table("journal_schema", META, sa.Column("number", sa.Integer, primary_key=True, autoincrement=False))
"""The layouts that this database has had; the highest is its present one."""

GAMES = sa.Table(
    "games",
    META,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("options", sa.Text, nullable=False),
    sa.Column("begun_at", sa.DateTime(timezone=True), server_default=sa.func.now()),
    sa.Column("table_name", sa.String(60), nullable=False, server_default=""),
    sa.Column("from_recording", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("evidence_days", sa.Float, nullable=False, server_default=sa.text(str(EVIDENCE_DAYS))),
)
"""One row a game.

`table_name` says at which of several tables, `from_recording` that no camera goes on with it, `evidence_days` how long
its pictures are kept.
"""

INPUTS = sa.Table(
    "inputs",
    META,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("game", sa.ForeignKey("games.number"), nullable=False, index=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("value", sa.Text, nullable=False),
)

EVENTS = sa.Table(
    "events",
    META,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("game", sa.ForeignKey("games.number"), nullable=False, index=True),
    sa.Column("input", sa.ForeignKey("inputs.number"), nullable=False),
    sa.Column("value", sa.Text, nullable=False),
)

# The picture stands last: whatever asks for the rest of a row need not read past it.
EVIDENCE = sa.Table(
    "evidence",
    META,
    sa.Column("game", sa.ForeignKey("games.number"), primary_key=True),
    sa.Column("name", sa.String(64), primary_key=True),
    sa.Column("input", sa.ForeignKey("inputs.number"), nullable=False),
    sa.Column("kept_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now(), index=True),
    sa.Column("size", sa.Integer, nullable=False),
    sa.Column("margin_cells", sa.Float, nullable=False),
    sa.Column("jpeg", sa.LargeBinary, nullable=False),
)

CAMERAS = sa.Table(
    "cameras",
    META,
    sa.Column("table_name", sa.String(60), primary_key=True),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("said_at", sa.DateTime(timezone=True), nullable=False),
)
"""The last word of the camera that watches each table, for pages of other programs; the time is the database's."""


State = Literal["empty", "journal", "foreign"]

_FIRST_COLUMNS: Mapping[str, frozenset[str]] = {
    "journal_schema": frozenset({"number"}),
    "games": frozenset({"number", "options", "begun_at"}),
    "inputs": frozenset({"number", "game", "kind", "value"}),
    "events": frozenset({"number", "game", "input", "value"}),
}
"""What every version of a journal has."""


def recognise(connection: sa.Connection) -> tuple[State, int]:
    """What a database is, and the number of its layout when it is a journal; only looks."""
    found = sa.inspect(connection)
    names = {*found.get_table_names(), *found.get_view_names()}
    if not names:
        return "empty", 0
    if not names >= _FIRST_COLUMNS.keys():
        return "foreign", 0
    has = {name: {column["name"] for column in found.get_columns(name)} for name in _FIRST_COLUMNS}
    number = connection.scalar(sa.select(sa.func.max(SCHEMAS.c.number))) if has[SCHEMAS.name] == {"number"} else None
    ours = number is not None and all(has[name] >= columns for name, columns in _FIRST_COLUMNS.items())
    return ("journal", int(number)) if ours and number is not None else ("foreign", 0)


def bring_up_to_date(connection: sa.Connection, number: int) -> None:
    """Make the tables of an empty database (`number` 0), or today's of an older layout's; the caller's transaction holds it all."""
    if number == 0:
        META.create_all(connection)
    for step in range(number + 1, SCHEMA + 1) if number else ():
        _STEPS[step](connection)
    connection.execute(SCHEMAS.insert().values(number=SCHEMA))


def _to_2(connection: sa.Connection) -> None:
    """Tables by name, recordings told apart, and evidence kept."""
    for statement in (
        "ALTER TABLE games ADD COLUMN table_name VARCHAR(60) NOT NULL DEFAULT ''",
        "ALTER TABLE games ADD COLUMN from_recording BOOLEAN NOT NULL DEFAULT FALSE",
        "ALTER TABLE games ADD COLUMN evidence_days FLOAT NOT NULL DEFAULT 30.0",
    ):
        connection.exec_driver_sql(statement)
    EVIDENCE.create(connection)


def _to_3(connection: sa.Connection) -> None:
    """How the watching goes, told to other programs."""
    CAMERAS.create(connection)


_STEPS: Mapping[int, Callable[[sa.Connection], Any]] = {2: _to_2, 3: _to_3}
"""The way to each layout from the one before; they name columns in words, for the tables above go on changing."""
