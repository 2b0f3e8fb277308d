"""Diagnostics: listed before they are taken along, without secrets, and judged again by `replay`."""

from __future__ import annotations

import io
import json
import logging
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.options import GameOptions
from referee.table import Table
from tests.web.conftest import Visitor, shell_of
from tests.web.test_stories import first_round, seen
from web import create_app
from web.cli import main
from web.diagnostics_log import LINES, KeptLog, without_secrets
from web.live import LiveGame


@dataclass(eq=False)
class Shot:
    """A picture of a camera."""

    square: bytes = b"the board"

    def whole(self) -> bytes:
        return b"the board and a face"


@pytest.fixture
def table(browser: Visitor, live: LiveGame) -> Visitor:
    """A table after the first round with a foul in sight."""
    first_round(browser)
    seen(live, (1, 2, "blue"), (1, 3, "blue"), number=9)
    return browser


def watched(live: LiveGame) -> None:
    """Let a camera watch."""
    live.board_now = Shot  # type: ignore[assignment]  # of the same shape


def unpacked(visitor: Visitor, query: str = "") -> dict[str, bytes]:
    answer = visitor.client.get(f"/diagnostics.zip{query}")
    assert (answer.status_code, answer.mimetype) == (200, "application/zip")
    with zipfile.ZipFile(io.BytesIO(answer.data)) as packed:
        assert packed.testzip() is None
        return {name: packed.read(name) for name in packed.namelist()}


def test_what_is_in_the_file_is_listed_with_sizes_before_it_is_taken(table: Visitor, live: LiveGame) -> None:
    watched(live)
    html = table.client.get("/diagnostics").get_data(as_text=True)
    parts = unpacked(table)
    listed = re.findall(r'<th scope="row">([^<]*)</th>', html)
    assert listed == ["about.txt", "record.json", "state.json", "messages.jsonl", "settings.json", "log.txt", "frame.jpg", "evidence/ (2)"]
    assert {name.partition("/")[0] for name in parts} == {name.partition("/")[0] for name in listed}
    assert re.search(r'<td class="number">\d+ kB</td>', html)


def test_pictures_are_those_of_the_board_unless_asked_otherwise(table: Visitor, live: LiveGame) -> None:
    watched(live)
    parts = unpacked(table)
    assert parts["frame.jpg"] == b"the board"
    assert {parts["evidence/f9a.jpg"], parts["evidence/f9b.jpg"]} == {b"f9a", b"f9b"}
    assert b"face" not in b"".join(parts.values())
    assert unpacked(table, "?pictures=whole")["frame_whole.jpg"] == b"the board and a face"


def test_without_a_camera_no_whole_picture_is_offered(table: Visitor) -> None:
    assert "pictures=whole" not in table.client.get("/diagnostics").get_data(as_text=True)
    assert "frame.jpg" not in unpacked(table, "?pictures=whole")


def test_the_game_in_it_is_judged_again(table: Visitor, tmp_path: Path) -> None:
    table.decide("resolve", id=1, how="let_stand")
    file = tmp_path / "blokus-diagnostics.zip"
    file.write_bytes(table.client.get("/diagnostics.zip").data)
    result = CliRunner().invoke(main, ["replay", str(file), "--json"])
    assert result.exit_code == 0, result.output
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert [event["event"] for event in events if event["event"] in ("placement", "dispute", "resolved")] == [
        *["placement"] * 4,
        "dispute",
        "resolved",
    ]
    assert CliRunner().invoke(main, ["score", str(file)]).exit_code == 0


def test_no_secret_leaves_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "annaschmidt")
    monkeypatch.setattr("socket.gethostname", lambda: "annas-laptop")
    live = LiveGame(Table(GameOptions(players=("Anna", "Ben", "Cem", "Dana"))))
    visitor = Visitor(create_app(live, lan=True, pin="271828").test_client())
    visitor.open_page()
    visitor.post("/api/session", {"pin": "271828"})
    live.camera("lost", "no picture from http://anna:hunter2@192.168.1.20:8080/video")
    log = logging.getLogger("web.app")
    log.error("cannot read %s on annas-laptop", Path("/", "home", "annaschmidt", "games.db"))
    log.error("asked by 192.168.1.77 and fe80::1ff:fe23:4567:890a")
    log.error("postgresql://referee:open-sesame@db.example/games refused; Cookie: referee=abc.def; PIN 271828; password=open-sesame")
    log.error(r"C:\Users\anna\AppData\games.db")
    everything = b"\n".join(unpacked(visitor).values()).decode()
    cookie = visitor.client.get_cookie("referee")
    assert cookie is not None
    for secret in (
        "271828",
        "hunter2",
        "open-sesame",
        "annaschmidt",
        "annas-laptop",
        "192.168.1",
        "fe80",
        "abc.def",
        "Users\\anna",
        cookie.value,
    ):
        assert secret not in everything, secret
    secret_key = visitor.client.application.secret_key
    assert isinstance(secret_key, bytes)
    assert secret_key not in everything.encode()
    live.close()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Authorization: Basic YW5uYTpodW50ZXIy", "Authorization: ..."),
        ("Cookie: language=de; referee_8000=abc.def", "Cookie: ..."),
        ('"cookie": "a=b; c=d", "host": "hall"', '"cookie": "...", "host": "hall"'),
        ("no picture from http://camera/video.cgi?user=anna&pwd=hunter2: silent", "no picture from http://camera/video.cgi?... silent"),
        ("rtsp://anna:hunter@2@camera/live", "rtsp://...@camera/live"),
    ],
)
def test_the_whole_of_a_secret_is_taken_out(text: str, left: str) -> None:
    assert without_secrets(text) == left


@pytest.mark.parametrize("text", ["17:40:00,123 is a time", "version 4.11.0 of 2026-11-30", "a:b", "1.5 s, 0.25:1", "..."])
def test_what_is_no_secret_stays(text: str) -> None:
    assert without_secrets(text) == text


def test_spectators_do_not_get_it(guest: Visitor) -> None:
    for path in ("/diagnostics", "/diagnostics.zip"):
        answer = guest.client.get(path)
        assert answer.status_code == 401
        assert "table PIN" in answer.get_data(as_text=True)


@pytest.fixture
def log() -> Iterator[tuple[logging.Logger, KeptLog]]:
    logger, kept = logging.getLogger("tests.diagnostics"), KeptLog()
    logger.addHandler(kept)
    yield logger, kept
    logger.removeHandler(kept)


def test_the_log_is_kept_within_bounds(log: tuple[logging.Logger, KeptLog]) -> None:
    logger, kept = log
    for number in range(LINES + 10):
        logger.warning("entry %d of %s", number, "x" * 20_000)
    text = kept.text()
    assert text.count("\n") == LINES
    assert "entry 9 of" not in text
    assert len(text) < LINES * 8100


def test_an_error_of_the_program_is_in_the_log_of_its_own_application(live: LiveGame) -> None:
    visitor = Visitor(create_app(live).test_client(use_cookies=False))
    shell_of(visitor).live.state = None  # type: ignore[assignment, method-assign]  # whatever breaks
    assert visitor.client.get("/api/state").status_code == 500
    log: KeptLog = visitor.client.application.extensions["kept_log"]
    assert "Traceback" in log.text()
    live.close()
    assert log not in logging.getLogger().handlers
