"""Open matters: disputes that the people settle, and questions that the camera or the people answer."""

from __future__ import annotations

from dataclasses import dataclass

from referee.cells import Cells
from referee.readings import Look, New, Reading


@dataclass(frozen=True)
class Dispute:
    """Something that is not as the rules want it.

    Attributes:
        id: its number; disputes and questions share one count.
        acts: the acts it is about: placed pieces, or one moved piece, or removed ones.
        odd: the cells that no piece explains, for such a dispute.
        is_cleared: many pieces were taken away at once, as when the board is put away.
        frame: the last frame read when it was opened.
        evidence: names of the pictures before and after.
    """

    id: int
    acts: tuple[int, ...] = ()
    odd: Look = ()
    is_cleared: bool = False
    frame: int | None = None
    evidence: tuple[str, str] | None = None


@dataclass(frozen=True)
class Choice:
    """One answer to a question.

    Attributes:
        reading: what would have happened.
        p: how likely it is.
        look: what would lie on the cells in question.
        label: the answer in words.
    """

    reading: Reading
    p: float
    look: Look = ()
    label: str = ""


@dataclass(frozen=True)
class Question:
    """Something the program is not sure of.

    Attributes:
        id: its number; disputes and questions share one count.
        about: "change": what happened on the board; "start": whether the pieces found are the position to start from;
            "mirror": whether the picture is a mirror image.
        choices: the answers, likeliest first.
        act: the number of the `asked` act that holds its place in the course, if any.
        frame: the last frame read when it was asked.
        evidence: names of the pictures before and after.
    """

    id: int
    about: str
    choices: tuple[Choice, ...]
    act: int | None = None
    frame: int | None = None
    evidence: tuple[str, str] | None = None

    @property
    def cells(self) -> Cells:
        """The cells in question."""
        return frozenset(cell for choice in self.choices for cell, _ in choice.look)

    @property
    def color(self) -> str | None:
        """The colour of the likeliest piece that may have come, None when it is about no such piece."""
        return next((item.color for choice in self.choices for item in choice.reading if isinstance(item, New)), None)
