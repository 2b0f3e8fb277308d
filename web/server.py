"""Serves the application with waitress, a production server in pure Python, over http or https, and stops it cleanly."""

from __future__ import annotations

import contextlib
import ctypes
import logging
import socket
import ssl
import sys
import threading
from typing import Any

import waitress
from flask import Flask
from waitress import wasyncore

from web.addresses import in_url
from web.channels import Channel
from web.fanout import Connection, Fanouts, Reader
from web.shell import Shell
from web.streams import EventStream
from web.tls import RECORD_BYTES, TlsChannel

_MAX_HEADER_BYTES = 32 * 1024  # browsers send 1 to 2 kB; the default of 256 kB only helps floods
_MAX_PORT = 65535  # getaddrinfo would quietly take a larger number modulo 65536
_LOOP_S = 0.25  # seconds between two looks at whether to stop, when nothing else happens
_CLEANUP_S = 10  # seconds between two looks for connections that nobody uses
_OWN_FILES = 200  # descriptors for all else: databases, cameras, pictures
_STOP_S = 5.0  # seconds that running requests get to end


class ServerError(OSError):
    """The server cannot listen where it should; the text is one line that says why and what to do."""


class Server:
    """A bound server: `run` it here or `start` it in a thread, and `stop` it from anywhere.

    Attributes:
        url: the address for people on this computer, such as ``http://127.0.0.1:8000/``.
        scheme: ``http`` or ``https``.
        host, port: what is really listened on.
    """

    def __init__(self, app: Flask, listening: socket.socket, tls: ssl.SSLContext | None = None) -> None:
        """Serve ``app`` on a socket that is bound already, with ``tls`` over https."""
        shell: Shell = app.extensions["referee"]
        settings = shell.live.settings
        self.host, self.port = listening.getsockname()[:2]
        shown = "127.0.0.1" if self.host == "0.0.0.0" else "::1" if self.host == "::" else self.host  # noqa: S104 - compared, not bound
        self.scheme = "https" if tls else "http"
        self.url = self.url_at(shown)
        # Cookies do not tell ports apart: two tables on one computer must not overwrite each other's session.
        app.config["SESSION_COOKIE_NAME"] = f"referee_{self.port}"
        app.config["SESSION_COOKIE_SECURE"] = tls is not None
        self._live = shell.live
        self._sockets: dict[int, Any] = {}
        self._server = waitress.create_server(
            app,
            map=self._sockets,
            sockets=[listening],
            threads=settings.max_viewers + settings.request_threads,
            connection_limit=_beside(settings.max_listeners, _room_for(settings.connections_each * settings.max_listeners + 100)),
            channel_timeout=settings.idle_s,
            cleanup_interval=_CLEANUP_S,
            max_request_body_size=2 * settings.max_request_bytes + (settings.max_picture_bytes if shell.phone else 0),
            max_request_header_size=_MAX_HEADER_BYTES,
            # Read on while a stream runs: only so does the server notice that its reader has gone.
            channel_request_lookahead=1,
            clear_untrusted_proxy_headers=True,
            ident=None,
            url_scheme=self.scheme,
            recv_bytes=RECORD_BYTES,
            # Browsers that do not take the certificate break off; that is no error of this program.
            log_socket_errors=tls is None,
        )
        self._fanouts = Fanouts()
        self._server.adopt, self._server.tls = self._adopt, tls
        self._server.channel_class = Channel if tls is None else TlsChannel
        self._stopping = threading.Event()
        self._stopped = threading.Lock()
        self._thread: threading.Thread | None = None

    def url_at(self, host: str) -> str:
        """The address of the page for whoever calls this computer ``host``."""
        return f"{self.scheme}://{in_url(host)}:{self.port}/"

    def run(self) -> None:
        """Serve until `stop` or Ctrl-C, then end streams and close every connection."""
        try:
            while not self._stopping.is_set():
                wasyncore.loop(timeout=_LOOP_S, use_poll=True, map=self._sockets, count=1)
        except KeyboardInterrupt:
            pass
        finally:
            self._end()

    def start(self) -> Server:
        """Serve in a thread of its own; gives the server itself."""
        self._thread = threading.Thread(target=self.run, name="web server", daemon=True)
        self._thread.start()
        return self

    def stop(self) -> None:
        """End the server from any thread; returns when a started one has ended. Further calls do nothing."""
        self._stopping.set()
        self._live.close()
        if self._thread is None:
            self._end()
        elif self._thread is not threading.current_thread():
            # The thread itself closes what it listens on; within _LOOP_S it looks up whether to stop.
            self._thread.join(2 * _STOP_S)

    def _adopt(self, connection: Connection, stream: EventStream, *, is_chunked: bool, unsent: bytes) -> None:
        self._fanouts.adopt(Reader(connection, stream, is_chunked, unsent))

    def _end(self) -> None:
        with self._stopped:
            if self._sockets:
                self._live.close()
                self._server.task_dispatcher.shutdown(timeout=_STOP_S)
                self._fanouts.join(_STOP_S)
                wasyncore.close_all(self._sockets)
                self._sockets.clear()


def serve(app: Flask, host: str = "127.0.0.1", port: int = 8000, *, tls: ssl.SSLContext | None = None) -> Server:
    """Bind ``app`` to an address; ``port`` 0 takes any free one. With ``tls`` it is served over https.

    Raises:
        ServerError: the address is taken, not allowed or not of this computer.
    """
    _share_heaps()
    # Its warnings (requests wait for a thread, or are given up as the program ends) say nothing to the people at the table.
    logging.getLogger("waitress").setLevel(logging.ERROR)
    if not 0 <= port <= _MAX_PORT:
        raise ServerError(f"Cannot listen on port {port}: ports are numbered 0 (any free one) to {_MAX_PORT}.")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
    except (OSError, ValueError) as error:
        raise ServerError(f"Cannot listen on {host!r}: {_reason(error)}.") from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        return Server(app, listening, tls)
    except OSError as error:
        listening.close()
        raise ServerError(f"Cannot listen on {host}, port {port}: {_reason(error)}. Try another --port.") from error


def _share_heaps() -> None:
    """Let all threads share two heaps where the C library can be told so (glibc).

    It gives each thread one of its own, up to eight a processor, and each of them keeps what the largest answer once took: 6 of 136 MB
    with 200 readers.
    """
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _HEAPS)


_M_ARENA_MAX = -8  # as malloc.h has it
_HEAPS = 2
_WINDOWS_CONNECTIONS = 500
"""Python's select on Windows watches 512 sockets at most; there is no limit of open files to raise."""


def _beside(streams: int, room: int) -> int:
    """How many of the connections that there is room for are waitress's: those of streams are handed over, and it counts them no more."""
    return max(room - streams, room // 2)


def _room_for(connections: int) -> int:
    """As many connections as wanted, or as the system lets this process have; beyond them new ones wait, where accepting would fail."""
    if sys.platform == "win32":
        return min(connections, _WINDOWS_CONNECTIONS)
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + _OWN_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return connections if soft == resource.RLIM_INFINITY else min(connections, max(soft - _OWN_FILES, soft // 2))


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error).rstrip(".").lower()
