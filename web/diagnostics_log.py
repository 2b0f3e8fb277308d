"""The program's last words in memory, for whoever looks for a fault; and taking secrets out of texts that leave the computer."""

from __future__ import annotations

import getpass
import ipaddress
import logging
import re
import socket
from collections import deque
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

LINES = 500
"""Entries kept: a program that is well writes none."""

LONGEST = 8000
"""Letters kept of an entry, its trace included."""

_FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_HIDDEN = (
    (re.compile(r"(?<=://)[^\s/]+@"), "...@"),
    (re.compile(r"(://[^\s?\"']+\?)[^\s\"']+"), r"\1..."),
    (re.compile(r"(?i)\b(cookie|authorization)(\"?\s*[:=]\s*\"?)[^\r\n\"]+"), r"\1\2..."),
    (re.compile(r"(?i)\b(x-csrf-token|pin|password|passwd|secret|token)(\"?\s*[:=]\s*\"?)[^\s\",;&]+"), r"\1\2..."),
    (re.compile(r"(?i)([/\\](?:home|users)[/\\])[^/\\\s\"']+"), r"\1..."),
)
"""What may stand in a text and is nobody else's business, and what is written instead."""

_ADDRESS = re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])|(?<![\w:])[0-9a-fA-F:]*:[0-9a-fA-F:]*(?![\w:])")
"""What may be a network address."""


class KeptLog(logging.Handler):
    """Keeps the last entries of the program's log. Thread safe, as all handlers are."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter(_FORM))
        self._entries: deque[str] = deque(maxlen=LINES)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep an entry."""
        try:
            self._entries.append(self.format(record)[:LONGEST])
        except Exception:  # noqa: BLE001 - an entry that cannot be written must not stop what wrote it
            self.handleError(record)

    def text(self) -> str:
        """The entries, one after the other."""
        self.acquire()
        try:
            return "".join(f"{entry}\n" for entry in self._entries)
        finally:
            self.release()


def without_secrets(text: str, secrets: Collection[str] = ()) -> str:
    """A text without passwords, cookies, PINs, network addresses, this computer's name and the user's, and these ``secrets``."""
    for secret in sorted({*secrets, *_names()}, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", "...", text)
    for pattern, instead in _HIDDEN:
        text = pattern.sub(instead, text)
    return _ADDRESS.sub(_hidden_address, text)


def values_without_secrets(value: Any, secrets: Collection[str] = ()) -> Any:
    """JSON values with every text in them as `without_secrets` leaves it."""
    if isinstance(value, str):
        return without_secrets(value, secrets)
    if isinstance(value, Mapping):
        return {key: values_without_secrets(item, secrets) for key, item in value.items()}
    return [values_without_secrets(item, secrets) for item in value] if isinstance(value, list | tuple) else value


def _hidden_address(found: re.Match[str]) -> str:
    """What looks like a network address: nothing of it when it is one."""
    try:
        ipaddress.ip_address(found[0])
    except ValueError:
        return found[0]
    return "<address>"


def _names() -> set[str]:
    """The user's home, and the names of the user and the computer where they are long enough not to be parts of other words."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError):
        user = ""
    home = str(Path("~").expanduser())
    return {name for name in (home, user, socket.gethostname()) if len(name) > 5}
