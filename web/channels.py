"""Connections as waitress has them, with two things that it lacks: streams are handed over, and an answer without a body keeps them.

A stream of events would hold one of its threads for as long as somebody listens: once it has begun it is handed over to a fan-out, which
tells all readers from one thread. And an answer that has no body (304 above all) does not end its connection.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from waitress.channel import HTTPChannel
from waitress.task import WSGITask

from web.streams import EventStream

_HAND_OVER = "referee.hand_over"


def hand_over(environ: Mapping[str, Any], stream: EventStream) -> bool:
    """Let a stream be told by its game's fan-out once the request's answer has begun with its first part.

    False when the server that answers cannot do that: the stream itself is then the body.
    """
    take = cast("Callable[[EventStream], None] | None", environ.get(_HAND_OVER))
    if take is None:
        return False
    take(stream)
    return True


class Task(WSGITask):  # type: ignore[misc]  # waitress ships no types
    """Answering one request."""

    _stream: EventStream | None = None

    def get_environment(self) -> dict[str, Any]:
        """The request as WSGI has it, and by what its stream is handed over."""
        environ: dict[str, Any] = super().get_environment()
        environ[_HAND_OVER] = self._take
        return environ

    def _take(self, stream: EventStream) -> None:
        self._stream = stream

    def service(self) -> None:
        """Answer; a stream that could not be begun is closed."""
        try:
            super().service()
        finally:
            if self._stream is not None:
                self._stream.close()

    def finish(self) -> None:
        """End the answer, or leave the rest of it to the fan-out."""
        if self._stream is None:
            super().finish()
            return
        self.close_on_finish = False
        stream, self._stream = self._stream, None
        self.channel.leave(stream, is_chunked=self.chunked_response)

    def set_close_on_finish(self) -> None:
        """Close the connection after the answer, unless all that waitress misses is the length of a body that there is none of."""
        asked = self.request.headers.get("CONNECTION", "").lower() == "close"
        if self.has_body or self.version == "1.0" or asked:
            super().set_close_on_finish()


class Channel(HTTPChannel):  # type: ignore[misc]  # waitress ships no types
    """A connection to a browser."""

    task_class = Task
    connected: bool
    _is_leaving = False

    def received(self, data: bytes) -> bool:
        """Take in what has come; nothing more is asked on a connection on which a stream has begun."""
        return not self._is_leaving and bool(super().received(data))

    def leave(self, stream: EventStream, *, is_chunked: bool) -> None:
        """Leave waitress and be told the rest of a stream by a fan-out; called by the thread that answers."""
        with self.requests_lock:
            self._is_leaving = True
            del self.requests[1:]
        # In the server's loop, which alone may change what it watches.
        self.server.trigger.pull_trigger(lambda: self._go(stream, is_chunked=is_chunked))

    def _go(self, stream: EventStream, *, is_chunked: bool) -> None:
        with self.outbuf_lock:
            if not self.connected:
                stream.close()
                return
            rest = b"".join(buffer.get(-1) for buffer in self.outbufs)
            for buffer in self.outbufs:
                buffer.close()
            self.total_outbufs_len = 0
            self.connected = False
            self.del_channel()
        self.server.adopt(self.socket, stream, is_chunked=is_chunked, unsent=rest)
