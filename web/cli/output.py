"""What the commands print: sentences for people, or JSON Lines; never both on standard output."""

from __future__ import annotations

import json
import math
import shutil
import sys
import threading
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from web.cli.screen import Screen

_MARKS = {"placement": "  ", "dispute": "! ", "question": "? ", "reminder": "! ", "game_over": "* ", "unfinished": "* "}
_STYLES: dict[str, dict[str, Any]] = {
    "dispute": {"fg": "red", "bold": True},
    "question": {"fg": "yellow"},
    "reminder": {"fg": "yellow"},
    "game_over": {"bold": True},
    "resolved": {"fg": "green"},
}


TROUBLES = frozenset({"dark", "blurred", "no_board", "lost", "paused"})
"""States of the camera about which people must do something; a hand over the board is none."""

_TROUBLE_STYLE: dict[str, Any] = {"fg": "red", "bold": True}


class Printer:
    """Writes events as they come, each line flushed at once so that a pipe sees it; any thread may call.

    Warnings and progress go to standard error. At a terminal, progress and the camera's state share one line that is drawn over itself;
    elsewhere progress is left out, and of the camera only troubles and their end are told.

    Attributes:
        as_json: JSON Lines instead of sentences.
        screen: takes the lines and the progress while it is there.
    """

    def __init__(self, *, as_json: bool) -> None:
        """JSON Lines when `as_json`, else sentences."""
        self.as_json = as_json
        self.screen: Screen | None = None
        self._lock = threading.Lock()
        self._drawn = 0
        self._camera = self._progress = self._told_camera = ""
        self._is_trouble = False

    def event(self, event: Mapping[str, Any]) -> None:
        """One event of a game, or of the watching; progress is told by `progress`."""
        if event.get("event") == "progress":
            return
        if self.as_json:
            self._line(json.dumps(event))
        elif event.get("event") == "state":
            self._tell_camera(event)
        elif event.get("sentence"):
            self._line(self._for_people(event))
            for line in score_lines(event.get("scores") or {}):
                self._line(line)

    def say(self, text: str) -> None:
        """A line for people on standard output; with JSON on standard error."""
        self._line(text, err=self.as_json)

    def result(self, text: str) -> None:
        """What a command was asked for, on standard output."""
        self._line(text)

    def note(self, text: str) -> None:
        """A warning or remark on standard error."""
        self._line(text, err=True)

    def progress(self, done: int, total: int | None) -> None:
        """How much of a file has been read; only at a terminal."""
        if self.screen is not None:
            self.screen.progress(done, total)
            return
        self._progress = f"  {done} of {total} pictures" if total else f"  {done} pictures"
        self._draw()

    def end_progress(self) -> None:
        """Take the progress away."""
        self._camera, self._progress, self._is_trouble = "", "", False
        with self._lock:
            self._wipe()

    def _tell_camera(self, event: Mapping[str, Any]) -> None:
        """The camera's state: in its line at a terminal; elsewhere when people must know."""
        state = str(event["state"])
        text = f"Camera: {state} ({event['reason']})" if event.get("reason") else f"Camera: {state}"
        if self.screen is not None:
            self.screen.camera(event)
        elif sys.stderr.isatty():
            self._camera, self._is_trouble = text, state in TROUBLES
            self._draw()
        elif state != self._told_camera and (state in TROUBLES or state == "ready"):
            self._told_camera = state
            self.note(text)

    def _draw(self) -> None:
        """Progress and the camera's state on one line, cut to the terminal's width."""
        if not sys.stderr.isatty():
            return
        text = "  ".join(part for part in (self._progress, self._camera) if part)[: shutil.get_terminal_size().columns - 1]
        with self._lock:
            line = text.ljust(self._drawn)
            click.echo("\r" + (click.style(line, **_TROUBLE_STYLE) if self._is_trouble else line), nl=False, err=True)
            self._drawn = len(text)

    def _for_people(self, event: Mapping[str, Any]) -> str:
        name = str(event["event"])
        turn = f"{event['turn']:>3} " if name == "placement" else "    "
        text = turn + _MARKS.get(name, "  ") + str(event["sentence"])
        return click.style(text, **_STYLES[name]) if name in _STYLES else text

    def _line(self, text: str, *, err: bool = False) -> None:
        if self.screen is not None:
            self.screen.print(text)
            return
        with self._lock:
            self._wipe()
            click.echo(text, err=err)

    def _wipe(self) -> None:
        if self._drawn:
            click.echo("\r" + " " * self._drawn + "\r", nl=False, err=True)
            self._drawn = 0


def score_lines(scores: Mapping[str, Any]) -> Iterator[str]:
    """The contract's `scores` as a table, best first; nothing when there are none."""
    from referee.scoring import Span

    for player in sorted(scores.get("players") or (), key=lambda player: player["place"] or math.inf):
        colors = "" if player["name"].lower() in player["colors"] else f" ({' + '.join(player['colors'])})"
        yield f"      {player['place'] or '?'}. {player['name']}{colors}: {Span.from_json(player['score'])}"
