"""The page's words that depend on data: one catalogue, so that a translation has one place to go.

Sentences about the game (rulings, disputes, remedies) come from the referee; words that never change stand in the templates.
"""

from __future__ import annotations

from collections.abc import Sequence

VARIANTS = {
    "classic": "Classic, four colours",
    "two_player": "Two players, two colours each",
    "three_player": "Three players, one colour shared",
    "partners": "Partners, two teams",
    "duo": "Duo",
    "junior": "Junior",
}
"""Names of the variants as people choose them."""

KINDS = {
    "not_a_piece": "Not a piece",
    "piece_already_used": "Piece used twice",
    "off_board": "Off the grid",
    "overlap": "On top of another piece",
    "edge_contact": "Side touches its own colour",
    "no_corner_contact": "No corner contact",
    "start_not_covered": "Start corner not covered",
    "out_of_turn": "Out of turn",
    "color_retired": "This colour is out",
    "game_over": "The game is over",
    "piece_moved": "A piece has moved",
    "piece_removed": "A piece is gone",
    "two_pieces": "Several pieces at once",
    "unexplained": "Something unexplained",
}
"""Headings of the violations of RULES.md sections 2 and 6."""

CAMERA = {
    "ready": ("calm", "Watching"),
    "motion": ("busy", "Watching: something moves"),
    "settling": ("busy", "Watching: looking closely"),
    "hidden": ("busy", "Watching: a hand is in the way"),
    "dark": ("loud", "Not watching: too dark"),
    "blurred": ("loud", "Not watching: the picture is blurred"),
    "no_board": ("loud", "Not watching: no board in sight"),
    "lost": ("loud", "Not watching: camera lost"),
    "paused": ("loud", "Not watching: paused"),
    "ended": ("none", "The recording has ended"),
    None: ("none", "No camera: pieces are entered by hand"),
}
"""Loudness and heading of the camera's states (CONTRACT.md ``state`` events); None when no camera was ever connected."""

RETIRED = {"blocked": "Blocked", "finished": "All placed"}
"""Badges of colours that are never on turn again."""

RULINGS = {"legal": "", "illegal": "disputed", "let_stand": "let stand"}
"""Marks in the list of moves."""

SCORING = {"basic": "basic scoring, fewest squares left wins", "advanced": "advanced scoring, most points win"}
"""How the winner is found."""


def title(kind: str) -> str:
    """Heading of a violation; an unknown kind is shown as it is rather than hidden."""
    return KINDS.get(kind, kind.replace("_", " ").capitalize())


def ordinal(place: int) -> str:
    """``1st``, ``2nd``, ``3rd``, ``4th`` ..."""
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def join_names(names: Sequence[str]) -> str:
    """``Ann``, ``Ann and Bea``, ``Ann, Bea and Cem``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "nobody"


def count(number: int, one: str, many: str) -> str:
    """``1 piece``, ``3 pieces``."""
    return f"{number} {one if number == 1 else many}"
