"""The README tells the truth: its commands exist and do what it shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from web.cli import main

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "docs/ARCHITECTURE.md", "docs/GLOSSARY.md", "sample_images/README.md")
TEXT = "\n".join((ROOT / name).read_text() for name in DOCUMENTS if (ROOT / name).exists())
COMMAND_LINES = sorted(set(re.findall(r"`(blokus-referee [^`]+)`|^\$ (blokus-referee [^#\n]+)", TEXT, re.MULTILINE)))


def commands() -> list[str]:
    return [(inline or shown).strip() for inline, shown in COMMAND_LINES]


def option_names(command: click.Command) -> set[str]:
    return {name for param in command.params for name in param.opts} | {"--help"}


@pytest.mark.parametrize("line", commands())
def test_each_command_and_option_exists(line: str) -> None:
    words = shlex.split(line)[1:]
    command: click.Command | None = main
    while isinstance(command, click.Group):
        command = command.commands.get(words.pop(0))
    assert command is not None, line
    assert {word.partition("=")[0] for word in words if word.startswith("--")} <= option_names(command)


def test_each_option_mentioned_alone_exists() -> None:
    groups = [command for command in main.commands.values() if isinstance(command, click.Group)]
    every = [command for group in (main, *groups) for command in group.commands.values()]
    known = set.union(*map(option_names, every)) | {"--version", "--verbose"}
    assert set(re.findall(r"`(--[a-z-]+)", TEXT)) <= known


def test_each_make_target_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z]+)\b(?=[` ]|$)", TEXT, re.MULTILINE)) & {"demo", "test", "check", "bench", "eval"} <= targets
    assert set(re.findall(r"^    make ([a-z]+)", TEXT, re.MULTILINE)) <= targets


def test_each_link_leads_somewhere() -> None:
    for name in DOCUMENTS:
        text = (ROOT / name).read_text() if (ROOT / name).exists() else ""
        for target in re.findall(r"\]\(([^)#]+)\)", text):
            assert target.startswith("https://") or ((ROOT / name).parent / target).exists(), f"{name}: {target}"


def sessions() -> list[tuple[str, str]]:
    """Command and expected output of each console session that shows one."""
    blocks = re.findall(r"```console\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    found = []
    for block in blocks:
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            if output.strip():
                found.append((line, output.rstrip()))
    return found


def test_there_is_a_session_to_try() -> None:
    assert sessions()


@pytest.mark.parametrize(("line", "output"), sessions())
def test_the_sessions_shown_come_out_as_shown(line: str, output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(main, shlex.split(line)[1:])
    assert result.exit_code == 0, result.stderr
    assert [row.rstrip() for row in result.stdout.rstrip().splitlines()] == [row.rstrip() for row in output.splitlines()]
