"""Words after `--`: those of the program, or of its solver."""

from __future__ import annotations

import click

#: Where a command finds them: `ctx.meta[REST]`.
REST = "bridge.cli.rest"


class WithRest(click.Command):
    """A command that takes words after `--`, where files stand before it.

    Without a file before it, `--` ends the options, as it does in every command: `lpbridge run -- -odd-name.lp`.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[REST] = []
        if "--" in args:
            at = args.index("--")
            many = next(str(one.name) for one in self.params if one.nargs == -1)
            files = self.make_parser(ctx).parse_args(list(args[:at]))[0].get(many)
            if isinstance(files, tuple) and files:
                ctx.meta[REST], args = args[at + 1 :], args[:at]
        return super().parse_args(ctx, args)
