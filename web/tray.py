"""Where each piece of a colour's set lies in its tray: the little picture of the pieces left.

The places never change during a game: a piece that has been placed leaves its socket empty, so that a glance finds what is missing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from referee.cells import Cell
from referee.pieces import PIECES
from web.outlines import outline

_WIDTH = 23  # squares: the set of 21 then fills four even rows, twice as wide as high


@dataclass(frozen=True)
class Slot:
    """The socket of one copy of a piece: ``x``, ``y`` its top left corner in squares."""

    piece: str
    copy: int
    x: int
    y: int


@dataclass(frozen=True)
class Tray:
    """All sockets of a set, with the picture's ``width`` and ``height`` in squares."""

    slots: tuple[Slot, ...]
    width: int
    height: int


def lay_out(pieces: Sequence[str], shapes: Mapping[str, Collection[Cell]]) -> Tray:
    """Place each of ``pieces`` (a name may come twice) in rows of equal height; ``shapes`` gives each one's cells."""
    flat = [(name, lying(shapes[name])) for name in pieces]
    flat.sort(key=lambda item: (_extent(item[1]), len(item[1])))
    slots: list[Slot] = []
    seen: dict[str, int] = {}
    x = y = row_height = 0
    for name, cells in flat:
        height, width = _extent(cells)
        if x and (x + width > _WIDTH or height != row_height):
            x, y = 0, y + row_height + 1
        copy = seen[name] = seen.get(name, -1) + 1
        slots.append(Slot(name, copy, x, y))
        x, row_height = x + width + 1, height
    return Tray(tuple(slots), _WIDTH, y + row_height)


def lying(cells: Collection[Cell]) -> frozenset[Cell]:
    """The shape of ``cells`` moved to row 0, column 0 and turned so that it is not higher than wide."""
    top, left = min(row for row, _ in cells), min(col for _, col in cells)
    moved = frozenset((row - top, col - left) for row, col in cells)
    height, width = _extent(moved)
    return moved if height <= width else frozenset((width - 1 - col, row) for row, col in moved)


def _extent(cells: Collection[Cell]) -> tuple[int, int]:
    """Height and width in squares of ``cells`` that start at the origin."""
    return max(row for row, _ in cells) + 1, max(col for _, col in cells) + 1


@cache
def shapes() -> list[dict[str, str]]:
    """Every piece lying down: its name, its cells as ``0,0 0,1`` for the script, and its outline for the trays."""
    forms = {name: lying(piece.orientations[0]) for name, piece in PIECES.items()}
    return [{"name": name, "cells": _words(cells), "path": outline(cells)} for name, cells in forms.items()]


def _words(cells: frozenset[Cell]) -> str:
    return " ".join(f"{row},{col}" for row, col in sorted(cells))
