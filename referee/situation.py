"""The situation at the table: the course of the game, what is open, and what was last seen. Frozen; all else is worked out from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from referee.acts import Act
from referee.cells import Cell, Cells, on_board
from referee.judging import Course, Judged
from referee.matters import Dispute, Question
from referee.options import GameOptions
from referee.readings import Look


@dataclass(frozen=True)
class TableSettings:
    """When the table believes what it is told.

    Attributes:
        accept_p: the least probability of a reading that is taken without asking: whatever was ever taken wrongly on drawn games
            had less, and a question costs the people one look at the page.
        nothing_p: the same of the reading that nothing was done: a flicker is no question, and a piece that did come is seen again.
        accept_ratio: how many times likelier than the next reading it must be.
        least_p: readings less likely are not offered as answers.
        most_choices: how many answers a question offers; more are not read at a table.
        sweep_pieces: so many pieces gone at one look are the board being cleared, not so many faults.
        misread_p: how likely it is that the last piece was misread when squares beside it make it another piece, against a second
            piece put side by side with it, a fault that players hardly ever make.
        earlier_p: how likely it is that a missing piece seen late was put down in its turn, against later.
        largest_odd_piece: a block of more squares than this that two pieces explain is two pieces; foreign pieces of six exist.
    """

    accept_p: float = 0.9
    nothing_p: float = 0.7
    accept_ratio: float = 4.0
    least_p: float = 0.02
    most_choices: int = 5
    sweep_pieces: int = 3
    misread_p: float = 0.6
    earlier_p: float = 0.65
    largest_odd_piece: int = 6


@dataclass(frozen=True)
class Lying:
    """A piece of the game and where it lies.

    Attributes:
        number: the act that put it there.
        color: whose it is.
        cells: the cells of the board where it lies now; none when it was taken away.
        home: where it belongs: where it was ruled on.
        all_cells: where it lies, squares outside the board included.
    """

    number: int
    color: str
    cells: Cells
    home: Cells
    all_cells: Cells


@dataclass(frozen=True)
class Situation:
    """Everything the table knows.

    Attributes:
        options: what the people agreed on; a mirrored picture may change it.
        settings: when the table believes what it is told.
        acts: what was done, in order.
        record: the acts judged.
        disputes, questions: what is open, oldest first.
        seen: what the camera saw last on the occupied cells it took notice of. Where it differs from what should lie there, people
            have decided something and have not moved the pieces yet, or never will because the camera errs.
        dismissed: looks that people have said are not so.
        next_number: for the next act.
        next_id: for the next dispute or question.
        next_color: who was on turn at the start, when people said so.
        is_started: whether the board was seen or played on.
        ended: "abandoned", "unfinished" or None.
        is_mirror_asked: whether the people were asked about a mirrored picture.
        hows: how each dispute was closed, by its id.
        answers: the choice of each question that was closed, by its id; None when none was right.
    """

    options: GameOptions
    course: Course
    settings: TableSettings = TableSettings()
    acts: tuple[Act, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    questions: tuple[Question, ...] = ()
    seen: Mapping[Cell, str] = field(default_factory=dict)
    dismissed: tuple[Look, ...] = ()
    next_number: int = 1
    next_id: int = 1
    next_color: str | None = None
    is_started: bool = False
    ended: str | None = None
    is_mirror_asked: bool = False
    hows: Mapping[int, str] = field(default_factory=dict)
    answers: Mapping[int, int | None] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Rows and columns of the board."""
        return self.options.rules.size

    @cached_property
    def lying(self) -> tuple[Lying, ...]:
        """Every piece of the course that was not taken away for good, in the order they came to lie there: later ones on top."""
        pieces: dict[int, tuple[str, Cells, Cells]] = {}
        for act in self.acts:
            if act.is_piece:
                pieces[act.number] = (act.color, act.cells, act.cells)
            elif act.subject in pieces and act.what == "moved":
                color, home, _ = pieces.pop(act.subject)
                pieces[act.subject] = (color, act.cells if act.stands else home, act.cells)
            elif act.subject in pieces and act.what == "removed":
                color, home, _ = pieces.pop(act.subject)
                if not act.stands:
                    pieces[act.subject] = (color, home, frozenset())
        return tuple(Lying(number, color, self._visible(cells), home, cells) for number, (color, home, cells) in pieces.items())

    @cached_property
    def standing(self) -> Mapping[Cell, str]:
        """What should lie on the board now, disputed pieces and unexplained squares included."""
        board = {cell: piece.color for piece in self.lying for cell in piece.cells}
        for dispute in self.disputes:
            for cell, color in dispute.odd:
                if color is None:
                    board.pop(cell, None)
                else:
                    board[cell] = color
        return board

    @property
    def disputed(self) -> frozenset[int]:
        """The numbers of the acts that a dispute is about."""
        return frozenset(number for dispute in self.disputes for number in dispute.acts)

    def act(self, number: int | None) -> Act | None:
        """The act of that number, None when there is none."""
        return next((act for act in self.acts if act.number == number), None)

    @property
    def last_piece(self) -> Judged | None:
        """The last placement as long as nobody has done anything after it."""
        last = self.course.judged[-1] if self.course.judged else None
        return last if last is not None and last.act.what == "placed" else None

    def _visible(self, cells: Cells) -> Cells:
        return frozenset(cell for cell in cells if on_board(cell, self.size))
