"""Cameras that send pictures over HTTP, as phone apps and network cameras do: a stream of JPEG parts, or one picture a request.

A video library would do, but paints what is missing of a damaged picture grey and says nothing; here such pictures are left out.
"""

from __future__ import annotations

import http.client
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import IO
from urllib.parse import SplitResult, urlsplit, urlunsplit

import cv2

from vision.frames import BgrImage, SourceError
from vision.pictures import decode_picture

TIMEOUT_S = 5.0
"""Silence of the network after which a connection counts as broken."""

MOST_BYTES = 20_000_000
"""Bytes of one picture that are believed: without it a stream without boundaries would fill the memory."""

LEAST_PAUSE_S = 0.1
"""Pause between requests where each gives one picture: ten a second are enough, and phones must not be kept busy."""

PICTURES, STREAM, OTHER = "pictures", "stream", "other"


def without_secrets(url: str) -> str:
    """A stream's URL without user name, password and query, fit to be printed."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.partition("://")[0] + "://..."
    return urlunsplit(SplitResult(parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


class HttpPictures:
    """The JPEG pictures at one address.

    Args:
        url: ``http://`` or ``https://``, perhaps with user name and password.

    Attributes:
        kind: after `open`: ``stream`` of parts, single ``pictures``, or ``other``, which this class cannot read.
        failure: why the last connection failed, in the system's words; empty when it did not.
    """

    def __init__(self, url: str) -> None:
        self.kind = OTHER
        self.failure = ""
        self._url, self._opener = _prepared(url)
        self._shown = without_secrets(url)
        self._newest: _Newest | None = None
        self._answer: http.client.HTTPResponse | None = None
        self._asked_s = 0.0

    def open(self) -> bool:
        """Connect; False when that fails now.

        Raises:
            SourceError: the address will not do: it wants a password, has nothing there, or is a web page.
        """
        self.close()
        self._answer = answer = self._ask()
        if answer is None:
            return False
        content = answer.headers.get_content_type()
        self.kind = STREAM if content.startswith("multipart/") else PICTURES if content.startswith("image/") else OTHER
        if content in ("text/html", "application/xhtml+xml"):
            raise SourceError(
                f"{self._shown} is a web page, not a stream: camera apps show the address to use, often ending in /video or /mjpegfeed"
            )
        if self.kind == STREAM:
            self._newest, self._answer = _Newest(answer, (answer.headers.get_boundary() or "").encode()), None
        return True

    def read(self) -> BgrImage | None:
        """The newest whole picture, each once; None when the connection ends or falls silent."""
        try:
            for data in self._newest.parts() if self._newest is not None else self._requested():
                image = _decoded(data)
                if image is not None:
                    return image
        except (OSError, http.client.HTTPException):
            pass
        return None

    def close(self) -> None:
        """End the connection; harmless when repeated."""
        if self._newest is not None:
            self._newest.stop()
            self._newest = None
        if self._answer is not None:
            self._answer.close()
            self._answer = None

    def _requested(self) -> Iterator[bytes]:
        """One picture a request; the first was asked for on opening."""
        while True:
            answer, self._answer = self._answer or self._ask(), None
            if answer is None:
                return
            with answer:
                yield answer.read(MOST_BYTES)
            time.sleep(max(0.0, LEAST_PAUSE_S - (time.monotonic() - self._asked_s)))

    def _ask(self) -> http.client.HTTPResponse | None:
        self._asked_s = time.monotonic()
        try:
            answer: http.client.HTTPResponse = self._opener.open(self._url, timeout=TIMEOUT_S)
        except urllib.error.HTTPError as error:
            error.close()
            if error.code in (401, 403):
                raise SourceError(f"{self._shown} wants a user name and password: http://NAME:PASSWORD@...") from None
            if 400 <= error.code < 500:
                raise SourceError(f"{self._shown} gives no pictures ({error.code} {error.reason}): check the address") from None
            self.failure = f"{error.code} {error.reason}"
            return None
        except http.client.InvalidURL as error:
            raise SourceError(f"{self._shown} is no address: {error}") from error
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            self.failure = str(getattr(reason, "strerror", None) or reason)
            return None
        self.failure = ""
        return answer


class _Newest:
    """The newest part of a stream: a thread fetches without decoding, so that a slow decoder never lags behind the network's buffers.

    The thread ends with the connection, after silence, or at the next part once it is told to stop.
    """

    def __init__(self, answer: http.client.HTTPResponse, boundary: bytes) -> None:
        self._answer = answer
        self._boundary = boundary
        self._news = threading.Condition()
        self._part: bytes | None = None
        self._has_ended = False
        threading.Thread(target=self._fetch, name="stream reader", daemon=True).start()

    def parts(self) -> Iterator[bytes]:
        """The newest part not seen yet, waited for, again and again until the connection ends."""
        while True:
            with self._news:
                self._news.wait_for(lambda: self._part is not None or self._has_ended, timeout=2 * TIMEOUT_S)
                part, self._part = self._part, None
            if part is None:
                return
            yield part

    def stop(self) -> None:
        """Nobody wants any more."""
        with self._news:
            self._has_ended = True
            self._news.notify_all()

    def _fetch(self) -> None:
        try:
            with self._answer:
                for part in parts(self._answer, self._boundary):
                    with self._news:
                        if self._has_ended:
                            return
                        self._part = part
                        self._news.notify_all()
        except (OSError, ValueError, http.client.HTTPException):
            return  # the end of the connection is told below, whatever brought it
        finally:
            self.stop()


def _prepared(url: str) -> tuple[str, urllib.request.OpenerDirector]:
    """The address without name and password, and an opener that knows them and uses no proxy: the camera is at the table.

    Raises:
        SourceError: it is no address.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise SourceError(f"{without_secrets(url)} is no address: {error}") from error
    if not host:
        raise SourceError(f"{without_secrets(url)} names no computer: http://ADDRESS:PORT/... is wanted")
    bare = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    known = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    if parts.username:
        known.add_password(None, bare, parts.username, parts.password or "")
    guards = (urllib.request.HTTPBasicAuthHandler(known), urllib.request.HTTPDigestAuthHandler(known))
    return bare, urllib.request.build_opener(urllib.request.ProxyHandler({}), *guards)


def parts(stream: IO[bytes], boundary: bytes) -> Iterator[bytes]:
    """The bodies of a multipart stream's parts, as soon as each is complete; broken ones too.

    Args:
        stream: what follows the header of the answer.
        boundary: between the parts as announced; some cameras send more or fewer dashes before it.
    """
    mark = boundary.lstrip(b"-")
    while line := _line(stream):
        if not (line.startswith(b"--") and line.lstrip(b"-").startswith(mark)):
            continue
        length = None
        while (line := _line(stream)).strip():
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length" and value.strip().isdigit():
                length = int(value)
        if length is not None and length <= MOST_BYTES:
            yield stream.read(length)
        else:
            yield from _until_end(stream)


def _until_end(stream: IO[bytes]) -> Iterator[bytes]:
    """One JPEG picture of unknown length: up to its end marker at the end of a line."""
    body = bytearray()
    while len(body) < MOST_BYTES and (line := _line(stream)):
        body += line
        if line.rstrip(b"\r\n").endswith(b"\xff\xd9"):
            yield bytes(body)
            return


def _line(stream: IO[bytes]) -> bytes:
    return stream.readline(MOST_BYTES)


def _decoded(data: bytes) -> BgrImage | None:
    """The picture of a part; None when it is damaged, cut short or no picture."""
    try:
        return decode_picture(data, "a part of the stream")
    except (SourceError, cv2.error):
        return None
