"""Evidence in the journal: the pictures that events name, bounded in size and in time.

Those of a dispute or question that is still open are never dropped.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from referee.journal_tables import EVENTS, EVIDENCE, GAMES


@dataclass(frozen=True)
class Picture:
    """A square picture of the board as it was seen: upright (row 0 at the top), rectified, as JPEG.

    ``margin_cells`` is how many cells' widths of rim lie around the grid on each side. Not checked: that the bytes are a JPEG.
    """

    jpeg: bytes
    margin_cells: float = 1.0


@dataclass(frozen=True)
class Retention:
    """How much evidence is kept, and how long.

    Attributes:
        days: days that the pictures of a table's games are kept; 0: no longer than their dispute or question is open; None: as was said
            for its last game, which the database remembers.
        picture_bytes: a larger picture is not kept at all; board pictures have 30 to 150 kB.
        game_bytes: pictures of one game together; a game with a foul at every third piece has some 15 MB.
    """

    days: float | None = None
    picture_bytes: int = 512 * 1024
    game_bytes: int = 32 * 1024 * 1024


def keep(connection: sa.Connection, game: int, number: int, pictures: Mapping[str, Picture], retention: Retention) -> None:
    """Add the pictures of the input of that number, in place of older ones of their names, and drop what no longer fits."""
    rows = [
        {
            "game": game,
            "name": name,
            "input": number,
            "size": len(picture.jpeg),
            "margin_cells": picture.margin_cells,
            "jpeg": picture.jpeg,
        }
        for name, picture in pictures.items()
        if len(picture.jpeg) <= retention.picture_bytes
    ]
    if not rows:
        return
    _drop(connection, game, pictures)
    connection.execute(EVIDENCE.insert(), rows)
    held = connection.scalar(sa.select(sa.func.sum(EVIDENCE.c.size)).where(EVIDENCE.c.game == game)) or 0
    if held > retention.game_bytes:
        _make_room(connection, game, int(held) - retention.game_bytes)


def _make_room(connection: sa.Connection, game: int, too_much: int) -> None:
    """Drop the oldest pictures of a game that nobody needs for a decision."""
    wanted = open_evidence(_events_of(connection, game))
    going = []
    oldest_first = sa.select(EVIDENCE.c.name, EVIDENCE.c.size).where(EVIDENCE.c.game == game).order_by(EVIDENCE.c.input, EVIDENCE.c.name)
    for row in connection.execute(oldest_first):
        if too_much > 0 and row.name not in wanted:
            going.append(row.name)
            too_much -= row.size
    _drop(connection, game, going)


def prune(connection: sa.Connection, table: str | None) -> int:
    """Drop the pictures that are older than their games keep them, of one table's games or (None) of all; gives how many went."""
    now: datetime = connection.execute(sa.select(sa.func.now())).scalar_one()
    games = sa.select(GAMES.c.number, GAMES.c.evidence_days).where(GAMES.c.number.in_(sa.select(EVIDENCE.c.game).distinct()))
    dropped = 0
    for game in connection.execute(games if table is None else games.where(GAMES.c.table_name == table)).all():
        is_old = EVIDENCE.c.kept_at <= now - timedelta(days=game.evidence_days)
        old = set(connection.scalars(sa.select(EVIDENCE.c.name).where(EVIDENCE.c.game == game.number, is_old)))
        unwanted = old - open_evidence(_events_of(connection, game.number)) if old else old
        _drop(connection, game.number, unwanted)
        dropped += len(unwanted)
    return dropped


def fetch(connection: sa.Connection, game: int, name: str) -> Picture | None:
    """A picture of a game, None when it is not kept (any more)."""
    found = sa.select(EVIDENCE.c.jpeg, EVIDENCE.c.margin_cells).where(EVIDENCE.c.game == game, EVIDENCE.c.name == name)
    row = connection.execute(found).first()
    return None if row is None else Picture(bytes(row.jpeg), row.margin_cells)


def open_evidence(events: Iterable[Mapping[str, Any]]) -> set[str]:
    """Names of the pictures of disputes and questions that are open after these events (JSON, oldest first)."""
    held: dict[Any, tuple[str, ...]] = {}
    for event in events:
        if event.get("event") in ("dispute", "question"):
            held[event.get("id")] = tuple(event.get("evidence") or ())
        elif event.get("event") in ("resolved", "answered"):
            held.pop(event.get("id"), None)
    return {name for names in held.values() for name in names}


def _events_of(connection: sa.Connection, game: int) -> Iterable[Mapping[str, Any]]:
    rows = connection.execute(sa.select(EVENTS.c.value).where(EVENTS.c.game == game).order_by(EVENTS.c.number))
    return [json.loads(row.value) for row in rows]


def _drop(connection: sa.Connection, game: int, names: Collection[str]) -> None:
    if names:
        connection.execute(EVIDENCE.delete().where(EVIDENCE.c.game == game, EVIDENCE.c.name.in_(list(names))))
