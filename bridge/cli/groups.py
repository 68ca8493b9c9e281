"""Groups of commands that are imported when they are called."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from bridge.common.languages import SUFFIXES
from bridge.common.lazy import load
from bridge.errors import UnsupportedError

#: The settings of each group and command: `-h` is `--help`.
SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"]}

#: What was a command once, and which does it now.
_FORMER = {
    "check": "diagnose --only verdict",
    "solve": "run",
    "residual": "diagnose --only open",
    "csp": "puzzle csp",
    "convert": "puzzle convert",
    "draw": "puzzle draw",
    "generate": "puzzle generate",
    "grade": "puzzle grade",
    "sheet": "puzzle sheet",
    "serve": "puzzle serve",
    "report": "puzzle report",
}


class LazyGroup(click.Group):
    """A group of commands, each with the place where it is defined, and its line in `--help`.

    `headings` are those of the help, each with the command that comes first under it.
    """

    def __init__(
        self, *args: Any, table: Mapping[str, tuple[str, str]], headings: Mapping[str, str] | None = None, **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self._table = table
        self._headings = headings or {next(iter(table)): "Commands"}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in self._table if self._installed(name)]

    def _installed(self, name: str) -> bool:
        """Whether the package of a command is there: that of puzzles may be left out."""
        package = self._table[name][0].rpartition(".")[0]
        try:
            import_module(package)
        except ModuleNotFoundError as error:
            if error.name != package:
                raise
            return False
        return True

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._table:
            return None
        if not self._installed(cmd_name):
            package = self._table[cmd_name][0].rpartition(".")[0]
            raise UnsupportedError(f"the package of `lpbridge {cmd_name}`, {package}, is not installed")
        command = load(self._table[cmd_name][0])
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        word = args[0]
        if word in self._table or word.startswith("-"):
            return super().resolve_command(ctx, args)
        from difflib import get_close_matches  # here: it takes every command a millisecond

        near = get_close_matches(word, self._table, 1)
        if word in _FORMER and ctx.parent is None:
            raise click.UsageError(f"No such command {word!r} (use `lpbridge {_FORMER[word]}`)", ctx)
        meant = f"run {word}" if word.endswith(tuple(SUFFIXES)) else near[0] if near else ""
        path = ctx.command_path if near else "lpbridge"
        hint = f" (do you mean `{path} {meant}`?)" if meant else ""
        raise click.UsageError(f"No such command {word!r}{hint}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        heading = ""
        for name, (_, line) in self._table.items():
            heading = self._headings.get(name, heading)
            if self._installed(name):
                sections.setdefault(heading, []).append((name, line))
        for heading, lines in sections.items():
            with formatter.section(heading):
                formatter.write_dl(lines, col_max=14)
