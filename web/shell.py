"""What the routes share: the live game and the gate of the application that answers the request, and what every page needs."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from flask import current_app

from web import texts
from web.live import LiveGame
from web.security import Gate
from web.streams import Seats
from web.tray import shapes


class Rendered:
    """The HTML of one position of the feed, rendered once for all who ask. Thread safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._position = -1
        self._html, self._etag = b"", ""

    def get(self, position: int, render: Callable[[], str]) -> tuple[bytes, str]:
        """The HTML and its tag at ``position``; ``render`` makes it when that is not the last one asked for."""
        with self._lock:
            if position != self._position:
                self._html = render().encode()
                self._etag = hashlib.sha256(self._html).hexdigest()[:32]
                self._position = position
            return self._html, self._etag


@dataclass(frozen=True)
class Shell:
    """The parts of one application."""

    live: LiveGame
    gate: Gate
    seats: Seats
    hostnames: frozenset[str]
    rendered: Rendered = field(default_factory=Rendered)

    @property
    def pin(self) -> str | None:
        """The table PIN, None when none is needed."""
        return self.gate.pin


def shell() -> Shell:
    """The shell of the application that answers the present request."""
    found = current_app.extensions["referee"]
    assert isinstance(found, Shell)  # noqa: S101 - tells mypy what create_app put there
    return found


def frame(script: str) -> dict[str, Any]:
    """What every page of the application needs besides its own content: its script, the words and the shapes for it, and its session."""
    gate = shell().gate
    return {"script": script, "token": gate.token(), "may_change": gate.may_change(), "words": texts.SCRIPT, "shapes": shapes()}
