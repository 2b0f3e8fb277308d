"""Bad input: one clear line, the right exit status, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from referee.journal import Journal
from referee.options import GameOptions
from tests.cli.programs import refused
from tests.vision.test_pictures import png_header_only
from web.cli import main
from web.samples import SAMPLE_IMAGES

GOOD = SAMPLE_IMAGES / "stills" / "walnut_table.jpg"


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


def picture(path: Path, image: np.ndarray) -> Path:
    path.write_bytes(cv2.imencode(path.suffix, image)[1].tobytes())
    return path


@pytest.fixture
def bad(tmp_path: Path) -> dict[str, Path]:
    """A file of each kind that cannot be read."""
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8)
    data = GOOD.read_bytes()
    files = {
        "text": tmp_path / "text.jpg",
        "truncated": tmp_path / "truncated.jpg",
        "huge": tmp_path / "huge.png",
        "empty": tmp_path / "empty.jpg",
        "missing": tmp_path / "missing.jpg",
        "folder": tmp_path / "folder",
        "tiny": picture(tmp_path / "tiny.png", noise[:1, :1]),
        "noise": picture(tmp_path / "noise.jpg", noise),
        "plain": picture(tmp_path / "plain.jpg", np.full((960, 1280, 3), 128, np.uint8)),
        "black": picture(tmp_path / "black.jpg", np.zeros((960, 1280, 3), np.uint8)),
    }
    files["text"].write_text("no picture")
    files["truncated"].write_bytes(data[: len(data) // 2])
    files["huge"].write_bytes(png_header_only(10000, 10000))
    files["empty"].write_bytes(b"")
    files["folder"].mkdir()
    return files


BAD = ("text", "truncated", "huge", "empty", "missing", "folder", "tiny", "noise", "plain", "black")


@pytest.mark.parametrize("kind", BAD)
def test_read_refuses_in_one_line(bad: dict[str, Path], kind: str) -> None:
    result = run("read", bad[kind])
    assert bad[kind].name in refused(result)
    assert result.stdout == ""


@pytest.mark.parametrize("kind", BAD)
def test_read_json_gives_an_error_object(bad: dict[str, Path], kind: str) -> None:
    result = run("read", "--json", bad[kind])
    refused(result, lines_told=1)
    (line,) = result.stdout.splitlines()
    assert json.loads(line).keys() == {"image", "error"}
    assert json.loads(line)["image"] == str(bad[kind])


def test_one_bad_picture_does_not_keep_the_others_from_being_read(bad: dict[str, Path]) -> None:
    result = run("read", "--json", bad["text"], GOOD, bad["missing"])
    assert result.exit_code == 0
    assert ["error" in json.loads(line) for line in result.stdout.splitlines()] == [True, False, True]


def test_half_a_board_is_refused(tmp_path: Path) -> None:
    image = cv2.imread(str(GOOD))
    assert image is not None
    refused(run("read", picture(tmp_path / "half.jpg", image[:, : image.shape[1] // 2])))


def test_two_boards_are_refused(tmp_path: Path) -> None:
    image = cv2.imread(str(GOOD))
    assert image is not None
    refused(run("read", picture(tmp_path / "two.jpg", np.hstack([image, image]))))


@pytest.mark.parametrize(
    ("corners", "words"),
    [
        ("10,10 10,500 500,500 500,10", "mirror"),
        ("10,10 500,500 500,10 10,500", "corners of a board"),
        ("10,10 500,10 500,500", "four points"),
        ("10,10 500,10 500,500 10,500 and more", "four points"),
        ("10,10 10,10 10,10 10,10", "corners of a board"),
    ],
)
def test_wrong_corners_are_wrong_usage(corners: str, words: str) -> None:
    result = run("read", GOOD, "--corners", corners)
    assert result.exit_code == 2
    assert words in result.stderr


@pytest.mark.parametrize(
    "corners", ["0,0 20,0 20,20 0,20", "0,0 " + "9" * 25 + ",0 500,500 0,500", "0,0 " + "9" * 400 + ",0 500,500 0,500"]
)
def test_corners_that_no_board_in_the_picture_has_are_refused(corners: str) -> None:
    assert "--corners" in refused(run("read", GOOD, "--corners", corners))


def test_a_grey_picture_is_refused_rather_than_read_as_an_empty_board(tmp_path: Path) -> None:
    grey = cv2.imread(str(GOOD), cv2.IMREAD_GRAYSCALE)
    assert grey is not None
    assert "no colours" in refused(run("read", picture(tmp_path / "grey.jpg", grey)))


@pytest.mark.parametrize("stills", [True, False])
def test_grey_pictures_are_refused_rather_than_watched(tmp_path: Path, stills: bool) -> None:
    grey = cv2.imread(str(GOOD), cv2.IMREAD_GRAYSCALE)
    assert grey is not None
    for number in range(3):
        picture(tmp_path / f"{number}.jpg", grey)
    assert "no colours" in refused(run("watch", tmp_path, "--no-web", "--db", ":memory:", *(["--stills"] if stills else [])))


def test_an_overlay_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    assert "missing/seen.png" in refused(run("read", GOOD, "--overlay", tmp_path / "missing" / "seen.png"))


def test_a_file_that_may_not_be_read_keeps_no_other_from_being_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The administrator may read everything, so that the refusal is played."""
    locked = tmp_path / "locked.jpg"
    locked.write_bytes(GOOD.read_bytes())
    allowed = os.access
    monkeypatch.setattr(os, "access", lambda path, mode, **how: Path(path) != locked and allowed(path, mode, **how))
    real = Path.read_bytes

    def read_bytes(path: Path) -> bytes:
        if path == locked:
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    assert "Permission denied" in refused(run("read", locked))
    assert run("read", locked, GOOD).exit_code == 0


def test_a_name_of_line_breaks_and_terminal_sequences_is_one_harmless_line(tmp_path: Path) -> None:
    line = refused(run("read", tmp_path / "a\nb\x1b[31m.jpg"))
    assert "\\x1b" in line


def test_an_overlay_under_the_name_of_another_kind_of_file_is_wrong_usage(tmp_path: Path) -> None:
    result = run("read", GOOD, "--overlay", tmp_path / "seen.jpg")
    assert result.exit_code == 2
    assert "only PNG files are drawn" in result.stderr
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("name", ["", " "])
def test_an_empty_name_is_not_the_folder_one_is_in(name: str) -> None:
    result = run("read", name)
    assert result.exit_code == 2
    assert "the name is empty" in result.stderr


@pytest.mark.parametrize("command", ["watch", "check", "calibrate"])
@pytest.mark.parametrize("name", ["", " "])
def test_an_empty_source_is_not_the_folder_one_is_in(command: str, name: str) -> None:
    result = run(command, name)
    assert result.exit_code == 3
    assert "the name of what to watch is empty" in result.stderr


def test_an_overlay_of_two_pictures_is_wrong_usage(tmp_path: Path) -> None:
    assert run("read", GOOD, GOOD, "--overlay", tmp_path / "seen.png").exit_code == 2


@pytest.mark.parametrize("kind", ["text", "truncated", "empty", "missing", "folder"])
def test_watch_refuses_in_one_line(bad: dict[str, Path], kind: str) -> None:
    refused(run("watch", bad[kind], "--no-web", "--db", ":memory:"))


@pytest.mark.parametrize("kind", ["text", "missing", "folder"])
def test_watch_stills_refuses_in_one_line(bad: dict[str, Path], kind: str) -> None:
    refused(run("watch", bad[kind], "--stills", "--json", "--no-web", "--db", ":memory:"))


def test_a_video_without_frames_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "nothing.mp4"
    path.write_bytes(b"\0\0\0\x20ftypisom" + b"\0" * 100)
    refused(run("watch", path, "--no-web", "--db", ":memory:"))


@pytest.mark.parametrize("source", ["100", "9" * 30])
def test_a_camera_number_that_cannot_be_is_refused_at_once(source: str) -> None:
    assert "no camera" in refused(run("watch", source, "--no-web", "--db", ":memory:"))


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.mp4")
    assert "pipe" in refused(run("watch", tmp_path / "pipe.mp4", "--no-web", "--db", ":memory:"))


def test_a_folder_of_unreadable_pictures_is_refused(bad: dict[str, Path], tmp_path: Path) -> None:
    folder = tmp_path / "all_bad"
    folder.mkdir()
    (folder / "1.jpg").write_bytes(bad["truncated"].read_bytes())
    result = run("watch", folder, "--stills", "--no-web", "--db", ":memory:")
    assert result.exit_code == 3
    assert "Traceback" not in result.stderr


def test_the_real_program_prints_nothing_beside_the_line(bad: dict[str, Path]) -> None:
    """OpenCV's decoders write to standard error by themselves; a subprocess sees that, a test runner does not."""
    command: list[str | Path] = [sys.executable, "-m", "web.cli", "read", bad["truncated"], bad["text"], bad["noise"]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert [line.partition(":")[0] for line in done.stderr.splitlines()] == ["blokus-referee"] * 3


@pytest.mark.parametrize("x", ["NaN", "1e999", "[" * 60_000, '{"a": 1, "a": 2}'])
def test_a_decision_that_is_no_plain_json_is_wrong_usage_and_changes_nothing(tmp_path: Path, x: str) -> None:
    db = tmp_path / "games.db"
    journal = Journal(str(db))
    journal.new_game(GameOptions().as_json())
    result = run("decide", "--db", db, '{"decision": "place", "color": "blue", "cells": [[0, 0]], "x": ' + x + "}")
    assert result.exit_code == 2
    assert "JSON" in result.stderr
    assert journal.event_count == 0


@pytest.mark.parametrize("content", ["damaged", "video"])
def test_decoders_do_not_speak_beside_the_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / "bad.mp4"
    if content == "video":
        path.write_bytes(b"\0\0\0\x20ftypisom" + b"\0" * 100)
        command = ["watch", str(path), "--no-web", "--db", ":memory:"]
    else:
        data = bytearray(cv2.imencode(".png", np.random.default_rng(1).integers(0, 255, (300, 300, 3), np.uint8))[1].tobytes())
        data[len(data) // 3 : len(data) // 3 + 500] = b"Z" * 500
        path.write_bytes(bytes(data))
        command = ["read", str(path)]
    done = subprocess.run([sys.executable, "-m", "web.cli", *command], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert len(done.stderr.splitlines()) == 1, done.stderr


def test_a_name_that_is_no_text_can_be_printed(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff\xfe.jpg"
    Path(os.fsdecode(path)).write_bytes(GOOD.read_bytes())
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run([sys.executable, "-m", "web.cli", "read", path], capture_output=True, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    "command", [["score"], ["score", "--json"], ["replay"], ["replay", "--json", str(GOOD)], ["export", "--to", "csv"]]
)
def test_no_password_is_printed_when_a_database_does_not_answer(command: list[str]) -> None:
    result = run(*command, "postgresql://me:secret@127.0.0.1:1/games?password=secret")
    assert result.exit_code == 3
    assert "127.0.0.1:1/games" in result.stderr
    assert "secret" not in result.output
