"""`calibrate`: what is kept of a camera, that `watch` begins with it, and that nothing bad is kept."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from tests.cli.programs import first_line, running, stopped_by
from tests.vision.test_http_camera import endless, serving
from vision import sources
from vision.camera import LiveSettings
from web.cli import main
from web.cli.calibrate import calibrations
from web.samples import SAMPLE_IMAGES

GOOD = SAMPLE_IMAGES / "stills" / "oak_table.jpg"


def run(*args: str) -> Result:
    return CliRunner().invoke(main, ["calibrate", *args])


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing of the user who runs the tests is touched."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(sources, "LiveSettings", lambda: LiveSettings(warm_up_s=0))
    return tmp_path


@pytest.fixture
def camera() -> Iterator[str]:
    """The address of a camera that sees a board."""
    with serving(endless(GOOD.read_bytes())) as url:
        yield url


def calibrated(url: str, *args: str) -> dict[str, Any]:
    result = run(url, "--seconds", "1", "--json", *args)
    assert result.exit_code == 0, result.stderr
    (line,) = result.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_the_place_of_the_board_and_the_lens_are_kept_under_the_camera_s_name(camera: str) -> None:
    found = calibrated(camera.replace("http://", "http://ann:secret@") + "?key=secret")
    assert found["camera"] == camera
    assert found["spread_px"] < 1
    assert 30 < found["view_deg"] < 100
    assert Path(found["file"]).is_file()
    assert "secret" not in Path(found["file"]).read_text()
    known = calibrations().load(camera)
    assert known is not None
    assert known.corners_px == tuple(map(tuple, found["corners_px"]))


def test_kept_cameras_are_listed_and_forgotten(camera: str) -> None:
    calibrated(camera)
    assert run("--list").stdout.startswith(f"{camera}: a board of 20 x 20")
    assert json.loads(run("--list", "--json").stdout)["camera"] == camera
    assert run("--forget", camera).exit_code == 0
    assert run("--list").stdout == ""
    again = run("--forget", camera)
    assert again.exit_code == 3
    assert len(again.stderr.splitlines()) == 1


def test_corners_by_hand_are_kept_as_given(camera: str) -> None:
    corners = calibrated(camera)["corners_px"]
    text = " ".join(f"{x + 1.5},{y - 1}" for x, y in corners)
    found = calibrated(camera, "--corners", text)
    assert found["by_hand"]
    assert np.abs(np.array(found["corners_px"]) - np.array(corners) - [1.5, -1]).max() < 0.5


@pytest.mark.parametrize("corners", ["100,100 400,100 400,400 100,400", "10,10 20,10 20,20 10,20"])
def test_corners_without_a_board_are_refused(camera: str, corners: str) -> None:
    result = run(camera, "--seconds", "1", "--corners", corners)
    assert result.exit_code == 3
    assert result.stdout == ""
    assert calibrations().all() == []


def test_a_camera_that_sees_no_board_keeps_nothing() -> None:
    plain = cv2.imencode(".jpg", np.full((480, 640, 3), (100, 120, 140), np.uint8))[1].tobytes()
    with serving(endless(plain)) as url:
        result = run(url, "--seconds", "1")
    assert result.exit_code == 3
    assert "nothing to calibrate by" in result.stderr.splitlines()[-1]
    assert calibrations().all() == []


@pytest.mark.parametrize("args", [(), ("0", "--list"), ("--list", "--forget", "x")])
def test_what_is_wanted_must_be_said(args: tuple[str, ...]) -> None:
    assert run(*args).exit_code == 2


def test_recordings_have_no_calibration() -> None:
    result = run(str(GOOD.parent))
    assert result.exit_code == 3
    assert "recording" in result.stderr


def test_watching_begins_with_what_is_known(camera: str) -> None:
    corners = calibrated(camera)["corners_px"]
    with running("watch", camera, "--json", "--no-web", "--db", ":memory:") as process:
        board = json.loads(first_line(process))
        status, stderr = stopped_by(process, signal.SIGINT)
    assert board["event"] == "board"
    assert np.abs(np.array(board["corners_px"]) - np.array(corners)).max() < 3
    assert status == 0
    assert stderr.splitlines() == [f"The calibration of {camera} is tried first."]


def test_a_damaged_calibration_is_told_and_does_without(camera: str) -> None:
    Path(calibrated(camera)["file"]).write_text("{")
    with running("watch", camera, "--json", "--no-web", "--db", ":memory:") as process:
        assert json.loads(first_line(process))["event"] == "board"
        _, stderr = stopped_by(process, signal.SIGINT)
    (line,) = stderr.splitlines()
    assert "damaged" in line
