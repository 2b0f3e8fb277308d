"""A change to the situation in the making: acts are added, altered and left out, matters opened and closed, then all is judged anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from referee.acts import Act, What
from referee.cells import Cell, Cells
from referee.judging import judge_acts
from referee.matters import Choice, Dispute, Question
from referee.options import GameOptions
from referee.readings import Look
from referee.situation import Situation


@dataclass(frozen=True)
class When:
    """When and on what evidence something was decided; all None for what people decide."""

    frame: int | None = None
    seen_frame: int | None = None
    time_s: float | None = None
    evidence: tuple[str, str] | None = None


class Draft:
    """One change.

    Attributes:
        before: the situation before it.
        now: the situation as far as it has got; its record and disputes are stale until `settle`.
        when: when it is decided.
        by: "camera" or "person".
        hows: how each dispute was closed, by its id.
        answers: the choice of each question that was closed, by its id; None when none was right.
        passed: colours whose turn was given up by letting a placement stand.
    """

    def __init__(self, before: Situation, when: When | None = None, *, by: str = "camera") -> None:
        self.before = self.now = before
        self.when = when or When()
        self.by = by
        self.hows: dict[int, str] = {}
        self.answers: dict[int, int | None] = {}
        self.passed: tuple[str, ...] = ()

    # -- acts

    def add(self, what: What, color: str, cells: Cells = frozenset(), *, at: int | None = None, **fields: Any) -> Act:
        """Add an act, at the end or before the one at place `at` in the course."""
        act = Act(self.now.next_number, what, color, cells, frame=self.when.frame, evidence=self.when.evidence, **fields)
        place = len(self.now.acts) if at is None else at
        acts = (*self.now.acts[:place], act, *self.now.acts[place:])
        self.now = replace(self.now, acts=acts, next_number=act.number + 1, is_started=True)
        return act

    def place_of(self, number: int) -> int:
        """The place of an act in the course, the end when it is not there."""
        return next((place for place, act in enumerate(self.now.acts) if act.number == number), len(self.now.acts))

    def alter(self, number: int, **fields: Any) -> None:
        """Change fields of an act."""
        self._with_acts(replace(act, **fields) if act.number == number else act for act in self.now.acts)

    def leave_out(self, number: int, *, is_turn_kept: bool = False) -> None:
        """Take an act out of the course, with all that was done to its piece.

        With `is_turn_kept` the turn stays used when others have played since; its owner may make up for it.
        """
        if is_turn_kept and self.has_later_piece(number):
            place = self.place_of(number)
            self.add("vacant", self.now.acts[place].color, at=place)
        self._with_acts(act for act in self.now.acts if number not in (act.number, act.subject))

    def take_back(self, number: int) -> None:
        """Take a piece out of the course because its owner took it back; the one before it may not be taken back as well."""
        earlier = [act for act in self.now.acts[: self.place_of(number)] if act.is_piece]
        self.leave_out(number, is_turn_kept=True)
        if earlier:
            self.alter(earlier[-1].number, is_final=True)

    def has_later_piece(self, number: int) -> bool:
        """Whether a piece was put down after the act and those that came with it."""
        act = self.now.act(number)
        group = act.group if act else None
        return any(later.has_turn and (group is None or later.group != group) for later in self.now.acts[self.place_of(number) + 1 :])

    def _with_acts(self, acts: Iterable[Act]) -> None:
        self.now = replace(self.now, acts=tuple(acts))

    # -- matters

    def dispute(self, acts: Iterable[int] = (), *, odd: Look = (), is_cleared: bool = False) -> Dispute:
        """Open a dispute."""
        opened = Dispute(self.now.next_id, tuple(acts), odd, is_cleared, self.when.frame, self.when.evidence)
        self.now = replace(self.now, disputes=(*self.now.disputes, opened), next_id=opened.id + 1)
        return opened

    def extend(self, dispute_id: int, acts: Iterable[int]) -> None:
        """Let a dispute be about more acts."""
        more = tuple(acts)
        disputes = (replace(other, acts=(*other.acts, *more)) if other.id == dispute_id else other for other in self.now.disputes)
        self.now = replace(self.now, disputes=tuple(disputes))

    def close(self, dispute_id: int, how: str) -> None:
        """Close a dispute; the acts it is about stay as they are."""
        self.hows[dispute_id] = how
        disputes = tuple(dispute for dispute in self.now.disputes if dispute.id != dispute_id)
        self.now = replace(self.now, disputes=disputes, hows={**self.now.hows, dispute_id: how})

    def dispute_about(self, number: int) -> Dispute | None:
        """The open dispute about an act, if any."""
        return next((dispute for dispute in self.now.disputes if number in dispute.acts), None)

    def ask(self, about: str, choices: Iterable[Choice], act: int | None = None) -> Question:
        """Ask a question."""
        asked = Question(self.now.next_id, about, tuple(choices), act, self.when.frame, self.when.evidence)
        self.now = replace(self.now, questions=(*self.now.questions, asked), next_id=asked.id + 1)
        return asked

    def answer(self, question: Question, choice: int | None) -> None:
        """Close a question; what follows from the answer is for the caller to do."""
        self.answers[question.id] = choice
        questions = tuple(other for other in self.now.questions if other.id != question.id)
        self.now = replace(self.now, questions=questions, answers={**self.now.answers, question.id: choice})

    # -- the rest

    def see(self, cells: Iterable[Cell], board: Mapping[Cell, str]) -> None:
        """Take notice of what the camera saw on some cells."""
        seen = dict(self.now.seen)
        for cell in cells:
            seen.pop(cell, None)
            if cell in board:
                seen[cell] = board[cell]
        self.now = replace(self.now, seen=seen)

    def dismiss(self, looks: Iterable[Look]) -> None:
        """Remember looks that people have said are not so."""
        self.now = replace(self.now, dismissed=(*self.now.dismissed, *(look for look in looks if look)))

    def with_options(self, options: GameOptions) -> None:
        """Change what was agreed on."""
        self.now = replace(self.now, options=options)

    def update(self, **fields: Any) -> None:
        """Change other fields of the situation."""
        self.now = replace(self.now, **fields)

    def settle(self, how: str = "undo") -> Situation:
        """Judge the course anew, close the disputes that have lost their reason (with `how`) and open those that have one."""
        self._part_lone_pieces()
        now = self.now
        course = judge_acts(now.options, now.acts, now.next_color, now.course)
        self.now = replace(now, course=course)
        illegal = {item.act.number for item in course.judged if item.verdict == "illegal"}
        faults = {act.number for act in now.acts if act.what in ("moved", "removed") and not act.stands}
        self._close_all(lambda dispute: not (dispute.odd or illegal.union(faults) & {*dispute.acts}), how)
        self.now = replace(self.now, disputes=tuple(_only_about(dispute, illegal | faults) for dispute in self.now.disputes))
        self._open_all(illegal | faults)
        return self.now

    def _part_lone_pieces(self) -> None:
        """Let a piece be judged for itself when no other is left of those that came with it."""
        groups = Counter(act.group for act in self.now.acts if act.group is not None)
        if 1 in groups.values():
            lone = {group for group, count in groups.items() if count == 1}
            self._with_acts(replace(act, group=None) if act.group in lone else act for act in self.now.acts)

    def _close_all(self, is_over: Callable[[Dispute], bool], how: str) -> None:
        for dispute in self.now.disputes:
            if is_over(dispute):
                self.close(dispute.id, self.hows.get(dispute.id, how))

    def _open_all(self, wrong: set[int]) -> None:
        """Open a dispute about each act that is wrong and not disputed, one for all of a group."""
        for act in self.now.acts:
            if act.number in wrong and self.dispute_about(act.number) is None:
                together = [other.number for other in self.now.acts if act.group is not None and other.group == act.group]
                self.dispute(together or [act.number])


def _only_about(dispute: Dispute, wrong: set[int]) -> Dispute:
    """The dispute about those of its acts that are wrong."""
    return replace(dispute, acts=tuple(number for number in dispute.acts if number in wrong))
