"""Where games are kept, for tests of every package: the same tests hold for each kind of database."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from referee import journal
from referee.journal_opening import open_engine
from tests.databases import PostgresServer, postgres_server, server_programs


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server; without its programs the tests are skipped, and under CI they fail instead."""
    programs = server_programs()
    if programs is None:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL is not installed, and CI must run its tests (apt-get install postgresql)")
        pytest.skip("PostgreSQL is not installed (apt-get install postgresql)")
    with postgres_server(programs) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def db(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of each kind, as `--db` names it; the journals that a test opens in it are closed at its end."""
    engines: list[sa.Engine] = []

    def opened(*args: Any, **options: Any) -> tuple[sa.Engine, str]:
        engine, name = open_engine(*args, **options)
        engines.append(engine)
        return engine, name

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(journal, "open_engine", opened)
        if request.param == "sqlite":
            yield str(tmp_path / "game.db")
        else:
            server: PostgresServer = request.getfixturevalue("postgres")
            yield server.new_database()
    for engine in engines:
        engine.dispose()
