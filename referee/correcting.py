"""What people put right: placements misread or missed, cells, colours, whose turn it is, and pieces that are lost.

Each is a decision that `deciding` carries out: it takes the situation and the request, and refuses what cannot be.
"""

from __future__ import annotations

from dataclasses import replace

from referee.acts import Act
from referee.cells import Cells, components, on_board, side_neighbors
from referee.draft import Draft, When
from referee.errors import DecisionError
from referee.events import Event, joined
from referee.matters import Question
from referee.outcomes import Outcome, by_people, settled
from referee.pieces import identify
from referee.readings import New, Reading
from referee.requests import Request
from referee.settling import choose
from referee.situation import Situation


def correct(situation: Situation, request: Request) -> Outcome:
    """Say what a placement was in truth, or that it never was; all later ones are judged again."""
    turn, now = request.number("turn"), request.piece("now")
    item = next((item for item in situation.course.placements if item.turn == turn), None)
    if item is None:
        raise DecisionError(f"there is no placement of turn {turn}")
    draft, number = by_people(situation), item.act.number
    if now is None:
        draft.leave_out(number)
    elif now == (item.act.color, item.act.cells):
        raise DecisionError(f"turn {turn} is recorded like that already")
    else:
        place = draft.place_of(number)
        draft.leave_out(number)
        _insert(draft, replace(item.act, color=now[0], cells=now[1], group=None, stands=False), place)
    return settled(draft, "misread")


def _insert(draft: Draft, act: Act, place: int) -> None:
    """Put an altered act back into the course."""
    draft.update(acts=(*draft.now.acts[:place], act, *draft.now.acts[place:]))


def place(situation: Situation, request: Request) -> Outcome:
    """Enter a placement by hand, at the end or at an earlier turn; it answers the question about it, if one is open."""
    color, cells = request.color(), request.cells()
    at = _place_of_turn(situation, request.number("turn")) if request.has("turn") else None
    question = _question_about(situation, color, cells)
    if question is not None:
        choice = next((number for number, answer in enumerate(question.choices) if _is_that(answer.reading, color, cells)), None)
        if choice is not None:
            return Outcome(*choose(situation, question, choice, When(), by="person"))
    draft = by_people(situation)
    if question is not None:
        draft.answer(question, None)
        if question.act is not None:
            at = draft.place_of(question.act)
            draft.leave_out(question.act)
    draft.add("placed", color, cells, at=at)
    return settled(draft)


def _place_of_turn(situation: Situation, turn: int) -> int:
    """The place in the course of the placement with that turn; the end for the next turn."""
    for place, item in enumerate(situation.course.judged):
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


def set_cells(situation: Situation, request: Request) -> Outcome:
    """Say what lies on some cells: pieces lose them, and the piece beside them or a new one takes them."""
    color, cells = request.color_or_none(), request.cells(rim=0)
    if all(situation.standing.get(cell) == color for cell in cells):
        raise DecisionError("the cells are recorded like that already")
    draft = by_people(situation)
    for dispute in situation.disputes:
        if dispute.odd and cells & {cell for cell, _ in dispute.odd}:
            draft.close(dispute.id, "misread")
    for piece in situation.lying:
        if piece.cells & cells and piece.color != color:
            _reshape(draft, piece.number, piece.all_cells - cells)
    if color is not None:
        _gain(draft, color, frozenset(cell for cell in cells if draft.now.standing.get(cell) != color))
    return settled(draft, "misread")


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


def swap_colors(situation: Situation, request: Request) -> Outcome:
    """Say that the camera took two colours for each other from the beginning."""
    first, second = request.colors()
    other = {first: second, second: first}
    draft = by_people(situation)
    draft.update(acts=tuple(replace(act, color=other.get(act.color, act.color)) for act in situation.acts))
    draft.update(next_color=other.get(situation.next_color or "", situation.next_color))
    for question in situation.questions:
        if question.about == "change":
            draft.answer(question, None)
            draft.update(acts=tuple(act for act in draft.now.acts if act.number != question.act))
    return settled(draft, "misread")


def set_turn(situation: Situation, request: Request) -> Outcome:
    """Say whose turn it is."""
    color, game = request.color(), situation.course.game
    if color in game.retired:
        raise DecisionError(f"{color} is {game.retired[color]} and plays no more")
    if color == game.on_turn:
        raise DecisionError(f"{color} is on turn already")
    draft = by_people(situation)
    draft.add("turn", color)
    outcome = settled(draft)
    return Outcome(outcome.situation, [Event("turn", f"{color.capitalize()} is on turn.", {"color": color}), *outcome.events])


def declare_missing(situation: Situation, request: Request) -> Outcome:
    """Count pieces out that turn out to be lost; those already placed cannot be."""
    color, names = request.color(), request.words("pieces", "one piece's name")
    for name in names:
        if names.count(name) > situation.course.game.hands[color].count(name):
            raise DecisionError(f"{color} has no piece {name[:10]!r} left to lose")
    options = situation.options
    draft = by_people(situation)
    draft.with_options(replace(options, missing={**options.missing, color: (*options.missing.get(color, ()), *names)}))
    outcome = settled(draft)
    told = Event("missing", f"{color.capitalize()} plays on without {joined(names)}.", {"color": color, "pieces": list(names)})
    return Outcome(outcome.situation, [told, *outcome.events])
