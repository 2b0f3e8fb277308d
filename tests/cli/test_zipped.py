"""Hostile and damaged ZIPs given to `replay`: one clear line, quickly, and nothing written anywhere."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.options import GameOptions
from tests.cli.programs import refused
from web.cli import main
from web.cli.zipped import MOST_PARTS, ZipError, record_in

GAME = json.dumps({"options": GameOptions("duo").as_json(), "moves": [{"color": "purple", "cells": [[4, 4]]}]}).encode()


def packed(**parts: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in parts.items():
            made.writestr(name.replace("__", "/").replace("_json", ".json"), content)
    return data.getvalue()


def line(data: bytes, folder: Path) -> str:
    """What `replay` says of such a file."""
    file = folder / "sent.zip"
    file.write_bytes(data)
    before = sorted(folder.iterdir())
    told = refused(CliRunner().invoke(main, ["replay", str(file)]))
    assert sorted(folder.iterdir()) == before
    return told


def test_the_game_of_a_whole_file_is_judged(tmp_path: Path) -> None:
    file = tmp_path / "sent.zip"
    file.write_bytes(packed(record_json=GAME, log=b"nothing"))
    result = CliRunner().invoke(main, ["replay", str(file)])
    assert result.exit_code == 0, result.output
    assert "Purple 1" in result.stdout


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    assert "32 MiB" in line(packed(record_json=b" " * 100_000_000), tmp_path)


def test_a_bomb_that_lies_about_its_size_is_not_unpacked(tmp_path: Path) -> None:
    data = packed(record_json=b" " * 100_000_000)
    size = struct.pack("<L", 100_000_000)
    assert data.count(size) == 2
    assert "ZIP" in line(data.replace(size, struct.pack("<L", 1000)), tmp_path)


@pytest.mark.parametrize("kind", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_ways_of_packing_that_hide_bombs_are_not_unpacked(kind: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", kind) as made:
        made.writestr("record.json", GAME)
    monkeypatch.setattr(zipfile.ZipFile, "open", None)
    assert "packed in another way" in line(data.getvalue(), tmp_path)


def test_parts_that_lead_elsewhere_lead_nowhere(tmp_path: Path) -> None:
    folder = tmp_path / "inner"
    folder.mkdir()
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as made:
        made.writestr("../escaped.json", GAME)
        made.writestr("/etc/escaped.json", GAME)
        made.writestr("record.json", GAME)
    (folder / "sent.zip").write_bytes(data.getvalue())
    assert CliRunner().invoke(main, ["replay", str(folder / "sent.zip")]).exit_code == 0
    assert [path.name for path in tmp_path.rglob("*")] == ["inner", "sent.zip"]
    assert "without a game" in line(packed(**{"..__record_json": GAME}), tmp_path)


def test_more_parts_than_any_diagnostics_have_are_refused_unread(tmp_path: Path) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as made:
        made.writestr("record.json", GAME)
        for number in range(MOST_PARTS + 1):
            made.writestr(f"{number}", b"")
    assert "more parts" in line(data.getvalue(), tmp_path)


def test_an_index_that_claims_to_be_huge_is_refused_unread(tmp_path: Path) -> None:
    data = bytearray(packed(record_json=GAME))
    data[-10:-6] = struct.pack("<L", 2**31)
    assert "more parts" in line(bytes(data), tmp_path)


def test_two_games_in_one_file_are_refused(tmp_path: Path) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as made:
        made.writestr("record.json", GAME)
        with pytest.warns(UserWarning, match="Duplicate name"):
            made.writestr("record.json", GAME)
    assert "one record.json" in line(data.getvalue(), tmp_path)


@pytest.mark.parametrize("length", [4, 10, 30, 100, -1, -30])
def test_a_file_that_is_cut_short_is_damaged(length: int, tmp_path: Path) -> None:
    assert "ZIP" in line(packed(record_json=GAME, more=b"x" * 500)[:length], tmp_path)


def test_a_locked_part_is_damaged(tmp_path: Path) -> None:
    data = bytearray(packed(record_json=GAME))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + place] |= 1
    assert "ZIP" in line(bytes(data), tmp_path)


def test_a_game_in_it_that_is_none_is_told_as_one(tmp_path: Path) -> None:
    assert "JSON" in line(packed(record_json=b"{"), tmp_path)
    assert "empty" in line(packed(record_json=b""), tmp_path)


@settings(max_examples=200, deadline=None)
@given(place=st.integers(0, 10_000), changed=st.binary(min_size=1, max_size=8))
def test_no_damage_breaks_the_program(place: int, changed: bytes) -> None:
    data = bytearray(packed(record_json=GAME, more=b"y" * 300))
    place %= len(data)
    data[place : place + len(changed)] = changed
    with suppress(ZipError):
        assert isinstance(record_in(bytes(data), 10_000), bytes)
