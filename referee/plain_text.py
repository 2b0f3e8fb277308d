"""Words that people wrote elsewhere, such as names and comments in records: what no page, sheet or terminal can show is taken out."""

from __future__ import annotations

import unicodedata

_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that turn the direction of all the text after them, beyond the name they stand in."""


def plain_line(text: str) -> str:
    """The text on one line, single blanks between its words; joined emoji and every script stay as they are."""
    return " ".join("".join(filter(_is_shown, " ".join(text.split()))).split())


def plain_lines(text: str) -> str:
    """The text with its own blanks and line breaks."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join("".join(letter for letter in line.expandtabs() if _is_shown(letter)) for line in lines)


def _is_shown(letter: str) -> bool:
    """Whether a letter can be shown: no control character or half of a pair, and no mark that turns the text after it."""
    return unicodedata.category(letter) not in ("Cc", "Cs") and letter not in _TURNING
