"""What must be said with the numbers of a game, in the page's language; the tally's own sentences are English."""

from __future__ import annotations

from collections.abc import Iterator

from referee.tally import Tally
from web.spoken import color_word, listed, person_word
from web.translating import language, ntr, tr


def sentences(tally: Tally) -> tuple[str, ...]:
    """What must be said, the most important first; what only pictures leave open stays English."""
    if language() == "en" or tally.may_move or tally.faults or tally.remarks:
        return tally.sentences
    return (_how_it_ended(tally), *_open(tally), *_of_the_count(tally))


def _how_it_ended(tally: Tally) -> str:
    if tally.state == "abandoned":
        return tr("The game was abandoned: nobody wins. The numbers are those of the board as it lay.")
    if tally.state == "waiting":
        return tr("No piece has been played yet.")
    if tally.can_move:
        colors = listed([color_word(line.color) for line in tally.can_move])
        return tr("The game is not over: {colors} can still play. These scores are not final.").format(colors=colors)
    winners = listed([person_word(name) for name in tally.scores.winners])
    if not tally.scores.is_decided:
        return tr("Who wins is not known yet: {names} may.").format(names=winners)
    text = tr("As it stands, {names} share the win.") if len(tally.scores.winners) > 1 else tr("As it stands, {names} wins.")
    return text.format(names=winners)


def _open(tally: Tally) -> Iterator[str]:
    if number := tally.open_disputes + tally.open_questions:
        yield ntr(
            "{n} matter is open: the scores are provisional until the table has decided.",
            "{n} matters are open: the scores are provisional until the table has decided.",
            number,
        ).format(n=number)


def _of_the_count(tally: Tally) -> Iterator[str]:
    if shared := tally.options.shared_used:
        yield tr("{color} is played by all in turn and counts for nobody.").format(color=color_word(shared))
    if number := tally.house_decisions:
        yield ntr(
            "{n} wrong placement stands by the table's own decision.", "{n} wrong placements stand by the table's own decision.", number
        ).format(n=number)
    for color, names in tally.scores.missing.items():
        if names:
            text = tr("{color} played without {pieces}; its squares do not count.")
            yield text.format(color=color_word(color), pieces=listed([*names]))
    for line in tally.bonus_open:
        points = line.score.advanced
        text = tr("{color} has {points}: {most} if the single square was its last piece. Ask its player.")
        yield text.format(color=color_word(line.color), points=points, most=points.high)
