"""What anybody may ask without changing anything: what a decision would lead to."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from referee.errors import DecisionError
from web.api import read_json
from web.security import Refused
from web.shell import shell
from web.spoken import with_said

asking = Blueprint("asking", __name__, url_prefix="/api")


@asking.post("/try")
def try_decision() -> Response:
    """The events that a decision would cause; it is carried out on a table of its own, which is then thrown away."""
    parts = shell()
    decision = read_json()
    parts.gate.check_own(request)
    with parts.live.lock:
        table = parts.live.table.fork()
    try:
        found = table.decide(decision)
    except DecisionError as error:
        raise Refused(str(error), 422) from error
    return jsonify({"events": [with_said(event.as_json()) for event in found]})
