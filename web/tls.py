"""TLS for waitress, which has none of its own: each connection's socket is wrapped, everything else stays as it is.

A browser that asks in plain http, because nobody typed ``https://``, is sent there. No answer says that only https may be used from now
on: browsers would then no more offer to go on with a certificate that this computer made itself.
"""

from __future__ import annotations

import socket
import ssl
import threading
from typing import Any

from web.addresses import in_url
from web.channels import Channel

_HANDSHAKE = b"\x16"  # the first byte of whatever speaks TLS; no request of HTTP begins with it
RECORD_BYTES = 16384
"""Largest part in which TLS sends data: whoever takes less at a time leaves a rest inside, of which polling knows nothing."""


class NotYet(Exception):
    """Nothing can be read before more has come in."""


class TlsChannel(Channel):
    """A connection to a browser, over TLS."""

    def __init__(self, server: Any, sock: socket.socket, *args: Any, **options: Any) -> None:
        """As waitress makes it; ``server.tls`` is the server's context."""
        super().__init__(server, TlsSocket(sock, server.tls), *args, **options)

    def handle_read(self) -> None:
        """Read what has come, if that is enough to be understood."""
        try:
            super().handle_read()
        except NotYet:
            return


class TlsSocket:
    """A socket that does not block, as waitress uses it, with TLS begun by whatever is read first.

    Waitress reads in one thread and writes in several; a TLS connection allows one at a time.
    """

    def __init__(self, sock: socket.socket, context: ssl.SSLContext) -> None:
        """Speak TLS over ``sock``, which is taken over."""
        self._socket = sock
        self._context = context
        self._lock = threading.Lock()

    def recv(self, size: int) -> bytes:
        """What has come in; nothing when the other side is gone, or asked in plain http and was told where to go.

        Raises:
            NotYet: only a part of something has.
            OSError: the connection is broken, or what comes is neither TLS nor HTTP.
        """
        with self._lock:
            try:
                if not isinstance(self._socket, ssl.SSLSocket) and not self._begun():
                    return b""
                return self._socket.recv(size)
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError, BlockingIOError):
                raise NotYet from None

    def send(self, data: bytes) -> int:
        """Send what can be sent now; how many bytes that was."""
        with self._lock:
            try:
                return self._socket.send(data)
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                return 0

    def __getattr__(self, name: str) -> Any:
        """All else as the socket does it."""
        return getattr(self._socket, name)

    def _begun(self) -> bool:
        """Begin with TLS if that is what the other side speaks; else answer and say no."""
        first = self._socket.recv(1, socket.MSG_PEEK)
        if first == _HANDSHAKE:
            self._socket = self._context.wrap_socket(self._socket, server_side=True, do_handshake_on_connect=False)
            return True
        if first:
            self._socket.recv(RECORD_BYTES)
            host, port = self._socket.getsockname()[:2]
            there = f"https://{in_url(host)}:{port}/"
            self._socket.send(
                f"HTTP/1.1 307 Temporary Redirect\r\nLocation: {there}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()
            )
        return False
