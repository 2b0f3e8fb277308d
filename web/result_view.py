"""What the page says of a game's result: what must be said with the numbers, and each colour's points explained piece by piece."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.options import GameOptions
from referee.tally import ColorLine, Tally
from web import tally_words, texts
from web.board_view import State
from web.page_view import Evidence
from web.sheets import unused_sum
from web.translating import tr

ENDED = ("over", "unfinished", "abandoned")


@dataclass(frozen=True)
class Result:
    """The result of a game that has ended or was stopped.

    Attributes:
        title: what the numbers are.
        sentences: what must be said with them, the most important first.
        sums: how each colour's squares left, or its points, come about.
    """

    title: str
    sentences: tuple[str, ...]
    sums: dict[str, str]


def result(state: State) -> Result | None:
    """The result; None as long as people play."""
    if state.get("status") not in ENDED:
        return None
    tally = Tally.of_state(GameOptions.from_json(state["options"]), dict(state))
    title = tr(texts.RESULT["final" if tally.is_final else "so far"])
    # Who has won stands in the banner already.
    said = tally_words.sentences(tally)
    sentences = said[1:] if tally.is_final else said
    return Result(title, sentences, {line.color: _sum(line, tally.scores.scoring) for line in tally.colors})


def final_photo(state: State, margin_of: Callable[[str], float | None]) -> Evidence | None:
    """The board after the last turn of a game that has ended, as a camera saw it; after an earlier turn where that one has no picture.

    Args:
        state: the whole state.
        margin_of: the rim of a picture in squares; None for one that is not kept (any more).
    """
    placements = list(state.get("placements") or ())
    if state.get("status") not in ENDED:
        return None
    for move in reversed(placements):
        names = list(move.get("evidence") or ())
        margin = margin_of(names[-1]) if names else None
        if margin is not None:
            last = move is placements[-1]
            caption = (
                tr("The board after the last turn, as the camera saw it") if last else tr("The board after turn {n}, as the camera saw it")
            )
            return Evidence(names[-1], caption.format(n=move["turn"]), margin)
    return None


def _sum(line: ColorLine, scoring: str) -> str:
    """`I3 (3) + O (4) = 7`, with the points of advanced scoring where they are not that number."""
    left = unused_sum(line)
    if scoring != "advanced":
        return left
    score = line.score.advanced
    bonus = tr(texts.BONUS.get(score.low, "")) if line.play == "finished" and score.low == score.high else ""
    points = tr("{n} points").format(n=texts.points(score, scoring))
    return f"{left}: {bonus or points}"
