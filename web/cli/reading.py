"""Reading pictures for `read`: one after another, or several at once in processes of their own."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vision.given_corners import Corners
from web.cli.corners import check_inside
from web.cli.program import Refusal, refusal_about
from web.cli.writing import check_place, write_whole

if TYPE_CHECKING:
    from vision.read import Reading

PICTURES_A_WORKER = 4
"""Pictures for which another process is worth its start, which takes about as long as reading two or three."""


@dataclass(frozen=True)
class Order:
    """How the pictures are to be read; sent to other processes as it is."""

    variant: str
    corners: Corners | None = None
    overlay: Path | None = None


@dataclass(frozen=True)
class Outcome:
    """What became of one picture: the contract's object, or the one line why it could not be read."""

    path: Path
    found: dict[str, Any] | None = None
    error: str = ""


def usual_jobs(pictures: int) -> int:
    """How many processes to read that many pictures with: no more than there are processors for this program, and work for each."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(processors, pictures // PICTURES_A_WORKER))


def read_all(pictures: Sequence[Path], order: Order, jobs: int) -> Iterator[Outcome]:
    """What became of each picture, in their order, as soon as it and those before it are done.

    Raises:
        Refusal: a process of its own was ended from outside, for example for want of memory.
    """
    if jobs == 1 or len(pictures) == 1:
        yield from (read_one(path, order) for path in pictures)
        return
    with _workers(min(jobs, len(pictures))) as pool:
        try:
            yield from pool.map(read_one, pictures, [order] * len(pictures))
        except BrokenProcessPool as error:
            raise Refusal(
                "a process that read pictures was ended from outside, perhaps for want of memory: try again with --jobs 1"
            ) from error


def read_one(path: Path, order: Order) -> Outcome:
    """Read one picture, and draw over it when that is asked for; whatever is wrong with it ends in the outcome."""
    try:
        return Outcome(path, _found(path, order))
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one picture must not keep the others from being read
        return Outcome(path, error=refusal_about(str(path), error).message)


def _found(path: Path, order: Order) -> dict[str, Any]:
    """The contract's object for one picture."""
    from vision.pictures import read_picture
    from vision.read import read_board

    if path.is_dir():
        raise Refusal(f"{path}: no pictures in this folder; JPEG or PNG files are wanted")
    if order.overlay is not None:
        check_place(order.overlay, str(path), "--overlay")
    begun_s = time.perf_counter()
    image_bgr = read_picture(path)
    decode_ms = round((time.perf_counter() - begun_s) * 1000, 1)
    if order.corners is not None:
        check_inside(order.corners, image_bgr.shape[1], image_bgr.shape[0])
    reading = read_board(image_bgr, variant=order.variant, corners=order.corners)
    if order.overlay is not None:
        _draw(image_bgr, reading, order.overlay)
    found = reading.as_json(str(path))
    found["timing_ms"] = {**found.get("timing_ms", {}), "decode": decode_ms}
    return found


@contextmanager
def _workers(count: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that read pictures; what has not been begun is dropped when the block is left early, by Ctrl-C for example.

    They are started afresh, since OpenCV's threads do not survive a fork.
    """
    pool = ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn"), initializer=_begin_worker)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _begin_worker() -> None:
    """One thread for each process, since they share the processors already; Ctrl-C is the first process's to answer."""
    from vision.pictures import work_alone
    from web.cli.program import prepare_streams

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    prepare_streams()
    work_alone()


def _draw(image_bgr: Any, reading: Reading, overlay: Path) -> None:
    from vision.overlay import draw
    from vision.pictures import png

    picture = draw(image_bgr, reading.pose, reading.grid, findings=reading.findings, violations=reading.violations, loose=reading.loose)
    write_whole(overlay, png(picture), "--overlay")
