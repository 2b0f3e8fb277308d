"""Addresses of the tables and games of one database: every page of a game is found again under `/tables/NAME/` and `/games/NUMBER/`.

The part that names the table or game is taken off the address before the application looks at it, so that the same routes answer for
each; `url_for` puts it in front again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

PLACE = "referee.place"
"""The key of a request's environment that holds its `Place`."""

_DIGITS = 9
_UNNAMED = "~"
_DOTS = "~2"


@dataclass(frozen=True)
class Place:
    """Which game an address is about: the game under way at a table, or (`game` given) one by its number."""

    table: str = ""
    game: int | None = None

    @property
    def path(self) -> str:
        """The part of the address that names it, as browsers send it, without a slash at its end."""
        return f"/games/{self.game}" if self.game is not None else f"/tables/{_as_segment(self.table)}"


def _as_segment(name: str) -> str:
    """A table's name as one part of an address; slashes are written as in JSON pointers, dots alone would be followed upwards."""
    if not name:
        return _UNNAMED
    plain = name.replace("~", "~0").replace("/", "~1")
    return quote(_DOTS * len(plain) if plain in (".", "..") else plain, safe="~")


def _as_name(segment: str) -> str:
    return "" if segment == _UNNAMED else segment.replace(_DOTS, ".").replace("~1", "/").replace("~0", "~")


def parted(path: str) -> tuple[Place, str] | None:
    """The place that an address names, and the address within it; None when it names none. Not checked: that there is such a place."""
    kind, slash, rest = path.removeprefix("/").partition("/")
    segment, within, inner = rest.partition("/")
    if not (path.startswith("/") and slash and within and segment):
        return None
    if kind == "tables":
        return Place(table=_as_name(segment)), f"/{inner}"
    if kind == "games" and segment.isascii() and segment.isdecimal() and len(segment) <= _DIGITS:
        return Place(game=int(segment)), f"/{inner}"
    return None


class PlacesApart:
    """A WSGI application in front of another one: takes the table or game off each address."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request; servers give its address decoded, as Latin-1 of UTF-8."""
        try:
            found = parted(environ.get("PATH_INFO", "").encode("latin-1").decode())
        except UnicodeError:
            found = None
        if found is not None:
            place, within = found
            environ = {
                **environ,
                PLACE: place,
                "SCRIPT_NAME": place.path,  # as it is written in addresses: it is put in front of them as it stands
                "PATH_INFO": within.encode().decode("latin-1"),
            }
        return self._app(environ, start_response)
