"""``python -m tests.evaluation.things FOLDER``: what is told of cells that a thing hides, kind by kind.

The folder holds pictures of ``python -m tests.synthetic things FOLDER``. Nobody can see what lies under a sheet or a mug, so each
hidden cell that is told is told silently: by luck where the letter is right.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from tests.evaluation.stills import aligned, read_pictures, turned

HIDDEN, SEEN = 0.5, 0.05
"""Share of a cell from which a thing hides it, and up to which it is in sight."""


@dataclass(frozen=True)
class ThingScore:
    """Counts over pictures.

    Attributes:
        pictures: how many.
        refused: those of which nothing was told, or whose board was not found where it lies.
        hidden: cells under the thing.
        told: those that were told.
        wrong: those told otherwise than what lies under the thing.
        clear_wrong: cells in sight that were told wrong.
        clear_unsure: cells in sight that were answered with ``?``.
    """

    pictures: int = 0
    refused: int = 0
    hidden: int = 0
    told: int = 0
    wrong: int = 0
    clear_wrong: int = 0
    clear_unsure: int = 0

    def __add__(self, other: ThingScore) -> ThingScore:
        return ThingScore(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


def score(truth: dict[str, Any], reading: dict[str, Any]) -> ThingScore:
    """The score of one picture by its truth and what the program said of it."""
    board = truth["board"]
    if "error" in reading:
        return ThingScore(pictures=1, refused=1)
    turns, off = aligned(reading["board"]["corners_px"], truth["grid_corners_px"], len(board))
    if max(off) > 1:
        return ThingScore(pictures=1, refused=1)
    grid = turned(reading["grid"], turns)
    shares = {(row, col): share for row, col, share in truth["cell_occlusion"]}
    counts = dict.fromkeys(("hidden", "told", "wrong", "clear_wrong", "clear_unsure"), 0)
    for row, line in enumerate(board):
        for col, letter in enumerate(line):
            share, said = shares.get((row, col), 0.0), grid[row][col]
            if share >= HIDDEN:
                counts["hidden"] += 1
                counts["told"] += said != "?"
                counts["wrong"] += said not in ("?", letter)
            elif share <= SEEN:
                counts["clear_wrong"] += said not in ("?", letter)
                counts["clear_unsure"] += said == "?"
    return ThingScore(pictures=1, **counts)


def table(scores: Iterable[tuple[str, ThingScore]]) -> Iterator[str]:
    """A table for people: a row a kind of thing, and one of all."""
    by_kind: dict[str, ThingScore] = defaultdict(ThingScore)
    for kind, one in scores:
        by_kind[kind] += one
    yield f"{'':14}" + "".join(f"{field.name:>14}" for field in fields(ThingScore))
    for kind, one in [*sorted(by_kind.items()), ("all", sum(by_kind.values(), ThingScore()))]:
        yield f"{kind:14}" + "".join(f"{value:>14}" for value in astuple(one))


def main() -> None:
    """Read the pictures and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation.things", description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    truths = {path.with_suffix(".jpg"): json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}
    by_variant = defaultdict(list)
    for path, truth in truths.items():
        by_variant[truth["variant"]].append(path)
    readings = {path: reading for variant, paths in by_variant.items() for path, reading in read_pictures(variant, paths)}
    lines = table((truth["conditions"]["thing"], score(truth, readings[path])) for path, truth in truths.items())
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
