"""The page and the routes of a refereed game, as a Flask application."""

from __future__ import annotations

import logging
import secrets

from flask import Flask, Response, jsonify, render_template_string, request
from werkzeug.exceptions import HTTPException

from vision.phone import PhoneSource
from web import texts
from web.addresses import own_names
from web.api import api
from web.asking import asking
from web.board_stream import board_stream
from web.camera_desk import CameraDesk
from web.circuits import circuits
from web.compressing import Packed, compress
from web.diagnostics import install as install_diagnostics
from web.downloads import downloads
from web.lessons import lessons
from web.live import LiveGame
from web.pages import pages
from web.phone import phone as phone_page
from web.phone_camera import PhoneCamera
from web.puzzles import puzzles
from web.security import Gate, Refused, add_headers, check_host, new_pin
from web.setup import setup
from web.shell import Shell, shell
from web.spoken import color_word
from web.streams import Seats
from web.tables_pages import install as install_tables
from web.translating import install, tr

_LOG = logging.getLogger(__name__)
_ERROR_PAGE = """<!doctype html>
<html lang="{{ language() }}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ message }}</title><link rel="stylesheet" href="/static/page.css"></head>
<body><main><h1>{{ message }}</h1><p><a href="/">{{ _("To the game") }}</a></p></main></body></html>"""


def create_app(
    live: LiveGame,
    *,
    lan: bool = False,
    pin: str | None = None,
    phone: PhoneSource | None = None,
    secret: bytes | None = None,
    desk: CameraDesk | None = None,
) -> Flask:
    """Make the application for ``live``.

    With ``lan``, changing the game needs the table PIN: ``pin``, or one made here (``app.extensions["referee"].pin``). Without ``lan``,
    everybody who reaches the server may change the game: serve it on loopback only. Pictures that a phone sends go to ``phone``. ``secret``
    signs the sessions; with the same one they outlive the program, else every device enters the PIN again. At the ``desk`` cameras and
    corners are set up.
    """
    app = Flask("web")
    settings = live.settings
    app.config.update(
        SECRET_KEY=secret or secrets.token_bytes(32),
        SESSION_COOKIE_NAME="referee",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        MAX_CONTENT_LENGTH=settings.max_request_bytes,
    )
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the default provider has it; the base class does not
    app.jinja_options = {**app.jinja_options, "trim_blocks": True, "lstrip_blocks": True}
    install(app.jinja_env)
    app.jinja_env.globals["color_word"] = color_word
    gate = Gate(settings, pin=(pin or new_pin(settings.pin_digits)) if lan else None)
    app.extensions["referee"] = Shell(
        live,
        gate,
        Seats(settings.max_listeners, settings.kept_seats),
        _hostnames(lan=lan),
        PhoneCamera(phone, settings) if phone else None,
        desk,
        viewers=Seats(settings.max_viewers),
    )
    if desk is not None:
        desk.may_type = not lan
    app.before_request(_check_host)
    install_diagnostics(app)
    install_tables(app, app.extensions["referee"])
    app.after_request(add_headers)
    packed = Packed()
    app.after_request(lambda response: compress(request, response, packed))
    app.register_blueprint(api)
    app.register_blueprint(asking)
    app.register_blueprint(pages)
    app.register_blueprint(lessons)
    app.register_blueprint(downloads)
    app.register_blueprint(puzzles)
    app.register_blueprint(circuits)
    app.register_blueprint(board_stream)
    app.register_blueprint(setup)
    app.register_blueprint(phone_page)
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _unexpected)
    return app


def _hostnames(*, lan: bool) -> frozenset[str]:
    """The names by which this server may be called, besides addresses in figures."""
    return frozenset({"localhost", *own_names()} if lan else {"localhost"})


def _check_host() -> None:
    check_host(request, shell().hostnames)


def _refused(error: Refused) -> Response:
    response = _error(tr(error.message), error.status)
    if error.retry_after_s is not None:
        response.headers["Retry-After"] = str(error.retry_after_s)
    return response


def _http_error(error: HTTPException) -> Response:
    if error.code is None or error.response is not None or error.code < 400:
        return error.get_response()  # type: ignore[return-value]  # Flask's own responses here
    return _error(tr(texts.REFUSALS.get(error.code, error.name)), error.code)


def _unexpected(error: Exception) -> Response:
    """The last resort: the log, which is in the diagnostics, gets the trace, the caller one clear line."""
    _LOG.error("%s %s failed", request.method, request.path, exc_info=error)
    return _error(tr("Something went wrong in the program; its diagnostics say more. The game is kept."), 500)


def _error(message: str, status: int) -> Response:
    """An error as JSON for the routes of programs, as a plain page for people."""
    if request.path.startswith("/api/"):
        response = jsonify({"error": {"message": message}, "message": message})
    else:
        response = Response(render_template_string(_ERROR_PAGE, message=message), mimetype="text/html")
    response.status_code = status
    return response
