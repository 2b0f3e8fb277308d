"""A script that comes late, as over a weak signal: no page takes input that would be lost, or undone when the script begins."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from referee.options import GameOptions
from referee.table import Table
from tests.browser.conftest import Running, opened
from tests.browser.play import first_round, foul
from tests.browser.test_every_page import pages
from web import create_app
from web.live import LiveGame

pytestmark = pytest.mark.browser

CONTROLS = "#page :is(button, input, select, textarea)"


@contextmanager
def arriving(page: Page, address: str) -> Iterator[None]:
    """Inside, the page is there and its scripts are not; afterwards they come."""
    held: list[Route] = []
    is_there = False

    def hold(route: Route) -> None:
        if is_there:
            route.continue_()
        else:
            held.append(route)

    page.route("**/static/*.js", hold)
    page.goto(address, wait_until="commit")
    page.locator("template#words").wait_for(state="attached")
    yield
    is_there = True
    for route in held:
        route.continue_()


def waking() -> list[str]:
    """The addresses of pages that a script works; the others have nothing that waits for one."""
    client = create_app(LiveGame(Table())).test_client()
    return [path for path in pages() if b"<script" in client.get(path).data]


@pytest.mark.parametrize("path", [*waking(), "/tables/window/", "/tables/window/setup", "/games/1/"])
def test_no_page_takes_input_before_its_script_works(chromium: Browser, hall: Running, path: str) -> None:
    with opened(chromium, hall) as page:
        with arriving(page, f"{hall.server.url.rstrip('/')}{path}"):
            assert page.locator(f"{CONTROLS}:enabled").count() == 0
            assert page.locator("h1").first.is_visible()
        page.locator("#page:enabled").wait_for(state="attached")
        assert page.locator(CONTROLS).count() == 0 or page.locator(f"{CONTROLS}:enabled").count() > 0


def test_what_is_chosen_for_a_new_game_stays_chosen_when_the_script_is_late(chromium: Browser, table: Running) -> None:
    with opened(chromium, table) as page:
        with arriving(page, f"{table.server.url}setup"):
            expect(page.get_by_label("Game", exact=True)).to_be_disabled()
        page.get_by_label("Game", exact=True).select_option("duo")
        page.get_by_label("Purple").first.fill("Ada")
        page.get_by_role("button", name="Start").click()
        expect(page.locator("#top .game")).to_contain_text("Duo")


def test_the_table_pin_is_taken_once_the_script_works_and_not_before(chromium: Browser, lan_table: Running) -> None:
    with opened(chromium, lan_table) as page:
        with arriving(page, f"{lan_table.server.url}setup"):
            expect(page.locator("input[name='pin']")).to_be_disabled()
            expect(page.locator("#pin button")).to_be_disabled()
        page.get_by_label("PIN", exact=True).fill("271828")
        page.get_by_role("button", name="Enter").click()
        expect(page.locator("#new-game")).to_be_visible()


def test_a_page_that_waits_long_for_its_script_says_so(chromium: Browser, table: Running) -> None:
    with opened(chromium, table) as page:
        with arriving(page, table.server.url):
            expect(page.locator("#waking")).to_be_visible()
        expect(page.locator("#waking")).to_be_hidden()


@pytest.mark.parametrize("path", ["overlay", "tables", "puzzles"])
def test_a_page_without_buttons_does_not_speak_of_them(chromium: Browser, hall: Running, path: str) -> None:
    with opened(chromium, hall) as page, arriving(page, f"{hall.server.url}{path}"):
        expect(page.locator("#waking")).to_have_css("display", "none")


def test_what_a_dispute_asks_can_be_read_before_the_script_works_and_answered_after(chromium: Browser) -> None:
    running = Running(LiveGame(Table(GameOptions(players=("Anna", "Ben", "Cem", "Dana")))))
    first_round(running)
    foul(running)
    with opened(chromium, running) as page:
        with arriving(page, running.server.url):
            expect(page.locator("#dispute-rule")).to_be_visible()
            expect(page.locator(".remedy").first).to_be_disabled()
        page.locator(".remedy").first.click()
        expect(page.locator(".dispute")).to_have_count(0)
    running.stop()
