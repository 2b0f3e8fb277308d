"""The page itself, the part of it that changes, and the evidence pictures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from flask import Blueprint, Response, render_template, request

from referee.pieces import PIECES
from referee.variants import get_variant
from web import page_view, texts
from web.board_view import State, board_view
from web.live import LiveGame
from web.result_view import final_photo, result
from web.security import Refused
from web.shell import frame, shell
from web.spoken import spoken
from web.translating import language, tr
from web.tray import Tray, lay_out

pages = Blueprint("pages", __name__)


@pages.get("/")
def page() -> str:
    """The page, complete with the present state so that it reads without script."""
    return render_template("page.html", **frame("main.js"), **live_context(shell().live))


@pages.get("/overlay")
def overlay() -> str:
    """The board and the scores on nothing, to lie over a stream's picture."""
    return render_template("overlay.html", **frame("overlay.js"), **live_context(shell().live))


@pages.get("/live")
def live_part() -> Response:
    """The part of the page that changes with the game; 304 when the reader has it already."""
    parts = shell()
    # Every reader asks for it after every event, and all of them get the same.
    html, etag = parts.rendered.get(parts.live.feed.position, language(), lambda: render_template("live.html", **live_context(parts.live)))
    response = Response(html, mimetype="text/html", headers={"Cache-Control": "no-cache"})
    response.set_etag(etag)
    response.make_conditional(request)
    return response


@pages.get("/evidence/<name>.jpg")
def evidence(name: str) -> Response:
    """One evidence picture; names are looked up among those kept, never in the file system."""
    picture = shell().live.pictures.get(name)
    if picture is None:
        raise Refused("This picture is not kept (any more).", 404)
    # Names are unique within a game only, and a new game may use them again.
    return Response(picture.jpeg, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=60"})


def live_context(live: LiveGame) -> dict[str, Any]:
    """Everything that ``live.html`` prints."""
    state = live.state()
    margins = _margins(live, state)
    dispute = page_view.dispute(state, margins)
    question = page_view.question(state, margins)
    banner = page_view.banner(state)
    return {
        "mode": "dispute" if dispute else "question" if question else _mode(state),
        "event_id": state["event_id"],
        "game_number": state["game_number"],
        "table_name": live.table_name,
        "needs_pin": shell().pin is not None,
        "variant": state["variant"],
        "piece_names": [name for name in PIECES if name in get_variant(state["variant"]).pieces],
        "variant_label": tr(texts.VARIANTS.get(state["variant"], state["variant"])),
        "scoring_label": tr(texts.SCORING.get(state["scoring"], state["scoring"])),
        "title": f"{tr('Dispute') if dispute else banner.title} · {tr('Blokus referee')}",
        "banner": banner,
        "sentence": spoken(state.get("last") or {}),
        "camera": page_view.camera(state),
        "progress": state.get("progress"),
        "can_pause": live.pausable is not None and live.pausable.can_pause,
        "is_resting": live.is_resting,
        "board": board_view(state),
        "cards": page_view.color_cards(state, trays(state)),
        "dispute": dispute,
        "question": question,
        "moves": page_view.moves(state),
        "result": result(state),
        "photo": final_photo(state, lambda name: picture.margin_cells if (picture := live.pictures.get(name)) else None),
        "downloads": texts.DOWNLOADS,
        "standings": page_view.standings(state),
        "can_undo": state.get("can_undo", True),
        "players": [player["name"] for player in state.get("players", ())],
        "can_redo": state.get("can_redo", False),
    }


def _mode(state: State) -> str:
    return "over" if state["status"] in ("over", "abandoned") else "play"


def _margins(live: LiveGame, state: State) -> dict[str, float]:
    """The rim of each picture of the open disputes and questions that is still kept."""
    matters = [*(state.get("disputes") or ()), *(state.get("questions") or ())]
    names = [name for matter in matters for name in matter.get("evidence") or ()]
    kept = {name: live.pictures.get(name) for name in names}
    return {name: picture.margin_cells for name, picture in kept.items() if picture}


def trays(state: State) -> dict[str, Tray]:
    """Each colour's tray, laid out for the variant's whole set: pieces that a reduced set lacks are empty sockets from the start."""
    tray = _tray(state["variant"])
    return dict.fromkeys(state["colors"], tray)


@cache
def _tray(variant: str) -> Tray:
    shapes: Mapping[str, Any] = {name: piece.orientations[0] for name, piece in PIECES.items()}
    return lay_out(get_variant(variant).pieces, shapes)
