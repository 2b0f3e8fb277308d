"""What judging gives: violations, the ruling on a placement, and the proof that a colour is blocked or is not."""

from __future__ import annotations

from dataclasses import dataclass

from referee.cells import Cells


@dataclass(frozen=True, slots=True)
class Violation:
    """One rule that a placement breaks.

    Attributes:
        kind: the rule's word.
        cells: the cells that break it; for a rule about the whole piece or the turn, all new squares.
        message: one plain English sentence.
    """

    kind: str
    cells: Cells
    message: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """The judgement of one placement.

    Attributes:
        color: whose squares they are.
        piece: the piece of this variant that the squares make, or None.
        cells: the new squares.
        violations: every rule it breaks, in the order of the rules' page; empty when legal.
    """

    color: str
    piece: str | None
    cells: Cells
    violations: tuple[Violation, ...]

    @property
    def is_legal(self) -> bool:
        """Whether it breaks no rule."""
        return not self.violations

    @property
    def kinds(self) -> tuple[str, ...]:
        """The words of the rules it breaks."""
        return tuple(violation.kind for violation in self.violations)

    @property
    def offending_cells(self) -> Cells:
        """All cells that break some rule."""
        return frozenset().union(*(violation.cells for violation in self.violations))

    @property
    def message(self) -> str:
        """The violations in words, or that it is legal; one sentence each."""
        if self.is_legal:
            return f"{self.color.capitalize()}'s {self.piece} is legal."
        return " ".join(violation.message for violation in self.violations)


@dataclass(frozen=True, slots=True)
class BlockedProof:
    """The answer to "this colour is blocked".

    Attributes:
        color: the colour asked about.
        tried: the placements tried: every piece left, in every orientation, at every place on the board.
        fitting: how many of them are legal.
    """

    color: str
    tried: int
    fitting: int

    @property
    def is_blocked(self) -> bool:
        """Whether pieces are left and none fits."""
        return self.tried > 0 and self.fitting == 0

    @property
    def message(self) -> str:
        """The answer in one sentence; it never says where a piece would fit."""
        name = self.color.capitalize()
        if not self.tried:
            return f"{name} has no pieces left."
        if self.is_blocked:
            return f"{name} is blocked: none of the {self.tried} placements of its pieces fits."
        return f"{name} is not blocked: {self.fitting} of {self.tried} placements fit."
