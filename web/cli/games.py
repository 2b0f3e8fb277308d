"""Opening the game and its page: the steps that `watch`, `serve` and `demo` have in common."""

from __future__ import annotations

import ipaddress
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from web.cli.output import Printer
from web.cli.program import Refusal

if TYPE_CHECKING:
    from flask import Flask

    from referee.journal import Journal
    from referee.options import GameOptions
    from vision.frames import Source
    from web.following import Following
    from web.live import LiveGame
    from web.server import Server

KEEP_NOTHING = ":memory:"
USUAL_PORT = 8000


def new_game(db: str, options: GameOptions) -> LiveGame:
    """A new game, kept in the database or with `:memory:` nowhere.

    Raises:
        JournalError: the database cannot be opened or written.
    """
    from referee.table import Table
    from web.live import LiveGame

    if db == KEEP_NOTHING:
        return LiveGame(Table(options))
    journal = open_journal(db)
    number = journal.new_game(options.as_json())
    return LiveGame(Table(options), journal, game_number=number)


def resumed_game(db: str, options: GameOptions, printer: Printer, *, keep_over: bool = False) -> LiveGame:
    """The unfinished game of the database, else a new one with `options`.

    Args:
        db: where games are kept.
        options: for a new game; when others than the usual ones were given and an unfinished game goes on all the same, that is said.
        printer: says it.
        keep_over: open the last game even when it is over, to show its result, unless options were given for a new one.

    Raises:
        JournalError: the database cannot be opened or written.
    """
    from referee.options import GameOptions
    from web.live import LiveGame

    if db == KEEP_NOTHING:
        return new_game(db, options)
    usual = options == GameOptions()
    live = LiveGame.open(open_journal(db), options, keep_over=keep_over and usual)
    if not usual and live.table.options != options:
        title = live.table.options.rules.title
        printer.note(
            f"The unfinished game of {title} in {db} goes on as it began; end it on the page, or name another --db, for other options."
        )
    return live


def open_journal(db: str, *, must_exist: bool = False) -> Journal:
    """The journal at a file or database URL.

    Raises:
        Refusal: the file `must_exist` and does not.
        JournalError: it is no journal.
    """
    from referee.journal import Journal

    if "://" not in db:
        if must_exist and not Path(db).exists():
            raise Refusal(f"{db}: no such file; name the --db that the game is kept in")
        Path(db).resolve().parent.mkdir(parents=True, exist_ok=True)
    return Journal(db)


def watch_game(source: Source, live: LiveGame, printer: Printer, how: Following, *, stills: bool) -> None:
    """Follow `source` to its end and print every event of the game, those that people cause on the page too.

    Raises:
        SourceError: the source holds nothing that can be watched.
    """
    from vision.watch import Watcher, WatchSettings
    from web.following import follow

    rules = live.table.options.rules
    stop_printing = live.listen(printer.event)
    try:
        follow(Watcher(source, live, size=rules.size, colors=rules.colors, settings=WatchSettings(stills=stills)), live, how)
    finally:
        stop_printing()


@contextmanager
def page(live: LiveGame, printer: Printer, *, host: str | None, port: int | None, lan: bool) -> Iterator[Server]:
    """Serve the page while the block runs; prints the address alone on the first line.

    Another address than loopback is open to others, and then needs the PIN like `lan`.

    Raises:
        ServerError: the address is taken or not allowed.
    """
    from web import create_app

    host = host or ("0.0.0.0" if lan else "127.0.0.1")  # noqa: S104 - asked for by --lan, and guarded by its PIN
    shared = lan or not _is_loopback(host)
    app = create_app(live, lan=shared)
    server = _listen(app, host, port)
    server.start()
    try:
        printer.say(server.url)
        if shared:
            printer.say(
                f"From a phone: http://{_own_address(host)}:{server.port}/ - the PIN for changes is {app.extensions['referee'].pin}"
            )
        yield server
    finally:
        server.stop()


def _listen(app: Flask, host: str, port: int | None) -> Server:
    from web.server import ServerError, serve

    if port is not None:
        return serve(app, host, port)
    try:
        return serve(app, host, USUAL_PORT)
    except ServerError:
        return serve(app, host, 0)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _own_address(host: str) -> str:
    """This computer's address in its local network; connecting a datagram socket sends nothing and picks the way out."""
    if host not in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


@contextmanager
def until_stopped() -> Iterator[None]:
    """Let Ctrl-C or a termination signal end the block quietly.

    Both are set, not trusted: a shell starts background programs with Ctrl-C ignored.
    """
    before = {number: signal.signal(number, signal.default_int_handler) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
