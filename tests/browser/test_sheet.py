"""The printed score sheet in a real browser: one A4 page, no barrier, nothing asked of any network."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from referee.record import About
from referee.sheet import Sheet
from referee.table import Table
from tests.referee.test_tally import NAMES, played_out
from tests.referee.watched import FIRST_ROUND, FOUL, YELLOW, Watched
from web.sheets import sheet_html

pytestmark = pytest.mark.browser

ABOUT = About("2026-11-30", "Community hall", "Autumn league, table 3")
LONGEST_NAMES = ("Maximiliane von der Hohenlohe-Langenburg", "W" * 40, "Cem", "Dan")


def fouled() -> Table:
    watched = Watched(players=list(NAMES)).play(*FIRST_ROUND)
    watched.put(FOUL)
    watched.decide("resolve", id=1, how="let_stand")
    watched.put("red r2 q2 p2")
    watched.put(YELLOW)
    return watched.table


GAMES = {
    "over": lambda: played_out("classic", players=list(NAMES)),
    "longest": lambda: played_out("classic_complete", scoring="advanced", players=list(LONGEST_NAMES)),
    "teams": lambda: played_out("classic_2"),
    "shared": lambda: played_out("classic_3"),
    "duo": lambda: played_out("duo_complete20"),
    "junior": lambda: played_out("junior"),
    "disputed": fouled,
    "not begun": Table,
}


@contextmanager
def shown(browser: Browser, table: Table, folder: Path) -> Iterator[Page]:
    """The sheet opened as a file; fails when it asks for anything else."""
    path = folder / "sheet.html"
    path.write_text(sheet_html(Sheet.of_table(table, ABOUT), table.state()), encoding="utf-8")
    page = browser.new_page(viewport={"width": 900, "height": 1200})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    yield page
    page.close()
    assert asked == [path.as_uri()]


@pytest.mark.parametrize("game", GAMES)
def test_the_sheet_prints_on_one_a4_page_without_barriers(chromium: Browser, tmp_path: Path, game: str) -> None:
    with shown(chromium, GAMES[game](), tmp_path) as page:
        found = Axe().run(page).response["violations"]
        overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        printed = page.pdf(prefer_css_page_size=True, print_background=True)
    assert [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found] == [], json.dumps(found, indent=1)[:4000]
    assert overflow <= 0
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
    (box,) = re.findall(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", printed)
    assert [round(float(points) * 25.4 / 72) for points in box] == [210, 297]


def test_the_sheet_fits_a_phone(chromium: Browser, tmp_path: Path) -> None:
    with shown(chromium, GAMES["longest"](), tmp_path) as page:
        page.set_viewport_size({"width": 360, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
