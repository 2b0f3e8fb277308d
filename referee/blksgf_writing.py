"""Writing `.blksgf` records that Pentobi opens.

The format holds colours and pieces; all else goes into comments: rulings, what the people decided, squares that are no piece, and how
the board was turned or colours renamed where the game started from other corners than the format's.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.blksgf import GAME_NAMES, ids_of
from referee.blksgf_text import written
from referee.blksgf_turning import Turning, turning_for
from referee.cells import Cell, Cells, cell_name, cells_text, on_board
from referee.events import Event, joined, kinds_words, listed_cells
from referee.options import GameOptions
from referee.people import mover
from referee.pieces import identify
from referee.record import About, Record
from referee.table import Table

Property = tuple[str, Sequence[str]]
"""The name of a property and its values."""

_TOLD = ("dispute", "resolved", "corrected", "rejudged", "turn", "missing", "abandoned", "answered")
"""The events that are no part of a plain game and go into comments."""


@dataclass(frozen=True)
class _Put:
    """A piece of the game: whose, where it counts, and what is said about it."""

    turn: int
    color: str
    cells: Cells
    is_found: bool
    ruling: str
    kinds: tuple[str, ...]


def write_blksgf(record: Record, application: str = "") -> str:
    """The text of a record in the `.blksgf` format, to be saved as UTF-8.

    Args:
        record: the recorded game.
        application: name and version of the program that writes it, like `name:1.0`.

    Raises:
        RecordError: the record cannot be replayed.
    """
    table = record.table()
    puts = list(_puts(table))
    turning = _turning(table, puts)
    set_up, played = _parted(puts, turning)
    comments = _comments(table, puts)
    writer = _Writer(table.options, turning)
    setup = writer.setup(set_up, played, table)
    nodes = [writer.node(put, comments.pop(put.turn, [])) for put in played]
    left = [line for turn in sorted(comments) for line in comments[turn]]
    damage = [f"The game was recorded no further: {record.damage}."] if record.damage else []
    notes = [*_house_rules(table.options), *turning.notes(), *writer.notes, *left, *damage]
    return written([_root(table.options, turning, record.about, notes, application) + setup, *nodes])


# -- what there is to write


def _puts(table: Table) -> Iterator[_Put]:
    """The pieces that count, in order; those taken away for good are left out."""
    for placement in table.state()["placements"]:
        cells = placement["cells"] or (placement["home"] if placement["dispute"] else [])
        if cells:
            kinds = tuple(placement["kinds"])
            yield _Put(placement["turn"], placement["color"], listed_cells(cells), placement["found"], placement["ruling"], kinds)


def _turning(table: Table, puts: Sequence[_Put]) -> Turning:
    rules = table.options.rules
    starts: dict[str, Cell] = {}
    marks = {cell for ring in rules.rings for cell in ring}
    for put in puts:
        covered = sorted(put.cells & marks - {*starts.values()})
        if put.color not in {other.color for other in puts[: puts.index(put)]} and covered:
            starts[put.color] = covered[0]
    return turning_for(rules, table.state()["order"], starts)


def _parted(puts: Sequence[_Put], turning: Turning) -> tuple[Sequence[_Put], Sequence[_Put]]:
    """The pieces that are set up, and those that are played after them."""
    colors = [put.color for put in puts]
    last_first = max((colors.index(color) + 1 for color in colors), default=0)
    found = sum(put.is_found for put in puts)
    count = found if turning.is_fitting else max(found, last_first)
    return puts[:count], puts[count:]


def _comments(table: Table, puts: Sequence[_Put]) -> dict[int, list[str]]:
    """What is to be said with each turn; what was said before the first one is at 0."""
    comments: dict[int, list[str]] = defaultdict(list)
    of_dispute: dict[int, int] = {}
    turn, last = 0, max((put.turn for put in puts), default=0)
    for event in table.events:
        if event.name == "placement":
            turn = min(event.fields["turn"], last)
        elif event.name in _TOLD:
            number = event.fields.get("id", 0)
            if event.name == "dispute":
                of_dispute[number] = _turn_of(event, puts, turn)
            comments[of_dispute.get(number, turn)].append(event.sentence)
    return comments


def _turn_of(event: Event, puts: Sequence[_Put], turn: int) -> int:
    """The turn that a dispute is about: that of the piece when it stayed, else the one before."""
    cells = listed_cells(event.fields["cells"])
    about = (put.turn for put in puts if (put.color, put.cells) == (event.fields["color"], cells) and put.ruling != "legal")
    return next(about, turn)


# -- the root


def _root(options: GameOptions, turning: Turning, about: About, notes: Sequence[str], application: str) -> list[Property]:
    said = about.comment.splitlines()
    comment = "\n".join([*said, *(note for note in notes if note not in said)])
    texts = [
        ("GM", GAME_NAMES[options.variant]),
        ("CA", "UTF-8"),
        ("AP", application),
        ("DT", about.date),
        ("PC", about.place),
        ("EV", about.event),
        *_names(options, turning),
        ("C", comment),
    ]
    return [(name, [text]) for name, text in texts if text]


def _names(options: GameOptions, turning: Turning) -> Iterator[tuple[str, str]]:
    """The players' names, where some were given; the two of a game for two are its black and white."""
    if not options.players:
        return
    was = {name: color for color, name in turning.names.items()}
    colors = [was[name] for name in options.rules.colors if was[name] != options.shared_used]
    people = [mover(options, color, 0) for color in colors]
    if options.rules.people == 2:
        yield from (("PB", people[0]), ("PW", people[1]))
    else:
        yield from ((f"P{number}", name) for number, name in enumerate(people, 1))


def _house_rules(options: GameOptions) -> Iterator[str]:
    """What was agreed on that the format cannot say and its usual game does not have."""
    if options.variant == "partners":
        yield "Played in teams: blue and red, yellow and green."
    if options.scoring_used != options.rules.scoring:
        yield f"Scoring: {options.scoring_used}."
    if options.shared_used not in (None, options.rules.shared):
        yield f"The shared colour is {options.shared_used}."
    if options.starts == "free":
        yield "Each colour could start from any free start cell."
    for color, names in sorted(options.missing.items()):
        if names:
            yield f"{color.capitalize()}'s set lacks {joined([*names])}."


# -- moves


class _Writer:
    """Turns pieces into nodes.

    Attributes:
        notes: what could not be set up, in sentences.
    """

    def __init__(self, options: GameOptions, turning: Turning) -> None:
        self.rules, self.turning = options.rules, turning
        self.ids = ids_of(options.rules)
        self.left = {color: Counter(options.rules.pieces) for color in options.rules.colors}
        self.notes: list[str] = []

    def node(self, put: _Put, said: Sequence[str]) -> list[Property]:
        """The node of a piece that was played, with comments; one that the format cannot hold is a comment alone."""
        comment = [*said, *self._verdict(put)] if put.ruling != "legal" else [*said]
        moves = [(self.ids[self._name(put)], [self._move(put)])] if self._takes(put) else []
        if not moves:
            comment.append(self._unwritten(put))
        return [*moves, *([("C", ["\n".join(comment)])] if comment else [])]

    def setup(self, puts: Sequence[_Put], played: Sequence[_Put], table: Table) -> list[Property]:
        """The properties of the position that the record begins with."""
        values: dict[str, list[str]] = defaultdict(list)
        covered = Cells()
        for put in puts:
            # A position has one piece a cell; which of two lies on top it cannot say.
            if not put.cells & covered and self._takes(put):
                covered |= put.cells
                values[self._setup_id(put)].append(self._move(put))
            else:
                self.notes.append(self._unwritten(put))
        on_turn = played[0].color if played else table.on_turn()
        to_move = [("PL", [self.ids[self.turning.names[on_turn]]])] if puts and on_turn else []
        return [*sorted(values.items()), *to_move]

    def _name(self, put: _Put) -> str:
        return self.turning.names[put.color]

    def _setup_id(self, put: _Put) -> str:
        return f"A{self.ids[self._name(put)]}"

    def _takes(self, put: _Put) -> bool:
        """Whether the format can hold the piece: one of the colour's set that is left, on the board; it is then used up."""
        piece = identify(put.cells)
        left = self.left[self._name(put)]
        if piece is None or not left[piece] or not all(on_board(cell, self.rules.size) for cell in put.cells):
            return False
        left[piece] -= 1
        return True

    def _move(self, put: _Put) -> str:
        """The points of a piece, rows from the bottom, then columns."""
        size = self.rules.size
        points = sorted((size - row, col, cell_name((row, col), size)) for row, col in self.turning.cells(put.cells))
        return ",".join(name for _, _, name in points)

    def _verdict(self, put: _Put) -> Iterator[str]:
        if put.ruling == "let_stand":
            yield f"Turn {put.turn} is let stand by the table's own decision: {kinds_words(put.kinds)}."
        elif put.ruling == "illegal":
            yield f"Turn {put.turn} is disputed: {kinds_words(put.kinds)}."

    def _unwritten(self, put: _Put) -> str:
        where = cells_text(put.cells, self.rules.size)
        return f"Not written as a move, for the format holds none like it: turn {put.turn}, {put.color} at {where}."
