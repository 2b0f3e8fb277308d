"""Kept calibrations: written, read again, forgotten; damaged and later files are refused in one line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.pose import GridPose
from calibration.store import Calibration, CalibrationError, Store

POSE = GridPose.from_corners(np.array([[212, 95], [1071, 88], [1210, 930], [70, 941]], float), (1280, 960), 20, k1=-0.05)
WEBCAM = Calibration.of("usb-046d_HD_Pro_Webcam_C920_5F1A-video-index0", POSE)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    store = Store(tmp_path / "cameras")
    store.save(WEBCAM)
    assert store.load(WEBCAM.camera) == WEBCAM
    assert store.all() == [WEBCAM]
    assert store.load("another camera") is None


def test_the_pose_comes_back_as_it_was(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.save(WEBCAM)
    known = store.load(WEBCAM.camera)
    assert known is not None
    at = np.array([[0.0, 0], [20, 0], [10, 10], [3, 17]])
    for height in (0.0, 0.26):
        assert np.abs(known.pose().project(at, height) - POSE.project(at, height)).max() < 0.1


def test_a_later_calibration_takes_the_place_of_the_former(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.save(WEBCAM)
    store.save(replace(WEBCAM, by_hand=True))
    assert [one.by_hand for one in store.all()] == [True]


@pytest.mark.parametrize("other", ["http://192.168.1.20:8080/video", "Kamera / Küche", "../../etc", "a" * 500, "HD Cam", "hd cam"])
def test_every_name_has_a_file_of_its_own_in_the_folder(tmp_path: Path, other: str) -> None:
    store = Store(tmp_path)
    store.save(WEBCAM)
    file = store.save(replace(WEBCAM, camera=other))
    assert file.parent == tmp_path
    assert {one.camera for one in store.all()} == {WEBCAM.camera, other}
    assert store.file_of("HD Cam") != store.file_of("hd cam")


def test_a_forgotten_camera_is_unknown(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.save(WEBCAM)
    assert store.forget(WEBCAM.camera)
    assert store.load(WEBCAM.camera) is None
    assert not store.forget(WEBCAM.camera)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": 2}, r"another version \(2\)"),
        ({"version": None}, "another version"),
        ({"corners_px": [[0, 0], [0, 1], [1, 1], [1, 0]]}, "damaged"),
        ({"corners_px": [[0, 0]]}, "damaged"),
        ({"corners_px": 7}, "damaged"),
        ({"image_wh": [0, 0]}, "damaged"),
        ({"focal_px": -5}, "damaged"),
        ({"focal_px": float("nan")}, "damaged"),
        ({"size": "many"}, "damaged"),
    ],
    ids=str,
)
def test_a_file_that_makes_no_sense_is_refused(tmp_path: Path, change: dict[str, object], words: str) -> None:
    store = Store(tmp_path)
    file = store.save(WEBCAM)
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    with pytest.raises(CalibrationError, match=words):
        store.load(WEBCAM.camera)
    assert store.all() == []


@pytest.mark.parametrize("text", ["", "{", "[]", "7", "{}"])
def test_a_damaged_file_is_refused(tmp_path: Path, text: str) -> None:
    store = Store(tmp_path)
    store.save(WEBCAM).write_text(text)
    with pytest.raises(CalibrationError, match="damaged"):
        store.load(WEBCAM.camera)
