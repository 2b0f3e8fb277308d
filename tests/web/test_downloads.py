"""The game to take along: files with the right headers, and the score sheet in the browser."""

from __future__ import annotations

import re

import pytest

from referee.blksgf import read_blksgf
from referee.journal import Journal
from referee.options import GameOptions
from referee.record_json import record_from_text
from referee.table import Table
from tests.web.conftest import Visitor
from tests.web.test_stories import first_round
from web import create_app
from web.live import LiveGame

KINDS = {
    "blksgf": ("application/x-blokus-sgf", b"("),
    "json": ("application/json", b"{"),
    "csv": ("text/csv", b"\xef\xbb\xbfRow,Game"),
    "html": ("text/html", b"<!doctype html>"),
    "png": ("image/png", b"\x89PNG"),
    "gif": ("image/gif", b"GIF89a"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_has_its_type_its_name_and_all_protecting_headers(browser: Visitor, kind: str) -> None:
    first_round(browser)
    answer = browser.client.get(f"/download/{kind}")
    media, beginning = KINDS[kind]
    assert (answer.status_code, answer.mimetype) == (200, media)
    assert answer.data.startswith(beginning)
    assert answer.headers["Content-Disposition"] == f'attachment; filename="blokus-classic-game-1.{kind}"'
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_files_hold_the_game_as_it_stands(browser: Visitor) -> None:
    first_round(browser)
    for kind, read in (("json", record_from_text), ("blksgf", read_blksgf)):
        table = read(browser.client.get(f"/download/{kind}").data).table()
        assert [(move["color"], move["piece"]) for move in table.state()["placements"]] == [
            ("blue", "V3"),
            ("yellow", "2"),
            ("red", "1"),
            ("green", "1"),
        ]


def test_the_files_of_a_kept_game_say_when_it_began(db: str) -> None:
    journal = Journal(db)
    visitor = Visitor(create_app(LiveGame.open(journal, GameOptions())).test_client())
    begun = journal.record().about.date
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", begun)
    for kind, read in (("json", record_from_text), ("blksgf", read_blksgf)):
        assert read(visitor.client.get(f"/download/{kind}").data).about.date == begun
    assert begun in visitor.client.get("/sheet").get_data(as_text=True)


def test_the_files_of_a_game_that_is_not_kept_claim_no_day(browser: Visitor) -> None:
    first_round(browser)
    assert record_from_text(browser.client.get("/download/json").data).about.date == ""


@pytest.mark.parametrize("kind", ["exe", "..", "%2e%2e%2fetc%2fpasswd", "html/..", "html.exe"])
def test_no_other_file_can_be_asked_for(browser: Visitor, kind: str) -> None:
    assert browser.client.get(f"/download/{kind}").status_code in (404, 308)


def test_names_of_people_reach_neither_headers_nor_markup() -> None:
    names = ('"\r\nSet-Cookie: x=1', "</style><script>alert(1)</script>", "Cem", "Dan")
    visitor = Visitor(create_app(LiveGame(Table(GameOptions(players=names)))).test_client())
    for path in ("/sheet", "/download/html"):
        answer = visitor.client.get(path)
        assert b"<script" not in answer.data
        assert "x=1" not in str(answer.headers)


def test_the_sheet_to_print_allows_its_own_style_and_nothing_else(browser: Visitor) -> None:
    answer = browser.client.get("/sheet")
    policy = answer.headers["Content-Security-Policy"]
    assert re.fullmatch(r"default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; frame-ancestors 'none'", policy)
    assert answer.headers.get("Content-Disposition") is None


def test_whoever_watches_may_take_the_game_along(guest: Visitor) -> None:
    assert guest.client.get("/download/csv").status_code == 200
