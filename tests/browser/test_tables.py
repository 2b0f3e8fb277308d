"""Several tables on one server: the list, another table's page that follows its own program, and a game of the past."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from referee.journal import Journal
from referee.options import GameOptions
from tests.browser.conftest import Running, opened
from tests.browser.play import first_round, title
from tests.cli.programs import kept
from tests.referee.test_tally import played_out
from tests.web.test_circuits import SEATED
from web.live import LiveGame

pytestmark = pytest.mark.browser


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Running]:
    """A server at the table "hall", whose first game is of the past."""
    live = LiveGame.open(Journal(str(tmp_path / "games.db"), table="hall"), GameOptions(players=("Anna", "Ben", "Cem", "Dana")))
    running = Running(live)
    first_round(running)
    live.decide({"decision": "finish"})
    live.decide({"decision": "new_game", "players": ["Anna", "Ben", "Cem", "Dana"]})
    running.place("blue", (0, 0), (0, 1), (1, 1))
    yield running
    running.stop()


@pytest.fixture
def window_table(tmp_path: Path, hall: Running) -> Iterator[LiveGame]:
    """The table "by the window" of another program, on the same database."""
    del hall  # its game is the older one
    live = LiveGame.open(Journal(str(tmp_path / "games.db"), table="by the window"), GameOptions("duo", players=("Eve", "Finn")))
    yield live
    live.close()


@pytest.fixture
def page(window: tuple[int, int], chromium: Browser, hall: Running, window_table: LiveGame) -> Iterator[Page]:
    window_table.camera("ready", expires_s=60.0)
    with opened(chromium, hall, width=window[0], height=window[1]) as shown:
        yield shown


def put(live: LiveGame, color: str, *cells: tuple[int, int]) -> None:
    live.decide({"decision": "place", "color": color, "cells": [list(cell) for cell in cells]})


def is_in_order(page: Page) -> None:
    """Nothing is wider than the window, and nobody is shut out."""
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert Axe().run(page).response["violations"] == []


def test_from_the_game_to_the_list_to_another_table_that_follows_its_own_program(page: Page, window_table: LiveGame) -> None:
    page.locator(".tools [data-dialog='more']").click()
    page.get_by_role("link", name="Tables and games").click()
    expect(page.get_by_role("heading", name="Tables and games")).to_be_visible()
    expect(page.locator(".game-live")).to_have_count(2)
    is_in_order(page)
    put(window_table, "purple", (4, 4))
    expect(page.locator(".game-live").first).to_contain_text("Purple 1 is legal.")
    window_table.camera("ready", expires_s=60.0)  # as a camera does every second
    page.get_by_role("link", name="by the window").click()
    expect(title(page)).to_have_text("Orange")
    expect(page.locator(".camera")).to_have_text("Watching")
    put(window_table, "orange", (9, 9))
    expect(page.locator("#board [data-turn='2']")).to_be_visible()
    expect(title(page)).to_have_text("Purple")


def test_the_list_says_when_it_may_be_old_and_comes_back_by_itself(chromium: Browser, hall: Running) -> None:
    with opened(chromium, hall) as page:
        page.goto(f"{hall.server.url}tables")
        hall.stop()
        expect(page.get_by_role("alert")).to_contain_text("What you see may be old")
        hall.start_again(hall.live)
        expect(page.get_by_role("alert")).to_be_hidden()


def test_a_decision_on_a_table_s_page_is_made_at_that_table(page: Page, hall: Running, window_table: LiveGame) -> None:
    put(window_table, "purple", (4, 4))
    page.goto(f"{hall.server.url}tables/by%20the%20window/")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator("#board .piece")).to_have_count(0)
    for _ in range(100):  # the table's own program hears of it when it looks into the database next
        if not window_table.state()["placements"]:
            break
        page.wait_for_timeout(50)
    assert window_table.state()["placements"] == []
    assert len(hall.live.state()["placements"]) == 1


def test_a_game_of_the_past_is_looked_through_turn_by_turn(page: Page, hall: Running) -> None:
    page.goto(f"{hall.server.url}tables")
    page.get_by_role("link", name="Game 1").click()
    expect(page.locator(".result caption")).to_contain_text("Scores so far")
    expect(page.locator("#past-words")).to_have_text("Now, after turn 4. Slide to look back.")
    page.locator("#past").fill("2")
    expect(page.locator("#past-words")).to_have_text("After turn 2 of 4: Yellow 2")
    page.locator("#move-3").click()
    expect(page.locator("#past-words")).to_have_text("After turn 3 of 4: Red 1")
    assert page.locator("button.act:visible, .tools:visible").count() == 0
    is_in_order(page)
    with page.expect_download() as download:
        page.locator("#files").get_by_role("link", name="Picture").click()
    assert download.value.suggested_filename == "blokus-classic-game-1.png"


def test_the_list_and_a_game_of_the_past_have_no_faults_in_the_dark_and_fit_the_smallest_window(
    chromium: Browser, hall: Running, window_table: LiveGame
) -> None:
    window_table.camera("dark", "too dark", expires_s=60.0)
    for width, scheme in ((320, "light"), (3840, "light"), (1280, "dark")):
        with opened(chromium, hall, width=width, scheme="dark" if scheme == "dark" else "light") as page:
            for path in ("tables", "games/1/"):
                page.goto(f"{hall.server.url}{path}")
                is_in_order(page)


def test_the_longest_name_of_a_table_fits_the_smallest_window(chromium: Browser, tmp_path: Path) -> None:
    running = Running(LiveGame.open(Journal(str(tmp_path / "games.db"), table="W" * 60), GameOptions()))
    with opened(chromium, running, width=320) as page:
        for path in ("", "tables"):
            page.goto(f"{running.server.url}{path}")
            expect(page.get_by_text("W" * 60)).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    running.stop()


def test_the_totals_of_a_circuit_are_chosen_by_taps(window: tuple[int, int], chromium: Browser, tmp_path: Path) -> None:
    games = [played_out("classic", players=names) for names in SEATED[:2]]
    journal = Journal(str(kept(tmp_path / "evening.db", *games)))
    journal.new_game(GameOptions().as_json())
    running = Running(LiveGame.open(journal))
    with opened(chromium, running, width=window[0], height=window[1]) as page:
        page.goto(f"{running.server.url}tables")
        page.get_by_role("link", name="Circuit totals").click()
        expect(page.locator(".circuit caption")).to_have_text("After 2 of 4 games")
        expect(page.locator(".circuit tbody tr")).to_have_count(4)
        is_in_order(page)
        page.get_by_role("link", name="Game 2").click()
        expect(page.locator(".circuit caption")).to_have_text("After 1 of 4 games")
    running.stop()
