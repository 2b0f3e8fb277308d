"""A reading as people see it: the board in colour, then what it means."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
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


def describe(reading: Mapping[str, Any]) -> str:
    """The text for one object of CONTRACT.md's `read`; colours are dropped by click where there is no terminal."""
    return "\n".join(_lines(reading)) + "\n"


def board_lines(grid: list[str]) -> Iterator[str]:
    """The board with the names of columns and rows that messages use (a1 at the bottom left), two characters a cell."""
    yield "    " + "".join(f" {name}" for name in string.ascii_lowercase[: len(grid)])
    for row, letters in enumerate(grid):
        yield f"{len(grid) - row:>3} " + "".join(click.style(f" {letter}", **_STYLES.get(letter, {})) for letter in letters)


def _lines(reading: Mapping[str, Any]) -> Iterator[str]:
    board, pieces = reading["board"], reading["pieces"]
    unsure = sum(row.count("?") for row in reading["grid"])
    every = "every other square" if unsure else "every square"
    sure = f", {_percent(reading['confidence'])} sure of {every}" if reading.get("confidence") is not None else ""
    yield click.style(f"{reading['image']}: a board of {board['rows']} x {board['cols']}, {_count(len(pieces), 'piece')}{sure}", bold=True)
    yield from board_lines(reading["grid"])
    if unsure:
        yield f"{_count(unsure, 'square')} could not be told (?): hidden, glaring or in doubt."
    for violation in reading["violations"]:
        yield click.style(f"! {violation['message']}", fg="red")
    for finding in reading["findings"]:
        if not _counts_loose(finding):
            yield click.style(f"? {finding['message']}", fg="yellow")
    for color, left in reading["colors"].items():
        yield _color_line(color, left, board["rows"])
    for finding in filter(_counts_loose, reading["findings"]):
        names = [_loose(piece) for piece in reading["loose"] if piece["color"] == finding["color"]]
        listed = f" [{', '.join(names)}]" if names else ""
        agrees = finding["kind"] == "loose_count"
        yield click.style(f"Loose: {finding['message']}{listed}", fg=None if agrees else "yellow")


def _color_line(color: str, left: Mapping[str, Any], size: int) -> str:
    squares = left["squares_left"]
    number = f"{squares[0]} to {squares[1]}" if isinstance(squares, list) else str(squares)
    if not left["pieces_left"] and not isinstance(squares, list) and squares == 0:
        return f"{color.capitalize():<7} has placed everything"
    move = {True: "BLOCKED", False: "can still move", None: "perhaps blocked"}[left["blocked"]]
    fits = left.get("example")
    where = f" ({fits['piece']} on {_cells(fits['cells'], size)})" if fits else ""
    return f"{color.capitalize():<7} {move}{where}, {number} squares left: {' '.join(left['pieces_left'])}"


def _cells(cells: list[list[int]], size: int) -> str:
    """Cells by the names at the board's edges."""
    return " ".join(f"{string.ascii_lowercase[col]}{size - row}" for row, col in cells)


def _loose(piece: Mapping[str, Any]) -> str:
    """The name of a piece beside the board, or what is known instead."""
    return piece["piece"] or (f"{piece['squares']} squares" if piece["squares"] else "?")


def _counts_loose(finding: Mapping[str, Any]) -> bool:
    """Whether a finding counts the pieces beside the board."""
    return bool(finding["kind"].startswith("loose_"))


def _percent(probability: float) -> str:
    """Never "100 %": nothing that a camera saw is certain."""
    return "over 99 %" if probability >= 0.995 else f"{100 * probability:.0f} %"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
