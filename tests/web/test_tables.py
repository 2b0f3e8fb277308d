"""One server and all tables of its database: the list, each table's own page, and games of the past to look at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from dataclasses import replace as changed
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.errors import JournalError
from referee.journal import Journal
from referee.options import GameOptions
from referee.table import Table
from tests.web.conftest import Visitor, messages
from tests.web.test_stories import BLUE_START, GREEN_START, RED_START, YELLOW_START, seen
from web import create_app
from web.live import LiveGame
from web.settings import WebSettings
from web.tables_pages import here
from web.tables_paths import Place, parted

NAMES = ("Anna", "Ben", "Cem", "Dana")
SETTINGS = changed(WebSettings(), peek_s=0.0, poll_s=0.01)


@dataclass
class Hall:
    """Two tables on one database: a server at "hall", and another program at "window"."""

    db: str
    hall: LiveGame = field(init=False)
    window: LiveGame = field(init=False)
    visitor: Visitor = field(init=False)

    def __post_init__(self) -> None:
        self.hall = LiveGame.open(Journal(self.db, table="hall"), GameOptions(players=NAMES), settings=SETTINGS)
        self.window = LiveGame.open(Journal(self.db, table="window"), GameOptions("duo"), settings=SETTINGS)
        self.visitor = Visitor(create_app(self.hall).test_client())
        self.visitor.open_page()

    def get(self, path: str) -> str:
        answer = self.visitor.client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        return str(answer.get_data(as_text=True))

    def decide(self, place: str, decision: str, **fields: object) -> int:
        return self.visitor.post(f"{place}/api/decisions", {"decision": decision, **fields}).status_code


def place(live: LiveGame, color: str, cells: list[tuple[int, int]]) -> None:
    live.decide({"decision": "place", "color": color, "cells": [list(cell) for cell in cells]})


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Hall]:
    found = Hall(str(tmp_path / "games.db"))
    yield found
    found.hall.close()
    found.window.close()


def test_the_list_names_each_table_with_its_players_and_its_last_ruling(tables: Hall) -> None:
    place(tables.hall, "blue", BLUE_START)
    html = tables.get("/tables")
    assert re.findall(r'<a href="(/tables/\w+/)">', html) == ["/tables/window/", "/tables/hall/"]
    assert "Blue V3 is legal." in html
    assert "Being played, 1 piece placed" in html
    assert "Not begun" in html
    assert all(name in html for name in NAMES)


def test_a_server_s_own_empty_table_is_not_among_those_that_are_played_at(tmp_path: Path) -> None:
    db = str(tmp_path / "games.db")
    own = LiveGame.open(Journal(db, table=""), GameOptions(), settings=SETTINGS)
    visitor = Visitor(create_app(own).test_client())
    assert re.findall(r'<a href="(/tables/[^"]+/)">', visitor.client.get("/tables").get_data(as_text=True)) == ["/tables/~/"]
    window = LiveGame.open(Journal(db, table="window"), GameOptions(), settings=SETTINGS)
    assert re.findall(r'<a href="(/tables/[^"]+/)">', visitor.client.get("/tables-list").get_data(as_text=True)) == ["/tables/window/"]
    place(own, "blue", BLUE_START)
    assert len(re.findall(r'<a href="(/tables/[^"]+/)">', visitor.client.get("/tables-list").get_data(as_text=True))) == 2
    own.close()
    window.close()


def test_a_recording_s_date_is_that_of_its_being_watched(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path / "games.db"), recordings=True)
    journal.new_game(GameOptions().as_json(), from_recording=True)
    own = LiveGame.open(journal, settings=SETTINGS)
    html = Visitor(create_app(own).test_client()).client.get("/tables").get_data(as_text=True)
    assert re.search(r"a recording, watched \d{4}-\d\d-\d\d \d\d:\d\d UTC", html)
    own.close()


def test_the_list_tells_what_other_programs_write(tables: Hall) -> None:
    first = tables.visitor.client.get("/tables-list")
    again = tables.visitor.client.get("/tables-list", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    place(tables.window, "purple", [(4, 4)])
    assert "Purple 1 is legal." in tables.get("/tables-list")


def test_the_list_says_loudly_when_a_camera_does_not_watch(tables: Hall) -> None:
    tables.window.camera("ready", expires_s=5.0)
    assert "Watching" in tables.get("/tables-list")
    tables.window.camera("dark", "too dark", expires_s=5.0)
    assert re.search(r'camera-word-loud">\s*Not watching: too dark', tables.get("/tables-list"))
    tables.window.close()
    assert "atching" not in tables.get("/tables-list")


def test_each_table_has_its_own_live_page(tables: Hall) -> None:
    place(tables.window, "purple", [(4, 4)])
    html = tables.get("/tables/window/")
    assert '<p class="brand">window</p>' in html
    assert 'data-base="/tables/window"' in html
    assert 'href="/tables/window/static/page.css"' in html
    assert 'data-variant="duo"' in html
    assert 'data-variant="classic"' in tables.get("/")
    assert "Purple 1" in tables.get("/tables/window/live")


def test_what_another_program_writes_to_a_table_reaches_the_readers_of_its_page(tables: Hall) -> None:
    tables.get("/tables/window/")
    with tables.visitor.client.get("/tables/window/api/events", buffered=False) as answer:
        place(tables.window, "purple", [(4, 4)])
        chunks = answer.iter_encoded()
        told = [event["event"] for _ in range(3) for event in messages(next(chunks).decode())]
    assert "placement" in told


def test_a_decision_on_a_table_s_page_reaches_the_program_of_that_table_alone(tables: Hall) -> None:
    assert tables.decide("/tables/window", "place", color="purple", cells=[[4, 4]]) == 200
    assert [move["color"] for move in tables.window.state()["placements"]] == ["purple"]
    assert tables.hall.state()["placements"] == []
    assert tables.decide("/tables/window", "new_game", variant="junior") == 200
    assert tables.window.state()["variant"] == "junior"
    assert tables.hall.state()["variant"] == "classic"


def test_whoever_has_the_server_s_pin_decides_at_every_table_and_nobody_else(db: str) -> None:
    found = Hall(db)
    guest = Visitor(create_app(found.hall, lan=True, pin="271828").test_client())
    guest.open_page()
    piece = {"decision": "place", "color": "purple", "cells": [[4, 4]]}
    assert guest.post("/tables/window/api/decisions", piece).status_code == 401
    assert found.window.state()["placements"] == []
    assert guest.post("/tables/window/api/session", {"pin": "271828"}).status_code == 200
    assert guest.post("/tables/window/api/decisions", piece).status_code == 200
    assert "Purple 1 is legal." in guest.client.get("/tables").get_data(as_text=True)
    assert [move["color"] for move in found.window.state()["placements"]] == ["purple"]
    found.window.decide({"decision": "new_game"})
    assert guest.client.get("/games/2/").status_code == 200
    found.hall.close()
    found.window.close()


def test_a_change_at_a_table_needs_the_token_of_our_own_page(tables: Hall) -> None:
    answer = tables.visitor.client.post(
        "/tables/window/api/decisions", json={"decision": "undo"}, headers={"Origin": "http://evil.example"}
    )
    assert answer.status_code == 403


def test_pictures_of_another_program_s_table_are_shown_there(tables: Hall) -> None:
    seen(tables.window, (0, 0, "purple"), number=3)
    assert tables.visitor.client.get("/tables/window/evidence/f3b.jpg").data == b"f3b"
    assert tables.visitor.client.get("/evidence/f3b.jpg").status_code == 404


@pytest.fixture
def past(tables: Hall) -> Hall:
    """A game of the past with a foul in it, for which another one was left."""
    for color, cells in (("blue", BLUE_START), ("yellow", YELLOW_START), ("red", RED_START), ("green", GREEN_START)):
        place(tables.hall, color, cells)
    seen(tables.hall, (1, 2, "blue"), (1, 3, "blue"), number=9)
    tables.hall.decide({"decision": "abandon"})
    tables.hall.decide({"decision": "new_game"})
    return tables


def test_a_game_of_the_past_is_listed_and_can_be_looked_at(past: Hall) -> None:
    html = past.get("/tables")
    assert 'href="/games/1/"' in html
    assert "Abandoned" in html
    page = past.get("/games/1/")
    assert '<p class="brand">hall</p>' in page
    assert 'id="past"' in page
    assert "past_game.js" in page
    assert 'data-role="watcher"' in page
    assert past.visitor.client.get("/games/1/evidence/f9a.jpg").data == b"f9a"
    assert past.visitor.client.get("/games/1/download/json").mimetype == "application/json"
    assert b"Anna" in past.visitor.client.get("/games/1/sheet").data


def test_a_game_of_the_past_cannot_be_changed(past: Hall) -> None:
    before = past.visitor.client.get("/games/1/api/state").get_json()
    assert past.decide("/games/1", "undo") == 404
    assert past.visitor.client.get("/games/1/api/state").get_json() == before
    with past.visitor.client.application.test_request_context("/"):
        game = here().past(1)
    assert isinstance(game, LiveGame)
    with pytest.raises(Exception, match="only looked at"):
        game.decide({"decision": "undo"})


def test_the_last_game_of_a_table_is_found_by_its_number_too(past: Hall) -> None:
    answer = past.visitor.client.get("/games/3/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/tables/hall/")


@pytest.mark.parametrize(
    "path",
    ["/tables/nobody/", "/games/99/", "/games/x/", "/games/1000000000000/", "/tables/../../etc/passwd/", "/games/-1/", "/tables/%00/"],
)
def test_what_is_not_there_is_one_clear_line(tables: Hall, path: str) -> None:
    answer = tables.visitor.client.get(path)
    assert answer.status_code == 404
    assert "Traceback" not in answer.get_data(as_text=True)


def test_a_table_without_a_slash_leads_to_its_page(tables: Hall) -> None:
    assert tables.visitor.client.get("/tables/window").headers["Location"] == "/tables/window/"


@pytest.mark.parametrize("name", ["", "hall", "a/b", "~", ".", "..", "a?b#c é", "<b>'\"", "%2F", "list"])
def test_every_name_of_a_table_has_an_address_of_its_own(name: str, tmp_path: Path) -> None:
    db = str(tmp_path / "games.db")
    LiveGame.open(Journal(db, table=name), GameOptions("duo"))
    own = LiveGame.open(Journal(db, table="own"), GameOptions())
    client = create_app(own).test_client()
    [href] = [
        href for href in re.findall(r'<a href="(/tables/[^"]*)"', client.get("/tables").get_data(as_text=True)) if "/own/" not in href
    ]
    html = client.get(href).get_data(as_text=True)
    assert 'data-variant="duo"' in html
    assert client.get(f"{href}live").status_code == 200
    own.close()


@pytest.mark.parametrize("path", ["/", "/tables", "/tables/", "/tables/x", "/games/", "/games/1", "/tables//x", "/other/x/y", "tables/x/"])
def test_addresses_that_name_no_place_are_left_alone(path: str) -> None:
    assert parted(path) is None


def test_the_rest_of_an_address_is_kept() -> None:
    assert parted("/games/7/download/csv") == (Place(game=7), "/download/csv")
    assert parted("/tables/x/") == (Place("x"), "/")


def test_only_so_many_tables_are_open_at_once(tmp_path: Path) -> None:
    db = str(tmp_path / "games.db")
    for number in range(4):
        LiveGame.open(Journal(db, table=f"t{number}"), GameOptions())
    own = LiveGame.open(Journal(db, table="own"), GameOptions(), settings=changed(SETTINGS, most_tables=2))
    client = create_app(own).test_client()
    for number in (0, 1, 2, 3, 0):
        assert client.get(f"/tables/t{number}/").status_code == 200
    with client.application.test_request_context("/"):
        assert len(here()._open) == 2
    own.close()
    with client.application.test_request_context("/"):
        assert len(here()._open) == 0


def test_a_table_whose_game_cannot_be_read_keeps_nothing_open(tables: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    opened, closed = list[Journal](), list[Journal]()
    beside, close = Journal.beside, Journal.close

    def opening(journal: Journal, table: str | None) -> Journal:
        opened.append(beside(journal, table))
        return opened[-1]

    def closing(journal: Journal) -> None:
        closed.append(journal)
        close(journal)

    def refusing(_: Journal) -> Table:
        raise JournalError("the game is damaged")

    monkeypatch.setattr(Journal, "beside", opening)
    monkeypatch.setattr(Journal, "close", closing)
    monkeypatch.setattr(Journal, "load_table", refusing)
    answer = tables.visitor.client.get("/tables/window/")
    assert (answer.status_code, "the game is damaged" in answer.get_data(as_text=True)) == (503, True)
    assert [journal.table for journal in opened] == [None, "window"]
    assert [journal.table for journal in closed] == ["window"]


def test_a_game_that_is_kept_nowhere_has_no_others() -> None:
    client = create_app(LiveGame(Table())).test_client()
    assert "kept nowhere" in client.get("/tables").get_data(as_text=True)
    assert client.get("/games/1/").status_code == 404
    assert client.get("/tables/~/").status_code == 404


def test_the_list_of_many_games_comes_in_pages(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path / "games.db"), table="hall")
    for _ in range(45):
        journal.new_game(GameOptions("duo").as_json())
    client = create_app(LiveGame.open(journal)).test_client()
    first = client.get("/tables").get_data(as_text=True)
    assert first.count('href="/games/') == 20
    [older] = re.findall(r'href="(/tables\?before=\d+)"', first)
    second = client.get(older).get_data(as_text=True)
    assert second.count('href="/games/') == 20
    assert not set(re.findall(r"/games/\d+/", first)) & set(re.findall(r"/games/\d+/", second))
    for nonsense in ("x", "-1", "0", "9" * 40):
        assert client.get(f"/tables?before={nonsense}").status_code == 200


def test_the_list_is_made_once_for_all_who_ask_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rarely = changed(WebSettings(), peek_s=1000.0)
    client = create_app(LiveGame.open(Journal(str(tmp_path / "games.db")), GameOptions(), settings=rarely)).test_client()
    first = client.get("/tables-list").data
    monkeypatch.setattr("web.tables.Tables.at_tables", None)
    assert client.get("/tables-list").data == first
    assert client.get("/tables-list", headers={"Accept-Language": "de"}).status_code == 500, "another language is made anew"


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    kind=st.sampled_from(["tables", "games"]),
    name=st.binary(max_size=12) | st.text(max_size=8).map(str.encode),
    rest=st.sampled_from(["", "live", "api/state", "/", ".."]),
)
def test_no_address_breaks_the_program(tables: Hall, kind: str, name: bytes, rest: str) -> None:
    answer = tables.visitor.client.get(f"/{kind}/{quote(name, safe='')}/{rest}")
    assert answer.status_code in (200, 302, 308, 404), answer.status_code
    answer.close()
