"""Command line: ``python -m tests.synthetic stills OUT --count N --seed S``, ``negatives``, ``naive DIR``."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2

from .naive import score
from .negatives import write_negatives
from .shapes import KINDS
from .stills import write_stills


def main() -> None:
    """Read the command line and do it."""
    parser = argparse.ArgumentParser(prog="python -m tests.synthetic", description=__doc__)
    parser.add_argument("what", choices=["stills", "naive"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=20, help="pictures with a board")
    parser.add_argument("--negatives", type=int, default=None, help="pictures without one (default: a quarter as many)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=sorted(KINDS), default=None)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    if args.what == "naive":
        print(score(args.folder, args.verbose))
        return
    write_stills(args.folder, args.count, args.seed, args.kind)
    write_negatives(args.folder, args.count // 4 if args.negatives is None else args.negatives, args.seed)


if __name__ == "__main__":
    main()
