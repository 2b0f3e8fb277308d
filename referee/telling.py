"""The events that tell a change: what differs between the situation before and after it, in the order in which people would say it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.acts import Act
from referee.describe import facts_of, question_json
from referee.draft import Draft
from referee.events import HOW_WORDS, Event, cell_list, joined, kinds_words, piece_words
from referee.game import Game
from referee.judging import Judged
from referee.matters import Dispute
from referee.pieces import identify
from referee.situation import Situation


def tell(draft: Draft, *, is_restoring: bool = False) -> list[Event]:
    """The events of a settled draft; `is_restoring` when it takes back an earlier change, so that nothing is played anew."""
    return [event for part in _Telling(draft, is_restoring).parts() for event in part]


class _Telling:
    """One change being told."""

    def __init__(self, draft: Draft, is_restoring: bool) -> None:
        self.draft, self.is_restoring = draft, is_restoring
        self.before, self.after = draft.before, draft.now
        self.old = {item.act.number: item for item in self.before.course.judged}
        self.told_disputes: set[int] = {dispute.id for dispute in self.before.disputes}
        self.retired = dict(self.before.course.game.retired)

    def parts(self) -> Iterator[Iterator[Event]]:
        """The groups of events, in order."""
        yield self._answered()
        yield self._resolved()
        yield self._passed()
        yield self._corrected()
        yield self._played()
        yield self._rejudged()
        yield self._retired()
        yield self._disputed()
        yield self._asked()
        yield self._over()

    def _event(self, name: str, sentence: str, fields: dict[str, Any]) -> Event:
        when = self.draft.when
        return Event(name, sentence, fields, when.frame, when.seen_frame, when.time_s)

    # -- matters closed

    def _answered(self) -> Iterator[Event]:
        left = {question.id for question in self.after.questions}
        for question in self.before.questions:
            if question.id not in left:
                choice = self.draft.answers.get(question.id)
                yield self._event(
                    "answered",
                    "A question was answered." if choice is not None else "A question fell away.",
                    {"id": question.id, "choice": choice, "by": self.draft.by},
                )

    def _resolved(self) -> Iterator[Event]:
        left = {dispute.id for dispute in self.after.disputes}
        for dispute in self.before.disputes:
            if dispute.id not in left:
                how = self.draft.hows.get(dispute.id, "undo")
                color = facts_of(self.before, dispute).color
                about = f"about {color}" if color else "about the board"
                fields = {"id": dispute.id, "how": how, "by": self.draft.by}
                yield self._event("resolved", f"The dispute {about} is settled: {HOW_WORDS[how]}.", fields)

    def _passed(self) -> Iterator[Event]:
        for color in self.draft.passed:
            yield self._event("skipped", f"{color.capitalize()}'s turn is lost.", {"color": color})

    # -- placements

    def _corrected(self) -> Iterator[Event]:
        new = {item.act.number: item for item in self.after.course.judged}
        for item in self.before.course.placements:
            now = new.get(item.act.number)
            if now is None and item.verdict != "illegal" and not (item.act.what == "found" and self._is_begun_anew()):
                yield self._correction(item.turn, item.act, None)
            elif now is not None and (now.act.color, now.act.cells) != (item.act.color, item.act.cells):
                yield self._correction(item.turn, item.act, now.act)
        if self.is_restoring:
            for item in self.after.course.placements:
                if item.act.number not in self.old and item.verdict != "illegal":
                    yield self._correction(item.turn, None, item.act)

    def _is_begun_anew(self) -> bool:
        """Whether the people said that the pieces found do not belong to the game."""
        return any(question.about == "start" and question.id in self.draft.answers for question in self.before.questions)

    def _correction(self, turn: int, was: Act | None, now: Act | None) -> Event:
        fields = {"turn": turn, "was": _brief(was), "now": _brief(now), "by": self.draft.by}
        if was is None or now is None:
            name = piece_words((was or now or _NOBODY).color, identify((was or now or _NOBODY).cells))
            sentence = f"{name} was taken back." if was else f"{name} stands again."
        else:
            sentence = f"{piece_words(was.color, identify(was.cells))} of turn {turn} is now {piece_words(now.color, identify(now.cells))}."
        return self._event("corrected", sentence, fields)

    def _played(self) -> Iterator[Event]:
        """The pieces put down since, each with what it caused."""
        tail = set() if self.is_restoring else self._tail()
        previous = self.after.course.beginning
        for item in self.after.course.judged:
            is_new = item.act.number not in self.old or self._was_grouped(item)
            if is_new and item.act.what == "placed" and not (self.is_restoring and item.verdict != "illegal"):
                yield from self._placement(item)
            if item.act.number in tail and item.act.has_turn:
                yield from self._caused(item, previous)
            previous = item.game

    def _tail(self) -> set[int]:
        """The new acts after the last one known before."""
        numbers = [item.act.number for item in self.after.course.judged]
        known = [place for place, number in enumerate(numbers) if number in self.old]
        return set(numbers[max(known, default=-1) + 1 :])

    def _was_grouped(self, item: Judged) -> bool:
        """Whether it came with others in a dispute and is now legal for itself."""
        was = self.old.get(item.act.number)
        return was is not None and was.act.group is not None and item.act.group is None and item.verdict == "legal"

    def _placement(self, item: Judged) -> Iterator[Event]:
        if item.verdict == "illegal":
            for dispute in self.after.disputes:
                if item.act.number in dispute.acts and dispute.id not in self.told_disputes:
                    yield self._dispute(dispute)
            return
        act, game = item.act, self.after.course.before(item.act.number)
        fields = {
            "turn": item.turn,
            **_brief_of(act),
            "ruling": item.verdict,
            "joint": act.joint,
            "open_disputes": sorted(dispute.id for dispute in self.after.disputes),
            "player": game.mover(act.color),
        }
        yield self._event("placement", f"{piece_words(act.color, identify(act.cells))} is legal.", fields)

    def _caused(self, item: Judged, before: Game) -> Iterator[Event]:
        """The colours that a piece retires, and those that the turn passes over after it."""
        for color, why in item.game.retired.items():
            if color not in before.retired and self.retired.get(color) != why:
                yield self._retirement(color, why)
                self.retired[color] = why
        for color in () if self._takes_asked_place(item) else item.game.skipped:
            yield self._event("skipped", f"{color.capitalize()} is skipped.", {"color": color})

    def _takes_asked_place(self, item: Judged) -> bool:
        """Whether a question held its place in the course, so that all that followed from it was told then."""
        place = self.after.course.judged.index(item)
        known = self.before.course.judged
        return place < len(known) and known[place].act.what == "asked"

    def _rejudged(self) -> Iterator[Event]:
        for item in self.after.course.placements:
            was = self.old.get(item.act.number)
            if was is None or item.act.group != was.act.group or item.act.stands != was.act.stands:
                continue
            if (was.verdict, was.kinds) != (item.verdict, item.kinds) and was.act.cells == item.act.cells:
                now = _ruling_word(item)
                fields = {"turn": item.turn, "turn_before": was.turn, "was": _ruling_word(was), "now": now, "kinds": list(item.kinds)}
                why = f": {kinds_words(item.kinds)}" if item.kinds else ""
                yield self._event("rejudged", f"Turn {item.turn} is now {now.replace('_', ' ')}{why}.", fields)

    # -- colours

    def _retired(self) -> Iterator[Event]:
        """What has changed for the colours apart from what the new pieces caused."""
        now = self.after.course.game.retired
        for color, why in list(self.retired.items()):
            if color not in now and why == "blocked":
                yield self._event("unblocked", f"{color.capitalize()} can play again.", {"color": color})
        for color, why in now.items():
            if self.retired.get(color) != why:
                yield self._retirement(color, why)

    def _retirement(self, color: str, why: str) -> Event:
        words = "is blocked: none of its pieces fits any more" if why == "blocked" else "has placed every piece"
        return self._event(why, f"{color.capitalize()} {words}.", {"color": color})

    # -- matters opened

    def _disputed(self) -> Iterator[Event]:
        for dispute in self.after.disputes:
            if dispute.id not in self.told_disputes or self._has_moved_on(dispute):
                yield self._dispute(dispute)

    def _has_moved_on(self, dispute: Dispute) -> bool:
        """Whether a dispute is about something else than when it was told."""
        was = next((other for other in self.before.disputes if other.id == dispute.id), None)
        if was is None or dispute.is_cleared or was == dispute:
            return False
        return facts_of(self.before, was) != facts_of(self.after, dispute)

    def _dispute(self, dispute: Dispute) -> Event:
        self.told_disputes.add(dispute.id)
        facts = facts_of(self.after, dispute)
        fields = {"id": dispute.id, **facts.as_json(), "evidence": list(dispute.evidence or ())}
        return self._event("dispute", facts.message, fields)

    def _asked(self) -> Iterator[Event]:
        known = {question.id: question for question in self.before.questions}
        for question in self.after.questions:
            was = known.get(question.id)
            if was is None or was.choices != question.choices:
                fields = question_json(self.after, question)
                yield self._event("question", fields["message"], fields)

    def _over(self) -> Iterator[Event]:
        game, before = self.after.course.result, self.before.course.result
        if self.after.ended == "abandoned":
            yield self._event("abandoned", "The game was abandoned; nobody has won.", {})
            return
        if not game.is_over:
            return
        scores = game.scores()
        if before.is_over and before.scores() == scores:
            return
        yield self._event("game_over", f"The game is over. {winners_words(scores.winners)}", {"scores": scores.as_json()})


_NOBODY = Act(0, "turn", "nobody")


def winners_words(winners: tuple[str, ...]) -> str:
    """Who won, as a sentence."""
    return f"{joined(winners)} share the win." if len(winners) > 1 else f"{joined(winners)} wins."


def rejudgements(before: Situation, after: Situation) -> list[dict[str, Any]]:
    """What would be judged otherwise, as the fields of `rejudged` events; for a preview."""
    old = {item.act.number: item for item in before.course.judged}
    changed = []
    for item in after.course.placements:
        was = old.get(item.act.number)
        if was is not None and (was.verdict, was.kinds) != (item.verdict, item.kinds):
            piece = _brief_of(item.act)
            changed.append({"turn": was.turn, **piece, "was": _ruling_word(was), "now": _ruling_word(item), "kinds": list(item.kinds)})
    return changed


def _ruling_word(item: Judged) -> str:
    return "legal" if item.act.what == "found" else item.verdict


def _brief_of(act: Act) -> dict[str, Any]:
    return {"color": act.color, "piece": identify(act.cells), "cells": cell_list(act.cells)}


def _brief(act: Act | None) -> dict[str, Any] | None:
    return None if act is None else _brief_of(act)
