"""The table: the one state machine of a refereed game. Sightings and people's decisions go in, events come out.

Pure and deterministic: no clock, no files, no pictures. The same options, sightings and decisions give the same table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from referee.beginning import begin, read_grid, reminded
from referee.cells import Cell, Cells, require_color
from referee.deciding import decide, finish
from referee.draft import Draft, When
from referee.errors import DecisionError
from referee.events import Event
from referee.judging import judge_acts
from referee.matters import Choice
from referee.observing import observe
from referee.options import GameOptions
from referee.outcomes import going_on, preview, signed
from referee.requests import Request
from referee.sightings import Change, Sighting
from referee.situation import Situation, TableSettings
from referee.telling import tell
from referee.view import state_of

__all__ = ["DecisionError", "Table", "TableSettings"]

MIRROR_CHOICES = (
    Choice(frozenset(), 0.5, (), "Yes, the picture is a mirror image"),
    Choice(frozenset(), 0.5, (), "No, they did play counter-clockwise"),
)


class Table:
    """A refereed game.

    `events` holds every event so far, oldest first; `inputs` everything that was given to it, as a journal keeps it: pairs of a kind
    (`start`, `sighting`, `decision`, `finish`) and its JSON. The first options and the inputs give the same table again.
    """

    def __init__(self, options: GameOptions | Mapping[str, Any] | None = None, settings: TableSettings | None = None) -> None:
        """A table for one game; `options` may be the JSON of `GameOptions.as_json`.

        Raises:
            OptionsError, UnknownNameError: options that contradict each other.
        """
        chosen = options if isinstance(options, GameOptions) else GameOptions.from_json(options or {})
        self.first_options = chosen
        self.inputs: list[tuple[str, Mapping[str, Any]]] = []
        self._now = Situation(chosen, judge_acts(chosen, (), None), settings or TableSettings())
        self._past: list[Situation] = []
        self._undone: list[Situation] = []
        self.events: list[Event] = []

    def fork(self) -> Table:
        """A table at the same point: what happens to one of the two does not happen to the other."""
        twin = copy(self)
        vars(twin).update({name: [*value] for name, value in vars(self).items() if isinstance(value, list)})
        return twin

    @property
    def options(self) -> GameOptions:
        """What the people agreed on."""
        return self._now.options

    # -- what happens

    def start(
        self,
        grid: Sequence[str],
        *,
        start_anywhere: bool = False,
        next_color: str | None = None,
        frame: int | None = None,
        time_s: float | None = None,
    ) -> list[Event]:
        """Take the first clear look at the board, one string a row with `?` for what is not known.

        Pieces that lie there are the position already reached. With `start_anywhere` that is as it should be; without, a question
        asks. `next_color` says whose turn it is; None: the first legal placement does. When the game is under way it is a look like others.

        Raises:
            BoardTextError: the grid has another size or letters of no colour.
            UnknownNameError: `next_color` is not in the game.
        """
        if next_color is not None:
            require_color(next_color, self.options.rules.colors)
        value = {"grid": [*grid], "start_anywhere": start_anywhere, "next_color": next_color, "frame": frame, "time_s": time_s}
        if self._now.acts:
            board, unsure = read_grid(self._now, grid)
            change = Change.between(self._now.standing, board)
            events = self._look(Sighting(((change, 1.0),), unsure, frame=frame, time_s=time_s))
        else:
            when = When(frame, time_s=time_s)
            events = self._take(*begin(self._now, grid, when, is_asked=not start_anywhere, next_color=next_color))
        self.inputs.append(("start", value))
        return events

    def observe(self, sighting: Sighting) -> list[Event]:
        """Take one settled look at the board; gives the new events, often none."""
        events = self._look(sighting)
        self.inputs.append(("sighting", sighting.as_json()))
        return events

    def _look(self, sighting: Sighting) -> list[Event]:
        if self._now.ended == "abandoned":
            return []
        situation, events = observe(self._now, sighting)
        if events:
            situation = going_on(self._now, situation)
        return self._take(situation, events, When(sighting.frame, sighting.seen_frame, sighting.time_s, sighting.evidence))

    def decide(self, decision: Mapping[str, Any]) -> list[Event]:
        """Take a decision of the people, as JSON.

        Raises:
            DecisionError: it is not understood or cannot be carried out; nothing was changed.
        """
        request = Request(decision, self.options.rules.colors, self._now.size)
        if request.name in ("undo", "redo"):
            events = self._go_back(request)
        else:
            outcome = decide(self._now, decision)
            if request.flag("preview") or request.name == "would_be_legal":
                return outcome.events  # answers to whoever asked, no part of the game's history
            events = self._take(outcome.situation, outcome.events)
        if not request.flag("preview"):
            self.inputs.append(("decision", dict(decision)))
        return events

    def finish(self, *, frame: int | None = None, time_s: float | None = None) -> list[Event]:
        """Say that nothing more will be seen: `unfinished` unless the game is over."""
        outcome = finish(self._now, When(frame, time_s=time_s))
        self._now = outcome.situation
        self.events += outcome.events
        self.inputs.append(("finish", {"frame": frame, "time_s": time_s}))
        return outcome.events

    def _take(self, situation: Situation, events: list[Event], when: When | None = None) -> list[Event]:
        """Make a new situation the present one, after asking about a mirrored picture when it looks like one."""
        reminders = reminded(self._now, situation, when or When())
        situation, asked = _ask_mirrored(situation, when or When())
        if _substance(situation) != _substance(self._now):
            self._past.append(self._now)
            self._undone.clear()
        self._now = situation
        told = [*events, *reminders, *asked]
        self.events += told
        return told

    def _go_back(self, request: Request) -> list[Event]:
        """Undo the last placement, dispute or decision, or redo the last one undone."""
        source, target = (self._past, self._undone) if request.name == "undo" else (self._undone, self._past)
        if not source:
            raise DecisionError(f"there is nothing to {request.name}")
        now, who = self._now, request.who
        draft = Draft(now, When(), by="person")
        draft.now = replace(source[-1], seen=now.seen, next_number=now.next_number, next_id=now.next_id)
        draft.hows, draft.answers = {**draft.now.hows}, {**draft.now.answers}
        if request.flag("preview"):
            return preview(now, draft.now).events
        source.pop()
        target.append(now)
        events = signed(tell(draft, is_restoring=True), who)
        self._now = draft.now
        self.events += events
        return events

    # -- what is

    def standing(self) -> Mapping[Cell, str]:
        """What should lie on the board now, disputed pieces included: occupied cells and their colours."""
        return self._now.standing

    def on_turn(self) -> str | None:
        """The colour expected to play; None when not known or when the game is over."""
        return self._now.course.game.on_turn

    def pieces_on_board(self) -> Sequence[tuple[str, Cells]]:
        """Colour and cells of each piece on the board, in the order they came; unexplained squares are no pieces."""
        return [(piece.color, piece.cells) for piece in self._now.lying if piece.cells]

    def hands(self) -> Mapping[str, Sequence[str]]:
        """The pieces each colour has left, copies repeated."""
        return self._now.course.game.hands

    def legal_count_before(self, turn: int) -> int | None:
        """How many different legal placements the colour of that turn had before it; None when there is no such placement."""
        item = next((item for item in self._now.course.placements if item.turn == turn), None)
        return None if item is None else self._now.course.before(item.act.number).legal_count(item.act.color)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended: every colour is retired, or it was abandoned."""
        return self._now.course.game.is_over or self._now.ended == "abandoned"

    def state(self) -> dict[str, Any]:
        """Everything a page shows, as JSON."""
        return {**state_of(self._now, self.events), "can_undo": bool(self._past), "can_redo": bool(self._undone)}


def _substance(situation: Situation) -> tuple[Any, ...]:
    """What an undo would bring back."""
    return situation.acts, situation.disputes, situation.questions, situation.options, situation.ended


def _ask_mirrored(situation: Situation, when: When) -> tuple[Situation, list[Event]]:
    """Ask once whether the picture is mirrored, when a whole first round ran counter-clockwise."""
    if situation.is_mirror_asked or situation.options.mirrored or not situation.course.game.looks_mirrored:
        return situation, []
    draft = Draft(situation, when)
    draft.ask("mirror", MIRROR_CHOICES)
    draft.update(is_mirror_asked=True)
    return draft.settle(), tell(draft)
