"""What happens in a game: legal moves, fouls of every kind and their corrections, as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from .shapes import SHAPES, Cell, Cells, Placed, Player, around, grid_of, normal, orientations

FOULS = (
    "removed_piece",
    "moved_piece",
    "piece_used_twice",
    "no_corner",
    "not_in_set",
    "edge_touch",
    "wrong_turn",
    "two_pieces",
    "start_not_covered",
)
"""Kinds of fouls, in the words of the shared games."""


@dataclass(frozen=True)
class Step:
    """One thing that happened: what came and went, and the board after it."""

    kind: str
    reason: str | None
    turn: int
    expected: str
    upcoming: str
    added: tuple[Placed, ...]
    removed: tuple[Placed, ...]
    after: tuple[Placed, ...]

    def as_json(self, index: int, size: int) -> dict[str, object]:
        """The step in the shared schema."""
        return {
            "i": index,
            "kind": self.kind,
            "reason": self.reason,
            "turn": self.turn,
            "expected_player": self.expected,
            "next_player": self.upcoming,
            "legal": self.kind != "illegal",
            "added": [p.as_json() for p in self.added],
            "removed": [p.as_json() for p in self.removed],
            "board_after": grid_of(size, self.after),
        }


class Script:
    """Writes the steps of one game with a random player."""

    def __init__(self, player: Player, rng: np.random.Generator) -> None:
        """Start from what already lies on the player's board."""
        self.player, self.rng = player, rng
        self.steps: list[Step] = []
        self.turn = 0
        self.skip_blocked()

    @property
    def color(self) -> str:
        """The colour on turn."""
        return self.player.kind.colors[self.turn % len(self.player.kind.colors)]

    def skip_blocked(self) -> None:
        """Pass over colours that have no move left."""
        for _ in self.player.kind.colors:
            if self.player.move(self.color) is not None:
                return
            self.turn += 1

    def record(self, kind: str, reason: str | None, expected: str, added: tuple[Placed, ...], removed: tuple[Placed, ...]) -> None:
        """Note what happened; the player's board must already show it."""
        turn = len([s for s in self.steps if s.kind == "move"]) + 1
        self.steps.append(Step(kind, reason, turn, expected, self.color, added, removed, tuple(self.player.placed)))

    def move(self) -> bool:
        """A legal move of the colour on turn; False when the game is over."""
        piece, color = self.player.move(self.color), self.color
        if piece is None:
            return False
        self.player.put(piece)
        self.turn += 1
        self.skip_blocked()
        self.record("move", None, color, (piece,), ())
        return True

    def foul(self, reason: str) -> bool:
        """A foul and, right after it, its correction; False when this foul cannot be made now."""
        makers: dict[str, Callable[[], tuple[tuple[Placed, ...], tuple[Placed, ...]] | None]] = {
            "removed_piece": self.removed_piece,
            "moved_piece": self.moved_piece,
            "piece_used_twice": self.used_twice,
            "no_corner": lambda: self.misplaced(corner=False, edge=False),
            "edge_touch": lambda: self.misplaced(corner=None, edge=True),
            "not_in_set": self.six_squares,
            "wrong_turn": self.wrong_turn,
            "two_pieces": self.two_pieces,
            "start_not_covered": self.wrong_start,
        }
        made = makers[reason]()
        if made is None:
            return False
        added, removed = made
        before, hands = list(self.player.placed), {c: list(h) for c, h in self.player.hands.items()}
        for piece in removed:
            self.player.take(piece)
        for piece in added:
            self.player.put(piece)
        self.record("illegal", reason, self.color, added, removed)
        for piece in added:
            self.player.take(piece)
        for piece in removed:
            self.player.put(piece)
        self.player.placed[:] = before
        self.player.hands = hands
        self.record("correction", f"undo_{reason}", self.color, removed, added)
        return True

    def removed_piece(self) -> tuple[tuple[Placed, ...], tuple[Placed, ...]] | None:
        """A standing piece is lifted away."""
        if not self.player.placed:
            return None
        return (), (self.player.placed[int(self.rng.integers(len(self.player.placed)))],)

    def moved_piece(self) -> tuple[tuple[Placed, ...], tuple[Placed, ...]] | None:
        """A standing piece is shifted by a cell or two."""
        for _ in range(60):
            if not self.player.placed:
                return None
            piece = self.player.placed[int(self.rng.integers(len(self.player.placed)))]
            dr, dc = (int(v) for v in self.rng.integers(-2, 3, 2))
            cells = tuple(sorted((r + dr, c + dc) for r, c in piece.cells))
            if (dr or dc) and self.player.free(c for c in cells if c not in piece.cells):
                return (replace(piece, cells=cells),), (piece,)
        return None

    def used_twice(self) -> tuple[tuple[Placed, ...], tuple[Placed, ...]] | None:
        """A shape that this colour has already played, otherwise legally placed."""
        used = [p.piece for p in self.player.placed if p.color == self.color and p.piece in SHAPES]
        if not used:
            return None
        name = str(used[int(self.rng.integers(len(used)))])
        cells = self.spot(orientations(name), corner=True, edge=False)
        return ((Placed(self.color, name, cells),), ()) if cells else None

    def misplaced(self, corner: bool | None, edge: bool) -> tuple[tuple[Placed, ...], tuple[Placed, ...]] | None:
        """A piece of the hand with a wrong contact with its own colour."""
        if not self.player.own[self.color]:
            return None
        names = list(self.rng.permutation(self.player.hands[self.color]))
        for name in names[:8]:
            cells = self.spot(orientations(str(name)), corner=corner, edge=edge)
            if cells:
                return (Placed(self.color, str(name), cells),), ()
        return None

    def six_squares(self) -> tuple[tuple[Placed, ...], tuple[Placed, ...]] | None:
        """Six squares in one block, which is no piece of the set."""
        shape = {(0, 0)}
        while len(shape) < 6:
            edge = sorted({n for c in shape for n in around(c)} - shape)
            shape.add(edge[int(self.rng.integers(len(edge)))])
        cells = self.spot((normal(shape),), corner=True, edge=False)
        return ((Placed(self.color, None, cells),), ()) if cells else None

    def wrong_turn(self) -> tuple[tuple[Placed, ...], tuple[Placed, ...]] | None:
        """A legal move by a colour that is not on turn."""
        others = [c for c in self.player.kind.colors if c != self.color and self.player.own[c]]
        if not others:
            return None
        piece = self.player.move(str(self.rng.choice(others)))
        return ((piece,), ()) if piece else None

    def two_pieces(self) -> tuple[tuple[Placed, ...], tuple[Placed, ...]] | None:
        """Two legal pieces of the same colour at once."""
        first = self.player.move(self.color)
        if first is None or not self.player.own[self.color]:
            return None
        self.player.put(first)
        second = self.player.move(self.color)
        self.player.take(first)
        return ((first, second), ()) if second else None

    def wrong_start(self) -> tuple[tuple[Placed, ...], tuple[Placed, ...]] | None:
        """A colour's first piece away from its corner and from any other corner."""
        if self.player.own[self.color]:
            return None
        name = str(self.rng.choice(self.player.hands[self.color]))
        for _ in range(40):
            r, c = (int(v) for v in self.rng.integers(3, self.player.kind.size - 6, 2))
            cells = tuple(sorted((r + a, c + b) for a, b in orientations(name)[0]))
            if self.player.free(cells) and not set(cells) & set(self.player.starts.values()):
                return (Placed(self.color, name, cells),), ()
        return None

    def spot(self, turns: tuple[Cells, ...], corner: bool | None, edge: bool) -> Cells | None:
        """Free cells for one of the orientations with the contacts asked for (None: either)."""
        own = sorted(self.player.own[self.color])
        for _ in range(400):
            turn = turns[int(self.rng.integers(len(turns)))]
            at: Cell = own[int(self.rng.integers(len(own)))] if own else (0, 0)
            reach = 7 if corner is False else 4
            dr, dc = (int(v) for v in self.rng.integers(-reach, reach + 1, 2))
            cells = tuple(sorted((r + at[0] + dr, c + at[1] + dc) for r, c in turn))
            contact = self.player.touches_corner(self.color, cells)
            if self.player.free(cells) and self.player.touches_edge(self.color, cells) == edge and corner in (None, contact):
                return cells
        return None


def due_after(reason: str, moves: int, rng: np.random.Generator) -> int:
    """After how many legal moves a foul is made: in the first round if it must be, else later."""
    if reason == "start_not_covered":
        return int(rng.integers(0, min(4, moves)))
    return int(rng.integers(min(4, moves - 1), moves))


def write_script(player: Player, rng: np.random.Generator, moves: int, fouls: tuple[str, ...]) -> list[Step]:
    """Steps of a game of so many legal moves with the fouls spread over it, each corrected at once."""
    script = Script(player, rng)
    due = sorted((due_after(f, moves, rng), f) for f in fouls)
    for done in range(moves):
        while due and due[0][0] <= done:
            script.foul(due.pop(0)[1])
        if not script.move():
            break
    return script.steps
