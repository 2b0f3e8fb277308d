"""The end of a game on the page: who has won and why, what to take along, and the next game."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from referee.sightings import Change, Sighting
from tests.browser.conftest import Running, opened
from tests.browser.play import JPEG, first_round
from tests.referee.test_tally import NAMES, played_out
from web.live import LiveGame

pytestmark = pytest.mark.browser


@pytest.fixture
def over(window: tuple[int, int], chromium: Browser) -> Iterator[Page]:
    """The page of a finished game in each of the windows."""
    running = Running(LiveGame(played_out("classic", players=list(NAMES))))
    with opened(chromium, running, width=window[0], height=window[1]) as shown:
        yield shown
    running.stop()


def test_the_result_names_places_and_explains_every_square(over: Page) -> None:
    expect(over.locator(".banner-over")).to_have_text("Game over")
    expect(over.locator(".result caption")).to_contain_text("Final scores")
    expect(over.locator(".result tbody tr")).to_have_count(4)
    expect(over.locator(".result .winner")).to_have_count(1)
    for card in over.locator("#colors article").all():
        left = card.locator(".left").inner_text()
        expect(card.locator(".sum")).to_contain_text("every piece placed" if left == "0" else f"= {left}")
    assert over.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert Axe().run(over).response["violations"] == []


def test_the_game_is_taken_along_as_a_file(over: Page) -> None:
    with over.expect_download() as download:
        over.locator("#files").get_by_role("link", name="Picture").click()
    assert download.value.suggested_filename == "blokus-classic-game-1.png"


def test_the_time_lapse_is_taken_along(over: Page) -> None:
    with over.expect_download() as download:
        over.locator("#files").get_by_role("link", name="Time-lapse").click()
    assert download.value.suggested_filename == "blokus-classic-game-1.gif"
    assert download.value.path().read_bytes().startswith(b"GIF89a")


def test_the_score_sheet_opens_for_the_printer_in_its_style(over: Page) -> None:
    with over.expect_popup() as popup:
        over.locator("#files").get_by_role("link", name=re.compile("^Print")).click()
    expect(popup.value.locator("h1")).to_have_text("Blokus score sheet")
    assert popup.value.locator(".halves").evaluate("halves => getComputedStyle(halves).display") != "block"


def test_the_main_button_is_the_next_game(over: Page) -> None:
    main = over.locator("#tool-again:visible")
    expect(main).to_have_text("New game")
    main.click()
    over.get_by_role("button", name="Start").click()
    expect(over.locator("#board .piece")).to_have_count(0)
    expect(over.locator("#result")).to_be_empty()


def test_a_game_that_was_stopped_says_who_could_still_play(chromium: Browser, table: Running) -> None:
    first_round(table)
    table.live.decide({"decision": "finish"})
    with opened(chromium, table, width=390) as page:
        expect(page.locator("#result")).to_contain_text("The game is not over: blue (Anna")
        expect(page.locator(".result caption")).to_contain_text("Scores so far")
        expect(page.locator(".result .winner")).to_have_count(0)


def test_the_photo_of_the_final_board_stands_with_the_result(window: tuple[int, int], chromium: Browser, table: Running) -> None:
    first_round(table)
    change = Change(added=frozenset({((2, 2), "blue"), ((2, 3), "blue")}))
    table.live.observe(Sighting(((change, 1.0),), frame=9, evidence=("f9a", "f9b")), {"f9a": JPEG, "f9b": JPEG})
    table.live.decide({"decision": "finish"})
    with opened(chromium, table, width=window[0], height=window[1]) as page:
        photo = page.locator("#result .final-photo")
        expect(photo).to_contain_text("The board after the last turn, as the camera saw it")
        assert photo.locator("image").get_attribute("href") == "/evidence/f9b.jpg"
        box = photo.locator("svg").bounding_box()
        assert box is not None
        assert abs(box["width"] - box["height"]) < 2
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert Axe().run(page).response["violations"] == []
