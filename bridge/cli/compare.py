"""`lpbridge compare` of programs: `.lp` files, `.pl` files with a goal, Python functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from bridge.cli.comparisons import check_files, compared, form_options, print_comparison
from bridge.cli.instances import constants_option, generator_of, generator_option, instances_of, show_option
from bridge.cli.shared import MANY, exit_code, time_option
from bridge.cli.submissions import compare_with
from bridge.common.languages import language_of_path
from bridge.comparison.comparison import Comparison
from bridge.comparison.contenders import AspContender, Contender, contender
from bridge.comparison.generator import MOST
from bridge.comparison.instance import with_instance
from bridge.comparison.solvers import in_solver
from bridge.errors import InputError
from bridge.limits import Limits


@click.command()
@click.argument("programs", nargs=-1, required=True, metavar="PROGRAM PROGRAM...")
@click.option("-i", "--instance", "instances", multiple=True, metavar="FILE", help="Facts: an instance, as .lp.")
@generator_option("An .lp each answer set of which is an instance; small ones come first.")
@constants_option(
    "A value for #const; n is N in a goal, and instance.constants['n'] in Python. n=1..4 makes four instances."
)
@click.option("-g", "--goal", "goals", multiple=True, help="The query of a .pl; once for all, or once for each.")
@show_option
@click.option("--against", multiple=True, metavar="FILE",
              help="One that is right: a line for each PROGRAM, as of a class.")
@click.option("--rename", multiple=True, metavar="A/1=B/1",
              help="With --against: a/1 of a PROGRAM is b/1 of FILE; or a(X,Y)=b(Y,X).")
@click.option("--with", "solver", metavar="SOLVER", help="One PROGRAM in two solvers: clingo6, or the path of a swipl.")
@click.option("--hint", is_flag=True, help="With --against: name the wrong line, and no more.")
@click.option("--trusted", is_flag=True, help="With --against: run each PROGRAM unconfined, with your rights.")
@click.option("--optimal", is_flag=True, help="Of an .lp that minimizes, compare the answer sets of least cost alone.")
@click.option("--equivalent", is_flag=True, help="Go through all instances that there are, however many.")
@click.option("--most", type=click.IntRange(1), default=MOST, show_default=True, help="Instances to try.")
@click.option("-n", "--solutions", type=MANY, default=1000, show_default=True, help="Answers to look for; 0: all.")
@time_option(10, "each program on each instance")
@click.option("--total", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="Time limit of all of it.")
@form_options
@click.pass_context
def compare(ctx: click.Context, /, programs: tuple[str, ...], **given: Any) -> None:
    """Compare PROGRAMs: have they the same answers, what does each cost, and where do they differ?

    A PROGRAM is an .lp file, a .pl file with a --goal, or a Python function, module:function or file.py:function, that
    is called with the instance and yields answers. Several files of one program are joined by +. An answer is the set
    of atoms that a program shows: --show says which.

    With files as instances all are compared. With a generator, or a range of a constant, the smallest instances come
    first, and the first difference ends the search: it is shown with an answer that one has and the other has not, and
    with the reason. A limit or an error of a program on an instance is a row. Exit code 1: they differ, or nothing is
    known.

    With --against, each PROGRAM is held against FILE, confined, 20 seconds for each: is it right, or which line is
    wrong? One that cannot be read is a line as any other. The text of FILE is not shown. `lpbridge debug` says more.

    \b
    lpbridge compare mine.lp yours.lp --generator graphs.lp -c n=1..4
    lpbridge compare queens.lp queens.pl -c n=1..6 --goal 'queens(N, Qs)' --show queen/2
    lpbridge compare encoding.lp solver.py:solve -i monday.lp -i tuesday.lp
    lpbridge compare encoding.lp --with clingo6 -i monday.lp
    lpbridge compare --against right.lp anna.lp ben.lp clara.lp -i graph1.lp -i graph2.lp
    """
    check_files(given)
    if given["against"]:
        compare_with(ctx, programs, given)
    for name in ("rename", "hint", "trusted"):
        if given[name]:
            raise click.UsageError(f"--{name} is for --against")
    source = generator_of(given, None if given["equivalent"] else given["most"])
    contenders = contenders_of(programs, given["goals"], given["show"], given["optimal"], given["solver"])
    limits = Limits(seconds=given["time_limit"], solutions=given["solutions"] or None)
    shared: dict[str, Any] = {"instances": source or instances_of(given), "limits": limits, "show": given["show"]}
    if source is not None:
        shared["deadline"] = given["total"]
    found, interrupted = compared(given, *contenders, **shared)
    print_comparison(found, given)
    _which_line(found, programs, given)
    if given["solver"] == "clingo6":
        _arithmetic(found, contenders[0], given)
    known = len(found.undecided) < len(found.instances)
    ctx.exit(exit_code(found.agree and known, interrupted=interrupted))


def _which_line(found: Comparison, programs: Sequence[str], given: dict[str, Any]) -> None:
    """Where two clingo programs differ: the command that names the wrong line, if the second one is right."""
    if found.difference is None or given["as_json"] or given["as_csv"] or given["brief"] or len(programs) != 2:
        return
    if any(language_of_path(one) != "clingo" or "+" in one for one in programs):
        return
    words = [f"-i {one}" for one in given["instances"]] + [f"--generator {one}" for one in given["generator"]]
    for name, value in given["constants"]:
        words.append(f"-c {name}={value.start}..{value.stop - 1}" if isinstance(value, range) else f"-c {name}={value}")
    words += [f"--show {given['show']}"] if given["show"] else []
    command = " ".join(["lpbridge debug", programs[0], "--against", programs[1], *words])
    click.echo(f"if {programs[1]} is right, this names the wrong line: {command}", err=True)


def _arithmetic(found: Comparison, program: Contender, given: dict[str, Any]) -> None:
    """Where clingo 5 and 6 differ: the arithmetic of the program that is not the same in both."""
    from bridge.linting.lint import unlike_clingo_6

    if found.difference is not None and isinstance(program, AspContender) and not (given["as_json"] or given["as_csv"]):
        for line in unlike_clingo_6(with_instance(program.problem, found.difference.instance)):
            click.echo(line, err=True)


def contenders_of(programs: Sequence[str], goals: Sequence[str], show: str | None, optimal: bool,
                  solver: str | None = None) -> list[Contender]:
    """The contenders of a command line; each .pl has its goal. With a solver, the only program is that in it, too."""
    if solver is not None and len(programs) != 1:
        raise click.UsageError("--with is for one PROGRAM, which is compared in two solvers")
    if len(programs) < 2 and solver is None:
        raise click.UsageError("two programs are needed: lpbridge compare PROGRAM PROGRAM...")
    logic = [one for one in programs if language_of_path(one) == "prolog"]
    if goals and not logic:
        raise click.UsageError("--goal is for Prolog (.pl)")
    if len(goals) not in (0, 1, len(logic)):
        raise click.UsageError(f"{len(goals)} goals for {len(logic)} Prolog programs: give one, or one for each")
    left = list(goals if len(goals) == len(logic) else list(goals) * len(logic))
    found = []
    for one in programs:
        goal = left.pop(0) if left and language_of_path(one) == "prolog" else None
        candidate = contender(one, goal=goal, show=show)
        if optimal and isinstance(candidate, AspContender):
            candidate.problem.optimal = True
        if candidate.only:
            hint = "here programs are compared; `lpbridge --help` lists other commands"
            raise InputError(f"{one!r} answers {candidate.only} and nothing else", hint=hint)
        found.append(candidate)
    return found if solver is None else [*found, in_solver(found[0], solver)]
