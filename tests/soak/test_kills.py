"""A sample of `make soak`: programs killed in the middle of a game, whose game goes on as if nothing had happened."""

from __future__ import annotations

import json
import shutil
import signal
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from referee.journal import Journal
from tests.cli.programs import running
from tests.soak.kills import Witness, look_at_game
from web.cli import main
from web.samples import sample_game

PASSING = ("state", "board")


@pytest.mark.slow
def test_a_table_that_is_killed_again_and_again_loses_nothing_and_tells_nothing_twice(db: str) -> None:
    witness, rng = Witness(db), Random(20)
    for _ in range(4):
        witness.kill_one(rng)
    assert len(witness.shown) > witness.kills, "something happened between the kills"


@pytest.mark.slow
def test_a_game_watched_from_pictures_is_whole_up_to_the_kill_and_can_be_decided_on(tmp_path: Path) -> None:
    folder, db = tmp_path / "opening", str(tmp_path / "games.db")
    folder.mkdir()
    for path in sorted(sample_game().glob("*.jpg"))[:8]:
        shutil.copy(path, folder)
    shown = []
    with running("watch", str(folder), "--stills", "--json", "--no-web", "--db", db) as process:
        assert process.stdout is not None
        for line in process.stdout:
            event = json.loads(line)
            shown += [event] if event["event"] not in PASSING else []
            if event["event"] == "dispute":
                process.send_signal(signal.SIGKILL)
    journal = Journal(db)
    kept = [event for _, event in journal.events_of(1)]
    assert shown[-1]["event"] == "dispute" or len(shown) > 2
    assert kept[: len(shown)] == shown
    look_at_game(journal, 1)
    if not journal.load_table().state()["disputes"]:
        return  # the piece went back before the kill came
    done = CliRunner().invoke(main, ["decide", "--db", db, '{"decision": "resolve", "id": 1, "how": "let_stand"}'])
    assert done.exit_code == 0, done.output
