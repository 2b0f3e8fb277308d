"""What the table tells the world: events with fixed words and fields, each with a sentence fit to be spoken.

The names and fields are those of the program's JSON; more fields may be added, none renamed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.cells import Cell, Cells

KIND_WORDS = {
    "not_a_piece": "these squares are no piece of the set",
    "piece_already_used": "this piece has been played before",
    "off_board": "a square lies outside the grid",
    "overlap": "a square was occupied",
    "edge_contact": "it shares a side with a piece of its own colour",
    "no_corner_contact": "it touches no corner of its own colour",
    "start_not_covered": "the first piece does not cover the colour's starting cell",
    "out_of_turn": "another colour is on turn",
    "color_retired": "this colour has finished or is blocked",
    "game_over": "the game is over",
    "piece_moved": "a piece that lay was moved",
    "piece_removed": "a piece that lay was taken away",
    "two_pieces": "several pieces came at once",
    "unexplained": "no piece explains these squares",
}
"""Each kind of a dispute in plain words."""

HOW_WORDS = {
    "return": "the piece went back to its owner",
    "restored": "the piece lies where it lay",
    "undo": "the placement was undone",
    "abandon": "the game was abandoned",
    "misread": "the camera had misread",
    "let_stand": "the table lets it stand",
}
"""Each way out of a dispute in plain words."""


@dataclass(frozen=True)
class Event:
    """One thing that happened.

    Attributes:
        name: the word of its `event` field.
        sentence: one plain English sentence.
        fields: its other fields, JSON values.
        frame: last frame read when it was decided; None for what people decide.
        seen_frame: the frame in which it happened, when told.
        time_s: seconds on the source's own time line, when it has one.
    """

    name: str
    sentence: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    frame: int | None = None
    seen_frame: int | None = None
    time_s: float | None = None

    def as_json(self) -> dict[str, Any]:
        """The event as JSON values: `event`, its fields, `frame`, `seen_frame` and `time_s` where there is a frame, `sentence`."""
        when: dict[str, Any] = {}
        if self.frame is not None:
            when = {"frame": self.frame, "time_s": self.time_s}
        if self.seen_frame is not None:
            when["seen_frame"] = self.seen_frame
        return {"event": self.name, **self.fields, **when, "sentence": self.sentence}

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> Event:
        """The event of an `as_json`."""
        apart = ("event", "sentence", "frame", "seen_frame", "time_s")
        fields = {key: item for key, item in value.items() if key not in apart}
        return Event(value["event"], value["sentence"], fields, value.get("frame"), value.get("seen_frame"), value.get("time_s"))


def cell_list(cells: Iterable[Cell]) -> list[list[int]]:
    """Cells as JSON, in reading order."""
    return [list(cell) for cell in sorted(cells)]


def listed_cells(value: Iterable[Sequence[int]] | None) -> Cells:
    """The cells of a `cell_list`; no cells where there is none."""
    return frozenset((row, col) for row, col in value or ())


def piece_words(color: str | None, piece: str | None) -> str:
    """A piece in words: "Red W", "A red piece", "Some squares"."""
    if color is None:
        return "Some squares" if piece is None else piece
    return f"{color.capitalize()} {piece}" if piece else f"A {color} piece"


def counted(number: int, word: str) -> str:
    """A number of things in a sentence: `1 piece`, `2 pieces`."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def joined(names: Sequence[str]) -> str:
    """Names in a sentence: "Ann", "Ann and Bob", "Ann, Bob and Cem"."""
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


def kinds_words(kinds: Sequence[str]) -> str:
    """The kinds of a dispute in plain words."""
    return "; ".join(KIND_WORDS.get(kind, kind) for kind in kinds)
