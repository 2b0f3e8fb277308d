"""Setting up a table through the page's routes: who may, what is shown, and what happens with hostile values."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from calibration.known import KnownBoard
from calibration.store import Store
from referee.journal import Journal
from referee.options import GameOptions
from tests.web.cameras import Watching, devices, watching
from tests.web.conftest import Visitor
from vision.devices import Devices
from vision.frames import BgrImage
from vision.pictures import read_picture
from web import create_app
from web.camera_desk import CameraDesk
from web.live import LiveGame
from web.samples import SAMPLE_IMAGES

FORGED = ("look", "preview", "corners", "use", "camera")


@pytest.fixture(scope="module")
def oak() -> BgrImage:
    return read_picture(SAMPLE_IMAGES / "stills" / "oak_table.jpg")


@pytest.fixture(scope="module")
def walnut() -> BgrImage:
    return read_picture(SAMPLE_IMAGES / "stills" / "walnut_table.jpg")


@pytest.fixture
def there(live: LiveGame, tmp_path: Path, oak: BgrImage, walnut: BgrImage) -> Iterator[Watching]:
    """Camera 0 is watched; camera 1 shows another table, camera 2 nothing."""
    with watching(live, tmp_path, {"0": oak, "1": walnut, "2": None}) as found:
        yield found


@pytest.fixture
def page(live: LiveGame, there: Watching) -> Visitor:
    visitor = Visitor(create_app(live, desk=there.desk).test_client())
    visitor.open_page()
    return visitor


@pytest.fixture
def guest_page(live: LiveGame, there: Watching) -> Visitor:
    visitor = Visitor(create_app(live, lan=True, pin="271828", desk=there.desk).test_client())
    visitor.open_page()
    return visitor


def asked(visitor: Visitor, what: str, **body: Any) -> dict[str, Any]:
    answer = visitor.post(f"/api/setup/{what}", body)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    return dict(answer.get_json())


def refused(answer: TestResponse, status: int = 422) -> str:
    """The one line with which something is refused."""
    assert answer.status_code == status, answer.get_data(as_text=True)
    message = str(answer.get_json()["message"])
    assert "\n" not in message
    assert message.endswith((".", "?"))
    return message


def test_the_page_names_the_cameras_and_reads_without_script(page: Visitor) -> None:
    html = page.client.get("/setup").get_data(as_text=True)
    assert [name in html for name in ("Camera 0", "Camera 1", "Camera 2")] == [True] * 3
    assert html.count("watched now") == 1
    assert "<noscript>" in html
    assert " style=" not in html
    assert "<script>" not in html


def test_a_look_finds_the_board_and_says_what_is_read(page: Visitor) -> None:
    found = asked(page, "look", camera="watched")
    assert found["image_wh"] == [1280, 960]
    assert np.allclose(found["corners_px"][0], (327, 132), atol=2)
    assert "It will do." in found["html"]
    assert "263 squares have a piece on them; 0 squares cannot be told." in found["html"]
    assert page.client.get(found["picture"]).data[:2] == b"\xff\xd8"
    assert page.client.get(found["html"].split('<img src="')[1].split('"')[0]).data[:2] == b"\xff\xd8"


def test_a_preview_of_the_watched_camera_is_its_newest_picture(page: Visitor) -> None:
    picture = page.client.get(asked(page, "preview", camera="watched")["picture"])
    assert picture.mimetype == "image/jpeg"
    assert picture.headers["Cache-Control"] == "no-store"
    assert len(picture.data) < 60_000


def test_corners_by_hand_are_tried_then_kept_and_watched_with(page: Visitor, there: Watching, tmp_path: Path) -> None:
    found = asked(page, "look", camera="watched")
    dragged = [[x + 8, y - 6] for x, y in found["corners_px"]]
    placed = asked(page, "corners", look=found["look"], corners=dragged)
    assert placed["by_hand"]
    assert np.allclose(placed["corners_px"], found["corners_px"], atol=3)
    assert len(there.searches) == 1
    told = asked(page, "use", look=placed["look"])["message"]
    assert told == "Kept for Camera 0: the watching goes on with these corners."
    kept = Store(tmp_path / "kept").load("Camera 0")
    assert kept is not None
    assert kept.by_hand
    while len(there.searches) < 2:
        pass
    again = there.searches[1]
    assert isinstance(again, KnownBoard)
    assert np.allclose(again.pose.corners_px, placed["corners_px"], atol=0.01)
    assert asked(page, "look", camera="watched")["by_hand"]
    assert not asked(page, "look", camera="watched", anew=True)["by_hand"]


def test_another_camera_is_looked_through_and_takes_over_with_corners_of_its_own(page: Visitor, there: Watching, walnut: BgrImage) -> None:
    found = asked(page, "look", camera="watched")
    asked(page, "use", look=found["look"])
    asked(page, "camera", camera="1")
    assert there.desk.watched == "1"
    assert 'data-camera="watched" data-command=""' in page.client.get("/setup").get_data(as_text=True)
    other = asked(page, "look", camera="watched")
    assert other["image_wh"] == [walnut.shape[1], walnut.shape[0]]
    assert other["look"] != found["look"]
    assert other["corners_px"] != found["corners_px"]


def test_a_camera_that_gives_no_picture_is_told_and_the_watching_goes_on(page: Visitor, there: Watching) -> None:
    assert "is it plugged in" in refused(page.post("/api/setup/camera", {"camera": "2"}))
    assert "is it plugged in" in refused(page.post("/api/setup/preview", {"camera": "2"}))
    assert there.desk.watched == "0"
    assert asked(page, "look", camera="watched")["corners_px"]


@pytest.mark.parametrize(
    ("corners", "words"),
    [
        ([[10, 10], [500, 10], [500, 500]], "Four points"),
        ([[10, 10], [500, 10], [500, 500], [10]], "Four points"),
        ([[10, 10], [500, 10], [500, 500], [10, "500"]], "Four points"),
        ([[10, 10], [500, 10], [500, 500], [10, True]], "Four points"),
        ([[10, 10], [500, 10], [500, 500], [10, 1e300]], "Four points"),
        ("0,0 9,9", "Four points"),
        (None, "Four points"),
        ({"a": [1, 2]}, "Four points"),
        ([[10, 500], [500, 500], [500, 10], [10, 10]], "mirror"),
        ([[10, 10], [500, 500], [500, 10], [10, 500]], "without crossing"),
        ([[-1, 10], [500, 10], [500, 500], [10, 500]], "outside this picture"),
        ([[10, 10], [1290, 10], [500, 500], [10, 500]], "outside this picture"),
        ([[10, 10], [30, 10], [30, 30], [10, 30]], "too near together"),
    ],
)
def test_corners_that_cannot_be_are_refused_in_one_line(page: Visitor, corners: object, words: str) -> None:
    number = asked(page, "look", camera="watched")["look"]
    assert words in refused(page.post("/api/setup/corners", {"look": number, "corners": corners}))


def test_corners_that_are_no_numbers_are_no_json(page: Visitor) -> None:
    number = asked(page, "look", camera="watched")["look"]
    body = f'{{"look": {number}, "corners": [[NaN, 10], [500, 10], [500, 500], [10, 500]]}}'
    headers = {"Content-Type": "application/json", "X-CSRF-Token": page.token, "Origin": "http://localhost"}
    refused(page.client.post("/api/setup/corners", data=body, headers=headers), 400)


@pytest.mark.parametrize("number", [0, -1, 10**30, 1.5, True, "1", None, [1]])
def test_looks_that_never_were_are_refused(page: Visitor, number: object) -> None:
    asked(page, "look", camera="watched")
    for what in ("corners", "use"):
        refused(page.post(f"/api/setup/{what}", {"look": number, "corners": [[10, 10], [500, 10], [500, 500], [10, 500]]}))


def test_an_older_look_is_not_mixed_up_with_a_newer_one(page: Visitor) -> None:
    first, second = (asked(page, "look", camera="watched")["look"] for _ in range(2))
    assert "look again" in refused(page.post("/api/setup/use", {"look": first}))
    asked(page, "use", look=second)


def test_nothing_is_kept_of_a_picture_without_a_board(live: LiveGame, tmp_path: Path, oak: BgrImage) -> None:
    with watching(live, tmp_path, {"0": np.full_like(oak, 90)}) as there:
        visitor = Visitor(create_app(live, desk=there.desk).test_client())
        visitor.open_page()
        found = asked(visitor, "look", camera="watched")
        assert (found["corners_px"], found["lines_px"]) == (None, [])
        assert found["doubt"]
        assert "It will not do yet." in found["html"]
        assert "drag its corners first" in refused(visitor.post("/api/setup/use", {"look": found["look"]}))


@pytest.mark.parametrize(
    "camera",
    [
        "/etc/passwd",
        "sample_images/full_game/frames",
        "../x",
        "9",
        "file:///etc/passwd",
        "gopher://x/",
        "",
        "x" * 500,
        7,
        None,
        ["0"],
        {"a": 1},
    ],
)
def test_the_page_opens_no_files_and_no_cameras_that_are_not_there(page: Visitor, camera: object) -> None:
    for what in ("look", "preview", "camera"):
        refused(page.post(f"/api/setup/{what}", {"camera": camera}))


@pytest.mark.parametrize("address", ["http://", "http:///video", "http://a b/", "http://\n/", "ftp://10.0.0.1/x", "http://" + "a" * 400])
def test_an_address_must_look_like_one(page: Visitor, address: str) -> None:
    refused(page.post("/api/setup/look", {"camera": address}))


def test_addresses_are_not_opened_for_the_network_even_with_the_pin(guest_page: Visitor) -> None:
    guest_page.token = guest_page.post("/api/session", {"pin": "271828"}).get_json()["token"]
    message = refused(guest_page.post("/api/setup/look", {"camera": "http://127.0.0.1:9/video"}))
    assert "at the computer itself" in message
    assert "http://127" not in guest_page.client.get("/setup").get_data(as_text=True)


def test_over_the_network_nothing_is_shown_or_done_without_the_pin(guest_page: Visitor, page: Visitor) -> None:
    html = guest_page.client.get("/setup").get_data(as_text=True)
    assert "Camera 0" not in html
    assert "Table PIN" in html
    for what in FORGED:
        refused(guest_page.post(f"/api/setup/{what}", {"camera": "watched", "look": 1}), 401)
    picture = asked(page, "look", camera="watched")["picture"]
    assert guest_page.client.get(picture).status_code == 401
    guest_page.post("/api/session", {"pin": "271828"})
    assert guest_page.client.get(picture).status_code == 200
    assert "Camera 0" in guest_page.client.get("/setup").get_data(as_text=True)


@pytest.mark.parametrize("what", FORGED)
def test_other_sites_cannot_look_through_the_camera(page: Visitor, what: str) -> None:
    body = {"camera": "watched", "look": 1}
    assert page.client.post(f"/api/setup/{what}", json=body, headers={"Origin": "http://evil.example"}).status_code == 403
    assert page.client.post(f"/api/setup/{what}", json=body, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert page.client.post(f"/api/setup/{what}", data=json.dumps(body), content_type="text/plain").status_code == 415


@pytest.mark.parametrize("name", ["p0", "../../etc/passwd", "x" * 100, "%2e%2e"])
def test_pictures_are_found_by_their_names_alone(page: Visitor, name: str) -> None:
    assert page.client.get(f"/setup/pictures/{name}.jpg").status_code == 404


def test_passwords_of_a_watched_address_are_not_shown(live: LiveGame, tmp_path: Path, oak: BgrImage) -> None:
    address = "http://ann:secret@192.168.1.20/video?key=k3y5"
    with watching(live, tmp_path, {address: oak}, spec=address) as there:
        visitor = Visitor(create_app(live, desk=there.desk).test_client())
        html = visitor.client.get("/setup").get_data(as_text=True)
        visitor.open_page()
        shown = html + json.dumps(asked(visitor, "look", camera="watched"))
    assert "192.168.1.20" in html
    assert "secret" not in shown
    assert "k3y5" not in shown


def test_a_program_that_watches_nothing_says_what_to_type(live: LiveGame, tmp_path: Path) -> None:
    system = devices(tmp_path, "HD Webcam")
    desk = CameraDesk(Store(tmp_path), lambda: live.table.options.rules, command="blokus-referee watch {camera} --no-web", devices=system)
    visitor = Visitor(create_app(live, desk=desk).test_client())
    visitor.open_page()
    html = visitor.client.get("/setup").get_data(as_text=True)
    assert "This program watches no camera." in html
    assert 'data-command="blokus-referee watch 0 --no-web"' in html
    assert "cannot be exchanged here: blokus-referee watch 0 --no-web" in refused(visitor.post("/api/setup/camera", {"camera": "0"}))
    refused(visitor.post("/api/setup/look", {"camera": "watched"}))


def test_where_the_system_lists_no_cameras_some_numbers_are_offered(live: LiveGame, tmp_path: Path) -> None:
    desk = CameraDesk(Store(tmp_path), lambda: live.table.options.rules, devices=Devices(tmp_path, is_listed=False))
    assert [(one.spec, one.name) for one in desk.cameras()] == [("0", "Camera 0"), ("1", "Camera 1"), ("2", "Camera 2")]


def test_without_a_desk_the_page_still_starts_games(browser: Visitor) -> None:
    html = browser.client.get("/setup").get_data(as_text=True)
    assert "No camera is set up here" in html
    assert 'id="new-game"' in html
    for what in FORGED:
        refused(browser.post(f"/api/setup/{what}", {"camera": "0", "look": 1}), 409)


def test_another_table_s_page_starts_its_game_and_leaves_this_camera_alone(there: Watching, tmp_path: Path) -> None:
    db = str(tmp_path / "games.db")
    other = LiveGame.open(Journal(db, table="window"), GameOptions("duo"))
    own = LiveGame.open(Journal(db, table="hall"), GameOptions())
    visitor = Visitor(create_app(own, desk=there.desk).test_client())
    visitor.open_page()
    assert "Camera 0" in visitor.client.get("/tables/hall/setup").get_data(as_text=True)
    html = visitor.client.get("/tables/window/setup").get_data(as_text=True)
    assert "Camera 0" not in html
    assert "&#34;variant&#34;: &#34;duo&#34;" in html
    refused(visitor.post("/tables/window/api/setup/look", {"camera": "watched"}), 409)
    assert visitor.post("/tables/window/api/decisions", {"decision": "new_game", "variant": "junior"}).status_code == 200
    own.close()
    other.close()


def test_the_form_begins_with_what_the_present_game_was_agreed_on(browser: Visitor) -> None:
    cells = {"blue": [0, 19], "yellow": [19, 19], "red": [19, 0], "green": [0, 0]}
    browser.decide("new_game", starts="assigned", start_cells=cells, missing={"red": ["W"]}, mirrored=True, touch="strict")
    html = browser.client.get("/setup").get_data(as_text=True)
    agreed = json.loads(html.split('data-agreed="')[1].split('"')[0].replace("&#34;", '"').replace("&quot;", '"'))
    assert (agreed["start_cells"], agreed["missing"], agreed["mirrored"], agreed["touch"]) == (cells, {"red": ["W"]}, True, "strict")


POINTS = st.lists(st.lists(st.one_of(st.floats(-2000, 3000), st.integers(), st.none(), st.booleans()), max_size=3), max_size=5)
ANYTHING = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=9), POINTS)
BODIES = st.dictionaries(st.sampled_from(["camera", "look", "corners", "anew"]), ANYTHING)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(what=st.sampled_from(FORGED), body=BODIES, corners=POINTS)
def test_whatever_is_asked_the_answer_is_one_line_and_nothing_changes(
    page: Visitor, there: Watching, what: str, body: dict[str, Any], corners: object
) -> None:
    refused(page.post(f"/api/setup/{what}", body))
    if there.desk._look is None:
        asked(page, "look", camera="watched")
    assert there.desk._look is not None
    assert page.post("/api/setup/corners", {"look": there.desk._look.number, "corners": corners}).status_code in (200, 422)
    assert there.desk.watched == "0"
    assert len(there.searches) == 1


def test_a_camera_that_is_lost_shows_no_old_picture(page: Visitor, there: Watching) -> None:
    asked(page, "look", camera="watched")
    there.viewfinder.close()
    there._thread.join(10)
    there.viewfinder.lost = "the picture of the camera stands still"
    assert "stands still" in refused(page.post("/api/setup/look", {"camera": "watched"}))
