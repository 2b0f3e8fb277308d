"""`completion`: the few lines that teach a shell to complete this program's commands and options."""

from __future__ import annotations

import click
from click.shell_completion import BashComplete, get_completion_class

VARIABLE = "_BLOKUS_REFEREE_COMPLETE"
"""The variable by which the shell asks the program for completions (click's convention)."""


@click.command(short_help="Print the script for shell completion.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that makes SHELL complete commands, options and file names.

    \b
    bash:  echo 'eval "$(blokus-referee completion bash)"' >> ~/.bashrc
    zsh:   echo 'eval "$(blokus-referee completion zsh)"' >> ~/.zshrc
    fish:  blokus-referee completion fish > ~/.config/fish/completions/blokus-referee.fish
    """
    kind = BashWithoutCheck if shell == "bash" else get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"no completion for {shell}")
    click.echo(kind(ctx.find_root().command, {}, "blokus-referee", VARIABLE).source())


class BashWithoutCheck(BashComplete):
    """Bash's script as it is: click would start a bash to learn its version, and there may be none where the script is made."""

    @staticmethod
    def _check_version() -> None:
        """Every bash since 4.4 (2016) will do."""
