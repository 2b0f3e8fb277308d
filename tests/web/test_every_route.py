"""Every route of the application, also at other tables and in games of the past: new ones are tried by themselves, for they are listed here
by the application. Nobody changes anything who may not, and nothing that comes breaks the program or brings its secrets to light."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.routing import Rule

from calibration.store import Store
from referee.journal import Journal
from referee.options import GameOptions
from tests.vision.jpegs import HOSTILE, jpeg
from tests.web.cameras import devices
from tests.web.conftest import Visitor, shell_of
from tests.web.test_diagnostics import watched
from tests.web.test_fuzz import DECISIONS, VALUES
from tests.web.test_stories import first_round, seen
from vision.phone import PhoneSource
from web import create_app
from web.camera_desk import CameraDesk
from web.live import LiveGame

PIN = "271828"
PLACES = (
    "",
    "/tables/hall",
    "/tables/window",
    "/games/1",
    "/games/2",
    "/tables/nobody",
    "/games/99",
    "/tables/~",
    "/tables/window/tables/hall",
)
ASKING = {"asking.try_decision", "lessons.judge", "puzzles.judge", "api.enter_pin"}
"""Routes that take a body and change nothing; those who may not change the game may ask them."""

PARTS = {"segment": "window", "filename": "page.css", "name": "f9a", "kind": "json", "number": "1"}
"""What stands for each part of an address that varies."""


@dataclass
class Hall:
    """Two tables, a game of the past and an open dispute; a phone is the camera, and cameras can be set up."""

    folder: Path
    live: LiveGame = field(init=False)
    window: LiveGame = field(init=False)
    guest: Visitor = field(init=False)
    referee: Visitor = field(init=False)

    def __post_init__(self) -> None:
        db = str(self.folder / "games.db")
        self.live = LiveGame.open(Journal(db, table="hall"), GameOptions())
        self.live.decide({"decision": "new_game"})
        self.window = LiveGame.open(Journal(db, table="window"), GameOptions("duo"))
        first_round(Visitor(create_app(self.live).test_client(use_cookies=False)))
        seen(self.live, (1, 2, "blue"), (1, 3, "blue"), number=9)
        watched(self.live)
        desk = CameraDesk(Store(self.folder / "kept"), lambda: self.live.table.options.rules, devices=devices(self.folder))
        app = create_app(self.live, lan=True, pin=PIN, phone=PhoneSource(), secret=b"a secret of the hall", desk=desk)
        self.guest = Visitor(app.test_client())
        self.guest.open_page()
        self.referee = Visitor(app.test_client())
        self.referee.open_page()
        assert self.referee.post("/api/session", {"pin": PIN}).status_code == 200

    @property
    def rules(self) -> list[Rule]:
        """All routes, as the application lists them."""
        return sorted(self.guest.client.application.url_map.iter_rules(), key=lambda rule: rule.rule)

    @property
    def everything(self) -> str:
        """All that somebody could have changed."""
        return json.dumps([self.live.state(), self.window.state(), self.live.game_number, sorted(map(str, self.folder.rglob("kept/*")))])


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    found = Hall(tmp_path_factory.mktemp("hall"))
    yield found
    found.live.close()
    found.window.close()


def address(rule: Rule) -> str:
    """An address of a route."""
    kind = "frame" if rule.endpoint == "phone.picture" else PARTS["kind"]
    return re.sub(r"<(?:[^<>:]*(?:\([^)]*\))?:)?(\w+)>", lambda part: {**PARTS, "kind": kind}[part[1]], rule.rule)


def changing(hall: Hall) -> list[tuple[Rule, str]]:
    """The routes that take something, with the methods that do."""
    return [(rule, method) for rule in hall.rules for method in sorted((rule.methods or set()) - {"GET", "HEAD", "OPTIONS"})]


def bodies(rule: Rule) -> list[dict[str, Any]]:
    """Bodies that would change something, if they were let in."""
    if rule.endpoint == "phone.picture":
        return [{"data": jpeg(np.zeros((96, 128, 3), np.uint8)), "content_type": "image/jpeg"}]
    return [{"json": {"decision": name, "camera": "0", "look": 1, "variant": "junior", "pin": "000000"}} for name in ("undo", "new_game")]


@pytest.mark.parametrize("place", PLACES)
def test_who_has_no_pin_changes_nothing_by_any_route(hall: Hall, place: str) -> None:
    before = hall.everything
    for rule, method in changing(hall):
        for body in bodies(rule):
            answer = hall.guest.client.open(
                place + address(rule), method=method, headers={"X-CSRF-Token": hall.guest.token, "Origin": "http://localhost"}, **body
            )
            wanted = {401, 302, 404} if rule.endpoint not in ASKING else {200, 302, 403, 404, 422, 429}
            assert answer.status_code in wanted, (rule, answer.status_code, answer.get_data(as_text=True))
    assert hall.everything == before


@pytest.mark.parametrize("headers", [{}, {"X-CSRF-Token": "guess"}, {"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_no_route_takes_what_another_site_sends_in_the_name_of_the_table(hall: Hall, headers: dict[str, str]) -> None:
    visitor, before = hall.referee, hall.everything
    for rule, method in changing(hall):
        for place in ("", "/tables/window"):
            for body in bodies(rule):
                token = {} if set(headers) <= {"X-CSRF-Token"} else {"X-CSRF-Token": visitor.token}
                answer = visitor.client.open(place + address(rule), method=method, headers={**token, **headers}, **body)
                wanted = {403} if not place else {403, 404}
                assert answer.status_code in wanted, (rule, answer.status_code)
    assert hall.everything == before


def test_no_route_answers_by_a_foreign_name(hall: Hall) -> None:
    for rule in hall.rules:
        for place in PLACES:
            answer = hall.guest.client.get(place + address(rule), headers={"Host": "evil.example"})
            assert answer.status_code in (400, 404, 405), (place, rule, answer.status_code)
            assert PIN not in answer.get_data(as_text=True)


def test_looking_at_every_page_changes_nothing_and_tells_no_secret(hall: Hall) -> None:
    before = hall.everything
    for rule in hall.rules:
        for place in PLACES:
            for method in ("GET", "HEAD", "OPTIONS"):
                with closing(hall.guest.client.open(place + address(rule), method=method)) as answer:
                    assert answer.status_code < 500 or answer.status_code == 503, (place, rule, method)
                    if not answer.is_streamed:
                        assert PIN.encode() not in answer.data, (place, rule)
    assert hall.everything == before


def test_wrong_pins_count_wherever_they_are_entered(hall: Hall) -> None:
    app = create_app(hall.live, lan=True, pin=PIN)
    visitor = Visitor(app.test_client())
    visitor.open_page()
    tried = [visitor.post(f"{PLACES[number % 3]}/api/session", {"pin": f"{number:06}"}).status_code for number in range(8)]
    assert (tried[:5], set(tried[5:])) == ([403] * 5, {429})
    assert visitor.post("/tables/window/api/session", {"pin": PIN}).status_code == 429


@pytest.mark.parametrize(
    "cookie", ["", "x", ".", "a.b.c", "eyJ0b2tlbiI6IngifQ.aaaa.bbbb", "ä", "x" * 4000, '{"pin_entered": 1e99}', "\\000"]
)
@pytest.mark.parametrize("name", ["referee", "language"])
def test_forged_cookies_open_nothing(hall: Hall, name: str, cookie: str) -> None:
    client, before = hall.guest.client.application.test_client(use_cookies=False), hall.everything
    for rule in hall.rules:
        answer = client.get(address(rule), headers={"Cookie": f"{name}={cookie}".encode().decode("latin-1")})
        assert answer.status_code < 500 or answer.status_code == 503, (rule, answer.status_code)
        answer.close()
    for rule, method in changing(hall):
        answer = client.open(
            address(rule), method=method, headers={"Cookie": f"{name}={cookie}".encode().decode("latin-1")}, **bodies(rule)[0]
        )
        assert answer.status_code in (401, 403) or rule.endpoint in ASKING, (rule, answer.status_code)
    assert hall.everything == before


def test_streams_that_are_only_asked_for_and_left_keep_no_seat(hall: Hall) -> None:
    parts = shell_of(hall.guest)
    free = parts.seats.free, parts.viewers.free
    for _ in range(3):
        for place in ("", "/tables/window"):
            for path in ("/api/events", "/board.mjpeg"):
                for method in ("HEAD", "OPTIONS", "GET"):
                    hall.guest.client.open(place + path, method=method).close()
    assert (parts.seats.free, parts.viewers.free) == free


# Whatever comes

TEXTS = st.text(max_size=12) | st.sampled_from(["..", "../..", "%2e%2e", "\x00", "9" * 30, "-1", "🙂", "a" * 3000, "'\"<b>", "{{7*7}}"])
HEADERS = st.dictionaries(
    st.sampled_from(
        [
            "Accept-Language",
            "Accept-Encoding",
            "Accept",
            "Cookie",
            "If-None-Match",
            "If-Modified-Since",
            "Range",
            "Last-Event-ID",
            "Origin",
            "X-Device",
            "X-Forwarded-For",
            "X-Forwarded-Proto",
            "Content-Type",
            "Content-Encoding",
            "Authorization",
        ]
    ),
    st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=20)
    | st.sampled_from(
        [
            "de;q=nan",
            "de;q=1e999",
            "*",
            "gzip;q=",
            "bytes=0-",
            "bytes=9-1",
            "bytes=-9",
            'W/"x", *',
            "language=" + "x" * 4000,
            "image/jpeg",
            "a/b/c",
        ]
    ),
    max_size=3,
)
QUERIES = st.dictionaries(st.sampled_from(["after", "before", "games", "pictures", "start", "x"]), TEXTS, max_size=2)
DATA = st.binary(max_size=60) | VALUES.map(lambda value: json.dumps(value).encode()) | DECISIONS.map(lambda one: json.dumps(one).encode())
KINDS = st.sampled_from(
    ["application/json", "image/jpeg", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "text/plain", ""]
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(choice=st.data())
def test_whatever_is_sent_to_any_route_the_program_answers(hall: Hall, choice: st.DataObject) -> None:
    rule = choice.draw(st.sampled_from(hall.rules), "route")
    place = choice.draw(st.sampled_from(PLACES), "place")
    method = choice.draw(
        st.sampled_from(["GET", "GET", "POST", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "X"]), "method"
    )
    varied = {part: quote(choice.draw(TEXTS, part), safe="/") for part in sorted(rule.arguments)}
    path = re.sub(r"<(?:[^<>:]*(?:\([^)]*\))?:)?(\w+)>", lambda part: varied[part[1]] or "x", rule.rule)
    path = choice.draw(st.sampled_from([address(rule), path]), "path")
    visitor = choice.draw(st.sampled_from([hall.guest, hall.referee]), "visitor")
    headers = {"X-CSRF-Token": visitor.token, **choice.draw(HEADERS, "headers")}
    before = hall.everything
    with closing(
        visitor.client.open(
            place + path,
            method=method,
            query_string=choice.draw(QUERIES, "query"),
            headers=headers,
            data=choice.draw(DATA, "data"),
            content_type=headers.pop("Content-Type", choice.draw(KINDS, "kind")),
        )
    ) as answer:
        assert answer.status_code < 500 or answer.status_code == 503, (method, place, path, answer.status_code)
        assert "Traceback" not in ("" if answer.is_streamed else answer.get_data(as_text=True))
    assert visitor is hall.referee or hall.everything == before


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_pictures_made_to_do_harm_are_refused(hall: Hall, name: str, caplog: pytest.LogCaptureFixture) -> None:
    visitor, before = hall.referee, hall.everything
    headers = {"X-CSRF-Token": visitor.token, "Content-Type": "image/jpeg", "X-Device": "x"}
    with caplog.at_level(logging.DEBUG):
        for kind in ("frame", "photo"):
            answer = visitor.client.post(f"/api/phone/{kind}", data=HOSTILE[name], headers=headers)
            assert answer.status_code in (413, 422, 429), answer.status_code
    assert hall.everything == before
    assert PIN not in caplog.text
