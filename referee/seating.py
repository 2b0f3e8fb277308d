"""Who starts where and who plays after whom.

Seats are places in turn order, the starter's first; each has a colour and a start cell once they are known. With `seated`
starts the first piece that covers a start cell fixes the start cell of every seat, clockwise; with `free` starts each first
piece claims the cell it covers. On a board with two rings the first piece that lies on one of them rules the other out.
Where the order was not agreed on, colours take seats with their first pieces: by the start cell they cover when that tells
the seat, else by the order of appearing. The last colour has the last seat.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from referee.cells import Cell, Cells
from referee.options import GameOptions
from referee.variants import Ring


@dataclass(frozen=True)
class Seating:
    """The seats in turn order.

    Attributes:
        colors: the colour of each seat, None while nobody is known to sit there.
        starts: the start cell of each seat, None while it is open.
        rings: the start rings still possible.
        unseated: the colours that have no seat yet.
        is_clockwise: whether one start cell fixes all others; otherwise each is free.
    """

    colors: tuple[str | None, ...]
    starts: tuple[Cell | None, ...]
    rings: tuple[Ring, ...]
    unseated: tuple[str, ...]
    is_clockwise: bool

    @staticmethod
    def of(options: GameOptions) -> Seating:
        """The seats before the first piece."""
        order, count = options.order_used, len(options.rules.colors)
        seating = Seating(
            colors=order or (None,) * count,
            starts=(None,) * count,
            rings=options.rings,
            unseated=() if order else options.rules.colors,
            is_clockwise=options.starts != "free",
        )
        if options.starts != "assigned" or order is None:
            return seating
        cells = options.start_cells or dict(zip(options.rules.colors, options.rings[0], strict=True))
        return replace(seating, starts=tuple(cells[color] for color in order))

    def seat_of(self, color: str) -> int | None:
        """The seat of a colour, None while it has none."""
        return self.colors.index(color) if color in self.colors else None

    def start_cells(self, color: str) -> Cells:
        """The cells one of which the colour's first piece must cover, turns not looked at."""
        seat = self.seat_of(color)
        seats = [number for number, owner in enumerate(self.colors) if owner is None] if seat is None else [seat]
        return self.start_cells_of(seats)

    def start_cells_of(self, seats: list[int]) -> Cells:
        """The start cells of some seats; of one whose cell is open, every cell that no other has claimed."""
        known = {start for number in seats if (start := self.starts[number]) is not None}
        if all(self.starts[number] is not None for number in seats):
            return frozenset(known)
        return frozenset(known | {cell for ring in self.rings for cell in ring} - set(self.starts))

    def claim(self, color: str, cells: Cells, seat_on_turn: int) -> Seating:
        """The seats after a colour's first piece, wherever it lies."""
        covered = self._start_under(color, cells)
        seat = self.seat_for(color, seat_on_turn, covered)
        return _with_start(_with_color(self, seat, color), seat, covered)

    def _start_under(self, color: str, cells: Cells) -> Cell | None:
        """The free start cell that the squares cover; None without one, or when they lie on several rings and so tell none."""
        taken = self._taken(color)
        covered = [(cell, ring) for ring in self.rings for cell in ring if cell in cells and cell not in taken]
        return covered[0][0] if len({ring for _, ring in covered}) == 1 else None

    def _taken(self, color: str) -> set[Cell]:
        """Start cells that belong to the seats of other colours."""
        return {start for owner, start in zip(self.colors, self.starts, strict=True) if start is not None and owner not in (None, color)}

    def seat_for(self, color: str, seat_on_turn: int, covered: Cell | None = None) -> int:
        """The colour's seat; for a newcomer the open one whose start cell it covered, else the next open one in turn order."""
        if color in self.colors:
            return self.colors.index(color)
        count = len(self.colors)
        in_turn = [number for step in range(count) if self.colors[number := (seat_on_turn + step) % count] is None]
        return next((number for number in in_turn if covered is not None and self.starts[number] == covered), in_turn[0])


def runs_backwards(ring: Ring, starts: tuple[Cell, ...]) -> bool:
    """Whether colours that started from these cells in turn went round a whole ring of four against its direction.

    When the ring runs clockwise as seen from above, the picture is likely a mirror image.
    """
    if len(ring) < 3 or len(starts) != len(ring) or set(starts) != set(ring):
        return False
    places = [ring.index(cell) for cell in starts]
    return all((before - after) % len(ring) == 1 for before, after in pairwise(places))


def _with_color(seating: Seating, seat: int, color: str) -> Seating:
    """The seats with a colour on one; the last colour then has the last seat."""
    if seating.colors[seat] == color:
        return seating
    colors = [*seating.colors]
    colors[seat] = color
    unseated = tuple(other for other in seating.unseated if other != color)
    if len(unseated) == 1:
        colors[colors.index(None)] = unseated[0]
        unseated = ()
    return replace(seating, colors=tuple(colors), unseated=unseated)


def _with_start(seating: Seating, seat: int, covered: Cell | None) -> Seating:
    """The seats with the covered cell as the start cell of one whose cell was open."""
    if covered is None or seating.starts[seat] is not None:
        return seating
    ring = next(ring for ring in seating.rings if covered in ring)
    if seating.is_clockwise:
        shift = ring.index(covered) - seat
        starts: tuple[Cell | None, ...] = tuple(ring[(number + shift) % len(ring)] for number in range(len(ring)))
    else:
        starts = (*seating.starts[:seat], covered, *seating.starts[seat + 1 :])
    return replace(seating, rings=(ring,), starts=starts)
