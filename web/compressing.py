"""Answers made small on their way: text compresses to a fifth, and every page asks for its changing part after every event."""

from __future__ import annotations

import gzip
import threading
from collections import OrderedDict

from flask import Request, Response

SMALLEST = 1000
"""Bytes; what is shorter fits into one packet as it is."""

TYPES = ("text/", "application/json", "application/javascript", "image/svg+xml")
"""Beginnings of the media types that are text. Streams of events are left alone: each event must leave at once."""

MOST_KEPT_BYTES = 1024 * 1024
"""Compressed answers kept for the next who ask: the page's files take 60 kB, its changing part 20 kB a language and game."""


class Packed:
    """Answers that many ask for, compressed once. Thread safe."""

    def __init__(self, most_bytes: int = MOST_KEPT_BYTES) -> None:
        """Those asked for last are kept, ``most_bytes`` of them."""
        self._most_bytes, self._bytes = most_bytes, 0
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    def get(self, key: tuple[str, str], data: bytes) -> bytes:
        """``data`` compressed; ``key`` is its address and tag, which no other data has."""
        with self._lock:  # also while it is compressed: whoever asks meanwhile asks for the same
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            found = self._kept[key] = _packed(data)
            self._bytes += len(found)
            while self._bytes > self._most_bytes:
                self._bytes -= len(self._kept.popitem(last=False)[1])
            return found


def compress(request: Request, response: Response, packed: Packed) -> Response:
    """Compress ``response`` where that helps and the reader understands it; what has a tag is kept in ``packed``."""
    if not _is_text(response):
        return response
    response.vary.add("Accept-Encoding")
    if response.status_code != 200 or request.method != "GET" or request.accept_encodings.quality("gzip") <= 0:
        return response
    response.direct_passthrough = False  # files are sent past us otherwise
    data = response.get_data()
    if len(data) < SMALLEST:
        return response
    etag, _ = response.get_etag()
    response.set_data(packed.get((request.path, etag), data) if etag else _packed(data))
    response.headers["Content-Encoding"] = "gzip"
    if etag:
        response.set_etag(etag, weak=True)  # the same text, not the same bytes
    return response


def _is_text(response: Response) -> bool:
    kind = response.mimetype or ""
    return kind.startswith(TYPES) and kind != "text/event-stream" and "Content-Encoding" not in response.headers


def _packed(data: bytes) -> bytes:
    return gzip.compress(data, compresslevel=6, mtime=0)
