"""Checking what somebody laid on a puzzle: everything that is wrong at once, and what is still to do.

Faults are of two kinds. What is *wrong* must be taken back or moved: a piece that is not given, squares that are not free, pieces side by
side. What is *open* may come right as more is laid: pieces that are missing, and green groups that are not linked yet. A puzzle is solved
when there is neither, so that the same check serves after every piece and at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from referee.cells import Cells, corner_neighbors, side_neighbors
from referee.pieces import identify, in_piece_order
from referee.puzzle import GREEN, ORANGE, Puzzle
from referee.rulings import Violation


@dataclass(frozen=True, slots=True)
class Laid:
    """A piece that somebody laid: its cells, and the name they gave it or None."""

    cells: Cells
    name: str | None = None


@dataclass(frozen=True)
class Check:
    """What there is to say about pieces laid on a puzzle.

    Attributes:
        wrong: what must be taken back or moved; of the kinds `not_a_piece`, `wrong_name`, `piece_not_given`, `off_board`, `overlap` and
            `edge_contact`.
        open: what is still to do; of the kinds `piece_missing` and `no_corner_contact`.
        left: the given pieces not laid yet, smallest first, copies kept.
    """

    wrong: tuple[Violation, ...]
    open: tuple[Violation, ...]
    left: tuple[str, ...]

    @property
    def is_solved(self) -> bool:
        """Whether nothing is wrong and nothing is open."""
        return not self.wrong and not self.open

    @property
    def violations(self) -> tuple[Violation, ...]:
        """Everything that keeps the puzzle from being solved."""
        return self.wrong + self.open


def check(puzzle: Puzzle, laid: Iterable[Laid]) -> Check:
    """Judge pieces laid on a puzzle, in any order, few or all."""
    pieces = list(laid)
    left = Counter(puzzle.pieces)
    wrong = [*_names(puzzle, pieces, left), *_squares(puzzle, pieces), *_sides(puzzle, pieces)]
    missing = in_piece_order(left.elements())
    still = [Violation("piece_missing", frozenset(), f"Still to place: {', '.join(missing)}.")] if missing else []
    return Check(tuple(wrong), (*still, *_groups(puzzle, pieces)), missing)


def _names(puzzle: Puzzle, pieces: Sequence[Laid], left: Counter[str]) -> Iterator[Violation]:
    """Pieces that are none, are misnamed, or are not given so many times; takes the others out of `left`."""
    for piece in pieces:
        at = puzzle.cell_names(piece.cells)
        name = identify(piece.cells)
        if name is None:
            yield Violation("not_a_piece", piece.cells, f"The squares {at} are not one piece.")
            continue
        if piece.name not in (None, name):
            yield Violation("wrong_name", piece.cells, f"The piece on {at} is a {name}, not a {piece.name}.")
        if left[name] > 0:
            left[name] -= 1
        else:
            given = puzzle.pieces.count(name)
            times = f"is given {'once' if given == 1 else f'{given} times'} only" if given else "is not given"
            yield Violation("piece_not_given", piece.cells, f"The piece {name} on {at} {times}.")


def _squares(puzzle: Puzzle, pieces: Sequence[Laid]) -> Iterator[Violation]:
    """Squares outside the board, on drawn squares and on each other."""
    for piece in pieces:
        outside = frozenset(cell for cell in piece.cells if not puzzle.holds(cell))
        if outside:
            yield Violation("off_board", outside, f"{_called(puzzle, piece)} lies outside the board with {puzzle.cell_names(outside)}.")
        for letter, color in ((GREEN, "green"), (ORANGE, "orange")):
            covered = piece.cells & puzzle.cells_of(letter)
            if covered:
                message = f"{_called(puzzle, piece)} covers drawn {color} squares: {puzzle.cell_names(covered)}."
                yield Violation("overlap", covered, message)
    for one, other in combinations(pieces, 2):
        both = one.cells & other.cells
        if both:
            message = f"{_called(puzzle, one)} and {_called(puzzle, other, starts=False)} both cover {puzzle.cell_names(both)}."
            yield Violation("overlap", both, message)


def _sides(puzzle: Puzzle, pieces: Sequence[Laid]) -> Iterator[Violation]:
    """Green pieces that share a side; those that lie on each other are told as an overlap."""
    for piece in pieces:
        for drawn in puzzle.drawn:
            yield from _side_contact(puzzle, piece, drawn, f"the drawn green piece on {puzzle.cell_names(drawn)}")
    for one, other in combinations(pieces, 2):
        yield from _side_contact(puzzle, one, other.cells, _called(puzzle, other, starts=False))


def _side_contact(puzzle: Puzzle, piece: Laid, other: Cells, called: str) -> Iterator[Violation]:
    touching = frozenset(cell for cell in piece.cells - other if side_neighbors(cell) & (other - piece.cells))
    if touching:
        cells = touching | frozenset(cell for cell in other - piece.cells if side_neighbors(cell) & touching)
        message = f"{_called(puzzle, piece)} shares a side with {called}, at {puzzle.cell_names(cells)}."
        yield Violation("edge_contact", cells, message)


def _groups(puzzle: Puzzle, pieces: Sequence[Laid]) -> Iterator[Violation]:
    """Groups of green pieces that hang together by corners, when they are more than one."""
    groups: list[Cells] = []
    for cells in (*puzzle.drawn, *(piece.cells for piece in pieces)):
        around = frozenset().union(*map(corner_neighbors, cells))
        linked = [group for group in groups if group & around]
        groups = [group for group in groups if not group & around] + [cells.union(*linked)]
    if len(groups) > 1:
        cells = frozenset().union(*groups)
        firsts = puzzle.cell_names(min(group) for group in groups)
        yield Violation("no_corner_contact", cells, f"The green pieces are {len(groups)} groups not linked by corners: those at {firsts}.")


def _called(puzzle: Puzzle, piece: Laid, *, starts: bool = True) -> str:
    """The piece in a sentence, by its name and cells."""
    name = identify(piece.cells)
    return f"{'The' if starts else 'the'} {name or 'shape'} on {puzzle.cell_names(piece.cells)}"
