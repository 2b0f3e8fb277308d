"""Answers made small on their way: text compresses to a fifth, and every page asks for its changing part after every event."""

from __future__ import annotations

import gzip
from functools import lru_cache

from flask import Request, Response

SMALLEST = 1000
"""Bytes; what is shorter fits into one packet as it is."""

TYPES = ("text/", "application/json", "application/javascript", "image/svg+xml")
"""Beginnings of the media types that are text. Streams of events are left alone: each event must leave at once."""


def compress(request: Request, response: Response) -> Response:
    """Compress ``response`` where that helps and the reader understands it."""
    if not _is_text(response):
        return response
    response.vary.add("Accept-Encoding")
    if response.status_code != 200 or request.method != "GET" or request.accept_encodings.quality("gzip") <= 0:
        return response
    response.direct_passthrough = False  # files are sent past us otherwise
    data = response.get_data()
    if len(data) < SMALLEST:
        return response
    response.set_data(_packed(data))
    response.headers["Content-Encoding"] = "gzip"
    etag, _ = response.get_etag()
    if etag:
        response.set_etag(etag, weak=True)  # the same text, not the same bytes
    return response


def _is_text(response: Response) -> bool:
    kind = response.mimetype or ""
    return kind.startswith(TYPES) and kind != "text/event-stream" and "Content-Encoding" not in response.headers


@lru_cache(maxsize=32)
def _packed(data: bytes) -> bytes:
    """The data compressed; whoever asks for the same gets the same."""
    return gzip.compress(data, compresslevel=6, mtime=0)
