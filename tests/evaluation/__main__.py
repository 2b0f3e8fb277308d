"""`make eval`: score the program, from outside, on pictures and games whose truth is known.

Own pictures are drawn into OUT (by `tests.synthetic`, the same again for the same seed). Other measuring pictures are not part
of this repository (some are other people's photographs): DATA is the folder that holds `evaluate.py`, `photos/` and `renders/`;
what is not there is said and left out. For each set one line of JSON, then a table by condition; OUT/failures-*.html shows the
pictures that went wrong. `naive` is how a fixed saturation threshold with the true corners does on the same pictures.
`disturbances` are short films, drawn while they are watched: a placement, something that is no play, another placement.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.evaluation import disturbances
from tests.evaluation.figures import by_condition, figures
from tests.evaluation.page import write_page
from tests.evaluation.stills import score_folder
from tests.synthetic import naive
from tests.synthetic.disturbances import KINDS
from tests.synthetic.games import write_game
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


def own_games(out: Path, count: int, seed: int) -> Path:
    """Our own games of mixed conditions of those seeds, drawn unless they are there from an earlier run."""
    folder = out / f"own-games-{seed}-{count}"
    left = [(folder / f"g{k + 1}", seed + k) for k in range(count) if not (folder / f"g{k + 1}" / "truth.json").exists()]
    if left:
        print(f"Drawing {len(left)} games into {folder} ...", file=sys.stderr)
        with multiprocessing.get_context("spawn").Pool() as pool:
            pool.starmap(write_game, left)
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


def score_played(data: Path, kind: str, folder: Path, *, verbose: bool) -> int:
    """Let the program watch a folder of games or videos, and say how it went; the exit status of the scoring."""
    print(f"== {kind}: {folder}", flush=True)
    more = ["--verbose"] if verbose else []
    return subprocess.run([sys.executable, data / "evaluate.py", kind, folder, *more], check=False).returncode


def score_disturbances(count: int, seed: int, kinds: list[str], *, verbose: bool) -> None:
    """Let the program watch so many films of each kind, and say how it went."""
    print(f"== disturbances: {count} of each kind, seeds from {seed}", flush=True)
    runs, left_out = disturbances.measure(count, seed, kinds)
    if verbose:
        print("\n".join(disturbances.failures(runs)))
    print("\n".join(disturbances.table(runs)))
    print(json.dumps(disturbances.figures(runs, left_out)), flush=True)


def main() -> int:
    """Score each set; 0 also when nothing is there to score, since a fresh clone has none of the others' pictures."""
    parser = argparse.ArgumentParser(prog="make eval", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", choices=("stills", "games", "videos", "disturbances"), help="one kind of set alone")
    parser.add_argument("--out", type=Path, default=Path("eval"), help="where own pictures and pages go (default: eval)")
    parser.add_argument("--count", type=int, default=40, help="how many own pictures; 0 for none")
    parser.add_argument("--games", type=int, default=50, help="how many own games; 0 for none")
    parser.add_argument("--films", type=int, default=50, help="how many films of each kind of disturbance; 0 for none")
    parser.add_argument("--kinds", help="kinds of disturbances, with commas between them (default: all)")
    parser.add_argument("--seed", type=int, default=1000, help="of the own pictures, games and films")
    parser.add_argument("--verbose", action="store_true", help="every event of games and videos, and of films that went wrong")
    args = parser.parse_args()
    if args.only in (None, "stills"):
        for folder in still_folders(args):
            score_stills(folder, args.out)
    status, has_script = 0, (args.data / "evaluate.py").is_file()
    if args.only in (None, "games") and args.games and has_script:
        status |= score_played(args.data, "games", own_games(args.out, args.games, args.seed), verbose=args.verbose)
    for kind, name in PLAYED:
        if args.only in (None, kind) and has_script and present(args.data, name):
            status |= score_played(args.data, kind, args.data / name, verbose=args.verbose)
    if args.only in (None, "disturbances") and args.films:
        kinds = args.kinds.split(",") if args.kinds else list(KINDS)
        if unknown := set(kinds) - set(KINDS):
            parser.error(f"no such kinds: {', '.join(sorted(unknown))}; there are: {', '.join(KINDS)}")
        score_disturbances(args.films, args.seed, kinds, verbose=args.verbose)
    return status


if __name__ == "__main__":
    sys.exit(main())
