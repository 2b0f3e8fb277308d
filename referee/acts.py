"""What was done at the table, one act after the other: the course of the game, from which all else is worked out.

Acts are never judged here. To undo one is to leave it out and to judge the others again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from referee.cells import Cells

What = Literal["found", "placed", "asked", "vacant", "moved", "removed", "turn", "open"]
"""The kinds of acts:

- found: a piece that lay on the board when it was first seen;
- placed: a piece was put down;
- asked: a piece was put down, but which one is still asked; `cells` is the likeliest;
- vacant: a placement was here and was undone after others had played: its turn is gone, but its owner may still make up for it;
- moved: the piece of act `subject` was shifted to `cells`;
- removed: the piece of act `subject` was taken away;
- turn: people said that `color` is on turn;
- open: pieces came at once that may have been put down in several orders, so that nobody knows whose turn it is; `color` is nobody's.
"""


@dataclass(frozen=True, slots=True)
class Act:
    """One act.

    Attributes:
        number: its name; never used twice in a game, not even after an undo.
        what: its kind.
        color: whose piece, or who is on turn.
        cells: where the piece came to lie; some may lie outside the board.
        subject: for moved and removed, the number of the act that put the piece there.
        stands: people let it stand whatever the rules say of it.
        joint: it came together with others since the last clear view, all legal.
        is_final: others have played since, even if they took it back; its owner may not change it any more.
        group: shared by several pieces that came at once and not all legally.
        frame: the last frame read when it was seen.
        evidence: names of the pictures before and after.
    """

    number: int
    what: What
    color: str
    cells: Cells = frozenset()
    subject: int | None = None
    stands: bool = False
    joint: bool = False
    is_final: bool = False
    group: int | None = None
    frame: int | None = None
    evidence: tuple[str, str] | None = None

    @property
    def is_piece(self) -> bool:
        """Whether it put a known piece on the board."""
        return self.what in ("found", "placed")

    @property
    def has_turn(self) -> bool:
        """Whether it counts in the numbering of turns."""
        return self.what in ("found", "placed", "asked")
