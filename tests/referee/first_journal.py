"""A journal as the first version of the program wrote it, word for word: three pieces of a game, the last one a foul."""

from __future__ import annotations

from typing import Any

from tests.databases import connected

_STATEMENTS = (
    "CREATE TABLE journal_schema (number INTEGER NOT NULL, PRIMARY KEY (number))",
    """CREATE TABLE games (number INTEGER NOT NULL, options TEXT NOT NULL,
        begun_at TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP, PRIMARY KEY (number))""",
    """CREATE TABLE inputs (number INTEGER NOT NULL, game INTEGER NOT NULL, kind VARCHAR(16) NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY (number), FOREIGN KEY(game) REFERENCES games (number))""",
    """CREATE TABLE events (number INTEGER NOT NULL, game INTEGER NOT NULL, input INTEGER NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY (number), FOREIGN KEY(game) REFERENCES games (number), FOREIGN KEY(input) REFERENCES inputs (number))""",
    "CREATE INDEX ix_inputs_game ON inputs (game)",
    "CREATE INDEX ix_events_game ON events (game)",
    "INSERT INTO journal_schema VALUES (1)",
    """INSERT INTO games VALUES (1, '{"marks":null,"mirrored":false,"missing":{},"order":null,"players":["Ann","Ben","Cy","Dee"],
        "scoring":null,"shared":null,"start_cells":null,"starts":"seated","touch":"lenient","variant":"classic"}',
        '2026-11-30 14:28:12')""",
    """INSERT INTO inputs VALUES (1, 1, 'decision', '{"cells":[[0,0]],"color":"blue","decision":"place"}'),
        (2, 1, 'decision', '{"cells":[[0,19]],"color":"yellow","decision":"place"}'),
        (3, 1, 'decision', '{"cells":[[5,5]],"color":"red","decision":"place"}')""",
    """INSERT INTO events VALUES
        (1, 1, 1, '{"cells":[[0,0]],"color":"blue","event":"placement","joint":false,"open_disputes":[],"piece":"1","player":"Ann",
            "ruling":"legal","sentence":"Blue 1 is legal.","turn":1}'),
        (2, 1, 2, '{"cells":[[0,19]],"color":"yellow","event":"placement","joint":false,"open_disputes":[],"piece":"1","player":"Ben",
            "ruling":"legal","sentence":"Yellow 1 is legal.","turn":2}'),
        (3, 1, 3, '{"cells":[[5,5]],"color":"red","event":"dispute","evidence":[],"from_cells":[],"id":1,"kinds":["start_not_covered"],
            "message":"Red must cover a corner.","offending_cells":[[19,0],[19,19]],"piece":"1","sentence":"Red must cover a corner."}')""",
)

FIRST_GAME: list[tuple[int, str, Any]] = [(1, "placement", "blue"), (2, "placement", "yellow"), (3, "dispute", "red")]
"""The number, name and colour of each event in it."""


def make_first_journal(db: str) -> None:
    """Fill an empty database."""
    with connected(db) as connection:
        for statement in _STATEMENTS:
            connection.exec_driver_sql(statement)
