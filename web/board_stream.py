"""The board as the camera sees it, for streams: square, upright and cropped to the board, as a still and as an MJPEG."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, cast

from flask import Blueprint, Response, request

from web.live import LiveGame
from web.security import Refused
from web.settings import WebSettings
from web.shell import shell
from web.streams import Seats

if TYPE_CHECKING:
    from vision.board_shot import BoardShot

board_stream = Blueprint("board_stream", __name__)

BOUNDARY = "board"


@board_stream.get("/board.jpg")
def still() -> Response:
    """The newest picture of the board."""
    return Response(_shot(shell().live).square, mimetype="image/jpeg")


@board_stream.get("/board.mjpeg")
def moving() -> Response:
    """The pictures of the board as they come, for as long as the reader stays."""
    parts = shell()
    _shot(parts.live)
    gone = cast("Callable[[], bool]", request.environ.get("waitress.client_disconnected", lambda: False))
    if not parts.viewers.take():
        raise Refused("Too many look at the board already: ask for /board.jpg from time to time instead.", 503, retry_after_s=10)
    return Response(BoardStream(parts.live, parts.viewers, gone), mimetype=f"multipart/x-mixed-replace; boundary={BOUNDARY}")


def _shot(live: LiveGame) -> BoardShot:
    if live.board_now is None:
        raise Refused("No camera watches this game here: ask the program that watches it.", 404)
    shot = live.board_now()
    if shot is None:
        raise Refused("The camera does not see the board at present; ask again in a moment.", 503, retry_after_s=2)
    return shot


class BoardStream:
    """The body of an MJPEG: an iterator of bytes that gives its seat back when closed, even before it began.

    While the board is out of sight nothing is sent, and the last picture stays. It ends when the watching ends, the live game closes or
    ``gone`` says that the reader has left.
    """

    def __init__(self, live: LiveGame, seats: Seats, gone: Callable[[], bool]) -> None:
        self._live, self._seats, self._gone = live, seats, gone
        self._open = True
        self._last: BoardShot | None = None
        self._due_s = 0.0

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        while self._open:
            shot = self._next()
            if shot is not None:
                jpeg = shot.square
                head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                return head.encode() + jpeg + b"\r\n"
        raise StopIteration

    def _next(self) -> BoardShot | None:
        """A picture that was not sent yet, after a pause; None: look again."""
        settings: WebSettings = self._live.settings
        time.sleep(max(0.0, min(self._due_s - time.monotonic(), settings.board_pause_s)))
        if self._live.board_now is None or self._live.feed.closed or self._gone():
            self.close()
            return None
        self._due_s = time.monotonic() + settings.board_pause_s
        shot = self._live.board_now()
        if shot is None or shot is self._last:
            return None
        self._last = shot
        return shot

    def close(self) -> None:
        """End the stream and free its seat; the server calls this whatever happened."""
        if self._open:
            self._open = False
            self._seats.leave()
