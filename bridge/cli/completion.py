"""`lpbridge completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for SHELL.

    \b
    bash:  lpbridge completion bash >> ~/.bashrc
    zsh:   lpbridge completion zsh >> ~/.zshrc
    fish:  lpbridge completion fish > ~/.config/fish/completions/lpbridge.fish
    """
    from bridge.cli import lpbridge

    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(lpbridge, {}, "lpbridge", "_LPBRIDGE_COMPLETE").source())
