"""The phone as camera: its page, and the pictures that it sends.

Who sends pictures decides what the referee sees, and so needs what changing the game needs.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, jsonify, make_response, render_template, request

from web import page_view
from web.addresses import ANY, in_url, is_loopback, own_address
from web.security import Refused
from web.shell import frame, shell
from web.spoken import spoken
from web.texts import PHONE
from web.translating import tr

phone = Blueprint("phone", __name__)

_LONGEST_ID = 64


@phone.get("/phone")
def page() -> Response:
    """The page that makes a phone the camera; on a computer it shows how to open it on one."""
    parts = shell()
    address = _address()
    html = render_template(
        "phone.html",
        **{**frame("phone.js"), "words": {key: tr(text) for key, text in PHONE.items()}},
        needs_pin=parts.pin is not None,
        is_watched=parts.phone is not None,
        is_secure=request.is_secure,
        address=address,
        code=code(address).svg_inline(border=3, light="#fff", omitsize=True) if address else "",
    )
    response = make_response(html)
    response.headers["Permissions-Policy"] = "camera=(self), microphone=(), geolocation=()"
    return response


def _address() -> str:
    """The address of this page for a phone; empty when none can reach it."""
    parts = urlsplit(request.host_url)
    called = parts.hostname or ""
    host = own_address(ANY[0]) if is_loopback(called) else called
    if shell().pin is None or is_loopback(host):
        return ""
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{in_url(host)}{port}/phone"


def code(address: str) -> segno.QRCode:
    """The code by which a phone opens an address."""
    return segno.make_qr(address, error="m")


@phone.get("/api/phone")
def said() -> Response:
    """What the phone shows of the game."""
    return jsonify(_said())


@phone.post("/api/phone/<any(frame, photo):kind>")
def picture(kind: str) -> Response:
    """Take a picture, a JPEG file; answers with what the phone shows of the game."""
    parts = shell()
    parts.gate.check_change(request)
    if parts.phone is None:
        raise Refused("This table is not watched by a phone: start the program with: blokus-referee watch phone --lan --https", 409)
    if request.mimetype != "image/jpeg":
        raise Refused("Send a JPEG picture with Content-Type: image/jpeg.", 415)
    request.max_content_length = parts.live.settings.max_picture_bytes
    device = request.headers.get("X-Device", "")[:_LONGEST_ID]
    parts.phone.take(request.get_data(cache=False), device, is_photo=kind == "photo", starts="start" in request.args)
    return jsonify(_said())


def _said() -> dict[str, Any]:
    state = shell().live.state()
    camera, banner = page_view.camera(state), page_view.banner(state)
    return {
        "level": camera.level,
        "camera": camera.title,
        "reason": camera.reason,
        "turn": banner.title,
        "who": banner.subtitle,
        "sentence": spoken(state.get("last") or {}),
        "is_asked": bool(state.get("disputes") or state.get("questions")),
    }
