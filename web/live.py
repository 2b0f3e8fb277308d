"""The live game: the one place where a running game's state lives and changes.

It ties a `Table` to its journal, to the feed that pages listen to and to the evidence pictures. Watchers (a camera's thread) and people
(requests) call it at any time; one lock lets them in one after the other, and every change is in the journal before anybody is told. What
other programs write to the same game is taken over and told as if it had happened here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.cells import Cell
from referee.errors import JournalError, NotKeptError, OvertakenError
from referee.events import Event
from referee.journal import Journal
from referee.journal_evidence import open_evidence
from referee.options import GameOptions
from referee.sightings import Sighting
from referee.table import Table
from vision.wrapping import PAUSED
from web.feed import Batch, Feed
from web.keeping import Keeper, not_kept, still_means
from web.new_games import read_options
from web.pictures import Picture, PictureStore, named
from web.resting import Pausable, is_about_watching, let_rest
from web.settings import WebSettings
from web.telling import Telling

if TYPE_CHECKING:
    from vision.board_shot import BoardShot


class LiveGame:
    """A running game. All methods may be called from any thread.

    Attributes:
        lock: hold it to read several things of `table` that must agree.
        feed: what has been published, for streams.
        pictures: the evidence, by name.
        table_name: which of several tables this is; empty for the only one.
        game_number: goes up with each new game, so that a watcher notices.
        board_now: gives the newest picture of the board as a watcher of this program sees it; None when none watches here.
        pausable: the camera that is watched here and can be told to rest; None when there is none.
    """

    def __init__(
        self,
        table: Table,
        journal: Journal | None = None,
        *,
        game_number: int = 1,
        settings: WebSettings | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Go on with ``table``, whose inputs ``journal`` holds already; without a journal nothing outlives the process."""
        self.settings = settings or WebSettings()
        self.lock = threading.RLock()
        self.table = table
        self.game_number = game_number
        self.table_name = (journal and journal.table) or ""
        self.pictures = PictureStore(self.settings.kept_picture_bytes, self._fetch)
        self._clock = clock
        self._keeper = Keeper(journal, self.settings, clock)
        first_id, numbers = self._keeper.numbers(game_number, table)
        self.feed = Feed(first_id=first_id, keep=self.settings.kept_messages)
        self._closing = threading.Event()
        self._telling = Telling(self.feed, clock)
        self._word = self._telling.word
        self._publish = self._telling.publish
        self._state: tuple[int, dict[str, Any]] | None = None
        self._is_waiting = False
        self.board_now: Callable[[], BoardShot | None] | None = None
        self.pausable: Pausable | None = None
        self._at_close: list[Callable[[], None]] = []
        for number, event in zip(numbers, table.events, strict=True):
            self.feed.publish(event.as_json(), event_id=number)

    @classmethod
    def open(cls, journal: Journal, options: GameOptions | None = None, *, keep_over: bool = False, **how: Any) -> LiveGame:
        """Go on with the journal's last game, or begin one with ``options`` when it has none or (unless ``keep_over``) that one is over.

        Without ``options`` the last game is opened whatever its state.

        Raises:
            JournalError: the journal cannot be read or written, or holds no game and there are no options for one.
        """
        number = journal.game_number
        table = journal.load_table() if number is not None or options is None else None
        if number is None or table is None or (table.is_over and options is not None and not keep_over):
            chosen = options or GameOptions()
            number, table = journal.new_game(chosen.as_json()), Table(chosen)
        return cls(table, journal, game_number=number, **how)

    @property
    def journal(self) -> Journal | None:
        """Where the game is kept; None when it is kept nowhere."""
        return self._keeper.journal

    # What a watcher says

    def start(self, grid: Sequence[str], *, pictures: Mapping[str, Picture | bytes] | None = None, **options: Any) -> list[Event]:
        """Pass the first clear look to the table, with the keyword options of `Table.start`; waits until it can be kept."""
        return self._insist("start", {"grid": list(grid), **options}, lambda table: table.start(grid, **options), pictures)

    def observe(self, sighting: Sighting, pictures: Mapping[str, Picture | bytes] | None = None) -> list[Event]:
        """Pass a settled look to the table; ``pictures`` are those that ``sighting.evidence`` names; waits until it can be kept."""
        return self._insist("sighting", sighting.as_json(), lambda table: table.observe(sighting), pictures)

    def finish(self, **when: Any) -> list[Event]:
        """Tell the table that nothing more will be seen, and the page that nobody watches any more; waits until it can be kept."""
        events = self._insist("finish", when, lambda table: table.finish(**when))
        with self.lock:
            self._word.say("ended", "")
            self.feed.publish({"event": "ended"}, counted=False)
        return events

    def camera(
        self, state: str, reason: str = "", *, frame: int | None = None, time_s: float | None = None, expires_s: float | None = None
    ) -> None:
        """Say how the watching goes (the words of CONTRACT.md); only changes are published.

        With ``expires_s`` the word holds that long: a watcher that falls silent is then shown as lost.
        """
        self.look_round()
        if self.is_resting:  # what was under way when the people paused is no news
            state, reason = "paused", PAUSED
        with self.lock:
            if self._word.say(state, reason, expires_s):
                self._telling.say_word(self._keeper.trouble, frame, time_s)
            if expires_s is not None:
                self._keeper.say_camera(state, reason)

    def look_round(self) -> None:
        """Take over what other programs wrote, and publish that the camera is lost when its last word has expired.

        Streams call this while they wait, and a camera with each word.
        """
        with self.lock:
            self._peek()
            if self._word.has_expired() or self._hear_others():
                self._telling.say_word(self._keeper.trouble)

    def board(
        self, corners_px: Sequence[Sequence[float]], rows: int, cols: int, *, frame: int | None = None, time_s: float | None = None
    ) -> None:
        """Say where the board lies in the camera's picture; published when it changes."""
        body = {"event": "board", "corners_px": [[float(x), float(y)] for x, y in corners_px], "rows": rows, "cols": cols}
        with self.lock:
            if self._word.board != body:
                self._word.board = body
                self._publish({**body, "frame": frame, "time_s": time_s})

    def progress(self, done: int, total: int | None, text: str = "") -> None:
        """Say how far a recording has been watched."""
        with self.lock:
            self._word.progress = {"done": done, "total": total, "text": text}
            self.feed.publish({"event": "progress", **self._word.progress}, counted=False)

    # What people decide

    def decide(self, decision: Mapping[str, Any]) -> list[Event]:
        """Carry out a decision of CONTRACT.md and give the events it caused, or the answer to a question.

        Raises:
            DecisionError: it cannot be carried out; nothing was changed.
            OvertakenError: another program has just changed the game, and it may mean something else now; nothing was changed by it.
            JournalError: it could not be written down; nothing was changed.
        """
        try:
            if decision.get("decision") == "new_game":
                return self._new_game(decision)
            if decision.get("decision") == "would_be_legal" or decision.get("preview"):
                with self.lock:
                    self._catch_up(now=True)
                    return self.table.decide(decision)
            if is_about_watching(decision):
                let_rest(self.pausable, decision["decision"])
                if self.is_resting:
                    self.camera("paused")
                return []
            return self._change("decision", decision, lambda table: table.decide(decision))
        except NotKeptError:
            self._say_trouble()
            raise

    def _new_game(self, decision: Mapping[str, Any]) -> list[Event]:
        options = read_options(decision)
        with self.lock:
            number = self._keeper.new_game(options.as_json(), self.game_number)
            self._say_kept()
            return [self._turn_to(number, Table(options))]

    def _turn_to(self, number: int, table: Table) -> Event:
        """Make a new game the present one, and tell everybody."""
        self.table, self.game_number = table, number
        self.pictures.clear()
        options = table.first_options
        event = Event("new_game", f"New game: {options.rules.title}.", {"game": number, "options": options.as_json()})
        self._publish(event.as_json())
        return event

    # What everybody may ask

    @property
    def is_resting(self) -> bool:
        """Whether the people have paused the watching."""
        return self.pausable is not None and self.pausable.paused

    def standing(self) -> Mapping[Cell, str]:
        """What should lie on the board now."""
        with self.lock:
            return self.table.standing()

    def on_turn(self) -> str | None:
        """The colour expected to play."""
        with self.lock:
            return self.table.on_turn()

    def pieces_on_board(self) -> Sequence[tuple[str, frozenset[Cell]]]:
        """Colour and cells of each standing placement."""
        with self.lock:
            return self.table.pieces_on_board()

    def state(self) -> dict[str, Any]:
        """The table's with ``camera``, ``board``, ``progress``, ``event_id``, ``game_number``, ``not_kept``. Shared: leave it as it is.

        ``not_kept`` says why nothing can be written down at present, and is empty as long as all is well.
        """
        self.look_round()
        with self.lock:
            position = self.feed.position
            if self._state is None or self._state[0] != position:
                self._state = (position, self._whole_state())
            return self._state[1]

    def begun_on(self) -> str:
        """The day the game began, YYYY-MM-DD; empty when it is not kept."""
        return self._keeper.begun_on(self.game_number)

    def events_after(self, event_id: int) -> Batch:
        """What was published after the event of that id."""
        return self.feed.after_id(event_id)

    def listen(self, callback: Callable[[Mapping[str, Any]], None]) -> Callable[[], None]:
        """Call ``callback`` with each event of CONTRACT.md from now on, in order, as JSON; call the result to stop that."""
        with self.lock:
            self._telling.listeners.append(callback)

        def stop() -> None:
            with self.lock:
                if callback in self._telling.listeners:
                    self._telling.listeners.remove(callback)

        return stop

    def at_close(self, act: Callable[[], None]) -> None:
        """Call ``act`` whenever the game is closed."""
        self._at_close.append(act)

    def close(self) -> None:
        """End all streams, let nobody wait any longer, and tell other programs that no camera watches here any more."""
        self._closing.set()
        self.feed.close()
        with self.lock:
            self._keeper.say_camera(None)
        for act in self._at_close:
            act()

    # Inside

    def _whole_state(self) -> dict[str, Any]:
        trouble = self._keeper.trouble
        camera = {"camera": {"state": "paused", "reason": not_kept(trouble)}} if trouble else {}
        extra = {**self._word.as_json(), **camera, "not_kept": trouble}
        return {**self.table.state(), **extra, "event_id": self.feed.event_id, "game_number": self.game_number}

    def _change(
        self,
        kind: str,
        value: Mapping[str, Any],
        act: Callable[[Table], list[Event]],
        pictures: Mapping[str, Picture | bytes] | None = None,
    ) -> list[Event]:
        """Let the table act, write it down, tell everybody. What cannot be written down has not happened.

        Raises:
            JournalError: it could not be written; the table is as the journal says.
        """
        evidence = named(pictures or {})
        with self.lock:
            game = self.game_number
            while True:
                if self._catch_up(now=True) and not still_means(kind, value, is_same_game=game == self.game_number):
                    return []
                trial = self.table.fork()
                events = act(trial)
                try:
                    numbers = self._keeper.append(kind, value, events, evidence, self.feed.event_id)
                except OvertakenError:
                    continue
                break
            self.table = trial
            self._hold(evidence)
            self._say_kept()
            for number, event in zip(numbers, events, strict=True):
                self._publish(event.as_json(), event_id=number)
            return events

    def _insist(
        self,
        kind: str,
        value: Mapping[str, Any],
        act: Callable[[Table], list[Event]],
        pictures: Mapping[str, Picture | bytes] | None = None,
    ) -> list[Event]:
        """Change the table for a watcher, who sees it only once: wait until it can be written down, and say so loudly.

        Raises:
            NotKeptError: it could not be for longer than `WebSettings.patience_s`, or the game was closed.
        """
        patience_s = self.settings.patience_s
        until_s = None if patience_s is None else self._clock() + patience_s
        try:
            while True:
                try:
                    return self._change(kind, value, act, pictures)
                except NotKeptError:
                    self._is_waiting = True
                    self._say_trouble()
                    if (until_s is not None and self._clock() > until_s) or self._closing.wait(self.settings.retry_s):
                        raise
        finally:
            self._is_waiting = False

    def _peek(self) -> None:
        """See from time to time what other programs wrote, and whether what could not be written can be now."""
        try:
            self._catch_up(now=False)
        except JournalError:
            return  # whoever wants to change something is told; what is shown stays true
        # While a watcher waits, it tries with what it has to write, and nothing smaller tells whether there is room.
        if not self._is_waiting and self._keeper.recover():
            self._say_kept()

    def _catch_up(self, *, now: bool) -> bool:
        """Take over what other programs wrote and tell it, in order and once; True when there was anything.

        Raises:
            JournalError: it cannot be read.
        """
        news = self._keeper.news(now=now)
        if news is None:
            return False
        if news.is_new_game:
            self._turn_to(news.game, self._keeper.load_table())
            _, numbers = self._keeper.numbers(news.game, self.table)
            told = [*zip(numbers, self.table.events, strict=True)]
        else:
            told = [*news.events]
            self.table = self._keeper.followed(self.table, news)
        for number, event in told:
            self._publish(event.as_json(), event_id=number)
        return True

    def _hear_others(self) -> bool:
        """Take over what another program's camera says, as long as none has spoken here; whether that is new."""
        heard = None if self._word.is_own else self._keeper.camera_elsewhere()
        return heard is not None and self._word.hear(*heard)

    def _say_trouble(self) -> None:
        with self.lock:
            self._telling.say_trouble(self._keeper.trouble)

    def _say_kept(self) -> None:
        self._telling.say_kept(self._keeper.trouble)

    def _hold(self, pictures: Mapping[str, Picture]) -> None:
        """Keep pictures in memory, those of open matters last when there is no more room."""
        wanted = open_evidence(event.as_json() for event in self.table.events) if pictures else set()
        for name, picture in pictures.items():
            self.pictures.keep(name, picture, wanted=wanted | pictures.keys())

    def _fetch(self, name: str) -> Picture | None:
        with self.lock:
            return self._keeper.picture(self.game_number, name)
