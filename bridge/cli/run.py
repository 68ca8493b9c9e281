"""`run`: any program, unchanged."""

from __future__ import annotations

from typing import Any

import click

from bridge.cli.graphs import FORMATS, check_output
from bridge.cli.programs import (
    REST,
    WithRest,
    constant_option,
    language_of,
    language_option,
    limits_of,
    process_options,
    share,
    theory_option,
)
from bridge.cli.run_clingo import QUESTIONS, run_clingo
from bridge.cli.run_prolog import run_prolog, search_path
from bridge.cli.shared import MANY, json_option, jsonl_option
from bridge.cli.writers import events_option
from bridge.common.languages import Language

#: What is for one language, by the names of the parameters.
_CLINGO = (*QUESTIONS, "gap", "project", "theory", "constants", "picture")
_PROLOG = ("goal", "label", "strict", "search_paths")


@click.command(cls=WithRest)
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True), metavar="FILE... [-- WORD...]")
@click.option("-n", "--solutions", type=MANY, default=None, help="How many; 0 for all.  [default: 1]")
@constant_option
@click.option("--brave", is_flag=True, help="The atoms that are in some model (.lp).")
@click.option("--cautious", is_flag=True, help="The atoms that are in every model (.lp).")
@click.option("--optimal", is_flag=True, help="The models of least cost, proved; all with -n 0 (.lp).")
@click.option("--gap", type=share, metavar="SHARE",
              help="With --optimal: stop when no model costs less by more than so much, as in 5%, as far as is proved "
              "(.lp).")
@click.option("--best", type=click.IntRange(min=1), metavar="K",
              help="The K models of least cost, the next best after all as good, and what each pays for (.lp).")
@click.option("--count", is_flag=True, help="Only how many models there are that show different atoms (.lp).")
@click.option(
    "--project", is_flag=True, help="Models that show the same atoms, or the same by #project, come once (.lp)."
)
@theory_option()
@click.option("--picture", metavar="OUT", type=click.Path(dir_okay=False),
              help="Draw the answers, too: graphs, boards, steps; .svg, .png, .pdf or .txt (.lp).")
@click.option("-g", "--goal", help="The query, as at the toplevel, without the final dot (.pl).")
@click.option("--label", metavar="VARS", help="Then label these variables: 'X', 'X, Y', 'Rows' (.pl, clpfd).")
@click.option("--strict/--no-strict", default=None,
              help="Refuse a program at the first error while it is loaded (.pl).  [default: only with --untrusted]")
@click.option("--search-path", "search_paths", multiple=True, type=search_path, metavar="ALIAS=DIR",
              help="A folder for library(...) or another alias, as of swipl's -p (.pl).")
@language_option
@process_options(None, "the search")
@click.option("--in-process", is_flag=True, help="Run in this process: not isolated, and able to read the terminal.")
@click.option("--watch", is_flag=True, help="Run again when a file, or one that it includes, changes; Ctrl-C ends it.")
@json_option
@jsonl_option("one answer per line, as they are found.")
@events_option
@click.pass_context
def run(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """Run any .lp files by clingo, or any .pl files by SWI-Prolog, as they are.

    A file with another suffix is known by its content, or by --language; `-` is a program on standard input.

    Answers are printed as they are found, those of Prolog with their residual goals. Without a goal, the
    `initialization(main)` of a .pl file runs; if it has none, its predicates are listed. A script reads standard input,
    and decides the exit code by halt/1. A #script (python) of a .lp file runs, and its main(prg) solves in place of
    clingo, if it has one. What stands after -- are options of clingo, or the arguments of a Prolog script.

    \b
    lpbridge run queens.lp -c n=8 -n 0
    lpbridge run rulers.lp --optimal
    lpbridge run routes.lp --best 3
    lpbridge run colouring.lp -n 3 --picture colours.svg
    lpbridge run jobshop.lp --theory clingo-dl --optimal -- --minimize-variable=bound --configuration=trendy
    lpbridge run rooms.pl --goal 'rooms(X, Y)' -n 0
    lpbridge run queens.pl --goal 'queens(8, Qs)' --label Qs
    lpbridge run script.pl -- one two
    """
    language = language_of(files, given)
    given["rest"] = ctx.meta[REST]
    _fits(language, given)
    one = given["goal"] is None and language == "prolog"
    most = None if one else 1 if given["solutions"] is None else given["solutions"] or None
    limits = limits_of(given, most)

    def once() -> int:
        return run_clingo(files, given, limits) if language == "clingo" else run_prolog(files, given, limits)

    if given["watch"]:
        from bridge.cli.watch import again_and_again

    ctx.exit(again_and_again(files, language, once) if given["watch"] else once())


def _fits(language: Language, given: dict[str, Any]) -> None:
    questions = [name for name in QUESTIONS if given[name]]
    if len(questions) > 1:
        raise click.UsageError(f"--{questions[0]} or --{questions[1]}: one question at a time")
    for name in _PROLOG if language == "clingo" else _CLINGO:
        if given[name]:
            other = "Prolog (.pl)" if language == "clingo" else "clingo (.lp)"
            option = name.removesuffix("ants").removesuffix("s").replace("_", "-")
            raise click.UsageError(f"--{option} is for {other}")
    if given["gap"] is not None and not given["optimal"]:
        raise click.UsageError(f"--gap needs --optimal{'; --best proves each of its answers' * bool(given['best'])}")
    if given["untrusted"] and given["in_process"]:
        raise click.UsageError("--untrusted needs a process of its own: leave --in-process out")
    if given["picture"]:
        if given["brave"] or given["cautious"] or given["count"]:
            raise click.UsageError("--picture is of answer sets: ask for these, or for --optimal")
        check_output(given["picture"], FORMATS)
    if given["label"] and not given["goal"]:
        raise click.UsageError("--label needs a --goal")
    if given["watch"] and (given["as_json"] or given["jsonl"] or given["events"]):
        raise click.UsageError("--watch writes for people: leave --json, --jsonl and --events out")
