"""Wild play: pieces put down, shifted and swept away at random, doubtful looks, and decisions from sensible to hostile."""

from __future__ import annotations

from random import Random
from typing import Any

from referee.cells import COLOR_LETTER, Cell, Cells
from referee.placements import placement_table
from referee.sightings import Change, Sighting
from referee.table import Table
from referee.variants import VARIANTS

Board = dict[Cell, str]

_DECISIONS = [
    "correct",
    "place",
    "would_be_legal",
    "claim_blocked",
    "set_cells",
    "swap_colors",
    "set_turn",
    "declare_missing",
    "finish",
    "abandon",
    "redo",
    3,
]
_OFTEN = ["resolve", "answer", "undo", "resolve", "answer", "undo", "correct", "place"]


def wild_options(rng: Random) -> dict[str, Any]:
    """Options of some variant."""
    rules = VARIANTS[rng.choice(sorted(VARIANTS))]
    options: dict[str, Any] = {"variant": rules.name, "touch": rng.choice(["strict", "lenient"])}
    if not rules.order_fixed and rng.random() < 0.5:
        options["order"] = list(rules.colors)
    if rng.random() < 0.4:
        options["starts"] = rng.choice(["free", "assigned"])
    if rng.random() < 0.2:
        options["missing"] = {rng.choice(rules.colors): [*{*rng.sample(rules.pieces, rng.choice([1, 2, 18]))}]}
    if rules.shared and rng.random() < 0.5:
        options["shared"] = rng.choice(rules.colors)
    return {**options, "mirrored": rng.random() < 0.2}


def wild_start(rng: Random, variant: str) -> dict[str, Any]:
    """A first look: mostly at an empty board, else at one on which pieces lie that fit together or do not."""
    rules = VARIANTS[variant]
    grid = [["."] * rules.size for _ in range(rules.size)]
    if rng.random() < 0.3:
        for _ in range(rng.randint(1, 6)):
            letter = COLOR_LETTER[rng.choice(rules.colors)] if rng.random() < 0.9 else "?"
            for row, col in rng.choice(placement_table(rules.size).placements).cells:
                grid[row][col] = letter
    begun = {"grid": ["".join(row) for row in grid], "start_anywhere": rng.random() < 0.5}
    return begun | ({"next_color": rng.choice(rules.colors)} if rng.random() < 0.3 else {})


class WildBoard:
    """A physical board on which anything may happen; `is_flat`: but pieces are never laid on others."""

    def __init__(self, rng: Random, table: Table, *, is_flat: bool) -> None:
        self.rng, self.table, self.is_flat = rng, table, is_flat
        self.size = table.options.rules.size
        self.colors = table.options.rules.colors
        self.cells: Board = {}

    def happen(self) -> Board:
        """The board after something happened to it; this one stays as it is."""
        doings = [self._put, self._put, self._put, self._put_two, self._touch, self._touch, self._specks, self._sweep, self._nothing]
        return self.rng.choice(doings)(dict(self.cells))

    def _nothing(self, board: Board) -> Board:
        return board

    def _put(self, board: Board) -> Board:
        color = self.table.on_turn() if self.rng.random() < 0.8 else None
        color = color or self.rng.choice(self.colors)
        cells = self._legal(color) if self.rng.random() < 0.75 else self.rng.choice(placement_table(self.size).placements).cells
        return self._with(board, color, cells)

    def _put_two(self, board: Board) -> Board:
        return self._put(self._put(board))

    def _legal(self, color: str) -> Cells:
        placements = self.table._now.course.game.legal_placements(color)
        return self.rng.choice(placements).cells if placements else frozenset()

    def _with(self, board: Board, color: str, cells: Cells) -> Board:
        is_free = not cells & board.keys() and all(0 <= row < self.size and 0 <= col < self.size for row, col in cells)
        if self.is_flat and not is_free:
            return board
        return board | {cell: color for cell in cells if 0 <= cell[0] < self.size and 0 <= cell[1] < self.size}

    def _touch(self, board: Board) -> Board:
        pieces = [*self.table.pieces_on_board()][-5:]
        if not pieces:
            return board
        color, cells = self.rng.choice(pieces)
        board = {cell: found for cell, found in board.items() if cell not in cells}
        down, right = self.rng.randint(-2, 2), self.rng.randint(-2, 2)
        moved = frozenset((row + down, col + right) for row, col in cells)
        return board if self.rng.random() < 0.4 else self._with(board, color, moved)

    def _specks(self, board: Board) -> Board:
        for _ in range(self.rng.randint(1, 3)):
            cell = self.rng.randrange(self.size), self.rng.randrange(self.size)
            board = self._with(
                {other: color for other, color in board.items() if other != cell}, self.rng.choice(self.colors), frozenset({cell})
            )
        return board

    def _sweep(self, board: Board) -> Board:
        gone = {cell for _, cells in self.table.pieces_on_board() if self.rng.random() < 0.6 for cell in cells}
        return {cell: color for cell, color in board.items() if cell not in gone}

    def sure_look(self) -> Sighting:
        """A look that shows the board as it lies."""
        return Sighting.sure(Change.between(self.table.standing(), self.cells), frame=self.rng.randrange(1000))

    def doubtful_look(self) -> Sighting:
        """A look that may show something else, with some cells hidden."""
        standing, p = self.table.standing(), self.rng.choice([0.3, 0.5, 0.6, 0.75, 0.9])
        boards = [(self.cells, p), (self.happen(), (1 - p) * self.rng.random()), (dict(standing), 0.05)]
        self.rng.shuffle(boards)
        top, left = self.rng.randrange(self.size), self.rng.randrange(self.size)
        hidden = frozenset((top + row, left + col) for row in range(4) for col in range(4)) if self.rng.random() < 0.3 else frozenset()
        return Sighting(tuple((Change.between(standing, board), share) for board, share in boards), hidden, frame=3)


def wild_decision(rng: Random, table: Table) -> dict[str, Any]:
    """A decision about what is open, or about anything, or nonsense."""
    state = table.state()
    disputes = [found["id"] for found in state["disputes"]] or [None, 1, True]
    questions = [found["id"] for found in state["questions"]] or ["1", 2.5, 7]
    kind = rng.choice(_OFTEN + _DECISIONS)
    chosen: dict[str, Any] = {"decision": kind}
    if kind == "resolve":
        chosen |= {"id": rng.choice(disputes), "how": rng.choice(["return", "undo", "misread", "let_stand", "fly"])}
        chosen |= {"now": _piece(rng, state)} if chosen["how"] == "misread" and rng.random() < 0.5 else {}
    elif kind == "answer":
        chosen |= {"id": rng.choice(questions), "choice": rng.choice([0, 1, 2, None])}
    elif kind == "correct":
        chosen |= {"turn": rng.randint(0, state["turn"]), "now": rng.choice([None, _piece(rng, state)])}
    elif kind in ("place", "would_be_legal"):
        chosen |= _piece(rng, state)
        chosen |= {"turn": rng.randint(0, state["turn"])} if rng.random() < 0.3 else {}
    elif kind == "set_cells":
        chosen |= {"cells": _piece(rng, state)["cells"][:2], "color": rng.choice([None, _color(rng, state)])}
    elif kind == "declare_missing":
        chosen |= {"color": _color(rng, state), "pieces": rng.choice([["W"], ["1"], ["I3", "I5"], "W", [3]])}
    elif kind == "swap_colors":
        chosen |= {"colors": [_color(rng, state), _color(rng, state)]}
    else:
        chosen |= {"color": _color(rng, state)}
    return {**chosen, "preview": True} if rng.random() < 0.1 else chosen


def _color(rng: Random, state: dict[str, Any]) -> Any:
    return rng.choice([*state["colors"]]) if rng.random() < 0.95 else rng.choice(["pink", None, {}, 3])


def _piece(rng: Random, state: dict[str, Any]) -> dict[str, Any]:
    cells = [list(cell) for cell in rng.choice(placement_table(state["size"]).placements).cells]
    return {"color": _color(rng, state), "cells": cells if rng.random() < 0.9 else [[rng.randint(-9, 30), 1]]}
