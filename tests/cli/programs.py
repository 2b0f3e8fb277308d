"""The real program in a process of its own, as people start it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

START_TIMEOUT_S = 120
"""A busy machine may take this long to load OpenCV; nothing waits longer than it must."""


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
