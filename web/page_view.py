"""What the page says around the board, worked out from the state: turn, camera, colours, disputes, questions, moves and the result.

Templates only print these values; every choice of what to show is here and tested without HTML.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.cells import COLOR_LETTER, Cell
from referee.events import listed_cells
from referee.scoring import Span
from web import texts
from web.board_view import State
from web.outlines import outline
from web.spoken import candidate_words, color_word, listed, person_word, pieces_left_words, spoken, squares_words
from web.translating import number, tr
from web.tray import Tray


@dataclass(frozen=True)
class Banner:
    """The biggest line of the page: whose turn it is or how the game stands; ``color`` tints it, None for none."""

    color: str | None
    over: str
    title: str
    subtitle: str = ""


@dataclass(frozen=True)
class Camera:
    """State of the watching: ``level`` is 'calm', 'busy', 'loud' or 'none'."""

    level: str
    title: str
    reason: str


@dataclass(frozen=True)
class ColorCard:
    """One colour's card: what is left, whether it still plays, how it stands."""

    color: str
    letter: str
    owner: str
    squares_left: str
    pieces_left: tuple[str, ...]
    left: frozenset[tuple[str, int]]
    left_words: str
    tray: Tray
    badge: str
    badge_reason: str
    score: str
    on_turn: bool
    can_claim: bool


@dataclass(frozen=True)
class Evidence:
    """One picture with its caption; ``margin`` is the width of the rim that it shows round the grid, in squares."""

    name: str
    caption: str
    margin: float


@dataclass(frozen=True)
class Remedy:
    """A way out of a dispute: a button's label and what pressing it will do; ``editor`` is the editor's mode where that asks for more."""

    how: str
    label: str
    effect: str
    editor: str = ""


@dataclass(frozen=True)
class DisputeView:
    """An open dispute, ready to be drawn."""

    id: int
    color: str | None
    title: str
    titles: tuple[str, ...]
    message: str
    evidence: tuple[Evidence, ...]
    view_box: str
    changed_path: str
    offending: tuple[Cell, ...]
    remedies: tuple[Remedy, ...]
    more: int


@dataclass(frozen=True)
class Candidate:
    """One answer to a question: what it would be and how sure the program is."""

    choice: int
    color: str | None
    label: str
    sureness: str
    path: str


@dataclass(frozen=True)
class QuestionView:
    """An open question with its candidates, likeliest first; ``view_box`` is the part of the board that they are about, '' for none."""

    id: int
    message: str
    view_box: str
    evidence: tuple[Evidence, ...]
    candidates: tuple[Candidate, ...]
    more: int


@dataclass(frozen=True)
class Move:
    """One line of the list of moves."""

    turn: int
    color: str
    piece: str
    mark: str


@dataclass(frozen=True)
class Standing:
    """One player's line of the table of places; ``tied`` when the place is shared."""

    place: str
    name: str
    colors: tuple[str, ...]
    score: str
    winner: bool
    tied: bool


_PHYSICAL = {"piece_moved", "piece_removed", "unexplained"}
"""Kinds of disputes that are about no placement, so that the turn does not depend on them."""


def banner(state: State) -> Banner:
    """The page's biggest line."""
    status = state.get("status")
    if status == "over":
        return _over(state)
    if status == "abandoned":
        return Banner(None, *map(tr, texts.ABANDONED))
    on_turn = state.get("on_turn")
    if not on_turn or not on_turn.get("color"):
        return Banner(None, *map(tr, _nobody_on_turn(state)))
    color, player = on_turn["color"], on_turn.get("player") or ""
    return Banner(color, tr(_to_play(state)), color_word(color), "" if player.lower() == color else player)


def _nobody_on_turn(state: State) -> tuple[str, str, str]:
    """What the biggest line says while nobody is known to be on turn."""
    if state.get("disputes"):
        return texts.TURN_AFTER_DISPUTE
    if state.get("questions"):
        return texts.TURN_AFTER_QUESTION
    return texts.WHO_PLAYS if state.get("placements") else texts.FIRST_PIECE


def _to_play(state: State) -> str:
    """What the colour on turn is: as the table judges on, it depends on what is open."""
    if any(not set(dispute.get("kinds") or ()) & _PHYSICAL for dispute in state.get("disputes") or ()):
        return texts.TO_PLAY["dispute"]
    if state.get("questions"):
        return texts.TO_PLAY["question"]
    return texts.TO_PLAY["unfinished" if state.get("status") == "unfinished" else "playing"]


def _over(state: State) -> Banner:
    winners = list((state.get("scores") or {}).get("winners") or ())
    if not winners:
        return Banner(None, tr("Game over"), tr("Nobody has won"))
    won = tr("{names} wins") if len(winners) == 1 else tr("{names} share the win")
    colors = [color for player in _players(state) if player["name"] in winners for color in player.get("colors", ())]
    return Banner(
        colors[0] if len(winners) == 1 and colors else None, tr("Game over"), won.format(names=listed(list(map(person_word, winners))))
    )


def _players(state: State) -> Sequence[Mapping[str, Any]]:
    return (state.get("scores") or {}).get("players") or state.get("players") or ()


def camera(state: State) -> Camera:
    """How the watching goes; an unknown state is shown loudly rather than hidden."""
    seen = state.get("camera") or {}
    name = seen.get("state")
    level, heading = texts.CAMERA.get(name, ("loud", f"Not watching: {name}"))
    return Camera(level, tr(heading), tr(str(seen.get("reason") or "")))


def color_cards(state: State, trays: Mapping[str, Tray]) -> list[ColorCard]:
    """The colours in turn order; ``trays`` gives each colour's whole set."""
    names = state.get("order") or list(state["colors"])
    return [_card(state, color, trays[color]) for color in names]


def _card(state: State, color: str, tray: Tray) -> ColorCard:
    facts = state["colors"][color]
    left = tuple(facts.get("pieces_left") or ())
    retired = facts.get("retired")
    playing = state.get("status") in ("waiting", "playing", "unfinished")
    return ColorCard(
        color=color,
        letter=COLOR_LETTER[color],
        owner=_owner(state, color),
        squares_left=str(Span.from_json(facts["squares_left"])),
        pieces_left=left,
        left=frozenset((name, copy) for name in set(left) for copy in range(left.count(name))),
        left_words=pieces_left_words(color, left),
        tray=tray,
        badge=tr(texts.RETIRED.get(retired, str(retired).capitalize())) if retired else "",
        badge_reason=_proof(facts) if retired == "blocked" else "",
        score=_score(state, color),
        on_turn=playing and (state.get("on_turn") or {}).get("color") == color,
        can_claim=playing and not retired,
    )


def _owner(state: State, color: str) -> str:
    """Who plays the colour, '' when the name says no more than the colour itself."""
    names = [person_word(str(player["name"])) for player in state.get("players", ()) if color in player.get("colors", ())]
    mover = state["colors"][color].get("mover")
    owner = listed(names) if names else tr("shared, next {player}").format(player=mover) if mover else ""
    return "" if owner in (color_word(color), color) else owner


def _proof(facts: Mapping[str, Any]) -> str:
    """How it was proved that nothing fits."""
    proof = facts.get("blocked_proof") or {}
    tried = proof.get("tried")
    return tr("{n} placements tried, none fits").format(n=number(tried)) if isinstance(tried, int) else tr("no piece left fits")


def _score(state: State, color: str) -> str:
    """The colour's points in this game's scoring, signed as people write them."""
    scores = state.get("scores") or {}
    points = (scores.get("colors") or {}).get(color, {}).get("advanced")
    return "" if points is None or scores.get("scoring") != "advanced" else texts.points(Span.from_json(points), "advanced")


def dispute(state: State, margins: Mapping[str, float]) -> DisputeView | None:
    """The oldest open dispute, None when there is none; ``margins`` gives the rim of each picture still kept."""
    disputes = state.get("disputes") or ()
    if not disputes:
        return None
    first = disputes[0]
    kinds = list(first.get("kinds") or ()) or ["unexplained"]
    changed = [*listed_cells(first.get("cells")), *listed_cells(first.get("from_cells"))]
    offending = sorted(listed_cells(first.get("offending_cells")))
    return DisputeView(
        id=int(first["id"]),
        color=first.get("color"),
        title=_whom(first),
        titles=tuple(tr(_number(first, texts.title(kind))) for kind in kinds),
        message=spoken({**first, "event": "dispute", "sentence": first.get("message")}),
        evidence=evidence(first.get("evidence"), margins),
        view_box=_view_box([*changed, *offending], int(state["size"]), wide=12, high=7),
        changed_path=outline(changed, inset=-0.08),
        offending=tuple(offending),
        remedies=tuple(_remedies(first, kinds)),
        more=len(disputes) - 1,
    )


def _remedies(found: Mapping[str, Any], kinds: Sequence[str]) -> Iterator[Remedy]:
    """The ways out; where the camera misread a piece, people may say right away which one it was."""
    for remedy in found.get("remedies") or ():
        how = str(remedy["how"])
        label, effect = str(remedy.get("label") or how), str(remedy.get("effect") or "")
        yield Remedy(how, tr(_number(found, label)), tr(_number(found, effect)))
        if how == "misread" and not (_PHYSICAL - {"unexplained"}) & set(kinds):
            label, effect = map(tr, texts.MISREAD_OTHERWISE)
            yield Remedy(how, label, effect, editor="misread")


def _number(found: Mapping[str, Any], text: str) -> str:
    """The text, of several pieces where the dispute names none because several are gone."""
    return text if found.get("color") else texts.OF_SEVERAL.get(text, text)


def _whom(found: Mapping[str, Any]) -> str:
    """Whose piece it is about: ``Red, piece W``."""
    color, piece = found.get("color"), found.get("piece")
    if not color:
        return tr("The board")
    return tr("{color}, piece {piece}").format(color=color_word(color), piece=piece) if piece else color_word(color)


def evidence(names: Sequence[str] | None, margins: Mapping[str, float]) -> tuple[Evidence, ...]:
    """The before and after pictures that are still kept."""
    captions = ("Before", "After")
    return tuple(Evidence(name, caption, margins[name]) for name, caption in zip(names or (), captions, strict=False) if name in margins)


def question(state: State, margins: Mapping[str, float]) -> QuestionView | None:
    """The oldest open question, None when there is none; ``margins`` as for `dispute`."""
    questions = state.get("questions") or ()
    if not questions:
        return None
    first = questions[0]
    candidates = sorted(enumerate(first.get("candidates") or ()), key=lambda item: -float(item[1].get("p") or 0))
    spot = [cell for _, found in candidates for cell in listed_cells(found.get("cells"))]
    box = _view_box(spot, int(state["size"]), wide=9, high=9)
    is_weighed = first.get("about", "change") == "change"
    shown = tuple(_candidate(i, found, is_weighed=is_weighed) for i, found in candidates)
    pictures = evidence(first.get("evidence"), margins) if spot else ()
    message = spoken({**first, "event": "question", "sentence": first.get("message")})
    return QuestionView(int(first["id"]), message, box if spot else "", pictures, shown, len(questions) - 1)


def _candidate(choice: int, found: Mapping[str, Any], *, is_weighed: bool) -> Candidate:
    cells = listed_cells(found.get("cells"))
    p = found.get("p")
    sureness = texts.likely(p) if is_weighed and isinstance(p, int | float) else ""
    return Candidate(choice, found.get("color"), candidate_words(found), sureness, outline(cells) if cells else "")


def _view_box(cells: Sequence[Cell], size: int, *, wide: int, high: int) -> str:
    """An SVG view box on the board round ``cells``, at least ``wide`` by ``high`` squares and always of these proportions."""
    if not cells:
        return f"0 0 {size} {size}"
    rows, cols = [row for row, _ in cells], [col for _, col in cells]
    scale = max(1.0, (max(cols) - min(cols) + 3) / wide, (max(rows) - min(rows) + 3) / high)
    width, height = min(size, wide * scale), min(size, high * scale)
    left = min(max(0, (min(cols) + max(cols) + 1 - width) / 2), size - width)
    top = min(max(0, (min(rows) + max(rows) + 1 - height) / 2), size - height)
    return f"{left:g} {top:g} {width:g} {height:g}"


def moves(state: State) -> list[Move]:
    """The moves, newest first."""
    listed = [
        Move(
            int(move["turn"]),
            str(move["color"]),
            str(move.get("piece") or squares_words(len(move["cells"]))),
            tr(texts.RULINGS.get(str(move.get("ruling")), str(move.get("ruling")))),
        )
        for move in state.get("placements", ())
    ]
    return listed[::-1]


def standings(state: State) -> list[Standing]:
    """How the players stand, best first: the final table once the game is over."""
    scores = state.get("scores") or {}
    players = sorted(scores.get("players") or (), key=lambda player: player.get("place") or 99)
    places = [player.get("place") for player in players]
    winners = scores.get("winners") or ()
    scoring = str(scores.get("scoring"))
    return [
        Standing(
            texts.ordinal(int(player["place"])) if player["place"] else "?",
            person_word(str(player["name"])),
            tuple(player.get("colors") or ()),
            texts.points(Span.from_json(player["score"]), scoring),
            player["name"] in winners,
            player["place"] is not None and places.count(player["place"]) > 1,
        )
        for player in players
    ]
