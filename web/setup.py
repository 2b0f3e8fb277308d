"""The set-up page: camera, corners of the board, self-check and the game's options, with the routes of its script.

Its pictures show whatever the camera sees, faces too, and looking takes a processor's time: all of it is for those who may change the
game. Pictures are found by the names that this program gave them, never in the file system.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from flask import Blueprint, Response, current_app, jsonify, render_template, request, url_for

from vision.frames import SourceError
from vision.given_corners import CornersError
from web import texts
from web.api import read_json
from web.camera_desk import CameraDesk, DeskError, Look
from web.new_games import variant_choices
from web.security import Refused
from web.setup_view import check_view
from web.shell import frame, shell
from web.translating import tr

setup = Blueprint("setup", __name__)
_T = TypeVar("_T")
_LONGEST_SPEC = 400
_MOST_NUMBER = 10**9


@setup.get("/setup")
def page() -> str:
    """Everything that is set up before a game; without script it says what there is and which commands do the same."""
    parts, desk = shell(), _own_desk()
    shared = frame("setup_page.js")
    may = shared["may_change"]
    with parts.live.lock:
        options, begun = parts.live.table.first_options, bool(parts.live.table.pieces_on_board())
    return render_template(
        "setup.html",
        **{**shared, "words": {**shared["words"], **{key: tr(text) for key, text in texts.SETUP.items()}}},
        desk=desk if may else None,
        cameras=desk.cameras() if desk and may else [],
        needs_pin=parts.pin is not None,
        agreed=options.as_json(),
        begun=begun,
        variants=variant_choices(),
    )


@setup.get("/setup/pictures/<name>.jpg")
def picture(name: str) -> Response:
    """One picture of a look or a preview."""
    if not shell().gate.may_change():
        raise Refused("Changing the game needs the table PIN.", 401)
    found = _desk().pictures.get(name)
    if found is None:
        raise Refused("This picture is not kept (any more).", 404)
    return Response(found.jpeg, mimetype="image/jpeg")


@setup.post("/api/setup/preview")
def preview() -> Response:
    """A small picture of the camera ``{"camera": ...}``."""
    body = _change()
    name = _asked(lambda: _desk().preview(_spec(body)))
    return jsonify({"picture": _address(name)})


@setup.post("/api/setup/look")
def look() -> Response:
    """A picture of the camera ``{"camera": ..., "anew": false}``, with the board found in it; ``anew``: by a search alone."""
    body = _change()
    return _shown(_asked(lambda: _desk().look(_spec(body), anew=body.get("anew") is True)))


@setup.post("/api/setup/corners")
def corners() -> Response:
    """What is read of the picture ``{"look": ..., "corners": [[x, y], ...]}`` when the board's corners are there."""
    body = _change()
    return _shown(_asked(lambda: _desk().place(_number(body), _points(body.get("corners")))))


@setup.post("/api/setup/use")
def use() -> Response:
    """Keep where the board of ``{"look": ...}`` is, and watch with it."""
    body = _change()
    return jsonify({"message": _asked(lambda: _desk().use(_number(body)))})


@setup.post("/api/setup/camera")
def camera() -> Response:
    """Watch with the camera ``{"camera": ...}`` from now on."""
    body = _change()
    _asked(lambda: _desk().choose(_spec(body)))
    return jsonify({})


def _own_desk() -> CameraDesk | None:
    """The desk, when the request is about this program's own game: cameras of other tables are other programs'."""
    parts = shell()
    return parts.desk if parts is current_app.extensions["referee"] else None


def _desk() -> CameraDesk:
    desk = _own_desk()
    if desk is None:
        raise Refused(tr("No camera is set up here: this program was started for something else, or shows another table."), 409)
    return desk


def _change() -> dict[str, Any]:
    """The request's JSON, from somebody who may change the game."""
    body = read_json()
    shell().gate.check_change(request)
    return dict(body)


def _asked(act: Callable[[], _T]) -> _T:
    """What the desk answers; what it cannot do is told in one line."""
    try:
        return act()
    except (DeskError, CornersError, SourceError) as error:
        text = tr(str(error))
        raise Refused(f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?')) else '.'}", 422) from error


def _spec(body: dict[str, Any]) -> str:
    """The camera that is meant."""
    spec = body.get("camera")
    if not isinstance(spec, str) or not 0 < len(spec) <= _LONGEST_SPEC:
        raise DeskError("name a camera of the list")
    return spec


def _number(body: dict[str, Any]) -> int:
    """The look that is meant."""
    number = body.get("look")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 < number < _MOST_NUMBER:
        raise DeskError("name a picture by its number")
    return number


def _points(value: Any) -> list[list[float]]:
    """Four points of two numbers; what they mean is checked later."""
    if not isinstance(value, list) or not all(isinstance(point, list) and all(_is_number(v) for v in point) for point in value):
        raise CornersError("four points of two numbers are wanted: top left, top right, bottom right, bottom left of the grid")
    return [[float(v) for v in point] for point in value]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _MOST_NUMBER


def _shown(found: Look) -> Response:
    """A look as JSON, its self-check drawn as HTML."""
    desk = _desk()
    told = desk.show(found)
    overlay = _address(told.pop("overlay"))
    return jsonify(
        {
            **told,
            "picture": _address(told["picture"]),
            "html": render_template("setup_check.html", overlay=overlay, **check_view(found.check)),
        }
    )


def _address(name: str) -> str:
    return url_for("setup.picture", name=name)
