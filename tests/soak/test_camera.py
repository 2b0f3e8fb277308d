"""A camera whose program is killed: started again, the program goes on with the game, and judges the piece put down meanwhile."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.journal import Journal
from tests.cli.programs import START_TIMEOUT_S, fetch, running
from tests.soak.kills import look_at_game
from web.samples import sample_game

FRAME_S = 0.1
PICTURES = sorted(sample_game().glob("*.jpg"))


class TableCamera:
    """A camera in the network that shows one picture of the sample game until it is told to show another.

    Attributes:
        url: where programs look.
        shows: the number of the picture.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.shows = 0
        self.closing = threading.Event()

    def send(self, handler: BaseHTTPRequestHandler) -> None:
        """Pictures without end, as long as somebody looks."""
        handler.send_response(200)
        handler.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        handler.end_headers()
        try:
            for number in count():
                if self.closing.wait(FRAME_S):
                    return
                data = seen(self.shows, number % 2)
                handler.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%b\r\n" % (len(data), data))
        except OSError:
            return  # whoever looked was killed


@cache
def seen(picture: int, darker: int) -> bytes:
    """A picture as a JPEG; a real sensor never gives the same one twice."""
    image = cv2.imread(str(PICTURES[picture]))
    assert image is not None
    return cv2.imencode(".jpg", cv2.subtract(image, np.full_like(image, darker)))[1].tobytes()


@contextmanager
def camera_in_the_network() -> Iterator[TableCamera]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            camera.send(self)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    camera = TableCamera(f"http://127.0.0.1:{server.server_address[1]}/video")
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield camera
    finally:
        camera.closing.set()
        server.shutdown()
        server.server_close()


def until(process: subprocess.Popen[str], name: str) -> list[dict[str, Any]]:
    """The events of the game that a program tells, up to one of that name."""
    told: list[dict[str, Any]] = []
    assert process.stdout is not None
    while not told or told[-1]["event"] != name:
        line = process.stdout.readline()
        assert line, process.stderr.read() if process.stderr else ""
        told += [event for event in [json.loads(line)] if event["event"] not in ("state", "board")]
    return told


@pytest.mark.slow
def test_a_killed_camera_s_game_goes_on_where_it_was(tmp_path: Path) -> None:
    db = str(tmp_path / "games.db")
    with camera_in_the_network() as camera:
        watch = ("watch", camera.url, "--json", "--no-web", "--db", db)
        with running(*watch) as process:
            told = until(process, "start")
            camera.shows = 1
            told += until(process, "placement")
            process.send_signal(signal.SIGKILL)
        camera.shows = 5
        with running(*watch) as process:
            later = until(process, "placement")
    assert [(event["event"], event.get("turn")) for event in told] == [("start", None), ("placement", 1)]
    assert [(event["event"], event.get("turn")) for event in later] == [("placement", 2)], "nothing again, and nothing left out"
    journal = Journal(db)
    assert (journal.game_number, [event for _, event in journal.events_of(1)]) == (1, told + later)
    look_at_game(journal, 1)


@pytest.mark.slow
def test_a_piece_put_down_while_the_people_have_paused_is_ruled_on_when_they_go_on(tmp_path: Path) -> None:
    with (
        camera_in_the_network() as camera,
        running("watch", camera.url, "--json", "--port", "0", "--db", str(tmp_path / "games.db")) as process,
    ):
        assert process.stderr is not None
        page = re.search(r"http://\S+/", next(line for line in process.stderr if "http://127" in line and "/video" not in line))
        assert page is not None
        until(process, "start")
        posted(f"{page[0]}api/decisions", decision="pause")
        camera.shows = 1
        for _ in range(2):  # each takes longer than a ruling would
            assert posted(f"{page[0]}api/setup/look", camera="watched")["corners_px"] is not None, "setting up goes on"
        state = fetch(f"{page[0]}api/state")
        assert (state["camera"]["state"], state["placements"]) == ("paused", [])
        posted(f"{page[0]}api/decisions", decision="resume")
        assert [event["event"] for event in until(process, "placement")] == ["placement"]


def posted(url: str, **body: object) -> dict[str, Any]:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=START_TIMEOUT_S) as answer:
        told: dict[str, Any] = json.load(answer)
        return told
