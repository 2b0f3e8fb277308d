"""Serving the page beside a command: its addresses, its PIN, its certificate, and the code by which a phone opens it."""

from __future__ import annotations

import hashlib
import hmac
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from web.addresses import ANY, is_loopback, own_address, own_names
from web.cli.options import KEEP_NOTHING, Keeping, Serving, data_folder
from web.cli.output import Printer

if TYPE_CHECKING:
    import ssl

    from flask import Flask

    from vision.phone import PhoneSource
    from web.camera_desk import CameraDesk
    from web.certificate import Certificate
    from web.live import LiveGame
    from web.server import Server

USUAL_PORT = 8000


@contextmanager
def page(
    live: LiveGame,
    printer: Printer,
    serving: Serving,
    keep: Keeping,
    phone: PhoneSource | None = None,
    desk: CameraDesk | None = None,
) -> Iterator[Server]:
    """Serve the page while the block runs; prints the address alone on the first line.

    Another address than loopback is open to others, and then needs the PIN like `--lan`. Pictures that a phone sends go to `phone`.
    At the `desk` cameras and corners are set up.

    Raises:
        ServerError: the address is taken or not allowed.
        PrivateFileError: the certificate cannot be kept.
    """
    from web import create_app

    host = serving.host or (ANY[0] if serving.lan else "127.0.0.1")
    shared = serving.lan or not is_loopback(host)
    app = create_app(live, lan=shared, phone=phone, secret=_secret(keep, printer) if shared else None, desk=desk)
    certificate = _certificate(host) if serving.https else None
    server = _listen(app, host, serving.port, certificate.context() if certificate else None)
    server.start()
    try:
        printer.say(server.url)
        _tell(printer, server, certificate, app.extensions["referee"].pin, for_phone=phone is not None)
        yield server
    finally:
        server.stop()


def _tell(printer: Printer, server: Server, certificate: Certificate | None, pin: str | None, *, for_phone: bool) -> None:
    """Say how others come to the page, and how a phone becomes the camera."""
    address = server.url_at(own_address(server.host)) + ("phone" if for_phone else "")
    if pin is not None:
        printer.say(f"From a phone: {address} - the PIN for changes is {pin}")
        _show_code(printer, address)
    elif for_phone:
        printer.say(f"The camera is started at {address} on this computer; for a phone add --lan --https.")
    if for_phone and pin is not None and certificate is None:
        printer.note("Without --https a phone can only send single photos: browsers give their camera to no page over plain http.")
    if certificate is not None:
        printer.say(
            "Browsers warn once that they do not know this computer's certificate. Its SHA-256 fingerprint, to compare: "
            + certificate.fingerprint
        )


def _show_code(printer: Printer, address: str) -> None:
    """Show the address as a code that a phone reads, where somebody looks at a terminal."""
    if not (sys.stderr if printer.as_json else sys.stdout).isatty():
        return
    from web.phone import code

    text = io.StringIO()
    code(address).terminal(text, border=2, compact=True)
    for line in text.getvalue().splitlines():  # light on dark whatever colours the terminal has
        printer.say(click.style(line, fg="bright_white", bg="black"))


def _secret(keep: Keeping, printer: Printer) -> bytes | None:
    """What signs the sessions of the devices at a table whose game is kept, so that a restart does not ask them for the PIN again.

    Each table of each database has its own: a device of one program's evening has not entered the PIN of another program's.
    """
    from web.private_files import PrivateFileError, kept_secret

    if keep.db == KEEP_NOTHING:
        return None
    try:
        secret = kept_secret(data_folder() / "sessions.key")
    except PrivateFileError as error:
        printer.note(f"{error}; devices will be asked for the PIN again when the program starts again")
        return None
    db = keep.db if "://" in keep.db else str(Path(keep.db).resolve())  # a file of the same name in another folder is another one
    return hmac.digest(secret, f"{db}\n{keep.table}".encode(), hashlib.sha256)


def _certificate(host: str) -> Certificate:
    from web.certificate import kept_certificate

    return kept_certificate(data_folder() / "https.pem", (own_address(host), *own_names()))


def _listen(app: Flask, host: str, port: int | None, tls: ssl.SSLContext | None) -> Server:
    from web.server import ServerError, serve

    if port is not None:
        return serve(app, host, port, tls=tls)
    try:
        return serve(app, host, USUAL_PORT, tls=tls)
    except ServerError:
        return serve(app, host, 0, tls=tls)
