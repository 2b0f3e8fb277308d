"""Letting the camera rest: people pause the watching and let it go on. That belongs to no game, and no journal knows of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from referee.errors import DecisionError

RESTING = {"pause": True, "resume": False}
"""Decisions about the watching, and whether it rests after them."""


class Pausable(Protocol):
    """What is watched, as far as people may let it rest.

    Attributes:
        paused: whether nothing is looked at; the watcher is told so.
    """

    paused: bool

    @property
    def can_pause(self) -> bool:
        """Whether it can rest at all: a recording cannot."""


def is_about_watching(decision: Mapping[str, Any]) -> bool:
    """Whether a decision is one of `RESTING`."""
    name = decision.get("decision")
    return isinstance(name, str) and name in RESTING


def let_rest(watched: Pausable | None, decision: str) -> None:
    """Carry out a decision of `RESTING`.

    Raises:
        DecisionError: nothing that can rest is watched here.
    """
    if watched is None or not watched.can_pause:
        raise DecisionError("this program watches no camera that could rest: pause it on the page of the program that does")
    watched.paused = RESTING[decision]
