"""How a game stands, as a score sheet says it: what each colour has left, the places, and what must be said with the numbers.

A tally comes from a table, whose whole history is known, or from the grid of one picture (`referee.bounds`). Numbers that are
not known are a `Span`; scores of a game that is not over, or in which something is open, say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from referee.events import counted, joined
from referee.options import GameOptions
from referee.people import mover, players
from referee.pieces import squares_of
from referee.scoring import ColorScore, PlayerScore, Scores, Span, final_scores
from referee.table import Table

Play = Literal["blocked", "finished", "can move", "unknown"]
"""Whether a colour may play on; "unknown" where a picture does not tell."""

GameState = Literal["waiting", "playing", "unfinished", "over", "abandoned", "unknown"]
"""How far a game has come, as `view.status_of` says it; "unknown" where a picture does not tell whether it is over."""


@dataclass(frozen=True)
class ColorLine:
    """One colour's line of a score sheet.

    Attributes:
        color: its name.
        person: who moves it next, by name.
        pieces_left: names of its unused pieces, copies repeated, from the smallest.
        is_sure: whether these are all of them; a picture may leave that open.
        score: its unused squares and both results.
        play: whether it may play on.
        ways: how many different placements it surely has; 0 where that is not known.
    """

    color: str
    person: str
    pieces_left: tuple[str, ...]
    is_sure: bool
    score: ColorScore
    play: Play
    ways: int = 0

    @property
    def words(self) -> str:
        """The colour with its person and the number of placements it has, where they are known: `red (Cem, 3 placements)`."""
        more = [self.person] if not is_plain(self.person, (self.color,)) else []
        more += [counted(self.ways, "placement")] if self.ways else []
        return f"{self.color} ({', '.join(more)})" if more else self.color

    @property
    def excess(self) -> int:
        """Squares on the board that used up no piece of the set: no piece at all, or one that was laid twice; 0 when not known."""
        left = squares_of(self.pieces_left)
        return left - self.score.squares_left.low if self.is_sure else 0


@dataclass(frozen=True)
class Tally:
    """How a game stands.

    Attributes:
        options: what the people agreed on.
        state: how far the game has come.
        colors: every colour, in turn order.
        scores: the results; final only when `is_final`.
        open_disputes, open_questions: how many matters are open.
        house_decisions: how many wrong placements the table let stand.
        faults: the rules that a picture proves broken, one sentence each; nobody has decided about them.
        remarks: what else must be said, one sentence each.
    """

    options: GameOptions
    state: GameState
    colors: tuple[ColorLine, ...]
    scores: Scores
    open_disputes: int = 0
    open_questions: int = 0
    house_decisions: int = 0
    faults: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @staticmethod
    def of_table(table: Table, remarks: Sequence[str] = ()) -> Tally:
        """How the game at a table stands; `remarks` are further sentences to be said with it."""
        return Tally.of_state(table.options, table.state(), remarks)

    @staticmethod
    def of_state(options: GameOptions, state: dict[str, Any], remarks: Sequence[str] = ()) -> Tally:
        """The same from the table's state (`Table.state`)."""
        found = {color: _color_score(score) for color, score in state["scores"]["colors"].items()}
        lines = tuple(_line(color, state["colors"][color], found[color]) for color in state["order"])
        return Tally(
            options,
            state["status"],
            lines,
            final_scores(options, found),
            len(state["disputes"]),
            len(state["questions"]),
            sum(placement["ruling"] == "let_stand" for placement in state["placements"]),
            remarks=tuple(remarks),
        )

    @property
    def is_final(self) -> bool:
        """Whether nothing can change the scores any more."""
        return self.state == "over" and not self._is_provisional and self.scores.is_decided

    @property
    def _is_provisional(self) -> bool:
        """Whether the table has still to decide something."""
        return bool(self.open_disputes or self.open_questions or self.faults)

    @property
    def has_places(self) -> bool:
        """Whether the players have places at all: not before the first piece, nor in an abandoned game."""
        return self.state not in ("waiting", "abandoned")

    def owner(self, color: str) -> str:
        """Who plays a colour; "" when the name says no more than the colour."""
        if color == self.options.shared_used:
            return "all in turn"
        name = mover(self.options, color, 0)
        return "" if is_plain(name, self._colors_of(color)) else name

    def _colors_of(self, color: str) -> tuple[str, ...]:
        return next((player.colors for player in players(self.options) if color in player.colors), (color,))

    @cached_property
    def places(self) -> tuple[PlayerScore, ...]:
        """The players, best first; those whose scores are not known by the middle of what they may be."""
        better = 1 if self.scores.scoring == "basic" else -1
        return tuple(sorted(self.scores.players, key=lambda player: better * (player.score.low + player.score.high)))

    def is_tied(self, player: PlayerScore) -> bool:
        """Whether another has the same place."""
        return player.place is not None and sum(other.place == player.place for other in self.scores.players) > 1

    @property
    def can_move(self) -> tuple[ColorLine, ...]:
        """The colours that surely may play on; none in an abandoned game."""
        return tuple(line for line in self.colors if line.play == "can move" and self.state != "abandoned")

    @property
    def may_move(self) -> tuple[ColorLine, ...]:
        """The colours of which it is not known whether they may play on."""
        return tuple(line for line in self.colors if line.play == "unknown" and self.state != "abandoned")

    @cached_property
    def open_matters(self) -> str:
        """What is open, in words: `1 dispute and 2 questions are open`; "" when nothing is."""
        matters = ((self.open_disputes, "dispute"), (self.open_questions, "question"))
        words = [counted(number, word) for number, word in matters if number]
        return f"{joined(words)} {'is' if self.open_disputes + self.open_questions == 1 else 'are'} open" if words else ""

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """What must be said with the numbers, the most important first."""
        waiting = f"{self.open_matters}: the scores are provisional until the table has decided."
        broken = "The board cannot have come to lie so by the rules; the scores are those of the board as it lies."
        provisional = [*([waiting] if self.open_matters else []), *([broken] if self.faults else [])]
        return (self._how_it_ended(), *provisional, *self.faults, *self._of_the_count(), *self.remarks)

    def as_json(self) -> dict[str, Any]:
        """The contract's `scores` object, with `status`, `final`, `can_move`, `may_move`, the open matters and `notes`."""
        return {
            **self.scores.as_json(),
            "winners": [] if self.state == "abandoned" else list(self.scores.winners),
            "variant": self.options.variant,
            "status": self.state,
            "final": self.is_final,
            "can_move": [line.color for line in self.can_move],
            "may_move": [line.color for line in self.may_move],
            "pieces_left": {line.color: list(line.pieces_left) for line in self.colors},
            "open_disputes": self.open_disputes,
            "open_questions": self.open_questions,
            "notes": list(self.sentences),
        }

    def _how_it_ended(self) -> str:
        if self.state == "abandoned":
            return "The game was abandoned: nobody wins. The numbers are those of the board as it lay."
        if self.state == "waiting":
            return "No piece has been played yet."
        if self.can_move:
            also = f"; whether {_listed(self.may_move)} can, the picture does not tell" if self.may_move else ""
            return f"The game is not over: {_listed(self.can_move)} can still play{also}. These scores are not final."
        if self.may_move:
            return f"Whether the game is over cannot be told: {_listed(self.may_move)} may still have a move."
        return f"The game is over{', but not decided' if self._is_provisional else ''}. {self._who_wins()}"

    def _who_wins(self) -> str:
        sure = {player.name for player in self.scores.players if player.place == 1}
        names = joined(self.scores.winners)
        if sure != set(self.scores.winners):
            return f"Who wins is not known yet: {names} may."
        verb = "share the win" if len(sure) > 1 else "win" if " and " in names else "wins"
        return f"As it stands, {names} {verb}." if self._is_provisional else f"{names} {verb}."

    def _of_the_count(self) -> tuple[str, ...]:
        shared = self.options.shared_used
        notes = [f"{shared.capitalize()} is played by all in turn and counts for nobody."] if shared else []
        if self.house_decisions:
            verb = "stands" if self.house_decisions == 1 else "stand"
            notes.append(f"{counted(self.house_decisions, 'wrong placement')} {verb} by the table's own decision.")
        lost = {color: names for color, names in self.scores.missing.items() if names}
        notes += [f"{color.capitalize()} played without {joined(names)}; its squares do not count." for color, names in lost.items()]
        return (*notes, *map(_bonus_note, self.bonus_open))

    @property
    def bonus_open(self) -> tuple[ColorLine, ...]:
        """The colours of which only the last piece put down, which nobody saw, decides what they get."""
        return tuple(line for line in self.colors if _is_bonus_open(line, self.scores.scoring))


def is_plain(name: str, colors: Sequence[str]) -> bool:
    """Whether a player's name says no more than the colours."""
    return not name or name.lower() == " and ".join(colors)


def _line(color: str, facts: dict[str, Any], score: ColorScore) -> ColorLine:
    play: Play = facts["retired"] or "can move"
    return ColorLine(color, str(facts["mover"]), tuple(facts["pieces_left"]), True, score, play, facts["legal_count"])


def _color_score(value: dict[str, Any]) -> ColorScore:
    return ColorScore(*(Span.from_json(value[name]) for name in ("squares_left", "basic", "advanced")))


def _listed(lines: Sequence[ColorLine]) -> str:
    return joined([line.words for line in lines])


def _is_bonus_open(line: ColorLine, scoring: str) -> bool:
    return scoring == "advanced" and line.score.squares_left.high == 0 and line.score.advanced.low != line.score.advanced.high


def _bonus_note(line: ColorLine) -> str:
    points = line.score.advanced
    return f"{line.color.capitalize()} has {points}: {points.high} if the single square was its last piece. Ask its player."
