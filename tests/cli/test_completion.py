"""Shell completion: the scripts, and what they complete."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from click.testing import CliRunner

from web.cli import main
from web.cli.completion import VARIABLE


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_script(shell: str) -> None:
    result = CliRunner().invoke(main, ["completion", shell])
    assert result.exit_code == 0
    assert f"{VARIABLE}={shell}_complete" in result.output


def test_an_unknown_shell_is_wrong_usage() -> None:
    assert CliRunner().invoke(main, ["completion", "tcsh"]).exit_code == 2


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("blokus-referee ", {*main.commands}),
        ("blokus-referee watch --sta", {"--start-anywhere", "--starts"}),
        ("blokus-referee watch --variant ", {"classic", "two_player", "three_player", "partners", "duo", "junior"}),
        ("blokus-referee watch --next r", {"red"}),
    ],
)
def test_commands_options_and_values_are_completed(line: str, wanted: set[str]) -> None:
    words = line.split(" ")
    env = {**os.environ, VARIABLE: "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    code = "from web.cli import main; main(prog_name='blokus-referee')"
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert {row.partition(",")[2] for row in done.stdout.splitlines()} == wanted


@pytest.mark.parametrize("shell", [shell for shell in ("bash", "zsh", "fish") if shutil.which(shell)])
def test_the_script_is_understood_by_its_shell(shell: str) -> None:
    script = CliRunner().invoke(main, ["completion", shell]).output
    subprocess.run([shell, "-n"], input=script, text=True, check=True)
