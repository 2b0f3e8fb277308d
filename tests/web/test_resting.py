"""The people pause the watching, and let it go on."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.web.conftest import Visitor
from vision.wrapping import PAUSED
from web.live import LiveGame


@dataclass
class Camera:
    """A camera that can rest, or a recording that cannot."""

    can_pause: bool = True
    paused: bool = False


@pytest.fixture
def camera(live: LiveGame) -> Camera:
    live.pausable = Camera()
    live.camera("ready")
    return live.pausable


def test_the_page_offers_to_pause_and_then_says_loudly_that_nobody_watches(browser: Visitor, camera: Camera) -> None:
    assert 'data-can-rest="1"' in browser.html
    assert browser.decide("pause") == []
    assert camera.paused
    assert browser.state["camera"] == {"state": "paused", "reason": PAUSED}
    assert 'data-can-rest=""' in browser.html
    assert "Not watching: paused" in browser.html
    assert 'id="resume"' in browser.html


@pytest.mark.usefixtures("camera")
def test_what_was_under_way_when_the_people_paused_is_no_news(browser: Visitor, live: LiveGame) -> None:
    browser.decide("pause")
    heard: list[object] = []
    live.listen(heard.append)
    live.camera("motion")
    live.camera("paused", PAUSED)
    assert heard == []


def test_the_watching_goes_on_when_the_people_say_so(browser: Visitor, camera: Camera, live: LiveGame) -> None:
    browser.decide("pause")
    browser.decide("resume")
    assert not camera.paused
    live.camera("ready")
    assert browser.state["camera"]["state"] == "ready"
    assert 'id="resume"' not in browser.html


@pytest.mark.parametrize("watched", [None, Camera(can_pause=False)])
def test_what_cannot_rest_is_not_paused(browser: Visitor, live: LiveGame, watched: Camera | None) -> None:
    live.pausable = watched
    assert 'data-can-rest=""' in browser.html
    answer = browser.post("/api/decisions", {"decision": "pause"})
    assert answer.status_code == 422
    assert "no camera that could rest" in answer.get_json()["message"]


def test_who_only_looks_on_cannot_pause(guest: Visitor, camera: Camera) -> None:
    assert guest.post("/api/decisions", {"decision": "pause"}).status_code == 401
    assert not camera.paused


def test_trying_a_pause_out_pauses_nothing(browser: Visitor, camera: Camera) -> None:
    assert browser.post("/api/try", {"decision": "pause"}).status_code == 422
    assert browser.post("/api/decisions", {"decision": "pause", "preview": True}).status_code == 422
    assert not camera.paused


@pytest.mark.parametrize("nonsense", [["pause"], {"pause": 1}, None, 1])
def test_what_is_no_decision_at_all_is_refused_in_one_line(browser: Visitor, nonsense: object) -> None:
    assert browser.post("/api/decisions", {"decision": nonsense}).status_code == 422
