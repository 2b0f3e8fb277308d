"""Setting up a table on its page, with pictures of the samples as cameras: corners, self-check, another camera, a new game."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask
from playwright.sync_api import Browser, Locator, Page, expect

from calibration.locate import locate_board
from calibration.store import Store
from referee.variants import get_variant
from tests.browser.conftest import Running, new_live, opened
from tests.browser.play import is_in_order_everywhere
from tests.web.cameras import Watching, devices, watching
from vision.frames import BgrImage
from vision.pictures import read_picture
from vision.selfcheck import SelfCheck, self_check
from web import create_app
from web.camera_desk import CameraDesk
from web.live import LiveGame
from web.samples import SAMPLE_IMAGES

Corners = list[list[float]]
SEARCH_MS = 60_000


@dataclass
class SetUp(Running):
    """A table whose page sets up the cameras that somebody watches through."""

    there: Watching | None = None

    def app(self) -> Flask:
        assert self.there is not None
        return create_app(self.live, lan=self.lan, pin="271828" if self.lan else None, desk=self.there.desk)


@pytest.fixture(scope="module")
def oak() -> BgrImage:
    return read_picture(SAMPLE_IMAGES / "stills" / "oak_table.jpg")


@pytest.fixture(scope="module")
def seen(oak: BgrImage) -> SelfCheck:
    return self_check(oak, 20, get_variant("classic").colors, locate_board)


@pytest.fixture(scope="module")
def corners(seen: SelfCheck) -> Corners:
    assert seen.corners_px is not None
    return seen.corners_px


@pytest.fixture(scope="module")
def under_arms(oak: BgrImage, seen: SelfCheck) -> BgrImage:
    """Arms lie along two sides of the board, over the rim and the first row: it is not found by itself."""
    assert seen.pose is not None
    picture, covered = oak.copy(), np.zeros(oak.shape[:2], np.uint8)
    for arm in ([(-3, -3), (23, -3), (23, 1), (-3, 1)], [(-3, -3), (1, -3), (1, 23), (-3, 23)]):
        cv2.fillConvexPoly(covered, seen.pose.project(np.array(arm, np.float64)).round().astype(np.int32), 255)
    skin = np.array([120, 150, 205]) + np.random.default_rng(2).normal(0, 30, oak.shape)
    picture[covered > 0] = cv2.GaussianBlur(skin.clip(0, 255).astype(np.uint8), (0, 0), 4)[covered > 0]
    return picture


@pytest.fixture
def live() -> LiveGame:
    return new_live()


@pytest.fixture
def table(live: LiveGame, tmp_path: Path, oak: BgrImage, under_arms: BgrImage) -> Iterator[SetUp]:
    """Camera 0 sees the whole board and is watched, camera 1 sees it under arms, camera 2 gives no picture."""
    with watching(live, tmp_path, {"0": oak, "1": under_arms, "2": None}) as there:
        running = SetUp(live, there=there)
        yield running
        running.stop()


@pytest.fixture
def page(window: tuple[int, int], chromium: Browser, table: SetUp) -> Iterator[Page]:
    with opened(chromium, table, width=window[0], height=window[1]) as shown:
        yield shown


def open_set_up(page: Page) -> None:
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("link", name="Set up the table").click()
    told(page, "The board was found")


def words(page: Page) -> Locator:
    return page.locator("#place-words")


def told(page: Page, text: str) -> None:
    """The page says so, once the picture has been taken and searched: on a busy machine that takes a while."""
    expect(words(page)).to_contain_text(text, timeout=SEARCH_MS)


def choose(page: Page, camera: str) -> None:
    page.get_by_role("button", name=camera).click()


def in_window(page: Page, point: list[float]) -> tuple[float, float]:
    """Where a point of the camera's picture is in the window."""
    page.locator("#stage img").scroll_into_view_if_needed()
    box = page.locator("#stage img").bounding_box()
    assert box is not None
    scale = box["width"] / 1280
    return box["x"] + point[0] * scale, box["y"] + point[1] * scale


def drag(page: Page, name: str, to: list[float]) -> None:
    handle = page.get_by_role("button", name=name)
    handle.scroll_into_view_if_needed()
    x, y = in_window(page, to)
    box = handle.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(x + 9, y - 5)
    page.mouse.move(x, y, steps=3)
    expect(page.locator("#magnifier")).to_be_visible()
    page.mouse.up()


NAMES = ("Top left corner", "Top right corner", "Bottom right corner", "Bottom left corner")


def kept_corners(folder: Path, camera: str) -> Corners:
    kept = Store(folder / "kept").load(camera)
    assert kept is not None
    return [list(point) for point in kept.corners_px]


def test_corners_that_were_found_are_accepted(page: Page, table: SetUp, tmp_path: Path, corners: Corners) -> None:
    open_set_up(page)
    expect(page.locator(".check-verdict")).to_have_text("It will do.")
    expect(page.get_by_role("img", name="263 squares have a piece on them; 0 squares cannot be told.")).to_be_visible()
    page.get_by_role("button", name="Use these corners").click()
    told(page, "Kept for Camera 0: the watching goes on with these corners.")
    assert np.allclose(kept_corners(tmp_path, "Camera 0"), corners, atol=1)
    assert table.there is not None
    assert table.there.desk.watched == "0"


def test_where_the_board_is_not_found_four_corners_are_dragged_and_it_reads(page: Page, tmp_path: Path, corners: Corners) -> None:
    open_set_up(page)
    choose(page, "Camera 1")
    told(page, "The board was not found by itself")
    expect(page.locator(".check-verdict")).to_have_text("It will not do yet.")
    expect(page.get_by_role("button", name="Use these corners")).to_be_disabled()
    for name, corner in zip(NAMES, corners, strict=True):
        drag(page, name, corner)
    page.get_by_role("button", name="Try these corners").click()
    told(page, "These corners were set by hand")
    unsure = page.locator(".unsure").count()
    assert 35 <= unsure <= 45  # the arms lie over 39 squares
    expect(page.get_by_role("img", name=f"{unsure} squares cannot be told.")).to_be_visible()
    page.get_by_role("button", name="Use these corners").click()
    told(page, "Kept for Camera 1.")
    assert np.allclose(kept_corners(tmp_path, "Camera 1"), corners, atol=5)


def test_corners_move_by_keys_and_say_where_they_are(page: Page) -> None:
    open_set_up(page)
    handle = page.get_by_role("button", name="Top left corner")
    handle.focus()
    expect(page.locator("#magnifier")).to_be_visible()
    left = handle.evaluate("element => parseFloat(element.style.left)")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    step = handle.evaluate("element => parseFloat(element.style.left)") - left
    page.keyboard.press("Shift+ArrowLeft")
    moved = handle.evaluate("element => parseFloat(element.style.left)") - left
    assert step > 0
    assert moved == pytest.approx(-9 * step, rel=0.01)
    expect(page.locator("#place-at")).to_have_text(re.compile(r"Top left corner: \d+, \d+"))
    told(page, "Moved by hand: try these corners.")
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Try these corners").focus()
    expect(page.locator("#magnifier")).to_be_hidden()
    page.keyboard.press("Enter")
    told(page, "These corners were set by hand")
    page.get_by_role("button", name="Find the board again").click()
    told(page, "The board was found")


def test_a_finger_drags_a_corner(chromium: Browser, table: SetUp) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.goto(f"{table.server.url}setup")
    told(page, "The board was found")
    handle = page.get_by_role("button", name="Top right corner")
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = context.new_cdp_session(page)
    for kind, points in (("touchStart", [(x, y)]), ("touchMove", [(x + 20, y + 30)]), ("touchMove", [(x + 30, y + 40)]), ("touchEnd", [])):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": px, "y": py} for px, py in points]})
    told(page, "Moved by hand: try these corners.")
    after = handle.bounding_box()
    assert after is not None
    assert (after["x"] - box["x"], after["y"] - box["y"]) == pytest.approx((30, 40), abs=1.5)
    context.close()


def test_corners_where_no_board_is_are_explained_and_can_be_dragged_on(page: Page) -> None:
    open_set_up(page)
    drag(page, "Top left corner", [1200.0, 900.0])
    page.get_by_role("button", name="Try these corners").click()
    told(page, "go round it without crossing")
    expect(page.get_by_role("button", name="Try these corners")).to_be_enabled()


def test_another_camera_takes_over_the_watching(page: Page, table: SetUp) -> None:
    open_set_up(page)
    choose(page, "Camera 1")
    told(page, "The board was not found")
    page.get_by_role("button", name="Watch with this camera").click()
    expect(page.locator("[data-camera='watched'] b")).to_have_text("Camera 1", timeout=SEARCH_MS)
    assert table.there is not None
    assert table.there.desk.watched == "1"


def test_a_camera_without_pictures_says_so_and_the_watching_goes_on(page: Page, table: SetUp) -> None:
    open_set_up(page)
    expect(page.locator("[data-camera='2'] .still")).to_contain_text("is it plugged in?", timeout=SEARCH_MS)
    choose(page, "Camera 2")
    told(page, "is it plugged in?")
    expect(page.locator("#stage")).to_be_hidden()
    expect(page.locator("#seen")).to_be_hidden()
    choose(page, "Camera 0")
    told(page, "The board was found")
    expect(page.locator("#stage")).to_be_visible()
    assert table.there is not None
    assert table.there.desk.watched == "0"


def test_a_game_with_seats_house_rules_and_lost_pieces_is_started_and_stays_agreed(page: Page, table: SetUp) -> None:
    open_set_up(page)
    form = page.locator("#new-game")
    form.get_by_label("Blue", exact=True).first.fill("Eve")
    form.get_by_label("As agreed here").check()
    for corner, color in (("top left", "green"), ("top right", "blue"), ("bottom right", "yellow"), ("bottom left", "red")):
        form.get_by_label(corner).select_option(color)
    form.get_by_label("It is agreed already").check()
    for n, color in enumerate(("red", "green", "blue", "yellow")):
        form.locator("#order select").nth(n).select_option(color)
    form.get_by_label("Advanced").check()
    form.get_by_label("Stays").check()
    form.get_by_label("It is mirrored").check()
    form.get_by_text("Lost pieces").click()
    form.locator("[name='lost-red']").fill("w, I5")
    form.get_by_role("button", name="Start").click()
    expect(page.locator(".banner-title")).to_have_text("Red")
    options = table.live.table.first_options
    assert (options.order, options.touch, options.scoring, options.mirrored) == (
        ("red", "green", "blue", "yellow"),
        "strict",
        "advanced",
        True,
    )
    assert options.start_cells == {"green": (0, 0), "blue": (0, 19), "yellow": (19, 19), "red": (19, 0)}
    assert {color: set(pieces) for color, pieces in options.missing.items()} == {"red": {"I5", "W"}}
    assert options.players[0] == "Eve"
    page.goto(f"{table.server.url}setup")
    page.reload()
    expect(form.get_by_label("Stays")).to_be_checked()
    expect(form.get_by_label("It is mirrored")).to_be_checked()
    expect(form.get_by_label("top right")).to_have_value("blue")
    expect(form.locator("#order select").first).to_have_value("red")
    expect(form.locator("[name='lost-red']")).to_be_visible()
    expect(form.get_by_label("Blue", exact=True).first).to_have_value("Eve")


@dataclass
class Unwatched(Running):
    """A page of a program that watches nothing, and to which no camera answers."""

    folder: Path = Path()

    def app(self) -> Flask:
        desk = CameraDesk(Store(self.folder), lambda: get_variant("classic"), devices=devices(self.folder), camera=lambda _: None)
        return create_app(self.live, desk=desk)


def test_the_command_for_an_address_is_one_that_can_be_typed(chromium: Browser, live: LiveGame, tmp_path: Path) -> None:
    table, address = Unwatched(live, folder=tmp_path), "http://192.0.2.7/it's?key=$&x"
    with opened(chromium, table) as page:
        page.goto(f"{table.server.url}setup")
        page.get_by_label("Or the address of").fill(address)
        page.get_by_role("button", name="Look", exact=True).click()
        expect(page.locator("#camera-command")).to_be_visible()
        assert shlex.split(page.locator("#camera-command code").inner_text()) == ["blokus-referee", "watch", address]
    table.stop()


def test_guests_enter_the_pin_before_they_see_any_camera(chromium: Browser, live: LiveGame, tmp_path: Path, oak: BgrImage) -> None:
    with watching(live, tmp_path, {"0": oak}) as there:
        table = SetUp(live, lan=True, there=there)
        with opened(chromium, table) as page:
            page.goto(f"{table.server.url}setup")
            expect(page.get_by_text("Camera 0")).to_have_count(0)
            page.get_by_label("PIN", exact=True).fill("000000")
            page.get_by_role("button", name="Enter").click()
            expect(page.locator(".form-error")).to_have_text("That is not the table PIN.")
            page.get_by_label("PIN", exact=True).fill("271828")
            page.get_by_role("button", name="Enter").click()
            told(page, "The board was found")
            expect(page.locator("#address")).to_have_count(0)
            expect(page.get_by_text("Addresses of network cameras are typed in at the computer itself")).to_be_visible()
        table.stop()


@pytest.mark.parametrize("width", [320, 390, 820, 1440, 3840])
def test_nothing_is_wider_than_the_window(chromium: Browser, table: SetUp, width: int) -> None:
    with opened(chromium, table, width=width) as page:
        page.goto(f"{table.server.url}setup")
        told(page, "The board was found")
        page.locator("#new-game").get_by_label("As agreed here").check()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("camera", ["Camera 0", "Camera 1"])
def test_axe_finds_no_barrier_and_nothing_is_wider_than_the_window(chromium: Browser, table: SetUp, camera: str) -> None:
    with opened(chromium, table) as page:
        page.goto(f"{table.server.url}setup")
        told(page, "The board was found")
        choose(page, camera)
        told(page, "The board was found" if camera == "Camera 0" else "The board was not found")
        page.get_by_role("button", name="Top left corner").focus()
        page.locator("#new-game").get_by_label("As agreed here").check()
        is_in_order_everywhere(page)


def test_the_page_reads_without_script(chromium: Browser, table: SetUp) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{table.server.url}setup")
    expect(page.get_by_text("Camera 1")).to_be_visible()
    expect(page.get_by_role("heading", name="Corners of the board")).to_be_visible()
    context.close()
