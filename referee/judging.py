"""The course of a game: every act judged by the rules, in order: what each placement breaks, whose turn it is, who is retired.

Everything on the board counts while it is disputed: later pieces are judged as if the disputed one stood. A piece that was
taken away still counts, because it belongs where it lay, until people let that stand; a piece that was shifted counts where it
lies now. Earlier rulings are not touched by either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from referee.acts import Act
from referee.cells import Cells
from referee.game import Game
from referee.options import GameOptions
from referee.rulings import Ruling


@dataclass(frozen=True)
class Judged:
    """An act with what the rules say of it.

    Attributes:
        act: the act.
        turn: its number among the placements; for other acts that of the next placement.
        ruling: the ruling of its moment, for a placed piece.
        passed: the colours that were on turn before this one and still could play, when it was out of turn.
        game: the game after it.
        owed: the colours that may still make up for an undone placement.
    """

    act: Act
    turn: int
    ruling: Ruling | None
    passed: tuple[str, ...]
    game: Game
    owed: frozenset[str]

    @property
    def verdict(self) -> str:
        """`legal`, `illegal` or `let_stand` for a placed piece; else the act's kind."""
        if self.ruling is None:
            return self.act.what
        if self.ruling.is_legal and (self.act.group is None or self.act.stands):
            return "legal"
        return "let_stand" if self.act.stands else "illegal"

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of rules it breaks."""
        return self.ruling.kinds if self.ruling else ()


@dataclass(frozen=True)
class Course:
    """The course of a game: all acts judged.

    Attributes:
        beginning: the game before the first of them, pieces found on the board included.
        next_color: who was on turn then, when people said so.
        judged: the acts in order.
    """

    beginning: Game
    next_color: str | None = None
    judged: tuple[Judged, ...] = ()

    @property
    def game(self) -> Game:
        """The game after the last act."""
        return self.judged[-1].game if self.judged else self.beginning

    @property
    def result(self) -> Game:
        """The game whose scores count: without what was put down after its end and is disputed."""
        game = self.beginning
        for item in self.judged:
            if not (game.is_over and item.verdict == "illegal"):
                game = item.game
        return game

    @property
    def owed(self) -> frozenset[str]:
        """The colours that may still make up for an undone placement."""
        return self.judged[-1].owed if self.judged else frozenset()

    def of(self, number: int) -> Judged | None:
        """The judged act of that number, None when there is none."""
        return next((item for item in self.judged if item.act.number == number), None)

    def before(self, number: int) -> Game:
        """The game before the act of that number."""
        game = self.beginning
        for item in self.judged:
            if item.act.number == number:
                return game
            game = item.game
        return game

    @property
    def placements(self) -> Iterator[Judged]:
        """The pieces found and placed, in order."""
        return (item for item in self.judged if item.act.is_piece)

    def judge(self, color: str, cells: Cells) -> Ruling:
        """The ruling on a placement now; nothing is played."""
        return _judge(self.game, self.owed, color, cells)[0]


def judge_acts(options: GameOptions, acts: Sequence[Act], next_color: str | None, known: Course | None = None) -> Course:
    """Judge the course of a game.

    `next_color` is who was on turn after the found pieces, None when nobody knows. What `known` has judged of the same beginning
    and the same first acts is taken over.
    """
    found = tuple((act.color, act.cells) for act in acts if act.what == "found")
    if known is None or (known.beginning.options, known.beginning.found, known.next_color) != (options, found, next_color):
        known = Course(_beginning(options, found, next_color), next_color)
    same = takewhile(lambda pair: pair[0].act == pair[1], zip(known.judged, acts, strict=False))
    course = replace(known, judged=tuple(item for item, _ in same))
    for done in range(len(course.judged), len(acts)):
        course = replace(course, judged=(*course.judged, _judge_next(course, acts[: done + 1])))
    return course


def _beginning(options: GameOptions, found: tuple[tuple[str, Cells], ...], next_color: str | None) -> Game:
    return Game.from_position(options, found, next_color) if found or next_color else Game.new(options)


def _judge_next(course: Course, acts: Sequence[Act]) -> Judged:
    """Judge the last of some acts after all others."""
    act, game, owed = acts[-1], course.game, course.owed
    turn = 1 + sum(other.has_turn for other in acts[:-1])
    if act.what in ("placed", "asked"):
        ruling, after = _judge(game, owed, act.color, act.cells)
        passed = _passed_over(game, act.color, after) if "out_of_turn" in ruling.kinds else ()
        return Judged(act, turn, ruling if act.what == "placed" else None, passed, after, owed - {act.color})
    if act.what == "vacant":
        owed |= {*_passed_over(game, act.color, game), act.color} - set(game.retired)
        game = pass_turn(game, act.color)
    elif act.what == "turn":
        game = give_turn(game, act.color)
    elif act.what == "open":
        game = forget_turn(game)
    elif act.what == "moved" or act.stands:
        game = _rearranged(course, acts)
    return Judged(act, turn, None, (), game, owed)


def _judge(game: Game, owed: frozenset[str], color: str, cells: Cells) -> tuple[Ruling, Game]:
    """The ruling on a placement and the game after it, making up for an undone one included."""
    ruling = game.judge(color, cells)
    if color in owed and ruling.kinds == ("out_of_turn",):
        own_turn = give_turn(game, color)
        ruling = own_turn.judge(color, cells)
        if ruling.is_legal:
            return ruling, _back_to(own_turn.play(color, cells), game.on_turn)
        ruling = game.judge(color, cells)
    return ruling, game.play(color, cells, force=True)


def _back_to(game: Game, color: str | None) -> Game:
    """The game with the turn where it was before somebody made up for an undone placement."""
    if color is None or game.is_over:
        return game
    return give_turn(game, color) if color not in game.retired else pass_turn(game, color)


def _rearranged(course: Course, acts: Sequence[Act]) -> Game:
    """The game after the last of these acts shifted a piece or took it away for good.

    Whose turn it is does not change, but the owner of the last piece has the turn again when it was taken back.
    """
    game, subject = _played_again(course, acts), acts[-1].subject
    last = next((act for act in reversed(acts) if act.has_turn), None)
    if acts[-1].what == "removed" and last is not None and last.number == subject:
        return game
    return _back_to(game, course.game.on_turn)


def _played_again(course: Course, acts: Sequence[Act]) -> Game:
    """The game of these acts with every piece where it lies now."""
    lies = effective_cells(acts)
    found = tuple((act.color, lies[act.number]) for act in acts if act.what == "found" and act.number in lies)
    game = _beginning(course.beginning.options, found, course.next_color)
    for act in acts:
        if act.what == "asked" or (act.what == "placed" and act.number in lies):
            game = game.play(act.color, lies.get(act.number, act.cells), force=True)
        elif act.what == "vacant":
            game = pass_turn(game, act.color)
        elif act.what == "turn":
            game = give_turn(game, act.color)
        elif act.what == "open":
            game = forget_turn(game)
    return game


def effective_cells(acts: Sequence[Act]) -> dict[int, Cells]:
    """Where each piece counts, by the number of the act that put it there; pieces taken away for good are left out."""
    lies: dict[int, Cells] = {}
    for act in acts:
        if act.is_piece:
            lies[act.number] = act.cells
        elif act.subject is not None and act.what == "moved":
            lies[act.subject] = act.cells
        elif act.subject is not None and act.what == "removed" and act.stands:
            lies.pop(act.subject, None)
    return lies


def give_turn(game: Game, color: str) -> Game:
    """The game with this colour on turn; unchanged when the game is over or the colour is retired."""
    if game.is_over or color in game.retired:
        return game
    seating = game.seating
    if seating.seat_of(color) is None:
        seating = seating.claim(color, frozenset(), game.seat_on_turn or 0)
    return replace(game, seating=seating, seat_on_turn=seating.seat_of(color), skipped=())


def forget_turn(game: Game) -> Game:
    """The game in which nobody knows whose turn it is: nothing is out of turn until the next legal piece."""
    return replace(game, seat_on_turn=None, skipped=())


def pass_turn(game: Game, color: str) -> Game:
    """The game with the colour after this one on turn, retired ones left out."""
    seat = game.seating.seat_of(color)
    if game.is_over or seat is None:
        return game
    colors = game.seating.colors
    seats = [(seat + step) % len(colors) for step in range(1, len(colors) + 1)]
    first = next((number for number in seats if colors[number] not in game.retired), None)
    return replace(game, seat_on_turn=first, skipped=())


def _passed_over(game: Game, color: str, after: Game) -> tuple[str, ...]:
    """The colours that still could play from the one on turn up to this one, which is left out.

    Who sits where is known best after the placement: a first piece tells it, and the last colour left has the last seat.
    """
    seat, colors = game.seat_on_turn, after.seating.colors
    if seat is None or color not in colors:
        return ()
    round_on = [colors[(seat + step) % len(colors)] for step in range(len(colors))]
    return tuple(other for other in round_on[: round_on.index(color)] if other is not None and other not in game.retired)
