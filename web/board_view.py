"""What the board's picture shows, worked out from the state: pieces, marks, labels. No HTML here and no rules."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.cells import LETTER_COLOR, Cell, Cells, components
from referee.events import listed_cells
from web.outlines import grooves, outline, squares_of
from web.spoken import piece_words
from web.translating import ntr, tr

State = Mapping[str, Any]
"""The JSON state of `web.live.LiveGame.state`."""


@dataclass(frozen=True)
class PieceView:
    """One piece as drawn: outline, squares for its pattern, and grooves as SVG path data.

    ``mark`` is one of '', 'last', 'disputed', 'let_stand', 'loose'.
    """

    turn: int | None
    color: str
    piece: str | None
    path: str
    squares: str
    grooves: str
    mark: str
    label: str


@dataclass(frozen=True)
class BoardView:
    """The board as drawn.

    Attributes:
        size: rows and columns.
        pieces: what lies on it, in the order it is drawn.
        offending: the squares that break a rule, one by one.
        ghosts: colour and outline of where moved or removed pieces lay.
        starts: the starting cells that a first piece may still take.
        was: pieces that were moved or taken away since, where they were put down.
        label: one sentence for people who do not see it.
    """

    size: int
    pieces: tuple[PieceView, ...]
    offending: tuple[Cell, ...]
    ghosts: tuple[tuple[str, str], ...]
    starts: tuple[Cell, ...]
    label: str
    was: tuple[PieceView, ...] = ()

    @property
    def columns(self) -> list[str]:
        """Column letters, left to right."""
        return [chr(ord("a") + col) for col in range(self.size)]

    @property
    def grid_path(self) -> str:
        """SVG path data of the lines between the squares."""
        lines = range(1, self.size)
        return "".join(f"M{i} 0v{self.size}M0 {i}h{self.size}" for i in lines)


def board_view(state: State) -> BoardView:
    """Draw the state's board. A square that neither a move nor a dispute explains is drawn all the same, as ``loose``."""
    standing = _standing(state["grid"])
    starts = _free_starts(state, standing)
    pieces = [*_placed(state, standing), *_disputed(state, standing)]
    pieces += [_piece(None, color, None, cells, "loose") for color in sorted(set(standing.values())) for cells in _groups(standing, color)]
    disputes = state.get("disputes", ())
    offending = sorted({cell for dispute in disputes for cell in listed_cells(dispute.get("offending_cells"))})
    ghosts = [(d["color"], outline(listed_cells(d.get("from_cells")))) for d in disputes if d.get("from_cells") and d.get("color")]
    size = int(state["size"])
    return BoardView(size, tuple(pieces), tuple(offending), tuple(ghosts), starts, _describe(state), _was(state))


def _was(state: State) -> tuple[PieceView, ...]:
    """The pieces that do not lie any more where they were put down, as they lay then."""
    moved = [move for move in state.get("placements", ()) if move.get("home") not in (None, move["cells"])]
    return tuple(_piece(move["turn"], move["color"], move.get("piece"), listed_cells(move["home"]), "") for move in moved)


def _free_starts(state: State, standing: Mapping[Cell, str]) -> tuple[Cell, ...]:
    """The starting cells that some colour's first piece may still take."""
    wanted = {cell for facts in state["colors"].values() for cell in listed_cells(facts.get("start_cells"))}
    return tuple(sorted(wanted - standing.keys()))


def _standing(grid: Sequence[str]) -> dict[Cell, str]:
    """The colours on the board by cell; ``?`` and empty left out."""
    return {(row, col): LETTER_COLOR[letter] for row, line in enumerate(grid) for col, letter in enumerate(line) if letter in LETTER_COLOR}


def _placed(state: State, standing: dict[Cell, str]) -> list[PieceView]:
    """The pieces of the moves; their squares are taken out of ``standing``. A move whose piece has gone is not drawn."""
    placements = state.get("placements", ())
    # While people look at a dispute, nothing else asks for their eyes.
    last = placements[-1] if placements and not state.get("disputes") else None
    drawn = []
    for move in placements:
        cells = [cell for cell in listed_cells(move["cells"]) if standing.pop(cell, None)]
        if cells:
            drawn.append(_piece(move["turn"], move["color"], move.get("piece"), cells, _mark(move, move is last)))
    return drawn


def _mark(move: Mapping[str, Any], last: bool) -> str:
    if move.get("dispute") is not None:
        return "disputed"
    return "last" if last else "let_stand" if move.get("ruling") == "let_stand" else ""


def _disputed(state: State, standing: dict[Cell, str]) -> list[PieceView]:
    """Squares of open disputes that no move has claimed."""
    drawn = []
    for dispute in state.get("disputes", ()):
        by_color: dict[str, list[Cell]] = {}
        for cell in sorted(listed_cells(dispute.get("cells"))):
            if (color := standing.pop(cell, None)) is not None:
                by_color.setdefault(color, []).append(cell)
        drawn += [_piece(None, color, dispute.get("piece"), cells, "disputed") for color, cells in by_color.items()]
    return drawn


def _groups(standing: Mapping[Cell, str], color: str) -> tuple[Cells, ...]:
    return components(cell for cell, there in standing.items() if there == color)


def drawn_piece(color: str, piece: str | None, cells: Collection[Cell]) -> PieceView:
    """One piece by itself, as it is looked at just now."""
    return _piece(None, color, piece, cells, "last")


def _piece(turn: int | None, color: str, piece: str | None, cells: Collection[Cell], mark: str) -> PieceView:
    what = piece_words(color, piece, len(cells))
    label = tr("Turn {turn}: {piece}").format(turn=turn, piece=what) if turn is not None else what
    return PieceView(turn, color, piece, outline(cells), squares_of(cells), grooves(cells), mark, label)


def _describe(state: State) -> str:
    """One sentence for people who do not see the picture."""
    placements = state.get("placements", ())
    board = tr("Board of {size} by {size} squares").format(size=state["size"])
    if not placements:
        return tr("{board}, no piece placed yet").format(board=board)
    last = placements[-1]
    what = piece_words(last["color"], last.get("piece"), len(last["cells"]))
    placed = ntr("{n} piece placed, the last one {piece}", "{n} pieces placed, the last one {piece}", len(placements))
    return f"{board}, {placed.format(n=len(placements), piece=what)}"
