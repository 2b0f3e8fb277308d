"""The result as far as one picture of a board tells it: a picture has no history, and some of its cells may not be told.

Unused squares are counted from the colours' squares on the board, so that they hold whatever pieces these make. Cells that were
not told (`?`) may be any colour's, which gives a least and a most. All pieces placed is "15 or 20": the picture does not tell which
came last. What a colour may still play is called certain only when it holds whatever lies on those cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from referee.cells import COLOR_LETTER, UNSURE, Cell, Cells, components, corner_neighbors, on_board, side_neighbors
from referee.legality import legal_set
from referee.options import GameOptions
from referee.people import mover
from referee.pieces import SINGLE_SQUARE, identify, in_piece_order, squares_of
from referee.placements import PlacementSet, placement_table
from referee.position import Position
from referee.scoring import ColorScore, Span, color_score, final_scores
from referee.tally import ColorLine, GameState, Play, Tally


def tally_of_grid(options: GameOptions, grid: Sequence[str], faults: Sequence[str] = ()) -> Tally:
    """How the game stands on a board, one string a row: colours' letters, `.` empty, `?` not told.

    `faults` are the rules that the picture proves broken, in sentences.

    Raises:
        BoardTextError: rows of another length than their number, or a letter that is no colour's.
    """
    board = _Board(options, tuple(grid))
    lines = tuple(board.line(color) for color in options.order_used or options.rules.colors)
    scores = final_scores(options, {line.color: line.score for line in lines})
    plays = {line.play for line in lines}
    state: GameState = "unfinished" if "can move" in plays else "unknown" if "unknown" in plays else "over"
    return Tally(options, state, lines, scores, faults=tuple(faults), remarks=board.remarks)


@dataclass(frozen=True)
class _Board:
    """One grid being counted."""

    options: GameOptions
    grid: tuple[str, ...]

    @cached_property
    def position(self) -> Position:
        return Position.from_text(self.grid)

    @cached_property
    def unsure(self) -> Cells:
        return frozenset((row, col) for row, line in enumerate(self.grid) for col, letter in enumerate(line) if letter == UNSURE)

    @property
    def remarks(self) -> tuple[str, ...]:
        if not self.unsure:
            return ()
        number = len(self.unsure)
        words = "1 square could" if number == 1 else f"{number} squares could"
        return (f"{words} not be told: what is counted may be that much more for one colour.",)

    def line(self, color: str) -> ColorLine:
        """One colour as far as the board tells."""
        groups = components(
            (row, col) for row, line in enumerate(self.grid) for col, letter in enumerate(line) if letter == COLOR_LETTER[color]
        )
        names = [identify(group) for group in groups]
        hand = Counter(self.options.sets[color]) - Counter(name for name in names if name)
        left = in_piece_order(hand.elements())
        score = self._score(color, groups, left)
        is_sure = not self.unsure and not any(map(self._is_in_doubt, groups))
        play = self._play(color, groups, left, score)
        ways = self._certain(color, left).bit_count() if is_sure and play == "can move" else 0
        return ColorLine(color, mover(self.options, color, len(groups)), left, is_sure, score, play, ways)

    def _score(self, color: str, groups: Sequence[Cells], left: Sequence[str]) -> ColorScore:
        own_set = self.options.sets[color]
        most = max(0, squares_of(own_set) - sum(map(len, groups)))
        unused = Span(max(0, most - len(self.unsure)), most)
        # Pieces left though no square is: something lies there twice, unless what lies there is in doubt.
        is_all_placed = not left or bool(self.unsure) or any(map(self._is_in_doubt, groups))
        last_was_single = None if SINGLE_SQUARE in own_set else False
        return color_score(unused, has_bonus=self.options.rules.bonus and is_all_placed, last_was_single=last_was_single)

    def _play(self, color: str, groups: Sequence[Cells], left: Sequence[str], score: ColorScore) -> Play:
        """Whether the colour may play on: certain only when no reading of the cells in doubt says otherwise."""
        if score.squares_left.high == 0:
            return "finished"
        if not self._possible(color, groups):
            return "blocked"
        hidden = len(self.unsure) + sum(len(group) for group in groups if self._is_in_doubt(group))
        certain = self._certain(color, left)
        pieces = {piece for piece in set(left) if certain & placement_table(len(self.grid)).of_piece[piece]}
        return "can move" if squares_of(pieces) > hidden else "unknown"

    def _is_in_doubt(self, group: Cells) -> bool:
        """Whether a group may be something else than the one piece that it looks like."""
        return identify(group) not in self.options.rules.pieces or any(side_neighbors(cell) & self.unsure for cell in group)

    def _possible(self, color: str, groups: Sequence[Cells]) -> PlacementSet:
        """The placements that break no rule of piece and place under some reading of the cells in doubt: empty, or the colour's own."""
        table = placement_table(len(self.grid))
        sure = Counter(identify(group) for group in groups if not self._is_in_doubt(group))
        hand = Counter(self.options.sets[color]) - Counter({name: number for name, number in sure.items() if name})
        clear = table.of_pieces(hand) & self.position.clear & self.position.reach(color).apart
        beside = table.covering_any(near for cell in self.unsure for near in corner_neighbors(cell))
        return clear & (beside | self.position.reach(color).touching | table.covering_any(self._starts(color)))

    def _certain(self, color: str, left: Sequence[str]) -> PlacementSet:
        """The placements that are legal whatever lies on the cells in doubt: they neither cover one nor lie beside one."""
        table, size = placement_table(len(self.grid)), len(self.grid)
        if self.unsure and not self.position.has(color):
            return 0  # it may have started under one of them
        allowed = legal_set(self.position, color, table.of_pieces(left), self._starts(color))
        for row, col in {near for cell in self.unsure for near in {cell} | side_neighbors(cell) if on_board(near, size)}:
            allowed &= table.avoiding[row * size + col]
        return allowed

    def _starts(self, color: str) -> frozenset[Cell]:
        """The start cells open to a colour with nothing on the board: a picture does not tell which way the board lies."""
        if self.position.has(color):
            return frozenset()
        return frozenset(cell for ring in self.options.rings for cell in ring if cell not in self.position.cells)
