"""Holding turns: a colour about which is asked may have played, so whoever plays next is not accused of playing out of turn."""

from __future__ import annotations

from dataclasses import replace

from referee.cells import Cells
from referee.draft import Draft, When
from referee.matters import Question
from referee.readings import New, Reading, news, own_piece
from referee.situation import Situation


def held(situation: Situation, reading: Reading, when: When) -> Situation:
    """The situation in which every colour that is asked about has used its turn, if that makes it the turn of a piece that comes.

    As long as the question is open its likeliest piece holds the turn. An answer puts the right one in its place or gives the turn
    back, and then whoever played after it did so out of turn after all.
    """
    came = news(reading)
    colors, cells = {new.color for new in came}, frozenset[tuple[int, int]]().union(*(new.cells for new in came))
    draft = Draft(situation, when)
    for _ in situation.questions:
        on_turn = draft.now.course.game.on_turn
        if on_turn is None or on_turn in colors:
            break
        found = next(((q, new) for q in draft.now.questions if (new := _piece_of(q, on_turn, cells)) is not None), None)
        if found is None:
            return situation
        question, new = found
        act = draft.add("asked", new.color, new.cells)
        asked = (replace(question, act=act.number) if other is question else other for other in draft.now.questions)
        draft.update(questions=tuple(asked))
        draft.settle()
    return draft.now if draft.now.course.game.on_turn in colors else situation


def _piece_of(question: Question, color: str, taken: Cells) -> New | None:
    """The likeliest piece that the colour may have put down according to a question that holds no turn yet."""
    if question.about != "change" or question.act is not None:
        return None
    pieces = (own_piece(choice.reading, color) for choice in question.choices)
    return next((new for new in pieces if new is not None and not new.cells & taken), None)
