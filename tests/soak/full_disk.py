"""A disk that is full now and then while a table plays: the system itself forbids the program's files to grow."""

from __future__ import annotations

import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.soak.kills import ROOT, Witness

UNLIMITED = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


@dataclass(frozen=True)
class FullDisk:
    """What came of it: how many times the disk was full, and how many events were shown in all."""

    times: int
    shown: int


def fill_the_disk(db: str, seed: int, times: int = 5) -> FullDisk:
    """Let a table play; let its files grow no further, wait until it says so, then make room, again and again.

    Fails when something was lost or told twice, or when it does not go on by itself.
    """
    rng, witness = Random(seed), Witness(db)
    command = [sys.executable, "-m", "tests.soak.player", db, str(seed)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as player:
        assert player.stdout is not None
        try:
            for _ in range(times):
                lines = [player.stdout.readline() for _ in range(rng.randrange(5, 30))]
                # A soft limit alone, or it could not be lifted again.
                size = max(path.stat().st_size for path in Path(db).parent.glob(f"{Path(db).name}*"))
                resource.prlimit(player.pid, resource.RLIMIT_FSIZE, (size + rng.randrange(20_000), resource.RLIM_INFINITY))
                while '"NOT KEPT' not in lines[-1]:
                    lines.append(player.stdout.readline())
                    assert lines[-1], "it ended when nothing could be written"
                resource.prlimit(player.pid, resource.RLIMIT_FSIZE, UNLIMITED)
                lines.append(player.stdout.readline())
                witness.hear([line for line in lines if '"NOT KEPT' not in line])
        finally:
            player.kill()
    witness.look()
    return FullDisk(times, len(witness.shown))
