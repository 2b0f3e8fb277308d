"""A table under a perfect camera: pieces are put down and taken away by name, and what the table tells is read as short lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from referee.cells import LETTER_COLOR, Cell
from referee.events import Event
from referee.sightings import Change, Sighting
from referee.table import Table
from tests.referee.boards import at, padded

ORDER = ("blue", "yellow", "red", "green")
FIRST_ROUND = ("blue a20 b20", "yellow t20 s20", "red t1 s1", "green a1 b1")


class Watched:
    """A table and the board that its camera sees."""

    def __init__(self, **options: Any) -> None:
        order = None if options.get("variant", "classic") != "classic" else list(ORDER)
        self.table = Table({"order": order, **options})
        self.size = self.table.options.rules.size
        self.board: dict[Cell, str] = {}
        self.table.start(["." * self.size] * self.size)

    def put(self, *pieces: str) -> list[str]:
        """Put pieces like `blue a20 b20` down, and look."""
        return self.swap(put=pieces)

    def take(self, *pieces: str) -> list[str]:
        """Take pieces away, and look."""
        return self.swap(take=pieces)

    def swap(self, *, take: Iterable[str] = (), put: Iterable[str] = ()) -> list[str]:
        """Take some pieces away and put others down before anybody looks."""
        self.touch(take=take, put=put)
        return self.look()

    def touch(self, *, take: Iterable[str] = (), put: Iterable[str] = ()) -> None:
        """Change the board without a look."""
        for piece in take:
            gone = at(piece.partition(" ")[2], self.size)
            assert gone <= self.board.keys(), piece
            self.board = {cell: color for cell, color in self.board.items() if cell not in gone}
        for piece in put:
            color, _, cells = piece.partition(" ")
            self.board = self.board | dict.fromkeys(at(cells, self.size), color)

    def look(self, *, unsure: str = "", frame: int | None = None) -> list[str]:
        """A sure look at the board as it lies."""
        return self.doubt((self.board, 1.0), unsure=unsure, frame=frame)

    def doubt(self, *boards: tuple[Mapping[Cell, str], float], unsure: str = "", frame: int | None = None) -> list[str]:
        """A look that may show one board or another, each with its probability."""
        standing = self.table.standing()
        candidates = tuple((Change.between(standing, board), p) for board, p in boards)
        hidden = at(unsure, self.size) if unsure else frozenset()
        return told(self.table.observe(Sighting(candidates, hidden, frame=frame)))

    def with_pieces(self, *pieces: str) -> dict[Cell, str]:
        """The board with further pieces on it; nothing is put down."""
        kept = self.board
        self.touch(put=pieces)
        more, self.board = self.board, kept
        return more

    def play(self, *pieces: str) -> Watched:
        """Legal placements, one look each."""
        for piece in pieces:
            lines = self.put(piece)
            assert lines[0].startswith("placement"), (piece, lines)
        return self

    def decide(self, decision: str, **values: Any) -> list[str]:
        """A decision of the people."""
        return told(self.table.decide({"decision": decision, **values}))

    def cells(self, names: str) -> list[list[int]]:
        """The cells of names like `a20 b20` as JSON."""
        return [list(cell) for cell in sorted(at(names, self.size))]

    def rulings(self) -> str:
        """The rulings of all placements, in order: `legal`, `illegal`, `let_stand`."""
        return " ".join(placement["ruling"] for placement in self.table.state()["placements"])

    def open(self) -> list[str]:
        """The open disputes and questions as lines."""
        state = self.table.state()
        disputes = [f"dispute {found['id']}: {' '.join(found['kinds'])}" for found in state["disputes"]]
        return disputes + [f"question {found['id']}" for found in state["questions"]]

    def agrees(self) -> bool:
        """Whether the table and the board are the same."""
        return dict(self.table.standing()) == self.board


def seen(picture: str, size: int = 20) -> dict[Cell, str]:
    """The board of a picture of its top left part."""
    rows = padded(picture, size)
    return {(row, col): LETTER_COLOR[letter] for row, line in enumerate(rows) for col, letter in enumerate(line) if letter in LETTER_COLOR}


def told(events: Iterable[Event]) -> list[str]:
    """Events as short lines."""
    return [_line(event) for event in events]


def _line(event: Event) -> str:
    fields = event.fields
    words = _WORDS.get(event.name)
    return f"{event.name} {words(fields)}".strip() if words else event.name


def _piece(fields: Mapping[str, Any] | None) -> str:
    return "nothing" if fields is None else f"{fields['color']} {fields['piece']}"


_WORDS: dict[str, Any] = {
    "placement": lambda f: f"{f['turn']} {_piece(f)}{' joint' if f['joint'] else ''}",
    "dispute": lambda f: f"{f['id']} {_piece(f)}: {' '.join(f['kinds'])}",
    "resolved": lambda f: f"{f['id']} {f['how']}",
    "question": lambda f: f"{f['id']}: {' / '.join(_piece(c) if c['color'] else c['label'] for c in f['candidates'])}",
    "answered": lambda f: f"{f['id']}: {f['choice']}",
    "corrected": lambda f: f"{f['turn']}: {_piece(f['was'])} -> {_piece(f['now'])} by {f['by']}",
    "rejudged": lambda f: f"{f['turn']}: {f['was']} -> {f['now']} {' '.join(f['kinds'])}".strip(),
    "skipped": lambda f: f["color"],
    "blocked": lambda f: f["color"],
    "unblocked": lambda f: f["color"],
    "finished": lambda f: f["color"],
    "turn": lambda f: f["color"],
    "missing": lambda f: f["color"],
    "reminder": lambda f: ", ".join(_piece(piece) for piece in f["pieces"]),
    "unfinished": lambda f: ",".join(f["can_move"]),
}


BLUE, YELLOW, RED, GREEN = "blue c19 d19 e19", "yellow r19 q19 p19", "red r2 q2 p2", "green c2 d2 e2"
SECOND_ROUND = (BLUE, YELLOW, RED, GREEN)
"""Legal second pieces, the straight threes."""

FOUL = "blue c20 c19 c18"
"""A second piece of blue that shares a side with its first."""

LATER = "blue f18"
"""A single square of blue that touches only BLUE by a corner."""


def disputed() -> Watched:
    """Blue has played a foul."""
    game = Watched().play(*FIRST_ROUND)
    game.put(FOUL)
    return game


def only(*names: str) -> list[str]:
    """The pieces that a set lacks when it has these only."""
    return [name for name in Watched().table.hands()["blue"] if name not in names]
