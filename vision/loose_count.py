"""The loose pieces counted, colour by colour, and compared with what the board leaves over.

This is the count that players do by hand at the end of a game; with an empty board it checks that the sets are complete.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from referee.events import counted
from referee.pieces import in_piece_order
from referee.scoring import Span
from referee.variants import Variant
from vision.findings import Finding
from vision.loose import LooseLook
from vision.verdicts import ColorLeft


@dataclass(frozen=True)
class LooseFinding(Finding):
    """What the count of one colour tells.

    Its kind is ``loose_count`` when table and board agree, ``loose_mismatch`` when they do not, and ``loose_unsure`` when not
    everything that is needed for it could be told.

    Attributes:
        color: whose pieces.
        loose: squares seen for certain beside the board.
        left: fewest and most squares that the board leaves over.
    """

    color: str
    loose: int
    left: tuple[int, int]

    def as_json(self) -> dict[str, Any]:
        """The contract's object, with the numbers beside the sentence."""
        return super().as_json() | {"color": self.color, "squares_loose": self.loose, "squares_left": list(self.left)}


def count_loose(look: LooseLook, left: dict[str, ColorLeft], variant: Variant) -> tuple[LooseFinding, ...]:
    """One finding a colour; none at all when no loose piece is in the picture.

    Args:
        look: what lies beside the board.
        left: what each colour has left by the board.
        variant: the game.

    What it does not know: what lies outside the picture, or under something.
    """
    if not look.pieces:
        return ()
    return tuple(_finding(_Count.of(color, look), left[color], variant) for color in variant.colors)


@dataclass(frozen=True)
class _Count:
    """The loose pieces of one colour: squares told, names told, and how many things were not told."""

    color: str
    squares: int
    names: tuple[str, ...]
    groups: int
    unsure: int
    hidden: bool

    @classmethod
    def of(cls, color: str, look: LooseLook) -> _Count:
        own = [piece for piece in look.pieces if piece.color == color]
        told = [piece for piece in own if piece.squares is not None]
        names = in_piece_order(piece.piece for piece in told if piece.piece)
        squares = sum(piece.squares or 0 for piece in told)
        return cls(color, squares, names, len(told) - len(names), len(own) - len(told), color in look.hidden)


def _finding(count: _Count, left: ColorLeft, variant: Variant) -> LooseFinding:
    parts = _of_set(count, left, variant) if left.squares == (variant.squares,) * 2 else _by_board(count, left)
    message = f"{count.color.capitalize()}: {'; '.join(parts)}."
    return LooseFinding(_kind(count, left), frozenset(), message, count.color, count.squares, left.squares)


def _kind(count: _Count, left: ColorLeft) -> str:
    low, high = left.squares
    is_open = count.unsure > 0 or count.hidden
    if count.squares > high or (count.squares < low and not is_open) or _spare(count, left):
        return "loose_mismatch"
    return "loose_unsure" if is_open or low < high else "loose_count"


def _by_board(count: _Count, left: ColorLeft) -> Iterator[str]:
    """The sentence in parts: the squares on the table and by the board, and what else there is to say."""
    low, high = left.squares
    open_ended = count.unsure > 0 or count.hidden
    told = f"{'at least ' * open_ended}{counted(count.squares, 'square')} left"
    on_table = "no squares told" if open_ended and not count.squares else told
    yield f"{on_table} on the table, {Span(low, high)} by the board"
    yield from _doubts(count)
    if spare := _spare(count, left):
        yield f"{_named(spare)} should not be there"
    if low == high and count.squares < low:
        missing = _missing(count, left)
        yield f"not seen: {_named(missing)}" if missing else f"{counted(low - count.squares, 'square')} not seen"


def _of_set(count: _Count, left: ColorLeft, variant: Variant) -> Iterator[str]:
    """The sentence in parts when the board has nothing of a colour: whether its set is complete."""
    size, missing = len(variant.pieces), _missing(count, left)
    if not missing and not _spare(count, left) and count.squares == variant.squares and not count.unsure:
        yield f"the whole set lies on the table, {size} pieces, {count.squares} squares"
        return
    told = f"{count.squares} of the set's {variant.squares} squares" if count.groups else f"{len(count.names)} of the set's {size} pieces"
    yield f"{told} told on the table"
    yield from _doubts(count)
    if spare := _spare(count, left):
        yield f"{_named(spare)} should not be there"
    if missing and count.names:
        yield f"not seen: {_named(missing, most=12)}"


def _doubts(count: _Count) -> Iterator[str]:
    if count.hidden:
        yield f"the table is too much like {count.color} to tell all"
    if count.unsure:
        yield f"{'one thing' if count.unsure == 1 else f'{count.unsure} things'} there could not be told for certain"


def _named(names: tuple[str, ...], most: int = 6) -> str:
    """The names, or how many they are where a sentence does not bear so many."""
    return ", ".join(names) if len(names) <= most else f"{len(names)} pieces"


def _missing(count: _Count, left: ColorLeft) -> tuple[str, ...]:
    """Pieces that the board leaves over and that were not seen; none when some of what was seen has no name."""
    return () if count.groups else in_piece_order((Counter(left.pieces) - Counter(count.names)).elements())


def _spare(count: _Count, left: ColorLeft) -> tuple[str, ...]:
    """Pieces beside the board that it does not leave over; none where the board itself was not told whole."""
    low, high = left.squares
    return in_piece_order((Counter(count.names) - Counter(left.pieces)).elements()) if low == high else ()
