"""A printed score sheet's words in the page's language: its log, disputes and their ends, and what was agreed.

In English they are the sheet's own, which name the squares too; other languages say what the page says.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from referee.events import HOW_WORDS
from referee.options import GameOptions
from referee.pieces import squares_of
from referee.sheet import LogLine, MatterLine, Sheet
from web.spoken import color_word, kinds_words, listed, spoken
from web.texts import LOG
from web.translating import language, tr


def mark(line: LogLine) -> str:
    """What stands behind a move that is not simply legal."""
    if line.ruling == "legal":
        return ""
    rules = line.rules if language() == "en" else kinds_words(line.kinds)
    return tr(LOG[line.ruling]) + (f": {rules}" if rules else "")


def moved(line: LogLine, person: str) -> str:
    """A move: colour and piece, and who moved a shared colour."""
    piece = f"{color_word(line.color)} {line.piece}".strip()
    return tr("{piece} by {person}").format(piece=piece, person=person) if person else piece


def between(lines: list[LogLine]) -> str:
    """What came between two moves."""
    return f"{listed([color_word(line.color) for line in lines])}: {tr(LOG[lines[0].what])}"


def matter(line: MatterLine) -> tuple[str, str]:
    """A dispute or a correction, and how it ended."""
    if language() == "en" or not line.event:
        return line.words, line.end
    words = spoken(line.event)
    if not line.how:
        return tr("Corrected by the table: {what}").format(what=words), ""
    return words, (tr(HOW_WORDS[line.how]) if line.how in HOW_WORDS else tr("open")) + (f" ({line.who})" if line.who else "")


def owner(name: str) -> str:
    """Who plays a colour."""
    return tr("all in turn") if name == "all in turn" else name


def agreed(sheet: Sheet) -> tuple[str, ...]:
    """What the people agreed on, as far as it is not the usual."""
    return sheet.agreed if language() == "en" else tuple(_agreed(sheet.tally.options))


def _agreed(options: GameOptions) -> Iterator[str]:
    if options.order is not None:
        yield tr("Turn order {colors}").format(colors=", ".join(map(color_word, options.order)))
    if options.starts == "free":
        yield tr("Any free start corner")
    if options.touch == "strict":
        yield tr("House rule: a legal piece stays where it was put")
    for color, names in options.missing.items():
        if names:
            text = tr("{color} without {pieces} ({n} squares of the set)")
            yield text.format(color=color_word(color), pieces=", ".join(names), n=squares_of(names))
    if options.mirrored:
        yield tr("The picture was a mirror image")


def grouped(lines: tuple[LogLine, ...]) -> Iterator[tuple[str, list[LogLine]]]:
    """The lines of a log, those that follow each other and are of one kind together."""
    for what, group in groupby(lines, key=lambda line: line.what):
        yield what, list(group)
