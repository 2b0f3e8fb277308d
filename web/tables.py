"""The tables and games of one database: each is opened when somebody looks at it, and what the list says of it is worked out once.

A table's game is a live one: it follows what other programs write, and decisions made here reach them through the journal. A game of the
past is only looked at.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from referee.errors import DecisionError, JournalError
from referee.events import Event
from referee.journal import Journal
from referee.journal_listing import Kept, camera_words, earlier_games, last_games, one_game
from referee.table import Table
from web.live import LiveGame
from web.pictures import Picture, PictureStore
from web.settings import WebSettings
from web.shell import Rendered

EARLIER = 20
"""Games of the past on one page of the list."""

MOST_PAST = 8
"""Games of the past held open at once."""

MOST_LISTS = 16
"""Lists kept for the next who ask: the newest games in every language, and a few of earlier ones."""

MOST_KNOWN = 500
"""Games of which the list remembers what it says, some 20 kB each."""

_V = TypeVar("_V")


class PastGame(LiveGame):
    """A game of the past: all there is to see of it, and nothing to change."""

    def __init__(self, table: Table, kept: Kept, settings: WebSettings, fetch: Callable[[str], Picture | None]) -> None:
        """``table`` is the game at its end; ``fetch`` gives its pictures that are still kept."""
        super().__init__(table, game_number=kept.number, settings=settings)
        self.kept, self.table_name = kept, kept.table
        self.pictures = PictureStore(settings.kept_picture_bytes, fetch)

    def decide(self, decision: Mapping[str, Any]) -> list[Event]:
        """Nothing is decided any more.

        Raises:
            DecisionError: always.
        """
        del decision
        raise DecisionError("a game of the past is only looked at; decisions are about the game under way")

    def begun_on(self) -> str:
        """The day it began, YYYY-MM-DD; empty when nobody knows."""
        return "" if self.kept.is_recording else self.kept.begun.partition(" ")[0]


@dataclass(frozen=True)
class Line:
    """What the list says of a game.

    Attributes:
        kept: which game it is, and when it began.
        state: the state of its table without its log, and of its placements the rulings alone; empty when it cannot be read.
        trouble: why it cannot, in one line.
        camera: how the camera at its table does (a word of CONTRACT.md); None: no camera.
    """

    kept: Kept
    state: Mapping[str, Any]
    trouble: str = ""
    camera: str | None = None


class Tables:
    """The tables and games of the database of one live game. Thread safe.

    Attributes:
        own: the live game of this server's own table.
        rendered: the HTML that was made of each open game last.
    """

    def __init__(self, own: LiveGame) -> None:
        self.own = own
        self.rendered: WeakKeyDictionary[LiveGame, Rendered] = WeakKeyDictionary()
        self._lock = threading.Lock()
        self._making = threading.Lock()
        self._lists: OrderedDict[tuple[str, int | None], tuple[float, str]] = OrderedDict()
        self._lobby: Journal | None = None
        self._open: OrderedDict[str, LiveGame] = OrderedDict()
        self._past: OrderedDict[int, PastGame] = OrderedDict()
        self._known: OrderedDict[int, tuple[int, Mapping[str, Any], str]] = OrderedDict()

    @property
    def is_one(self) -> bool:
        """Whether there is no database, and so no other game."""
        return self.own.journal is None

    def live(self, name: str) -> LiveGame | None:
        """The live game at the table of that name; None when it has no game.

        Raises:
            JournalError: the database cannot be read.
        """
        if self.own.journal is None or name == self.own.journal.table:
            return self.own if self.own.journal is not None else None
        with self._lock:
            if name not in self._open:
                if name not in self._journal().tables():
                    return None
                self._open[name] = self._opened(name)
                _bounded(self._open, self.own.settings.most_tables, _closed)
            self._open.move_to_end(name)
            return self._open[name]

    def past(self, number: int) -> PastGame | str | None:
        """A game by its number; the name of its table when it is still the last one there, None when there is none.

        Raises:
            JournalError: the database cannot be read.
        """
        if self.is_one:
            return None
        with self._lock:
            kept = self._journal().ask(lambda base: one_game(base, number))
            if kept is None or kept.is_last:
                return kept.table if kept else None
            if number not in self._past:
                table = self._journal().load_table(number)
                self._past[number] = PastGame(table, kept, self.own.settings, lambda name: self._picture(number, name))
                _bounded(self._past, MOST_PAST, _closed)
            self._past.move_to_end(number)
            return self._past[number]

    def at_tables(self) -> list[Line]:
        """The last game of each table, the newest first.

        Raises:
            JournalError: the database cannot be read.
        """
        if self.is_one:
            return []
        with self._lock:
            words = self._journal().ask(camera_words)
            silent_s = self.own.settings.camera_silent_s
            lines = [self._line(kept) for kept in self._journal().ask(last_games)]
        if len(lines) > 1:  # a server for other programs' tables has one of its own, at which nobody plays
            lines = [line for line in lines if line.kept.table or not self._is_own(line) or line.state.get("status") != "waiting"]
        cameras = {table: word.state if word.age_s <= silent_s else "lost" for table, word in words.items() if word.age_s < self._gone_s}
        return [Line(line.kept, line.state, line.trouble, cameras.get(line.kept.table)) for line in lines]

    def earlier(self, before: int | None) -> list[Line]:
        """Up to `EARLIER` games of the past, newest first, with numbers under ``before`` (None: all).

        Raises:
            JournalError: the database cannot be read.
        """
        if self.is_one:
            return []
        with self._lock:
            return [self._line(kept) for kept in self._journal().ask(lambda base: earlier_games(base, before, EARLIER))]

    def ended(self, numbers: list[int]) -> list[Table]:
        """The games of these numbers, in their order.

        Raises:
            JournalError: there is no such game, or it cannot be read.
        """
        with self._lock:
            return [self._journal().load_table(number) for number in numbers]

    def list_html(self, key: tuple[str, int | None], make: Callable[[], str]) -> str:
        """The HTML of the list in a language from a game on, made once in a while for all who ask."""
        with self._making:
            now_s = time.monotonic()
            made = self._lists.get(key)
            if made is None or now_s - made[0] > self.own.settings.peek_s:
                made = self._lists[key] = now_s, make()
                _bounded(self._lists, MOST_LISTS)
            return made[1]

    def close(self) -> None:
        """Close every game but the server's own."""
        with self._lock:
            _bounded(self._open, 0, _closed)
            _bounded(self._past, 0, _closed)
            if self._lobby is not None:
                self._lobby.close()

    def _is_own(self, line: Line) -> bool:
        return self.own.journal is not None and line.kept.table == (self.own.journal.table or "")

    @property
    def _gone_s(self) -> float:
        return self.own.settings.camera_gone_s

    def _journal(self) -> Journal:
        """The database seen from no table, opened at the first look."""
        if self._lobby is None:
            if self.own.journal is None:
                raise JournalError("nothing is kept here")
            self._lobby = self.own.journal.beside(None)
        return self._lobby

    def _opened(self, name: str) -> LiveGame:
        """The live game at a table, with a connection of its own.

        Raises:
            JournalError: it cannot be read; nothing stays open.
        """
        journal = self._journal().beside(name)
        try:
            return LiveGame.open(journal, settings=self.own.settings)
        except JournalError:
            journal.close()
            raise

    def _picture(self, number: int, name: str) -> Picture | None:
        with self._lock:
            try:
                return self._journal().picture(number, name)
            except JournalError:
                return None

    def _line(self, kept: Kept) -> Line:
        """What the list says of a game: read again when something was written to it."""
        known = self._known.get(kept.number)
        if known is None or known[0] != kept.last_input:
            try:
                state, trouble = _in_short(self._journal().load_table(kept.number).state()), ""
            except JournalError as error:
                state, trouble = {}, str(error)
            known = self._known[kept.number] = kept.last_input, state, trouble
            _bounded(self._known, MOST_KNOWN)
        return Line(kept, *known[1:])


def _in_short(state: Mapping[str, Any]) -> dict[str, Any]:
    """What a list says of a game comes from a tenth of its state: not from where each piece lies, nor from its log."""
    rulings = [{"ruling": placement["ruling"]} for placement in state["placements"]]
    return {**{key: value for key, value in state.items() if key != "log"}, "placements": rulings}


def _bounded(held: OrderedDict[Any, _V], most: int, let_go: Callable[[_V], None] = lambda _: None) -> None:
    """Let go of the oldest that are too many."""
    while len(held) > most:
        let_go(held.popitem(last=False)[1])


def _closed(live: LiveGame) -> None:
    live.close()
    if live.journal is not None:
        live.journal.close()
