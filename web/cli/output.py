"""What the commands print: sentences for people, or JSON Lines; never both on standard output."""

from __future__ import annotations

import json
import math
import sys
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import click

_MARKS = {"placement": "  ", "dispute": "! ", "question": "? ", "game_over": "* ", "unfinished": "* "}
_STYLES: dict[str, dict[str, Any]] = {
    "dispute": {"fg": "red", "bold": True},
    "question": {"fg": "yellow"},
    "game_over": {"bold": True},
    "resolved": {"fg": "green"},
}


class Printer:
    """Writes events as they come, each line flushed at once so that a pipe sees it; any thread may call.

    Warnings and progress go to standard error. Progress is drawn over itself at a terminal and left out elsewhere.
    """

    def __init__(self, *, as_json: bool) -> None:
        """JSON Lines when `as_json`, else sentences."""
        self.as_json = as_json
        self._lock = threading.Lock()
        self._drawn = 0

    def event(self, event: Mapping[str, Any]) -> None:
        """One event of a game, or of the watching; progress is told by `progress`."""
        if event.get("event") == "progress":
            return
        if self.as_json:
            self._line(json.dumps(event))
        elif event.get("event") == "state":
            reason = f" ({event['reason']})" if event.get("reason") else ""
            self.note(click.style(f"Camera: {event['state']}{reason}", dim=True))
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
        if not sys.stderr.isatty():
            return
        text = f"  {done} of {total} pictures" if total else f"  {done} pictures"
        with self._lock:
            click.echo("\r" + text.ljust(self._drawn), nl=False, err=True)
            self._drawn = len(text)

    def end_progress(self) -> None:
        """Take the progress away."""
        with self._lock:
            self._wipe()

    def _for_people(self, event: Mapping[str, Any]) -> str:
        name = str(event["event"])
        turn = f"{event['turn']:>3} " if name == "placement" else "    "
        text = turn + _MARKS.get(name, "  ") + str(event["sentence"])
        return click.style(text, **_STYLES[name]) if name in _STYLES else text

    def _line(self, text: str, *, err: bool = False) -> None:
        with self._lock:
            self._wipe()
            click.echo(text, err=err)

    def _wipe(self) -> None:
        if self._drawn:
            click.echo("\r" + " " * self._drawn + "\r", nl=False, err=True)
            self._drawn = 0


def score_lines(scores: Mapping[str, Any]) -> Iterator[str]:
    """The contract's `scores` as a table, best first; nothing when there are none."""
    for player in sorted(scores.get("players") or (), key=lambda player: player["place"] or math.inf):
        colors = "" if player["name"].lower() in player["colors"] else f" ({' + '.join(player['colors'])})"
        value = player["score"]
        number = " or ".join(map(str, value)) if isinstance(value, list) else value
        yield f"      {player['place'] or '?'}. {player['name']}{colors}: {number}"
