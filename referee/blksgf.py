"""Reading `.blksgf` records, as Pentobi writes them. The format says nothing about legality, so the moves are judged here.

A record keeps the moves up to and with the first illegal one, a dispute. Text that cannot be read keeps the moves before it and says
why it ends there. Pieces set up (AB AW A1 A2 A3 A4 AE) make the position already reached, wherever they stand in the record.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from referee.blksgf_text import Node, decoded, main_line
from referee.cells import COLOR_LETTER, EMPTY, Cell, Cells, on_board
from referee.errors import OptionsError, RecordError
from referee.options import GameOptions
from referee.plain_text import plain_line, plain_lines
from referee.record import About, Input, Record, agreed, first_look, move, played
from referee.requests import RIM
from referee.variants import VARIANTS, Variant

GAME_NAMES = {
    "classic": "Blokus",
    "two_player": "Blokus Two-Player",
    "three_player": "Blokus Three-Player",
    "partners": "Blokus",
    "duo": "Blokus Duo",
    "junior": "Blokus Junior",
}
"""What the format calls each variant; it does not tell teams from four players alone."""

_VARIANT_OF = {title: name for name, title in GAME_NAMES.items() if name != "partners"}
_IDS = {2: ("B", "W"), 4: ("1", "2", "3", "4")}
_OLD_IDS = {2: (("1", "BLUE"), ("2", "GREEN")), 4: (("BLUE",), ("YELLOW",), ("RED",), ("GREEN",))}
_EVERY_ID = frozenset(("B", "W", "1", "2", "3", "4", "BLUE", "YELLOW", "RED", "GREEN"))
_SETUP_IDS = frozenset(("AB", "AW", "A1", "A2", "A3", "A4"))
_POINT = re.compile(r"\s*([A-Za-z]{1,2})([0-9]{1,3})\s*")
MOST_SETUPS = 100
"""Nodes that set up pieces; each is a new position to judge, and a record needs one."""

LONGEST_NAME = 60
"""Characters of a player's name; longer ones fit on no page."""

Piece = tuple[str, Cells]
"""A colour and the cells of its piece."""


def read_blksgf(data: bytes, given: Mapping[str, Any] | None = None) -> Record:
    """The record of a `.blksgf` file; `given` are options to use beside those the format fixes.

    Raises:
        RecordError: it is no record, one of another kind of game, or not even its first move can be read.
        OptionsError, UnknownNameError: `given` contradicts the record.
    """
    line = main_line(decoded(data))
    if not line.nodes:
        raise RecordError(line.damage or "it holds no game")
    options = _options(line.nodes[0], given or {})
    reader = _Moves(options)
    damage = line.damage
    for node in line.nodes:
        try:
            reader.take(node)
        except RecordError as error:
            damage = f"line {node.line}, after move {reader.move_count}: {error}"
            break
    return reader.record(_about(line.nodes[0]), damage)


def ids_of(rules: Variant) -> dict[str, str]:
    """The property that holds a colour's moves, by colour."""
    return dict(zip(rules.colors, _IDS[len(rules.colors)], strict=True))


# -- the root


def _options(root: Node, given: Mapping[str, Any]) -> GameOptions:
    if not root.text("GM"):
        raise RecordError("the first node does not name the game: GM[...] is missing")
    known = {name.lower(): variant for name, variant in _VARIANT_OF.items()}
    variant = known.get(" ".join(root.text("GM").split()).lower())
    if variant is None:
        raise RecordError(f"{root.text('GM')[:LONGEST_NAME]!r} is a game of another kind; refereed are {', '.join(_VARIANT_OF)}")
    if given.get("variant") == "partners" and variant == "classic":
        variant = "partners"
    if given.get("mirrored"):
        raise OptionsError("a .blksgf record is no picture and cannot be mirrored; leave --mirrored out")
    return agreed(GameOptions(variant=variant, starts="assigned", players=_players(root, VARIANTS[variant])), given)


def _players(root: Node, rules: Variant) -> tuple[str, ...]:
    """The players' names, made different where two are alike; none when the record names nobody."""
    seats = ("PB", "PW") if rules.people == 2 else ("P1", "P2", "P3", "P4")[: rules.people]
    names = [plain_line(root.text(seat))[:LONGEST_NAME] for seat in seats]
    if not any(names):
        return ()
    colors = [color.capitalize() for color in rules.colors]
    full = [name or color for name, color in zip(names, colors, strict=False)]
    return tuple(name if full.count(name) == 1 else f"{name} ({color})" for name, color in zip(full, colors, strict=False))


def _about(root: Node) -> About:
    event = ", ".join(filter(None, (plain_line(root.text("EV")), plain_line(root.text("RO")))))
    return About(plain_line(root.text("DT")), plain_line(root.text("PC")), event, plain_lines(root.text("C")))


# -- moves and positions


@dataclass(frozen=True)
class _Words:
    """How one variant's record names colours: by the properties of moves, of pieces set up, and of the side to move."""

    moves: Mapping[str, str]
    setups: Mapping[str, str]

    @staticmethod
    def of(rules: Variant) -> _Words:
        count = len(rules.colors)
        moves = {word: color for color, words in zip(rules.colors, _OLD_IDS[count], strict=True) for word in words}
        numbers = {f"A{number}": color for number, color in enumerate(rules.colors, 1)}
        letters = dict(zip(("AB", "AW"), rules.colors, strict=False)) if count == 2 else {}
        return _Words(moves | dict(zip(_IDS[count], rules.colors, strict=True)), numbers | letters)


class _Moves:
    """The inputs of a game, collected node after node.

    Attributes:
        move_count: how many moves were read.
    """

    def __init__(self, options: GameOptions) -> None:
        self.options, self.size = options, options.rules.size
        self.words = _Words.of(options.rules)
        self.inputs: list[Input] = [first_look(options)]
        self.pieces: list[Piece] = []
        self.move_count = self.setups = 0

    def record(self, about: About, damage: str) -> Record:
        """The record of all that was read."""
        return played(self.options, self.inputs, about, damage)

    def take(self, node: Node) -> None:
        """Read a node.

        Raises:
            RecordError: it makes no sense; nothing of it was taken.
        """
        if node.properties.keys() & (_SETUP_IDS | {"AE"}) or (node.text("PL") and not self.pieces):
            self._set_up(node)
        names = [name for name in node.properties if name in _EVERY_ID]
        if len(names) > 1:
            raise RecordError(f"{' and '.join(names)} stand in one node, which holds one move")
        for name in names:
            self._move(name, self._color(name, self.words.moves), node.properties[name])

    def _move(self, name: str, color: str, values: tuple[str, ...]) -> None:
        # Old records have one point a value.
        cells = self._cells(name, ",".join(values))
        if not any(on_board(cell, self.size) for cell in cells) or not all(-RIM <= place < self.size + RIM for place in chain(*cells)):
            raise RecordError(f"the piece of {color} lies outside the board: {','.join(values)[:LONGEST_NAME]}")
        self.inputs.append(move(color, cells))
        self.pieces.append((color, cells))
        self.move_count += 1

    def _color(self, name: str, words: Mapping[str, str]) -> str:
        if name not in words:
            raise RecordError(f"{name} is no colour of {GAME_NAMES[self.options.variant]}: those are {', '.join(words)}")
        return words[name]

    def _cells(self, name: str, value: str) -> Cells:
        if not value.strip():
            raise RecordError(f"{name} is empty: a turn that is skipped is not written at all")
        cells = [self._cell(point) for point in value.split(",")]
        if len(set(cells)) < len(cells):
            raise RecordError(f"{name} names a point twice: {value[:LONGEST_NAME]}")
        return frozenset(cells)

    def _cell(self, point: str) -> Cell:
        """The cell of a point, which may lie outside the board."""
        found = _POINT.fullmatch(point)
        if found is None:
            raise RecordError(f"{point.strip()[:LONGEST_NAME]!r} is no point; they are written like a1 or t20")
        col = 0
        for letter in found[1].lower():
            col = col * 26 + ord(letter) - ord("a") + 1
        return self.size - int(found[2]), col - 1

    def _set_up(self, node: Node) -> None:
        """Begin anew from the position reached, with pieces put on the board and taken off it."""
        self.setups += 1
        if self.setups > MOST_SETUPS:
            raise RecordError(f"more than {MOST_SETUPS} nodes set up pieces")
        pieces, next_color = [*self.pieces], self._on_turn()
        for name in sorted(node.properties.keys() & _SETUP_IDS):
            color = self._color(name, self.words.setups)
            pieces += [(color, self._cells(name, value)) for value in node.properties[name]]
        for value in node.properties.get("AE", ()):
            pieces.remove(self._piece_at(pieces, self._cells("AE", value)))
        if node.text("PL"):
            next_color = self._color(node.text("PL").upper(), self.words.moves)
        self.inputs = [first_look(self.options, self._grid(pieces), next_color)]
        self.pieces = pieces

    def _on_turn(self) -> str | None:
        """The colour on turn after the moves so far, None before the first.

        Raises:
            RecordError: one of them is illegal; a position built on it would hide that.
        """
        if not self.move_count:
            return None
        table = self.record(About(), "").table()
        if any(event.name == "dispute" for event in table.events):
            raise RecordError("pieces are set up after an illegal move")
        return table.on_turn()

    def _piece_at(self, pieces: list[Piece], cells: Cells) -> Piece:
        for piece in reversed(pieces):
            if piece[1] == cells:
                return piece
        raise RecordError("AE takes a piece away that is not there")

    def _grid(self, pieces: list[Piece]) -> list[str]:
        board: dict[Cell, str] = {}
        for color, cells in pieces:
            if not all(on_board(cell, self.size) for cell in cells):
                raise RecordError("a piece is set up outside the board")
            if cells & board.keys():
                raise RecordError("two pieces are set up on one cell")
            board |= dict.fromkeys(cells, COLOR_LETTER[color])
        return ["".join(board.get((row, col), EMPTY) for col in range(self.size)) for row in range(self.size)]
