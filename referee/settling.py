"""What follows from the answer to a question, whoever gives it."""

from __future__ import annotations

from dataclasses import replace

from referee.applying import apply_reading
from referee.draft import Draft, When
from referee.events import Event
from referee.matters import Question
from referee.readings import Reading, own_piece
from referee.situation import Situation
from referee.telling import tell


def choose(
    situation: Situation, question: Question, choice: int | None, when: When, *, by: str = "camera"
) -> tuple[Situation, list[Event]]:
    """The situation after a question is answered with one of its choices, None for none of them, and the events that tell it."""
    draft = Draft(situation, when, by=by)
    draft.answer(question, choice)
    if question.about == "start":
        _begin(draft, is_accepted=choice in (0, None))
    elif question.about == "mirror":
        if choice == 0:
            draft.with_options(replace(situation.options, mirrored=True))
    else:
        return _settle_change(draft, question, choice)
    return draft.settle("misread"), tell(draft)


def _begin(draft: Draft, *, is_accepted: bool) -> None:
    """Start from the pieces found, or from an empty board on which they still lie."""
    if not is_accepted:
        for act in draft.before.acts:
            if act.what == "found":
                draft.leave_out(act.number)


def _settle_change(draft: Draft, question: Question, choice: int | None) -> tuple[Situation, list[Event]]:
    chosen = None if choice is None else question.choices[choice]
    reading: Reading = chosen.reading if chosen else frozenset()
    if draft.by == "person":
        _note_decision(draft, question, choice)
    if question.act is not None:
        place, held = draft.place_of(question.act), draft.now.act(question.act)
        draft.leave_out(question.act)
        new = own_piece(reading, held.color) if held else None
        if new is not None:
            draft.add("placed", new.color, new.cells, at=place)
            reading -= {new}
    situation, events = draft.settle("misread"), tell(draft)
    if reading:
        situation, told = apply_reading(situation, reading, draft.when, is_whole=False, by=draft.by)
        events += told
    return situation, events


def _note_decision(draft: Draft, question: Question, choice: int | None) -> None:
    """Take it that the board looks as people say, and that it does not look like the other answers whatever the camera says."""
    look = question.choices[choice].look if choice is not None else ()
    draft.dismiss(other.look for other in question.choices if other.look != look)
    draft.see((cell for cell, _ in look), {cell: color for cell, color in look if color is not None})
