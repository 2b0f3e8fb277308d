"""What one picture of a board proves, and what it leaves to play: pieces, broken rules, squares left, blocked colours.

A picture has no history. Only what holds whatever the order of play was, and whatever lies on the cells that could not be
told (``?``), is called a violation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from referee.cells import (
    COLOR_LETTER,
    UNSURE,
    Cell,
    Cells,
    cells_text,
    components,
    corner_neighbors,
    on_board,
    side_neighbors,
)
from referee.legality import legal_set
from referee.pieces import identify, in_piece_order
from referee.placements import Placement, placement_table
from referee.position import Position
from referee.variants import Variant

MOST_SQUARES = 5
"""Squares of the largest piece."""


@dataclass(frozen=True)
class SeenPiece:
    """A group of squares of one colour that hang together by their sides.

    Attributes:
        color: its colour.
        cells: its squares.
        piece: the name of the piece of the variant's set that they make, or None.
        sure: whether no neighbour is a cell that could not be told.
    """

    color: str
    cells: Cells
    piece: str | None
    sure: bool

    def as_json(self) -> dict[str, Any]:
        """`{"color", "piece", "cells"}`, cells in reading order."""
        return {"color": self.color, "piece": self.piece, "cells": _listed(self.cells)}


@dataclass(frozen=True)
class PictureViolation:
    """A rule that the picture proves broken.

    Attributes:
        color: whose.
        kinds: names of the rules.
        cells: the squares at fault, or the start cells not covered.
        ambiguous: it cannot be told which of the colour's groups is the guilty one.
        message: in words.
    """

    color: str
    kinds: tuple[str, ...]
    cells: Cells
    ambiguous: bool
    message: str

    def as_json(self) -> dict[str, Any]:
        """The contract's object."""
        return {
            "color": self.color,
            "kinds": list(self.kinds),
            "cells": _listed(self.cells),
            "ambiguous": self.ambiguous,
            "message": self.message,
        }


@dataclass(frozen=True)
class ColorLeft:
    """What a colour has left.

    Attributes:
        squares: fewest and most unused squares, the same when every cell was told.
        pieces: names of the pieces not seen on the board, copies repeated, from the smallest.
        blocked: whether none of them fits anywhere; None when a cell that was not told could change it.
        example: the largest placement that fits, when there is one.
    """

    squares: tuple[int, int]
    pieces: tuple[str, ...]
    blocked: bool | None
    example: Placement | None

    def as_json(self) -> dict[str, Any]:
        """The contract's object."""
        low, high = self.squares
        out: dict[str, Any] = {
            "squares_left": low if low == high else [low, high],
            "pieces_left": list(self.pieces),
            "blocked": self.blocked,
        }
        return out | ({"example": self.example.as_json()} if self.example else {})


@dataclass(frozen=True)
class Verdicts:
    """Judges one grid of letters.

    Attributes:
        grid: one string a row: colours' letters, ``.`` and ``?``.
        variant: the game.
    """

    grid: tuple[str, ...]
    variant: Variant

    @cached_property
    def pieces(self) -> tuple[SeenPiece, ...]:
        """The groups of one colour, colours in the variant's order, each in reading order."""
        return tuple(self._seen(color, group) for color in self.variant.colors for group in components(self._cells(COLOR_LETTER[color])))

    @cached_property
    def violations(self) -> tuple[PictureViolation, ...]:
        """The rules that the picture proves broken."""
        return tuple(violation for color in self.variant.colors for violation in self._violations(color))

    @cached_property
    def left(self) -> dict[str, ColorLeft]:
        """What each colour has left."""
        return {color: self._left(color) for color in self.variant.colors}

    @cached_property
    def _unsure(self) -> Cells:
        return self._cells(UNSURE)

    @cached_property
    def _starts(self) -> Cells:
        """Every cell that may be a starting cell: a picture does not tell which way the board lies."""
        return frozenset(cell for ring in self.variant.rings for cell in ring)

    def _cells(self, letter: str) -> Cells:
        return frozenset((row, col) for row, line in enumerate(self.grid) for col, mark in enumerate(line) if mark == letter)

    def _seen(self, color: str, cells: Cells) -> SeenPiece:
        name = identify(cells)
        known = name if name in self.variant.pieces else None
        unsure = self._unsure
        return SeenPiece(color, cells, known, not unsure or not any(side_neighbors(cell) & unsure for cell in cells))

    def _of(self, color: str) -> tuple[SeenPiece, ...]:
        return tuple(piece for piece in self.pieces if piece.color == color)

    def _violations(self, color: str) -> Iterator[PictureViolation]:
        seen = self._of(color)
        yield from (self._no_piece(piece) for piece in seen if piece.piece is None and (piece.sure or len(piece.cells) > MOST_SQUARES))
        yield from self._used_again(color, seen)
        yield from self._not_started(color, seen)
        yield from self._apart(color, seen)

    def _no_piece(self, piece: SeenPiece) -> PictureViolation:
        many = len(piece.cells)
        if many > MOST_SQUARES:
            kinds = ("not_a_piece", "edge_contact") if is_several_pieces(piece.cells, self.variant.pieces) else ("not_a_piece",)
            what = f"hang together: no piece has {many} squares"
        else:
            kinds, what = ("not_a_piece",), f"make no piece of {self.variant.title}"
        message = f"{piece.color.capitalize()}'s {many} squares at {_where(piece.cells, len(self.grid))} {what}."
        return PictureViolation(piece.color, kinds, piece.cells, False, message)

    def _used_again(self, color: str, seen: Sequence[SeenPiece]) -> Iterator[PictureViolation]:
        names = [piece.piece for piece in seen if piece.sure and piece.piece]
        for name in in_piece_order(set(names)):
            copies, used = self.variant.pieces.count(name), names.count(name)
            if used > copies:
                cells = frozenset(cell for piece in seen if piece.sure and piece.piece == name for cell in piece.cells)
                message = f"{color.capitalize()}'s {name} lies on the board {used} times, and the set has {copies}."
                yield PictureViolation(color, ("piece_already_used",), cells, True, message)

    def _not_started(self, color: str, seen: Sequence[SeenPiece]) -> Iterator[PictureViolation]:
        own = frozenset(cell for piece in seen for cell in piece.cells)
        if not own or own & self._starts or self._starts & self._unsure:
            return
        message = f"{color.capitalize()} covers no starting cell ({cells_text(self._starts, len(self.grid))})."
        cells = own if len(seen) == 1 else self._starts
        yield PictureViolation(color, ("start_not_covered",), cells, len(seen) > 1, message)

    def _apart(self, color: str, seen: Sequence[SeenPiece]) -> Iterator[PictureViolation]:
        """Groups that no chain of corners links to the rest: at least one piece was put down without corner contact."""
        groups = self._linked(frozenset(cell for piece in seen for cell in piece.cells))
        if len(groups) < 2:
            return
        started = [group for group in groups if group & self._starts]
        guilty = [group for group in groups if group not in started] if len(started) == 1 else groups
        for group in guilty:
            size = len(self.grid)
            message = f"{color.capitalize()}'s squares at {_where(group, size)} touch no other piece of {color} by a corner."
            yield PictureViolation(color, ("no_corner_contact",), group, len(started) != 1, message)

    def _linked(self, own: Cells) -> list[Cells]:
        """The colour's squares in groups linked by sides or corners; a cell that was not told may be a link."""
        left, groups = set(own | self._unsure), []
        for first in sorted(own):
            if first not in left:
                continue
            left.discard(first)
            group, edge = {first}, [first]
            while edge:
                cell = edge.pop()
                reached = (side_neighbors(cell) | corner_neighbors(cell)) & left
                left -= reached
                group |= reached
                edge += reached
            groups.append(frozenset(group & own))
        return groups

    def _left(self, color: str) -> ColorLeft:
        placed = sum(line.count(COLOR_LETTER[color]) for line in self.grid)
        most = self.variant.squares - placed
        used = Counter(piece.piece for piece in self._of(color) if piece.piece)
        names = in_piece_order((Counter(self.variant.pieces) - used).elements())
        legal = legal_set(self._position, color, placement_table(len(self.grid)).of_pieces(names), self._open_starts)
        certain = legal & self._untouched(color) if self._unsure else legal
        blocked = None if self._unsure and not certain else not certain
        example = _largest(certain, len(self.grid)) if certain else None
        return ColorLeft((max(0, most - len(self._unsure)), max(0, most)), names, blocked, example)

    @cached_property
    def _position(self) -> Position:
        return Position.from_text(self.grid)

    @cached_property
    def _open_starts(self) -> Cells:
        """Start cells of a colour with nothing on the board."""
        return frozenset(cell for cell in self._starts if cell not in self._position.cells)

    def _untouched(self, color: str) -> int:
        """Placements that no cell that was not told can make illegal: they neither cover one nor lie beside one."""
        table = placement_table(len(self.grid))
        near = frozenset(cell for unsure in self._unsure for cell in {unsure} | side_neighbors(unsure) if on_board(cell, len(self.grid)))
        if not self._position.has(color):
            return 0  # it may have started under one of them
        allowed = table.all
        for row, col in near:
            allowed &= table.avoiding[row * len(self.grid) + col]
        return allowed


def is_several_pieces(cells: Cells, names: Sequence[str]) -> bool:
    """Whether a block looks like pieces of one set side by side: two or three of them fill it, or it is larger than three fill."""
    if len(cells) > 3 * MOST_SQUARES:
        return True
    return _fills(cells, Counter(names), 3)


def _fills(cells: Cells, hand: Counter[str], most: int) -> bool:
    """Whether at most ``most`` pieces of the hand fill the cells."""
    if not cells:
        return True
    if most == 0 or len(cells) > most * MOST_SQUARES:
        return False
    for part in _parts_with(min(cells), cells):
        name = identify(part)
        if name is not None and hand[name] > 0 and _fills(cells - part, hand - Counter([name]), most - 1):
            return True
    return False


def _parts_with(first: Cell, cells: Cells) -> Iterator[Cells]:
    """Every connected part of 1 to 5 of the cells that contains the first."""
    seen: set[Cells] = set()
    stack = [frozenset([first])]
    while stack:
        part = stack.pop()
        if part in seen:
            continue
        seen.add(part)
        yield part
        if len(part) < MOST_SQUARES:
            stack += [part | {near} for cell in part for near in side_neighbors(cell) & (cells - part)]


def _largest(chosen: int, size: int) -> Placement:
    """The placement of a set with the most squares, the last in table order: pieces there go from the smallest up."""
    return placement_table(size).placements[chosen.bit_length() - 1]


def _listed(cells: Cells) -> list[list[int]]:
    return [list(cell) for cell in sorted(cells)]


def _where(cells: Cells, size: int) -> str:
    return cells_text(cells, size) if len(cells) <= MOST_SQUARES else f"{cells_text([min(cells)], size)} and on"
