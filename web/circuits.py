"""Circuits on a page: finished games of the database added up, by default the latest games of people who changed seats after each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, render_template, request

from referee.errors import JournalError, OptionsError
from referee.options import GameOptions
from referee.session import GAMES, Circuit
from referee.tally import Tally
from web import texts
from web.result_view import ENDED
from web.security import Refused
from web.shell import frame
from web.tables import Line, Tables
from web.tables_pages import here
from web.translating import tr

circuits = Blueprint("circuits", __name__)

MOST_PAGES = 5
"""Pages of earlier games that are looked through for those of a circuit: a hundred games, more than an evening has."""

MOST_NUMBERS = 200
"""Letters of a choice of games in an address."""


@dataclass(frozen=True)
class Choice:
    """A finished game that can be part of a circuit.

    Attributes:
        number: its number.
        names: who played blue, yellow, red and green.
        begun: when.
        is_chosen: whether it is added up now.
        place: which game of the circuit it then is.
        query: the address's choice of games with this one put in, or taken out.
    """

    number: int
    names: tuple[str, ...]
    begun: str
    is_chosen: bool
    place: int
    query: str


@circuits.get("/circuit")
def circuit() -> str:
    """The totals of the chosen games, and the games to choose from."""
    try:
        known = _games(here())
    except JournalError as error:
        raise Refused(tr("The games cannot be read: {error}.").format(error=error), 503) from error
    asked = request.args.get("games")
    chosen = _latest(known) if asked is None else _chosen(asked, known)
    added, trouble = _added([known[number] for number in chosen])
    return render_template(
        "circuit.html",
        **frame("plain.js"),
        choices=[_choice(number, game, chosen) for number, game in sorted(known.items(), reverse=True)],
        places=_places(added) if added else (),
        played=len(added.results) if added else 0,
        games=GAMES,
        winners=added.winners if added else (),
        not_final=[number for number in chosen if not known[number].tally.is_final],
        trouble=trouble,
    )


@dataclass(frozen=True)
class Game:
    """A finished game of four named people."""

    tally: Tally
    begun: str

    @property
    def names(self) -> tuple[str, ...]:
        """Who played blue, yellow, red and green."""
        return self.tally.options.players


def _games(tables: Tables) -> dict[int, Game]:
    """The finished classic games of four named people, by number."""
    lines: list[Line] = tables.at_tables()
    before = None
    for _ in range(MOST_PAGES):
        page = tables.earlier(before)
        lines += page
        if not page:
            break
        before = page[-1].kept.number
    return {line.kept.number: game for line in lines if (game := _game(line)) is not None}


def _game(line: Line) -> Game | None:
    state: Mapping[str, Any] = line.state
    if state.get("status") not in ENDED or state["status"] == "abandoned" or state["variant"] != "classic":
        return None
    options = GameOptions.from_json(state["options"])
    if len(set(options.players)) != GAMES:
        return None
    return Game(Tally.of_state(options, dict(state)), line.kept.begun)


def _latest(known: Mapping[int, Game]) -> list[int]:
    """The numbers of the games of the newest game's circuit: the same people, one seat further in each, four at most."""
    running: dict[frozenset[str], list[int]] = {}
    found: list[int] = []
    for number in sorted(known):
        names = known[number].names
        found = running.get(frozenset(names), [])
        goes_on = 0 < len(found) < GAMES and names == (known[found[-1]].names[-1], *known[found[-1]].names[:-1])
        found = running[frozenset(names)] = [*found, number] if goes_on else [number]
    return found


def _chosen(asked: str, known: Mapping[int, Game]) -> list[int]:
    """The games that an address chooses, oldest first; numbers of no such game are left out."""
    numbers = {int(part) for part in asked[:MOST_NUMBERS].split(",") if part.isascii() and part.isdecimal()}
    return sorted(numbers & known.keys())


def _added(games: Sequence[Game]) -> tuple[Circuit | None, str]:
    """The games added up, as far as they are one circuit, and why not the rest."""
    if not games:
        return None, ""
    standing = Circuit(games[0].names)
    for number, game in enumerate(games, 1):
        try:
            standing = standing.with_tally(game.tally)
        except OptionsError:
            return standing, f"{tr('Game {n} does not belong to it').format(n=number)}: {_why_not(standing, game)}."
    return standing, ""


def _why_not(standing: Circuit, game: Game) -> str:
    """Why a game is not the next one of a circuit."""
    if standing.is_over:
        return tr("all four games of this circuit have been played")
    expected = ", ".join(standing.options().players)
    return tr("{names} played it, and in this game of the circuit the seats are {expected}").format(
        names=", ".join(game.names), expected=expected
    )


def _choice(number: int, game: Game, chosen: list[int]) -> Choice:
    is_chosen = number in chosen
    others = [one for one in chosen if one != number] if is_chosen else sorted([*chosen, number])
    place = chosen.index(number) + 1 if is_chosen else 0
    return Choice(number, game.names, game.begun, is_chosen, place, ",".join(map(str, others)))


def _places(added: Circuit) -> list[tuple[str, str, tuple[str, ...], str]]:
    """Place, name, colours played and total of each person, best first."""
    listed = sorted(added.standings, key=lambda player: player.place or math.inf)
    return [(texts.ordinal(one.place) if one.place else "?", one.name, one.colors, texts.points(one.score, "basic")) for one in listed]
