"""Every page that the application has, also of another table and of a game of the past: new ones are looked at by themselves."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from referee.table import Table
from tests.browser.conftest import Running, opened
from tests.browser.play import is_in_order_everywhere
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


@pytest.mark.parametrize("path", [*pages(), "/tables/window/", "/tables/window/setup", "/games/1/"])
def test_axe_finds_no_barrier_and_nothing_is_wider_than_the_window(chromium: Browser, hall: Running, path: str) -> None:
    with opened(chromium, hall) as page:
        page.goto(f"{hall.server.url.rstrip('/')}{path}")
        is_in_order_everywhere(page)
