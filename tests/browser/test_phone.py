"""The phone as camera, as a family uses it: a phone's page with a fake camera that films a board."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import Browser, FilePayload, Page, Request, Route, expect

from tests.browser.conftest import WAIT_MS, Running, new_live
from tests.cli.programs import first_line, running, stopped_by
from tests.vision.boards import SAMPLES
from tests.vision.jpegs import exif_turned, jpeg
from vision.frames import Frame
from vision.phone import PhoneSource
from web import create_app

pytestmark = pytest.mark.browser

FRAMES = SAMPLES / "full_game" / "frames"
EMPTY, PLACED = FRAMES / "0000.jpg", FRAMES / "0001.jpg"
"""The sample game before and after its first piece."""

READING_MS = 120_000  # finding and reading a board on a machine that does much else


@dataclass
class Film:
    """What the fake camera films: read anew whenever a page opens the camera."""

    path: Path

    def show(self, picture: Path, *, upright: bool = False) -> None:
        """Film a picture, with the noise of a sensor; ``upright``: the phone is held upright."""
        image, noise = cv2.imread(str(picture)), np.random.default_rng(3)
        assert image is not None
        if upright:
            image = cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE)
        takes = [np.clip(image + noise.normal(0, 2, image.shape), 0, 255).astype(np.uint8) for _ in range(3)]
        fresh = self.path.with_suffix(".new")
        fresh.write_bytes(b"".join(jpeg(take) for take in takes))
        fresh.replace(self.path)


@pytest.fixture(scope="session")
def film(tmp_path_factory: pytest.TempPathFactory) -> Film:
    made = Film(tmp_path_factory.mktemp("film") / "camera.mjpeg")
    made.show(EMPTY)
    return made


@pytest.fixture(scope="session")
def phones(launch: Callable[..., Browser], film: Film) -> Iterator[Browser]:
    """A browser with a fake camera, whose people allow its use; it finds this computer by its name."""
    browser = launch(
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={film.path}",
        f"--host-resolver-rules=MAP {socket.gethostname().lower()} 127.0.0.1",
    )
    yield browser
    browser.close()


@contextmanager
def phone(browser: Browser, url: str, scheme: Literal["light", "dark"] = "light") -> Iterator[Page]:
    """A page on a phone, which takes a certificate that it does not know; fails when the page's script complains."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, color_scheme=scheme, reduced_motion="reduce", has_touch=True, ignore_https_errors=True
    )
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(url)
    yield page
    context.close()
    assert complaints == []


# The whole program


@dataclass
class Program:
    """`watch phone` in a process of its own, that can be stopped and started again at the same address."""

    folder: Path
    options: tuple[str, ...]
    port: str = "0"
    url: str = ""
    pin: str = ""
    stack: ExitStack = field(default_factory=ExitStack)
    process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        args = ("watch", "phone", "--lan", *self.options, "--db", str(self.folder / "games.db"), "--port", self.port)
        self.process = self.stack.enter_context(running(*args))
        self.url = first_line(self.process)
        self.port = self.url.rstrip("/").rpartition(":")[2]
        assert self.process.stdout is not None
        self.pin = self.process.stdout.readline().split()[-1]

    def stop(self) -> None:
        assert self.process is not None
        assert stopped_by(self.process, signal.SIGTERM)[0] == 0


@pytest.fixture
def program(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    made = Program(tmp_path, tuple(request.param))
    made.start()
    with made.stack:
        yield made


def enter_pin(page: Page, pin: str) -> None:
    page.locator("#pin-form input").fill(pin)
    page.locator("#pin-form button").click()
    expect(page.locator("#finder")).to_be_visible()


@pytest.mark.parametrize("program", [("--https",)], indirect=True)
def test_a_phone_films_the_board_and_goes_on_when_the_program_starts_again(phones: Browser, film: Film, program: Program) -> None:
    film.show(EMPTY)
    with phone(phones, program.url + "phone") as page:
        expect(page.locator("#said")).to_contain_text("no phone sends pictures yet")
        expect(page.locator("#finder")).to_be_hidden()
        enter_pin(page, program.pin)
        page.locator("#start").click()
        expect(page.locator("#said-sentence")).to_have_text("The board is empty; the game may begin.", timeout=READING_MS)
        expect(page.locator("#said-camera")).to_contain_text("Watching", timeout=READING_MS)

        page.locator("#stop").click()
        expect(page.locator("#said")).to_contain_text("the phone stopped sending pictures", timeout=READING_MS)
        film.show(PLACED, upright=True)
        page.locator("#start").click()
        expect(page.locator("#said-sentence")).to_have_text("Blue N is legal.", timeout=READING_MS)

        program.stop()
        expect(page.locator("#said-camera")).to_have_text("The program does not answer. Is it still running?", timeout=WAIT_MS)
        program.start()
        expect(page.locator("#said-camera")).to_contain_text("Watching", timeout=READING_MS)
        expect(page.locator("#said-sentence")).to_have_text("Blue N is legal.")
        assert len(page.evaluate("fetch('/api/state').then((answer) => answer.json())")["placements"]) == 1


@pytest.mark.parametrize("program", [()], indirect=True)
def test_over_plain_http_the_page_says_why_it_cannot_film_and_takes_photos(phones: Browser, program: Program, tmp_path: Path) -> None:
    with phone(phones, f"http://{socket.gethostname().lower()}:{program.port}/phone") as page:
        enter_pin(page, program.pin)
        expect(page.locator("#start")).to_be_hidden()
        expect(page.locator("#why")).to_contain_text("browsers give the camera only to pages over https")
        for picture, sentence in ((EMPTY, "The board is empty; the game may begin."), (PLACED, "Blue N is legal.")):
            photo = tmp_path / "photo.jpg"
            photo.write_bytes(exif_turned(picture.read_bytes(), 6))
            page.locator("#photo").set_input_files(photo)
            expect(page.locator("#sent")).to_have_text("The photo has arrived.", timeout=WAIT_MS)
            expect(page.locator("#said-sentence")).to_have_text(sentence, timeout=READING_MS)
            width, height = page.locator("#shot").evaluate("(shot) => [shot.width, shot.height]")
            assert (width, height) == (960, 1280)


# The page alone, with a source that counts


@dataclass
class PhoneTable(Running):
    """A table whose pictures come from a phone, and are looked at by nobody."""

    source: PhoneSource = field(default_factory=PhoneSource)

    def app(self) -> Flask:
        return create_app(self.live, lan=self.lan, pin="271828" if self.lan else None, phone=self.source)

    def sees(self) -> tuple[int, ...]:
        """Waits for the next picture; its shape."""
        return next(thing.image_bgr.shape for thing in self.source if isinstance(thing, Frame))

    def stop(self) -> None:
        self.source.close()
        super().stop()


@pytest.fixture
def at_table(phones: Browser, film: Film) -> Iterator[tuple[PhoneTable, Page]]:
    """A table, and a phone whose camera sends pictures to it."""
    film.show(EMPTY)
    table = PhoneTable(new_live())
    try:
        with phone(phones, table.server.url + "phone") as page:
            page.locator("#start").click()
            expect(page.locator("#sent")).to_have_text("Sending pictures.", timeout=WAIT_MS)
            yield table, page
    finally:
        table.stop()


ONCE_LIVE = """() => new Promise((done) => {
    const look = () => document.getElementById("preview").srcObject?.getTracks()[0].readyState === "live" ? done() : setTimeout(look, 50);
    look();
})"""


def test_a_camera_that_the_system_took_away_is_opened_again(at_table: tuple[PhoneTable, Page]) -> None:
    table, page = at_table
    page.evaluate("document.getElementById('preview').srcObject.getTracks()[0].stop()")
    page.evaluate(ONCE_LIVE)
    expect(page.locator("#sent")).to_have_text("Sending pictures.", timeout=WAIT_MS)
    assert table.sees() == (960, 1280, 3)
    expect(page.locator("#trouble")).to_be_hidden()


def test_a_lost_network_is_said_and_sending_goes_on_by_itself(at_table: tuple[PhoneTable, Page]) -> None:
    table, page = at_table
    page.context.set_offline(True)
    expect(page.locator("#said-camera")).to_have_text("The program does not answer. Is it still running?", timeout=WAIT_MS)
    page.context.set_offline(False)
    expect(page.locator("#sent")).to_have_text("Sending pictures.", timeout=WAIT_MS)
    assert table.sees() == (960, 1280, 3)


def test_another_phone_takes_over_when_its_camera_is_started(at_table: tuple[PhoneTable, Page], phones: Browser) -> None:
    table, page = at_table
    with phone(phones, table.server.url + "phone") as other:
        other.locator("#start").click()
        expect(other.locator("#sent")).to_have_text("Sending pictures.", timeout=WAIT_MS)
        expect(page.locator("#trouble")).to_contain_text("Another device is the camera now.", timeout=WAIT_MS)
        expect(page.locator("#start")).to_be_visible()


def test_one_picture_is_on_its_way_at_a_time(at_table: tuple[PhoneTable, Page]) -> None:
    _, page = at_table
    under_way: set[Request] = set()
    most = answered = 0

    def asked(request: Request) -> None:
        nonlocal most
        if request.url.endswith("/api/phone/frame"):
            under_way.add(request)
            most = max(most, len(under_way))

    def done(request: Request) -> None:
        nonlocal answered
        answered += request in under_way
        under_way.discard(request)

    page.on("request", asked)
    page.on("requestfinished", done)
    while answered < 8:
        page.wait_for_timeout(50)
    assert most == 1


def test_pictures_that_came_too_fast_are_no_trouble(at_table: tuple[PhoneTable, Page]) -> None:
    _, page = at_table
    refused: list[str] = []

    def refuse(route: Route) -> None:
        refused.append(route.request.url)
        route.fulfill(status=429, json={"message": "Pictures come faster than they are looked at."})

    page.route("**/api/phone/frame", refuse)
    while len(refused) < 3:
        page.wait_for_timeout(50)
    expect(page.locator("#trouble")).to_be_hidden()


def test_a_camera_that_may_not_be_used_leaves_photos(phones: Browser) -> None:
    table = PhoneTable(new_live())
    with phone(phones, "about:blank") as page:
        page.add_init_script("navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))")
        page.goto(table.server.url + "phone")
        page.locator("#start").click()
        expect(page.locator("#trouble")).to_contain_text("allow it for this page")
        expect(page.locator("#start")).to_be_visible()
        expect(page.locator("label[for='photo']")).to_be_visible()
        page.locator("#photo").set_input_files(FilePayload(name="a.jpg", mimeType="image/jpeg", buffer=b"no picture"))
        expect(page.locator("#trouble")).to_contain_text("cannot read that file as a picture")
    table.stop()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_barrier(phones: Browser, film: Film, scheme: Literal["light", "dark"]) -> None:
    film.show(EMPTY)
    table = PhoneTable(new_live(), lan=True)
    with phone(phones, table.server.url + "phone", scheme) as page:
        expect(page.locator("#said-camera")).not_to_be_empty()
        assert barriers(page) == []
        enter_pin(page, "271828")
        assert barriers(page) == []
        page.locator("#start").click()
        expect(page.locator("#sent")).to_have_text("Sending pictures.", timeout=WAIT_MS)
        assert barriers(page) == []
        table.live.camera("lost", "the phone stopped sending pictures")
        page.evaluate("document.getElementById('photos').hidden = document.getElementById('why').hidden = false")
        expect(page.locator("#said-reason")).to_be_visible()
        assert barriers(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.set_viewport_size({"width": 844, "height": 390})
        assert page.evaluate("document.documentElement.scrollWidth") <= 844
    table.stop()


def test_axe_finds_no_barrier_on_a_computer_that_shows_the_code(phones: Browser) -> None:
    table = PhoneTable(new_live(), lan=True)
    page = phones.new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"http://{socket.gethostname().lower()}:{table.server.port}/phone")
    expect(page.locator("#elsewhere svg")).to_be_visible()
    assert barriers(page) == []
    page.evaluate("document.getElementById('stop').hidden = false")  # as while this very computer films
    expect(page.locator("#elsewhere")).to_be_hidden()
    page.context.close()
    table.stop()


def barriers(page: Page) -> list[str]:
    return [json.dumps(one)[:2000] for one in Axe().run(page).response["violations"]]
