"""`watch` and `serve` with the set-up page: looking through cameras, corners and exchanges reach the running program."""

from __future__ import annotations

import json
import signal
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.programs import START_TIMEOUT_S, fetch, first_line, running, stopped_by
from tests.vision.test_http_camera import endless, serving
from web.cli.options import Keeping
from web.cli.serve import _watching
from web.samples import SAMPLE_IMAGES

OAK, WALNUT = (SAMPLE_IMAGES / "stills" / f"{name}_table.jpg" for name in ("oak", "walnut"))


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the user who runs the tests is touched."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def asked(page: str, what: str, **body: Any) -> dict[str, Any]:
    request = urllib.request.Request(f"{page}api/setup/{what}", json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=START_TIMEOUT_S) as answer:
        told: dict[str, Any] = json.load(answer)
        return told


def board_at(page: str, corners: list[list[float]]) -> bool:
    """Whether the program comes to watch a board there; it is asked until it does."""
    for _ in range(START_TIMEOUT_S):
        board = fetch(f"{page}api/state")["board"]
        if board is not None and np.allclose(board["corners_px"], corners, atol=2):
            return True
        time.sleep(1)
    return False


def test_corners_and_another_camera_reach_the_running_program(tmp_path: Path) -> None:
    with (
        serving(endless(OAK.read_bytes())) as oak,
        serving(endless(WALNUT.read_bytes())) as walnut,
        running("watch", oak, "--port", "0", "--db", ":memory:") as process,
    ):
        page = first_line(process)
        found = asked(page, "look", camera="watched")
        dragged = [[x + 7, y + 5] for x, y in found["corners_px"]]
        placed = asked(page, "corners", look=found["look"], corners=dragged)
        assert asked(page, "use", look=placed["look"])["message"] == f"Kept for {oak}: the watching goes on with these corners."
        (kept,) = (tmp_path / "blokus-referee" / "cameras").glob("*.json")
        assert json.loads(kept.read_text())["by_hand"]
        assert board_at(page, placed["corners_px"])
        other = asked(page, "look", camera=walnut)
        assert other["image_wh"] == [1600, 1200]
        asked(page, "camera", camera=walnut)
        assert board_at(page, other["corners_px"])
        with pytest.raises(urllib.error.HTTPError):
            asked(page, "camera", camera="http://127.0.0.1:9/video")
        assert fetch(f"{page}api/state")["camera"]["state"] == "ready"
        status, _ = stopped_by(process, signal.SIGINT)
    assert status == 0


def test_serve_looks_through_a_camera_and_keeps_its_corners_for_watch(tmp_path: Path) -> None:
    with serving(endless(OAK.read_bytes())) as oak, running("serve", "--port", "0", "--db", str(tmp_path / "games of ours.db")) as process:
        page = first_line(process)
        with urllib.request.urlopen(f"{page}setup", timeout=START_TIMEOUT_S) as answer:
            html = answer.read().decode()
        assert "This program watches no camera." in html
        assert f"blokus-referee watch ADDRESS --no-web --db &#39;{tmp_path}/games of ours.db&#39;" in html
        found = asked(page, "look", camera=oak)
        assert asked(page, "use", look=found["look"])["message"] == f"Kept for {oak}."
        status, _ = stopped_by(process, signal.SIGINT)
    assert status == 0


@pytest.mark.parametrize(
    ("db", "table", "command"),
    [
        ("games.db", None, "blokus-referee watch {camera} --no-web --db games.db"),
        ("games.db", "by the window", "blokus-referee watch {camera} --no-web --db games.db --table 'by the window'"),
        ("postgresql://ann:secret@host/games", None, "blokus-referee watch {camera} --no-web --db 'postgresql://ann:***@host/games'"),
    ],
)
def test_the_command_names_the_database_without_its_password(db: str, table: str | None, command: str) -> None:
    assert _watching(Keeping(db, table)) == command
