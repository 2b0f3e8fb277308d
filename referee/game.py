"""A game in play: whose turn it is, what each colour has left, what may be played, and the result.

A `Game` never changes: `play` returns the game after a placement. A wrong placement can be played with `force`, because the
people at the table play on while it is disputed: it then stands like any other. Undoing is playing the other moves again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile

from referee.cells import Cell, Cells, cell_set, cells_text, require_color
from referee.errors import IllegalMoveError, RefereeError
from referee.legality import Attempt, judge, legal_set, prove_blocked
from referee.options import GameOptions
from referee.people import mover
from referee.pieces import SINGLE_SQUARE, identify, squares_of
from referee.placements import Placement, PlacementSet, PlacementTable, placement_table
from referee.position import Position
from referee.rulings import BlockedProof, Ruling
from referee.scoring import ColorScore, Scores, color_score, final_scores
from referee.seating import Seating, runs_backwards
from referee.variants import Variant


@dataclass(frozen=True, slots=True)
class Move:
    """A placement as it was played, with the ruling of its moment."""

    turn: int
    ruling: Ruling

    @property
    def color(self) -> str:
        """Whose piece it is."""
        return self.ruling.color

    @property
    def piece(self) -> str | None:
        """The piece, None when the squares are none of this variant."""
        return self.ruling.piece

    @property
    def cells(self) -> Cells:
        """Its squares."""
        return self.ruling.cells


@dataclass(frozen=True)
class Game:
    """A game at one moment.

    Attributes:
        options: what the people agreed on.
        position: what lies on the board.
        seating: who starts where and plays after whom.
        hands: the pieces each colour has left, from small to large, copies repeated.
        squares_left: the unused squares of each colour: those of its set less those it put down.
        left: for each colour all placements of its hand.
        fitting: for each colour those of them that break no rule of piece and place; none for a retired one.
        retired: "blocked" or "finished" for each retired colour, in the order they retired; none ever comes back.
        moves: the placements played, in order.
        found: the pieces that lay on the board when the game was first seen, as (colour, cells); nobody saw their order.
        seat_on_turn: the seat on turn; None when the game is over, or when nobody knows whose turn it is.
        skipped: the retired colours passed over between the last move and the seat now on turn.
        beginning: the game before its first move, None in that game itself.
    """

    options: GameOptions
    position: Position
    seating: Seating
    hands: Mapping[str, tuple[str, ...]]
    squares_left: Mapping[str, int]
    left: Mapping[str, PlacementSet] = field(repr=False)
    fitting: Mapping[str, PlacementSet] = field(default_factory=dict, repr=False)
    retired: Mapping[str, str] = field(default_factory=dict)
    moves: tuple[Move, ...] = ()
    found: tuple[tuple[str, Cells], ...] = ()
    seat_on_turn: int | None = None
    skipped: tuple[str, ...] = ()
    beginning: Game | None = field(default=None, repr=False, compare=False)

    # -- making games

    @staticmethod
    def new(options: GameOptions | None = None) -> Game:
        """The game before the first piece."""
        options = options or GameOptions()
        table = placement_table(options.rules.size)
        left = {color: table.of_pieces(hand) for color, hand in options.sets.items()}
        unused = {color: squares_of(hand) for color, hand in options.sets.items()}
        game = Game(options, Position.empty(options.rules.size), Seating.of(options), options.sets, unused, left)
        return _with_turn(_with_fitting(game), 0)

    @staticmethod
    def from_position(options: GameOptions, pieces: Iterable[tuple[str, Cells]], next_color: str | None = None) -> Game:
        """A game first seen in its middle, with these pieces on the board, each a colour and its cells.

        Squares that are no piece of the colour's hand lie on the board and use up nothing. Until `next_color` is given or a
        legal piece is played, nobody knows whose turn it is, and nothing is out of turn.

        Raises:
            UnknownNameError: a colour that is not in the game.
        """
        game = Game.new(options)
        for color, cells in pieces:
            require_color(color, options.rules.colors)
            game = _with_piece(replace(game, found=(*game.found, (color, cells))), color, cells, _piece_of(options.rules, cells))
        seating = game.seating
        for color in sorted(game.position.reaches, key=lambda color: _start_cells_under(game, color)):
            seating = seating.claim(color, game.position.squares(color), 0)
        seat = None
        if next_color is not None:
            seating = seating.claim(require_color(next_color, options.rules.colors), frozenset(), 0)
            seat = seating.seat_of(next_color)
        return _with_turn(_with_fitting(replace(game, seating=seating)), seat)

    def replayed(self, moves: Iterable[Move | tuple[str, Cells]]) -> Game:
        """The game from its beginning with these moves in order, each judged anew and played whatever the judgement."""
        game = self.beginning or self
        for move in moves:
            color, cells = (move.color, move.cells) if isinstance(move, Move) else move
            game = game.play(color, cells, force=True)
        return game

    def without(self, turn: int) -> Game:
        """The game without the move of that turn, all later moves played and judged again."""
        return self.replayed(move for move in self.moves if move.turn != turn)

    def undone(self) -> Game:
        """The game without its last move; the same game when there is none."""
        return self.without(len(self.moves))

    # -- judging and playing

    def judge(self, color: str, cells: Iterable[Cell]) -> Ruling:
        """The ruling on a placement of this colour now; nothing is played.

        Raises:
            UnknownNameError: the colour is not in this game.
            RefereeError: there are no cells.
        """
        require_color(color, self.options.rules.colors)
        squares = frozenset(cells)
        if not squares:
            raise RefereeError("a placement needs at least one cell")
        return judge(
            Attempt(
                position=self.position,
                color=color,
                own=self.position.reach(color),
                cells=squares,
                squares=cell_set(squares, self.position.size),
                piece=_piece_of(self.options.rules, squares),
                hand=self.hands[color],
                own_set=self.options.sets[color],
                start_cells=self.start_cells(color),
                retired=self.retired.get(color),
                is_over=self.is_over,
                waited_for=self._waited_for(color, squares),
            )
        )

    def play(self, color: str, cells: Iterable[Cell], *, force: bool = False) -> Game:
        """The game after a placement; `force` lets an illegal one stand.

        Whatever stands counts: its squares occupy cells and touch by sides and corners, and the piece they make is used up. A
        retired colour's piece changes nobody's turn; after any other the next colour in order that is not retired is on turn.

        Raises:
            IllegalMoveError: it is illegal and `force` is not given; carries the ruling.
            UnknownNameError, RefereeError: as `judge`.
        """
        ruling = self.judge(color, cells)
        if not (ruling.is_legal or force):
            raise IllegalMoveError(ruling)
        played = replace(
            self,
            seating=self._seating_after(ruling),
            moves=(*self.moves, Move(self.turn, ruling)),
            beginning=self.beginning or self,
        )
        played = _with_fitting(_with_piece(played, color, ruling.cells, ruling.piece))
        return _with_turn(played, self._first_seat_after(ruling, played.seating))

    # -- turns

    @property
    def turn(self) -> int:
        """The number of the next placement, one more than were played; a skipped turn has none."""
        return len(self.moves) + 1

    @property
    def order(self) -> tuple[str | None, ...]:
        """The turn order, the starter first; None where it is not known yet who sits there."""
        return self.seating.colors

    @property
    def colors(self) -> tuple[str, ...]:
        """All colours in turn order, those whose seat is not known yet last."""
        seated = tuple(color for color in self.order if color)
        return (*seated, *(color for color in self.options.rules.colors if color not in seated))

    @property
    def on_turn(self) -> str | None:
        """The colour on turn; None when the game is over or it is not known yet which one it is."""
        return None if self.seat_on_turn is None else self.seating.colors[self.seat_on_turn]

    @property
    def may_play(self) -> tuple[str, ...]:
        """The colours of which one is on turn: one when it is known, several before, none when the game is over."""
        if self.on_turn:
            return (self.on_turn,)
        among = self.options.rules.colors if self.seat_on_turn is None else self.seating.unseated
        return tuple(color for color in among if self.legal_count(color))

    @property
    def is_over(self) -> bool:
        """Whether every colour is retired."""
        return len(self.retired) == len(self.hands)

    @property
    def looks_mirrored(self) -> bool:
        """Whether the first pieces of all four colours went round the corners counter-clockwise, as in a mirrored picture.

        Corners that people gave their colours themselves are no sign of it.
        """
        if self.options.start_cells:
            return False
        ring, starts = self.options.rings[0], dict[str, Cell]()
        for move in self.moves:
            covered = move.cells.intersection(ring)
            if covered:
                starts.setdefault(move.color, min(covered))
        return runs_backwards(ring, tuple(starts.values()))

    # -- what each colour may do

    def start_cells(self, color: str) -> Cells:
        """The cells one of which the colour's first piece must cover; none once it has a piece on the board."""
        return frozenset() if self.position.has(color) else self.seating.start_cells(color)

    def legal_set(self, color: str) -> PlacementSet:
        """The colour's legal placements if it is its turn, as a set of the board's placement table."""
        fitting = self.fitting[color]
        if self.seat_on_turn is None or self.on_turn or color not in self.seating.unseated:
            return fitting
        return fitting & _table(self).covering_any(self.seating.start_cells_of([self.seat_on_turn]))

    def legal_placements(self, color: str) -> tuple[Placement, ...]:
        """The colour's legal placements if it is its turn, in table order, each once; none for a retired colour."""
        return _table(self).listed(self.legal_set(color))

    def legal_count(self, color: str) -> int:
        """How many different legal placements the colour has.

        As long as two rings of start cells are possible, those of the one on which it has more: the board has one, whichever it is.
        """
        return self._on_one_ring(color, self.legal_set(color)).bit_count()

    def blocked_proof(self, color: str) -> BlockedProof:
        """How many placements of the colour's pieces exist on this board, and how many of them fit; counted as by `legal_count`."""
        return prove_blocked(color, self.left[color], self._on_one_ring(color, self.fitting[color]))

    def _on_one_ring(self, color: str, placements: PlacementSet) -> PlacementSet:
        """Of a first piece's placements those on one ring of start cells, the one with most of them."""
        if self.position.has(color) or len(self.seating.rings) < 2:
            return placements
        return max((placements & _table(self).covering_any(ring) for ring in self.seating.rings), key=int.bit_count)

    # -- people and results

    def mover(self, color: str) -> str:
        """The name of who moves this colour now; for a shared colour its players in rotation."""
        return mover(self.options, color, sum(owner == color for owner, _ in self.placed))

    @property
    def placed(self) -> tuple[tuple[str, Cells], ...]:
        """All pieces that lie on the board, as (colour, cells): those found and those played."""
        return (*self.found, *((move.color, move.cells) for move in self.moves))

    def color_score(self, color: str) -> ColorScore:
        """The result of one colour as the board lies."""
        has_bonus = self.options.rules.bonus and not self.hands[color]
        return color_score(self.squares_left[color], has_bonus=has_bonus, last_was_single=self._ended_with_single(color))

    def scores(self) -> Scores:
        """The result as the board lies; final when the game is over."""
        return final_scores(self.options, {color: self.color_score(color) for color in self.options.rules.colors})

    def _ended_with_single(self, color: str) -> bool | None:
        """Whether the last piece this colour put down was the single square, None when nobody saw which one it was."""
        if SINGLE_SQUARE not in self.options.sets[color]:
            return False
        last = next((move for move in reversed(self.moves) if move.color == color), None)
        return None if last is None else last.piece == SINGLE_SQUARE

    def _waited_for(self, color: str, cells: Cells) -> str:
        """Who is on turn, in words, when it is not this colour with these cells; else empty."""
        if self.seat_on_turn is None or color == self.on_turn:
            return ""
        if self.on_turn:
            return self.on_turn
        if color not in self.seating.unseated:
            return "a colour that has not played yet"
        here = self.seating.start_cells_of([self.seat_on_turn])
        elsewhere = self.seating.start_cells(color) - here
        return f"the colour that starts from {cells_text(here, self.options.rules.size)}" if cells & elsewhere and not cells & here else ""

    def _seating_after(self, ruling: Ruling) -> Seating:
        """The seats after a placement: a colour's first piece takes its seat and start cell."""
        if self.position.has(ruling.color) or ruling.color in self.retired:
            return self.seating
        return self.seating.claim(ruling.color, ruling.cells, self.seat_on_turn or 0)

    def _first_seat_after(self, ruling: Ruling, seating: Seating) -> int | None:
        """The seat to look at first for the next turn."""
        is_turn_unknown = self.seat_on_turn is None and not ruling.is_legal
        if ruling.color in self.retired or is_turn_unknown:
            return self.seat_on_turn
        return seating.seat_for(ruling.color, 0) + 1


def _with_piece(game: Game, color: str, cells: Cells, piece: str | None) -> Game:
    """The game with a piece on the board and out of the hand."""
    hands, left = game.hands, game.left
    if piece is not None and piece in hands[color]:
        hand = [*hands[color]]
        hand.remove(piece)
        hands = {**hands, color: tuple(hand)}
        left = {**left, color: _table(game).of_pieces(hand)}
    unused = {**game.squares_left, color: max(0, game.squares_left[color] - len(cells))}
    return replace(game, position=game.position.with_piece(color, cells), hands=hands, left=left, squares_left=unused)


def _with_fitting(game: Game) -> Game:
    """The game with each colour's fitting placements, and with those colours retired that are finished or have none."""
    retired, fitting = {**game.retired}, {}
    for color, hand in game.hands.items():
        fits = 0 if color in retired else legal_set(game.position, color, game.left[color], game.start_cells(color))
        fitting[color] = fits
        if not fits:
            retired.setdefault(color, "blocked" if hand else "finished")
    return replace(game, retired=retired, fitting=fitting)


def _with_turn(game: Game, first: int | None) -> Game:
    """The game with the first seat from `first` on that is not retired on turn; with None nobody knows whose turn it is."""
    if first is None or game.is_over:
        return replace(game, seat_on_turn=None, skipped=())
    colors = game.seating.colors
    seats = [(first + step) % len(colors) for step in range(len(colors))]
    passed = list(takewhile(lambda seat: _is_seat_retired(game, seat), seats))
    return replace(game, seat_on_turn=seats[len(passed)], skipped=tuple(color for seat in passed if (color := colors[seat])))


def _is_seat_retired(game: Game, seat: int) -> bool:
    """Whether the colour of a seat is retired; while it is not known, whether no newcomer fits on its start cell."""
    color = game.seating.colors[seat]
    if color is not None:
        return color in game.retired
    there = _table(game).covering_any(game.seating.start_cells_of([seat]))
    return not any(game.fitting[newcomer] & there for newcomer in game.seating.unseated)


def _piece_of(variant: Variant, cells: Cells) -> str | None:
    """The piece of the variant's set that the cells make, or None."""
    table = placement_table(variant.size)
    number = table.number.get(cells)
    name = identify(cells) if number is None else table.placements[number].piece
    return name if name in variant.pieces else None


def _table(game: Game) -> PlacementTable:
    return placement_table(game.options.rules.size)


def _start_cells_under(game: Game, color: str) -> int:
    """How many start cells the colour lies on; one that lies on a single one surely started there."""
    return len(game.position.squares(color) & {cell for ring in game.options.rings for cell in ring})
