"""Pictures with known truth, read by the program from outside and scored cell by cell."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.evaluation.loose import LooseScore, score_loose

PICTURES = (".jpg", ".jpeg", ".png")
HIDDEN_SHARE = 0.15
"""Cells of which a hand or thing hides more than this do not count, as in the shared pictures' own scoring."""

Cell = tuple[int, int]


@dataclass(frozen=True)
class Score:
    """One picture.

    Attributes:
        image: its file.
        conditions: light, angle and so on, as far as they are known.
        is_board: whether there is a board to be read; False for a picture that should be refused.
        error: why it was not read, empty when it was.
        corners_off: distance of each corner from its truth, in cells; empty when not read.
        cells: how many cells count.
        wrong: cells called what they are not, with what they are and what they were called.
        unsure: cells answered with ``?``.
        corners_px: the corners as found, in the truth's order.
        loose: pieces beside the board, None where their truth is not known.
        read_ms: time of the reading without decoding.
    """

    image: Path
    conditions: Mapping[str, Any]
    is_board: bool
    error: str = ""
    corners_off: tuple[float, ...] = ()
    cells: int = 0
    wrong: Mapping[Cell, tuple[str, str]] | None = None
    unsure: frozenset[Cell] = frozenset()
    corners_px: tuple[tuple[float, float], ...] = ()
    loose: LooseScore | None = None
    read_ms: float = 0.0

    @property
    def is_read(self) -> bool:
        """Whether the program gave a grid."""
        return not self.error

    @property
    def is_located(self) -> bool:
        """Whether every corner found is less than a cell from its truth."""
        return self.is_board and self.is_read and max(self.corners_off, default=math.inf) < 1

    @property
    def is_failure(self) -> bool:
        """Whether somebody should look at it: a board not read or read wrong, or no board called one."""
        return self.is_read != self.is_board or (self.is_board and not self.is_located) or bool(self.wrong)


def score_folder(folder: Path) -> list[Score]:
    """Every picture with truth in a folder, and every ``negative_*`` picture without a board, in order of their names."""
    truths = {folder / truth["image"]: truth for truth in _truths(folder)}
    negatives = [path for path in sorted(folder.glob("negative_*")) if path.suffix in PICTURES]
    by_variant: dict[str, list[Path]] = defaultdict(list)
    for path, truth in truths.items():
        by_variant[truth.get("variant", "classic")].append(path)
    by_variant["classic"] += negatives
    readings = {path: reading for variant, paths in by_variant.items() for path, reading in read_pictures(variant, paths)}
    return [_score(path, truths.get(path), readings.get(path, {"error": "no answer"})) for path in sorted([*truths, *negatives])]


def _truths(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        if "image" in truth and (folder / truth["image"]).exists():
            yield truth


def read_pictures(variant: str, paths: Iterable[Path]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """What the installed program says about each picture."""
    names = [str(path) for path in paths]
    if not names:
        return
    program = shutil.which("blokus-referee", path=str(Path(sys.executable).parent)) or "blokus-referee"
    done = subprocess.run([program, "read", "--json", "--variant", variant, *names], capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        reading = json.loads(line)
        yield Path(reading["image"]), reading


def _score(image: Path, truth: Mapping[str, Any] | None, reading: Mapping[str, Any]) -> Score:
    """One picture against its truth."""
    error = str(reading.get("error", ""))
    read_ms = float(reading.get("timing_ms", {}).get("total", 0.0))
    if truth is None:
        return Score(image, {}, is_board=False, error=error, read_ms=read_ms)
    conditions, board = truth.get("conditions", {}), truth["board"]
    scored = _scored(truth)
    if not error and len(reading["grid"]) != len(board):
        error = f"a board of {len(reading['grid'])} x {len(reading['grid'])} was read"
    if error:
        return Score(image, conditions, is_board=True, error=error, cells=len(scored))
    turns, off = aligned(reading["board"]["corners_px"], truth["grid_corners_px"], len(board))
    grid = turned(reading["grid"], turns)
    called = {cell: grid[cell[0]][cell[1]] for cell in scored}
    wrong = {(r, c): (board[r][c], letter) for (r, c), letter in called.items() if letter not in ("?", board[r][c])}
    corners = reading["board"]["corners_px"]
    return Score(
        image,
        conditions,
        is_board=True,
        corners_off=off,
        cells=len(scored),
        wrong=wrong,
        unsure=frozenset(cell for cell, letter in called.items() if letter == "?"),
        corners_px=tuple((float(x), float(y)) for x, y in [*corners[turns:], *corners[:turns]]),
        loose=score_loose(truth["loose"], reading["loose"]) if "loose" in truth else None,
        read_ms=read_ms,
    )


def _scored(truth: Mapping[str, Any]) -> list[Cell]:
    board = truth["board"]
    hidden = {(r, c) for r, c, share in truth.get("cell_occlusion", []) if share > HIDDEN_SHARE}
    return [(r, c) for r, row in enumerate(board) for c, letter in enumerate(row) if letter != "?" and (r, c) not in hidden]


def aligned(corners: list[list[float]], truth: list[list[float]], size: int) -> tuple[int, tuple[float, ...]]:
    """The quarter turns that bring the corners nearest the truth's, and how far each is off in its nearest side's cells."""
    cells_px = [min(math.dist(truth[i], truth[i - 1]), math.dist(truth[i], truth[(i + 1) % 4])) / size for i in range(4)]
    offs = [tuple(math.dist(corners[(i + k) % 4], truth[i]) / cells_px[i] for i in range(4)) for k in range(4)]
    best = min(range(4), key=lambda k: max(offs[k]))
    return best, offs[best]


def turned(grid: list[str], quarter_turns: int) -> list[str]:
    """The grid as it is when its corner list starts that many places later."""
    for _ in range(quarter_turns):
        grid = ["".join(column) for column in zip(*grid, strict=True)][::-1]
    return grid
