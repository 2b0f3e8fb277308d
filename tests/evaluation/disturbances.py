"""Disturbances: what the program tells of films in which somebody plays, something happens that is no play, and somebody plays on."""

from __future__ import annotations

import multiprocessing
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import cv2

from calibration.known import KnownBoard
from calibration.locate import BoardNotFoundError, locate_board
from calibration.pose import FloatArray, GridPose
from calibration.views import Image
from referee.options import GameOptions
from referee.table import Table
from tests.synthetic.disturbances import KINDS, NOTHING, film, take_of
from tests.synthetic.shapes import Placed
from tests.synthetic.stage import Stage, random_stage
from tests.synthetic.take import Take
from vision.frames import Frame, Lost
from vision.watch import Watcher
from web.following import Following, follow
from web.live import LiveGame

NAMES = {"B": "blue", "Y": "yellow", "R": "red", "G": "green"}

CHANGES = ("placement", "dispute", "corrected", "resolved", "rejudged", "skipped")
"""Events that say that something happened on the board."""

Told = tuple[float, Mapping[str, Any]]
"""An event with the film's time in seconds at which it was told."""


@dataclass(frozen=True)
class Run:
    """What came of one film.

    Attributes:
        kind: of the disturbance.
        seed: of its stage.
        false: events that did not happen.
        questions: how often people were asked.
        right: placements told as they were made.
        asked: placements that were not told, but were among the answers to a question.
        missed: the others.
        ready_s: from the end of the disturbance until ready again; None: not before the next placement.
        used_s: processor time, of drawing and of watching.
        told: all that was told, in short.
    """

    kind: str
    seed: int
    false: tuple[str, ...]
    questions: int
    right: int
    asked: int
    missed: int
    ready_s: float | None
    used_s: float
    told: tuple[str, ...] = ()

    @property
    def is_sound(self) -> bool:
        """Whether nothing at all went wrong."""
        return not self.false and not self.questions and not self.missed and self.ready_s is not None


class Camera:
    """A film as the pictures of a camera."""

    live = True
    total: int | None = None

    def __init__(self, frames: Iterator[Frame | Lost]) -> None:
        self._frames = frames

    def __iter__(self) -> Iterator[Frame | Lost]:
        return self._frames

    def close(self) -> None:
        """Nothing to let go."""


def watch(take: Take, kind: str, known: GridPose) -> Run:
    """Make a film while the program watches it, with the board's place known at first, as from a calibration."""
    begun_s, told = time.process_time(), list[Told]()
    game = LiveGame(Table(GameOptions(order=("blue", "yellow", "red", "green"), touch="strict")), clock=lambda: take.time_s)
    game.listen(lambda body: told.append((take.time_s, body)))
    take.is_ready = lambda: game.state()["camera"]["state"] == "ready"
    letter = take.stage.game.first
    how = Following(start_anywhere=bool(take.placed), next_color=NAMES[letter] if take.placed else None)
    follow(Watcher(Camera(film(take, kind)), game, locate=_search(known)), game, how)
    game.close()
    return judged(kind, take, told, time.process_time() - begun_s)


def _search(known: GridPose) -> Callable[[Image, int], GridPose]:
    """Finds the board; at first with its rows and columns named as in ``known``, later as it happens to be named."""
    searches, search = count(), KnownBoard(known)

    def located(image_bgr: Image, size: int) -> GridPose:
        pose = search(image_bgr, size)
        return pose if next(searches) else named_alike(pose, known.corners_px)

    return located


def named_alike(pose: GridPose, corners_px: FloatArray) -> GridPose:
    """The pose with its corners named as those nearest to them are."""
    return min((pose.turned(k) for k in range(4)), key=lambda one: float(abs(one.corners_px - corners_px).max()))


def judged(kind: str, take: Take, told: Sequence[Told], used_s: float = 0.0) -> Run:
    """Compare what was told with what was played."""
    left = [(NAMES[p.color], _cells(p)) for p in take.played]
    false, right, asked, questions = list[str](), 0, 0, 0
    for time_s, body in told:
        what = str(body["event"])
        if what == "placement" and (body["color"], _set(body["cells"])) in left:
            left.remove((body["color"], _set(body["cells"])))
            right += 1
        elif what in CHANGES:
            false.append(_short(time_s, body))
        elif what == "question":
            questions += 1
    for placed in list(left):
        if any(placed in [(c["color"], _set(c["cells"])) for c in body["candidates"]] for _, body in told if body["event"] == "question"):
            left.remove(placed)
            asked += 1
    words = [_short(time_s, body) for time_s, body in told if body["event"] not in ("board", "start", "progress", "ended", "unfinished")]
    return Run(kind, take.stage.seed, tuple(false), questions, right, asked, len(left), take.ready_s, used_s, tuple(words))


def _cells(piece: Placed) -> frozenset[tuple[int, int]]:
    return frozenset(piece.cells)


def _set(cells: Sequence[Sequence[int]]) -> frozenset[tuple[int, int]]:
    return frozenset((row, col) for row, col in cells)


def _short(time_s: float, body: Mapping[str, Any]) -> str:
    words = [str(body[key]) for key in ("event", "state", "color", "piece", "cells", "kinds", "reason") if body.get(key)]
    answers = [f"{c.get('color')} {c.get('cells')} {c['p']:.2f}" for c in body.get("candidates", [])]
    return " ".join([f"{time_s:.2f}", *words, *answers])


def found_board(stage: Stage) -> GridPose | None:
    """The board of a stage as the program finds it, its rows and columns named as the stage names them; None where it is not found."""
    take = take_of(stage, NOTHING)
    image = take.shoot().image_bgr
    try:
        pose = locate_board(image, stage.scene.kind.size)
    except BoardNotFoundError:
        return None
    return named_alike(pose, stage.scene.pose.corners_px)


def runs_of(seed: int, kinds: Sequence[str]) -> list[Run]:
    """The films of one stage; none where the board is not found or even undisturbed play is not read right."""
    cv2.setNumThreads(1)
    stage = random_stage(seed)
    known = found_board(stage)
    if known is None or not watch(take_of(stage, NOTHING), NOTHING, known).is_sound:
        return []
    return [watch(take_of(stage, kind), kind, known) for kind in kinds]


def _runs_of(task: tuple[int, Sequence[str]]) -> list[Run]:
    return runs_of(*task)


def measure(films: int, seed: int, kinds: Sequence[str] = tuple(KINDS), workers: int | None = None) -> tuple[list[Run], int]:
    """So many films of each kind, each on a stage of its own; and how many stages were left out for it."""
    done, left_out = list[Run](), 0
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        for runs in pool.imap(_runs_of, ((seed + k, kinds) for k in range(3 * films))):
            left_out += not runs
            done += runs
            if len(done) >= films * len(kinds):
                pool.terminate()
                break
    return done, left_out


def table(runs: Sequence[Run]) -> Iterator[str]:
    """A table for people: one row a kind."""
    yield f"{'':34} {'runs':>5} {'false':>6} {'asked':>6} {'right':>9} {'stuck':>6} {'ready s: median, most':>22}"
    kinds = list(dict.fromkeys(run.kind for run in runs))
    for name, some in [*((kind, [run for run in runs if run.kind == kind]) for kind in kinds), ("all", list(runs))]:
        ready = sorted(run.ready_s for run in some if run.ready_s is not None)
        when = f"{statistics.median(ready):.1f}, {ready[-1]:.1f}" if ready else "-"
        right = f"{sum(r.right for r in some)}/{sum(r.right + r.asked + r.missed for r in some)}"
        false, asked = sum(len(r.false) for r in some), sum(r.questions for r in some)
        yield f"{name:34} {len(some):>5} {false:>6} {asked:>6} {right:>9} {sum(r.ready_s is None for r in some):>6} {when:>22}"


def figures(runs: Sequence[Run], left_out: int) -> dict[str, Any]:
    """All of it as one JSON object."""
    return {
        "films": len(runs),
        "stages_left_out": left_out,
        "false_events": sum(len(run.false) for run in runs),
        "films_with_false_events": sum(bool(run.false) for run in runs),
        "questions": sum(run.questions for run in runs),
        "placements": sum(run.right + run.asked + run.missed for run in runs),
        "placements_right": sum(run.right for run in runs),
        "placements_asked": sum(run.asked for run in runs),
        "not_ready_again": sum(run.ready_s is None for run in runs),
        "used_s": round(sum(run.used_s for run in runs), 1),
    }


def failures(runs: Sequence[Run]) -> Iterator[str]:
    """What was told in the films in which anything went wrong."""
    for run in runs:
        if not run.is_sound:
            yield f"{run.seed} {run.kind}: ready {run.ready_s}, missed {run.missed}"
            yield from (f"    {words}" for words in run.told)
