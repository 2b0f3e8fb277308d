"""What happened at the table, said in the page's language.

The referee's own sentences are English and go into records. In another language a sentence is made anew from the event's fields; it
leaves out what the page shows better than words, such as the squares' names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.events import HOW_WORDS, KIND_WORDS
from web.texts import COLORS
from web.translating import language, ntr, tr


def _(text: str) -> str:
    """Marks a text for the catalogues; it is translated where it is used."""
    return text


def spoken(event: Mapping[str, Any]) -> str:
    """The sentence of an event (its JSON); an event that has none in the language keeps its English one."""
    english = str(event.get("sentence") or "")
    if language() == "en":
        return english
    made = _sentence(event)
    return made[:1].upper() + made[1:] if made else english


def with_said(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """The event with its sentence in the language as `said`, where that is not English."""
    return event if language() == "en" or not event.get("sentence") else {**event, "said": spoken(event)}


def _sentence(event: Mapping[str, Any]) -> str:
    """The sentence in the language, '' for an event that is not told in words of its own."""
    name = str(event.get("event"))
    if name in _MADE:
        return _MADE[name](event)
    text = _CHOSEN[name](event) if name in _CHOSEN else _PLAIN.get(name, "")
    return tr(text).format(
        piece=piece(event),
        color=color_word(event.get("color")),
        kinds=kinds_words(event.get("kinds") or ()),
        how=tr(HOW_WORDS.get(str(event.get("how")), "")),
        turn=event.get("turn"),
        tried=event.get("tried"),
        fitting=event.get("fitting"),
        colors=listed([color_word(color) for color in event.get("can_move") or ()]),
    )


def dispute_words(dispute: Mapping[str, Any]) -> str:
    """What a dispute is about: whose piece, and what it breaks."""
    return tr("{piece}: {kinds}.").format(piece=piece(dispute), kinds=kinds_words(dispute.get("kinds") or ()))


def question_words(question: Mapping[str, Any]) -> str:
    """What a question asks."""
    about, color = question.get("about"), question.get("color")
    if about == "start":
        return tr("Pieces already lie on the board. Is this the position to start from?")
    if about == "mirror":
        return tr("The first pieces went round the board counter-clockwise. Is the picture a mirror image?")
    if color:
        return tr("I am not sure what I see. What has {color} done?").format(color=color_word(color))
    return tr("I am not sure what I see. What has happened on the board?")


def candidate_words(candidate: Mapping[str, Any]) -> str:
    """One answer to a question; what is no placement of a single piece stays in English."""
    label, color, name = candidate.get("label"), candidate.get("color"), candidate.get("piece")
    if language() == "en":
        return str(label or " ".join(part for part in (color_word(color), name) if part) or "Nothing changed")
    if color and name and candidate.get("cells"):
        return piece(candidate)
    return tr(str(label)) if label else tr("Nothing changed")


def _corrected(event: Mapping[str, Any]) -> str:
    was, now = event.get("was"), event.get("now")
    if was and now:
        return tr("{was} of turn {turn} is now {now}.").format(was=piece(was), turn=event.get("turn"), now=piece(now))
    return tr("{piece} was taken back.").format(piece=piece(was)) if was else tr("{piece} stands again.").format(piece=piece(now or {}))


def _won(winners: Sequence[str]) -> str:
    names = listed([person_word(name) for name in winners])
    over = tr("The game is over.")
    won = tr("{names} share the win.") if len(winners) > 1 else tr("{names} wins.") if winners else tr("Nobody has won.")
    return f"{over} {won.format(names=names)}"


_SEVERAL = frozenset({"two_pieces", "piece_removed", "piece_moved"})
"""Kinds of a dispute about pieces; without a colour it is about pieces of several."""


def piece(fields: Mapping[str, Any]) -> str:
    """The piece of an event's fields in words."""
    if not fields.get("color") and not fields.get("piece") and _SEVERAL & set(fields.get("kinds") or ()):
        return tr("Several pieces")
    return piece_words(fields.get("color"), fields.get("piece"), len(fields.get("cells") or ()))


def piece_words(color: str | None, name: str | None, squares: int) -> str:
    """A piece in words: "Red W", "Red, 3 squares", "Some squares"."""
    if not color:
        return name or tr("Some squares")
    return f"{color_word(color)} {name}" if name else f"{color_word(color)}, {squares_words(squares)}"


def squares_words(number: int) -> str:
    """A number of squares."""
    return ntr("{n} square", "{n} squares", number).format(n=number)


def pieces_left_words(color: str, names: Sequence[str]) -> str:
    """What a colour has left."""
    left = ntr("{color} has {n} piece left", "{color} has {n} pieces left", len(names)).format(color=color_word(color), n=len(names))
    return f"{left}: {', '.join(names)}" if names else left


def color_word(color: str | None) -> str:
    """A colour's name."""
    return tr(color.capitalize()) if color else ""


def person_word(name: str) -> str:
    """A person's name; whoever has none is called by the colours played."""
    parts = name.split(" and ")
    return listed([color_word(part) for part in parts]) if all(part.lower() in COLORS for part in parts) else name


def kinds_words(kinds: Sequence[str]) -> str:
    """The kinds of a dispute in plain words."""
    return "; ".join(tr(KIND_WORDS.get(kind, kind)) for kind in kinds)


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: "Ann", "Ann and Bob", "Ann, Bob and Cem"."""
    return f"{', '.join(names[:-1])}{tr(' and ')}{names[-1]}" if len(names) > 1 else "".join(names)


_PLAIN = {
    "placement": _("{piece} is legal."),
    "resolved": _("The dispute is settled: {how}."),
    "skipped": _("{color} is skipped."),
    "blocked": _("{color} is blocked: none of its pieces fits any more."),
    "unblocked": _("{color} can play again."),
    "finished": _("{color} has placed every piece."),
    "turn": _("{color} is on turn."),
    "abandoned": _("The game was abandoned; nobody has won."),
    "unfinished": _("The game is not over: {colors} can still play."),
    "reminder": _("Pieces still lie on the board that are no part of the game. Take them away."),
    "new_game": _("A new game begins."),
}
"""Sentences of events, to be filled in with their fields."""

_CHOSEN: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "answered": lambda event: _("A question fell away.") if event.get("choice") is None else _("A question was answered."),
    "rejudged": lambda event: _("Turn {turn} is now in dispute: {kinds}.") if event.get("kinds") else _("Turn {turn} is now legal."),
    "legality": lambda event: _("{piece}: {kinds}.") if event.get("kinds") else _("{piece} is legal."),
    "claim": lambda event: (
        _("{color} is blocked: {tried} placements tried, none fits.")
        if event.get("blocked")
        else _("{color} is not blocked: {fitting} placements fit.")
    ),
    "start": lambda event: (
        _("The board is seen; pieces lie on it.")
        if any(set(row) - {".", "?"} for row in event.get("grid") or ())
        else _("The board is empty; the game may begin.")
    ),
}
"""Sentences that depend on a field."""

_MADE: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "dispute": dispute_words,
    "question": question_words,
    "corrected": _corrected,
    "game_over": lambda event: _won((event.get("scores") or {}).get("winners") or ()),
}
"""Sentences that are put together."""
