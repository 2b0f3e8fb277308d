"""From a board as it lies to what was done: which pieces came, went, or were moved.

Only the shapes of pieces count here, never the rules: a foul is read as easily as a legal move. For each colour the explanation
with the fewest and most usual doings is taken: one piece moved rather than one gone and the same come; a piece of the set rather
than loose squares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from referee.cells import Cell, Cells, components, side_neighbors
from referee.pieces import PIECES, identify
from referee.readings import Amended, Back, Gone, Item, Look, New, Odd, Reading, Shifted, look_at


@dataclass(frozen=True)
class Piece:
    """A piece of the game.

    Attributes:
        number: the act that put it there.
        color: whose it is.
        cells: the cells of the board where it should lie; none when it was taken away.
        home: where it belongs.
        is_loose: it may well be taken back: it is disputed, or nobody has played since. A piece laid over it then takes its place.
        is_last: nobody has played since.
    """

    number: int
    color: str
    cells: Cells
    home: Cells
    is_loose: bool = False
    is_last: bool = False


@dataclass(frozen=True)
class Costs:
    """How unusual each doing is; only their order matters, and that moving costs less than going and coming."""

    gone: float = 0.6
    shifted: float = 0.9
    new: float = 1.0
    block: float = 3.0
    torn: float = 4.0
    covering: float = 4.0
    leftover: float = 6.0
    beside: float = 0.2


COSTS = Costs()
MOST_LEAVERS = 3
"""Pieces of one colour whose moves are tried together; more gone at once are a board being cleared."""

MOST_PLANS = 40
"""Explanations of one colour that are followed further, the most usual ones."""

MOST_SQUARES = 30
"""New squares of one colour among which moved pieces are looked for; more are not the work of one moment."""


def interpret(
    pieces: Sequence[Piece], now: Mapping[Cell, str], names: frozenset[str], colors: Iterable[str], misread_p: float
) -> tuple[tuple[Reading, float], ...]:
    """What happened, as readings with their shares; one reading with share 1 unless the last piece may have been misread.

    `pieces` are those that should lie there in the order they came, `now` what lies on the occupied cells, `names` the pieces of the
    variant's set, `colors` the colours in the game, and `misread_p` the share of a misreading where one would explain the change.
    """
    scene = _Scene(pieces, now, names)
    items: set[Item] = {Back(piece.number) for piece in scene.backs}
    odd: set[Cell] = set()
    for color in colors:
        found, unexplained = _explain(scene, color)
        items |= found
        odd |= unexplained
    odd |= {cell for cell, color in scene.added.items() if color not in set(colors)}
    odd |= scene.shows_below({item.number for item in items if isinstance(item, Gone | Shifted | Back)})
    items |= {Odd(_odd_look(scene, cells)) for cells in components(odd)}
    return _misread_too(scene, frozenset(items), misread_p)


class _Scene:
    """The differences between what should lie on the board and what does, sorted by colour."""

    def __init__(self, pieces: Sequence[Piece], now: Mapping[Cell, str], names: frozenset[str]) -> None:
        self.pieces, self.now, self.names = pieces, now, names
        self.owner: dict[Cell, Piece] = {cell: piece for piece in pieces for cell in piece.cells}
        self.lost = {cell for cell, piece in self.owner.items() if now.get(cell) != piece.color}
        self.below = {(cell, piece.color) for piece in pieces for cell in piece.cells if self.owner[cell] is not piece}
        self.added = {
            cell: color for cell, color in now.items() if (cell not in self.owner or cell in self.lost) and (cell, color) not in self.below
        }
        self.backs = [piece for piece in pieces if piece.cells != piece.home and self._is_back(piece)]
        home = {cell for piece in self.backs for cell in piece.home}
        self.added = {cell: color for cell, color in self.added.items() if cell not in home}

    def _is_back(self, piece: Piece) -> bool:
        lies_home = all(self.now.get(cell) == piece.color for cell in piece.home if cell not in self.owner or cell in piece.cells)
        seen_home = any(self.now.get(cell) == piece.color for cell in piece.home - piece.cells)
        return lies_home and seen_home and piece.cells - piece.home <= self.lost

    def shows_below(self, gone: set[int]) -> set[Cell]:
        """The cells that show what lies below a piece although that piece is still there."""
        return {cell for cell in self.lost if self.owner[cell].number not in gone and (cell, self.now.get(cell, "")) in self.below}

    def visible(self, piece: Piece) -> Cells:
        """The cells on which the piece lies on top."""
        return frozenset(cell for cell in piece.cells if self.owner[cell] is piece)

    def kept(self, piece: Piece) -> Cells:
        """The cells on which the piece's colour still shows."""
        return self.visible(piece) - self.lost

    def emptied(self, piece: Piece) -> Cells:
        """The cells of the piece on which nothing lies any more."""
        return frozenset(cell for cell in self.visible(piece) & self.lost if cell not in self.now)

    def new_squares(self, color: str) -> Cells:
        """The squares of a colour that were not there."""
        return frozenset(cell for cell, found in self.added.items() if found == color)

    def has_left(self, piece: Piece) -> bool:
        """Whether squares of the piece are missing, other than by something laid over it."""
        if piece in self.backs or not piece.cells:
            return False
        if self.is_block(piece):
            beside = any(side_neighbors(cell) & piece.cells for cell in self.new_squares(piece.color))
            return beside or bool(self.visible(piece) & self.lost)
        return bool(self.emptied(piece)) or (piece.is_loose and bool(self.visible(piece)) and not self.kept(piece))

    def is_block(self, piece: Piece) -> bool:
        """Whether it is no piece of the set, so that its squares may be told apart otherwise."""
        return piece.is_loose and identify(piece.home) not in self.names


@dataclass(frozen=True)
class _Plan:
    """One explanation in the making: what was done, the squares not yet explained, and how unusual it is so far."""

    items: frozenset[Item]
    squares: Cells
    kept: Cells
    odd: Cells
    cost: float


def _explain(scene: _Scene, color: str) -> tuple[frozenset[Item], Cells]:
    """The doings of one colour, and the cells that none explains."""
    squares = scene.new_squares(color)
    own = [piece for piece in scene.pieces if piece.color == color and piece not in scene.backs]
    leavers = [piece for piece in own if scene.has_left(piece)]
    absent = [piece for piece in own if not piece.cells]
    plans = [_Plan(frozenset(), squares, frozenset(), frozenset(), 0.0)]
    is_many = len(leavers) + len(absent) > MOST_LEAVERS or len(squares) > MOST_SQUARES
    for piece in [*leavers, *absent]:
        longer = [next_plan for plan in plans for next_plan in _continued(scene, plan, piece, is_many=is_many)]
        plans = sorted(longer, key=lambda plan: plan.cost)[:MOST_PLANS]
    best_cost, best = inf, (frozenset[Item](), frozenset[Cell]())
    for plan in plans:
        items, odd, cost = _finished(scene, plan, color)
        if cost < best_cost:
            best_cost, best = cost, (items, odd)
    return best


def _continued(scene: _Scene, plan: _Plan, piece: Piece, *, is_many: bool) -> Iterator[_Plan]:
    """The plan with each thing that may have happened to one more piece."""
    kept = scene.kept(piece)
    if not is_many:
        blocks = components(plan.squares | kept)
        for target in _targets(piece, kept, plan.squares):
            cost = plan.cost + COSTS.shifted + (0 if target in blocks else COSTS.beside) + _distance(piece.home, target) / 1000
            yield _Plan(plan.items | {Shifted(piece.number, target)}, plan.squares - target, plan.kept, plan.odd, cost)
    if not piece.cells:
        yield plan
        return
    if not (kept and is_many) or scene.is_block(piece):
        cost = plan.cost + COSTS.gone
        yield _Plan(plan.items | {Gone(piece.number)}, plan.squares, plan.kept | kept, plan.odd, cost)
    if kept and not scene.is_block(piece):
        yield _Plan(plan.items, plan.squares, plan.kept, plan.odd | scene.emptied(piece), plan.cost + COSTS.torn)


def _finished(scene: _Scene, plan: _Plan, color: str) -> tuple[frozenset[Item], Cells, float]:
    """The plan with the squares left explained as pieces that came."""
    items, odd, cost = set(plan.items), set(plan.odd), plan.cost
    for block in components(plan.squares | plan.kept):
        if _covers(scene, block, plan):
            odd |= block
            cost += COSTS.covering
            continue
        items.add(New(color, block))
        cost += COSTS.new if identify(block) in scene.names else COSTS.block
        cost += 0 if block & plan.squares or _is_part_of_block(scene, block) else COSTS.leftover
    return frozenset(items), frozenset(odd), cost


def _covers(scene: _Scene, block: Cells, plan: _Plan) -> bool:
    """Whether a block lies wholly on pieces that stay: rather their colour was misread than a piece laid on top."""
    gone = {item.number for item in plan.items if isinstance(item, Gone | Shifted)}
    loose = {piece.number for piece in scene.pieces if piece.is_loose and not scene.kept(piece)}
    under = [scene.owner.get(cell) for cell in block]
    return all(piece is not None and piece.number not in gone | loose and not scene.emptied(piece) for piece in under)


def _is_part_of_block(scene: _Scene, cells: Cells) -> bool:
    return any(scene.is_block(piece) and cells <= piece.cells for piece in scene.pieces)


def _targets(piece: Piece, kept: Cells, squares: Cells) -> Iterator[Cells]:
    """Where the piece may lie now: its shape on new squares and all those that still show it."""
    name, room = identify(piece.home), squares | kept
    if name is None or len(room) < len(piece.home) or len(room) > MOST_SQUARES:
        return
    anchors = [min(kept)] if kept else sorted(squares)
    seen: set[Cells] = set()
    for row, col in anchors:
        for form in PIECES[name].orientations:
            for down, right in form if kept else [min(form)]:
                target = frozenset((row + r - down, col + c - right) for r, c in form)
                if target <= room and kept <= target and target != piece.cells and target not in seen:
                    seen.add(target)
                    yield target


def _distance(cells: Cells, others: Cells) -> float:
    """How far apart the middles of two pieces are, in cells."""
    rows = sum(row for row, _ in cells) / len(cells) - sum(row for row, _ in others) / len(others)
    cols = sum(col for _, col in cells) / len(cells) - sum(col for _, col in others) / len(others)
    return float(abs(rows) + abs(cols))


def _odd_look(scene: _Scene, cells: Cells) -> Look:
    return look_at(dict(scene.now), cells)


def _misread_too(scene: _Scene, reading: Reading, misread_p: float) -> tuple[tuple[Reading, float], ...]:
    """The reading, and when more or fewer squares would make the last piece another one, that it was or is misread."""
    last = next((piece for piece in scene.pieces if piece.is_last and piece.cells == piece.home), None)
    if last is None:
        return ((reading, 1.0),)
    for item in reading:
        if isinstance(item, New) and item.color == last.color and _grows(scene, last, item.cells):
            amended = reading - {item} | {Amended(last.number, last.cells | item.cells)}
            return ((amended, misread_p), (reading, 1 - misread_p))
    holes = {item for item in reading if isinstance(item, Odd) and {cell for cell, _ in item.look} <= scene.emptied(last)}
    if holes and identify(scene.kept(last)) in scene.names:
        rest = reading - holes
        return ((rest, misread_p), (rest | {Amended(last.number, scene.kept(last))}, 1 - misread_p))
    return ((reading, 1.0),)


def _grows(scene: _Scene, last: Piece, cells: Cells) -> bool:
    is_beside = any(side_neighbors(cell) & last.cells for cell in cells)
    is_whole = not scene.visible(last) & scene.lost and not scene.is_block(last)
    return is_beside and is_whole and identify(last.cells | cells) in scene.names
