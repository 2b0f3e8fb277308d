"""Command line: ``python -m tests.synthetic WHAT FOLDER [options]``.

- ``stills``: NAME.jpg with NAME.json, and ``negative_*.jpg``;
- ``hard``: the same, pictures in which the grid's place is hard to tell, and ``other_*.jpg`` of other games' boards;
- ``tables``: NAME.jpg with NAME.json, pictures whose leftovers are the matter;
- ``things``: NAME.jpg with NAME.json, boards with something on them that does not belong there;
- ``game``: frames/*.jpg and truth.json of one game; ``games``: several, one folder each;
- ``video``: NAME.mp4 with NAME.json;
- ``naive``: how the naive reader does on a folder of stills.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2

from .games import write_game
from .hard import write_hard_stills
from .naive import score, summary
from .negatives import write_negatives
from .others import write_others
from .shapes import KINDS
from .stills import write_stills, write_tables
from .things import write_things
from .videos import write_video


def main() -> None:
    """Read the command line and do it."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.synthetic", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["stills", "hard", "tables", "things", "game", "games", "video", "naive"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=20, help="pictures with a board, or games")
    parser.add_argument("--negatives", type=int, default=None, help="pictures without one (default: a quarter as many)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=sorted(KINDS), default=None, help="only boards of this game")
    parser.add_argument("--moves", type=int, default=12, help="legal moves of a game")
    parser.add_argument("--fouls", type=int, default=3, help="fouls of a game")
    parser.add_argument("--start", type=int, default=0, help="pieces on the board at the start of a game")
    parser.add_argument("--name", default="v1", help="name of a video")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    if args.what == "naive":
        scores = score(args.folder)
        for line in scores if args.verbose else []:
            print(line)
        print(summary(scores))
    elif args.what == "game":
        write_game(args.folder, args.seed, args.moves, args.fouls, args.start)
    elif args.what == "games":
        for i in range(args.count):
            write_game(args.folder / f"g{i + 1}", args.seed + i, args.moves, args.fouls, args.start)
    elif args.what == "video":
        write_video(args.folder, args.name, args.seed, args.moves, args.fouls)
    elif args.what == "hard":
        write_hard_stills(args.folder, args.count, args.seed, args.kind)
        write_others(args.folder, args.count // 4 if args.negatives is None else args.negatives, args.seed)
    elif args.what == "tables":
        write_tables(args.folder, args.count, args.seed, args.kind)
    elif args.what == "things":
        write_things(args.folder, args.count, args.seed, args.kind)
    else:
        write_stills(args.folder, args.count, args.seed, args.kind)
        write_negatives(args.folder, args.count // 4 if args.negatives is None else args.negatives, args.seed)


if __name__ == "__main__":
    main()
