"""Typed errors of the rules.

A player's mistake is never an error: it is a `Violation` in a `Ruling`. These are for callers that name something
that does not exist, or that ask for what cannot be done.

    RefereeError
    +-- UnknownNameError      a variant, colour or piece that does not exist
    +-- OptionsError          options of a game that contradict each other or its variant
    +-- BoardTextError        a board picture in text that cannot be read
    +-- IllegalMoveError      an illegal placement played without `force`; carries the ruling
    +-- DecisionError         a decision of the people that cannot be carried out; nothing was changed
    +-- JournalError          a database that cannot be opened, read or written as a journal
    |   +-- NotKeptError      it cannot be written or read just now; nothing was changed
    |   +-- OvertakenError    another program has written to the game meanwhile; nothing was changed
    +-- RecordError           a recorded game that cannot be read
    +-- json_text.JsonTextError   a text that is no JSON
    +-- puzzle.PuzzleError        a puzzle or a solution that cannot be read
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.rulings import Ruling


class RefereeError(ValueError):
    """Root of all errors of this package; its text is one line fit to be shown to a person."""


class UnknownNameError(RefereeError):
    """A variant, colour or piece that does not exist; says which ones do."""

    def __init__(self, what: str, name: object, known: Iterable[str]) -> None:
        """`what` is the kind of name ("colour"), `name` the one given, `known` those that exist."""
        super().__init__(f"unknown {what} {name!r}; known: {', '.join(known)}")


class OptionsError(RefereeError):
    """Options of a game that contradict each other or its variant."""


class BoardTextError(RefereeError):
    """A board picture in text with a wrong size or letter."""


class IllegalMoveError(RefereeError):
    """An illegal placement was played without `force`; `ruling` holds every violation."""

    def __init__(self, ruling: Ruling) -> None:
        """Take the ruling that forbids the placement."""
        super().__init__(ruling.message)
        self.ruling = ruling


class DecisionError(RefereeError):
    """A decision of the people that cannot be carried out. Nothing was changed."""


class JournalError(RefereeError):
    """A database that cannot be opened, read or written as a journal."""


class NotKeptError(JournalError):
    """A journal cannot be written or read at present: the disk is full, the server is away. Nothing was changed; later it may go well."""


class OvertakenError(JournalError):
    """Another program has written to the game, so that what was to be done may not be meant any more. Nothing was changed."""


class RecordError(RefereeError):
    """A recorded game that cannot be read."""
