"""A reading as people see it: the board in colour, then what it means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from referee.cells import cell_name
from referee.events import counted
from web import texts
from web.cli.board_text import board_lines


def describe(reading: Mapping[str, Any]) -> str:
    """The text for one object of CONTRACT.md's `read`; colours are dropped by click where there is no terminal."""
    return "\n".join(_lines(reading)) + "\n"


def _lines(reading: Mapping[str, Any]) -> Iterator[str]:
    board, pieces = reading["board"], reading["pieces"]
    unsure = sum(row.count("?") for row in reading["grid"])
    every = "every other square" if unsure else "every square"
    sure = f", {_percent(reading['confidence'])} sure of {every}" if reading.get("confidence") is not None else ""
    yield click.style(f"{reading['image']}: a board of {board['rows']} x {board['cols']}, {counted(len(pieces), 'piece')}{sure}", bold=True)
    yield from board_lines(reading["grid"])
    if unsure:
        yield f"{counted(unsure, 'square')} could not be told (?): hidden, glaring or in doubt."
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
    from referee.scoring import Span

    squares = left["squares_left"]
    if not left["pieces_left"] and not isinstance(squares, list) and squares == 0:
        return f"{color.capitalize():<7} has placed everything"
    move = {True: texts.PLAY["blocked"].upper(), False: texts.PLAY["can move"], None: texts.PLAY["unknown"]}[left["blocked"]]
    fits = left.get("example")
    where = f" ({fits['piece']} on {' '.join(cell_name((row, col), size) for row, col in fits['cells'])})" if fits else ""
    return f"{color.capitalize():<7} {move}{where}, {Span.from_json(squares)} squares left: {' '.join(left['pieces_left'])}"


def _loose(piece: Mapping[str, Any]) -> str:
    """The name of a piece beside the board, or what is known instead."""
    return piece["piece"] or (f"{piece['squares']} squares" if piece["squares"] else "?")


def _counts_loose(finding: Mapping[str, Any]) -> bool:
    """Whether a finding counts the pieces beside the board."""
    return bool(finding["kind"].startswith("loose_"))


def _percent(probability: float) -> str:
    """Never "100 %": nothing that a camera saw is certain."""
    return "over 99 %" if probability >= 0.995 else f"{100 * probability:.0f} %"
