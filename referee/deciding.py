"""What people decide: each decision is checked first, then carried out as one change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from referee.acts import Act
from referee.cells import Cells, components, on_board, side_neighbors
from referee.draft import Draft, When
from referee.errors import DecisionError
from referee.events import Event, cell_list, joined
from referee.matters import Dispute, Question
from referee.pieces import identify
from referee.readings import New, Reading
from referee.requests import Request
from referee.settling import choose
from referee.situation import Situation
from referee.telling import rejudgements, tell

HOWS = ("return", "undo", "abandon", "misread", "let_stand")


@dataclass(frozen=True)
class Outcome:
    """What a decision leads to: the situation after it and the events that tell it."""

    situation: Situation
    events: list[Event]


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
    return replace(outcome, events=signed(outcome.events, who))


def signed(events: list[Event], who: str) -> list[Event]:
    """The events with the name of who decided in those that tell the decision; what follows from it by the rules has none."""
    if not who:
        return events
    return [replace(event, fields={**event.fields, "who": who}) if event.name in _DECIDED else event for event in events]


def preview(before: Situation, after: Situation) -> Outcome:
    """What a change would lead to, with nothing changed."""
    changes = rejudgements(before, after)
    broken = sum(change["now"] == "illegal" for change in changes)
    words = (
        "No later placement would become illegal." if not broken else f"{broken} placement{'s' if broken > 1 else ''} would become illegal."
    )
    return Outcome(before, [Event("preview", words, {"rejudged": changes})])


def _done(draft: Draft, how: str = "undo") -> Outcome:
    situation = draft.settle(how)
    return Outcome(replace(situation, is_started=True, ended=None if situation.ended == "unfinished" else situation.ended), tell(draft))


def _by_people(situation: Situation) -> Draft:
    return Draft(situation, When(), by="person")


# -- disputes


def _resolve(situation: Situation, request: Request) -> Outcome:
    number, how = request.number("id"), request.word("how", HOWS)
    dispute = next((dispute for dispute in situation.disputes if dispute.id == number), None)
    if dispute is None:
        raise DecisionError(f"there is no open dispute {number}")
    now = request.piece("now") if request.has("now") else None
    if now is not None and how != "misread":
        raise DecisionError('"now" says what the camera should have read; it goes with "misread"')
    draft = _by_people(situation)
    draft.hows[dispute.id] = how
    if how == "abandon":
        return _abandoned(draft)
    _settle_dispute(draft, dispute, how, now)
    return _done(draft, how)


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
        item = draft.before.record.of(act.number)
        draft.passed += tuple(color for color in (item.passed if item else ()) if color not in draft.passed)
        draft.alter(act.number, stands=True)


def _abandon(situation: Situation, _: Request) -> Outcome:
    return _abandoned(_by_people(situation))


def _abandoned(draft: Draft) -> Outcome:
    """End the game without a winner; everything open falls away."""
    for dispute in draft.now.disputes:
        draft.close(dispute.id, "abandon")
    for question in draft.now.questions:
        draft.answer(question, None)
    draft.update(ended="abandoned")
    return Outcome(draft.now, [*tell(draft), Event("abandoned", "The game was abandoned; nobody has won.")])


# -- questions


def _answer(situation: Situation, request: Request) -> Outcome:
    number, choice = request.number("id"), request.choice()
    question = next((question for question in situation.questions if question.id == number), None)
    if question is None:
        raise DecisionError(f"there is no open question {number}")
    if choice is not None and choice >= len(question.choices):
        raise DecisionError(f"question {number} has the answers 0 to {len(question.choices) - 1}")
    return Outcome(*choose(situation, question, choice, When(), by="person"))


# -- corrections


def _correct(situation: Situation, request: Request) -> Outcome:
    turn, now = request.number("turn"), request.piece("now")
    item = next((item for item in situation.record.placements if item.turn == turn), None)
    if item is None:
        raise DecisionError(f"there is no placement of turn {turn}")
    draft, number = _by_people(situation), item.act.number
    if now is None:
        draft.leave_out(number)
    elif now == (item.act.color, item.act.cells):
        raise DecisionError(f"turn {turn} is recorded like that already")
    else:
        place = draft.place_of(number)
        draft.leave_out(number)
        _insert(draft, replace(item.act, color=now[0], cells=now[1], group=None, stands=False), place)
    return _done(draft, "misread")


def _insert(draft: Draft, act: Act, place: int) -> None:
    """Put an altered act back into the record."""
    draft.update(acts=(*draft.now.acts[:place], act, *draft.now.acts[place:]))


def _place(situation: Situation, request: Request) -> Outcome:
    color, cells = request.color(), request.cells()
    at = _place_of_turn(situation, request.number("turn")) if request.has("turn") else None
    question = _question_about(situation, color, cells)
    if question is not None:
        choice = next((number for number, answer in enumerate(question.choices) if _is_that(answer.reading, color, cells)), None)
        if choice is not None:
            return Outcome(*choose(situation, question, choice, When(), by="person"))
    draft = _by_people(situation)
    if question is not None:
        draft.answer(question, None)
        if question.act is not None:
            at = draft.place_of(question.act)
            draft.leave_out(question.act)
    draft.add("placed", color, cells, at=at)
    return _done(draft)


def _place_of_turn(situation: Situation, turn: int) -> int:
    """The place in the record of the placement with that turn; the end for the next turn."""
    for place, item in enumerate(situation.record.judged):
        if item.act.has_turn and item.turn == turn:
            if item.act.what == "found":
                raise DecisionError(f"turn {turn} lay on the board when the game was first seen")
            return place
    if turn != 1 + sum(act.has_turn for act in situation.acts):
        raise DecisionError(f"there is no turn {turn} yet")
    return len(situation.acts)


def _question_about(situation: Situation, color: str, cells: Cells) -> Question | None:
    """The open question that a placement by hand answers."""
    changes = [question for question in situation.questions if question.about == "change"]
    return next(
        (question for question in changes if question.cells & cells or (question.act is not None and question.color == color)), None
    )


def _is_that(reading: Reading, color: str, cells: Cells) -> bool:
    return reading == {New(color, cells)}


def _set_cells(situation: Situation, request: Request) -> Outcome:
    """Say what lies on some cells: pieces lose them, and the piece beside them or a new one takes them."""
    color, cells = request.color_or_none(), request.cells(rim=0)
    if all(situation.standing.get(cell) == color for cell in cells):
        raise DecisionError("the cells are recorded like that already")
    draft = _by_people(situation)
    for dispute in situation.disputes:
        if dispute.odd and cells & {cell for cell, _ in dispute.odd}:
            draft.close(dispute.id, "misread")
    for piece in situation.lying:
        if piece.cells & cells and piece.color != color:
            _reshape(draft, piece.number, piece.all_cells - cells)
    if color is not None:
        _gain(draft, color, frozenset(cell for cell in cells if draft.now.standing.get(cell) != color))
    return _done(draft, "misread")


def _of_color(draft: Draft, color: str) -> list[Act]:
    """The pieces of a colour that lie where they were put, newest first."""
    lying = {piece.number for piece in draft.now.lying if piece.cells}
    return [act for act in reversed(draft.now.acts) if act.is_piece and act.color == color and act.number in lying]


def _reshape(draft: Draft, number: int, cells: Cells) -> None:
    """Let a piece lie on other cells, wherever it was moved before; without any on the board it never was there."""
    act, place = draft.now.act(number), draft.place_of(number)
    draft.leave_out(number)
    if act is not None and any(on_board(cell, draft.now.size) for cell in cells):
        _insert(draft, replace(act, cells=cells, group=None, stands=False), place)


def _gain(draft: Draft, color: str, cells: Cells) -> None:
    """Give the cells to the newest piece beside them with which they make a piece, else to new ones."""
    for block in components(cells):
        whole = next((act for act in _of_color(draft, color) if _makes_a_piece(draft, act, block)), None)
        if whole is not None:
            _reshape(draft, whole.number, whole.cells | block)
        else:
            draft.add("placed", color, block)


def _makes_a_piece(draft: Draft, act: Act, block: Cells) -> bool:
    is_beside = any(side_neighbors(cell) & act.cells for cell in block)
    return is_beside and identify(act.cells | block) in draft.now.options.rules.pieces


def _swap_colors(situation: Situation, request: Request) -> Outcome:
    first, second = request.colors()
    other = {first: second, second: first}
    draft = _by_people(situation)
    draft.update(acts=tuple(replace(act, color=other.get(act.color, act.color)) for act in situation.acts))
    draft.update(next_color=other.get(situation.next_color or "", situation.next_color))
    for question in situation.questions:
        if question.about == "change":
            draft.answer(question, None)
            draft.update(acts=tuple(act for act in draft.now.acts if act.number != question.act))
    return _done(draft, "misread")


def _set_turn(situation: Situation, request: Request) -> Outcome:
    color, game = request.color(), situation.record.game
    if color in game.retired:
        raise DecisionError(f"{color} is {game.retired[color]} and plays no more")
    if color == game.on_turn:
        raise DecisionError(f"{color} is on turn already")
    draft = _by_people(situation)
    draft.add("turn", color)
    outcome = _done(draft)
    return Outcome(outcome.situation, [Event("turn", f"{color.capitalize()} is on turn.", {"color": color}), *outcome.events])


def _declare_missing(situation: Situation, request: Request) -> Outcome:
    """Count pieces out that turn out to be lost; those already placed cannot be."""
    color, names = request.color(), request.words("pieces", "one piece's name")
    for name in names:
        if names.count(name) > situation.record.game.hands[color].count(name):
            raise DecisionError(f"{color} has no piece {name[:10]!r} left to lose")
    options = situation.options
    draft = _by_people(situation)
    draft.with_options(replace(options, missing={**options.missing, color: (*options.missing.get(color, ()), *names)}))
    outcome = _done(draft)
    told = Event("missing", f"{color.capitalize()} plays on without {joined(names)}.", {"color": color, "pieces": list(names)})
    return Outcome(outcome.situation, [told, *outcome.events])


# -- asking the referee


def _claim_blocked(situation: Situation, request: Request) -> Outcome:
    """Answer a claim; a placement that fits is shown only when asked for, for it would be advice."""
    color, show = request.color(), request.flag("show")
    game = situation.record.game
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
    ruling = situation.record.judge(color, cells)
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
    game = situation.record.game
    if game.is_over or situation.ended is not None:
        return Outcome(situation, [])
    counts = {color: game.blocked_proof(color).fitting for color in game.colors if color not in game.retired}
    fields = {"can_move": [*counts], "legal_counts": counts, "scores": situation.record.result.scores().as_json()}
    event = Event("unfinished", _still_to_play(counts), fields, when.frame, when.seen_frame, when.time_s)
    return Outcome(replace(situation, ended="unfinished"), [event])


def _still_to_play(counts: Mapping[str, int]) -> str:
    """Who stopped too early, and in how many ways each could have gone on; where would be advice."""
    who = [f"{color.capitalize()} ({count} placement{'' if count == 1 else 's'})" for color, count in counts.items()]
    return f"The game is not over: {joined(who)} can still play."


def _finish(situation: Situation, _: Request) -> Outcome:
    outcome = finish(situation, When())
    if not outcome.events:
        raise DecisionError("the game has ended already")
    return outcome


def _new_game(_: Situation, __: Request) -> Outcome:
    raise DecisionError("a new game needs a new table; this one holds one game")


_ALWAYS = ("claim_blocked", "would_be_legal", "new_game")

_DECIDED = ("resolved", "answered", "corrected", "turn", "missing", "abandoned")

_DECISIONS: dict[str, Callable[[Situation, Request], Outcome]] = {
    "resolve": _resolve,
    "answer": _answer,
    "correct": _correct,
    "place": _place,
    "claim_blocked": _claim_blocked,
    "would_be_legal": _would_be_legal,
    "set_cells": _set_cells,
    "swap_colors": _swap_colors,
    "set_turn": _set_turn,
    "declare_missing": _declare_missing,
    "abandon": _abandon,
    "finish": _finish,
    "new_game": _new_game,
}
