"""What people decide: each decision is checked first, then carried out as one change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from referee.acts import Act
from referee.cells import Cells
from referee.correcting import correct, declare_missing, place, set_cells, set_turn, swap_colors
from referee.draft import Draft, When
from referee.errors import DecisionError
from referee.events import Event, cell_list, counted, joined
from referee.matters import Dispute
from referee.outcomes import Outcome, by_people, going_on, preview, settled, signed
from referee.requests import Request
from referee.settling import choose
from referee.situation import Situation
from referee.telling import tell

HOWS = ("return", "undo", "abandon", "misread", "let_stand")


def decide(situation: Situation, decision: Mapping[str, Any]) -> Outcome:
    """Carry out one decision; undoing decisions is not known here.

    Raises:
        DecisionError: it is not understood or cannot be carried out.
    """
    request = Request(decision, situation.options.rules.colors, situation.size)
    carry_out = _DECISIONS.get(request.name)
    if carry_out is None:
        raise DecisionError(f"unknown decision {request.name!r}; known: {', '.join([*_DECISIONS, 'undo', 'redo'])}")
    if situation.ended == "abandoned" and request.name not in _ALWAYS:
        raise DecisionError("the game was abandoned; undo that or start a new game")
    who = request.who
    outcome = carry_out(situation, request)
    if request.flag("preview") and outcome.situation is not situation:
        return preview(situation, outcome.situation)
    return Outcome(going_on(situation, outcome.situation), signed(outcome.events, who))


# -- disputes


def _resolve(situation: Situation, request: Request) -> Outcome:
    number, how = request.number("id"), request.word("how", HOWS)
    dispute = next((dispute for dispute in situation.disputes if dispute.id == number), None)
    if dispute is None:
        raise DecisionError(f"there is no open dispute {number}")
    now = request.piece("now") if request.has("now") else None
    if now is not None and how != "misread":
        raise DecisionError('"now" says what the camera should have read; it goes with "misread"')
    draft = by_people(situation)
    draft.hows[dispute.id] = how
    if how == "abandon":
        return _abandoned(draft)
    _settle_dispute(draft, dispute, how, now)
    return settled(draft, how)


def _settle_dispute(draft: Draft, dispute: Dispute, how: str, now: tuple[str, Cells] | None) -> None:
    if dispute.odd:
        draft.close(dispute.id, how)
    acts = [act for number in dispute.acts if (act := draft.before.act(number)) is not None]
    if how == "let_stand":
        _let_stand(draft, acts)
    elif how == "return" and any(draft.has_later_piece(act.number) for act in acts[-1:] if act.is_piece):
        raise DecisionError("others have played since, so the piece cannot just be returned; undo it instead")
    else:
        place = draft.place_of(acts[0].number) if acts else None
        for act in acts:
            draft.leave_out(act.number, is_turn_kept=act.is_piece and how == "undo")
        if now is not None:
            draft.add("placed", *now, at=place)


def _let_stand(draft: Draft, acts: list[Act]) -> None:
    """Let everything stand; a turn that was passed over is lost."""
    for act in acts:
        item = draft.before.course.of(act.number)
        draft.passed += tuple(color for color in (item.passed if item else ()) if color not in draft.passed)
        draft.alter(act.number, stands=True)


def _abandon(situation: Situation, _: Request) -> Outcome:
    return _abandoned(by_people(situation))


def _abandoned(draft: Draft) -> Outcome:
    """End the game without a winner; everything open falls away."""
    for dispute in draft.now.disputes:
        draft.close(dispute.id, "abandon")
    for question in draft.now.questions:
        draft.answer(question, None)
    draft.update(ended="abandoned")
    return Outcome(draft.now, tell(draft))


# -- questions


def _answer(situation: Situation, request: Request) -> Outcome:
    number, choice = request.number("id"), request.choice()
    question = next((question for question in situation.questions if question.id == number), None)
    if question is None:
        raise DecisionError(f"there is no open question {number}")
    if choice is not None and choice >= len(question.choices):
        raise DecisionError(f"question {number} has the answers 0 to {len(question.choices) - 1}")
    return Outcome(*choose(situation, question, choice, When(), by="person"))


# -- asking the referee


def _claim_blocked(situation: Situation, request: Request) -> Outcome:
    """Answer a claim; a placement that fits is shown only when asked for, for it would be advice."""
    color, show = request.color(), request.flag("show")
    game = situation.course.game
    proof = game.blocked_proof(color)
    example = next(iter(game.legal_placements(color)), None) if show else None
    retired = game.retired.get(color)
    fields = {
        "color": color,
        "blocked": retired == "blocked",
        "retired": retired,
        "tried": proof.tried,
        "fitting": proof.fitting,
        "example": example.as_json() if example else None,
    }
    return Outcome(situation, [Event("claim", proof.message, fields)])


def _would_be_legal(situation: Situation, request: Request) -> Outcome:
    color, cells = request.color(), request.cells()
    ruling = situation.course.judge(color, cells)
    fields = {
        "color": color,
        "piece": ruling.piece,
        "cells": cell_list(cells),
        "legal": ruling.is_legal,
        "kinds": list(ruling.kinds),
        "offending_cells": cell_list(ruling.offending_cells),
        "message": ruling.message,
    }
    return Outcome(situation, [Event("legality", ruling.message, fields)])


# -- the end


def finish(situation: Situation, when: When) -> Outcome:
    """Say that nothing more will be seen or played: `unfinished` unless the game is over."""
    game = situation.course.game
    if game.is_over or situation.ended is not None:
        return Outcome(situation, [])
    counts = {color: game.blocked_proof(color).fitting for color in game.colors if color not in game.retired}
    fields = {"can_move": [*counts], "legal_counts": counts, "scores": situation.course.result.scores().as_json()}
    event = Event("unfinished", _still_to_play(counts), fields, when.frame, when.seen_frame, when.time_s)
    return Outcome(replace(situation, ended="unfinished"), [event])


def _still_to_play(counts: Mapping[str, int]) -> str:
    """Who stopped too early, and in how many ways each could have gone on; where would be advice."""
    who = [f"{color.capitalize()} ({counted(count, 'placement')})" for color, count in counts.items()]
    return f"The game is not over: {joined(who)} can still play."


def _finish(situation: Situation, _: Request) -> Outcome:
    outcome = finish(situation, When())
    if not outcome.events:
        raise DecisionError("the game has ended already")
    return outcome


def _new_game(_: Situation, __: Request) -> Outcome:
    raise DecisionError("a new game needs a new table; this one holds one game")


_ALWAYS = ("claim_blocked", "would_be_legal", "new_game")

_DECISIONS: dict[str, Callable[[Situation, Request], Outcome]] = {
    "resolve": _resolve,
    "answer": _answer,
    "correct": correct,
    "place": place,
    "claim_blocked": _claim_blocked,
    "would_be_legal": _would_be_legal,
    "set_cells": set_cells,
    "swap_colors": swap_colors,
    "set_turn": set_turn,
    "declare_missing": declare_missing,
    "abandon": _abandon,
    "finish": _finish,
    "new_game": _new_game,
}
