"""What the self-check of the set-up page shows: its verdict, each thing that was checked, and the board as it is read."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from referee.cells import EMPTY, UNSURE
from web import texts
from web.board_view import board_view
from web.translating import ntr, tr

if TYPE_CHECKING:
    from vision.selfcheck import SelfCheck


def check_view(check: SelfCheck) -> dict[str, Any]:
    """Everything that ``setup_check.html`` prints."""
    levels = {one.level for one in check.checks}
    verdict = "bad" if "bad" in levels else "warn" if "warn" in levels else "ok"
    return {
        "verdict": verdict,
        "words": tr(texts.VERDICTS[verdict]),
        "checks": [{"level": one.level, "title": tr(texts.CHECKS[one.name]), "told": one} for one in check.checks],
        "read": _read(check) if check.grid else None,
        "findings": check.findings,
    }


def _read(check: SelfCheck) -> dict[str, Any]:
    """The board as it is read, drawn; squares that are not told are marked."""
    view = board_view({"grid": check.grid, "size": len(check.grid), "colors": {}})
    count = Counter("".join(check.grid))
    pieces = sum(number for letter, number in count.items() if letter not in (EMPTY, UNSURE))
    told = ntr("{n} square has a piece on it", "{n} squares have a piece on them", pieces).format(n=pieces)
    unsure = ntr("{n} square cannot be told", "{n} squares cannot be told", count[UNSURE]).format(n=count[UNSURE])
    return {
        "board": replace(view, pieces=tuple(replace(piece, mark="") for piece in view.pieces)),
        "unsure": [(row, col) for row, line in enumerate(check.grid) for col, letter in enumerate(line) if letter == UNSURE],
        "words": f"{told}; {unsure}.",
    }
