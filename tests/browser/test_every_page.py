"""Every page that the application has, also of another table and of a game of the past: new ones are looked at by themselves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from referee.journal import Journal
from referee.options import GameOptions
from referee.table import Table
from tests.browser.conftest import Running, opened
from tests.browser.play import first_round, foul, is_in_order_everywhere
from web import create_app
from web.live import LiveGame

pytestmark = pytest.mark.browser


def pages() -> list[str]:
    """The addresses that answer with a whole page, and one of which there is none."""
    app = create_app(LiveGame(Table()))
    client = app.test_client()
    asked = sorted(rule.rule.replace("<int:number>", "1") for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()))
    plain = [path for path in asked if "<" not in path and not path.startswith("/api/")]
    answers = {path: client.get(path) for path in plain}
    return ["/nowhere", *(path for path, answer in answers.items() if answer.status_code == 200 and b"<html" in answer.data)]


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


@pytest.mark.parametrize("path", [*pages(), "/tables/window/", "/tables/window/setup", "/games/1/"])
def test_axe_finds_no_barrier_and_nothing_is_wider_than_the_window(chromium: Browser, hall: Running, path: str) -> None:
    with opened(chromium, hall) as page:
        page.goto(f"{hall.server.url.rstrip('/')}{path}")
        is_in_order_everywhere(page)
