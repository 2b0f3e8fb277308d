"""The table: the one state machine of a refereed game. Sightings and people's decisions go in, events come out.

Pure and deterministic: no clock, no files, no pictures. The same options, sightings and decisions give the same table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.cells import Cell
from referee.events import Event
from referee.options import GameOptions
from referee.sightings import Sighting


class DecisionError(ValueError):
    """A decision that cannot be carried out; its text is one line fit to be shown to a person. Nothing was changed."""


class Table:
    """A refereed game.

    `events` holds every event so far, oldest first.
    """

    def __init__(self, options: GameOptions | Mapping[str, Any] | None = None) -> None:
        """A table for one game; `options` may be the JSON of `GameOptions.as_json`."""
        self.options = options if isinstance(options, GameOptions) else GameOptions.from_json(options or {})
        self.events: list[Event] = []

    def start(
        self,
        grid: Sequence[str],
        *,
        start_anywhere: bool = False,
        next_color: str | None = None,
        frame: int | None = None,
        time_s: float | None = None,
    ) -> list[Event]:
        """Take the first clear look at the board, one string a row.

        Pieces that lie there are the position already reached. With `start_anywhere` that is as it should be; without, a question
        asks. `next_color` says whose turn it is; None: the first legal placement does.
        """
        raise NotImplementedError

    def observe(self, sighting: Sighting) -> list[Event]:
        """Take one settled look at the board; gives the new events, often none."""
        raise NotImplementedError

    def decide(self, decision: Mapping[str, Any]) -> list[Event]:
        """Take a decision of the people, as JSON.

        Raises:
            DecisionError: it is not understood or cannot be carried out; nothing was changed.
        """
        raise NotImplementedError

    def finish(self, *, frame: int | None = None, time_s: float | None = None) -> list[Event]:
        """Say that nothing more will be seen: `unfinished` unless the game is over."""
        raise NotImplementedError

    def standing(self) -> Mapping[Cell, str]:
        """What should lie on the board now, disputed pieces included: occupied cells and their colours."""
        return {}

    def on_turn(self) -> str | None:
        """The colour expected to play; None when not known or when the game is over."""
        return None

    def pieces_on_board(self) -> Sequence[tuple[str, frozenset[Cell]]]:
        """Colour and cells of each standing placement, in the order they came."""
        return ()

    def state(self) -> dict[str, Any]:
        """Everything a page shows, as JSON."""
        rules = self.options.rules
        teams = [*rules.teams] if len(rules.teams) > 1 else [(color,) for color in rules.colors]
        names = self.options.players or tuple("/".join(color.capitalize() for color in team) for team in teams)
        return {
            "variant": rules.name,
            "size": rules.size,
            "scoring": self.options.scoring_used,
            "touch": self.options.touch,
            "starts": self.options.starts,
            "players": [{"name": name, "colors": list(team)} for name, team in zip(names, teams, strict=False)],
            "order": list(self.options.order_used or rules.colors),
            "order_known": self.options.order_used is not None,
            "status": "waiting",
            "turn": 1,
            "on_turn": None,
            "grid": ["." * rules.size for _ in range(rules.size)],
            "placements": [],
            "colors": {
                color: {
                    "squares_left": rules.squares,
                    "pieces_left": list(rules.pieces),
                    "retired": None,
                    "blocked_proof": None,
                    "legal_count": None,
                }
                for color in rules.colors
            },
            "disputes": [],
            "questions": [],
            "scores": {},
            "last": None,
            "log": [],
        }
