"""Mini-games for one player: a board with some green and orange squares, and green pieces that link the green ones by corners.

Rules, section 9: a puzzle is solved when all given pieces lie on free squares, no two green pieces (given or drawn) share a side, and all
green pieces together form one group linked by corners. Orange squares only block. Green squares that are drawn side by side are one piece.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

from referee.cells import EMPTY, Cell, Cells, components
from referee.errors import RefereeError
from referee.json_text import JsonTextError, parse_json
from referee.pieces import PIECES, in_piece_order

GREEN, ORANGE = "G", "O"
"""The letters of drawn squares in a puzzle's grid; the empty cells are free."""

LONGEST_SIDE = 20
"""Most rows and columns of a puzzle: those of the largest board."""

MOST_PIECES = 24
"""Most pieces to place: a colour of the children's set has no more."""

LONGEST_TITLE = 80
"""Most characters of a title or a difficulty in words: one line of a terminal."""

LARGEST_FILE_BYTES = 100_000
"""Larger files are no puzzles; keeps a wrong name (a video, a device) from filling the memory."""

SHIPPED = 10
"""How many puzzles come with the program, in rising difficulty."""


class PuzzleError(RefereeError):
    """A puzzle or a solution that cannot be read."""


@dataclass(frozen=True)
class Puzzle:
    """A puzzle; made by `parse_puzzle`, `read_puzzle` or `shipped_puzzle`, which check it.

    Attributes:
        rows: rows of the board, 1 to 20.
        cols: columns of the board, 1 to 20.
        grid: one text a row, one letter a cell: `G`, `O` or `.`.
        pieces: names of the pieces to place, smallest first, copies kept.
        title: a name for people, or None.
        difficulty: how hard it is: as measured by `puzzle_make.difficulty_of`, or in somebody's words; or None.
    """

    rows: int
    cols: int
    grid: tuple[str, ...]
    pieces: tuple[str, ...]
    title: str | None = None
    difficulty: float | str | None = None

    def cells_of(self, letter: str) -> Cells:
        """The cells with this letter."""
        return frozenset((row, col) for row, line in enumerate(self.grid) for col, found in enumerate(line) if found == letter)

    @cached_property
    def drawn(self) -> tuple[Cells, ...]:
        """The drawn green pieces, in reading order of their first cells."""
        return components(self.cells_of(GREEN))

    def holds(self, cell: Cell) -> bool:
        """Whether the cell lies on the board."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.cols

    def cell_names(self, cells: Iterable[Cell]) -> str:
        """The cells in reading order as people name them, `a1` bottom left; by (row, col) where they lie outside the board."""
        return ", ".join(self._cell_name(cell) for cell in sorted(cells))

    def _cell_name(self, cell: Cell) -> str:
        return f"{chr(ord('a') + cell[1])}{self.rows - cell[0]}" if self.holds(cell) else f"({cell[0]}, {cell[1]})"

    def as_json(self) -> dict[str, Any]:
        """What `parse_puzzle` reads."""
        named = {"title": self.title, "difficulty": self.difficulty}
        told = {key: value for key, value in named.items() if value is not None}
        return {**told, "rows": self.rows, "cols": self.cols, "grid": list(self.grid), "pieces": list(self.pieces)}


def parse_puzzle(value: Any) -> Puzzle:
    """The puzzle of `{"rows": n, "cols": n, "grid": [text, ...], "pieces": [name, ...]}`; `title` and `difficulty` may be there.

    Other keys are allowed and left out. Not checked: whether it can be solved.

    Raises:
        PuzzleError: anything else; one line that names the value at fault.
    """
    if not isinstance(value, Mapping):
        raise PuzzleError('a puzzle is a JSON object with "rows", "cols", "grid" and "pieces"')
    rows, cols = _side(value, "rows"), _side(value, "cols")
    return Puzzle(rows, cols, _grid(value.get("grid"), rows, cols), _pieces(value.get("pieces")), _title(value), _difficulty(value))


def read_puzzle(path: Path) -> Puzzle:
    """The puzzle in a JSON file.

    Raises:
        PuzzleError: it is no puzzle.
        OSError: the file cannot be read.
    """
    try:
        return parse_puzzle(read_json(path))
    except PuzzleError as error:
        raise PuzzleError(f"{path}: {error}") from None


def shipped_puzzle(number: int) -> Puzzle:
    """One of the puzzles that come with the program, 1 the easiest.

    Raises:
        PuzzleError: there is none with this number.
    """
    if not 1 <= number <= SHIPPED:
        raise PuzzleError(f"the puzzles that come along are numbered 1 to {SHIPPED}")
    return parse_puzzle(json.loads((resources.files("referee") / "puzzles" / f"{number:02}.json").read_text("utf-8")))


def read_json(path: Path) -> Any:
    """What a small JSON file holds.

    Raises:
        PuzzleError: it is too large or no JSON; the message does not name the file.
        OSError: the file cannot be read.
    """
    if path.exists() and not path.is_file():
        raise PuzzleError("not a file with JSON")  # opening a pipe would wait for its other end
    with path.open("rb") as file:
        data = file.read(LARGEST_FILE_BYTES + 1)
    if len(data) > LARGEST_FILE_BYTES:
        raise PuzzleError(f"larger than {LARGEST_FILE_BYTES} bytes, no puzzle needs that")
    try:
        return parse_json(data)
    except JsonTextError as error:
        raise PuzzleError(f"{error}; a puzzle is a JSON object, a solution a JSON list") from None


def _side(value: Mapping[str, Any], key: str) -> int:
    number = value.get(key)
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= LONGEST_SIDE:
        raise PuzzleError(f'"{key}" is a whole number from 1 to {LONGEST_SIDE}')
    return number


def _grid(value: Any, rows: int, cols: int) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or len(value) != rows:
        raise PuzzleError(f'"grid" is a list of {rows} texts, as "rows" says')
    for number, line in enumerate(value):
        if not isinstance(line, str) or len(line) != cols:
            raise PuzzleError(f'row {number} of "grid" is a text of {cols} letters, as "cols" says')
        strange = set(line) - {GREEN, ORANGE, EMPTY}
        if strange:
            raise PuzzleError(f'row {number} of "grid" has the letter {min(strange)!r}; known: G green, O orange, . free')
    return tuple(value)


def _pieces(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= MOST_PIECES:
        raise PuzzleError(f'"pieces" is a list of 1 to {MOST_PIECES} names')
    for name in value:
        if not isinstance(name, str) or name not in PIECES:
            raise PuzzleError(f'"pieces" has {repr(name)[:20]}; known: {", ".join(PIECES)}')
    return in_piece_order(value)


def _title(value: Mapping[str, Any]) -> str | None:
    title = value.get("title")
    if title is not None and not _is_line(title):
        raise PuzzleError(f'"title" is a text of one line, at most {LONGEST_TITLE} characters')
    return title


def _difficulty(value: Mapping[str, Any]) -> float | str | None:
    hard: float | str | None = value.get("difficulty")
    if hard is None or _is_line(hard) or (isinstance(hard, int | float) and not isinstance(hard, bool) and 0 <= hard <= 100):
        return hard
    raise PuzzleError(f'"difficulty" is a number from 0 to 100, or a text of one line, at most {LONGEST_TITLE} characters')


def _is_line(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable() and len(value) <= LONGEST_TITLE
