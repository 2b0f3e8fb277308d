"""`make eval`: score the program, from outside, on pictures and games whose truth is known.

The measuring pictures are not part of this repository (some are other people's photographs). DATA is the folder that holds
`evaluate.py`, `photos/` and `renders/`; what is not there is said and left out. Figures go to standard output, one line of
JSON for each set, each condition of it by `--verbose`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SETS = (("stills", "photos"), ("stills", "renders/stills"), ("games", "renders/games"), ("videos", "renders/videos"))
"""What `evaluate.py` can score, and where it lies under the data folder."""


def sets_there(data: Path) -> Iterator[tuple[str, Path]]:
    """The sets that are there; a missing one is said on standard error."""
    for kind, folder in SETS:
        if (data / folder).is_dir():
            yield kind, data / folder
        else:
            print(f"{folder}: not there under {data}; not measured", file=sys.stderr)


def main() -> int:
    """Score each set; 0 also when nothing is there to score, since a fresh clone has none of it."""
    parser = argparse.ArgumentParser(prog="make eval", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", choices=sorted({kind for kind, _ in SETS}), help="one kind of set alone")
    parser.add_argument("--verbose", action="store_true", help="every picture and event")
    args = parser.parse_args()
    script = args.data / "evaluate.py"
    if not script.is_file():
        print(f"Nothing was measured: {script} is not there. Name the folder of the measuring pictures: make eval EVAL_DATA=...")
        return 0
    status, more = 0, ["--verbose"] if args.verbose else []
    for kind, folder in sets_there(args.data):
        if args.only in (None, kind):
            print(f"== {kind}: {folder}", flush=True)
            status |= subprocess.run([sys.executable, script, kind, folder, *more], check=False).returncode
    return status


if __name__ == "__main__":
    sys.exit(main())
