"""What the routes share: the live game and the gate of the application that answers the request, and what every page needs."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from flask import current_app, g

from web import texts
from web.camera_desk import CameraDesk
from web.live import LiveGame
from web.phone_camera import PhoneCamera
from web.security import Gate
from web.streams import Seats
from web.translating import tr
from web.tray import shapes


class Rendered:
    """The HTML of one position of the feed, rendered once a language for all who ask. Thread safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[int, bytes, str]] = {}

    def get(self, position: int, language: str, render: Callable[[], str]) -> tuple[bytes, str]:
        """The HTML and its tag at ``position``; ``render`` makes it when that is not the last one asked for in the language."""
        with self._lock:
            kept = self._kept.get(language)
            if kept is None or kept[0] != position:
                html = render().encode()
                kept = self._kept[language] = position, html, hashlib.sha256(html).hexdigest()[:32]
            return kept[1:]


@dataclass(frozen=True)
class Shell:
    """The parts of one application."""

    live: LiveGame
    gate: Gate
    seats: Seats
    hostnames: frozenset[str]
    phone: PhoneCamera | None = None
    desk: CameraDesk | None = None
    rendered: Rendered = field(default_factory=Rendered)
    viewers: Seats = field(kw_only=True)

    @property
    def pin(self) -> str | None:
        """The table PIN, None when none is needed."""
        return self.gate.pin


def shell() -> Shell:
    """The shell of the game that the present request is about: the application's own, or that of another table or game."""
    found = g.get("shell") or current_app.extensions["referee"]
    assert isinstance(found, Shell)  # noqa: S101 - tells mypy what create_app put there
    return found


def frame(script: str) -> dict[str, Any]:
    """What every page of the application needs besides its own content: its script, the words and the shapes for it, and its session."""
    gate = shell().gate
    return {
        "script": script,
        "token": gate.token(),
        "may_change": gate.may_change(),
        "words": {key: tr(text) for key, text in texts.SCRIPT.items()},
        "shapes": shapes(),
    }
