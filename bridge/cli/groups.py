"""Groups of commands that are imported when they are called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from bridge.common.languages import SUFFIXES
from bridge.common.lazy import load

if TYPE_CHECKING:
    from bridge.common.parts import Part

#: The settings of each group and command: `-h` is `--help`.
SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"]}

#: What was a command once, and which does it now.
_FORMER = {"check": "diagnose --only verdict", "solve": "run", "residual": "diagnose --only open"}


class LazyGroup(click.Group):
    """A group of commands, each with the place where it is defined, and its line in `--help`.

    `headings` are those of the help, each with the command that comes first under it. The outermost group has the
    commands of parts, too, which are looked for when none of its own is meant.
    """

    def __init__(self, *args: Any, table: Mapping[str, tuple[str, str]], headings: Mapping[str, str] | None = None,
                 outermost: bool = False, **more: Any) -> None:
        super().__init__(*args, **more)
        self._own = table
        self._outermost = outermost
        self._headings = headings or {next(iter(table)): "Commands"}

    def _parts(self) -> tuple[Part, ...]:
        if not self._outermost:
            return ()
        from bridge.common.parts import parts

        return parts()

    @property
    def _table(self) -> Mapping[str, tuple[str, str]]:
        return {**self._own, **{name: line for part in self._parts() for name, line in part.commands.items()}}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place, _ = self._own.get(cmd_name) or self._table.get(cmd_name, ("", ""))
        if not place:
            return None
        command = load(place)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(self, ctx: click.Context,
                        args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        word = args[0]
        if word in self._own or word.startswith("-") or word in self._table:
            return super().resolve_command(ctx, args)
        from difflib import get_close_matches  # here: it takes every command a millisecond

        near = get_close_matches(word, self._table, 1)
        former = {**_FORMER, **{name: now for part in self._parts() for name, now in part.former.items()}}
        if word in former and ctx.parent is None:
            raise click.UsageError(f"No such command {word!r} (use `lpbridge {former[word]}`)", ctx)
        meant = f"run {word}" if word.endswith(tuple(SUFFIXES)) else near[0] if near else ""
        path = ctx.command_path if near else "lpbridge"
        hint = f" (do you mean `{path} {meant}`?)" if meant else ""
        raise click.UsageError(f"No such command {word!r}{hint}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        headings = {**self._headings, **{name: part.heading for part in self._parts() for name in part.commands}}
        heading = ""
        for name, (_, line) in self._table.items():
            heading = headings.get(name, heading)
            sections.setdefault(heading, []).append((name, line))
        for heading, lines in sections.items():
            with formatter.section(heading):
                formatter.write_dl(lines, col_max=14)
