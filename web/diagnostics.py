"""Diagnostics to send to whoever looks for a fault: one file, of which everybody sees beforehand what is in it.

It holds the game, the pictures of the board, how the program is set, and its last words. Pictures are cropped to the board; the whole
picture of the camera is in it only for those who ask for that. `blokus-referee replay` judges the game in it again.
"""

from __future__ import annotations

import io
import json
import logging
import platform
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version

from flask import Blueprint, Flask, Response, current_app, render_template, request

from referee.record import About, Record
from referee.record_json import record_as_text
from web.diagnostics_log import KeptLog, values_without_secrets, without_secrets
from web.live import LiveGame
from web.security import Refused
from web.shell import Shell, frame, shell
from web.translating import tr

diagnostics = Blueprint("diagnostics", __name__)

RECORD_NAME = "record.json"
"""What the game is called in the file."""

PACKAGES = ("blokus-referee", "numpy", "opencv-python-headless", "flask", "waitress", "sqlalchemy", "psycopg", "click")
"""Those whose versions tell something."""

ABOUT = """Diagnostics of the Blokus referee.

record.json     the game: what was agreed on, seen and decided, and what was told
state.json      how the table stands, with the camera's state and the corners of the board
messages.jsonl  what the page was told last, one message a line
settings.json   versions and settings of the program
log.txt         its last words
evidence/       pictures of the board before and after, cropped to the board
frame.jpg       the camera's last picture, cropped to the board; frame_whole.jpg: all of it, where somebody asked for that

blokus-referee replay FILE.zip    judges the game again
"""


@dataclass(frozen=True)
class Item:
    """One file of the diagnostics: its name, its bytes and what it is, in words."""

    name: str
    data: bytes
    what: str


def install(app: Flask) -> None:
    """Let an application keep its log, and give it the routes."""
    log = KeptLog()
    app.extensions["kept_log"] = log
    app.register_blueprint(diagnostics)
    logging.getLogger().addHandler(log)
    shell_: Shell = app.extensions["referee"]
    shell_.live.at_close(lambda: logging.getLogger().removeHandler(log))


@diagnostics.get("/diagnostics")
def listed() -> str:
    """What the file would hold now, with the size of each part."""
    _check()
    items = [*_items(shell(), whole=True)]
    by_default = [item for item in items if item.name != "frame_whole.jpg"]
    return render_template(
        "diagnostics.html",
        **frame("plain.js"),
        items=[(item.name, _size(len(item.data)), item.what) for item in _grouped(by_default)],
        size=_size(sum(len(item.data) for item in by_default)),
        whole=next((_size(len(item.data)) for item in items if item.name == "frame_whole.jpg"), None),
    )


@diagnostics.get("/diagnostics.zip")
def download() -> Response:
    """The file; with `?pictures=whole` the camera's whole picture is in it too."""
    _check()
    parts = shell()
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as packed:
        for item in _items(parts, whole=request.args.get("pictures") == "whole"):
            # Pictures are packed already.
            packed.writestr(item.name, item.data, zipfile.ZIP_STORED if item.name.endswith(".jpg") else zipfile.ZIP_DEFLATED)
    response = Response(data.getvalue(), mimetype="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="blokus-diagnostics-game-{parts.live.game_number}.zip"'
    return response


def _check() -> None:
    """Let in only those who may change the game: the log and the whole picture are not for spectators.

    Raises:
        Refused: this device may not.
    """
    if not shell().gate.may_change():
        raise Refused(tr("The diagnostics are for those at the table: enter the table PIN on the game's page first."), 401)


def _items(parts: Shell, *, whole: bool) -> Iterator[Item]:
    """The parts of the file, made now."""
    live = parts.live
    with live.lock:
        record, state = Record.of(live.table.fork(), About(date=live.begun_on())), live.state()
        messages = live.feed.after(0).messages
    secrets = [parts.pin] if parts.pin else []

    def clean(value: object) -> str:
        return json.dumps(values_without_secrets(value, secrets))

    yield Item("about.txt", ABOUT.encode(), tr("what each part is"))
    yield Item(RECORD_NAME, record_as_text(record).encode(), tr("the game, with the players' names"))
    yield Item("state.json", clean(state).encode(), tr("how the table stands, and the camera"))
    yield Item("messages.jsonl", "".join(f"{clean(one.body)}\n" for one in messages).encode(), tr("what the page was told last"))
    yield Item("settings.json", json.dumps(_settings(parts), indent=1).encode(), tr("versions and settings, no passwords"))
    log: KeptLog = current_app.extensions["kept_log"]
    yield Item(
        "log.txt",
        without_secrets(log.text(), secrets).encode(errors="replace"),
        tr("the program's last words, without names and addresses"),
    )
    yield from _pictures(live, record, whole=whole)


def _pictures(live: LiveGame, record: Record, *, whole: bool) -> Iterator[Item]:
    names = dict.fromkeys(name for _, value in record.inputs for name in value.get("evidence") or ())
    for name in names:
        if (picture := live.pictures.get(name)) is not None:
            yield Item(f"evidence/{name}.jpg", picture.jpeg, tr("pictures before and after, cropped to the board"))
    shot = live.board_now() if live.board_now else None
    if shot is not None:
        yield Item("frame.jpg", shot.square, tr("the camera's last picture, cropped to the board"))
        if whole:
            yield Item("frame_whole.jpg", shot.whole(), tr("the camera's whole last picture"))


def _grouped(items: list[Item]) -> list[Item]:
    """The items, the evidence as one."""
    evidence = [item for item in items if item.name.startswith("evidence/")]
    together = Item(f"evidence/ ({len(evidence)})", b"".join(item.data for item in evidence), evidence[0].what) if evidence else None
    return [*(item for item in items if item not in evidence), *([together] if together else [])]


def _settings(parts: Shell) -> dict[str, object]:
    journal = parts.live.journal
    return {
        "packages": {name: found for name in PACKAGES if (found := _version(name))},
        "python": sys.version.split()[0],
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "served_to": "this computer" if parts.pin is None else "the network, with a PIN",
        "kept_in": "nothing" if journal is None else "a database server" if "://" in journal.name else "a file",
        "web": asdict(parts.live.settings),
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _size(number: int) -> str:
    """So many bytes, in words."""
    return f"{number / 1e6:.1f} MB" if number >= 1e6 else f"{max(1, round(number / 1e3))} kB"
