"""The live game: the one place where a running game's state lives and changes.

It ties a `Table` to its journal, to the feed that pages listen to and to the evidence pictures. Watchers (a camera's thread) and people
(requests) call it at any time; one lock lets them in one after the other, and every change is in the journal before anybody is told.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.cells import Cell
from referee.errors import JournalError, RefereeError
from referee.events import Event
from referee.journal import Journal
from referee.options import GameOptions, parse_missing
from referee.sightings import Sighting
from referee.table import DecisionError, Table
from web.feed import Batch, Feed
from web.pictures import Picture, PictureStore
from web.settings import WebSettings

_LONGEST_NAME = 60  # characters; more does not fit on a card, and full names rarely need it


class LiveGame:
    """A running game. All methods may be called from any thread.

    Attributes:
        lock: hold it to read several things of `table` that must agree.
        feed: what has been published, for streams.
        pictures: the evidence, by name.
        game_number: goes up with each new game, so that a watcher notices.
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
        self.pictures = PictureStore(self.settings.kept_picture_bytes)
        first_id = max(0, journal.event_count - len(table.events)) if journal else 0
        self.feed = Feed(first_id=first_id, keep=self.settings.kept_messages)
        self._journal = journal
        self._clock = clock
        self._camera: dict[str, Any] = {"state": None, "reason": ""}
        self._camera_until_s: float | None = None
        self._board: dict[str, Any] | None = None
        self._progress: dict[str, Any] | None = None
        self._listeners: list[Callable[[Mapping[str, Any]], None]] = []
        self._state: tuple[int, dict[str, Any]] | None = None
        for event in table.events:
            self.feed.publish(event.as_json())

    @classmethod
    def open(cls, journal: Journal, options: GameOptions | None = None, *, keep_over: bool = False) -> LiveGame:
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
        return cls(table, journal, game_number=number)

    # What a watcher says

    def start(self, grid: Sequence[str], *, pictures: Mapping[str, Picture | bytes] | None = None, **options: Any) -> list[Event]:
        """Pass the first clear look to the table, with the keyword options of `Table.start`."""
        self._keep(pictures)
        return self._change("start", {"grid": list(grid), **options}, lambda: self.table.start(grid, **options))

    def observe(self, sighting: Sighting, pictures: Mapping[str, Picture | bytes] | None = None) -> list[Event]:
        """Pass a settled look to the table; ``pictures`` are those that ``sighting.evidence`` names."""
        self._keep(pictures)
        return self._change("sighting", sighting.as_json(), lambda: self.table.observe(sighting))

    def finish(self, **when: Any) -> list[Event]:
        """Tell the table that nothing more will be seen, and the page that nobody watches any more."""
        events = self._change("finish", when, lambda: self.table.finish(**when))
        with self.lock:
            self._camera, self._camera_until_s = {"state": "ended", "reason": ""}, None
            self.feed.publish({"event": "ended"}, counted=False)
        return events

    def camera(
        self, state: str, reason: str = "", *, frame: int | None = None, time_s: float | None = None, expires_s: float | None = None
    ) -> None:
        """Say how the watching goes (the words of CONTRACT.md); only changes are published.

        With ``expires_s`` the word holds that long: a watcher that falls silent is then shown as lost.
        """
        with self.lock:
            self._camera_until_s = None if expires_s is None else self._clock() + expires_s
            if (state, reason) != (self._camera["state"], self._camera["reason"]):
                self._say_camera(state, reason, frame, time_s)

    def check_camera(self) -> None:
        """Publish that the camera is lost when its last word has expired. Streams call this while they wait."""
        with self.lock:
            if self._camera_until_s is not None and self._clock() > self._camera_until_s:
                self._camera_until_s = None
                self._say_camera("lost", "No picture has come for some seconds.", None, None)

    def board(
        self, corners_px: Sequence[Sequence[float]], rows: int, cols: int, *, frame: int | None = None, time_s: float | None = None
    ) -> None:
        """Say where the board lies in the camera's picture; published when it changes."""
        body = {"event": "board", "corners_px": [[float(x), float(y)] for x, y in corners_px], "rows": rows, "cols": cols}
        with self.lock:
            if self._board != body:
                self._board = body
                self._publish({**body, "frame": frame, "time_s": time_s})

    def progress(self, done: int, total: int | None, text: str = "") -> None:
        """Say how far a recording has been watched."""
        with self.lock:
            self._progress = {"done": done, "total": total, "text": text}
            self.feed.publish({"event": "progress", **self._progress}, counted=False)

    # What people decide

    def decide(self, decision: Mapping[str, Any]) -> list[Event]:
        """Carry out a decision of CONTRACT.md and give the events it caused, or the answer to a question.

        Raises:
            DecisionError: it cannot be carried out; nothing was changed.
            JournalError: it could not be written down; nothing was changed.
        """
        if decision.get("decision") == "new_game":
            return self._new_game(decision)
        if decision.get("decision") == "would_be_legal" or decision.get("preview"):
            with self.lock:
                return self.table.decide(decision)
        return self._change("decision", decision, lambda: self.table.decide(decision))

    def _new_game(self, decision: Mapping[str, Any]) -> list[Event]:
        options = read_options(decision)
        with self.lock:
            if self._journal:
                self.game_number = self._journal.new_game(options.as_json())
            else:
                self.game_number += 1
            self.table = Table(options)
            self.pictures.clear()
            event = Event("new_game", f"New game: {options.rules.title}.", {"game": self.game_number, "options": options.as_json()})
            self._publish(event.as_json())
        return [event]

    # What everybody may ask

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
        """The table's state with ``camera``, ``board``, ``progress``, ``event_id`` and ``game_number``. Shared: do not change it."""
        self.check_camera()
        with self.lock:
            position = self.feed.position
            if self._state is None or self._state[0] != position:
                self._state = (position, self._whole_state())
            return self._state[1]

    def events_after(self, event_id: int) -> Batch:
        """What was published after the event of that id."""
        return self.feed.after_id(event_id)

    def listen(self, callback: Callable[[Mapping[str, Any]], None]) -> Callable[[], None]:
        """Call ``callback`` with each event of CONTRACT.md from now on, in order, as JSON; call the result to stop that."""
        with self.lock:
            self._listeners.append(callback)

        def stop() -> None:
            with self.lock:
                if callback in self._listeners:
                    self._listeners.remove(callback)

        return stop

    def close(self) -> None:
        """End all streams."""
        self.feed.close()

    # Inside

    def _whole_state(self) -> dict[str, Any]:
        extra = {"camera": dict(self._camera), "board": self._board, "progress": self._progress}
        return {**self.table.state(), **extra, "event_id": self.feed.event_id, "game_number": self.game_number}

    def _change(self, kind: str, value: Mapping[str, Any], act: Callable[[], list[Event]]) -> list[Event]:
        """Let the table act, write it down, tell everybody. What cannot be written down has not happened.

        Raises:
            JournalError: it could not be written; the table is as the journal says.
        """
        with self.lock:
            events = act()
            if self._journal:
                try:
                    self._journal.append(kind, value, events)
                except JournalError:
                    self._read_again(self._journal)
                    raise
            for event in events:
                self._publish(event.as_json(), counted=True)
            return events

    def _read_again(self, journal: Journal) -> None:
        """Take the game from the journal once more, and let every page do the same."""
        self.table = journal.load_table()
        self.game_number = journal.game_number or self.game_number
        self.feed.jump(journal.event_count)

    def _publish(self, body: Mapping[str, Any], *, counted: bool = False) -> None:
        self.feed.publish(body, counted=counted)
        for listener in tuple(self._listeners):
            listener(body)

    def _say_camera(self, state: str, reason: str, frame: int | None, time_s: float | None) -> None:
        self._camera = {"state": state, "reason": reason}
        self._publish({"event": "state", **self._camera, "frame": frame, "time_s": time_s})

    def _keep(self, pictures: Mapping[str, Picture | bytes] | None) -> None:
        wanted = {name for found in self._open_matters() for name in found.get("evidence") or ()} if pictures else set()
        for name, picture in (pictures or {}).items():
            self.pictures.keep(name, picture, wanted=wanted | set(pictures or ()))

    def _open_matters(self) -> list[Mapping[str, Any]]:
        state = self.state()
        return [*(state.get("disputes") or ()), *(state.get("questions") or ())]


def read_options(decision: Mapping[str, Any]) -> GameOptions:
    """The options of a ``new_game`` decision, given beside it or under ``options``; texts as on the command line are understood too.

    Raises:
        DecisionError: an unknown or contradictory option.
    """
    values = {key: value for key, value in decision.items() if key != "decision"}
    nested = values.pop("options", None) or {}
    try:
        options = GameOptions.from_json({key: value for key, value in _spelled_out({**values, **nested}).items() if value is not None})
        _check_names(options.players)
        return options
    except RefereeError as error:
        raise DecisionError(str(error)) from error
    except (TypeError, ValueError, AttributeError, KeyError) as error:
        raise DecisionError(f"these game options cannot be read: {error}") from error


def _check_names(names: Sequence[object]) -> None:
    """Refuse names that no page and no score sheet could show."""
    for name in names:
        if not isinstance(name, str) or not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
            raise DecisionError(f"a player's name has 1 to {_LONGEST_NAME} printable characters")


def _spelled_out(values: Mapping[str, Any]) -> dict[str, Any]:
    """Options with the command line's short forms written out."""
    plain = dict(values)
    for key in ("order", "players"):
        if isinstance(plain.get(key), str):
            plain[key] = [part.strip() for part in plain[key].split(",") if part.strip()]
    if "set" in plain:
        plain["missing"] = parse_missing(str(plain.pop("set")))
    return plain
