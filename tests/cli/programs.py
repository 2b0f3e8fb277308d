"""The program as people start it: in a process of its own, how it refuses, and recorded games for it to read."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from click.testing import Result

from referee.journal import Journal
from referee.record import Input
from referee.table import Table
from tests.referee import corpus

RECORDS = corpus.FOLDER / "blksgf"
CLASSIC = RECORDS / "classic_000_uniform.blksgf"
NAMES = ["Ann", "Bea", "Cem", "Dan"]

START_TIMEOUT_S = 120
"""A busy machine may take this long to load OpenCV; nothing waits longer than it must."""


def refused(result: Result, exit_code: int = 3, *, lines_told: int = 0) -> str:
    """The one line on standard error of a command that ended as it should, with so many lines on standard output."""
    assert result.exit_code == exit_code, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert len(result.stdout.splitlines()) == lines_told
    (line,) = result.stderr.strip().splitlines()
    return line


def kept(db: Path, *games: Table) -> Path:
    """A database of these games."""
    journal = Journal(str(db))
    for table in games:
        journal.new_game(table.first_options.as_json())
        inputs: list[Input] = table.inputs
        for kind, value in inputs:
            journal.append(kind, value, ())
    journal.close()
    return db


@contextmanager
def running(*args: str) -> Iterator[subprocess.Popen[str]]:
    """The program with these arguments, killed at the end if it still runs."""
    command = [sys.executable, "-m", "web.cli", *args]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def first_line(process: subprocess.Popen[str]) -> str:
    """The first line it prints on standard output."""
    assert process.stdout is not None
    return process.stdout.readline().rstrip("\n")


def fetch(url: str) -> Any:
    """The JSON at an address of a running program."""
    with urllib.request.urlopen(url, timeout=START_TIMEOUT_S) as response:
        return json.load(response)


@contextmanager
def stream(url: str) -> Iterator[Iterator[dict[str, Any]]]:
    """The messages of a stream of events, as they come."""
    with urllib.request.urlopen(url, timeout=START_TIMEOUT_S) as response:
        yield (json.loads(line.removeprefix(b"data: ")) for line in response if line.startswith(b"data: "))


def stopped_by(process: subprocess.Popen[str], number: signal.Signals) -> tuple[int, str]:
    """Exit status and standard error after a signal."""
    process.send_signal(number)
    _, stderr = process.communicate(timeout=START_TIMEOUT_S)
    return process.returncode, stderr
