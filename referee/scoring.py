"""Results: unused squares and bonuses of each colour, sums for players and teams, places with ties.

Basic: the unused squares; the lowest wins. Advanced: -1 for each unused square; +15 instead when all pieces are placed, and +5
more when the very last piece that colour placed was the single square; the highest wins. A value that is not known for
certain, because the last piece or some cell was not seen, is a `Span` from the lowest to the highest possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from referee.options import GameOptions
from referee.people import players

ALL_PLACED = 15
"""Advanced points for placing every piece."""

SINGLE_LAST = 5
"""Further points when the last of them was the single square."""


@dataclass(frozen=True, order=True, slots=True)
class Span:
    """A whole number known to lie from `low` to `high`, both included; equal when it is known."""

    low: int
    high: int

    @staticmethod
    def of(value: int | Span) -> Span:
        """The span of a known number, or the span itself."""
        return value if isinstance(value, Span) else Span(value, value)

    @staticmethod
    def from_json(value: int | Sequence[int]) -> Span:
        """The span of an `as_json`."""
        return Span.of(value) if isinstance(value, int) else Span(*value)

    def __add__(self, other: Span) -> Span:
        """The span of the sum."""
        return Span(self.low + other.low, self.high + other.high)

    def as_json(self) -> int | list[int]:
        """The number when it is known, else `[low, high]`."""
        return self.low if self.low == self.high else [self.low, self.high]

    def __str__(self) -> str:
        """`20`; `3 or 4`, and `15 or 20` with nothing between; `3 to 7`."""
        if self.low == self.high:
            return str(self.low)
        has_two_values = self.high == self.low + 1 or self == Span(ALL_PLACED, ALL_PLACED + SINGLE_LAST)
        return f"{self.low} {'or' if has_two_values else 'to'} {self.high}"


@dataclass(frozen=True, slots=True)
class ColorScore:
    """The result of one colour under both scorings."""

    squares_left: Span
    basic: Span
    advanced: Span

    def by(self, scoring: str) -> Span:
        """The result under "basic" or "advanced"."""
        return self.basic if scoring == "basic" else self.advanced

    def as_json(self) -> dict[str, Any]:
        """`{"squares_left", "basic", "advanced"}`, each a number or `[low, high]`."""
        return {"squares_left": self.squares_left.as_json(), "basic": self.basic.as_json(), "advanced": self.advanced.as_json()}


def color_score(squares_left: int | Span, *, has_bonus: bool, last_was_single: bool | None) -> ColorScore:
    """The result of a colour from its unused squares.

    `has_bonus` is whether this variant knows bonuses. `last_was_single` is whether the colour's last piece was the single
    square, None when nobody saw it; it matters only when every piece is placed.
    """
    left = Span.of(squares_left)
    bonus = Span(ALL_PLACED, ALL_PLACED)
    if last_was_single or last_was_single is None:
        bonus += Span(SINGLE_LAST if last_was_single else 0, SINGLE_LAST)
    done = bonus if has_bonus else Span(0, 0)
    if left.high == 0:
        return ColorScore(left, left, done)
    if left.low > 0:
        return ColorScore(left, left, Span(-left.high, -left.low))
    return ColorScore(left, left, Span(-left.high, done.high))


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """The result of one player or team; `place` is None while it depends on something not known."""

    name: str
    colors: tuple[str, ...]
    score: Span
    place: int | None

    def as_json(self) -> dict[str, Any]:
        """`{"name", "colors", "score", "place"}`."""
        return {"name": self.name, "colors": list(self.colors), "score": self.score.as_json(), "place": self.place}


@dataclass(frozen=True)
class Scores:
    """The result of a game.

    Attributes:
        scoring: "basic" or "advanced", as agreed before the first move.
        colors: the result of every colour.
        players: the players or teams, in turn order; a shared colour is nobody's.
        missing: the pieces each colour's set lacked; the counts are over the sets in use.
    """

    scoring: str
    colors: Mapping[str, ColorScore]
    players: tuple[PlayerScore, ...]
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def winners(self) -> tuple[str, ...]:
        """The names that share the first place; while it is not known, all that may."""
        bests = [_best(player.score, self.scoring) for player in self.players]
        sure = max(_worst(player.score, self.scoring) for player in self.players)
        return tuple(player.name for player, best in zip(self.players, bests, strict=True) if best >= sure)

    @property
    def is_decided(self) -> bool:
        """Whether every place is known."""
        return all(player.place is not None for player in self.players)

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be said with the result, one sentence each: lost pieces, and results that are not known."""
        lost = [f"{color.capitalize()} played without {', '.join(names)}." for color, names in self.missing.items() if names]
        unknown = [
            f"{color.capitalize()} has {score.by(self.scoring)}."
            for color, score in self.colors.items()
            if not _known(score.by(self.scoring))
        ]
        return (*lost, *unknown)

    def as_json(self) -> dict[str, Any]:
        """The contract's `scores` object; with `missing` and `notes` when there is something to say."""
        value: dict[str, Any] = {
            "scoring": self.scoring,
            "colors": {color: score.as_json() for color, score in self.colors.items()},
            "players": [player.as_json() for player in self.players],
            "winners": list(self.winners),
        }
        if any(self.missing.values()):
            value["missing"] = {color: list(names) for color, names in self.missing.items() if names}
        return {**value, "notes": list(self.notes)} if self.notes else value


def final_scores(options: GameOptions, colors: Mapping[str, ColorScore]) -> Scores:
    """The result of a game from the results of its colours."""
    scoring, everybody = options.scoring_used, players(options)
    totals = [total(colors[color].by(scoring) for color in player.colors) for player in everybody]
    results = zip(everybody, totals, sure_places(totals, scoring), strict=True)
    listed = tuple(PlayerScore(player.name, player.colors, score, place) for player, score, place in results)
    return Scores(scoring, dict(colors), listed, options.missing)


def total(values: Iterable[Span]) -> Span:
    """The sum of spans."""
    return sum(values, start=Span(0, 0))


def places(scores: Sequence[int], scoring: str) -> tuple[int, ...]:
    """The places: equal scores share one and the next is left out (1, 1, 3, 4)."""
    good = [_good(score, scoring) for score in scores]
    return tuple(1 + sum(other > value for other in good) for value in good)


def sure_places(scores: Sequence[Span], scoring: str) -> tuple[int | None, ...]:
    """The places that hold whatever the unknown values are; None where it depends."""
    if all(map(_known, scores)):
        return places([score.low for score in scores], scoring)
    cases = [places(case, scoring) for case in product(*({score.low, score.high} for score in scores))]
    return tuple(case[0] if len(set(case)) == 1 else None for case in zip(*cases, strict=True))


def _good(score: int, scoring: str) -> int:
    """The score as a number of which more is better."""
    return -score if scoring == "basic" else score


def _best(score: Span, scoring: str) -> int:
    return max(_good(score.low, scoring), _good(score.high, scoring))


def _worst(score: Span, scoring: str) -> int:
    return min(_good(score.low, scoring), _good(score.high, scoring))


def _known(score: Span) -> bool:
    return score.low == score.high
