"""Scoring of the pieces beside the board."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

COLORS = {"B": "blue", "Y": "yellow", "R": "red", "G": "green", "O": "orange", "P": "purple"}


@dataclass(frozen=True)
class LooseScore:
    """The loose pieces of one picture: those wholly in it by what became of them, and readings where no piece lies."""

    pieces: int
    right: int
    unsure: int
    wrong: int
    invented: int

    @property
    def missed(self) -> int:
        """Pieces of which nothing was said."""
        return self.pieces - self.right - self.unsure - self.wrong


def score_loose(truth: Sequence[Mapping[str, Any]], seen: Sequence[Mapping[str, Any]]) -> LooseScore:
    """Match each reading to the piece whose middle is nearest, within half that piece's length.

    Pieces that reach out of the picture are not asked for; a reading there is not counted.
    """
    left, tally = list(truth), {"right": 0, "unsure": 0, "wrong": 0, "invented": 0}
    for reading in seen:
        near = [piece for piece in left if math.dist(_middle(piece["box_px"]), _middle(reading["polygon_px"])) < _reach(piece["box_px"])]
        if not near:
            tally["invented"] += 1
            continue
        piece = min(near, key=lambda one: math.dist(_middle(one["box_px"]), _middle(reading["polygon_px"])))
        left.remove(piece)
        if piece["whole"]:
            tally[_verdict(piece, reading)] += 1
    return LooseScore(sum(piece["whole"] for piece in truth), **tally)


def _verdict(piece: Mapping[str, Any], reading: Mapping[str, Any]) -> str:
    if reading["squares"] is None or reading["color"] is None:
        return "unsure"
    return "right" if (COLORS[piece["color"]], piece["squares"]) == (reading["color"], reading["squares"]) else "wrong"


def _middle(points: Sequence[Sequence[float]]) -> tuple[float, float]:
    xs, ys = zip(*points, strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def _reach(box: Sequence[Sequence[float]]) -> float:
    return max(math.dist(box[0], box[1]), math.dist(box[1], box[2])) / 2
