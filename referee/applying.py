"""Doing what a reading says: pieces that came become placements or disputes, those that went back settle disputes or open them."""

from __future__ import annotations

from itertools import permutations

from referee.acts import What
from referee.cells import Cells
from referee.draft import Draft, When
from referee.events import Event
from referee.game import Game
from referee.readings import Amended, Back, Gone, New, Odd, Reading, Shifted, news
from referee.situation import Situation
from referee.telling import tell


def apply_reading(
    situation: Situation, reading: Reading, when: When, *, is_whole: bool, by: str = "camera"
) -> tuple[Situation, list[Event]]:
    """The situation after a reading is taken for true, and the events that tell it.

    `is_whole` when the reading explains all of the board, so that whatever it does not name is as it should be.
    """
    draft = Draft(situation, when, by=by)
    came = _Changes(draft).do(reading, is_whole=is_whole)
    situation = draft.settle("return")
    events = tell(draft)
    if came:
        draft = Draft(situation, when, by=by)
        put_down(draft, came)
        situation = draft.settle("misread")
        events += tell(draft)
    return situation, events


class _Changes:
    """What a reading changes about the pieces that lay on the board."""

    def __init__(self, draft: Draft) -> None:
        self.draft, self.situation = draft, draft.before
        last = self.situation.last_piece
        is_over = self.situation.course.game.is_over
        is_lenient = self.situation.options.touch == "lenient" and not is_over
        is_amendable = last is not None and is_lenient and last.verdict != "illegal" and not last.act.is_final
        self.amendable = last.act.number if last is not None and is_amendable else None

    def do(self, reading: Reading, *, is_whole: bool) -> tuple[New, ...]:
        """Carry it out; gives the pieces that came."""
        if is_whole:
            self._explain_odd(reading)
        for item in reading:
            if isinstance(item, Back):
                self._put_back(item.number)
            elif isinstance(item, Amended) and self.situation.act(item.number):
                self._amend(item)
        gone = sorted((item.number for item in reading if isinstance(item, Gone)), reverse=True)
        if self._is_being_cleared(gone):
            self._clear(gone)
        else:
            for number in gone:
                self._take_away(number)
        if is_swept(self.situation, reading):
            return ()
        shifted = sorted((item for item in reading if isinstance(item, Shifted)), key=lambda item: item.number)
        return (*(new for item in shifted for new in self._shift(item.number, item.cells)), *news(reading))

    def _explain_odd(self, reading: Reading) -> None:
        """Open disputes about unexplained cells, and close those whose cells are as they should be."""
        looks = {item.look for item in reading if isinstance(item, Odd)}
        for dispute in self.situation.disputes:
            if dispute.odd and dispute.odd not in looks:
                self.draft.close(dispute.id, "restored")
        known = {dispute.odd for dispute in self.situation.disputes}
        for look in sorted(looks - known, key=str):
            self.draft.dispute(odd=look)

    def _fault_of(self, number: int) -> int | None:
        """The last act by which the piece was moved or removed and which people have not let stand, if any."""
        return next((act.number for act in reversed(self.draft.now.acts) if act.subject == number and not act.stands), None)

    def _worsen(self, fault: int, what: What, number: int, color: str, cells: Cells = frozenset()) -> None:
        """Add to the dispute about a moved or removed piece that it was moved again or taken away."""
        dispute = self.draft.dispute_about(fault)
        act = self.draft.add(what, color, cells, subject=number)
        if dispute is not None and not dispute.is_cleared:
            self.draft.extend(dispute.id, [act.number])
        else:
            self.draft.leave_out(fault)

    def _put_back(self, number: int) -> None:
        while (fault := self._fault_of(number)) is not None:
            dispute = self.draft.dispute_about(fault)
            if dispute is not None:
                self.draft.hows[dispute.id] = "restored"
            self.draft.leave_out(fault)

    def _amend(self, item: Amended) -> None:
        dispute = self.draft.dispute_about(item.number)
        if dispute is not None:
            self.draft.hows[dispute.id] = "misread"
        self.draft.alter(item.number, cells=item.cells)

    def _is_disputed_piece(self, number: int) -> bool:
        return number in self.situation.disputed

    def _take_away(self, number: int) -> None:
        act = self.draft.now.act(number)
        if act is None:
            return
        fault = self._fault_of(number)
        if fault is not None:
            self._worsen(fault, "removed", number, act.color)
        elif self._is_disputed_piece(number):
            self._return(number)
        elif number == self.amendable:
            self.draft.take_back(number)
        else:
            self.draft.add("removed", act.color, subject=number)

    def _return(self, number: int) -> None:
        """Take a disputed piece out of the course; those that came with it are judged for themselves."""
        act = self.draft.now.act(number)
        self.draft.take_back(number)
        if act is not None and act.group is not None:
            self._part(act.group)

    def _part(self, group: int) -> None:
        left = [act.number for act in self.draft.now.acts if act.group == group]
        for number in left:
            self.draft.alter(number, group=None, joint=len(left) > 1)

    def _shift(self, number: int, cells: Cells) -> tuple[New, ...]:
        """Move a piece; gives it as one that came when it was taken back and put down anew."""
        act, fault = self.draft.now.act(number), self._fault_of(number)
        if act is None:
            return ()
        if fault is not None:
            self._worsen(fault, "moved", number, act.color, cells)
            return ()
        if self._is_disputed_piece(number):
            self._return(number)
            return (New(act.color, cells),)
        if number != self.amendable:
            self.draft.add("moved", act.color, cells, subject=number)
            return ()
        if self.situation.course.before(number).judge(act.color, cells).is_legal:
            self.draft.alter(number, cells=cells)
            return ()
        self.draft.take_back(number)
        return (New(act.color, cells),)

    # -- the board being cleared

    def _is_being_cleared(self, gone: list[int]) -> bool:
        """Whether so many pieces have gone, at once or one by one, that the board is being cleared."""
        ruled = [number for number in gone if not self._is_disputed_piece(number)]
        missing = sum(act.what == "removed" and not act.stands for act in self.draft.now.acts)
        return bool(ruled) and len(ruled) + missing >= self.situation.settings.sweep_pieces

    def _clear(self, gone: list[int]) -> None:
        """Note all pieces gone in one dispute."""
        acts = []
        for number in sorted(gone):
            act = self.draft.now.act(number)
            if act is not None and not self._is_disputed_piece(number) and self._fault_of(number) is None:
                acts.append(self.draft.add("removed", act.color, subject=number).number)
            else:
                self._take_away(number)
        cleared = next((dispute for dispute in self.draft.now.disputes if dispute.is_cleared), None)
        if cleared is None:
            self.draft.dispute(acts, is_cleared=True)
        else:
            self.draft.extend(cleared.id, acts)


def is_swept(situation: Situation, reading: Reading) -> bool:
    """Whether so many pieces have gone at one look that whatever else moved is part of the clearing and no move."""
    return sum(isinstance(item, Gone) for item in reading) >= situation.settings.sweep_pieces


# -- pieces that came


def put_down(draft: Draft, came: tuple[New, ...]) -> None:
    """Add pieces to the course: one as it is; several as joint placements when all are legal in turn, else as one group."""
    if len(came) == 1:
        new = came[0]
        if new.before is None:
            draft.add("placed", new.color, new.cells)
        else:
            draft.add("placed", new.color, new.cells, at=draft.place_of(new.before), joint=True)
        return
    orders = _orders_in_turn(draft.now, came)
    group = None if orders else draft.now.next_number
    for new in next(iter(orders), _usual_order(draft.now, came)):
        draft.add("placed", new.color, new.cells, joint=bool(orders), group=group)
    if len({game.may_play for game in orders.values()}) > 1:
        draft.add("open", "")


def _orders_in_turn(situation: Situation, came: tuple[New, ...]) -> dict[tuple[New, ...], Game]:
    """The orders in which all are legal, one a colour, the usual one first, each with the game after it."""
    if len({new.color for new in came}) < len(came):
        return {}
    games = {order: _played_in(situation, order) for order in permutations(_usual_order(situation, came))}
    return {order: game for order, game in games.items() if game is not None}


def _played_in(situation: Situation, order: tuple[New, ...]) -> Game | None:
    """The game after the pieces in this order; None when one of them is illegal."""
    game = situation.course.game
    for new in order:
        if not game.judge(new.color, new.cells).is_legal:
            return None
        game = game.play(new.color, new.cells)
    return game


def _usual_order(situation: Situation, came: tuple[New, ...]) -> tuple[New, ...]:
    """The pieces in turn order from the colour on turn on."""
    game = situation.course.game
    colors = game.colors
    first = colors.index(game.on_turn) if game.on_turn in colors else 0
    return tuple(sorted(came, key=lambda new: ((colors.index(new.color) - first) % len(colors), sorted(new.cells))))
