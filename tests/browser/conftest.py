"""A real browser at a real server: Debian's chromium driven by Playwright.

Without chromium these tests are skipped, with the reason; under CI they fail instead, for there it must be installed.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, sync_playwright

from referee.cells import Cell
from referee.journal import Journal
from referee.options import GameOptions
from referee.table import Table
from tests.browser.play import first_round, foul
from web import create_app
from web.live import LiveGame
from web.server import Server, serve

# As root in a container; and no look-ups of the browser's own, which a closed network refuses one by one.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WAIT_MS = 15_000  # far more than anything needs, for a busy machine; nothing waits longer than it must


@pytest.fixture(scope="session")
def launch() -> Iterator[Callable[..., Browser]]:
    """Starts Debian's chromium, with further flags where a story needs them."""
    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if executable is None:
        if os.environ.get("CI"):
            pytest.fail("chromium is not installed, and CI must run the browser tests (apt-get install chromium)")
        pytest.skip("chromium is not installed (apt-get install chromium)")
    with sync_playwright() as playwright:
        yield lambda *flags: playwright.chromium.launch(executable_path=executable, args=[*FLAGS, *flags])


@pytest.fixture(scope="session")
def chromium(launch: Callable[..., Browser]) -> Iterator[Browser]:
    browser = launch()
    yield browser
    browser.close()


@dataclass
class Running:
    """A table being served, that can be stopped and started again at the same address."""

    live: LiveGame
    lan: bool = False
    server: Server = field(init=False)

    def __post_init__(self) -> None:
        self.server = serve(self.app(), port=0).start()

    def app(self) -> Flask:
        return create_app(self.live, lan=self.lan, pin="271828" if self.lan else None)

    def stop(self) -> None:
        self.server.stop()

    def start_again(self, live: LiveGame) -> None:
        """A new process would do the same: another live game, the same port, other secrets."""
        self.live = live
        self.server = serve(self.app(), port=self.server.port).start()

    def place(self, color: str, *cells: Cell) -> None:
        self.live.decide({"decision": "place", "color": color, "cells": [list(cell) for cell in cells]})


def new_live() -> LiveGame:
    return LiveGame(Table(GameOptions(players=("Anna", "Ben", "Cem", "Dana"))))


@pytest.fixture
def table() -> Iterator[Running]:
    running = Running(new_live())
    yield running
    running.stop()


@pytest.fixture
def lan_table() -> Iterator[Running]:
    running = Running(new_live(), lan=True)
    yield running
    running.stop()


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A table with a game under way and one of the past, and another table."""
    db = str(tmp_path_factory.mktemp("hall") / "games.db")
    running = Running(LiveGame.open(Journal(db, table="hall"), GameOptions(players=("Anna", "Ben", "Cem", "Dana"))))
    first_round(running)
    foul(running)
    running.live.decide({"decision": "new_game", "players": ["Anna", "Ben", "Cem", "Dana"]})
    first_round(running)
    window = LiveGame.open(Journal(db, table="window"), GameOptions("duo"))
    yield running
    window.close()
    running.stop()


@contextmanager
def opened(
    browser: Browser, running: Running, *, width: int = 1280, height: int = 800, scheme: Literal["light", "dark"] = "light"
) -> Iterator[Page]:
    """The page in a window of this size; fails when the page's script complains."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce")
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(running.server.url)
    yield page
    context.close()
    assert complaints == []


@pytest.fixture
def page(chromium: Browser, table: Running) -> Iterator[Page]:
    """The page of `table` on a desktop."""
    with opened(chromium, table) as shown:
        yield shown


@pytest.fixture(params=((390, 844), (820, 1180), (1920, 1080)), ids=lambda size: str(size[0]))
def window(request: pytest.FixtureRequest) -> tuple[int, int]:
    """Width and height in px of a phone's, a tablet's and a desktop's window."""
    size: tuple[int, int] = request.param
    return size


@pytest.fixture
def page_in_play(window: tuple[int, int], chromium: Browser, table: Running) -> Iterator[Page]:
    """The page in each of the windows, after the first round."""
    first_round(table)
    with opened(chromium, table, width=window[0], height=window[1]) as shown:
        yield shown
