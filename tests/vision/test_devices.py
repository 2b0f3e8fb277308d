"""Cameras by number and by name, on a system drawn as files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from vision.cameras import LocalCamera, StreamCamera
from vision.devices import Devices
from vision.frames import SourceError
from vision.sources import camera_of

TABLE = (
    # number, name, index of its device file, link
    (0, "Integrated Camera", 0, "usb-Chicony_Integrated_Camera_0001-video-index0"),
    (1, "Integrated Camera", 1, "usb-Chicony_Integrated_Camera_0001-video-index1"),
    (2, "HD Pro Webcam C920", 0, "usb-046d_HD_Pro_Webcam_C920_5F1A-video-index0"),
    (10, "HD Pro Webcam C920", 0, "usb-046d_HD_Pro_Webcam_C920_77B2-video-index0"),
)


def system(root: Path, table: tuple[tuple[int, str, int, str], ...] = TABLE) -> Devices:
    for number, name, index, link in table:
        entry = root / f"sys/class/video4linux/video{number}"
        entry.mkdir(parents=True)
        (entry / "name").write_text(f"{name}\n")
        (entry / "index").write_text(f"{index}\n")
        (root / "dev/v4l/by-id").mkdir(parents=True, exist_ok=True)
        (root / f"dev/video{number}").touch()
        (root / "dev/v4l/by-id" / link).symlink_to(f"../../video{number}")
    return Devices(root, is_listed=True)


def test_files_that_give_no_pictures_are_no_cameras(tmp_path: Path) -> None:
    assert [device.number for device in system(tmp_path).all()] == [0, 2, 10]


@pytest.mark.parametrize(
    ("words", "number"),
    [("Integrated Camera", 0), ("integrated", 0), ("C920_77B2", 10), ("usb-046d_HD_Pro_Webcam_C920_5F1A-video-index0", 2)],
)
def test_a_camera_is_known_by_its_name_or_link(tmp_path: Path, words: str, number: int) -> None:
    device = system(tmp_path).named(words)
    assert device is not None
    assert device.number == number


@pytest.mark.parametrize(
    ("spec", "number"),
    [("2", 2), ("/dev/video10", 10), ("integrated", 0), ("1", None), ("9", None), ("c920", None), ("http://x/video", None), ("", None)],
)
def test_a_source_is_known_as_a_camera_where_that_is_plain(tmp_path: Path, spec: str, number: int | None) -> None:
    device = system(tmp_path).meant_by(spec)
    assert (None if device is None else device.number) == number


def test_a_name_that_two_cameras_have_is_refused_with_both(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"2 \(HD Pro Webcam C920\), 10 \(HD Pro Webcam C920\)"):
        system(tmp_path).named("c920")


def test_a_number_without_a_camera_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"no camera 9: this computer has 0 \(Integrated Camera\)"):
        LocalCamera(9, system(tmp_path))


def test_no_camera_at_all_is_said(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="plugged in"):
        LocalCamera(0, Devices(tmp_path, is_listed=True))


def test_a_camera_that_may_not_be_used_says_how_to_allow_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The administrator may use everything, so that the refusal is played."""
    devices = system(tmp_path)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(SourceError, match="usermod"):
        LocalCamera(0, devices)


def test_a_camera_plugged_in_again_is_known_by_its_name_under_another_number(tmp_path: Path) -> None:
    camera = LocalCamera(0, system(tmp_path))
    for file in ("name", "index"):
        (tmp_path / "sys/class/video4linux/video0" / file).unlink()
    (tmp_path / "sys/class/video4linux/video0").rmdir()
    (tmp_path / "dev/v4l/by-id" / TABLE[0][3]).unlink()
    later = Devices(tmp_path, is_listed=True)
    with pytest.raises(SourceError, match="Integrated Camera is not plugged in"):
        camera._number_now()
    system(tmp_path / "later", ((7, "Integrated Camera", 0, TABLE[0][3]),))
    camera._devices = Devices(tmp_path / "later", is_listed=True)
    assert camera._number_now() == 7
    assert later.name_of(0) == ""


def test_numbers_names_and_device_files_all_name_a_camera(tmp_path: Path) -> None:
    devices = system(tmp_path)
    for spec in ("2", "/dev/video2", "C920_5F1A"):
        assert str(camera_of(spec, devices)) == "camera 2 (HD Pro Webcam C920)"
    assert camera_of("game.mp4", devices) is None


@pytest.mark.parametrize("spec", ["foo://x", "file:///game.mp4"])
def test_an_unknown_kind_of_stream_is_refused_at_once(spec: str) -> None:
    with pytest.raises(SourceError, match="no kind of stream"):
        camera_of(spec)


@pytest.mark.parametrize("url", ["http://", "http://[::1/", "http://host:port/"])
def test_what_is_no_address_is_refused_at_once(url: str) -> None:
    with pytest.raises(SourceError, match=r"address|computer"):
        camera_of(url)


@pytest.mark.parametrize("scheme", ["rtsp", "http"])
def test_passwords_stay_out_of_messages(scheme: str) -> None:
    camera = StreamCamera(f"{scheme}://ann:secret@192.0.2.7:554/live?token=secret")
    assert str(camera) == camera.label == f"{scheme}://192.0.2.7:554/live"
