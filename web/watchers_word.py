"""What a watcher last said: how the watching goes and until when that holds, where the board is, how far a recording has been read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class WatchersWord:
    """The last word of whoever watches. Call it under the live game's lock.

    Attributes:
        camera: ``state`` (a word of CONTRACT.md, None before the first) and ``reason``.
        board: the last ``board`` event, without its frame.
        progress: how far a recording has been read.
        is_own: whoever watches does so in this program.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.camera: dict[str, Any] = {"state": None, "reason": ""}
        self.board: dict[str, Any] | None = None
        self.progress: dict[str, Any] | None = None
        self.is_own = False
        self._clock = clock
        self._until_s: float | None = None

    def say(self, state: str, reason: str, expires_s: float | None = None) -> bool:
        """Take down a word that holds for so many seconds (None: for good); whether it is a new one."""
        self._until_s = None if expires_s is None else self._clock() + expires_s
        self.is_own = True
        said, self.camera = self.camera, {"state": state, "reason": reason}
        return self.camera != said

    def hear(self, state: str | None, reason: str) -> bool:
        """Take down the word of another program's watcher (None: none watches); whether it is a new one."""
        said, self.camera = self.camera, {"state": state, "reason": reason}
        return self.camera != said

    def holds(self) -> None:
        """Let the last word hold for good."""
        self._until_s = None

    def has_expired(self) -> bool:
        """Whether the last word has just ceased to hold; the word is then that the camera is lost."""
        if self._until_s is None or self._clock() <= self._until_s:
            return False
        return self.say("lost", "No picture has come for some seconds.")

    def as_json(self) -> dict[str, Any]:
        """All of it, as the state shows it."""
        return {"camera": dict(self.camera), "board": self.board, "progress": self.progress}
