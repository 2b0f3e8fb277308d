"""What people do with the page, in a real browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from referee.sightings import Change, Sighting
from tests.browser.conftest import Running, new_live, opened
from tests.browser.play import first_round, foul, is_in_order_everywhere, tap_cell, title

pytestmark = pytest.mark.browser


def test_a_placement_appears_by_itself(page: Page, table: Running) -> None:
    expect(title(page)).to_have_text("Place the first piece")
    table.place("blue", (0, 0), (0, 1), (1, 1))
    expect(page.locator("#board [data-turn='1']")).to_have_class("piece last")
    expect(page.locator("[data-color='blue'] .left")).to_have_text("86")
    table.place("yellow", (0, 19), (1, 19))
    table.place("red", (19, 19))
    table.place("green", (19, 0))
    expect(title(page)).to_have_text("Blue")
    expect(page.locator(".banner-under")).to_have_text("Anna")


def test_a_dispute_takes_over_the_page_and_is_resolved_by_a_click(page: Page, table: Running) -> None:
    first_round(table)
    foul(table)
    expect(page.get_by_role("alertdialog")).to_contain_text("Side touches its own colour")
    expect(page.locator("#board .offending").first).to_be_visible()
    expect(page.locator(".photo image")).to_have_count(2)
    page.locator("[data-how='let_stand']").click()
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    expect(title(page)).to_have_text("Yellow")
    expect(page.locator("#move-5")).to_contain_text("let stand")


def test_abandoning_asks_before_it_ends_the_game(page: Page, table: Running) -> None:
    first_round(table)
    foul(table)
    page.locator("[data-how='abandon']").click()
    page.locator("#confirm").get_by_role("button", name="Back").click()
    expect(page.get_by_role("alertdialog")).to_be_visible()
    page.locator("[data-how='abandon']").click()
    page.locator("#confirm").get_by_role("button", name="Yes").click()
    expect(title(page)).to_have_text("Game abandoned")


def test_a_question_offers_its_answers(page: Page, table: Running) -> None:
    first_round(table)
    one = Change(added=frozenset({((2, 2), "blue")}))
    two = Change(added=frozenset({((2, 2), "blue"), ((2, 3), "blue")}))
    table.live.observe(Sighting(((two, 0.5), (one, 0.4)), frame=5))
    answers = page.locator(".candidate")
    expect(answers.first).to_contain_text("50 % likely")
    answers.first.click()
    expect(page.locator(".question")).to_have_count(0)
    expect(page.locator("#board [data-turn='5']")).to_be_visible()


def test_a_placement_is_entered_by_hand_with_the_rules_at_work(page: Page, table: Running) -> None:
    first_round(table)
    expect(title(page)).to_have_text("Blue")
    page.locator("#tool-place").click()
    page.get_by_role("button", name="Piece 2", exact=True).click()
    tap_cell(page, 1, 2)
    expect(page.locator("#editor-verdict")).to_have_class("verdict bad")
    expect(page.locator("#editor-done")).to_have_text("Place it all the same")
    expect(page.locator("#editor-board .offending").first).to_be_visible()
    tap_cell(page, 2, 2)
    expect(page.locator("#editor-verdict")).to_have_class("verdict good")
    page.locator("#editor-done").click()
    expect(page.locator("#editor")).to_be_hidden()
    expect(page.locator("#board [data-turn='5']")).to_be_visible()
    assert table.live.state()["placements"][4]["cells"] == [[2, 2], [2, 3]]


def test_the_editor_works_with_the_keyboard_alone(page: Page, table: Running) -> None:
    first_round(table)
    expect(title(page)).to_have_text("Blue")
    page.locator("#tool-place").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Piece 2", exact=True).focus()
    page.keyboard.press("Space")
    page.locator("#editor-board").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("r")
    for _ in range(9):
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#editor")).to_be_hidden()
    assert len(table.live.state()["placements"]) == 5


def test_asking_whether_a_piece_is_legal_places_nothing(page: Page, table: Running) -> None:
    first_round(table)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.get_by_role("button", name="Is this legal?").click()
    page.get_by_role("button", name="Piece 1, placed already", exact=True).or_(
        page.get_by_role("button", name="Piece 1", exact=True)
    ).click()
    tap_cell(page, 2, 2)
    expect(page.locator("#editor-verdict")).to_have_class("verdict good")
    expect(page.locator("#editor-done")).to_be_hidden()
    assert len(table.live.state()["placements"]) == 4


def test_undo_takes_back_the_last_piece(page: Page, table: Running) -> None:
    first_round(table)
    expect(page.locator("#move-4")).to_be_visible()
    page.locator("#undo").click()
    expect(page.locator("#move-4")).to_have_count(0)


def test_a_new_game_is_set_up(page: Page, table: Running) -> None:
    table.place("blue", (0, 0))
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("link", name="New game").click()
    page.get_by_label("Game", exact=True).select_option("duo")
    page.get_by_label("Purple").first.fill("Eve")
    page.get_by_label("It is agreed already").check()
    page.locator("#order select").first.select_option("orange")
    page.locator("#order select").last.select_option("purple")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".game")).to_contain_text("Duo")
    expect(page.locator("#new-game")).to_have_count(0)
    expect(title(page)).to_have_text("Orange")
    expect(page.locator("#colors article")).to_have_count(2)
    assert table.live.state()["size"] == 14


def test_a_wrong_set_up_is_explained_in_the_form(page: Page) -> None:
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("link", name="New game").click()
    page.get_by_label("It is agreed already").check()
    page.locator("#order select").first.select_option("green")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#new-game .form-error")).to_contain_text("each of")
    expect(page.locator("#new-game")).to_be_visible()


def test_the_page_comes_back_by_itself_when_the_program_starts_again(page: Page, table: Running) -> None:
    table.place("blue", (0, 0), (0, 1), (1, 1))
    expect(page.locator("#board [data-turn='1']")).to_be_visible()
    table.stop()
    expect(page.locator("#connection")).to_be_visible()
    again = new_live()
    again.decide({"decision": "place", "color": "red", "cells": [[0, 0]]})
    table.start_again(again)
    expect(page.locator("#connection")).to_be_hidden()
    expect(page.locator("[data-color='red'] .left")).to_have_text("88")
    page.locator("#undo").click()
    expect(page.locator("#board [data-turn]")).to_have_count(0)


def test_nobody_watching_is_loud_and_said_at_once(page: Page, table: Running) -> None:
    table.live.camera("ready")
    expect(page.locator(".camera")).to_have_text("Watching")
    table.live.camera("no_board", "The board left the picture.")
    expect(page.get_by_role("alert")).to_contain_text("Not watching: no board in sight")
    table.live.camera("ready")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_guests_watch_until_they_enter_the_pin(chromium: Browser, lan_table: Running) -> None:
    with opened(chromium, lan_table) as page:
        expect(page.locator("#undo")).to_be_hidden()
        page.get_by_role("button", name="Enter the table PIN").click()
        page.get_by_label("PIN", exact=True).fill("000000")
        page.get_by_role("button", name="Enter", exact=True).click()
        expect(page.locator("#pin .form-error")).to_have_text("That is not the table PIN.")
        page.get_by_label("PIN", exact=True).fill("271828")
        page.get_by_role("button", name="Enter", exact=True).click()
        expect(page.locator("#pin")).to_be_hidden()
        expect(page.locator("#undo")).to_be_visible()
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("link", name="New game").click()
        page.get_by_role("button", name="Start").click()
        expect(page.locator("#undo")).to_be_visible()
    assert lan_table.live.game_number == 2


def test_focus_stays_where_it_was_when_the_page_changes(page: Page, table: Running) -> None:
    table.place("blue", (0, 0))
    page.locator("#claim-yellow").focus()
    table.place("yellow", (0, 19))
    expect(page.locator("#move-2")).to_be_visible()
    expect(page.locator("#claim-yellow")).to_be_focused()


def test_the_page_reads_without_script(chromium: Browser, table: Running) -> None:
    first_round(table)
    context = chromium.new_context(java_script_enabled=False)
    shown = context.new_page()
    shown.goto(table.server.url)
    assert shown.locator(".banner-title").inner_text() == "Blue"
    assert shown.locator("#board .piece").count() == 4
    assert shown.locator("dialog:visible").count() == 0
    context.close()


@pytest.mark.parametrize("width", [320, 390, 820, 1280, 1920, 3840])
def test_nothing_is_wider_than_the_window(chromium: Browser, table: Running, width: int) -> None:
    first_round(table)
    foul(table)
    with opened(chromium, table, width=width, height=round(width * 0.7)) as page:
        expect(page.get_by_role("alertdialog")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.locator("[data-how='let_stand']").click()
        expect(page.get_by_role("alertdialog")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [320, 390, 900, 1280, 1920])
def test_the_name_of_the_colour_on_turn_is_never_broken(chromium: Browser, table: Running, width: int) -> None:
    first_round(table)
    table.place("blue", (2, 2))
    with opened(chromium, table, width=width, height=800) as page:
        expect(title(page)).to_have_text("Yellow")
        lines = "e => { const text = document.createRange(); text.selectNodeContents(e); return text.getClientRects().length }"
        assert title(page).evaluate(lines) == 1


Situation = Callable[[Running, Page], None]


def in_play(_table: Running, page: Page) -> None:
    expect(title(page)).to_have_text("Blue")


def in_dispute(table: Running, page: Page) -> None:
    foul(table)
    expect(page.get_by_role("alertdialog")).to_be_visible()


def in_alarm(table: Running, page: Page) -> None:
    table.live.camera("dark", "Turn on a lamp.")
    expect(page.get_by_role("alert")).to_be_visible()


def in_editor(_table: Running, page: Page) -> None:
    page.locator("#tool-place").click()
    page.get_by_role("button", name="Piece 2", exact=True).click()


def in_corrections(_table: Running, page: Page) -> None:
    page.locator("#tool-correct").click()


def in_a_claim(_table: Running, page: Page) -> None:
    page.locator("#claim-blue").click()
    page.get_by_role("button", name="Show one that fits").click()
    expect(page.locator("#claim-example .draft, #claim-example .halo").first).to_be_visible()


def in_a_move(_table: Running, page: Page) -> None:
    page.locator("#move-1").click()
    expect(page.locator("#editor-facts")).to_be_visible()


def in_set_up(_table: Running, page: Page) -> None:
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("link", name="New game").click()


SITUATIONS = [in_play, in_dispute, in_alarm, in_editor, in_corrections, in_a_claim, in_a_move, in_set_up]


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.__name__)
def test_axe_finds_no_barrier_and_nothing_is_wider_than_the_window(chromium: Browser, table: Running, situation: Situation) -> None:
    first_round(table)
    with opened(chromium, table) as page:
        situation(table, page)
        is_in_order_everywhere(page)


@pytest.mark.parametrize("language", ["en", "de", "es", "fr"])
def test_the_tools_stand_in_one_row_on_a_desktop_in_every_language(chromium: Browser, table: Running, language: str) -> None:
    first_round(table)
    with opened(chromium, table) as page:
        page.context.add_cookies([{"name": "language", "value": language, "url": table.server.url}])
        page.reload()
        expect(page.locator("html")).to_have_attribute("lang", language)
        tops = page.locator(".tools > *:visible").evaluate_all("tools => tools.map((tool) => tool.getBoundingClientRect().top)")
        assert len(set(tops)) == 1
