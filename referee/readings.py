"""What a change on the board may mean, in the table's words: the pieces that came, went or were moved.

A reading is a set of items. It says nothing about the rules; the numbers in it are those of the acts that put the pieces there.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.cells import Cell, Cells

Look = tuple[tuple[Cell, str | None], ...]
"""What lies on some cells, in reading order: a colour's name, None for nothing."""


@dataclass(frozen=True, slots=True)
class Back:
    """A moved or removed piece lies where it belongs again."""

    number: int


@dataclass(frozen=True, slots=True)
class Gone:
    """A piece was taken away."""

    number: int


@dataclass(frozen=True, slots=True)
class Shifted:
    """A piece lies somewhere else."""

    number: int
    cells: Cells


@dataclass(frozen=True, slots=True)
class Amended:
    """A piece had been misread: it is this one."""

    number: int
    cells: Cells


@dataclass(frozen=True, slots=True)
class New:
    """Squares of one colour were put down in one block; `before` is the number of the act that came after it, when it came earlier."""

    color: str
    cells: Cells
    before: int | None = None


@dataclass(frozen=True, slots=True)
class Odd:
    """Cells that no piece explains."""

    look: Look


Item = Back | Gone | Shifted | Amended | New | Odd

Reading = frozenset[Item]
"""Everything that one change means; empty when nothing happened."""


def look_at(board: dict[Cell, str], cells: Cells) -> Look:
    """What lies on these cells of a board."""
    return tuple((cell, board.get(cell)) for cell in sorted(cells))


def news(reading: Reading) -> tuple[New, ...]:
    """The pieces that came, in reading order of their colours and cells."""
    return tuple(sorted((item for item in reading if isinstance(item, New)), key=lambda new: (new.color, sorted(new.cells))))


def own_piece(reading: Reading, color: str) -> New | None:
    """The one piece of a colour that came now, whatever else happened; None when none or several did."""
    came = [new for new in news(reading) if new.color == color]
    return came[0] if len(came) == 1 and came[0].before is None else None
