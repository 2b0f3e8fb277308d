"""What one placement breaks: every rule of the game in turn, each a function that names the cells at fault.

An `Attempt` is a placement together with all that judging it needs to know. `judge` asks every rule; none stops at the
first. `legal_set` gives all placements that break no rule of piece and place, as one intersection of sets.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from referee.cells import Cell, Cells, CellSet, bit_numbers, cells_text, numbered, numbers_text, on_board, side_sets
from referee.placements import PlacementSet, placement_table
from referee.position import Position, Reach
from referee.rulings import BlockedProof, Ruling, Violation


class Attempt(NamedTuple):
    """A placement and all that judging it needs to know.

    Attributes:
        position: the board before it.
        color: whose squares are put down.
        own: what that colour's earlier squares mean for it.
        cells: the new squares; at least one; some may lie outside the board.
        squares: those on the board, as bits.
        piece: the piece of the variant's set that the new squares make, or None.
        hand: the colour's pieces left, copies repeated.
        own_set: the pieces the colour began with, copies repeated.
        start_cells: the cells one of which the colour's first piece must cover.
        retired: None, "blocked" or "finished".
        is_over: whether every colour is retired.
        waited_for: who is on turn, in words, when it is not this colour; else empty.
    """

    position: Position
    color: str
    own: Reach
    cells: Cells
    squares: CellSet
    piece: str | None
    hand: tuple[str, ...]
    own_set: tuple[str, ...]
    start_cells: Cells
    retired: str | None = None
    is_over: bool = False
    waited_for: str = ""

    @property
    def is_first(self) -> bool:
        """Whether nothing of the colour lies on the board."""
        return not self.own.squares

    @property
    def subject(self) -> str:
        """The placement as the subject of a sentence: "Blue's W" or "Blue's squares"."""
        return f"{self.color.capitalize()}'s {self.piece or 'new squares'}"

    def doing(self, verb: str) -> str:
        """The subject with a verb, given in its plural: "Blue's W covers", "Blue's new squares cover"."""
        ending = "es" if verb.endswith("ch") else "s"
        return f"{self.subject} {verb}{ending if self.piece else ''}"


def not_a_piece(attempt: Attempt) -> Violation | None:
    """The new squares are not one polyomino of this variant's set, or one that this colour's set lacks."""
    if attempt.piece is None:
        return _broken("not_a_piece", attempt.cells, f"{attempt.subject} are not one piece of this game.")
    if attempt.piece not in attempt.own_set:
        return _broken("not_a_piece", attempt.cells, f"The {attempt.piece} was declared missing from {attempt.color}'s set.")
    return None


def piece_already_used(attempt: Attempt) -> Violation | None:
    """The colour has placed this shape before, as often as it has copies of it."""
    if attempt.piece is None or attempt.piece in attempt.hand or attempt.piece not in attempt.own_set:
        return None
    which = "both copies of its" if attempt.own_set.count(attempt.piece) > 1 else "its"
    return _broken("piece_already_used", attempt.cells, f"{attempt.color.capitalize()} has already placed {which} piece {attempt.piece}.")


def off_board(attempt: Attempt) -> Violation | None:
    """A square lies outside the grid."""
    if attempt.squares.bit_count() == len(attempt.cells):
        return None
    outside = frozenset(cell for cell in attempt.cells if not on_board(cell, attempt.position.size))
    return _broken("off_board", outside, f"{attempt.doing('stick')} out over the edge of the board.")


def overlap(attempt: Attempt) -> Violation | None:
    """A square was occupied."""
    covered = attempt.squares & attempt.position.occupied
    return _at(attempt, "overlap", covered, "cover", "squares that were occupied:") if covered else None


def edge_contact(attempt: Attempt) -> Violation | None:
    """A side is shared with an earlier piece of the same colour; the cells on both sides of it are at fault."""
    touching = attempt.squares & attempt.own.sides
    if not touching:
        return None
    touched = _beside(touching, attempt.position.size) & attempt.own.squares
    return _at(attempt, "edge_contact", touching | touched, "share", f"a side with another piece of {attempt.color} at")


def no_corner_contact(attempt: Attempt) -> Violation | None:
    """Not the colour's first piece, and no square is diagonal to an earlier one of its own."""
    if attempt.is_first or attempt.squares & attempt.own.corners:
        return None
    return _broken("no_corner_contact", attempt.cells, f"{attempt.doing('touch')} no piece of {attempt.color} by a corner.")


def start_not_covered(attempt: Attempt) -> Violation | None:
    """The colour's first piece does not cover its starting cell, or where it may choose, none of those left."""
    if not attempt.is_first or attempt.cells & attempt.start_cells:
        return None
    where = _start_text(attempt.start_cells, attempt.position.size)
    return _broken("start_not_covered", attempt.start_cells, f"{attempt.color.capitalize()}'s first piece must cover {where}.")


def out_of_turn(attempt: Attempt) -> Violation | None:
    """Another colour is on turn and is not retired; nothing is said of a colour that is retired itself."""
    if not attempt.waited_for or attempt.retired:
        return None
    return _broken("out_of_turn", attempt.cells, f"{attempt.color.capitalize()} played, but {attempt.waited_for} is on turn.")


def color_retired(attempt: Attempt) -> Violation | None:
    """The colour is finished or blocked."""
    if not attempt.retired:
        return None
    return _broken("color_retired", attempt.cells, f"{attempt.color.capitalize()} is {attempt.retired} and plays no more.")


def game_over(attempt: Attempt) -> Violation | None:
    """Every colour is retired."""
    return _broken("game_over", attempt.cells, "The game is over.") if attempt.is_over else None


RULES = (
    not_a_piece,
    piece_already_used,
    off_board,
    overlap,
    edge_contact,
    no_corner_contact,
    start_not_covered,
    out_of_turn,
    color_retired,
    game_over,
)
"""The rules of a placement, in the order of the rules' page; each gives its violation or None."""


def judge(attempt: Attempt) -> Ruling:
    """The ruling on a placement, with every rule it breaks."""
    broken = [violation for rule in RULES if (violation := rule(attempt)) is not None]
    return Ruling(attempt.color, attempt.piece, attempt.cells, tuple(broken))


def legal_set(position: Position, color: str, pieces_left: PlacementSet, start_cells: Iterable[Cell]) -> PlacementSet:
    """The placements of the pieces left that break no rule of piece and place; turns are not looked at.

    `pieces_left` are all placements of the colour's hand; `start_cells` matter for its first piece only.
    """
    fitting = pieces_left & position.clear
    if not position.has(color):
        return fitting & placement_table(position.size).covering_any(start_cells)
    reach = position.reach(color)
    return fitting & reach.apart & reach.touching


def prove_blocked(color: str, pieces_left: PlacementSet, legal: PlacementSet) -> BlockedProof:
    """The proof that a colour is blocked, or is not, from its placements and the legal ones among them."""
    return BlockedProof(color, pieces_left.bit_count(), legal.bit_count())


def _broken(kind: str, cells: Cells, message: str) -> Violation:
    return Violation(kind, cells, message)


def _at(attempt: Attempt, kind: str, at_fault: CellSet, verb: str, what: str) -> Violation:
    """A violation at some cells of the board, which its sentence names."""
    size, numbers = attempt.position.size, bit_numbers(at_fault)
    return Violation(kind, numbered(numbers, size), f"{attempt.doing(verb)} {what} {numbers_text(numbers, size)}.")


def _beside(squares: CellSet, size: int) -> CellSet:
    """The cells that share a side with one of the squares."""
    beside, sides_of = 0, side_sets(size)
    for number in bit_numbers(squares):
        beside |= sides_of[number]
    return beside


def _start_text(cells: Cells, size: int) -> str:
    if not cells:
        return "a starting cell, and none is left"
    return f"{'one of ' if len(cells) > 1 else ''}{cells_text(cells, size)}"
