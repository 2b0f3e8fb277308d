"""Who may change the game, and what hostile requests get."""

from __future__ import annotations

import json

import pytest
from flask import request

from tests.web.conftest import Visitor, shell_of
from web import create_app
from web.live import LiveGame
from web.security import Gate, GuessLimit, Refused
from web.settings import WebSettings

NEW_GAME = {"decision": "new_game", "variant": "duo"}
UNCHANGED = "classic"


def test_a_program_on_this_computer_may_decide(program: Visitor) -> None:
    assert program.post("/api/decisions", NEW_GAME).status_code == 200


def test_a_browser_needs_the_token_of_its_page(browser: Visitor) -> None:
    assert browser.post("/api/decisions", NEW_GAME, **{"X-CSRF-Token": "guess"}).status_code == 403
    assert browser.client.post("/api/decisions", json=NEW_GAME).status_code == 403
    assert browser.state["variant"] == UNCHANGED
    assert browser.post("/api/decisions", NEW_GAME).status_code == 200


def test_a_token_of_another_session_is_worth_nothing(browser: Visitor) -> None:
    stranger = Visitor(browser.client.application.test_client())
    stranger.open_page()
    assert browser.post("/api/decisions", NEW_GAME, **{"X-CSRF-Token": stranger.token}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:1234"},
        {"Origin": "http://["},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_requests_that_another_site_caused_are_refused(browser: Visitor, program: Visitor, headers: dict[str, str]) -> None:
    assert browser.post("/api/decisions", NEW_GAME, **headers).status_code == 403
    assert program.post("/api/decisions", NEW_GAME, **headers).status_code == 403
    assert browser.state["variant"] == UNCHANGED


@pytest.mark.parametrize("mimetype", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_a_plain_form_can_send_is_no_decision(program: Visitor, mimetype: str) -> None:
    answer = program.client.post("/api/decisions", data=json.dumps(NEW_GAME), content_type=mimetype)
    assert answer.status_code == 415
    assert program.state["variant"] == UNCHANGED


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example", "", "[", "a b"])
def test_a_foreign_name_for_this_server_is_refused(program: Visitor, host: str) -> None:
    for path in ("/", "/live", "/api/state", "/static/page.css"):
        with program.client.get(path, headers={"Host": host}) as answer:
            assert answer.status_code == 400, path


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "[::1]:8000", "192.168.1.20:8000"])
def test_addresses_in_figures_and_localhost_are_served(program: Visitor, host: str) -> None:
    assert program.client.get("/api/state", headers={"Host": host}).status_code == 200


PAGES = ("/", "/practice", "/puzzles", "/puzzles/1", "/overlay", "/tables", "/circuit", "/diagnostics", "/sheet")


def test_every_answer_carries_the_protecting_headers(program: Visitor) -> None:
    for path in (
        *PAGES,
        "/live",
        "/api/state",
        "/static/page.css",
        "/nowhere",
        "/api/nowhere",
        "/evidence/none.jpg",
        "/download/none",
        "/board.jpg",
    ):
        with program.client.get(path) as answer:
            headers = answer.headers
        assert "default-src 'none'" in headers["Content-Security-Policy"], path
        assert "unsafe-inline" not in headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"


def test_the_page_has_nothing_inline_and_nothing_from_elsewhere(program: Visitor) -> None:
    for path in PAGES[:-1]:
        html = program.client.get(path).get_data(as_text=True)
        assert "style=" not in html, path
        assert "<style" not in html
        assert " onclick" not in html
        assert html.count("<script") == html.count('<script type="module" src="/static/') == 1
        assert "http://" not in html.replace("http://www.w3.org", "")
        assert "https://" not in html


def test_the_session_cookie_is_out_of_reach_of_scripts_and_other_sites(browser: Visitor) -> None:
    cookie = Visitor(browser.client.application.test_client()).client.get("/").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


# Bodies


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'"undo"',
        b"null",
        b"7",
        b"\xff\xfe",
        b'{"decision": NaN}',
        b'{"decision": Infinity}',
        b'{"decision": "resolve", "id": 1e999}',
        b'{"decision": "undo", "decision": "redo"}',
        b'{"decision": "place", "color": "\\ud800", "cells": []}',
        b'{"a": 1' + b"0" * 5000 + b"}",
        b"[" * 20_000,
        b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    ],
)
def test_a_body_that_is_no_usable_json_is_refused(program: Visitor, body: bytes) -> None:
    answer = program.client.post("/api/decisions", data=body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.get_json()["message"]


def test_a_body_that_is_too_large_is_refused_unread(program: Visitor) -> None:
    body = json.dumps({"decision": "new_game", "players": ["x" * 100_000]})
    assert program.client.post("/api/decisions", data=body, content_type="application/json").status_code == 413


@pytest.mark.parametrize(
    "path",
    [
        "/evidence/../../etc/passwd.jpg",
        "/evidence/..%2F..%2Fetc%2Fpasswd.jpg",
        "/evidence/%00.jpg",
        "/evidence/.jpg",
        "/evidence/" + "a" * 5000 + ".jpg",
        "/static/../live.py",
        "/static/%2e%2e/live.py",
        "/static//etc/passwd",
        "/api/decisions",
        "/%ff%fe",
    ],
)
def test_no_path_leads_out_of_what_is_served(program: Visitor, path: str) -> None:
    assert 300 <= program.client.get(path).status_code < 500


@pytest.mark.parametrize("last", ["-1", "abc", "9" * 400, "1.5", "٣", "", " ", "\x00", "9007199254740993"])
def test_nonsense_as_last_event_id_means_reload(program: Visitor, last: str) -> None:
    answer = program.client.get("/api/events", query_string={"after": last})
    assert answer.status_code == 200
    answer.close()


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "POST", "HEAD"])
def test_other_methods_break_nothing(program: Visitor, method: str) -> None:
    for path in (*PAGES, "/live", "/api/state", "/api/decisions", "/api/session", "/api/try", "/evidence/a.jpg", "/download/csv"):
        assert program.client.open(path, method=method).status_code < 500


def test_an_error_inside_is_told_in_one_line_and_not_in_detail(program: Visitor, live: LiveGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "state", lambda: 1 / 0)
    answer = program.client.get("/api/state")
    assert answer.status_code == 500
    assert "division" not in answer.get_data(as_text=True)
    assert "The game is kept" in answer.get_json()["message"]


# The table PIN


def test_guests_watch_but_change_nothing(guest: Visitor) -> None:
    assert 'data-role="watcher"' in guest.open_page()
    assert guest.client.get("/api/state").status_code == 200
    answer = guest.post("/api/decisions", NEW_GAME)
    assert answer.status_code == 401
    assert "PIN" in answer.get_json()["message"]
    assert guest.state["variant"] == UNCHANGED


def test_guests_may_ask_whether_a_placement_is_legal(guest: Visitor) -> None:
    assert guest.decide("would_be_legal", color="blue", cells=[[0, 0]])[0]["legal"] is True


def test_the_pin_lets_a_guest_change_the_game(guest: Visitor) -> None:
    answer = guest.post("/api/session", {"pin": " 271828 "})
    assert answer.get_json()["may_change"] is True
    assert 'data-role="referee"' in guest.open_page()
    assert guest.post("/api/decisions", NEW_GAME).status_code == 200


def test_one_guest_s_pin_is_not_another_s(guest: Visitor) -> None:
    guest.post("/api/session", {"pin": "271828"})
    other = Visitor(guest.client.application.test_client())
    other.open_page()
    assert other.post("/api/decisions", NEW_GAME).status_code == 401


def test_with_a_pin_even_programs_on_this_computer_need_it(guest: Visitor) -> None:
    local = Visitor(guest.client.application.test_client(use_cookies=False))
    assert local.post("/api/decisions", NEW_GAME).status_code == 401


def test_a_permitted_browser_still_needs_its_token(guest: Visitor) -> None:
    guest.post("/api/session", {"pin": "271828"})
    assert guest.client.post("/api/decisions", json=NEW_GAME).status_code == 403


@pytest.mark.parametrize("guess", ["271827", "", None, 271828, ["271828"], {"pin": "271828"}, "x" * 10_000, "２７１８２８"])
def test_a_wrong_pin_is_refused(guest: Visitor, guess: object) -> None:
    assert guest.post("/api/session", {"pin": guess}).status_code == 403
    assert guest.post("/api/decisions", NEW_GAME).status_code == 401


def test_after_some_wrong_pins_even_the_right_one_must_wait(guest: Visitor) -> None:
    for _ in range(WebSettings().pin_tries):
        assert guest.post("/api/session", {"pin": "000000"}).status_code == 403
    answer = guest.post("/api/session", {"pin": "271828"})
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0
    assert guest.post("/api/decisions", NEW_GAME).status_code == 401


def test_waiting_time_ends_and_many_addresses_share_a_limit() -> None:
    now = [0.0]
    limit = GuessLimit(WebSettings(pin_tries=2, pin_tries_everyone=4, pin_window_s=60), lambda: now[0])
    for address in ("a", "a", "b", "b"):
        limit.attempt(address)
    with pytest.raises(Refused) as refused:
        limit.attempt("c")
    assert refused.value.status == 429
    now[0] = 61.0
    limit.attempt("a")


def test_the_right_pin_clears_the_count() -> None:
    limit = GuessLimit(WebSettings(pin_tries=2), lambda: 0.0)
    limit.attempt("a")
    limit.attempt("a")
    limit.passed("a")
    limit.attempt("a")


def test_a_pin_is_made_when_none_is_given(live: LiveGame) -> None:
    pins = {shell_of(Visitor(create_app(live, lan=True).test_client())).pin for _ in range(5)}
    assert len(pins) > 1
    assert all(pin and len(pin) == 6 and pin.isdecimal() for pin in pins)
    assert shell_of(Visitor(create_app(live).test_client())).pin is None


def test_a_device_that_gave_the_pin_need_not_again_when_the_program_starts_again(live: LiveGame) -> None:
    device = Visitor(create_app(live, lan=True, pin="271828", secret=b"kept").test_client())
    device.open_page()
    device.post("/api/session", {"pin": "271828"})
    cookie = device.client.get_cookie("referee")
    assert cookie is not None

    def after_a_restart(secret: bytes | None) -> int:
        again = create_app(live, lan=True, pin="314159", secret=secret).test_client()
        again.set_cookie("referee", cookie.value)
        return Visitor(again, device.token).post("/api/decisions", NEW_GAME).status_code

    assert after_a_restart(b"kept") == 200
    assert after_a_restart(b"another table's") == 403
    assert after_a_restart(None) == 403


@pytest.mark.parametrize(("hours", "may"), [(0, True), (11.9, True), (12.1, False), (-1, False)])
def test_a_pin_holds_for_an_evening(live: LiveGame, hours: float, may: bool) -> None:
    app, now = create_app(live, lan=True, pin="271828"), [1e9]
    gate = Gate(WebSettings(), pin="271828", now=lambda: now[0])
    with app.test_request_context():
        gate.enter_pin(request, "271828")
        now[0] += hours * 3600
        assert gate.may_change() is may


def test_no_secret_stands_in_the_page_or_in_an_address(guest: Visitor) -> None:
    assert "271828" not in guest.open_page()
    assert "271828" not in json.dumps(guest.state)
    assert guest.client.get("/api/session").get_json()["may_change"] is False
