"""What a decision leads to: the situation after it, the events that tell it, and the same as a mere preview."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.draft import Draft, When
from referee.events import Event, counted
from referee.situation import Situation
from referee.telling import rejudgements, tell

_DECIDED = ("resolved", "answered", "corrected", "turn", "missing", "abandoned")


@dataclass(frozen=True)
class Outcome:
    """What a decision leads to: the situation after it and the events that tell it."""

    situation: Situation
    events: list[Event]


def settled(draft: Draft, how: str = "undo") -> Outcome:
    """The outcome of a draft; disputes that lose their reason are closed with `how`."""
    return Outcome(replace(draft.settle(how), is_started=True), tell(draft))


def going_on(before: Situation, after: Situation) -> Situation:
    """The situation after a decision or a look: people who had stopped and change something have not finished."""
    has_gone_on = after is not before and before.ended == after.ended == "unfinished"
    return replace(after, ended=None) if has_gone_on else after


def by_people(situation: Situation) -> Draft:
    """A change that people make."""
    return Draft(situation, When(), by="person")


def signed(events: list[Event], who: str) -> list[Event]:
    """The events with the name of who decided in those that tell the decision; what follows from it by the rules has none."""
    if not who:
        return events
    return [replace(event, fields={**event.fields, "who": who}) if event.name in _DECIDED else event for event in events]


def preview(before: Situation, after: Situation) -> Outcome:
    """What a change would lead to, with nothing changed."""
    changes = rejudgements(before, after)
    broken = sum(change["now"] == "illegal" != change["was"] for change in changes)
    count = counted(broken, "placement") if broken else "No later placement"
    words = f"{count} would become illegal."
    return Outcome(before, [Event("preview", words, {"rejudged": changes})])
