"""What the people agree on before the first move: variant, scoring, order, starts, names, touch rule and lost pieces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from referee.cells import Cell, require_color
from referee.errors import OptionsError
from referee.pieces import in_piece_order, require_piece
from referee.plain_text import plain_line
from referee.variants import VARIANTS, Ring, Variant, get_variant

SCORINGS = ("basic", "advanced")
STARTS = ("seated", "free", "assigned")
TOUCHES = ("lenient", "strict")


@dataclass(frozen=True)
class GameOptions:
    """The options of one game; what is left at None or empty is the variant's.

    Attributes:
        variant: the variant's name.
        scoring: "basic" or "advanced".
        order: the turn order, starter first. None: the variant's; where the players choose it, it is learnt from the first pieces.
        starts: "seated": the first piece fixes which corner is whose, clockwise in turn order; "free": any free start cell;
            "assigned": each colour has the start cell of `start_cells`, without that the first ring's cells in the variant's order.
        start_cells: the start cell of each colour, for "assigned".
        players: names; by teams where there are two, else by people, in the order of the colours they play.
        touch: "lenient": a legal piece may be shifted until the next colour plays; "strict": it may not.
        missing: for each colour the pieces its set lacks.
        shared: the colour all play in rotation, where the variant has one.
        mirrored: the picture is a mirror image: clockwise at the table runs counter-clockwise in rows and columns.
        marks: two marked start cells of the 14x14 board when they are known; None: either diagonal.

    Raises:
        OptionsError, UnknownNameError: a name that does not exist, or options that contradict each other.
    """

    variant: str = "classic"
    scoring: str | None = None
    order: tuple[str, ...] | None = None
    starts: str = "seated"
    start_cells: Mapping[str, Cell] | None = field(default=None, hash=False)
    players: tuple[str, ...] = ()
    touch: str = "lenient"
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    shared: str | None = None
    mirrored: bool = False
    marks: tuple[Cell, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse options that contradict each other."""
        _check_words(self)
        _check_order(self)
        _check_starts(self)
        _check_people(self)
        _check_missing(self)

    @cached_property
    def rules(self) -> Variant:
        """The variant's data."""
        return get_variant(self.variant)

    @property
    def scoring_used(self) -> str:
        """The scoring agreed on, else the variant's."""
        return self.scoring or self.rules.scoring

    @property
    def order_used(self) -> tuple[str, ...] | None:
        """The turn order when it is known before the first piece, else None."""
        known_by_starts = self.starts == "assigned"
        return self.order or (self.rules.colors if self.rules.order_fixed or known_by_starts else None)

    @property
    def shared_used(self) -> str | None:
        """The colour that all play in rotation, or None."""
        return (self.shared or self.rules.shared) if self.rules.shared else None

    @property
    def rings(self) -> tuple[Ring, ...]:
        """The start rings possible in this game, clockwise as the people sit."""
        rings = tuple(ring for ring in self.rules.rings if self.marks is None or set(ring) == set(self.marks))
        return tuple((ring[0], *ring[:0:-1]) for ring in rings) if self.mirrored else rings

    @cached_property
    def sets(self) -> dict[str, tuple[str, ...]]:
        """The pieces each colour starts with, copies repeated, lost pieces left out."""
        return {color: _without(self.rules.pieces, self.missing.get(color, ())) for color in self.rules.colors}

    def as_json(self) -> dict[str, Any]:
        """The options as JSON values; `from_json` reads them back."""
        return {
            "variant": self.variant,
            "scoring": self.scoring,
            "order": None if self.order is None else list(self.order),
            "starts": self.starts,
            "start_cells": None if self.start_cells is None else {color: list(cell) for color, cell in self.start_cells.items()},
            "players": list(self.players),
            "touch": self.touch,
            "missing": {color: list(names) for color, names in self.missing.items()},
            "shared": self.shared,
            "mirrored": self.mirrored,
            "marks": None if self.marks is None else [list(cell) for cell in self.marks],
        }

    @staticmethod
    def from_json(values: Mapping[str, Any]) -> GameOptions:
        """Options from the values of `as_json`; left-out ones have their defaults.

        Raises:
            OptionsError, UnknownNameError: an unknown key, a value of the wrong kind, or values that contradict each other.
        """
        unknown = set(values) - set(_READERS)
        if unknown:
            raise OptionsError(f"unknown game options: {', '.join(sorted(unknown))}")
        return GameOptions(**{key: _read(key, value) for key, value in values.items() if value is not None})


def _read(key: str, value: Any) -> Any:
    """The value of one option from JSON.

    Raises:
        OptionsError: it is of the wrong kind.
    """
    try:
        return _READERS[key](value)
    except (TypeError, ValueError, AttributeError) as error:
        raise OptionsError(f"the game option {key} cannot be {value!r}") from error


def _word(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _words(values: Any) -> tuple[str, ...]:
    if isinstance(values, str):
        raise TypeError
    return tuple(_word(value) for value in values)


def _names(values: Any) -> tuple[str, ...]:
    return tuple(plain_line(name) for name in _words(values))


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _cell(value: Any) -> Cell:
    row, col = value
    return int(row), int(col)


_READERS: dict[str, Callable[[Any], Any]] = {
    "variant": _word,
    "scoring": _word,
    "order": _words,
    "starts": _word,
    "start_cells": lambda value: {_word(color): _cell(cell) for color, cell in value.items()},
    "players": _names,
    "touch": _word,
    "missing": lambda value: {_word(color): _words(names) for color, names in value.items()},
    "shared": _word,
    "mirrored": _flag,
    "marks": lambda value: tuple(_cell(cell) for cell in value),
}


def parse_missing(text: str) -> dict[str, tuple[str, ...]]:
    """The lost pieces of a text like `blue:-W,red:-I5`, by colour.

    Raises:
        OptionsError: the text is not of that form.
    """
    missing: dict[str, tuple[str, ...]] = {}
    for part in filter(None, text.split(",")):
        color, mark, piece = part.strip().partition(":-")
        if not mark:
            raise OptionsError(f"{part.strip()!r} is no lost piece; write it like blue:-W")
        missing[color] = (*missing.get(color, ()), piece)
    return missing


def _without(pieces: tuple[str, ...], lost: tuple[str, ...]) -> tuple[str, ...]:
    left = list(pieces)
    for name in lost:
        left.remove(name)
    return in_piece_order(left)


def _check_words(options: GameOptions) -> None:
    for what, value, known in (
        ("scoring", options.scoring, SCORINGS),
        ("starts", options.starts, STARTS),
        ("touch", options.touch, TOUCHES),
    ):
        if value is not None and value not in known:
            raise OptionsError(f"unknown {what} {value!r}; it is one of {', '.join(known)}")


def _check_order(options: GameOptions) -> None:
    colors = options.rules.colors
    if options.order is None:
        return
    for color in options.order:
        require_color(color, colors)
    if sorted(options.order) != sorted(colors):
        raise OptionsError(f"the order must name each of {', '.join(colors)} once, not {', '.join(options.order)}")
    if options.rules.order_fixed and options.order != colors:
        raise OptionsError(f"the order of {options.variant} is {', '.join(colors)}")


def _check_starts(options: GameOptions) -> None:
    if options.marks is not None and not options.rings:
        raise OptionsError(f"the marked start cells of {options.variant} cannot be {options.marks}")
    if options.start_cells is None:
        return
    if options.starts != "assigned":
        raise OptionsError("start cells can only be given with assigned starts")
    cells = set(options.start_cells.values())
    if set(options.start_cells) != set(options.rules.colors) or not any(cells == set(ring) for ring in options.rings):
        raise OptionsError(f"each colour of {options.variant} needs a start cell of its own")


def _check_people(options: GameOptions) -> None:
    rules = options.rules
    allowed = {0, rules.people, len(rules.teams)} if rules.shared is None else {0, rules.people}
    if len(options.players) not in allowed:
        given = len(options.players)
        names = "1 name was" if given == 1 else f"{given} names were"
        raise OptionsError(f"{options.variant} is played by {rules.people}, but {names} given{_variants_for(rules, given)}")
    if len(set(options.players)) != len(options.players):
        raise OptionsError("two players have the same name")
    if options.shared is not None and rules.shared is None:
        raise OptionsError(f"no colour is shared in {options.variant}")
    if options.shared is not None:
        require_color(options.shared, rules.colors)


def _variants_for(rules: Variant, people: int) -> str:
    """What so many people may play with the same board and colours, as the end of a sentence."""
    others = [other.name for other in VARIANTS.values() if other.people == people and other.colors == rules.colors]
    return f"; {people} play {' or '.join(others)}" if others else ""


def _check_missing(options: GameOptions) -> None:
    for color, names in options.missing.items():
        require_color(color, options.rules.colors)
        for name in names:
            if names.count(name) > options.rules.pieces.count(require_piece(name).name):
                raise OptionsError(f"a set of {options.variant} has no such {name} to lose")
