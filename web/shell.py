"""What the routes share: the live game and the gate of the application that answers the request."""

from __future__ import annotations

from dataclasses import dataclass

from flask import current_app

from web.live import LiveGame
from web.security import Gate
from web.streams import Seats


@dataclass(frozen=True)
class Shell:
    """The parts of one application."""

    live: LiveGame
    gate: Gate
    seats: Seats
    hostnames: frozenset[str]

    @property
    def pin(self) -> str | None:
        """The table PIN, None when none is needed."""
        return self.gate.pin


def shell() -> Shell:
    """The shell of the application that answers the present request."""
    found = current_app.extensions["referee"]
    assert isinstance(found, Shell)  # noqa: S101 - tells mypy what create_app put there
    return found
