"""Open matters in words: what a dispute is about and what may be done, what a question asks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from referee.acts import Act
from referee.cells import Cells, cells_text, is_connected
from referee.events import cell_list, joined
from referee.judging import Judged
from referee.matters import Choice, Dispute, Question
from referee.pieces import PIECES, identify
from referee.readings import Amended, Back, Gone, Item, New, Odd, Reading, Shifted
from referee.situation import Situation


@dataclass(frozen=True)
class Facts:
    """What a dispute says.

    Attributes:
        color: whose piece it is; None for several.
        piece: which one; None when it is none, or several.
        kinds: the kinds of faults.
        cells: the squares that changed, where they lie now.
        offending: the squares that break a rule.
        from_cells: where a moved or removed piece lay.
        message: the fault in words.
    """

    color: str | None
    piece: str | None
    kinds: tuple[str, ...]
    cells: Cells
    offending: Cells
    from_cells: Cells
    message: str

    def as_json(self) -> dict[str, Any]:
        """The fields of the contract's `dispute`."""
        return {
            "color": self.color,
            "piece": self.piece,
            "cells": cell_list(self.cells),
            "offending_cells": cell_list(self.offending),
            "from_cells": cell_list(self.from_cells),
            "kinds": list(self.kinds),
            "message": self.message,
        }


def facts_of(situation: Situation, dispute: Dispute) -> Facts:
    """What a dispute is about."""
    if dispute.odd:
        return _unexplained(situation, dispute)
    acts = [act for number in dispute.acts if (act := situation.act(number)) is not None]
    if dispute.is_cleared or acts[-1].what == "removed":
        return _removed(situation, dispute)
    if acts[-1].what == "moved":
        return _moved(situation, acts[-1])
    return _placed([item for item in situation.course.judged if item.act.number in dispute.acts], situation)


def _unexplained(situation: Situation, dispute: Dispute) -> Facts:
    cells = frozenset(cell for cell, _ in dispute.odd)
    colors = {color for _, color in dispute.odd}
    color = colors.pop() if len(colors) == 1 else None
    where = cells_text(cells, situation.size)
    return Facts(color, None, ("unexplained",), cells, cells, frozenset(), f"No piece explains what lies on {where}.")


def _removed(situation: Situation, dispute: Dispute) -> Facts:
    subjects = [act.subject for number in dispute.acts if (act := situation.act(number)) is not None]
    pieces = [piece for piece in situation.lying if piece.number in subjects and not piece.cells]
    lay = frozenset[tuple[int, int]]().union(*(piece.home for piece in pieces))
    if len(pieces) != 1:
        message = f"{len(pieces)} pieces were taken off the board before the game was over."
        return Facts(None, None, ("piece_removed",), frozenset(), lay, lay, message)
    color, piece = pieces[0].color, identify(lay)
    message = f"{_name(color, piece)} was taken off the board from {cells_text(lay, situation.size)}."
    kinds = ("piece_removed", "piece_moved") if _was_last(situation, dispute) else ("piece_removed",)
    if len(kinds) > 1:
        message += " Under the strict touch rule a legal piece stays where it was put."
    return Facts(color, piece, kinds, frozenset(), lay, lay, message)


def _was_last(situation: Situation, dispute: Dispute) -> bool:
    """Whether it was the last piece put down, which its owner may not take back any more under the strict touch rule."""
    if situation.options.touch != "strict":
        return False
    place = next((place for place, act in enumerate(situation.acts) if act.number in dispute.acts), 0)
    before = [act for act in situation.acts[:place] if act.has_turn]
    return bool(before) and before[-1].number == situation.acts[place].subject


def _moved(situation: Situation, act: Act) -> Facts:
    piece = next(piece for piece in situation.lying if piece.number == act.subject)
    name = identify(piece.home)
    where = f"from {cells_text(piece.home, situation.size)} to {cells_text(act.cells, situation.size)}"
    message = f"{_name(piece.color, name)} was moved {where}."
    return Facts(piece.color, name, ("piece_moved",), act.cells, act.cells, piece.home, message)


def _placed(items: list[Judged], situation: Situation) -> Facts:
    rulings = [item.ruling for item in items if item.ruling is not None]
    cells = frozenset[tuple[int, int]]().union(*(ruling.cells for ruling in rulings))
    offending = frozenset[tuple[int, int]]().union(*(ruling.offending_cells for ruling in rulings))
    kinds = tuple(dict.fromkeys(kind for ruling in rulings for kind in ruling.kinds))
    colors = {ruling.color for ruling in rulings}
    color = colors.pop() if len(colors) == 1 else None
    if len(rulings) > 1:
        words = " ".join(ruling.message for ruling in rulings if not ruling.is_legal)
        message = f"{len(rulings)} pieces came at once, and not one a colour in turn. {words}".strip()
        return Facts(color, None, ("two_pieces", *kinds), cells, offending or cells, frozenset(), message)
    ruling, largest = rulings[0], situation.settings.largest_odd_piece
    extra = side_by_side(cells, situation.options.sets[ruling.color], largest) if ruling.piece is None else ()
    message = ruling.message + (" It may be two pieces side by side." if extra else "")
    if "two_pieces" in extra:
        kinds = tuple(kind for kind in kinds if kind != "not_a_piece")
    return Facts(ruling.color, ruling.piece, tuple(dict.fromkeys((*extra, *kinds))), cells, offending, frozenset(), message)


def side_by_side(cells: Cells, names: Iterable[str], largest_odd_piece: int) -> tuple[str, ...]:
    """The further kinds of a block that is no piece: `edge_contact` when two pieces of a set may lie there side by side.

    A block of more squares than any foreign piece has is then `two_pieces`.
    """
    if not _is_two(cells, frozenset(names)):
        return ()
    return ("two_pieces", "edge_contact") if len(cells) > largest_odd_piece else ("not_a_piece", "edge_contact")


def _is_two(cells: Cells, names: frozenset[str]) -> bool:
    """Whether the cells hang together and two pieces of a set make them up."""
    if not 2 <= len(cells) <= 10 or not is_connected(cells):
        return False
    first = min(cells)
    return any(identify(cells - part) in names for name in names for part in _parts(cells, name, first))


def _parts(cells: Cells, name: str, first: tuple[int, int]) -> Iterable[Cells]:
    """Where the piece can lie within the block so that it covers its first cell."""
    for form in PIECES[name].orientations:
        for down, right in form:
            part = frozenset((row + first[0] - down, col + first[1] - right) for row, col in form)
            if part < cells:
                yield part


def _name(color: str | None, piece: str | None) -> str:
    owner = f"{color.capitalize()}'s" if color else "A"
    return f"{owner} {piece or 'piece'}"


REMEDIES = {
    "return": ("Take the piece back", "The piece goes back to its owner, who plays again."),
    "undo": ("Undo and play on", "Only this placement is undone; later moves stay and are judged again."),
    "put_back": ("Put it back", "The piece goes back to where it lay."),
    "misread": ("The camera misread", "Nothing was put down or moved here."),
    "let_stand": ("Let it stand", "It stays as it lies, marked in the record as the table's own decision."),
    "abandon": ("Abandon the game", "The game ends without a winner."),
}
"""Label and effect of each remedy."""


def remedies(situation: Situation, dispute: Dispute) -> list[dict[str, str]]:
    """The ways out that fit a dispute, the likeliest first."""
    acts = [act for number in dispute.acts if (act := situation.act(number)) is not None]
    if dispute.odd:
        chosen = [("misread", "misread"), ("let_stand", "let_stand")]
    elif any(act.what in ("moved", "removed") for act in acts):
        chosen = [("undo", "put_back"), ("let_stand", "let_stand"), ("misread", "misread")]
    else:
        back = "undo" if _has_later(situation, dispute) else "return"
        chosen = [(back, back), ("let_stand", "let_stand"), ("misread", "misread")]
    return [{"how": how, "label": REMEDIES[word][0], "effect": REMEDIES[word][1]} for how, word in (*chosen, ("abandon", "abandon"))]


def _has_later(situation: Situation, dispute: Dispute) -> bool:
    places = [place for place, act in enumerate(situation.acts) if act.number in dispute.acts]
    return any(act.has_turn and act.number not in dispute.acts for act in situation.acts[max(places, default=-1) + 1 :])


# -- questions


def question_json(situation: Situation, question: Question) -> dict[str, Any]:
    """The fields of the contract's `question`; each candidate has a `label` too."""
    return {
        "id": question.id,
        "color": question.color,
        "about": question.about,
        "candidates": [_candidate(situation, choice) for choice in question.choices],
        "message": _asked(situation, question),
        "evidence": list(question.evidence or ()),
    }


def _asked(situation: Situation, question: Question) -> str:
    if question.about == "start":
        return f"{_found_words(situation)}. Is this the position to start from?"
    if question.about == "mirror":
        return "The first pieces went round the board counter-clockwise. Is the picture a mirror image?"
    whose = f"What has {question.color} done?" if question.color else "What has happened on the board?"
    return f"I am not sure what I see. {whose}"


MOST_NAMED = 10
"""Found pieces that a question names one by one; more are the middle of a game, and their number says enough."""


def _found_words(situation: Situation) -> str:
    """That pieces were found on the board, and which, colour after colour."""
    names: dict[str, list[str]] = {}
    found = [act for act in situation.acts if act.what == "found"]
    if len(found) > MOST_NAMED:
        return f"{len(found)} pieces already lie on the board"
    for act in found:
        names.setdefault(act.color, []).append(identify(act.cells) or "squares")
    return f"These pieces already lie on the board: {'; '.join(f'{color} {joined(pieces)}' for color, pieces in names.items())}"


def _candidate(situation: Situation, choice: Choice) -> dict[str, Any]:
    color, piece, cells = _piece_of(situation, choice.reading)
    return {
        "color": color,
        "piece": piece,
        "cells": cell_list(cells),
        "p": round(choice.p, 4),
        "label": choice.label or label_of(situation, choice.reading),
    }


def _piece_of(situation: Situation, reading: Reading) -> tuple[str | None, str | None, Cells]:
    """Colour, piece and cells of a reading that is about a single piece; all cells for several."""
    placed = [(item, _color_of(situation, item), item.cells) for item in reading if isinstance(item, New | Shifted | Amended)]
    if len(placed) == 1:
        _, color, cells = placed[0]
        return color, identify(cells), cells
    colors = {_color_of(situation, item) for item in reading if not isinstance(item, Odd)}
    color = colors.pop() if len(colors) == 1 else None
    return color, None, frozenset[tuple[int, int]]().union(*(cells for _, _, cells in placed))


def _color_of(situation: Situation, item: Item) -> str | None:
    if isinstance(item, New):
        return item.color
    act = None if isinstance(item, Odd) else situation.act(item.number)
    return act.color if act else None


def label_of(situation: Situation, reading: Reading) -> str:
    """A reading in words."""
    words = sorted(_item_words(situation, item) for item in reading)
    return "; ".join(words) if words else "Nothing changed"


def _item_words(situation: Situation, item: Item) -> str:
    if isinstance(item, Odd):
        return "Something lies there that is no piece" if any(color for _, color in item.look) else "Some squares are gone"
    if isinstance(item, New):
        when = ", put down earlier, in its turn" if item.before is not None else ""
        return f"{item.color.capitalize()} {identify(item.cells) or 'squares'} at {cells_text(item.cells, situation.size)}{when}"
    act = situation.act(item.number)
    name = _name(act.color, identify(act.cells)) if act else "A piece"
    if isinstance(item, Gone):
        return f"{name} was taken away"
    if isinstance(item, Back):
        return f"{name} is back where it lay"
    if isinstance(item, Amended):
        return f"{name} is a {identify(item.cells) or 'block'} in truth"
    return f"{name} was moved to {cells_text(item.cells, situation.size)}"
