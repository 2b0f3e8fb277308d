"""`make soak`: a hundred kills, hours at a table in minutes, a page with hundreds of spectators, and what it all left behind."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the console script does

from tests.databases import postgres_server, server_programs
from tests.soak.full_disk import fill_the_disk
from tests.soak.hours import watch_for_hours
from tests.soak.kills import Witness
from tests.soak.page import page_figures

GROWTH_GOAL = 0.02
PARTS = ("keeping", "hours", "page")


def killed(db: str, kind: str, kills: int, seed: int) -> str:
    """Kill programs; gives the figures as a line."""
    witness, rng = Witness(db), Random(seed)
    for _ in range(kills):
        witness.kill_one(rng)
        print(f"\r  {kind}: {witness.kills} kills, {len(witness.shown)} events shown", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return (
        f"| {kind}: kills; events shown; lost; told twice; kept and told only after the restart "
        f"| {witness.kills}; {len(witness.shown):,}; 0; 0; {witness.unshown} |"
    )


def figures(args: argparse.Namespace, folder: Path, stack: ExitStack) -> Iterator[str]:
    """Each part in turn; whatever is not as it should be ends the program with an error that says what."""
    if "keeping" in args.parts:
        yield from keeping(args, folder, stack)
    if "hours" in args.parts:
        yield hours(args, folder)
    if "page" in args.parts:
        yield from page_figures(folder, args.spectators, args.games)


def keeping(args: argparse.Namespace, folder: Path, stack: ExitStack) -> Iterator[str]:
    """Kills and full disks."""
    yield killed(str(folder / "killed.db"), "SQLite file", args.kills, args.seed)
    programs = server_programs()
    if programs is None:
        yield "| PostgreSQL | not installed |"
    else:
        server = stack.enter_context(postgres_server(programs))
        yield killed(server.new_database(), "PostgreSQL", args.kills // 4, args.seed)
    full = fill_the_disk(str(folder / "full.db"), args.seed)
    yield f"| full disk: times; events shown; lost; told twice | {full.times}; {full.shown}; 0; 0 |"


def hours(args: argparse.Namespace, folder: Path) -> str:
    """Hours at a table."""
    found = watch_for_hours(str(folder / "hours.db"), args.hours)
    verdict = "met" if found.growth < GROWTH_GOAL else "MISSED"
    return (
        f"| {found.hours:g} hours at the table ({found.took_s / 60:.0f} min): games; events; peak memory; growth after the first third "
        f"(goal {GROWTH_GOAL:.0%}: {verdict}) | {found.games}; {found.events}; {found.peak_bytes / 2**20:.0f} MB; {found.growth:+.2%} |"
    )


def main() -> int:
    """Soak and print, as rows of a table."""
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument(
        "--kills", type=int, default=100, metavar="N", help="programs killed over an SQLite file; a quarter of it PostgreSQL"
    )
    parser.add_argument("--hours", type=float, default=3.0, help="hours at the table, on the camera's clock")
    parser.add_argument("--spectators", type=int, default=200, metavar="N", help="readers of the live page at once")
    parser.add_argument("--games", type=int, default=2, metavar="N", help="games that they watch, half a second a turn")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="what to do of it all")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="referee-soak-") as folder, ExitStack() as stack:
        lines = []
        for line in figures(args, Path(folder), stack):
            print(line, flush=True)
            lines.append(line)
    return int(any("MISSED" in line for line in lines))


if __name__ == "__main__":
    sys.exit(main())
