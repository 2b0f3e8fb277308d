"""The game to take along: the score sheet to print, and files of every kind, made when somebody asks for them."""

from __future__ import annotations

import base64
import hashlib
import re

from flask import Blueprint, Response

from referee.record import About, Record
from web import texts
from web.exports import MAKERS, Exported
from web.security import Refused
from web.shell import shell
from web.timelapse import BusyError
from web.translating import tr

downloads = Blueprint("downloads", __name__)

TYPES = {
    "blksgf": "application/x-blokus-sgf",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "png": "image/png",
    "gif": "image/gif",
}
"""Media type of each kind of file that the page gives; films are left to the command line, for they take a processor for long."""


@downloads.get("/download/<kind>")
def download(kind: str) -> Response:
    """The game as a file; its name is made of fixed words and the game's number."""
    if kind not in TYPES:
        raise Refused("There is no such kind of file.", 404)
    game, name = _game()
    try:
        data = MAKERS[kind](game)
    except BusyError as error:
        raise Refused(tr(str(error)), 503, retry_after_s=3) from error
    response = Response(data, content_type=TYPES[kind])
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    return response


@downloads.get("/sheet")
def sheet() -> Response:
    """The score sheet in the browser, for the printer; its one style is allowed by its hash, and nothing else is."""
    game, _ = _game()
    html = MAKERS["html"](game)
    response = Response(html, content_type=TYPES["html"])
    response.headers["Content-Security-Policy"] = (
        f"default-src 'none'; style-src {_style_hash(html)}; base-uri 'none'; frame-ancestors 'none'"
    )
    return response


def _game() -> tuple[Exported, str]:
    """The game as it stands, and the stem of its files' names."""
    live = shell().live
    with live.lock:
        table, number, about = live.table.fork(), live.game_number, About(date=live.begun_on())
    stem = f"blokus-{table.options.variant.replace('_', '-')}-game-{number}"
    return Exported(Record.of(table, about), table, f"{texts.VARIANTS[table.options.variant]}, game {number}"), stem


def _style_hash(html: bytes) -> str:
    """The hash of the page's style as a content policy names it."""
    found = re.search(rb"<style>(.*?)</style>", html, re.DOTALL)
    digest = hashlib.sha256(found[1] if found else b"").digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
