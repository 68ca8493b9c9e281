"""`run`: any program, unchanged."""

from __future__ import annotations

from typing import Any

import click

from bridge.cli.options import MANY, json_option, jsonl_option, time_option
from bridge.cli.programs import constant_option, kind_of, limits_of, memory_option, untrusted_option
from bridge.cli.run_clingo import QUESTIONS, run_clingo
from bridge.cli.run_prolog import SEARCH_PATH, run_prolog


class _WithRest(click.Command):
    """A command with arguments after `--`, which it does not look at: `ctx.meta["rest"]`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            at = args.index("--")
            args, ctx.meta["rest"] = args[:at], tuple(args[at + 1 :])
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [*super().collect_usage_pieces(ctx), "[-- ARGUMENT...]"]


@click.command(cls=_WithRest)
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True), metavar="FILE...")
@click.option("-n", "--solutions", type=MANY, default=None, help="How many; 0 for all.  [default: 1]")
@constant_option
@click.option("--brave", is_flag=True, help="The atoms that are in some model (.lp).")
@click.option("--cautious", is_flag=True, help="The atoms that are in every model (.lp).")
@click.option("--optimal", is_flag=True, help="The models of least cost, proved; all with -n 0 (.lp).")
@click.option("--count", is_flag=True, help="Only how many models there are that show different atoms (.lp).")
@click.option("--project", is_flag=True, help="Models that show the same atoms come only once (.lp).")
@click.option("-g", "--goal", help="The query, as at the toplevel, without the final dot (.pl).")
@click.option("--label", metavar="VARS", help="Then label these variables: 'X', 'X, Y', 'Rows' (.pl, clpfd).")
@click.option(
    "--strict/--no-strict",
    default=None,
    help="Refuse a program at the first error while it is loaded (.pl).  [default: only with --untrusted]",
)
@click.option(
    "--search-path",
    "search_paths",
    multiple=True,
    type=SEARCH_PATH,
    metavar="ALIAS=DIR",
    help="A folder for library(...) or another alias, as of swipl's -p (.pl).",
)
@time_option(None, "the search")
@memory_option
@untrusted_option
@click.option("--in-process", is_flag=True, help="Run in this process: not isolated, and able to read the terminal.")
@json_option
@jsonl_option("an answer a line, as they are found.")
@click.pass_context
def run(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """Run any .lp files by clingo, or any .pl files by SWI-Prolog, as they are.

    Answers are printed as they are found, those of Prolog with their residual goals. Without a goal, the
    `initialization(main)` of a .pl file runs; if it has none, its predicates are listed. A script reads standard input,
    gets the arguments after `--`, and decides the exit code by halt/1.

    \b
    lpbridge run queens.lp -c n=8 -n 0
    lpbridge run rulers.lp --optimal
    lpbridge run rooms.pl --goal 'rooms(X, Y)' -n 0
    lpbridge run sudoku.pl --goal 'problem(1, Rows), sudoku(Rows)' --label Rows
    lpbridge run script.pl -- one two
    """
    given["rest"] = ctx.meta.get("rest", ())
    suffix = kind_of(files, given["goal"] is not None)
    _fits(suffix, given)
    one = given["goal"] is None and suffix == ".pl"
    most = None if one else 1 if given["solutions"] is None else given["solutions"] or None
    limits = limits_of(given["time_limit"], given["memory"], given["untrusted"], most)
    ctx.exit(run_clingo(files, given, limits) if suffix == ".lp" else run_prolog(files, given, limits))


def _fits(suffix: str, given: dict[str, Any]) -> None:
    questions = [name for name in QUESTIONS if given[name]]
    if len(questions) > 1:
        raise click.UsageError(f"--{questions[0]} or --{questions[1]}: one question at a time")
    if suffix == ".lp" and given["rest"]:
        raise click.UsageError("arguments after -- are for Prolog (.pl)")
    wrong = ("goal", "label", "strict", "search_paths") if suffix == ".lp" else (*QUESTIONS, "project", "constants")
    for name in wrong:
        if given[name]:
            other = "Prolog (.pl)" if suffix == ".lp" else "clingo (.lp)"
            option = name.removesuffix("ants").removesuffix("s").replace("_", "-")
            raise click.UsageError(f"--{option} is for {other}")
    if given["untrusted"] and given["in_process"]:
        raise click.UsageError("--untrusted needs a process of its own: leave --in-process out")
    if given["label"] and not given["goal"]:
        raise click.UsageError("--label needs a --goal")
