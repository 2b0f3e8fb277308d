"""Help at the table: is this legal, am I blocked, and practice for newcomers."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Running
from tests.browser.play import editor_place, press_tool

pytestmark = pytest.mark.browser


@pytest.fixture
def page(page_in_play: Page) -> Page:
    """The page in each of the windows, after the first round."""
    return page_in_play


def test_a_piece_in_hand_is_judged_and_nothing_is_placed(page: Page, table: Running) -> None:
    press_tool(page, "help", "Is this legal?")
    editor_place(page, "2", 1, 2)
    expect(page.locator("#editor-verdict")).to_have_class("verdict bad")
    expect(page.locator("#editor-verdict")).to_contain_text("shares a side")
    editor_place(page, "2", 2, 2)
    expect(page.locator("#editor-verdict")).to_have_class("verdict good")
    expect(page.locator("#editor-done")).to_be_hidden()
    assert len(table.live.state()["placements"]) == 4


def test_a_claim_is_answered_with_numbers_and_advice_comes_only_when_asked_for(page: Page) -> None:
    press_tool(page, "help", "Blue")
    expect(page.locator("#claim-title")).to_have_text("Is Blue blocked?")
    expect(page.locator("#claim-answer")).to_have_text("No")
    expect(page.locator("#claim-proof")).to_contain_text("placements fit")
    expect(page.locator("#claim-example svg")).to_have_count(0)
    page.get_by_role("button", name="Show one that fits").click()
    expect(page.locator("#claim-example svg")).to_be_visible()
    expect(page.locator("#claim-caption")).to_contain_text("fits here")
    page.locator("#claim").get_by_role("button", name="Play on").click()
    page.locator("#claim-yellow").click()
    expect(page.locator("#claim-title")).to_have_text("Is Yellow blocked?")
    expect(page.locator("#claim-example svg")).to_have_count(0)


def test_practice_shows_three_demonstrations_and_judges_what_is_tried(page: Page, table: Running) -> None:
    before = table.live.state()
    press_link(page)
    verdicts = page.locator(".verdict")
    expect(verdicts).to_have_count(3)
    expect(verdicts.nth(0)).to_have_class("verdict good")
    expect(verdicts.nth(1)).to_have_class("verdict bad")
    expect(page.locator("[data-lesson='edge_contact'] .draft .offending").first).to_be_visible()
    expect(verdicts.nth(2)).to_have_class("verdict good")
    page.locator("[data-lesson='corner_contact'] .pad").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    expect(verdicts.nth(0)).to_have_class("verdict bad")
    page.locator("[data-lesson='corner_contact'] [data-again]").click()
    expect(verdicts.nth(0)).to_have_class("verdict good")
    assert Axe().run(page).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert table.live.state() == before


def press_link(page: Page) -> None:
    page.locator("#tool-ask").click()
    page.locator("#help").get_by_role("link", name="Practice").click()


def test_practice_reads_without_script(chromium: Browser, table: Running) -> None:
    context = chromium.new_context(java_script_enabled=False)
    shown = context.new_page()
    shown.goto(f"{table.server.url}practice")
    assert shown.locator(".verdict").all_inner_texts()[1].startswith("Blue's I3 shares a side")
    assert shown.locator("[data-again]:visible").count() == 0
    context.close()
