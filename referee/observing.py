"""Taking a look: from what the camera says to what is done about it.

The candidates are read, equal readings joined, and the likeliest taken when it is likely enough; else the people are asked. What is
already asked is left alone until a look or a person settles it, and what is sure beside it goes on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from referee.applying import apply_reading, is_swept
from referee.cells import COLOR_LETTER, Cell, Cells, components, on_board, side_neighbors
from referee.draft import Draft, When
from referee.events import Event
from referee.holding import held
from referee.interpret import Piece, interpret
from referee.matters import Choice, Question
from referee.readings import Amended, Back, Gone, Item, Look, New, Odd, Reading, Shifted, look_at, news
from referee.settling import choose
from referee.sightings import Sighting
from referee.situation import Situation
from referee.telling import tell

Board = dict[Cell, str]
"""What lies on the occupied cells."""


MOST_LAYERS = 3
"""A piece that lay under another comes to light only when that one is gone, so a look is read again; no more lie on each other."""


@dataclass(frozen=True)
class Seen:
    """One candidate: the board as it may lie, and how likely that is."""

    board: Board
    p: float


@dataclass(frozen=True)
class Hypothesis:
    """One reading of the board, the board it was read from, and how likely it is."""

    reading: Reading
    p: float
    board: Board
    taken: Cells


def observe(situation: Situation, sighting: Sighting) -> tuple[Situation, list[Event]]:
    """What the situation is after a look, and the events that tell it."""
    when = When(sighting.frame, sighting.seen_frame, sighting.time_s, sighting.evidence)
    seen = _boards(situation, sighting)
    unsure = frozenset(cell for cell in sighting.unsure_cells if on_board(cell, situation.size))
    situation, events = _returned(situation, seen, unsure, when)
    for question in situation.questions:
        situation, told = _settled(situation, question, seen, unsure, when)
        events += told
    situation, told = _act(situation, seen, unsure, when)
    return situation, [*events, *told]


def _boards(situation: Situation, sighting: Sighting) -> list[Seen]:
    """The boards of the candidates; cells off the board, unknown colours and what is no probability are left out."""
    boards = []
    for change, p in sighting.candidates:
        if 0 < p <= 1.000001:
            board = change.apply(situation.standing)
            known = {cell: color for cell, color in board.items() if on_board(cell, situation.size) and color in COLOR_LETTER}
            boards.append(Seen(known, float(p)))
    return boards


# -- open questions


def _returned(situation: Situation, seen: list[Seen], unsure: Cells, when: When) -> tuple[Situation, list[Event]]:
    """The situation after disputed pieces went back to their owners at a look that may settle questions.

    That comes first: whatever the answers are, nobody took a ruled piece away.
    """
    if not any(question.about == "change" for question in situation.questions):
        return situation, []
    empty: dict[Look, float] = defaultdict(float)
    disputed = [piece for piece in situation.lying if piece.number in situation.disputed and piece.cells and not piece.cells & unsure]
    pieces = [piece for piece in disputed if piece.cells == piece.home]
    for view in seen:
        for piece in pieces:
            if not piece.cells & view.board.keys():
                empty[look_at({}, piece.cells)] += view.p
    gone = frozenset[Item](Gone(piece.number) for piece in pieces if empty[look_at({}, piece.cells)] >= situation.settings.accept_p)
    return _do_certain(situation, gone, when)


def _settled(situation: Situation, question: Question, seen: list[Seen], unsure: Cells, when: When) -> tuple[Situation, list[Event]]:
    """The situation after a look that may settle a question."""
    cells = question.cells - unsure
    if question.about != "change" or not cells or not seen:
        return situation, []
    mass: dict[Look, float] = defaultdict(float)
    for view in seen:
        mass[look_at(view.board, cells)] += view.p
    look, p = max(mass.items(), key=lambda entry: entry[1])
    nothing = look_at(dict(situation.standing), cells)
    if p < (situation.settings.nothing_p if look == nothing else situation.settings.accept_p):
        return situation, []
    fitting = [number for number, choice in enumerate(question.choices) if _shows(choice, look, cells, nothing)]
    if len(fitting) > 1:
        return situation, []
    return choose(situation, question, fitting[0] if fitting else None, when)


def _shows(choice: Choice, look: Look, cells: Cells, nothing: Look) -> bool:
    """Whether an answer goes with a look at these cells; `nothing` is how they look when nothing was done."""
    if look == nothing and not choice.reading:
        return True
    return tuple(part for part in choice.look if part[0] in cells) == look


# -- reading


def _hypotheses(situation: Situation, seen: list[Seen], unsure: Cells) -> list[Hypothesis]:
    """The different readings of a look, likeliest first."""
    joined: dict[Reading, Hypothesis] = {}
    pieces = tuple(_pieces(situation))
    for view in seen:
        board, taken = _worth_reading(situation, view.board, unsure)
        for reading, share in _readings(situation, pieces, board):
            known = joined.get(reading)
            if known is None:
                joined[reading] = Hypothesis(reading, view.p * share, board, taken)
            else:
                joined[reading] = Hypothesis(reading, known.p + view.p * share, known.board, known.taken)
    return sorted(joined.values(), key=lambda found: -found.p)


def _pieces(situation: Situation) -> Iterator[Piece]:
    """The pieces of the course as the reading needs them."""
    disputed, last = situation.disputed, situation.last_piece
    for piece in situation.lying:
        is_last = last is not None and last.act.number == piece.number
        yield Piece(piece.number, piece.color, piece.cells, piece.home, is_loose=piece.number in disputed or is_last, is_last=is_last)


def _readings(situation: Situation, pieces: tuple[Piece, ...], board: Board) -> Iterator[tuple[Reading, float]]:
    rules, settings = situation.options.rules, situation.settings
    for reading, share in interpret(pieces, board, frozenset(rules.pieces), rules.colors, settings.misread_p):
        earlier = _earlier(situation, reading)
        if earlier is None:
            yield reading, share
        else:
            yield earlier, share * settings.earlier_p
            yield reading, share * (1 - settings.earlier_p)


def _earlier(situation: Situation, reading: Reading) -> Reading | None:
    """The reading in which a piece that is seen late was put down in its turn, where that clears up a piece out of turn."""
    came, last = news(reading), situation.last_piece
    if len(reading) != 1 or len(came) != 1 or last is None or last.kinds != ("out_of_turn",) or last.verdict != "illegal":
        return None
    new, before = came[0], situation.course.before(last.act.number)
    if (
        last.passed != (new.color,)
        or situation.course.judge(new.color, new.cells).is_legal
        or not before.judge(new.color, new.cells).is_legal
    ):
        return None
    after = before.play(new.color, new.cells)
    if not after.judge(last.act.color, last.act.cells).is_legal:
        return None
    return frozenset({New(new.color, new.cells, before=last.act.number)})


def _worth_reading(situation: Situation, raw: Board, unsure: Cells) -> tuple[Board, Cells]:
    """The board without what must not be read, and the cells that count as seen.

    Left as they should be are: cells that are unsure or already asked about, with every new block that reaches into them; what
    people have decided otherwise and nobody has touched since; and looks that people have said are not so.
    """
    standing, board = situation.standing, dict(raw)
    asked = frozenset[Cell]().union(*(question.cells for question in situation.questions if question.about == "change"))
    dismissed = _dismissed(situation, board, unsure)
    ignored = _put_off(situation, board, unsure | asked) | _untouched(situation, board, unsure | dismissed) | dismissed
    for cell in ignored:
        board.pop(cell, None)
        if cell in standing:
            board[cell] = standing[cell]
    everywhere = frozenset((row, col) for row in range(situation.size) for col in range(situation.size))
    return board, everywhere - ignored - unsure


def _put_off(situation: Situation, board: Board, held: Cells) -> Cells:
    """The cells that cannot be judged yet: the held ones, and the whole of every change that reaches into them."""
    if not held:
        return frozenset()
    standing, cells = situation.standing, set(held)
    waiting: set[str] = set()
    for color in set(board.values()):
        new = [cell for cell, found in board.items() if found == color and standing.get(cell) != color]
        for block in components(new):
            if block & held:
                cells |= block
                waiting.add(color)
    for piece in situation.lying:
        lost = {cell for cell in piece.cells if board.get(cell) != piece.color}
        if lost & held or (lost and piece.color in waiting):
            cells |= lost
    return frozenset(cells)


def _untouched(situation: Situation, board: Board, unsure: Cells) -> Cells:
    """The cells where people have decided what the camera does not see, as long as what lies there has not changed."""
    standing, seen = situation.standing, situation.seen
    differing = {cell for cell in seen.keys() | standing.keys() if seen.get(cell) != standing.get(cell)}
    untouched: set[Cell] = set()
    for group in _alike(differing, seen, standing):
        if all(board.get(cell) == seen.get(cell) for cell in group - unsure) and not _grew(group, board, seen, standing):
            untouched |= group
    return frozenset(untouched)


def _alike(cells: set[Cell], seen: Mapping[Cell, str], standing: Mapping[Cell, str]) -> Iterator[Cells]:
    """Connected cells with the same difference."""
    kinds: dict[tuple[str | None, str | None], set[Cell]] = defaultdict(set)
    for cell in cells:
        kinds[seen.get(cell), standing.get(cell)].add(cell)
    for group in kinds.values():
        yield from components(group)


def _grew(group: Cells, board: Board, seen: Mapping[Cell, str], standing: Mapping[Cell, str]) -> bool:
    """Whether new squares of its colour were put beside what lies on these cells."""
    color = seen.get(min(group))
    beside = frozenset[Cell]().union(*(side_neighbors(cell) for cell in group)) - group
    return color is not None and any(
        board.get(cell) == color and standing.get(cell) != color and seen.get(cell) != color for cell in beside
    )


def _dismissed(situation: Situation, board: Board, unsure: Cells) -> Cells:
    """The cells of looks that people have said are not so, as long as it looks like that."""
    cells: set[Cell] = set()
    for look in situation.dismissed:
        sure = [part for part in look if part[0] not in unsure]
        if sure and all(board.get(cell) == color for cell, color in sure):
            cells.update(cell for cell, _ in look)
    return frozenset(cells)


# -- acting


def _act(situation: Situation, seen: list[Seen], unsure: Cells, when: When) -> tuple[Situation, list[Event]]:
    """Do what is certain and ask about the rest."""
    found = _hypotheses(situation, seen, unsure)
    if not found:
        return situation, []
    best, settings = found[0], situation.settings
    second = found[1].p if len(found) > 1 else 0.0
    least = settings.accept_p if best.reading else settings.nothing_p
    if best.p >= least and best.p >= settings.accept_ratio * second:
        return _accept(held(situation, best.reading, when), best, seen, unsure, when)
    if situation.course.game.is_over:
        return situation, []
    certain = frozenset(item for item in best.reading if not isinstance(item, Odd) and _share(found, item) >= settings.accept_p)
    question = _Doubt(situation, found, certain)
    steps = [lambda now: _do_certain(held(now, certain, when), certain, when), lambda now: question.ask(now, when)]
    events: list[Event] = []
    for step in reversed(steps) if question.is_about(situation.course.game.on_turn) else steps:
        situation, told = step(situation)
        events += told
    return situation, events


def _accept(situation: Situation, best: Hypothesis, seen: list[Seen], unsure: Cells, when: When) -> tuple[Situation, list[Event]]:
    """Do what the likeliest reading says and remember what was seen."""
    if situation.course.game.is_over and not _matters_after_the_end(situation, best.reading):
        return situation, []
    reading, events, pieces = best.reading, list[Event](), frozenset[Piece]()
    is_once = is_swept(situation, reading)
    for _ in range(MOST_LAYERS):
        situation, told = apply_reading(situation, reading, when, is_whole=True)
        events += told
        before, pieces = pieces, frozenset(_pieces(situation))
        reading = max(_readings(situation, tuple(_pieces(situation)), best.board), key=lambda found: found[1])[0]
        if not reading or pieces == before or is_once:
            break
    draft = Draft(situation, when)
    draft.see(best.taken, situation.standing)  # what is still different is looked at again, not taken for a decision of the people
    draft.update(dismissed=tuple(look for look in situation.dismissed if not _is_refuted(situation, look, seen, unsure)))
    return draft.now, events


def _matters_after_the_end(situation: Situation, reading: Reading) -> bool:
    """Whether a reading is more than the board being cleared: a disputed piece taken back, or one put down with none taken away."""
    disputed = situation.disputed
    backs = [item for item in reading if isinstance(item, Gone) and item.number in disputed]
    return len(backs) == len(reading) or all(isinstance(item, New) for item in reading)


def _is_refuted(situation: Situation, look: Look, seen: list[Seen], unsure: Cells) -> bool:
    """Whether the camera agrees by now that it does not look like that."""
    if any(cell in unsure for cell, _ in look) or situation.settings.least_p <= _mass(seen, look):
        return False
    truth = tuple((cell, situation.standing.get(cell)) for cell, _ in look)
    return _mass(seen, truth) >= situation.settings.accept_p


def _mass(seen: list[Seen], look: Look) -> float:
    """How likely it is that the board looks like that."""
    return sum(view.p for view in seen if all(view.board.get(cell) == color for cell, color in look))


def _do_certain(situation: Situation, certain: Reading, when: When) -> tuple[Situation, list[Event]]:
    """Do the part of a reading that is certain."""
    if not certain:
        return situation, []
    cells = _cells_of(situation, certain)
    situation, events = apply_reading(situation, certain, when, is_whole=False)
    draft = Draft(situation, when)
    draft.see(cells, situation.standing)
    return draft.now, events


def _share(found: list[Hypothesis], item: Item) -> float:
    """How likely one item is, whatever else happened."""
    return sum(hypothesis.p for hypothesis in found if item in hypothesis.reading)


def _cells_of(situation: Situation, reading: Reading) -> Cells:
    """The cells that the items of a reading changed."""
    cells: set[Cell] = set()
    lying = {piece.number: piece.cells | piece.home for piece in situation.lying}
    for item in reading:
        if isinstance(item, New | Shifted | Amended):
            cells |= item.cells
        if isinstance(item, Back | Gone | Shifted | Amended):
            cells |= lying.get(item.number, frozenset())
    return frozenset(cells)


class _Doubt:
    """What is left to ask when the certain part of a look is done."""

    def __init__(self, situation: Situation, found: list[Hypothesis], certain: Reading) -> None:
        settings = situation.settings
        self.shares: dict[Reading, float] = {}
        boards: dict[Reading, Board] = {}
        for hypothesis in found:
            rest = hypothesis.reading - certain
            self.shares[rest] = self.shares.get(rest, 0.0) + hypothesis.p
            boards.setdefault(rest, hypothesis.board)
        likeliest = sorted(self.shares, key=lambda reading: -self.shares[reading])
        self.readings = [reading for reading in likeliest if self.shares[reading] >= settings.least_p][: settings.most_choices]
        done, standing = _cells_of(situation, certain), situation.standing
        differing = frozenset(cell for reading in self.readings for cell, _ in boards[reading].items() ^ standing.items())
        self.cells = differing - done or differing
        self.looks = {reading: look_at(boards[reading], self.cells) for reading in self.readings}
        self.looks.setdefault(frozenset(), look_at(dict(standing), self.cells))

    @property
    def color(self) -> str | None:
        """The colour whose piece is in doubt, when a piece came and only which one is not known."""
        came = news(self.readings[0]) if self.readings else ()
        is_plain = len(came) == 1 == len(self.readings[0]) and came[0].before is None
        return came[0].color if is_plain and self.shares.get(frozenset(), 0.0) < self.shares[self.readings[0]] else None

    def is_about(self, on_turn: str | None) -> bool:
        """Whether a piece of the colour on turn may have come."""
        return any(item.color == on_turn for reading in self.readings for item in news(reading))

    def ask(self, situation: Situation, when: When) -> tuple[Situation, list[Event]]:
        """Ask, unless nothing is left to ask; a piece in doubt takes its turn until it is known."""
        if not any(self.readings) or not self.cells:
            return situation, []
        draft, readings = Draft(situation, when), self.readings
        if frozenset() not in readings:
            readings = [*readings, frozenset()]
        act = draft.add("asked", self.color, news(readings[0])[0].cells) if self.color else None
        choices = [Choice(reading, self.shares.get(reading, 0.0), self.looks[reading]) for reading in readings]
        draft.ask("change", choices, act.number if act else None)
        return draft.settle(), tell(draft)
