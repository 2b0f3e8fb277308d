"""`make eval`: score the program, from outside, on pictures and games whose truth is known.

Own pictures are drawn into OUT (by `tests.synthetic`, the same again for the same seed). Other measuring pictures are not part
of this repository (some are other people's photographs): DATA is the folder that holds `evaluate.py`, `photos/` and `renders/`;
what is not there is said and left out. For each set one line of JSON, then a table by condition; OUT/failures-*.html shows the
pictures that went wrong. `naive` is how a fixed saturation threshold with the true corners does on the same pictures.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.evaluation.figures import by_condition, figures
from tests.evaluation.page import write_page
from tests.evaluation.stills import score_folder
from tests.synthetic import naive
from tests.synthetic.negatives import write_negatives
from tests.synthetic.stills import write_stills

STILLS = ("photos", "renders/stills")
PLAYED = (("games", "renders/games"), ("videos", "renders/videos"))
"""What is read, and what is watched, under the data folder."""


def present(data: Path, folder: str) -> bool:
    """Whether a set is there; a missing one is said on standard error."""
    if not (data / folder).is_dir():
        print(f"{folder}: not there under {data}; not measured", file=sys.stderr)
    return (data / folder).is_dir()


def own_stills(out: Path, count: int, seed: int) -> Path:
    """Our own pictures of that seed, drawn unless they are there from an earlier run."""
    folder = out / f"own-{seed}-{count}"
    if not (folder / "done").exists():
        folder.mkdir(parents=True, exist_ok=True)
        print(f"Drawing {count} pictures into {folder} ...", file=sys.stderr)
        write_stills(folder, count, seed, None)
        write_negatives(folder, count // 4, seed)
        (folder / "done").touch()
    return folder


def still_folders(args: argparse.Namespace) -> Iterator[Path]:
    """The folders of single pictures to score."""
    if args.count:
        yield own_stills(args.out, args.count, args.seed)
    yield from (args.data / folder for folder in STILLS if present(args.data, folder))


def score_stills(folder: Path, out: Path) -> None:
    """Read a folder's pictures and say how it went."""
    print(f"== stills: {folder}", flush=True)
    scores = score_folder(folder)
    if not scores:
        print("no picture with truth in it")
        return
    print("naive:", naive.summary(naive.score(folder)))
    print("\n".join(by_condition(scores)))
    page = out / f"failures-{folder.name}.html"
    print(f"{write_page(page, scores)} failures to look at: {page}")
    print(json.dumps(figures(scores)), flush=True)


def main() -> int:
    """Score each set; 0 also when nothing is there to score, since a fresh clone has none of the others' pictures."""
    parser = argparse.ArgumentParser(prog="make eval", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", choices=("stills", "games", "videos"), help="one kind of set alone")
    parser.add_argument("--out", type=Path, default=Path("eval"), help="where own pictures and pages go (default: eval)")
    parser.add_argument("--count", type=int, default=40, help="how many own pictures; 0 for none")
    parser.add_argument("--seed", type=int, default=1000, help="of the own pictures")
    parser.add_argument("--verbose", action="store_true", help="every event of games and videos")
    args = parser.parse_args()
    if args.only in (None, "stills"):
        for folder in still_folders(args):
            score_stills(folder, args.out)
    script, status = args.data / "evaluate.py", 0
    for kind, name in PLAYED:
        if args.only in (None, kind) and script.is_file() and present(args.data, name):
            print(f"== {kind}: {name}", flush=True)
            more = ["--verbose"] if args.verbose else []
            status |= subprocess.run([sys.executable, script, kind, args.data / name, *more], check=False).returncode
    return status


if __name__ == "__main__":
    sys.exit(main())
