"""Games and videos are written in the shared schema, frame for frame."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.synthetic.games import write_game
from tests.synthetic.videos import write_video


@pytest.mark.slow
def test_a_game_tells_what_lies_on_the_board_in_each_frame(tmp_path: Path) -> None:
    write_game(tmp_path, 5, moves=4, fouls=1, image_wh=(640, 480))
    truth = json.loads((tmp_path / "truth.json").read_text())
    steps, frames = truth["steps"], truth["frames"]
    assert [s["kind"] for s in steps].count("move") == 4
    assert [s["i"] for s in steps] == list(range(len(steps)))
    for frame in frames:
        assert (tmp_path / frame["file"]).exists()
        after = truth["initial_board"] if frame["step"] is None else steps[frame["step"]]["board_after"]
        before = truth["initial_board"] if not frame["step"] else steps[frame["step"] - 1]["board_after"]
        assert frame["board"] == (before if frame["phase"] == "hand_carrying" else after)
        assert frame["settled"] == (frame["phase"] == "settled")
    settled = [f["step"] for f in frames if f["settled"]]
    assert settled == [None, *range(len(steps))]


@pytest.mark.slow
def test_a_video_tells_the_step_in_force_and_when_it_is_quiet(tmp_path: Path) -> None:
    write_video(tmp_path, "v", 6, moves=1, fouls=0, image_wh=(640, 480))
    truth = json.loads((tmp_path / "v.json").read_text())
    video = cv2.VideoCapture(str(tmp_path / truth["video"]))
    assert int(video.get(cv2.CAP_PROP_FRAME_COUNT)) == len(truth["frames"])
    steps = [f["step"] for f in truth["frames"]]
    assert [s for i, s in enumerate(steps) if i == 0 or s != steps[i - 1]] == [None, 0]
    assert [f["index"] for f in truth["frames"]] == list(range(len(steps)))
    seen = []
    while True:
        ok, frame = video.read()
        if not ok:
            break
        seen.append(cv2.resize(frame, (160, 120), interpolation=cv2.INTER_AREA).astype(int))
    for step in truth["steps"]:
        quiet = step["quiet_from"]
        assert steps[quiet] == step["i"]
        assert np.abs(seen[quiet + 1] - seen[quiet + 3]).mean() < 4
