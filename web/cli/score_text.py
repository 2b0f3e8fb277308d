"""A tally as people see it: the places, what each colour has left, and what must be said with the numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from web import texts
from web.cli.program import one_line

if TYPE_CHECKING:
    from referee.session import Circuit
    from referee.tally import ColorLine, Tally


def describe(tally: Tally, name: str) -> str:
    """The text for one game; `name` says which one."""
    return "\n".join(_lines(tally, name)) + "\n"


def _lines(tally: Tally, name: str) -> Iterator[str]:
    title = f"{name}: {tally.options.rules.title}, {texts.SCORING[tally.scores.scoring]}"
    yield click.style(one_line(title), bold=True)
    yield from _table([("Place", "Player", "Score" if tally.is_final else "Score so far"), *_player_rows(tally)], right=(2,))
    yield ""
    yield from _table([("Colour", "Squares left", "Basic", "Advanced", "", "Pieces left"), *map(_color_row, tally.colors)], right=(1, 2, 3))
    yield ""
    for number, sentence in enumerate(tally.sentences):
        color = None if tally.is_final else "yellow"
        yield click.style(one_line(sentence), bold=number == 0, fg=color if number == 0 else None)


def _player_rows(tally: Tally) -> Iterator[tuple[str, ...]]:
    from referee.tally import is_plain

    for player in tally.places:
        place = "-" if not tally.has_places else "?" if player.place is None else str(player.place)
        colors = "" if is_plain(player.name, player.colors) else f" ({' + '.join(player.colors)})"
        yield place + (" tied" if tally.has_places and tally.is_tied(player) else ""), one_line(player.name) + colors, str(player.score)


def standings_lines(circuit: Circuit) -> Iterator[str]:
    """How the people of a circuit stand, best first where it is known."""
    from referee.session import GAMES
    from referee.telling import winners_words

    yield click.style(f"Circuit: {len(circuit.results)} of {GAMES} games, fewest squares left wins", bold=True)
    listed = sorted(circuit.standings, key=lambda player: player.place or math.inf)
    rows = [("?" if p.place is None else str(p.place), one_line(p.name), ", ".join(p.colors), str(p.score)) for p in listed]
    yield from _table([("Place", "Player", "Colours", "Squares left"), *rows], right=(3,))
    if circuit.winners:
        yield ""
        yield click.style(one_line(winners_words(circuit.winners)), bold=True)


def _color_row(line: ColorLine) -> tuple[str, ...]:
    pieces = " ".join(line.pieces_left) or "none"
    score = line.score
    sure = "" if line.is_sure else " (perhaps fewer)"
    return line.color, str(score.squares_left), str(score.basic), str(score.advanced), texts.PLAY[line.play], pieces + sure


def _table(rows: Sequence[tuple[str, ...]], right: Sequence[int]) -> Iterator[str]:
    """Rows in columns two blanks apart, the first row dim; the columns `right` end at their right side."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        cells = [cell.rjust(width) if i in right else cell.ljust(width) for i, (cell, width) in enumerate(zip(row, widths, strict=True))]
        text = "  " + "  ".join(cells).rstrip()
        yield click.style(text, dim=True) if number == 0 else text
