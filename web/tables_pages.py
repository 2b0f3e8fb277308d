"""The games of the database as pages: the list of them, each table's own live page, and games of the past to look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from flask import Blueprint, Flask, Response, current_app, g, redirect, render_template, request
from werkzeug.wrappers import Response as Answer

from referee.errors import JournalError
from referee.journal_listing import Kept
from web import page_view, texts
from web.pages import live_context
from web.security import Refused
from web.shell import Rendered, Shell, frame, shell
from web.spoken import spoken
from web.tables import EARLIER, Line, PastGame, Tables
from web.tables_paths import PLACE, Place, PlacesApart
from web.translating import language, ntr, tr

tables_pages = Blueprint("tables", __name__)

AT_TABLES = frozenset({"pages", "api", "asking", "downloads", "lessons", "puzzles", "setup", "static", "diagnostics"})
"""Parts of the application that answer for any table; the others belong to this server's own camera."""

IN_THE_PAST = frozenset({"pages.page", "pages.live_part", "pages.evidence", "api.state", "static"})
PAST_PARTS = frozenset({"downloads", "diagnostics"})
"""Routes, and parts of the application, that answer for games of the past."""

MOST_NUMBER = 10**9


@dataclass(frozen=True)
class Entry:
    """A game as the list shows it.

    Attributes:
        title: the table's name, or for a game of the past which game it was.
        href: its page.
        variant, begun: what is played, and since when, in words.
        table: where a game of the past was played; '' for a table without a name.
        state: how it stands, in words.
        is_live: whether it is still played.
        camera: level and words of the camera's state; '' for none.
        words: the last ruling of a game that is played, the result of one that is over.
        standings: the players with their scores.
        trouble: why it cannot be read; '' when it can.
    """

    number: int
    title: str
    href: str
    variant: str
    table: str
    begun: str
    state: str
    is_live: bool
    camera: tuple[str, str]
    words: str
    standings: Sequence[page_view.Standing]
    trouble: str


def install(app: Flask, own: Shell) -> Tables:
    """Give an application the tables of its live game's database."""
    tables = Tables(own.live)
    app.extensions["tables"] = tables
    app.wsgi_app = PlacesApart(app.wsgi_app)  # type: ignore[method-assign]  # as Flask's own documentation has it
    app.before_request(_enter)
    app.register_blueprint(tables_pages)
    own.live.at_close(tables.close)
    return tables


def here() -> Tables:
    """The tables of the application that answers the present request."""
    found = current_app.extensions["tables"]
    assert isinstance(found, Tables)  # noqa: S101 - tells mypy what `install` put there
    return found


def _enter() -> Answer | str | None:
    """Let a request that names a table or a game be about that one."""
    place = request.environ.get(PLACE)
    if not isinstance(place, Place):
        return None
    own = shell()
    try:
        found = here().live(place.table) if place.game is None else here().past(place.game)
    except JournalError as error:
        raise Refused(tr("This game cannot be opened: {error}.").format(error=error), 503) from error
    if found is None:
        raise Refused(tr("There is no game of that name or number."), 404)
    if isinstance(found, str):
        return redirect(f"{Place(found).path}/")
    if found is not own.live and request.endpoint and not _answers(request.endpoint, is_past=isinstance(found, PastGame)):
        raise Refused(tr("There is no such page for this game."), 404)
    g.shell = own if found is own.live else replace(own, live=found, phone=None, rendered=here().rendered.setdefault(found, Rendered()))
    return _past_page(found) if isinstance(found, PastGame) and request.endpoint == "pages.page" else None


def _answers(endpoint: str, *, is_past: bool) -> bool:
    part = endpoint.partition(".")[0]
    if not is_past:
        return part in AT_TABLES
    return request.method in ("GET", "HEAD") and (endpoint in IN_THE_PAST or part in PAST_PARTS)


def _past_page(game: PastGame) -> str:
    """A game of the past, to look at turn by turn."""
    parts = {**frame("past_game.js"), **live_context(game), "may_change": False}
    return render_template("past_game.html", **parts, kept=game.kept)


@tables_pages.get("/tables")
def all_tables() -> str:
    """The list; without script it is that of the moment."""
    return render_template("tables.html", **frame("tables.js"), **_lists())


@tables_pages.get("/tables/<segment>")
def without_slash(segment: str) -> Answer:
    """A table's page, for whoever leaves out the slash at its end."""
    return redirect(f"/tables/{quote(segment, safe='~')}/")


@tables_pages.get("/tables-list")
def listed() -> Response:
    """The part of the list that changes; 304 when the reader has it already."""
    html = here().list_html((language(), _before()), lambda: render_template("tables_list.html", **_lists()))
    response = Response(html, mimetype="text/html", headers={"Cache-Control": "no-cache"})
    response.add_etag()
    response.make_conditional(request)
    return response


def _lists() -> dict[str, object]:
    number = _before()
    try:
        at_tables = [] if number else [_entry(line) for line in here().at_tables()]
        earlier = [_entry(line) for line in here().earlier(number)]
    except JournalError as error:
        raise Refused(tr("The games cannot be listed: {error}.").format(error=error), 503) from error
    return {
        "at_tables": at_tables,
        "earlier": earlier,
        "before": number,
        "older": earlier[-1].number if len(earlier) == EARLIER else None,
        "is_kept": not here().is_one,
    }


def _before() -> int | None:
    """The game from which on earlier ones are asked for; None for the newest."""
    asked = request.args.get("before", "")[:10]
    return int(asked) if asked.isascii() and asked.isdecimal() and 0 < int(asked) <= MOST_NUMBER else None


def _entry(line: Line) -> Entry:
    kept, state = line.kept, line.state
    status = str(state.get("status", ""))
    is_live = kept.is_last and status in ("waiting", "playing")
    level, camera = texts.CAMERA.get(line.camera, ("none", "")) if line.camera else ("", "")
    return Entry(
        number=kept.number,
        title=_table_title(kept.table) if kept.is_last else tr("Game {n}").format(n=kept.number),
        href=f"{(Place(kept.table) if kept.is_last else Place(game=kept.number)).path}/",
        variant=tr(texts.VARIANTS.get(str(state.get("variant")), "")),
        table="" if kept.is_last else kept.table,
        begun=_begun(kept),
        state=tr(texts.GAME_STATES.get("left" if status in ("waiting", "playing") and not kept.is_last else status, status))
        + _turn(state, status),
        is_live=is_live,
        camera=(level, tr(camera)) if is_live else ("", ""),
        words=_words(state, status),
        standings=page_view.standings(state) if state.get("placements") else (),
        trouble=line.trouble,
    )


def _begun(kept: Kept) -> str:
    """When a game began; of a recording it is only known when it was watched."""
    begun = f"{kept.begun} UTC" if kept.begun else ""
    return tr("a recording, watched {date}").format(date=begun) if kept.is_recording and begun else begun


def _turn(state: object, status: str) -> str:
    turns = len(state["placements"]) if isinstance(state, dict) and status == "playing" else 0
    return f", {ntr('{n} piece placed', '{n} pieces placed', turns).format(n=turns)}" if turns else ""


def _words(state: object, status: str) -> str:
    """The result of a game that is over, the last ruling of any other."""
    if not isinstance(state, dict):
        return ""
    return page_view.banner(state).title if status == "over" else spoken(state.get("last") or {})


def _table_title(name: str) -> str:
    return name or tr("The table")
