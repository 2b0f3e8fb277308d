"""`export`: a recorded game as a file, whole or not at all."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import select
import stat
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from tests.cli.programs import CLASSIC, NAMES, RECORDS, kept, refused
from tests.referee.watched import FIRST_ROUND, FOUL, Watched
from web.cli import main
from web.cli.export import PICTURES
from web.exports import MAKERS

KINDS = sorted(MAKERS)
START = {
    "blksgf": b"(\n;GM[",
    "json": b"{\n",
    "csv": b"\xef\xbb\xbfRow,",
    "html": b"<!doctype html>",
    "png": b"\x89PNG",
    "gif": b"GIF89a",
    "mp4": b"\0\0\0",
}


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, ["export", *map(str, args)])


@pytest.fixture
def fouled(tmp_path: Path) -> Path:
    """The database of a game with a dispute that was settled and one that is open."""
    watched = Watched(players=NAMES).play(*FIRST_ROUND)
    watched.put(FOUL)
    watched.decide("resolve", id=1, how="let_stand")
    watched.put("red r2 q2 p2")
    return kept(tmp_path / "fouled.db", watched.table)


@pytest.mark.parametrize("kind", KINDS)
def test_standard_output_gets_the_same_bytes_as_a_file(tmp_path: Path, kind: str) -> None:
    out = tmp_path / "game.out"
    told, written = run(CLASSIC, "--to", kind), run(CLASSIC, "--to", kind, "--out", out)
    assert (told.exit_code, written.exit_code, written.stdout) == (0, 0, "")
    assert told.stdout_bytes == out.read_bytes()
    assert told.stdout_bytes.startswith(START[kind])


@pytest.mark.parametrize("name", ["game.blksgf", "game.json", "game.CSV", "game.html", "game.htm", "game.png", "game.gif", "game.mp4"])
def test_the_suffix_says_what_to_write(tmp_path: Path, name: str) -> None:
    assert run(CLASSIC, "--out", tmp_path / name).exit_code == 0
    kind = {"htm": "html"}.get(name.lower().rpartition(".")[2], name.lower().rpartition(".")[2])
    assert (tmp_path / name).read_bytes().startswith(START[kind])


@pytest.mark.parametrize("args", [[], ["--out", "game"], ["--out", "game.xls"], ["--to", "xls"]])
def test_what_to_write_must_be_known(args: list[str]) -> None:
    result = run(CLASSIC, *args)
    assert result.exit_code == 2
    assert "--to" in result.stderr


@pytest.mark.parametrize("kind", ["blksgf", "json"])
@pytest.mark.parametrize("name", ["classic_000_uniform", "classic_3_000_uniform", "duo_complete20_001", "junior_001_uniform"])
def test_what_is_exported_is_read_again_with_the_same_scores(tmp_path: Path, kind: str, name: str) -> None:
    out = tmp_path / f"again.{kind}"
    assert run(RECORDS / f"{name}.blksgf", "--out", out).exit_code == 0
    result = CliRunner().invoke(main, ["score", "--json", str(RECORDS / f"{name}.blksgf"), str(out)])
    first, again = ({**json.loads(line), "source": ""} for line in result.stdout.splitlines())
    assert first == again


def test_house_decisions_and_disputes_reach_the_sheet(fouled: Path) -> None:
    text = run(fouled, "--to", "html").stdout
    assert "let stand by the table" in text
    assert "1 dispute is open: the scores are provisional" in text
    rows = list(csv.DictReader(io.StringIO(run(fouled, "--to", "csv").stdout.removeprefix("\ufeff"), newline="")))
    assert [row["Ruling"] for row in rows if row["Row"] == "dispute"] == ["the table lets it stand", "open"]
    assert {row["Game"] for row in rows} == {"fouled"}


def test_the_number_of_a_game_of_a_database_is_in_its_sheet(fouled: Path) -> None:
    assert ",fouled 1," in run(fouled, "--to", "csv", "--game", "1").stdout


@pytest.mark.parametrize("kind", KINDS)
def test_names_that_no_file_can_hold_keep_no_game_from_being_written(tmp_path: Path, kind: str) -> None:
    game = {"variant": "duo", "players": ["\ud800Ann\x1b[31m", "Ben\x00"], "about": {"comment": "\udfff"}}
    (tmp_path / "game.json").write_text(json.dumps({**game, "moves": [{"color": "purple", "cells": ["e10"]}]}))
    result = run(tmp_path / "game.json", "--to", kind)
    assert (result.exit_code, result.stderr) == (0, "")
    assert kind in PICTURES or not {0x00, 0x1B} & {*result.stdout_bytes}


def test_the_picture_shows_the_final_board(tmp_path: Path) -> None:
    assert run(CLASSIC, "--out", tmp_path / "board.png").exit_code == 0
    image = cv2.imread(str(tmp_path / "board.png"))
    assert image is not None
    assert image.shape[0] == image.shape[1]
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 5


def test_a_png_is_never_written_to_a_terminal() -> None:
    ours, theirs = pty.openpty()
    try:
        command = [sys.executable, "-m", "web.cli", "export", str(CLASSIC), "--to", "png"]
        done = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, text=True, check=False)
        assert select.select([ours], [], [], 0)[0] == [], "nothing came out"
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "--out" in line


# -- places that cannot be written to


def test_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "sheets.html").mkdir()
    assert "folder" in refused(run(CLASSIC, "--out", tmp_path / "sheets.html"))
    assert "folder" in refused(run(CLASSIC, "--out", tmp_path))


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    assert str(tmp_path / "none") in refused(run(CLASSIC, "--out", tmp_path / "none" / "x.csv"))


def test_the_record_itself_is_not_overwritten(fouled: Path) -> None:
    before = fouled.read_bytes()
    assert "file to be read" in refused(run(fouled, "--to", "csv", "--out", fouled))
    assert fouled.read_bytes() == before


def test_a_full_disk_is_told_and_leaves_the_old_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "sheet.csv"
    out.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert "No space left on device" in refused(run(CLASSIC, "--out", out))
    assert out.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["sheet.csv"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("args", [["--out", "/dev/full"], []])
def test_a_full_device_is_told_in_one_line(args: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "web.cli", "export", str(CLASSIC), "--to", "html", *args]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 3
    (line,) = done.stderr.splitlines()
    assert "No space left on device" in line


@pytest.mark.parametrize("kind", KINDS)
def test_a_closed_standard_output_is_wrong_usage(kind: str) -> None:
    script = f"{sys.executable} -m web.cli export {CLASSIC} --to {kind} >&-"
    done = subprocess.run(["bash", "-c", script], stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "blokus-referee: standard output is closed: name a file with --out\n")


def test_a_device_is_written_to_and_not_replaced() -> None:
    assert run(CLASSIC, "--to", "csv", "--out", "/dev/null").exit_code == 0
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_link_stays_a_link_and_its_file_keeps_its_rights(tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "real.csv").chmod(0o640)
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    assert run(CLASSIC, "--out", tmp_path / "link.csv").exit_code == 0
    assert (tmp_path / "link.csv").is_symlink()
    assert stat.S_IMODE((tmp_path / "real.csv").stat().st_mode) == 0o640
    assert (tmp_path / "real.csv").read_bytes().startswith(START["csv"])


# -- records that cannot be read


@pytest.mark.parametrize("content", [None, "", "no game", "(;GM[Chess])", "{}", "(;GM[Blokus];1[a20"])
def test_what_is_no_record_is_refused_in_one_line(tmp_path: Path, content: str | None) -> None:
    record = tmp_path / "bad.blksgf"
    if content is not None:
        record.write_text(content)
    out = tmp_path / "out.csv"
    assert "bad.blksgf" in refused(run(record, "--out", out))
    assert not out.exists()


def test_a_record_that_breaks_off_is_written_as_far_as_it_goes_and_says_so(tmp_path: Path) -> None:
    record = tmp_path / "cut.blksgf"
    text = CLASSIC.read_text()
    record.write_text(text[: len(text) // 2])
    result = run(record, "--to", "html")
    assert result.exit_code == 0
    assert "cut.blksgf" in result.stderr
    assert "could be read only in part" in result.stdout
