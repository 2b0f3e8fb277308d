"""The routes for programs and for the page's own script: state, events, decisions and the PIN, all in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, cast

from flask import Blueprint, Response, jsonify, request

from referee.errors import DecisionError, JournalError, OvertakenError
from referee.json_text import JsonTextError, parse_json
from web.channels import hand_over
from web.security import Refused
from web.shell import shell
from web.spoken import with_said
from web.streams import EventStream
from web.translating import language, tr

api = Blueprint("api", __name__, url_prefix="/api")
_MAX_ID = 2**53  # the largest whole number that JavaScript counts exactly


@api.get("/state")
def state() -> Response:
    """The whole state."""
    return jsonify(shell().live.state())


@api.get("/events")
def events() -> Response:
    """The events as they come; ``Last-Event-ID`` (or ``?after=``) names the last one that the reader has."""
    parts = shell()
    after_id = _known_id(request.headers.get("Last-Event-ID", request.args.get("after")))
    address = request.remote_addr or ""
    if not parts.seats.take(address):
        raise Refused("Too many listen already: ask for /api/state from time to time instead.", 503, retry_after_s=10)
    try:
        gone = cast("Callable[[], bool]", request.environ.get("waitress.client_disconnected", lambda: False))
        stream = EventStream(parts.live, parts.seats, after_id, gone, language(), address)
        # Of no known length, for more parts follow.
        body = iter([next(stream)]) if request.method == "GET" and hand_over(request.environ, stream) else stream
    except BaseException:
        parts.seats.leave(address)
        raise
    return Response(body, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})


def _known_id(text: str | None) -> int | None:
    """A reader's last event id; None when it has none. Nonsense counts as an id that is not ours, so that the reader reloads."""
    if text is None or not text.strip():
        return None
    text = text.strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 and int(text) <= _MAX_ID else -1


@api.post("/decisions")
def decisions() -> Response:
    """Carry out one decision."""
    parts = shell()
    decision = read_json()
    if decision.get("decision") == "would_be_legal":
        parts.gate.check_own(request)
    else:
        parts.gate.check_change(request)
    try:
        found = parts.live.decide(decision)
    except DecisionError as error:
        raise Refused(str(error), 422) from error
    except OvertakenError as error:
        raise Refused(tr("Nothing was changed: {error}.").format(error=error), 409) from error
    except JournalError as error:
        raise Refused(tr("Nothing was changed: {error}.").format(error=error), 503) from error
    return jsonify({"events": [with_said(event.as_json()) for event in found]})


@api.post("/session")
def enter_pin() -> Response:
    """Exchange the table PIN for permission to change the game; answers with the session's token."""
    parts = shell()
    body = read_json()
    parts.gate.check_own(request)
    parts.gate.enter_pin(request, body.get("pin"))
    return jsonify({"token": parts.gate.token(), "may_change": True})


@api.get("/session")
def session_token() -> Response:
    """The session's token and whether it may change the game: what the page asks for when the program has started again."""
    parts = shell()
    return jsonify({"token": parts.gate.token(), "may_change": parts.gate.may_change()})


def read_json() -> Mapping[str, Any]:
    """The request's body as a JSON object.

    Raises:
        Refused: it is not declared as JSON (415), or is none that can be used (400).
    """
    if request.mimetype != "application/json":
        raise Refused("Send JSON with Content-Type: application/json.", 415)
    try:
        value = parse_json(request.get_data(cache=False))
        json.dumps(value, ensure_ascii=False).encode()  # an answer may repeat any text of it, and half of a character can be in none
    except JsonTextError as error:
        raise Refused(tr("The body cannot be used: {error}.").format(error=error), 400) from error
    except (UnicodeEncodeError, RecursionError) as error:
        raise Refused("The body cannot be used: a text in it is no text, or it is nested too deeply.", 400) from error
    if not isinstance(value, dict):
        raise Refused('The body must be a JSON object such as {"decision": "undo"}.', 400)
    return value
