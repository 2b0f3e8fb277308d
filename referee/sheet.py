"""What a score sheet says of a refereed game: how it stands, the log of its moves, and every dispute with its end.

The log tells the game as it counts now: undone placements are gone from it, skipped turns stand in it, and what the table let stand
is marked. What was disputed and how it ended, and what people corrected, is listed apart, in the order in which it happened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from referee.cells import LETTER_COLOR, Cells, cell_name, components
from referee.events import HOW_WORDS, counted, kinds_words, listed_cells
from referee.game import Game
from referee.options import GameOptions
from referee.people import mover
from referee.pieces import squares_of
from referee.record import About, Record
from referee.table import Table
from referee.tally import Tally

What = Literal["move", "found", "skipped", "lost", "blocked", "finished"]
"""The kinds of lines of a log: a piece put down; one that lay there at the beginning; a retired colour passed over; a turn lost to a
placement out of turn that was let stand or to an undone one; a colour that can play no more; one that has placed everything."""


@dataclass(frozen=True)
class LogLine:
    """One line of the log.

    Attributes:
        what: its kind.
        turn: the number of the placement; None for what uses none.
        color: whose.
        person: who moved it, by name.
        piece: the piece, "" when the squares are none or nothing was put down.
        squares: its squares by name, `a1 a2`.
        ruling: "legal", "illegal", "let_stand" or "found"; "" when nothing was put down.
        rules: the broken rules in words.
        kinds: their kinds.
    """

    what: What
    turn: int | None
    color: str
    person: str = ""
    piece: str = ""
    squares: str = ""
    ruling: str = ""
    rules: str = ""
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True)
class MatterLine:
    """A dispute and its end, or something that people corrected.

    Attributes:
        after_turn: the last placement before it, 0 when there was none.
        words: what it was, in a sentence.
        end: how it ended; "open" while it has not; "" for a correction.
        is_house_decision: whether the table let a wrong placement stand.
        event: what was told, as JSON.
        how: how it ended, in one word; "" for a correction.
        who: who decided so, by name.
    """

    after_turn: int
    words: str
    end: str
    is_house_decision: bool = False
    event: Mapping[str, Any] = field(default_factory=dict)
    how: str = ""
    who: str = ""


@dataclass(frozen=True)
class Sheet:
    """A score sheet.

    Attributes:
        tally: the results and what must be said with them.
        log: the moves.
        matters: disputes and corrections.
        agreed: what the people agreed on before the first move, in words.
        pieces: what lies on the board, each a colour and its cells that can be seen.
        disputed: the cells of open disputes.
        about: date, place and occasion.
    """

    tally: Tally
    log: tuple[LogLine, ...]
    matters: tuple[MatterLine, ...]
    agreed: tuple[str, ...]
    pieces: tuple[tuple[str, Cells], ...]
    disputed: Cells
    about: About

    @staticmethod
    def of_table(table: Table, about: About | None = None, remarks: Sequence[str] = ()) -> Sheet:
        """The sheet of the game at a table, as it is now; `remarks` are further sentences to be said with the scores."""
        state = table.state()
        disputed = frozenset().union(*(listed_cells(dispute["cells"]) for dispute in state["disputes"]))
        return Sheet(
            Tally.of_state(table.options, state, remarks),
            tuple(_log(table.options, state)),
            tuple(_matters(table, state)),
            tuple(_agreed(table.options)),
            tuple(_pieces(table, state)),
            disputed,
            about or About(),
        )


def remarks_on(record: Record) -> tuple[str, ...]:
    """What must be said with the scores of a record that was not read or not played to its end."""
    damage = [f"The record could be read only in part: {record.damage}."] if record.damage else []
    moves = f"{counted(record.unplayed, 'move')} of the record after its first wrong placement"
    unplayed = [f"{moves} {'is' if record.unplayed == 1 else 'are'} not counted."] if record.unplayed else []
    return (*damage, *unplayed)


# -- the log


def _log(options: GameOptions, state: Mapping[str, Any]) -> Iterator[LogLine]:
    """The placements with what each of them caused, and the turns passed over between them."""
    found = [placement for placement in state["placements"] if placement["found"]]
    game = Game.from_position(options, [(placement["color"], listed_cells(placement["home"])) for placement in found])
    counts = Counter[str]()
    for placement in found:
        yield _placed(options, placement, counts)
    yield from (_caused(color, why) for color, why in game.retired.items())
    last = ""
    for placement in state["placements"][len(found) :]:
        color, before = placement["color"], game
        if last and color not in game.retired:
            yield from _passed(state["order"], last, placement, game)
        yield _placed(options, placement, counts)
        game = game.play(color, listed_cells(placement["home"]), force=True)
        yield from (_caused(color, why) for color, why in game.retired.items() if color not in before.retired)
        last = last if color in before.retired else color


def _passed(order: Sequence[str], last: str, placement: Mapping[str, Any], game: Game) -> Iterator[LogLine]:
    """The colours passed over before a placement, in turn order.

    Where one of them could still play, its turn is lost only by the table's decision; the others are then no skips in turn either.
    """
    start = order.index(last)
    steps = (order.index(placement["color"]) - start - 1) % len(order)
    passed = [order[(start + step) % len(order)] for step in range(1, steps + 1)]
    is_decided = placement["ruling"] == "let_stand"
    if is_decided or all(color in game.retired for color in passed):
        yield from (LogLine("skipped" if color in game.retired else "lost", None, color) for color in passed)


def _placed(options: GameOptions, placement: Mapping[str, Any], counts: Counter[str]) -> LogLine:
    """The line of a placement; `counts` has the pieces each colour put down before it, which tell who moves a shared one."""
    color, size = placement["color"], options.rules.size
    counts[color] += 1
    return LogLine(
        "found" if placement["found"] else "move",
        placement["turn"],
        color,
        mover(options, color, counts[color] - 1),
        placement["piece"] or "",
        _names(listed_cells(placement["home"]), size),
        "found" if placement["found"] else placement["ruling"],
        kinds_words(placement["kinds"]) if placement["ruling"] != "legal" else "",
        tuple(placement["kinds"]),
    )


def _caused(color: str, why: str) -> LogLine:
    return LogLine("blocked" if why == "blocked" else "finished", None, color)


# -- disputes and corrections


def _matters(table: Table, state: Mapping[str, Any]) -> Iterator[MatterLine]:
    """Disputes as they were last told, each once, and what people corrected; in the order in which they were first told."""
    is_open = {dispute["id"] for dispute in state["disputes"]}
    told: dict[object, tuple[int, str, Mapping[str, Any]]] = {}
    ends: dict[object, str] = {}
    people: dict[object, str] = {}
    turn = 0
    for event in table.events:
        fields = event.fields
        if event.name == "placement":
            turn = int(fields["turn"])
        elif event.name == "dispute":
            told[fields["id"]] = (told[fields["id"]][0] if fields["id"] in told else turn, event.sentence, event.as_json())
        elif event.name == "resolved":
            ends[fields["id"]] = str(fields["how"])
            people[fields["id"]] = str(fields.get("who") or "")
        elif event.name == "corrected" and fields["by"] == "person":
            told[len(told), "correction"] = (turn, f"Corrected by the table: {event.sentence}", event.as_json())
    for key, (after, words, body) in told.items():
        how = "" if isinstance(key, tuple) else "open" if key in is_open else ends.get(key, "undo")
        who = people.get(key, "") if how in HOW_WORDS else ""
        yield MatterLine(after, words, HOW_WORDS.get(how, how) + (f" ({who})" if who else ""), how == "let_stand", body, how, who)


# -- what was agreed on


def _agreed(options: GameOptions) -> Iterator[str]:
    """What the people agreed on, as far as it is not the usual."""
    if options.order is not None:
        yield f"Turn order {', '.join(options.order)}"
    if options.starts == "free":
        yield "Any free start corner"
    if options.touch == "strict":
        yield "House rule: a legal piece stays where it was put"
    for color, names in options.missing.items():
        if names:
            yield f"{color.capitalize()}'s set lacks {', '.join(names)} ({squares_of(names)} of its squares)"
    if options.mirrored:
        yield "The picture was a mirror image"


# -- the board


def _pieces(table: Table, state: Mapping[str, Any]) -> Iterator[tuple[str, Cells]]:
    """What lies on the board: each piece with its cells that no later one covers, then squares that no piece explains."""
    standing = {
        (row, col): LETTER_COLOR[letter]
        for row, line in enumerate(state["grid"])
        for col, letter in enumerate(line)
        if letter in LETTER_COLOR
    }
    shown = []
    for color, cells in reversed(list(table.pieces_on_board())):
        visible = frozenset(cell for cell in cells if standing.get(cell) == color)
        for cell in visible:
            del standing[cell]
        shown.append((color, visible))
    yield from ((color, cells) for color, cells in reversed(shown) if cells)
    for color in sorted(set(standing.values())):
        yield from ((color, group) for group in components(cell for cell, there in standing.items() if there == color))


def _names(cells: Cells, size: int) -> str:
    """The cells by name in reading order, with blanks between them."""
    return " ".join(cell_name(cell, size) for cell in sorted(cells))
