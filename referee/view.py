"""The whole state of the table as JSON: what a page shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.cells import COLOR_LETTER, EMPTY
from referee.describe import facts_of, question_json, remedies
from referee.events import Event, cell_list
from referee.game import Game
from referee.judging import Judged
from referee.people import players
from referee.pieces import identify
from referee.situation import Situation

LOG_LENGTH = 50
"""How many of the last events the state holds."""


def state_of(situation: Situation, events: Sequence[Event]) -> dict[str, Any]:
    """The state, with the last of all events so far."""
    options, game = situation.options, situation.course.game
    return {
        "variant": options.variant,
        "title": options.rules.title,
        "size": situation.size,
        "scoring": options.scoring_used,
        "touch": options.touch,
        "starts": options.starts,
        "shared": options.shared_used,
        "mirrored": options.mirrored,
        "options": options.as_json(),
        "players": [{"name": player.name, "colors": list(player.colors)} for player in players(options)],
        "order": list(game.colors),
        "order_known": None not in game.order,
        "status": status_of(situation),
        "turn": 1 + sum(act.has_turn for act in situation.acts),
        "on_turn": _on_turn(game),
        "owed": sorted(situation.course.owed),
        "grid": grid_of(situation),
        "placements": [_placement(situation, item) for item in situation.course.placements],
        "unexplained": [[*cell, color] for dispute in situation.disputes for cell, color in dispute.odd],
        "colors": {color: _color(situation, color) for color in options.rules.colors},
        "disputes": [_dispute(situation, number) for number in range(len(situation.disputes))],
        "questions": [question_json(situation, question) for question in situation.questions],
        "scores": _scores(situation),
        "last": events[-1].as_json() if events else None,
        "log": [event.as_json() for event in events[-LOG_LENGTH:]],
    }


def status_of(situation: Situation) -> str:
    """`waiting`, `playing`, `over`, `abandoned` or `unfinished`."""
    if situation.ended == "abandoned":
        return "abandoned"
    if situation.course.game.is_over:
        return "over"
    if situation.ended is not None:
        return situation.ended
    return "playing" if any(act.has_turn for act in situation.acts) else "waiting"


def grid_of(situation: Situation) -> list[str]:
    """What should lie on the board, one string a row."""
    standing, size = situation.standing, situation.size
    return ["".join(COLOR_LETTER[standing[row, col]] if (row, col) in standing else EMPTY for col in range(size)) for row in range(size)]


def _scores(situation: Situation) -> dict[str, Any]:
    """The result as the board lies; nobody wins an abandoned game."""
    scores = situation.course.result.scores().as_json()
    return {**scores, "winners": []} if situation.ended == "abandoned" else scores


def _on_turn(game: Game) -> dict[str, str] | None:
    return {"color": game.on_turn, "player": game.mover(game.on_turn)} if game.on_turn else None


def _placement(situation: Situation, item: Judged) -> dict[str, Any]:
    act = item.act
    lying = next((piece for piece in situation.lying if piece.number == act.number), None)
    about = {act.number, *(other.number for other in situation.acts if other.subject == act.number)}
    dispute = next((dispute.id for dispute in situation.disputes if about & {*dispute.acts}), None)
    return {
        "turn": item.turn,
        "color": act.color,
        "piece": identify(act.cells),
        "cells": cell_list(lying.all_cells if lying else ()),
        "home": cell_list(act.cells),
        "ruling": "legal" if act.what == "found" else item.verdict,
        "found": act.what == "found",
        "joint": act.joint,
        "dispute": dispute,
        "kinds": list(item.kinds),
        "frame": act.frame,
        "evidence": list(act.evidence or ()),
    }


def _color(situation: Situation, color: str) -> dict[str, Any]:
    game = situation.course.result
    retired, proof = game.retired.get(color), game.blocked_proof(color)
    return {
        "squares_left": game.squares_left[color],
        "pieces_left": list(game.hands[color]),
        "retired": retired,
        "blocked_proof": {"tried": proof.tried, "fitting": proof.fitting} if retired == "blocked" else None,
        "legal_count": game.legal_count(color),
        "mover": game.mover(color),
        "start_cells": cell_list(() if retired else game.start_cells(color) - situation.standing.keys()),
    }


def _dispute(situation: Situation, number: int) -> dict[str, Any]:
    dispute = situation.disputes[number]
    facts = facts_of(situation, dispute).as_json()
    extra = {"frame": dispute.frame, "evidence": list(dispute.evidence or ()), "remedies": remedies(situation, dispute)}
    return {"id": dispute.id, **facts, **extra}
