"""What no type checker sees: which way imports point, and what must not stand in tracked files."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("calibration", "referee", "vision", "web")
MACHINE_PATHS = re.compile(r"(?<![\w.$}])/(?:work|root|home/\w+|Users/\w+|tmp)/")
REGISTRY_HOSTS = re.compile(
    r"pypi\.org|pythonhosted|npmjs|deb\.debian\.org|index-url|find-links|https?://[^\s\"'/]*(?:artifactory|nexus|mirror)", re.IGNORECASE
)
SAMPLE_BYTES = 15_000_000
FILE_LINES = 400


def tracked() -> list[Path]:
    """Files under version control; in an unpacked source archive, every file outside hidden folders."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]
    return [p for p in ROOT.rglob("*") if p.is_file() and not any(part.startswith(".") for part in p.relative_to(ROOT).parts)]


def texts() -> list[tuple[str, str]]:
    """Name and text of each tracked file of text."""
    found = []
    for path in tracked():
        if path.suffix.lower() in {".jpg", ".png", ".mp4", ".gz", ".xz", ".ico", ".woff2", ".npz", ".npy"} or path == Path(__file__):
            continue
        found.append((str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")))
    return found


def test_imports_point_one_way() -> None:
    run = subprocess.run(
        ["lint-imports", "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False, env=_with_this_python_first()
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_no_package_imports_the_tests() -> None:
    pattern = re.compile(r"^\s*(?:from|import)\s+tests\b", re.MULTILINE)
    assert [name for name, text in texts() if name.split("/")[0] in PACKAGES and pattern.search(text)] == []


def test_no_file_names_a_folder_of_somebodys_machine() -> None:
    found = [(name, m.group()) for name, text in texts() if (m := MACHINE_PATHS.search(text))]
    assert found == []


def test_no_file_names_a_package_registry() -> None:
    # The Makefile may tell uv to write no index address; that is the one mention.
    found = [(name, m.group()) for name, text in texts() if (m := REGISTRY_HOSTS.search(text.replace("--no-emit-index-url", "")))]
    assert found == []


def test_samples_stay_small() -> None:
    assert sum(path.stat().st_size for path in tracked() if "sample_images" in path.parts) < SAMPLE_BYTES


def test_source_files_stay_short_enough_to_read() -> None:
    lengths = {name: text.count("\n") for name, text in texts() if name.endswith(".py")}
    assert {name: lines for name, lines in lengths.items() if lines > FILE_LINES} == {}


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_locks_pin_every_dependency_with_hashes(lock: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["build"]
    if lock == "requirements-dev.lock":
        wanted = wanted + [item for item in project["optional-dependencies"]["dev"] if not item.startswith("blokus-referee")]
    text = (ROOT / lock).read_text()
    pinned = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", text, re.MULTILINE))
    assert [item for item in wanted if re.split(r"[<>=]", item)[0] not in pinned] == []
    entries = re.split(r"\n(?=[a-z])", text.strip())
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_no_two_packages_bring_the_same_cv2() -> None:
    for lock in ("requirements.lock", "requirements-dev.lock"):
        assert len(re.findall(r"^opencv-\S+==", (ROOT / lock).read_text(), re.MULTILINE)) == 1


def _with_this_python_first() -> dict[str, str]:
    import os

    return {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
