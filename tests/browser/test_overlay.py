"""The overlay for streamers: board and scores on nothing, always up to date."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Running, opened
from tests.browser.play import JPEG, first_round, foul

pytestmark = pytest.mark.browser


def test_board_and_scores_lie_on_nothing_and_follow_the_game(chromium: Browser, table: Running) -> None:
    first_round(table)
    with opened(chromium, table, width=1920, height=1080) as page:
        page.goto(f"{table.server.url}overlay")
        ground = "element => getComputedStyle(element).backgroundColor"
        assert [page.locator(name).evaluate(ground) for name in ("html", "body")] == ["rgba(0, 0, 0, 0)"] * 2
        table.place("blue", (2, 2))
        expect(page.locator("#board [data-turn='5']")).to_be_visible()
        expect(page.locator("[data-color='blue'] .left")).to_have_text("85")
        assert page.locator("button:visible, a:visible, input:visible").count() == 0
        box = page.locator("#board-svg").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 1080


def test_a_dispute_is_named_on_the_overlay_without_its_buttons(chromium: Browser, table: Running) -> None:
    first_round(table)
    foul(table)
    with opened(chromium, table, width=1280, height=720) as page:
        page.goto(f"{table.server.url}overlay")
        expect(page.locator(".dispute")).to_contain_text("Side touches its own colour")
        assert page.locator("button:visible, select:visible").count() == 0


@dataclass(eq=False)
class Shot:
    """A picture of the board."""

    square: bytes = JPEG


def test_the_camera_s_picture_of_the_board_is_shown_still_and_moving(window: tuple[int, int], chromium: Browser, table: Running) -> None:
    table.live.board_now = Shot  # type: ignore[assignment]  # of the same shape
    with opened(chromium, table, width=window[0], height=window[1]) as page:
        for name in ("board.jpg", "board.mjpeg"):
            page.goto(f"{table.server.url}{name}", wait_until="commit")
            expect(page.locator("img")).to_have_js_property("naturalWidth", 1)
