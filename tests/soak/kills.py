"""Killing programs at random instants, and looking whether anything was lost, told twice or damaged."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from referee.journal import Journal
from referee.journal_evidence import open_evidence
from referee.table import Table
from tests.databases import connected, is_file
from tests.soak.player import READY

ROOT = Path(__file__).resolve().parents[2]
LONGEST_LIFE = 40
"""A program is killed after so many events at most, and a moment that need not be between two of them."""

MOMENT_S = 0.05
"""A few writings to the disk take that long."""


@dataclass
class Witness:
    """What was shown to people by all the programs that were killed, and what the database says about it.

    Attributes:
        shown: each event that was shown, by its number.
        kills: how many programs were killed.
        unshown: events that were kept, and not shown before the program was killed; a page gets them when it comes back.
    """

    db: str
    shown: dict[int, Any] = field(default_factory=dict)
    kills: int = 0
    unshown: int = 0

    def kill_one(self, rng: Random) -> None:
        """Let the table play, kill the program at a random instant, and look at what it leaves behind."""
        command = [sys.executable, "-m", "tests.soak.player", self.db, str(rng.randrange(2**32))]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as player:
            assert player.stdout is not None
            # Now and then while it still opens the database and works out the game.
            lines = [player.stdout.readline() for _ in range(rng.choice([0, rng.randrange(LONGEST_LIFE)]))]
            killer = threading.Timer(rng.uniform(0.0, MOMENT_S if lines else 20 * MOMENT_S), player.kill)
            killer.start()
            lines += player.stdout
            killer.join()
        self.kills += 1
        self.hear(lines)
        self.look()

    def hear(self, lines: Sequence[str]) -> None:
        """Take in what a program has shown, line by line."""
        for line in lines:
            if line == f"{READY}\n" or not line.endswith("\n"):
                continue  # cut off by the kill: nobody could read it
            told = json.loads(line)
            assert told["id"] not in self.shown, f"event {told['id']} was shown twice"
            self.shown[told["id"]] = told["game"], told["body"]

    def look(self) -> None:
        """Fail unless everything shown is kept, nothing is kept twice, and the game goes on from there."""
        if is_file(self.db):
            with connected(self.db) as connection:
                assert connection.exec_driver_sql("PRAGMA integrity_check").scalars().all() == ["ok"]
        journal = Journal(self.db)
        kept = {number: (game, body) for game in range(1, (journal.game_number or 0) + 1) for number, body in journal.events_of(game)}
        assert [*kept] == [*range(1, len(kept) + 1)], "numbers follow each other"
        assert {number: kept[number] for number in self.shown} == self.shown
        if journal.game_number is not None:
            look_at_game(journal, journal.game_number)
        self.unshown = len(kept) - len(self.shown)
        journal.close()


def look_at_game(journal: Journal, game: int) -> None:
    """Fail unless the game under way can be worked out again, event for event, and its open matters have their pictures."""
    record = journal.record(game)
    again = Table(record.options)
    assert tuple(event for step in record.replay(again) for event in step) == record.events, "what was kept is what happened, once"
    wanted = open_evidence(event.as_json() for event in record.events)
    assert {name for name in wanted if journal.picture(game, name) is None} == set()
