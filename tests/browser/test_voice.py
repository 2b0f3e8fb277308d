"""Voice and sounds: only when switched on, and nothing twice."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Running, opened
from tests.browser.play import foul

pytestmark = pytest.mark.browser

# The machine that tests has no voice: what would be said is written down instead.
RECORDER = """
window.said = [];
window.sounded = [];
speechSynthesis.speak = (utterance) => said.push([utterance.lang, utterance.text]);
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (when) { sounded.push(this.frequency.value); return start.call(this, when); };
null;
"""


def switch_on(page: Page, label: str) -> None:
    page.locator("#tool-more").click()
    page.get_by_label(label).check()
    page.locator("#more .close").click()


def test_nothing_is_said_until_somebody_switches_it_on(page: Page, table: Running) -> None:
    page.evaluate(RECORDER)
    table.place("blue", (0, 0))
    expect(page.locator("#move-1")).to_be_visible()
    assert page.evaluate("[said, sounded]") == [[], []]


def test_a_ruling_is_spoken_once_in_the_language_of_the_page(page: Page, table: Running) -> None:
    page.evaluate(RECORDER)
    switch_on(page, "Speak the rulings")
    table.place("blue", (0, 0))
    expect(page.locator("#move-1")).to_be_visible()
    assert page.evaluate("said") == [["en", "Blue 1 is legal."]]
    again = "document.dispatchEvent(new CustomEvent('game-event', {detail: {event: {event: 'placement', sentence: 'again'}, id: 1}}))"
    page.evaluate(again)
    assert len(page.evaluate("said")) == 1
    foul(table)
    expect(page.get_by_role("alertdialog")).to_be_visible()
    assert page.evaluate("said.length") > 1


def test_a_foul_sounds_other_than_a_legal_piece_and_the_switch_is_kept(chromium: Browser, table: Running) -> None:
    with opened(chromium, table) as page:
        switch_on(page, "Sounds")
        page.reload()
        page.evaluate(RECORDER)
        table.place("blue", (0, 0), (0, 1), (1, 1))
        expect(page.locator("#move-1")).to_be_visible()
        legal = page.evaluate("sounded")
        foul(table)
        expect(page.get_by_role("alertdialog")).to_be_visible()
        assert legal == [660]
        assert page.evaluate("sounded") != legal * 2
        assert page.evaluate("sounded.length") > 1


def test_the_page_and_its_voice_speak_the_language_that_a_device_chooses(page: Page, table: Running) -> None:
    page.locator("#tool-more").click()
    with page.expect_navigation():  # and its script has run
        page.get_by_label("Language").select_option("Deutsch")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#tool-place")).to_contain_text("Legen")
    page.evaluate(RECORDER)
    switch_on(page, "Entscheidungen vorlesen")
    table.place("blue", (0, 0))
    expect(page.locator("#turn .ruling")).to_have_text("Blau 1 ist gültig.")
    assert page.evaluate("said") == [["de", "Blau 1 ist gültig."]]
    foul(table)
    expect(page.get_by_role("alertdialog")).to_contain_text("Was entscheidet die Runde?")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "de")


@pytest.mark.parametrize(("asked", "shown"), [("fr-CH", "fr"), ("es", "es"), ("nl", "en")])
def test_a_browser_gets_the_page_in_its_own_language(chromium: Browser, table: Running, asked: str, shown: str) -> None:
    with chromium.new_context(locale=asked) as context:
        page = context.new_page()
        page.goto(table.server.url)
        expect(page.locator("html")).to_have_attribute("lang", shown)
