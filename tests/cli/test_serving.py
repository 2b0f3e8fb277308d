"""How the commands that serve the page tell where it is: addresses, the PIN, the certificate, and the code for phones."""

from __future__ import annotations

import json
import re
import signal
import ssl
import stat
import urllib.request
from pathlib import Path

import click
import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.table import Table
from tests.cli.programs import START_TIMEOUT_S, first_line, refused, running, stopped_by
from vision.phone import PhoneSource
from web.cli import main
from web.cli.options import Keeping, Serving
from web.cli.output import Printer
from web.cli.serving import _secret, page
from web.live import LiveGame
from web.phone import code

FINGERPRINT = re.compile(r"\b(?:[0-9A-F]{2}:){31}[0-9A-F]{2}\b")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's data folder."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(click, "get_app_dir", lambda name: str(tmp_path / name))
    return tmp_path / "blokus-referee"


def test_watch_phone_says_where_the_phone_goes_and_how_to_be_sure_of_it(home: Path) -> None:
    with running("watch", "phone", "--lan", "--https", "--db", ":memory:", "--port", "0") as process:
        url = first_line(process)
        assert re.fullmatch(r"https://127\.0\.0\.1:\d+/", url)
        where, certificate = first_line(process), first_line(process)
        context = ssl.create_default_context(cafile=home / "https.pem")
        with urllib.request.urlopen(f"{url}api/phone", timeout=START_TIMEOUT_S, context=context) as answer:
            assert json.load(answer)["turn"] == "Place the first piece"
        status, stderr = stopped_by(process, signal.SIGINT)
    assert re.fullmatch(r"From a phone: https://[\d.]+:\d+/phone - the PIN for changes is \d{6}", where)
    assert FINGERPRINT.search(certificate)
    assert (status, stderr.count("\n")) == (0, 1)
    assert "Camera: lost (no phone sends pictures yet" in stderr


@pytest.mark.parametrize(
    ("serving", "words"),
    [
        (Serving(port=0), "for a phone add --lan --https"),
        (Serving(port=0, lan=True), "Without --https a phone can only send single photos"),
        (Serving(port=0, lan=True, https=True), "SHA-256 fingerprint"),
    ],
)
def test_what_a_phone_cannot_do_is_said_at_once(serving: Serving, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    live = LiveGame(Table())
    with page(live, Printer(as_json=False), serving, Keeping(":memory:"), PhoneSource()):
        pass
    out, err = capsys.readouterr()
    assert words in out + err
    assert "\u2580" not in out, "no code where nobody looks"


def test_a_code_at_the_terminal_and_on_the_page_leads_to_the_address() -> None:
    address = "https://192.168.178.123:65000/phone"
    modules = np.array([[255 * (1 - module) for module in row] for row in code(address).matrix], np.uint8)
    picture = cv2.copyMakeBorder(cv2.resize(modules, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST), 40, 40, 40, 40, 0, value=255)
    assert cv2.QRCodeDetector().detectAndDecode(picture)[0] == address


def test_the_certificate_and_the_sessions_outlive_the_program_in_private_files(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    prints, keys = set(), set()
    for _ in range(2):
        live = LiveGame(Table())
        with page(live, Printer(as_json=False), Serving(port=0, lan=True, https=True), Keeping(str(home / "games.db"))) as server:
            assert server.scheme == "https"
        prints.update(FINGERPRINT.findall(capsys.readouterr().out))
        keys.add((home / "sessions.key").read_bytes())
    assert (len(prints), len(keys)) == (1, 1)
    assert {stat.S_IMODE((home / name).stat().st_mode) for name in ("https.pem", "sessions.key")} == {0o600}


@pytest.mark.usefixtures("home")
def test_the_devices_of_one_game_may_not_change_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def secret(folder: Path, db: str, table: str | None = None) -> bytes | None:
        folder.mkdir(exist_ok=True)
        monkeypatch.chdir(folder)
        return _secret(Keeping(db, table), Printer(as_json=False))

    kitchen, garden = tmp_path / "kitchen", tmp_path / "garden"
    own = secret(kitchen, "games.db")
    assert own is not None
    assert own == secret(garden, str(kitchen / "games.db")), "the same file by another name"
    others = {secret(garden, "games.db"), secret(kitchen, "games.db", "window"), secret(kitchen, "postgresql://hall/games.db")}
    assert len(others | {own}) == 4


def test_a_page_for_this_computer_alone_keeps_no_keys(home: Path) -> None:
    with page(LiveGame(Table()), Printer(as_json=False), Serving(port=0), Keeping(str(home / "games.db"))):
        pass
    assert not home.exists()


def test_a_folder_that_takes_no_keys_stops_no_game_and_is_told(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home.write_text("a file is in the way")
    with page(LiveGame(Table()), Printer(as_json=False), Serving(port=0, lan=True), Keeping("games.db")):
        pass
    assert "asked for the PIN again" in capsys.readouterr().err
    result = CliRunner().invoke(main, ["serve", "--https", "--port", "0", "--db", ":memory:"])
    assert "https.pem" in refused(result)


@pytest.mark.parametrize(
    ("args", "words"),
    [(("--no-web",), "leave --no-web out"), (("--stills",), "wants a folder of pictures")],
)
def test_options_that_a_phone_cannot_follow_are_wrong_usage(args: tuple[str, ...], words: str) -> None:
    assert words in refused(CliRunner().invoke(main, ["watch", "phone", *args, "--db", ":memory:"]), exit_code=2)


@pytest.mark.parametrize(("command", "words"), [("check", "watch phone --lan --https"), ("calibrate", "no calibration is kept")])
def test_commands_that_have_no_page_for_a_phone_say_so(command: str, words: str) -> None:
    assert words in refused(CliRunner().invoke(main, [command, "phone"]))
