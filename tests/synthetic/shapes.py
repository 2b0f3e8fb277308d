"""Pieces, positions and a random player that know just enough of the rules to draw believable boards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

Cell = tuple[int, int]
Cells = tuple[Cell, ...]

SHAPES: dict[str, Cells] = {
    name: tuple((r, c) for r, row in enumerate(picture.split("/")) for c, mark in enumerate(row) if mark == "#")
    for name, picture in {
        "1": "#",
        "2": "##",
        "I3": "###",
        "V3": "##/#",
        "I4": "####",
        "L4": "###/#",
        "T4": "###/.#",
        "O": "##/##",
        "Z4": "##/.##",
        "F": ".##/##/.#",
        "I5": "#####",
        "L5": "####/#",
        "N": "###/..##",
        "P": "###/##",
        "T5": "###/.#/.#",
        "U": "###/#.#",
        "V5": "###/#/#",
        "W": "#/##/.##",
        "X": ".#/###/.#",
        "Y": "####/.#",
        "Z5": "##/.#/.##",
    }.items()
}
"""The 21 shapes by name, each as ``(row, col)`` cells."""

JUNIOR = ("1", "2", "I3", "V3", "I4", "L4", "O", "T4", "Z4", "I5", "L5", "P")
"""Shapes of the children's set, two copies each."""


@dataclass(frozen=True)
class Kind:
    """A game whose board is drawn: its size, colour letters in turn order, starting cells and pieces of one colour."""

    name: str
    size: int
    colors: str
    starts: tuple[Cell, ...]
    pieces: tuple[str, ...]


KINDS = {
    "classic": Kind("classic", 20, "BYRG", ((0, 0), (0, 19), (19, 19), (19, 0)), tuple(SHAPES)),
    "duo": Kind("duo", 14, "PO", ((4, 4), (9, 9)), tuple(SHAPES)),
    "junior": Kind("junior", 14, "GO", ((4, 4), (9, 9)), JUNIOR * 2),
}


@dataclass(frozen=True)
class Placed:
    """A piece on the board: colour letter, shape name (or None for no shape of the set) and cells, sorted."""

    color: str
    piece: str | None
    cells: Cells

    def as_json(self) -> dict[str, object]:
        """The truth files' form of a placement."""
        return {"color": self.color, "piece": self.piece or "NONE", "cells": [list(c) for c in self.cells]}


@cache
def orientations(name: str) -> tuple[Cells, ...]:
    """Every distinct turn and flip of a shape, cells sorted, smallest row and column 0."""
    found = set()
    cells: Sequence[Cell] = SHAPES[name]
    for _ in range(2):
        for _ in range(4):
            cells = [(c, -r) for r, c in cells]
            found.add(normal(cells))
        cells = [(r, -c) for r, c in cells]
    return tuple(sorted(found))


def normal(cells: Iterable[Cell]) -> Cells:
    """The cells moved to the origin, sorted."""
    listed = list(cells)
    top, left = min(r for r, _ in listed), min(c for _, c in listed)
    return tuple(sorted((r - top, c - left) for r, c in listed))


def grid_of(size: int, placed: Iterable[Placed]) -> list[str]:
    """Rows of letters of a position, ``.`` where nothing lies."""
    rows = [["."] * size for _ in range(size)]
    for piece in placed:
        for r, c in piece.cells:
            rows[r][c] = piece.color
    return ["".join(row) for row in rows]


def around(cell: Cell) -> tuple[Cell, ...]:
    """The four cells that share a side."""
    r, c = cell
    return ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))


def diagonal(cell: Cell) -> tuple[Cell, ...]:
    """The four cells that share a corner only."""
    r, c = cell
    return ((r - 1, c - 1), (r - 1, c + 1), (r + 1, c - 1), (r + 1, c + 1))


class Player:
    """Plays one game at random; knows the board, each colour's cells and what is left of each set."""

    def __init__(self, kind: Kind, rng: np.random.Generator, starts: Sequence[Cell] | None = None) -> None:
        """Start an empty board; `starts` gives each colour's first cell in the order of ``kind.colors``."""
        self.kind, self.rng = kind, rng
        self.starts = dict(zip(kind.colors, starts or kind.starts, strict=True))
        self.placed: list[Placed] = []
        self.own: dict[str, set[Cell]] = {c: set() for c in kind.colors}
        self.taken: set[Cell] = set()
        self.hands = {c: list(kind.pieces) for c in kind.colors}

    def on_board(self, cell: Cell) -> bool:
        """Whether the cell exists."""
        return 0 <= cell[0] < self.kind.size and 0 <= cell[1] < self.kind.size

    def free(self, cells: Iterable[Cell]) -> bool:
        """Whether all cells exist and nothing lies on them."""
        return all(self.on_board(c) and c not in self.taken for c in cells)

    def touches_edge(self, color: str, cells: Iterable[Cell]) -> bool:
        """Whether a side is shared with the same colour."""
        return any(n in self.own[color] for c in cells for n in around(c))

    def touches_corner(self, color: str, cells: Iterable[Cell]) -> bool:
        """Whether a corner is shared with the same colour."""
        return any(n in self.own[color] for c in cells for n in diagonal(c))

    def anchors(self, color: str) -> list[Cell]:
        """Free cells that a next piece of the colour may cover to have its corner contact."""
        if not self.own[color]:
            return [self.starts[color]] if self.free([self.starts[color]]) else []
        found = {n for c in self.own[color] for n in diagonal(c)}
        return sorted(c for c in found if self.free([c]) and not self.touches_edge(color, [c]))

    def fits(self, color: str, cells: Iterable[Cell]) -> bool:
        """Whether the cells are free and share no side with the same colour (corner contact is the anchor's)."""
        listed = list(cells)
        return self.free(listed) and not self.touches_edge(color, listed)

    def move(self, color: str, tries: int = 60) -> Placed | None:
        """A random legal placement with a liking for big pieces, or None when there is none (proved by trying all)."""
        anchors = self.anchors(color)
        if not anchors or not self.hands[color]:
            return None
        names = self.hands[color]
        weight = np.array([len(SHAPES[n]) ** 3.0 for n in names])
        for name in self.rng.choice(np.array(names), tries, p=weight / weight.sum()):
            turn = orientations(str(name))[self.rng.integers(len(orientations(str(name))))]
            at, by = anchors[self.rng.integers(len(anchors))], turn[self.rng.integers(len(turn))]
            cells = tuple((r + at[0] - by[0], c + at[1] - by[1]) for r, c in turn)
            if self.fits(color, cells):
                return Placed(color, str(name), cells)
        return next(self.all_moves(color), None)

    def all_moves(self, color: str) -> Iterator[Placed]:
        """Every legal placement of a colour, larger pieces first; the same one may come more than once."""
        anchors = self.anchors(color)
        for name in sorted(set(self.hands[color]), key=lambda n: (-len(SHAPES[n]), n)):
            for turn in orientations(name):
                for at in anchors:
                    for by in turn:
                        cells = tuple((r + at[0] - by[0], c + at[1] - by[1]) for r, c in turn)
                        if self.fits(color, cells):
                            yield Placed(color, name, cells)

    def put(self, piece: Placed) -> None:
        """Lay a piece down, legal or not."""
        self.placed.append(piece)
        self.own[piece.color] |= set(piece.cells)
        self.taken |= set(piece.cells)
        if piece.piece in self.hands[piece.color]:
            self.hands[piece.color].remove(piece.piece)

    def take(self, piece: Placed) -> None:
        """Take a piece back into the hand."""
        self.placed.remove(piece)
        self.own[piece.color] -= set(piece.cells)
        self.taken -= set(piece.cells)
        if piece.piece in SHAPES:
            self.hands[piece.color].append(piece.piece)

    def play(self, count: int) -> list[Placed]:
        """Play until `count` pieces lie on the board or nobody can move; the position's placements in order."""
        stuck = 0
        turn = 0
        while len(self.placed) < count and stuck < len(self.kind.colors):
            color = self.kind.colors[turn % len(self.kind.colors)]
            found = self.move(color)
            stuck = 0 if found else stuck + 1
            if found:
                self.put(found)
            turn += 1
        return self.placed
