"""A board in letters at a terminal: coloured, with the names of rows and columns that messages use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_lowercase
from typing import Any

import click

_STYLES: dict[str, dict[str, Any]] = {
    "B": {"fg": "bright_white", "bg": "blue"},
    "Y": {"fg": "black", "bg": "yellow"},
    "R": {"fg": "bright_white", "bg": "red"},
    "G": {"fg": "bright_white", "bg": "green"},
    "O": {"fg": "black", "bg": "bright_yellow"},
    "P": {"fg": "bright_white", "bg": "magenta"},
    ".": {"dim": True},
    "?": {"bold": True},
}

_LAID: dict[str, Any] = {"fg": "black", "bg": "bright_green"}
"""The style of pieces laid on a puzzle, which have small letters."""


def board_lines(grid: Sequence[str]) -> Iterator[str]:
    """The board of a grid, one string a row, with the names at its edges (a1 at the bottom left), two characters a cell."""
    yield "    " + "".join(f" {name}" for name in ascii_lowercase[: len(grid[0])])
    for row, letters in enumerate(grid):
        yield f"{len(grid) - row:>3} " + "".join(click.style(f" {letter}", **_STYLES.get(letter, _LAID)) for letter in letters)
