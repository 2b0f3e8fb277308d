"""Who may do what: the Host check, the table PIN, the token of a page's own requests, and the headers of every answer.

Two ways to play:

- On loopback (the default) everybody who reaches the server sits at this computer and may change the game. A browser must prove that
  the request comes from our own page (token and same origin); a program that is no browser sends neither cookies nor ``Origin``, and
  needs neither.
- ``lan``: anybody in the network may watch; changing needs the table PIN, once a browser session. Loopback makes no exception, for a proxy
  on this computer would lend it to everyone.

Not defended against: somebody who reads the network (plain http; with ``--https`` only somebody who takes this computer's place before a
device has come to know its certificate), and programs that already run on this computer.
"""

from __future__ import annotations

import hmac
import math
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Collection
from urllib.parse import urlsplit

from flask import Request, Response, session

from web.addresses import is_address
from web.settings import WebSettings
from web.translating import tr

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class Refused(Exception):
    """A request that may not do what it asks; ``status`` is the HTTP status and the text says what to do."""

    def __init__(self, message: str, status: int = 403, *, retry_after_s: int | None = None) -> None:
        super().__init__(message)
        self.message, self.status, self.retry_after_s = message, status, retry_after_s


def add_headers(response: Response) -> Response:
    """Add the security headers to ``response``; answers that change with the game are not stored by caches."""
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    if "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "no-store"
    return response


def check_host(request: Request, names: Collection[str]) -> None:
    """Raise `Refused` unless the Host header is an address in figures or one of ``names``.

    A page of another site whose name was pointed at this computer (DNS rebinding) sends its own name and is refused.
    """
    host = _hostname(f"//{request.environ.get('HTTP_HOST', '')}")
    if host is None or not (is_address(host) or host in names):
        raise Refused("This address is not known here: open the page by the address that the program printed.", 400)


def _hostname(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


class Gate:
    """Decides whether a request may change the game, and hands out tokens and, for the right PIN, permission."""

    def __init__(
        self,
        settings: WebSettings,
        *,
        pin: str | None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        """``pin`` is the table PIN; None lets everybody change the game who passes as our own page or as no browser.

        Guesses are counted by ``clock``; sessions, which may outlive the program, are dated by ``now``.
        """
        self.pin = pin
        self._holds_s, self._now = settings.pin_holds_s, now
        self._guesses = GuessLimit(settings, clock)

    def may_change(self) -> bool:
        """Whether this browser session may change the game (as far as the PIN goes)."""
        entered_s = session.get("pin_entered")
        return self.pin is None or (isinstance(entered_s, float) and 0 <= self._now() - entered_s < self._holds_s)

    def token(self) -> str:
        """The token of this browser session, made at the first call; our own page sends it with every change."""
        if "token" not in session:
            session["token"] = secrets.token_urlsafe(18)
        return str(session["token"])

    def check_change(self, request: Request) -> None:
        """Raise `Refused` unless ``request`` may change the game."""
        self.check_own(request)
        if not self.may_change():
            raise Refused("Changing the game needs the table PIN.", 401)

    def check_own(self, request: Request) -> None:
        """Raise `Refused` for a request that another site's page may have sent."""
        _check_origin(request)
        if _is_browser(request):
            sent = request.headers.get("X-CSRF-Token", "")
            if not hmac.compare_digest(sent.encode(), str(session.get("token", "")).encode() or b"\0"):
                raise Refused("This page is from before the program started again: load it once more.", 403)

    def enter_pin(self, request: Request, guess: object) -> None:
        """Give this session permission for the right PIN; raises `Refused` for a wrong one or after too many wrong ones."""
        if self.pin is None:
            return
        address = request.remote_addr or ""
        self._guesses.attempt(address)
        if not isinstance(guess, str) or not hmac.compare_digest(guess.strip().encode(), self.pin.encode()):
            raise Refused("That is not the table PIN.", 403)
        self._guesses.passed(address)
        session["pin_entered"] = self._now()


def _check_origin(request: Request) -> None:
    origin = request.headers.get("Origin")
    if origin is not None and origin.partition("://")[2] != request.host:
        raise Refused("Requests from other sites are refused.")
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise Refused("Requests from other sites are refused.")


def _is_browser(request: Request) -> bool:
    return bool(session) or "Origin" in request.headers or "Sec-Fetch-Site" in request.headers or bool(request.cookies)


def new_pin(digits: int) -> str:
    """A random PIN of ``digits`` digits."""
    return "".join(secrets.choice("0123456789") for _ in range(digits))


class GuessLimit:
    """Counts guesses of the PIN by address and in all, within a sliding window. Thread safe."""

    def __init__(self, settings: WebSettings, clock: Callable[[], float]) -> None:
        self._settings = settings
        self._clock = clock
        self._guesses: deque[tuple[float, str]] = deque()
        self._lock = threading.Lock()

    def attempt(self, address: str) -> None:
        """Count a guess of ``address``, before it is compared so that guesses at the same moment count too.

        Raises `Refused` (429) when the address, or everybody together, must wait.
        """
        with self._lock:
            now = self._clock()
            while self._guesses and self._guesses[0][0] <= now - self._settings.pin_window_s:
                self._guesses.popleft()
            mine = [at for at, who in self._guesses if who == address]
            self._limit(mine, self._settings.pin_tries, now)
            self._limit([at for at, _ in self._guesses], self._settings.pin_tries_everyone, now)
            self._guesses.append((now, address))

    def passed(self, address: str) -> None:
        """Forget the guesses of ``address``: the last one was right."""
        with self._lock:
            self._guesses = deque(guess for guess in self._guesses if guess[1] != address)

    def _limit(self, times: list[float], allowed: int, now: float) -> None:
        if len(times) >= allowed:
            wait_s = max(1, math.ceil(times[-allowed] + self._settings.pin_window_s - now))
            raise Refused(tr("Too many wrong PINs: try again in {n} min.").format(n=math.ceil(wait_s / 60)), 429, retry_after_s=wait_s)
