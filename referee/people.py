"""Who the people are: players and teams with their colours, and who moves a colour, the shared one included."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from referee.options import GameOptions


@dataclass(frozen=True, slots=True)
class Player:
    """A player or team, and the colours whose results are theirs."""

    name: str
    colors: tuple[str, ...]


@lru_cache(maxsize=64)
def players(options: GameOptions) -> tuple[Player, ...]:
    """The players or teams in turn order, as far as it was agreed on; a shared colour is nobody's."""
    order = options.order_used or options.rules.colors
    teams = [team for team in options.rules.teams if options.shared_used not in team]
    teams.sort(key=lambda team: order.index(team[0]))
    return tuple(Player(_team_name(options, number, team), team) for number, team in enumerate(teams))


def mover(options: GameOptions, color: str, shared_pieces: int) -> str:
    """The name of who moves this colour now.

    The shared colour's n-th piece (n = 0, 1, 2, ...) is played by player n modulo their number, in turn order;
    `shared_pieces` is how many of its pieces lie on the board, so that a skipped turn does not rotate.
    """
    everybody = players(options)
    if color == options.shared_used:
        return everybody[shared_pieces % len(everybody)].name
    if _has_name_per_color(options):
        return _name_of_color(options, color)
    return next(player.name for player in everybody if color in player.colors)


def _has_name_per_color(options: GameOptions) -> bool:
    """Whether names were given to the people of a team and not to the team."""
    return len(options.players) > len(options.rules.teams) - (options.shared_used is not None)


def _name_of_color(options: GameOptions, color: str) -> str:
    return options.players[(options.order_used or options.rules.colors).index(color)]


def _team_name(options: GameOptions, number: int, team: tuple[str, ...]) -> str:
    """The given name, else the variant's, else the names of its people or colours joined."""
    if _has_name_per_color(options):
        return " and ".join(_name_of_color(options, color) for color in team)
    if options.players:
        return options.players[number]
    return options.rules.team_names[number] if options.rules.team_names else " and ".join(color.capitalize() for color in team)
