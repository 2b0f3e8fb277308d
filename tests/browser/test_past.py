"""Looking back: the board after any turn, and what there is to know about a piece."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from referee.sightings import Change, Sighting
from tests.browser.conftest import Running
from tests.browser.play import foul, tap_cell

pytestmark = pytest.mark.browser


@pytest.fixture
def page(page_in_play: Page) -> Page:
    """The page in each of the windows, after the first round."""
    return page_in_play


def lying(page: Page) -> list[str]:
    """The turns of the pieces that are drawn, in order."""
    return sorted(page.locator("#board .piece:visible").evaluate_all("found => found.map(one => one.dataset.turn)"))


def test_the_slider_shows_the_board_after_any_turn_with_its_last_piece_marked(page: Page) -> None:
    expect(page.locator("#past-words")).to_have_text("Now, after turn 4. Slide to look back.")
    page.locator("#past").fill("2")
    expect(page.locator("#past-words")).to_have_text("After turn 2 of 4: Yellow 2")
    assert lying(page) == ["1", "2"]
    piece = page.locator("#board [data-turn='2'] > path").first.get_attribute("d")
    assert page.locator("#board .past-halo.halo-last").get_attribute("d") == piece
    assert page.locator("#board .halo-line:visible").count() == 1
    page.locator("#past").fill("0")
    assert lying(page) == []
    page.get_by_role("button", name="Back to now").click()
    assert lying(page) == ["1", "2", "3", "4"]


def test_the_keys_look_back_as_well(page: Page) -> None:
    page.locator("#past").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#past")).to_have_attribute("aria-valuetext", "After turn 3 of 4: Red 1")
    page.keyboard.press("Home")
    expect(page.locator("#past")).to_have_attribute("aria-valuetext", "Before the first turn")
    page.keyboard.press("End")
    assert lying(page) == ["1", "2", "3", "4"]


def test_looking_back_goes_on_when_somebody_plays(page: Page, table: Running) -> None:
    page.locator("#past").fill("1")
    table.place("blue", (2, 2))
    expect(page.locator("#past-words")).to_have_text("After turn 1 of 5: Blue V3")
    assert lying(page) == ["1"]
    table.live.decide({"decision": "new_game"})
    table.place("red", (0, 0))
    expect(page.locator("#past-words")).to_have_text("Now, after turn 1. Slide to look back.")


def test_a_foul_is_part_of_the_past(page: Page, table: Running) -> None:
    foul(table)
    table.place("yellow", (2, 18))
    expect(page.locator("#past")).to_have_attribute("max", "6")
    page.locator("#past").fill("5")
    expect(page.locator("#past-words")).to_have_text("After turn 5 of 6: Blue 2, disputed")
    assert page.locator("#board .offending:visible").count() == 0


def test_a_moved_piece_is_shown_where_it_was_put_down(page: Page, table: Running) -> None:
    gone = frozenset({((0, 19), "yellow")})
    come = frozenset({((2, 19), "yellow")})
    table.live.observe(Sighting(((Change(removed=gone, added=come), 1.0),), frame=8))
    expect(page.get_by_role("alertdialog")).to_be_visible()
    page.locator("[data-how='let_stand']").click()
    expect(page.locator("#board .was [data-turn='2']")).to_be_attached()
    now = page.locator("#pieces [data-turn='2'] > path").first
    page.locator("#past").fill("3")
    expect(now).to_be_hidden()
    assert page.locator("#board .was [data-turn='2'] > path").first.get_attribute("d") != now.get_attribute("d")
    assert lying(page) == ["1", "2", "3"]


def test_a_tap_on_a_piece_shows_its_turn_ruling_and_pictures(page: Page, table: Running) -> None:
    foul(table)
    page.locator("[data-how='let_stand']").click()
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    tap_cell(page, 1, 3, "#board")
    expect(page.locator("#editor-title")).to_have_text("Turn 5: Blue 2")
    words = "Turn 5, 2 squares: against the rules, but the table let it stand (side touches its own colour)."
    expect(page.locator("#editor-facts")).to_have_text(words)
    expect(page.locator("#editor-about img")).to_have_count(2)


def test_a_page_that_has_not_changed_is_left_as_it_is(page: Page, table: Running) -> None:
    page.evaluate("document.getElementById('board').dataset.same = 'yes'")
    table.live.camera("ready")
    expect(page.locator(".camera")).to_have_text("Watching")
    assert page.locator("#board").get_attribute("data-same") == "yes"
