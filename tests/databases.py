"""Databases to keep games in: an SQLite file, and a PostgreSQL server that the tests start for themselves and take away again."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import sqlalchemy as sa

PASSWORD = "open-sesame"
NOBODY = "nobody"


def server_programs() -> Path | None:
    """The folder of PostgreSQL's server programs, the newest one; Debian keeps them out of the PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    elsewhere = shutil.which("initdb")
    return found[-1].parent if found else Path(elsewhere).resolve().parent if elsewhere else None


@dataclass
class PostgresServer:
    """A running server on loopback, with one user who needs a password."""

    port: int
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def url(self, database: str, password: str = PASSWORD) -> str:
        return f"postgresql://referee:{password}@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """The URL of an empty database."""
        name = f"games_{next(self._numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)


@contextmanager
def postgres_server(programs: Path) -> Iterator[PostgresServer]:
    """A server in a folder of its own; it refuses to run as root, and then runs as nobody."""
    folder = Path(tempfile.mkdtemp(prefix="referee-postgres-"))
    who: dict[str, Any] = {}
    if os.geteuid() == 0:
        shutil.chown(folder, NOBODY)
        who = {"user": NOBODY, "group": folder.stat().st_gid, "extra_groups": []}

    def run(program: str, *args: str | Path) -> None:
        done = subprocess.run([programs / program, *args], cwd=folder, capture_output=True, text=True, check=False, **who)
        assert done.returncode == 0, done.stdout + done.stderr

    password, data = folder / "password", folder / "data"
    password.write_text(PASSWORD)
    password.chmod(0o644)
    run("initdb", "-D", data, "-U", "referee", "-A", "scram-sha-256", f"--pwfile={password}", "-E", "UTF8", "--locale=C", "--no-sync")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    # The computer does not fail during a test; the programs that write are what is killed.
    options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories= -c fsync=off -c full_page_writes=off"
    run("pg_ctl", "-D", data, "-l", folder / "log", "-w", "-o", options, "start")
    # Its input ends with this process, however that dies: no server outlives the tests.
    clean_up = f'read -r _; "{programs / "pg_ctl"}" -D "{data}" -m immediate -w stop; rm -rf "{folder}"'
    with subprocess.Popen(
        ["sh", "-c", clean_up], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, **who
    ):
        yield PostgresServer(port)


def is_file(db: str) -> bool:
    """Whether a database is an SQLite file."""
    return "://" not in db


@contextmanager
def connected(db: str) -> Iterator[sa.Connection]:
    """The database as any other program sees it; what is changed is kept."""
    engine = sa.create_engine(f"sqlite:///{db}" if is_file(db) else db.replace("postgresql:", "postgresql+psycopg:", 1))
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def tables_in(db: str) -> set[str]:
    """The names of a database's tables."""
    with connected(db) as connection:
        return set(sa.inspect(connection).get_table_names())
