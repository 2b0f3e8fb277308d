"""The first look at the board: an empty one begins the game, pieces that lie there are the position already reached."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from referee.cells import EMPTY, LETTER_COLOR, UNSURE, Cell, Cells, cells_text, components
from referee.draft import Draft, When
from referee.errors import BoardTextError
from referee.events import Event, cell_list, piece_words
from referee.matters import Choice
from referee.pieces import identify
from referee.readings import look_at
from referee.situation import Situation
from referee.telling import tell

Block = tuple[str, Cells]
"""The colour and the cells of something that hangs together."""


def begin(
    situation: Situation, grid: Sequence[str], when: When, *, is_asked: bool, next_color: str | None
) -> tuple[Situation, list[Event]]:
    """The situation after the first look, one string a row; with `is_asked` people are asked whether found pieces belong to the game.

    Raises:
        BoardTextError: the grid has another size or letters of no colour.
    """
    board, unsure = read_grid(situation, grid)
    blocks = _blocks(situation, board)
    draft = Draft(situation, when)
    for color, cells in blocks:
        draft.add("found", color, cells)
    draft.update(is_started=True, seen=board, next_color=next_color)
    findings = [*_lying_there(situation, blocks, is_named=is_asked), *_unsure(situation, unsure)]
    if blocks and is_asked:
        draft.ask("start", _choices(situation, board))
    draft.settle()
    words = f"The board is seen; {len(blocks)} pieces lie on it." if blocks else "The board is empty; the game may begin."
    fields: dict[str, Any] = {"grid": list(grid), "findings": findings}
    return draft.now, [Event("start", words, fields, when.frame, when.seen_frame, when.time_s), *tell(draft)]


def reminded(before: Situation, after: Situation, when: When) -> list[Event]:
    """A reminder of the pieces that lie on the board and are no part of the game, once, when its first piece is put down."""
    if any(act.has_turn for act in before.acts) or not any(act.has_turn for act in after.acts):
        return []
    left = _blocks(after, {cell: color for cell, color in after.seen.items() if cell not in after.standing})
    if not left:
        return []
    pieces = [{"color": color, "piece": identify(cells), "cells": cell_list(cells)} for color, cells in left]
    names = "; ".join(f"{color} {identify(cells) or 'squares'} at {cells_text(cells, after.size)}" for color, cells in left)
    sentence = f"These pieces still lie on the board and are no part of the game: {names}. Take them away."
    return [Event("reminder", sentence, {"pieces": pieces}, when.frame, when.seen_frame, when.time_s)]


def read_grid(situation: Situation, grid: Sequence[str]) -> tuple[dict[Cell, str], Cells]:
    """The colours on the occupied cells of a grid of text, and the cells it does not name.

    Raises:
        BoardTextError: it has another size or letters of no colour.
    """
    size, known = situation.size, {LETTER_COLOR[letter]: letter for letter in LETTER_COLOR}
    if len(grid) != size or any(len(row) != size for row in grid):
        raise BoardTextError(f"the first look needs {size} rows of {size} letters")
    letters = {(row, col): letter for row, line in enumerate(grid) for col, letter in enumerate(line)}
    colors = {known[color]: color for color in situation.options.rules.colors}
    strange = set(letters.values()) - {EMPTY, UNSURE, *LETTER_COLOR}
    if strange:
        raise BoardTextError(f"letter {min(strange)!r} is no colour's")
    board = {cell: colors[letter] for cell, letter in letters.items() if letter in colors}
    return board, frozenset(cell for cell, letter in letters.items() if letter != EMPTY and letter not in colors)


def _blocks(situation: Situation, board: dict[Cell, str]) -> list[Block]:
    """What hangs together, colour after colour; pieces of one colour never share a side, so each block is a piece."""
    return [
        (color, cells)
        for color in situation.options.rules.colors
        for cells in components(cell for cell, found in board.items() if found == color)
    ]


def _lying_there(situation: Situation, blocks: list[Block], *, is_named: bool) -> Iterable[dict[str, Any]]:
    """What there is to say of the pieces found: that they lie there, and which of them the set does not have."""
    left = {color: [*names] for color, names in situation.options.sets.items()}
    for color, cells in blocks:
        name = identify(cells)
        if name in left[color]:
            left[color].remove(name)
            kind, words = "piece_on_board", "lies on the board already"
        elif name in situation.options.rules.pieces:
            kind, words = "piece_already_used", "lies on the board more often than the set has it"
        else:
            kind, words, name = "not_a_piece", "are no piece of the set", None
        if is_named or kind != "piece_on_board":
            what = piece_words(color, name) if name else f"{color.capitalize()}'s squares"
            message = f"{what} at {cells_text(cells, situation.size)} {words}."
            yield {"kind": kind, "color": color, "piece": name, "cells": cell_list(cells), "message": message}


def _unsure(situation: Situation, unsure: Cells) -> Iterable[dict[str, Any]]:
    if unsure:
        message = f"It cannot be said what lies on {cells_text(unsure, situation.size)}."
        yield {"kind": "unsure", "cells": cell_list(unsure), "message": message}


def _choices(situation: Situation, board: dict[Cell, str]) -> tuple[Choice, Choice]:
    cells = frozenset(board)
    return (
        Choice(frozenset(), 0.5, look_at(board, cells), "Yes, the game goes on from here"),
        Choice(frozenset(), 0.5, look_at({}, cells), f"No, these pieces will be taken away before {situation.options.rules.title} begins"),
    )
