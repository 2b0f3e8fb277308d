"""The people pause the watching from the page, and let it go on."""

from __future__ import annotations

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Running, opened
from tests.web.test_resting import Camera

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (820, "dark"), (1920, "light")])
def test_pausing_is_loud_and_one_tap_ends_it(chromium: Browser, table: Running, width: int, scheme: Literal["light", "dark"]) -> None:
    camera = table.live.pausable = Camera()
    table.live.camera("ready")
    with opened(chromium, table, width=width, scheme=scheme) as page:
        page.locator("#tool-more").click()
        page.get_by_role("button", name="Pause the watching").click()
        alarm = page.get_by_role("alert").filter(has_text="Not watching: paused")
        expect(alarm).to_be_visible()
        expect(page.locator("#more")).to_be_hidden()
        assert camera.paused
        assert Axe().run(page).response["violations"] == []
        page.locator("#tool-more").click()
        expect(page.get_by_role("button", name="Pause the watching")).to_be_hidden()
        page.keyboard.press("Escape")
        alarm.get_by_role("button", name="Watch again").click()
        table.live.camera("ready")
        expect(alarm).to_be_hidden()
        assert not camera.paused


def test_without_a_camera_there_is_nothing_to_pause(chromium: Browser, table: Running) -> None:
    with opened(chromium, table) as page:
        page.locator("#tool-more").click()
        expect(page.get_by_role("link", name="Set up the table")).to_be_visible()
        expect(page.get_by_role("button", name="Pause the watching")).to_be_hidden()
