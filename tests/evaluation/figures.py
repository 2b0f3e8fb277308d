"""Figures of scored pictures: over all of them, and by condition, since one number alone hides where a reader fails."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from tests.evaluation.stills import Score

ANGLES_DEG = (0, 15, 30, 45, 55, 91)


def _angle(score: Score) -> str:
    tilt = score.conditions.get("tilt_deg")
    if tilt is None:
        return ""
    return next(f"{low} to {high} deg" for low, high in pairwise(ANGLES_DEG) if tilt < high)


CONDITIONS: dict[str, Callable[[Score], str]] = {
    "light": lambda score: str(score.conditions.get("lighting", "")),
    "angle": _angle,
    "board": lambda score: str(score.conditions.get("board_color", "")),
    "material": lambda score: str(score.conditions.get("piece_finish", "")),
    "table": lambda score: str(score.conditions.get("table", "")),
    "game": lambda score: str(score.conditions.get("game", "")),
}
"""What pictures are told apart by; an empty name where it is not known."""


def figures(scores: Sequence[Score]) -> dict[str, Any]:
    """The figures of some pictures, as one JSON object."""
    boards = [score for score in scores if score.is_board]
    negatives = [score for score in scores if not score.is_board]
    read = [score for score in boards if score.is_read]
    off = sorted(far for score in read for far in score.corners_off)
    found: dict[str, Any] = {
        "pictures": len(boards),
        "located": sum(score.is_located for score in boards),
        "refused": sum(not score.is_read for score in boards),
        "cells": sum(score.cells for score in boards),
        "wrong": sum(len(score.wrong or ()) for score in read),
        "unsure": sum(len(score.unsure) for score in read),
        "exact": sum(not score.wrong and not score.unsure for score in read),
        "exact_or_unsure": sum(not score.wrong for score in read),
        "no_board": len(negatives),
        "no_board_called_board": sum(score.is_read for score in negatives),
    }
    if off:
        found |= {f"corner_cells_{name}": round(off[min(len(off) - 1, int(len(off) * q))], 3) for name, q in QUANTILES}
        found["read_ms_median"] = round(statistics.median(score.read_ms for score in read), 1)
    return found | _loose(read)


QUANTILES = (("median", 0.5), ("p95", 0.95), ("max", 1.0))


def _loose(read: Sequence[Score]) -> dict[str, int]:
    known = [score.loose for score in read if score.loose is not None]
    names = ("pieces", "right", "unsure", "wrong", "missed", "invented")
    return {f"loose_{name}": sum(getattr(one, name) for one in known) for name in names} if known else {}


def by_condition(scores: Sequence[Score]) -> Iterator[str]:
    """A table for people: one row a value of each condition."""
    yield f"{'':22} {'boards':>7} {'located':>8} {'cells':>7} {'wrong':>6} {'unsure':>7} {'exact':>6}"
    for name, of in CONDITIONS.items():
        for value in sorted({of(score) for score in scores if score.is_board} - {""}):
            found = figures([score for score in scores if score.is_board and of(score) == value])
            columns = f"{found['pictures']:>7} {found['located']:>8} {found['cells']:>7} {found['wrong']:>6} {found['unsure']:>7}"
            yield f"{name + ' ' + value:22} {columns} {found['exact']:>6}"
