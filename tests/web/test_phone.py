"""The phone as camera at the routes: who may send pictures, what is refused, and what its page says."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from referee.table import Table
from tests.vision.jpegs import HOSTILE, jpeg
from tests.web.conftest import Visitor
from vision.frames import Frame, Lost
from vision.phone import NEXT_PHOTO, SILENT, WAITED_FOR, PhoneSettings, PhoneSource
from vision.watch import Watcher
from web import create_app
from web.following import Following, follow
from web.live import LiveGame
from web.settings import WebSettings

PICTURE = jpeg(np.full((96, 128, 3), (10, 200, 90), np.uint8))
UNLIMITED = WebSettings(picture_pause_s=0.0)


@dataclass
class Watched:
    """A table that is watched by a phone."""

    source: PhoneSource
    live: LiveGame
    visitor: Visitor
    things: Iterator[Frame | Lost] = field(init=False)

    def __post_init__(self) -> None:
        self.things = iter(self.source)
        assert self.seen() == WAITED_FOR

    def send(self, data: bytes = PICTURE, kind: str = "frame", device: str = "a", headers: Mapping[str, str] | None = None) -> TestResponse:
        """Send a picture as the page does."""
        sent = {"X-CSRF-Token": self.visitor.token, "X-Device": device, "Content-Type": "image/jpeg", **(headers or {})}
        return self.visitor.client.post(f"/api/phone/{kind}", data=data, headers=sent)

    def seen(self) -> tuple[int, ...] | str:
        """What the watcher gets next: a picture's shape, or why there is none."""
        thing = next(self.things)
        return thing.image_bgr.shape if isinstance(thing, Frame) else thing.reason


def table(*, lan: bool = False, settings: WebSettings = UNLIMITED) -> Watched:
    live = LiveGame(Table(), settings=settings)
    source = PhoneSource(PhoneSettings(lost_after_s=0.001, photo_every_s=0.001))
    visitor = Visitor(create_app(live, lan=lan, pin="271828" if lan else None, phone=source).test_client())
    visitor.open_page()
    return Watched(source, live, visitor)


def message(answer: TestResponse) -> str:
    """The one line of a refusal."""
    text = str(answer.get_json()["message"])
    assert len(text.splitlines()) == 1
    return text


def test_a_frame_goes_to_the_watcher_and_the_answer_says_how_the_game_stands() -> None:
    phone = table()
    said = phone.send().get_json()
    assert said["turn"] == "Place the first piece"
    assert said["camera"] == "No camera: pieces are entered by hand"
    assert (phone.seen(), phone.seen()) == ((96, 128, 3), SILENT)


def test_a_photo_is_shown_to_the_watcher_for_a_while() -> None:
    phone = table()
    assert phone.send(kind="photo").status_code == 200
    looks = PhoneSettings().photo_looks
    assert [phone.seen() for _ in range(looks + 1)] == [(96, 128, 3)] * looks + [NEXT_PHOTO]


def test_pictures_are_for_those_who_know_the_pin() -> None:
    phone = table(lan=True)
    assert phone.send().status_code == 401
    assert phone.seen() == WAITED_FOR
    phone.visitor.post("/api/session", {"pin": "271828"})
    assert phone.send().status_code == 200
    assert phone.send(headers={"X-CSRF-Token": "guess"}).status_code == 403
    assert phone.send(headers={"Origin": "https://evil.example"}).status_code == 403
    assert phone.send(headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


def test_everybody_sees_what_the_referee_says() -> None:
    phone = table(lan=True)
    assert phone.visitor.client.get("/api/phone").get_json()["turn"] == "Place the first piece"


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_pictures_are_refused_in_one_line_and_change_nothing(kind: str) -> None:
    phone = table()
    before = phone.visitor.state
    answer = phone.send(HOSTILE[kind])
    assert answer.status_code == 422
    assert message(answer)[0].isupper()
    assert phone.seen() == WAITED_FOR
    assert phone.visitor.state == before


def test_no_body_breaks_the_program() -> None:
    phone = table()

    @settings(max_examples=100, deadline=None)
    @given(data=st.binary(max_size=300), starts_well=st.booleans(), kind=st.sampled_from(["frame", "photo"]))
    def try_out(data: bytes, starts_well: bool, kind: str) -> None:
        assert phone.send(b"\xff\xd8\xff" + data if starts_well else data, kind).status_code == 422

    try_out()
    assert phone.seen() == WAITED_FOR


def test_a_picture_that_is_too_large_is_refused_unread() -> None:
    phone = table(settings=replace(UNLIMITED, max_picture_bytes=100_000))
    answer = phone.send(PICTURE + b"\0" * 100_000)
    assert (answer.status_code, message(answer)) == (413, "The request is too large.")
    assert phone.send(PICTURE + b"\0" * 90_000).status_code == 200, "more than other requests may bring"


@pytest.mark.parametrize("mimetype", ["image/png", "text/plain", "multipart/form-data", "application/json", ""])
def test_only_jpeg_pictures_are_taken(mimetype: str) -> None:
    phone = table()
    answer = phone.send(headers={"Content-Type": mimetype})
    assert answer.status_code == 415
    assert "image/jpeg" in message(answer)


@pytest.mark.parametrize("path", ["/api/phone", "/api/phone/video", "/api/phone/frame/x", "/api/phone/../state"])
def test_other_addresses_take_no_pictures(path: str) -> None:
    phone = table()
    assert phone.visitor.client.post(path, data=PICTURE, content_type="image/jpeg").status_code in (404, 405)


def test_pictures_that_come_too_fast_are_refused() -> None:
    phone = table(settings=replace(UNLIMITED, picture_pause_s=600))
    assert phone.send().status_code == 200
    answer = phone.send()
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "1")
    assert phone.send(device="b", kind="frame?start").status_code == 200


def test_the_device_on_which_the_camera_was_started_last_is_the_camera() -> None:
    phone = table()
    assert phone.send(device="a").status_code == 200
    answer = phone.send(device="b")
    assert (answer.status_code, message(answer)) == (
        409,
        "Another device is the camera now. Start the camera here to use this one instead.",
    )
    assert phone.send(device="b", kind="frame?start").status_code == 200
    assert phone.send(device="a").status_code == 409
    assert phone.send(device="b").status_code == 200


def test_a_device_that_has_been_silent_gives_its_place_away() -> None:
    phone = table(settings=replace(UNLIMITED, camera_free_s=0))
    assert phone.send(device="a").status_code == 200
    assert phone.send(device="b").status_code == 200


def test_a_table_without_a_phone_says_how_to_watch_with_one(browser: Visitor) -> None:
    assert "watch phone --lan --https" in browser.client.get("/phone").get_data(as_text=True)
    sent = {"X-CSRF-Token": browser.token, "Content-Type": "image/jpeg"}
    answer = browser.client.post("/api/phone/frame", data=PICTURE, headers=sent)
    assert answer.status_code == 409
    assert "watch phone --lan --https" in message(answer)


def test_only_the_phone_s_page_may_use_the_camera() -> None:
    phone = table()
    assert phone.visitor.client.get("/phone").headers["Permissions-Policy"].startswith("camera=(self)")
    assert phone.visitor.client.get("/").headers["Permissions-Policy"].startswith("camera=()")


def page_of(phone: Watched, base_url: str) -> str:
    return str(phone.visitor.client.get("/phone", base_url=base_url).get_data(as_text=True))


def test_the_page_shows_how_to_open_it_on_a_phone() -> None:
    html = page_of(table(lan=True), "https://192.168.1.20:8000")
    assert "<code>https://192.168.1.20:8000/phone</code>" in html
    assert '<svg viewBox="0 0 35 35" class="segno">' in html
    assert "certificate" in html
    assert "271828" not in html


def test_the_page_names_no_address_that_no_phone_can_reach() -> None:
    assert "segno" not in page_of(table(), "http://127.0.0.1:8000")


def test_the_phone_s_page_has_nothing_inline_and_the_protecting_headers() -> None:
    phone = table(lan=True)
    answer = phone.visitor.client.get("/phone")
    html = answer.get_data(as_text=True)
    assert "style=" not in html
    assert " onclick" not in html
    assert html.count("<script") == 1
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


def test_the_watcher_s_states_follow_the_phone() -> None:
    phone = table()
    told: queue.SimpleQueue[str] = queue.SimpleQueue()
    phone.live.listen(lambda event: told.put(event["reason"] if event["state"] == "lost" else event["state"]))
    watching = threading.Thread(target=lambda: follow(Watcher(phone.source, phone.live), phone.live, Following(live=True)), daemon=True)
    watching.start()
    assert told.get(timeout=60) == WAITED_FOR
    for _ in range(2):
        while told.empty():
            phone.send()
        assert told.get(timeout=60) == "no_board"
        assert told.get(timeout=60) == SILENT
    phone.source.close()
    watching.join(60)
    assert not watching.is_alive()
