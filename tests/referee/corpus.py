"""The reference games of tests/data/corpus, in this program's words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from referee.cells import Cells
from referee.game import Game
from referee.options import GameOptions
from referee.placements import Placement
from referee.variants import get_variant

FOLDER = Path(__file__).parents[1] / "data" / "corpus"

GAMES_IN_FILE = {
    "classic": 100,
    "classic_2": 10,
    "classic_3": 10,
    "classic_complete": 10,
    "duo": 100,
    "duo_complete": 10,
    "duo_complete20": 5,
    "junior": 100,
    "junior_complete": 10,
}

VARIANT = {"classic": "classic", "classic_2": "two_player", "classic_3": "three_player", "duo": "duo", "junior": "junior"}


@dataclass(frozen=True)
class Ply:
    color: str
    piece: str
    cells: Cells
    legal_count: int
    legal_hash: str


@dataclass(frozen=True)
class ReferenceGame:
    name: str
    variant: str
    plies: tuple[Ply, ...]
    blocked_at: dict[str, int]
    pieces_left: dict[str, list[str]]
    remaining: dict[str, int]
    bonus: dict[str, int]
    advanced: dict[str, int]

    @property
    def options(self) -> GameOptions:
        return GameOptions(variant=self.variant, starts="assigned")

    def replay(self) -> Iterator[tuple[Game, Ply]]:
        """Each ply with the game before it; the last game is left to `final`."""
        game = Game.new(self.options)
        for ply in self.plies:
            yield game, ply
            game = game.play(ply.color, ply.cells)

    def final(self) -> Game:
        return Game.new(self.options).replayed((ply.color, ply.cells) for ply in self.plies)


def games(file: str) -> Iterator[ReferenceGame]:
    with (FOLDER / f"{file}.jsonl").open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            yield _game(f"{file}:{number}", json.loads(line))


def _game(name: str, record: dict[str, Any]) -> ReferenceGame:
    variant = VARIANT[record["variant"]]
    colors = get_variant(variant).colors
    plies = tuple(
        Ply(colors[color], piece, frozenset((row, col) for row, col in cells), count, digest)
        for color, piece, cells, count, digest in record["plies"]
    )
    by_color = {key: dict(zip(colors, record[key], strict=True)) for key in ("blocked_at", "pieces_left", "remaining", "bonus", "advanced")}
    return ReferenceGame(name, variant, plies, **by_color)


def legal_hash(placements: Iterable[Placement]) -> str:
    """The corpus's digest of a set of placements."""
    lines = sorted(map(_line, placements))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


@cache
def _line(placement: Placement) -> str:
    return " ".join(f"{row}.{col}" for row, col in sorted(placement.cells))
