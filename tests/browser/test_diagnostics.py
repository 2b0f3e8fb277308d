"""Diagnostics: two taps from the game to a file, of which everybody sees beforehand what is in it."""

from __future__ import annotations

import zipfile

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Running, opened
from tests.browser.play import foul
from tests.web.test_diagnostics import watched

pytestmark = pytest.mark.browser


def is_in_order(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert Axe().run(page).response["violations"] == []


def test_the_parts_are_listed_and_one_tap_takes_them_along(page_in_play: Page, table: Running) -> None:
    page = page_in_play
    foul(table)
    watched(table.live)
    page.locator(".tools [data-dialog='more']").click()
    page.get_by_role("link", name="Diagnostics").click()
    expect(page.get_by_role("heading", name="Diagnostics")).to_be_visible()
    expect(page.locator(".diagnostics tbody tr")).to_have_count(8)
    is_in_order(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download, cropped to the board").click()
    assert download.value.suggested_filename == "blokus-diagnostics-game-1.zip"
    with zipfile.ZipFile(download.value.path()) as packed:
        assert "frame_whole.jpg" not in packed.namelist()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download with the whole picture").click()
    with zipfile.ZipFile(download.value.path()) as packed:
        assert "frame_whole.jpg" in packed.namelist()


def test_the_page_has_no_faults_in_the_dark_and_fits_the_smallest_window(chromium: Browser, table: Running) -> None:
    watched(table.live)
    for width, scheme in ((320, "light"), (3840, "light"), (1280, "dark")):
        with opened(chromium, table, width=width, scheme="dark" if scheme == "dark" else "light") as page:
            page.goto(f"{table.server.url}diagnostics")
            is_in_order(page)
