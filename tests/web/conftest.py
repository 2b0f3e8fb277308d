"""A table that people play at through the page's routes, so that tests read as their stories."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.cells import Cell
from referee.options import GameOptions
from referee.table import Table
from web import create_app
from web.live import LiveGame
from web.shell import Shell


@dataclass
class Visitor:
    """Somebody at the routes: a program, or a browser that has loaded the page."""

    client: FlaskClient
    token: str = ""

    def open_page(self) -> str:
        """Load the page as a browser does, and remember its token."""
        html = self.client.get("/").get_data(as_text=True)
        self.token = html.split('data-token="')[1].split('"')[0]
        return html

    def post(self, path: str, body: object, **headers: str) -> TestResponse:
        """Send JSON, with the page's token when it has been loaded."""
        sent = {"X-CSRF-Token": self.token, "Origin": "http://localhost"} if self.token else {}
        return self.client.post(path, json=body, headers={**sent, **headers})

    def decide(self, decision: str, **fields: Any) -> list[dict[str, Any]]:
        """Carry out a decision that must succeed; gives its events."""
        answer = self.post("/api/decisions", {"decision": decision, **fields})
        assert answer.status_code == 200, answer.get_data(as_text=True)
        return list(answer.get_json()["events"])

    def place(self, color: str, cells: Iterable[Cell]) -> list[str]:
        """Place a piece by hand; gives the names of the events."""
        return [event["event"] for event in self.decide("place", color=color, cells=[list(cell) for cell in cells])]

    @property
    def state(self) -> dict[str, Any]:
        """The whole state."""
        return dict(self.client.get("/api/state").get_json())

    @property
    def html(self) -> str:
        """The part of the page that changes."""
        return str(self.client.get("/live").get_data(as_text=True))


@pytest.fixture
def live() -> Iterator[LiveGame]:
    game = LiveGame(Table(GameOptions(players=("Anna", "Ben", "Cem", "Dana"))))
    yield game
    game.close()


@pytest.fixture
def program(live: LiveGame) -> Visitor:
    """A program on this computer: no browser, no cookies."""
    return Visitor(create_app(live).test_client(use_cookies=False))


@pytest.fixture
def browser(live: LiveGame) -> Visitor:
    """A browser on this computer that has loaded the page."""
    visitor = Visitor(create_app(live).test_client())
    visitor.open_page()
    return visitor


@pytest.fixture
def guest(live: LiveGame) -> Visitor:
    """A browser in the network of a table whose PIN is 271828."""
    visitor = Visitor(create_app(live, lan=True, pin="271828").test_client())
    visitor.open_page()
    return visitor


def shell_of(visitor: Visitor) -> Shell:
    """The parts of the application that a visitor talks to."""
    found = visitor.client.application.extensions["referee"]
    assert isinstance(found, Shell)
    return found


def messages(text: str) -> list[dict[str, Any]]:
    """The JSON of each message in the text of a stream."""
    return [json.loads(line.removeprefix("data: ")) for line in text.splitlines() if line.startswith("data: ")]
