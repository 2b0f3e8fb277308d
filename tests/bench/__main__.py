"""`make bench`: the program's speed against the goals of the project.

Reading is told in units of the time that decoding the same picture takes, so that figures from different machines compare.
Each figure is the median of several rounds on one core, with the 90th percentile beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median, quantiles

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the console script does

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import BgrImage
from vision.pictures import read_picture
from web.samples import SAMPLE_IMAGES

cv2.setNumThreads(1)


@dataclass(frozen=True)
class Figure:
    """One measured figure: `value` and its 90th percentile in `unit`, and the `goal`, None where there is none."""

    name: str
    value: float
    p90: float
    unit: str
    goal: float | None = None

    @property
    def line(self) -> str:
        """The figure for people."""
        verdict = "" if self.goal is None else f"   goal {self.goal:g}   {'met' if self.value <= self.goal else 'MISSED'}"
        return f"{self.name:<62} {self.value:>9.3f} {self.unit:<10} p90 {self.p90:>9.3f}{verdict}"


def seconds(act: Callable[[], object], rounds: int) -> list[float]:
    """Processor time that `act` takes, `rounds` times after one that does not count: the same on a machine that does other work too."""
    act()
    found = []
    for _ in range(rounds):
        begun = time.process_time()
        act()
        found.append(time.process_time() - begun)
    return found


def figure(name: str, values: list[float], unit: str, goal: float | None = None) -> Figure:
    """Median and 90th percentile of `values`."""
    return Figure(name, median(values), quantiles(values, n=10)[-1], unit, goal)


def rules(games: int) -> Iterator[Figure]:
    """Listing, judging, playing and scoring on all plies of reference games."""
    from tests.bench.rules import rows

    for name, values, unit, goal in rows(games):
        yield figure(name, values, unit, goal)


def enlarged(image_bgr: BgrImage, width: int) -> bytes:
    """The picture `width` pixels wide as a JPEG of a phone's quality."""
    height = image_bgr.shape[0] * width // image_bgr.shape[1]
    large = cv2.resize(image_bgr, (width, height), interpolation=cv2.INTER_CUBIC)
    return cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


def decoded(data: NDArray[np.uint8]) -> BgrImage:
    """The picture in a file's bytes."""
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def reading(rounds: int) -> Iterator[Figure]:
    """A whole read of one photograph, decoding apart, in units of decoding it."""
    from vision.read import read_board

    for width, goal in ((1280, 8.0), (4000, 1.0)):
        for path in sorted((SAMPLE_IMAGES / "stills").glob("*.jpg")):
            image = read_picture(path)
            data = np.frombuffer(enlarged(image, width), np.uint8)
            picture = decoded(data)
            decode_s = median(seconds(lambda data=data: decoded(data), rounds))  # type: ignore[misc]  # bound on purpose
            taken = seconds(lambda picture=picture: read_board(picture), rounds)  # type: ignore[misc]  # bound on purpose
            megapixels = picture.shape[0] * picture.shape[1] / 1e6
            yield figure(f"read {path.stem}, {megapixels:.1f} MP", [s / decode_s for s in taken], "x decoding", goal)


def locating(rounds: int) -> Iterator[Figure]:
    """Finding the board in one photograph, in units of decoding it."""
    from calibration.locate import locate_only_board

    for width, goal in ((1280, 4.0), (4000, 0.4)):
        for path in sorted((SAMPLE_IMAGES / "stills").glob("*.jpg")):
            data = np.frombuffer(enlarged(read_picture(path), width), np.uint8)
            picture = decoded(data)
            decode_s = median(seconds(lambda data=data: decoded(data), rounds))  # type: ignore[misc]  # bound on purpose
            taken = seconds(lambda picture=picture: locate_only_board(picture), rounds)  # type: ignore[misc]  # bound on purpose
            megapixels = picture.shape[0] * picture.shape[1] / 1e6
            yield figure(f"locate {path.stem}, {megapixels:.1f} MP", [s / decode_s for s in taken], "x decoding", goal)


def watching(folder: Path) -> Iterator[Figure]:
    """Each picture of the sample game, decoding apart, in units of decoding it: processor time of all threads, as `seconds` takes it."""
    from referee.table import Table
    from vision.frames import Frame, Lost
    from vision.recordings import FolderSource
    from vision.watch import Watcher, WatchSettings
    from web.following import Following, follow
    from web.live import LiveGame

    paths = sorted(folder.glob("*.jpg"))
    decode_s = median(seconds(lambda: read_picture(paths[0]), 9))
    live, marks = LiveGame(Table()), list[float]()

    class Timed(FolderSource):
        """The folder, noting when each picture is done with."""

        def __iter__(self) -> Iterator[Frame | Lost]:
            """The frames; what is worked until the next one is asked for is what watching took."""
            for frame in super().__iter__():
                begun = time.process_time()
                yield frame
                marks.append(time.process_time() - begun)

    follow(Watcher(Timed(folder, stills=True), live, size=20, settings=WatchSettings(stills=True)), live, Following())
    yield figure("a picture of the sample game watched", [s / decode_s for s in marks[1:]], "x decoding", 3.0)


def main() -> int:
    """Measure and print; the last line is JSON."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer rounds: a look, not a measurement")
    args = parser.parse_args()
    figures = []
    rounds = 3 if args.quick else 15
    pictures = SAMPLE_IMAGES / "full_game" / "frames"
    for part in (rules(2 if args.quick else 20), locating(rounds), reading(rounds), watching(pictures)):
        for found in part:
            print(found.line, flush=True)
            figures.append(asdict(found))
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
