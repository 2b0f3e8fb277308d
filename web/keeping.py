"""A live game's hold on its journal: when to look what other programs wrote, when to drop old evidence, and whether all is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar

from referee.errors import JournalError, NotKeptError, OvertakenError, RefereeError
from referee.events import Event
from referee.journal import Journal, News, Picture, take_input
from referee.table import Table
from web.settings import WebSettings

_P = ParamSpec("_P")
_R = TypeVar("_R")


_REPEATABLE = frozenset({"resolve", "answer", "place", "claim_blocked", "abandon", "finish"})
"""Decisions that name what they are about, and so mean the same after somebody else's; `undo` would take back something else."""


WATCHES = frozenset({"ready", "motion", "settling", "hidden"})
"""States in which a camera does its work."""


class Keeper:
    """Keeps a game in a journal, or nowhere when there is none. Call it under the live game's lock.

    Attributes:
        trouble: why nothing can be kept at present, empty when all is well.
    """

    def __init__(self, journal: Journal | None, settings: WebSettings, clock: Callable[[], float]) -> None:
        self.trouble = ""
        self._journal = journal
        self._settings = settings
        self._clock = clock
        self._said: tuple[str, str] | None = None
        self._say_due_s = self._hear_due_s = self._mute_until_s = clock()
        self._peek_due_s = self._prune_due_s = clock()
        self.prune()

    @property
    def journal(self) -> Journal | None:
        """Where the game is kept; None when it is kept nowhere."""
        return self._journal

    def numbers(self, game: int, table: Table) -> tuple[int, list[int]]:
        """The number of the last event before a game, and those of the table's events."""
        if self._journal is None:
            return 0, [*range(1, len(table.events) + 1)]
        found = [number for number, _ in self._journal.events_of(game)][: len(table.events)]
        return (found[0] - 1 if found else self._journal.event_count), found

    def new_game(self, options: Mapping[str, Any], last: int) -> int:
        """Begin a game; gives its number, the one after ``last`` when nothing is kept.

        Raises:
            NotKeptError: it could not be written; nothing was changed.
        """
        if self._journal is None:
            return last + 1
        number = self._try(self._journal.new_game, options)
        self.prune()
        return number

    def append(self, kind: str, value: Mapping[str, Any], events: Sequence[Event], pictures: Mapping[str, Picture], last: int) -> list[int]:
        """Write down an input, its events and their pictures; gives the numbers of the events, those after ``last`` when nothing is kept.

        Raises:
            NotKeptError: it could not be written; nothing was changed.
            OvertakenError: another program was faster; nothing was changed.
        """
        if self._journal is None:
            return [*range(last + 1, last + 1 + len(events))]
        numbers = self._try(self._journal.append, kind, value, events, pictures if events else {})
        self.prune()
        return numbers

    def news(self, *, now: bool = False) -> News | None:
        """What other programs wrote, looked up from time to time or ``now``.

        Raises:
            NotKeptError: it cannot be read at present.
            JournalError: it cannot be understood.
        """
        if self._journal is None or not (now or self._is_due()):
            return None
        self._peek_due_s = self._clock() + self._settings.peek_s
        try:
            return self._journal.news()
        except NotKeptError as error:
            self.trouble = str(error) if now else self.trouble
            raise

    def recover(self) -> bool:
        """Try whether what could not be written before could be now; True when the trouble has just ended."""
        if self._journal is None or not self.trouble or not self._is_due():
            return False
        self._peek_due_s = self._clock() + self._settings.retry_s
        try:
            self._try(self._journal.check)
        except JournalError:
            return False
        return True

    def load_table(self) -> Table:
        """The game under way, worked out again.

        Raises:
            JournalError: it cannot be read.
        """
        if self._journal is None:
            raise JournalError("nothing is kept")
        return self._journal.load_table()

    def followed(self, table: Table, news: News) -> Table:
        """The table after what another program did to the same game.

        Raises:
            JournalError: it cannot be read.
        """
        after = table.fork()
        try:
            for kind, value in news.inputs:
                take_input(after, kind, value)
        except RefereeError:
            return self.load_table()
        after.events[:] = [*table.events, *(event for _, event in news.events)]
        return after

    def say_camera(self, state: str | None, reason: str = "") -> None:
        """Let other programs know how this one's camera does, but not with every flicker of its state; None: it watches no more.

        What cannot be written is left out: that the page says louder things then is the business of whoever keeps the game.
        """
        if self._journal is None or (state is None and self._said is None):
            return
        is_urgent = self._said is None or state is None or (state in WATCHES) != (self._said[0] in WATCHES)
        if self._clock() < (self._mute_until_s if is_urgent else self._say_due_s):
            return
        try:
            self._journal.say_camera(state, reason)
        except JournalError:
            self._mute_until_s = self._clock() + self._settings.camera_silent_s  # each try may wait long, and the camera with it
            return
        self._said = None if state is None else (state, reason)
        self._say_due_s = self._clock() + self._settings.tell_camera_s

    def camera_elsewhere(self) -> tuple[str | None, str] | None:
        """State (None: no camera) and reason of the camera of another program that watches this table, looked up from time to time."""
        if self._journal is None or self._clock() < self._hear_due_s:
            return None
        self._hear_due_s = self._clock() + self._settings.peek_s
        try:
            word = self._journal.camera_word()
        except JournalError:
            return None
        if word is None or word.age_s > self._settings.camera_gone_s:
            return None, ""
        if word.age_s > self._settings.camera_silent_s and word.state != "lost":
            return "lost", "The program that watches with the camera has fallen silent."
        return word.state, word.reason

    def picture(self, game: int, name: str) -> Picture | None:
        """An evidence picture that is kept, None when it is not or cannot be read."""
        try:
            return self._journal.picture(game, name) if self._journal else None
        except JournalError:
            return None

    def begun_on(self, game: int) -> str:
        """The day a game began, YYYY-MM-DD, empty when it is not kept or cannot be read."""
        try:
            return self._journal.begun_on(game) if self._journal else ""
        except JournalError:
            return ""

    def prune(self) -> None:
        """Drop evidence that is older than it may be, from time to time."""
        if self._journal is None or self._clock() < self._prune_due_s:
            return
        self._prune_due_s = self._clock() + self._settings.prune_s
        try:
            a_tenth_s = self._journal.prune() * 86400 / 10
        except NotKeptError:
            return  # on a full disk nothing can be dropped either; the next time it may
        self._prune_due_s = self._clock() + min(self._settings.prune_s, a_tenth_s)

    def _is_due(self) -> bool:
        return self._clock() >= self._peek_due_s

    def _try(self, act: Callable[_P, _R], *args: _P.args, **options: _P.kwargs) -> _R:
        try:
            result = act(*args, **options)
        except NotKeptError as error:
            self.trouble = str(error)
            raise
        self.trouble = ""
        return result


def not_kept(trouble: str) -> str:
    """The sentence for people at the table about a `Keeper.trouble`."""
    return f"NOT KEPT: {trouble}. Nothing is shown before it is kept; this goes on by itself when it can be."


def still_means(kind: str, value: Mapping[str, Any], *, is_same_game: bool) -> bool:
    """Whether an input means the same after others have changed the game; what a camera saw of another game is left out.

    Raises:
        OvertakenError: the people had better look first.
    """
    if kind != "decision":
        return is_same_game
    if is_same_game and value.get("decision") in _REPEATABLE:
        return True
    raise OvertakenError("another program has just changed this game; look at it and decide again")
