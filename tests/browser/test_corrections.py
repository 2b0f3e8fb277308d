"""Putting things right on the page: every correction in three taps, on a phone, a tablet and a desktop."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Running, opened
from tests.browser.play import editor_place, first_round, foul, press_tool, tap_cell

pytestmark = pytest.mark.browser


@pytest.fixture
def page(page_in_play: Page) -> Page:
    """The page in each of the windows, after the first round."""
    return page_in_play


def done(page: Page) -> None:
    page.locator("#editor-done").click()
    expect(page.locator("#editor")).to_be_hidden()


def test_a_piece_is_confirmed_in_two_taps(page: Page, table: Running) -> None:
    tap_cell(page, 0, 1, "#board")
    expect(page.locator("#editor-title")).to_have_text("Turn 1: Blue V3")
    expect(page.locator("#editor-facts")).to_have_text("Turn 1, 3 squares: legal.")
    expect(page.locator("#editor-done")).to_have_text("It is right")
    done(page)
    assert table.live.state()["can_redo"] is False


def test_a_piece_is_replaced_in_three_taps(page: Page, table: Running) -> None:
    tap_cell(page, 0, 1, "#board")
    page.locator("#editor-pieces [data-piece='2']").click()
    expect(page.locator("#editor-verdict")).to_have_class("verdict good")
    done(page)
    assert table.live.state()["placements"][0]["piece"] == "2"
    expect(page.locator("#notice")).to_contain_text("of turn 1 is now")


def test_a_correction_shows_what_it_breaks_before_it_is_made(page: Page, table: Running) -> None:
    table.place("blue", (2, 2))
    expect(page.locator("#move-5")).to_be_attached()
    tap_cell(page, 0, 1, "#board")
    page.locator("#editor-pieces [data-piece='1']").click()
    expect(page.locator("#editor-verdict")).to_have_class("verdict bad")
    expect(page.locator("#editor-verdict")).to_contain_text("Turn 5 is now illegal")
    expect(page.locator("#editor-board .offending").first).to_be_visible()
    assert table.live.state()["placements"][0]["piece"] == "V3"


def test_a_piece_is_deleted_and_comes_back_by_undo(page: Page, table: Running) -> None:
    tap_cell(page, 19, 0, "#board")
    page.get_by_role("button", name="Delete it").click()
    expect(page.locator("#board [data-turn='4']")).to_have_count(0)
    page.locator("#notice").get_by_role("button", name="Undo").click()
    expect(page.locator("#board [data-turn='4']")).to_have_count(1)
    page.locator("#notice").get_by_role("button", name="Redo").click()
    expect(page.locator("#board [data-turn='4']")).to_have_count(0)
    assert len(table.live.state()["placements"]) == 3


def test_deleting_a_piece_that_others_build_on_asks_first(page: Page, table: Running) -> None:
    table.place("blue", (2, 2))
    expect(page.locator("#move-5")).to_be_attached()
    tap_cell(page, 0, 1, "#board")
    page.get_by_role("button", name="Delete it").click()
    expect(page.locator("#confirm")).to_contain_text("is now illegal")
    page.locator("#confirm").get_by_role("button", name="Back").click()
    assert len(table.live.state()["placements"]) == 5


def test_single_squares_are_set_by_taps_and_by_keys(page: Page, table: Running) -> None:
    press_tool(page, "correct", "Fix squares")
    page.locator("#editor-colors").get_by_text("Empty").click()
    tap_cell(page, 1, 1)
    page.locator("#editor-board").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    done(page)
    assert table.live.state()["placements"][0]["cells"] == [[0, 0]]


def test_a_move_gets_its_squares_one_by_one(page: Page, table: Running) -> None:
    tap_cell(page, 0, 1, "#board")
    page.get_by_role("button", name="Set squares").click()
    tap_cell(page, 1, 1)
    done(page)
    assert table.live.state()["placements"][0]["piece"] == "2"


def test_a_missed_piece_is_put_in_at_its_turn(page: Page, table: Running) -> None:
    table.live.decide({"decision": "correct", "turn": 3, "now": None})
    expect(page.locator("#board [data-turn]")).to_have_count(3)
    press_tool(page, "correct", "A piece was missed")
    page.get_by_label("When").select_option(label="Before turn 3, Green 1")
    page.locator("#editor-colors").get_by_text("Red").click()
    editor_place(page, "2", 19, 18)
    expect(page.locator("#editor-verdict")).to_have_class("verdict good")
    done(page)
    assert [(move["turn"], move["color"]) for move in table.live.state()["placements"]] == [
        (1, "blue"),
        (2, "yellow"),
        (3, "red"),
        (4, "green"),
    ]


def test_somebody_else_is_on_turn_in_two_taps(page: Page, table: Running) -> None:
    page.locator("#tool-correct").click()
    page.locator("#turn-colors").get_by_role("button", name="Red").click()
    expect(page.locator(".banner-title")).to_have_text("Red")
    expect(page.locator("#correct")).to_be_hidden()
    assert table.live.on_turn() == "red"


def test_two_colours_are_swapped_in_two_taps(page: Page, table: Running) -> None:
    page.locator("#tool-correct").click()
    page.locator("#swap-pairs").get_by_role("button", name="Red and Green").click()
    expect(page.locator("#move-3")).to_contain_text("Green")
    assert table.live.state()["placements"][2]["color"] == "green"


def test_a_lost_piece_counts_no_more(page: Page, table: Running) -> None:
    press_tool(page, "correct", "A piece is lost")
    page.locator("#lost-colors").get_by_text("Red").click()
    page.locator("#lost-pieces [data-piece='W']").click()
    expect(page.locator("#confirm")).to_contain_text("Red W is lost?")
    page.locator("#confirm").get_by_role("button", name="Yes").click()
    expect(page.locator("#lost-piece")).to_be_hidden()
    assert table.live.state()["colors"]["red"]["squares_left"] == 83


def test_stopping_early_names_who_could_still_move(page: Page, table: Running) -> None:
    press_tool(page, "correct", "Stop here")
    for color in ("Blue", "Yellow", "Red", "Green"):
        expect(page.locator("#confirm-text")).to_contain_text(f"{color} (")
    assert table.live.state()["status"] == "playing"
    page.locator("#confirm").get_by_role("button", name="Yes").click()
    expect(page.locator("#notice")).to_contain_text("can still play")
    assert table.live.state()["status"] == "unfinished"


def test_a_misread_piece_is_replaced_by_the_right_one(page: Page, table: Running) -> None:
    foul(table)
    page.get_by_role("button", name="It was another piece").click()
    tap_cell(page, 2, 2)
    expect(page.locator("#editor-verdict")).to_have_class("verdict good")
    done(page)
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    state = table.live.state()
    assert (state["placements"][4]["cells"], state["placements"][4]["ruling"]) == ([[2, 2], [2, 3]], "legal")


def test_an_undo_shows_every_move_that_it_makes_illegal_before_anyone_agrees(page: Page, table: Running) -> None:
    table.place("blue", (1, 2), (1, 3))
    table.place("yellow", (2, 18))
    table.place("red", (18, 18), (18, 17))
    table.place("green", (18, 1), (18, 2))
    table.place("blue", (2, 4))
    expect(page.get_by_role("alertdialog")).to_be_visible()
    page.get_by_role("button", name="Undo and play on").click()
    expect(page.locator("#confirm")).to_contain_text("is now illegal")
    page.locator("#confirm").get_by_role("button", name="Back").click()
    assert len(table.live.state()["disputes"]) == 1
    page.get_by_role("button", name="Undo and play on").click()
    page.locator("#confirm").get_by_role("button", name="Yes").click()
    expect(page.locator("#notice")).to_contain_text("is settled")
    expect(page.get_by_role("alertdialog")).to_contain_text("No corner contact")


def test_a_decision_carries_the_name_of_who_made_it(page: Page, table: Running) -> None:
    foul(table)
    page.get_by_label("Decided by").select_option("Cem")
    page.locator("[data-how='let_stand']").click()
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    [told] = [event for event in table.live.table.events if event.name == "resolved"]
    assert told.fields["who"] == "Cem"


def test_whoever_only_watches_looks_at_a_move_and_changes_nothing(chromium: Browser, lan_table: Running) -> None:
    first_round(lan_table)
    with opened(chromium, lan_table, width=390) as page:
        tap_cell(page, 0, 1, "#board")
        expect(page.locator("#editor-facts")).to_be_visible()
        expect(page.get_by_role("button", name="Delete it")).to_be_hidden()
        expect(page.locator("#editor-pieces")).to_be_hidden()
        tap_cell(page, 5, 5)
        expect(page.locator("#editor-board .draft path[d^='M0 0']").first).to_be_attached()


@pytest.mark.parametrize("width", [320, 390])
def test_all_tools_are_in_sight_on_a_phone(chromium: Browser, lan_table: Running, width: int) -> None:
    with opened(chromium, lan_table, width=width, height=700) as page:
        tools = page.locator(".tools")
        assert tools.evaluate("bar => bar.scrollWidth <= bar.clientWidth")
        page.evaluate("document.body.dataset.role = 'referee'")
        assert tools.evaluate("bar => bar.scrollWidth <= bar.clientWidth")
        cut = "bar => [...bar.children].filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)"
        assert tools.evaluate(cut) == []
