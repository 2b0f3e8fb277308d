"""`check`: each fault of light, place and camera is found, measured, and met with advice."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from tests.vision.test_http_camera import endless, serving
from web.cli import main
from web.samples import SAMPLE_IMAGES

BgrImage = np.ndarray
GOOD = SAMPLE_IMAGES / "stills" / "oak_table.jpg"


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, ["check", *map(str, args)])


@pytest.fixture(scope="module")
def image() -> BgrImage:
    found = cv2.imread(str(GOOD))
    assert found is not None
    return found


def written(path: Path, image: BgrImage) -> Path:
    path.write_bytes(cv2.imencode(path.suffix, image)[1].tobytes())
    return path


def checked(source: str | Path, *args: str) -> tuple[int, dict[str, Any]]:
    """Exit status and the JSON object, its checks by name."""
    result = run(source, "--json", *args)
    (line,) = result.stdout.splitlines()
    whole = json.loads(line)
    return result.exit_code, whole | {"checks": {check["name"]: check for check in whole["checks"]}}


def test_a_good_place_is_good_in_all_things() -> None:
    status, whole = checked(GOOD)
    assert status == 0
    assert whole["will_do"]
    assert whole["board"]["rows"] == 20
    assert len(whole["board"]["corners_px"]) == 4
    assert {name: check["level"] for name, check in whole["checks"].items() if check["level"] != "ok"} == {}
    assert {"board", "cell_size", "angle", "rim", "brightness", "glare", "sharpness", "unread", "colours"} <= whole["checks"].keys()


def smaller(image: BgrImage, factor: float) -> BgrImage:
    return cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)


def lamp(image: BgrImage) -> BgrImage:
    """A reflection of a lamp over the middle of the board."""
    spot = np.zeros(image.shape[:2], np.float32)
    cv2.circle(spot, (image.shape[1] // 2, image.shape[0] // 2), 60, 255.0, -1)
    return np.clip(image + cv2.GaussianBlur(spot, (0, 0), 10)[..., None], 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("change", "name", "level", "advice"),
    [
        (lambda image: smaller(image, 0.55), "cell_size", "warn", "nearer"),
        (lambda image: (image * 0.3).astype(np.uint8), "brightness", "warn", "add light"),
        (lambda image: cv2.GaussianBlur(image, (0, 0), 2.2), "sharpness", "warn", "focus"),
        (lamp, "glare", "warn", "lamp"),
    ],
    ids=["small", "dim", "soft", "lamp"],
)
def test_what_could_be_better_is_told_with_advice(
    image: BgrImage, tmp_path: Path, change: Callable[[BgrImage], BgrImage], name: str, level: str, advice: str
) -> None:
    status, whole = checked(written(tmp_path / "a.png", change(image)))
    assert status == 0
    found = whole["checks"][name]
    assert found["level"] == level
    assert advice in found["advice"]
    assert found["value"] is not None


@pytest.mark.parametrize(
    ("change", "name", "advice"),
    [
        (np.zeros_like, "board", "add light"),
        (lambda image: np.full_like(image, 128), "board", "point the camera at the board"),
        (lambda image: cv2.GaussianBlur(image, (0, 0), 7), "sharpness", "focus"),
        (lambda image: np.repeat(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)[..., None], 3, axis=2), "colour", "night vision"),
        (lambda image: smaller(image, 0.34), "cell_size", "nearer"),
    ],
    ids=["dark", "nothing", "blurred", "grey", "tiny"],
)
def test_what_will_not_do_ends_with_one_line_and_status_3(
    image: BgrImage, tmp_path: Path, change: Callable[[BgrImage], BgrImage], name: str, advice: str
) -> None:
    path = written(tmp_path / "a.png", change(image))
    status, whole = checked(path)
    assert status == 3
    assert not whole["will_do"]
    assert whole["checks"][name]["level"] == "bad"
    assert advice in whole["checks"][name]["advice"]
    (line,) = run(path).stderr.splitlines()
    assert line.startswith("blokus-referee: it will not do")


def test_people_get_one_line_for_each_thing(image: BgrImage, tmp_path: Path) -> None:
    result = run(written(tmp_path / "a.png", smaller(image, 0.55)))
    lines = result.stdout.splitlines()
    assert next(line for line in lines if line.startswith("warn")).endswith("move the camera nearer")
    assert lines[-1] == "It will do, and could be better."


def filmed(path: Path, image: BgrImage, shakes: list[float], gains: list[float]) -> Path:
    """A film of ten pictures a second with a camera's noise."""
    small = smaller(image, 0.75)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, small.shape[1::-1])
    for k, (shake, gain) in enumerate(zip(shakes, gains, strict=True)):
        moved = cv2.warpAffine(small, np.array([[1, 0, shake], [0, 1, 0]], float), small.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
        noise = np.random.default_rng(k).normal(0, 3, moved.shape)
        writer.write(np.clip(moved * gain + noise, 0, 255).astype(np.uint8))
    writer.release()
    return path


def test_a_steady_film_is_measured_over_its_time(image: BgrImage, tmp_path: Path) -> None:
    status, whole = checked(filmed(tmp_path / "a.avi", image, [0.0] * 21, [1.0] * 21))
    assert status == 0
    checks = whole["checks"]
    assert checks["frame_rate"]["value"] == pytest.approx(10, rel=0.02)
    assert checks["steadiness"]["value"] < 0.5
    assert 0.5 < checks["noise"]["value"] < 4
    assert checks["flicker"]["level"] == checks["noise"]["level"] == checks["steadiness"]["level"] == "ok"


def test_a_shaking_camera_and_a_flickering_lamp_are_told(image: BgrImage, tmp_path: Path) -> None:
    shakes, gains = [2.5 * (k // 10 % 2) for k in range(21)], [1.0, 0.93] * 10 + [1.0]
    _, whole = checked(filmed(tmp_path / "a.avi", image, shakes, gains))
    assert whole["checks"]["steadiness"]["level"] == whole["checks"]["flicker"]["level"] == "warn"
    assert whole["checks"]["steadiness"]["value"] == pytest.approx(2.5, abs=0.6)


def test_a_stream_is_looked_at_for_some_seconds(image: BgrImage) -> None:
    data = cv2.imencode(".jpg", image)[1].tobytes()
    with serving(endless(data)) as url:
        status, whole = checked(url, "--seconds", "1")
    assert status == 0
    assert whole["pictures"] >= 1
    assert whole["checks"]["board"]["level"] == "ok"


def test_no_camera_is_one_line() -> None:
    result = run("nobody's camera")
    assert result.exit_code == 3
    assert len(result.stderr.splitlines()) == 1
