"""A table that plays by itself, as fast as it can, until it is killed: what it shows stands on standard output.

Run as a program of its own: it goes on with the game of the database as a camera would, and prints one line for each event, after it
was told and with its number, exactly as the page's stream carries it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from referee.errors import DecisionError, NotKeptError
from referee.options import GameOptions
from referee.sightings import Change, Sighting
from tests.referee.wild import WildBoard, wild_decision
from vision.items import BoardFound, CameraState, Item, Seen, StartSeen
from web.cli.games import resumed_game
from web.cli.options import Keeping
from web.cli.output import Printer
from web.following import Following, follow
from web.live import LiveGame

READY = "ready"
LONGEST_GAME = 120
"""Events after which a new game begins."""


class SelfPlay:
    """A watcher that sees what comes to its mind, sensible most of the time; people decide between its looks."""

    frame = 0
    time_s: float | None = None

    def __init__(self, live: LiveGame, rng: Random) -> None:
        self.live, self.rng = live, rng
        self.session = f"{rng.getrandbits(32):08x}"

    def run(self) -> Iterator[Item]:
        """Looks without end."""
        yield BoardFound(((0, 0), (9, 0), (9, 9), (0, 9)), 20, 20, 0, 0.0)
        while True:
            self.frame += 1
            yield CameraState(self.rng.choice(["motion", "settling", "ready"]), "", self.frame, None)
            if not self.live.table.events:
                yield StartSeen(("." * 20,) * 20, frozenset(), self.frame, None)
            yield self._look()
            self._people()

    def shot(self) -> None:
        """It has no picture."""

    def _look(self) -> Seen:
        board = WildBoard(self.rng, self.live.table, is_flat=True)
        board.cells = dict(self.live.table.standing())
        board.cells = board.happen()
        names = (f"{self.session}-{self.frame}a", f"{self.session}-{self.frame}b")
        change = Change.between(self.live.table.standing(), board.cells)
        pictures = {name: self.rng.randbytes(self.rng.randrange(1, 60_000)) for name in names}
        return Seen(Sighting(((change, 0.97), (Change(), 0.03)), frame=self.frame, evidence=names), pictures)

    def _people(self) -> None:
        try:
            if len(self.live.table.events) > LONGEST_GAME:
                self.live.decide({"decision": "new_game"})
            elif self.rng.random() < 0.5:
                self.live.decide(wild_decision(self.rng, self.live.table))
        except (DecisionError, NotKeptError):
            return  # what people may not decide, or what cannot be kept, changes nothing


def play(db: str, seed: int) -> None:
    """Go on with the game of a database for ever."""
    printer = Printer(as_json=True)
    live = resumed_game(Keeping(db), GameOptions(), printer)
    last = live.feed.event_id

    def show(body: Mapping[str, Any]) -> None:
        nonlocal last
        if live.feed.event_id > last:
            last = live.feed.event_id
            printer.result(json.dumps({"id": last, "game": live.game_number, "body": body}))
        elif str(body.get("reason")).startswith("NOT KEPT"):
            printer.result(json.dumps(body["reason"]))

    live.listen(show)
    printer.result(READY)
    follow(SelfPlay(live, Random(seed)), live, Following(live=True, resumed=bool(live.table.events)))  # type: ignore[arg-type]  # no frames


if __name__ == "__main__":
    play(sys.argv[1], int(sys.argv[2]))
