"""Opening the game and watching it: the steps that `watch`, `serve` and `demo` have in common."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from web.cli.options import KEEP_NOTHING, Keeping, default_db
from web.cli.output import Printer
from web.cli.program import Misuse, Refusal

if TYPE_CHECKING:
    from referee.journal import Journal
    from referee.options import GameOptions
    from vision.frames import Source
    from web.camera_desk import CameraDesk
    from web.following import Following
    from web.live import LiveGame

RECORDING_WAITS_S = 60.0
"""Seconds for which the watching of a file waits for room on a full disk; the file can be watched again, a table cannot."""


def new_game(keep: Keeping, options: GameOptions) -> LiveGame:
    """A new game that is watched from a file, kept in the database or with `:memory:` nowhere.

    Raises:
        JournalError: the database cannot be opened or written.
    """
    from referee.table import Table
    from web.live import LiveGame
    from web.settings import WebSettings

    settings = WebSettings(patience_s=RECORDING_WAITS_S)
    if keep.db == KEEP_NOTHING:
        return LiveGame(Table(options), settings=settings)
    journal = open_journal(keep)
    number = journal.new_game(options.as_json(), from_recording=True)
    return LiveGame(Table(options), journal, game_number=number, settings=settings)


def resumed_game(keep: Keeping, options: GameOptions, printer: Printer, *, recordings: bool = False) -> LiveGame:
    """The unfinished game of the database, else a new one with `options`.

    Args:
        keep: where games are kept.
        options: for a new game; when others than the usual ones were given and an unfinished game goes on all the same, that is said.
        printer: says it.
        recordings: open the last game even when it is over or from a recording, to show it, unless options were given for a new one.

    Raises:
        JournalError: the database cannot be opened or written.
    """
    from referee.options import GameOptions
    from referee.table import Table
    from web.live import LiveGame

    if keep.db == KEEP_NOTHING:
        return LiveGame(Table(options))
    usual = options == GameOptions()
    journal = open_journal(keep, recordings=recordings, any_table=recordings)
    live = LiveGame.open(journal, options, keep_over=recordings and usual)
    if not usual and live.table.options != options:
        title = live.table.options.rules.title
        printer.note(
            f"The unfinished game of {title} in {journal.name} goes on as it began; "
            "end it on the page, or name another --db, for other options."
        )
    return live


def open_journal(keep: Keeping, *, must_exist: bool = False, recordings: bool = True, any_table: bool = False) -> Journal:
    """The journal at a file or database URL, seen from its table; with `any_table` from the one that began a game last, if none is named.

    Raises:
        Refusal: the file `must_exist` and does not, or its folder is not there.
        Misuse: there are several tables, and none was named.
        JournalError: it is no journal.
    """
    from referee.journal import Journal, Retention

    if "://" not in keep.db:
        if must_exist and not Path(keep.db).exists():
            raise Refusal(f"{keep.db}: no such file; name the --db that the game is kept in")
        _prepare_folder(Path(keep.db).resolve())
    journal = Journal(keep.db, recordings=recordings, retention=Retention(days=keep.evidence_days))
    wanted = journal.newest_table() if any_table and keep.table is None else keep.table
    journal.sit_at(_table_of(journal, wanted, must_exist=must_exist))
    return journal


def _prepare_folder(db: Path) -> None:
    """Make the folder of the usual database. Another one's is there already: else the name is mistyped, and an old game not found."""
    if db == Path(default_db()).resolve():
        db.parent.mkdir(parents=True, exist_ok=True)
    elif not db.parent.exists():
        raise Refusal(f"--db {db}: there is no folder {db.parent}; make it first")


def _table_of(journal: Journal, wanted: str | None, *, must_exist: bool) -> str:
    """The name of the table: the one wanted, or the only one there is."""
    known = journal.tables()
    if wanted is None and len(known) <= 1:
        return known[0] if known else ""
    names = ", ".join(name or "''" for name in known) or "no table at all"
    if wanted is None:
        raise Misuse(f"{journal.name} keeps the games of several tables; name one with --table: {names}")
    if must_exist and wanted not in known:
        raise Refusal(f"{journal.name} holds no game of the table {wanted!r}; it has {names}")
    return wanted


def watch_game(
    source: Source, live: LiveGame, printer: Printer, how: Following, *, stills: bool = False, desk: CameraDesk | None = None
) -> None:
    """Follow `source` to its end and print every event of the game, those that people cause on the page too.

    At the `desk` people change the camera and say where the board is; then, and when a new game wants another board, the watching
    begins anew.

    Raises:
        SourceError: the source holds nothing that can be watched.
    """
    from calibration.locate import locate_board
    from vision.facing import facing
    from vision.viewfinder import Changed
    from vision.watch import Watcher, WatchSettings
    from web.following import follow

    rules = live.table.options.rules

    def hear(event: Mapping[str, Any]) -> None:
        printer.event(event)
        if desk is not None and live.table.options.rules != rules:
            desk.begin_again()

    stop_listening = live.listen(hear)
    try:
        while True:
            rules = live.table.options.rules
            locate = desk.search() if desk else locate_board
            if live.standing():
                locate = facing(locate, live, rules.colors)
            watcher = Watcher(source, live, rules.size, rules.colors, WatchSettings(stills=stills), locate=locate)
            try:
                follow(watcher, live, how)
                return
            except Changed:
                how = replace(how, resumed=bool(live.table.events))
    finally:
        stop_listening()


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
