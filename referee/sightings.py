"""What a watcher tells the table: how the board differs from what should lie there, and how sure it is.

A sighting says nothing about the rules. It is the table that finds out which pieces came, went or moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.cells import Cell, Cells
from referee.events import cell_list, listed_cells

ColoredCell = tuple[Cell, str]
"""A cell and a colour's name."""


@dataclass(frozen=True)
class Change:
    """The physical difference between `Table.standing()` and what lies on the board now.

    Attributes:
        added: cells with the colour that lies there now and did not before.
        removed: cells with the colour that stood there and does not any more. A cell that changed its colour is in both.
    """

    added: frozenset[ColoredCell] = frozenset()
    removed: frozenset[ColoredCell] = frozenset()

    @staticmethod
    def between(before: Mapping[Cell, str], after: Mapping[Cell, str]) -> Change:
        """The change that turns one board into the other; both map occupied cells to colours."""
        was, now = frozenset(before.items()), frozenset(after.items())
        return Change(now - was, was - now)

    @property
    def is_empty(self) -> bool:
        """Whether the board is as it should be."""
        return not self.added and not self.removed

    @property
    def cells(self) -> Cells:
        """Every cell that changed."""
        return frozenset(cell for cell, _ in self.added | self.removed)

    def apply(self, before: Mapping[Cell, str]) -> dict[Cell, str]:
        """What lies on the board now, given what lay there before."""
        gone = {cell for cell, _ in self.removed}
        return {**{cell: color for cell, color in before.items() if cell not in gone}, **dict(self.added)}

    def as_json(self) -> dict[str, Any]:
        """`{"added": [[row, col, color], ...], "removed": [...]}` in reading order."""
        return {"added": _triples(self.added), "removed": _triples(self.removed)}

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> Change:
        """The change of an `as_json`."""
        return Change(_colored(value["added"]), _colored(value["removed"]))


@dataclass(frozen=True)
class Sighting:
    """One settled look at the board.

    Attributes:
        candidates: what may have happened, likeliest first, with probabilities that sum to at most 1. The empty change is a candidate
            like others.
        unsure_cells: cells that nobody could see (a hand, glare): they keep their last truth. A piece with a cell among them is not ruled
            on yet; leave a cell out when the piece's shape tells what lies there.
        frame: the last frame read when this was decided.
        seen_frame: the frame in which it happened, when that is another one.
        time_s: seconds on the source's own time line.
        evidence: names of the pictures before and after.
    """

    candidates: tuple[tuple[Change, float], ...]
    unsure_cells: Cells = field(default=frozenset())
    frame: int | None = None
    seen_frame: int | None = None
    time_s: float | None = None
    evidence: tuple[str, str] | None = None

    @staticmethod
    def sure(change: Change, *, frame: int | None = None) -> Sighting:
        """A look that leaves no doubt."""
        return Sighting(((change, 1.0),), frame=frame)

    def as_json(self) -> dict[str, Any]:
        """The sighting as JSON values; `from_json` reads them back."""
        return {
            "candidates": [{**change.as_json(), "p": p} for change, p in self.candidates],
            "unsure_cells": cell_list(self.unsure_cells),
            "frame": self.frame,
            "seen_frame": self.seen_frame,
            "time_s": self.time_s,
            "evidence": None if self.evidence is None else list(self.evidence),
        }

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> Sighting:
        """The sighting of an `as_json`."""
        evidence = value.get("evidence")
        return Sighting(
            tuple((Change.from_json(item), float(item["p"])) for item in value["candidates"]),
            listed_cells(value.get("unsure_cells", ())),
            value.get("frame"),
            value.get("seen_frame"),
            value.get("time_s"),
            None if evidence is None else (evidence[0], evidence[1]),
        )


def _triples(cells: Iterable[ColoredCell]) -> list[list[Any]]:
    return [[row, col, color] for (row, col), color in sorted(cells)]


def _colored(triples: Iterable[Any]) -> frozenset[ColoredCell]:
    return frozenset(((row, col), color) for row, col, color in triples)
