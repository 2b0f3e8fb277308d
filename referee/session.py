"""A circuit: four classic games of the same four people, who move one seat clockwise after each.

So each person plays each colour once. The unused squares of all four games are added; the lowest total wins. All four games
are played, whatever the totals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from referee.errors import OptionsError
from referee.options import GameOptions
from referee.scoring import PlayerScore, Scores, Span, final_scores, sure_places, total
from referee.tally import Tally
from referee.variants import CLASSIC_COLORS

GAMES = len(CLASSIC_COLORS)
"""The games of a circuit: one for each seat."""


@dataclass(frozen=True)
class Circuit:
    """A circuit in play.

    Attributes:
        people: the four names, in the order of their colours in the first game: blue, yellow, red, green.
        results: the result of each game played.
        missing: for each colour the pieces its set lacks.

    Raises:
        OptionsError: not four different names.
    """

    people: tuple[str, ...]
    results: tuple[Scores, ...] = ()
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse anything but four different names."""
        if len(set(self.people)) != GAMES or len(self.people) != GAMES:
            raise OptionsError(f"a circuit is played by {GAMES} people with different names, not by {', '.join(self.people) or 'nobody'}")

    @property
    def is_over(self) -> bool:
        """Whether all four games have been played."""
        return len(self.results) == GAMES

    def color_of(self, name: str, game: int) -> str:
        """The colour a person plays in a game, counted from 0: one seat further clockwise in each."""
        return CLASSIC_COLORS[(self.people.index(name) + game) % GAMES]

    def options(self) -> GameOptions:
        """The options of the next game: basic scoring, blue starts.

        Raises:
            OptionsError: all four games have been played.
        """
        if self.is_over:
            raise OptionsError("all four games of this circuit have been played")
        by_color = {self.color_of(name, len(self.results)): name for name in self.people}
        names = tuple(by_color[color] for color in CLASSIC_COLORS)
        return GameOptions("classic", scoring="basic", order=CLASSIC_COLORS, players=names, missing=self.missing)

    def with_result(self, scores: Scores) -> Circuit:
        """The circuit after the result of its next game.

        Raises:
            OptionsError: all four games have been played, or the result is of other people.
        """
        expected = self.options().players
        if tuple(player.name for player in scores.players) != expected:
            raise OptionsError(f"the next game of this circuit is played by {', '.join(expected)}, in this order")
        return replace(self, results=(*self.results, scores))

    def with_tally(self, tally: Tally) -> Circuit:
        """The circuit after its next game, as a tally tells how that stands; the seats say who played which colour.

        Raises:
            OptionsError: all four games have been played, or the game is of another variant, of other people or at other seats.
        """
        options = self.options()
        if tally.options.variant != options.variant:
            raise OptionsError(f"this is a game of {tally.options.rules.title}; a circuit is four classic games")
        if tally.options.players not in ((), options.players):
            raise OptionsError(
                f"{', '.join(tally.options.players)} played it, in the order of the colours; in this game of the circuit it is "
                f"{', '.join(options.players)}: name the games in the order played, and the seats of the first"
            )
        return self.with_result(final_scores(options, tally.scores.colors))

    @property
    def standings(self) -> tuple[PlayerScore, ...]:
        """Each person's total over the games played, in the order of the names, with the colours played and the place."""
        totals = [total(self._score_of(name, game) for game in range(len(self.results))) for name in self.people]
        placed = zip(self.people, totals, sure_places(totals, "basic"), strict=True)
        return tuple(PlayerScore(name, self._colors_played(name), points, place) for name, points, place in placed)

    @property
    def winners(self) -> tuple[str, ...]:
        """Those with the lowest total, once all four games have been played; nobody before."""
        return tuple(player.name for player in self.standings if player.place == 1) if self.is_over else ()

    def as_json(self) -> dict[str, Any]:
        """`{"game", "games", "players", "winners"}`, players as in a game's result."""
        players = [player.as_json() for player in self.standings]
        return {"game": len(self.results), "games": GAMES, "players": players, "winners": list(self.winners)}

    def _score_of(self, name: str, game: int) -> Span:
        return self.results[game].colors[self.color_of(name, game)].basic

    def _colors_played(self, name: str) -> tuple[str, ...]:
        return tuple(self.color_of(name, game) for game in range(len(self.results)))
