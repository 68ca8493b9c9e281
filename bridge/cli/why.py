"""`why`: the reasons of an atom, of its absence, of a cost; of an answer of Prolog."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from bridge.cli.certain import SINGLE, certain_of, lines
from bridge.cli.graphs import FORMS, check_output, drawn, graph_options
from bridge.cli.growth import Growth
from bridge.cli.programs import language_of, problem_of, program_options, time_limit_of
from bridge.cli.shared import brief_option, exit_code, or_partial
from bridge.cli.writers import events_option, print_result
from bridge.common.languages import language_of_path

if TYPE_CHECKING:
    from bridge.analysis.why import Reasons
    from bridge.errors import Place
    from bridge.linting.findings import Finding as Certain
    from bridge.problem.asp import AspProblem

#: Remarks about variables that stand only once are shown behind an answer, so many.
REMARKS = 2

#: A classically negated atom: `-at(math,1)`.
_NEGATED = re.compile(r"-[_']*[a-z][\w']*(\(.*\))?", re.DOTALL)


class _WithAtom(click.Command):
    """A command whose last argument may be a classically negated atom, which looks like an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        options = {name: one for one in self.params if isinstance(one, click.Option) for name in one.opts}
        taken = {number + 1 for number, word in enumerate(args) if word in options and not options[word].is_flag}
        found = [number for number, word in enumerate(args) if _NEGATED.fullmatch(word) and number not in taken]
        atoms = [number for number in found if args[number][:2] not in options or args[number][2:3] == "("]
        if len(atoms) == 1 and "--" not in args:
            (number,) = atoms
            args = [*args[:number], *args[number + 1 :], "--", args[number]]
        try:
            return super().parse_args(ctx, list(args))
        except click.UsageError as error:
            if len(args) - 1 not in found or "--" in args:
                raise
            hint = f"an atom that begins with a minus sign stands after --: lpbridge why FILE... -- '{args[-1]}'"
            raise click.UsageError(f"{error.format_message().rstrip('.')}; {hint}", ctx) from None


@click.command(cls=_WithAtom)
@program_options(10.0)
@click.option("--not", "negated", is_flag=True, help="Why does the atom not hold?")
@click.option("--rather-than", metavar="ATOM", help="Why this atom and not that one, all other choices as they are?")
@click.option("--given", multiple=True, metavar="LITERAL", help="Only answer sets with it: 'at(art,2)', 'not open(1)'.")
@click.option("--all", "every", is_flag=True, help="All derivations of the atom in the answer set, shortest first.")
@click.option("--cost", is_flag=True, help="Why is the lowest cost no lower? Without ATOM.")
@click.option("-F", "--format", "form", type=click.Choice(("text", *FORMS)), default="text",
              help="Text, or a graph: dot, svg.")
@graph_options
@brief_option
@events_option
@click.pass_context
def why(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """Why does an ATOM hold, or not? FILES are a program, and the ATOM comes last.

    Of an atom in every answer set: the rules and facts that force it. Of one in none: those that forbid it, and what
    each rule for it lacks. Of one in some: a derivation in one of them. For Prolog: the proof
    of an answer to a goal, which comes last, too.

    \b
    lpbridge why timetable.lp monday.lp 'at(math,1)'
    lpbridge why timetable.lp monday.lp 'at(math,1)' --not
    lpbridge why timetable.lp monday.lp 'at(math,1)' -o why.svg
    lpbridge why routes.lp --cost
    lpbridge why family.pl 'ancestor(X, tom)'
    """
    check_output(given["output"])
    goal_last = given["goal"] is None and len(files) > 1 and language_of_path(files[-1]) is None
    if goal_last and language_of(files[:-1], given) == "prolog":
        files, given["goal"] = files[:-1], files[-1]
    elif given["goal"] is None and files and language_of_path(files[-1]) == "prolog":
        raise click.UsageError("a goal is missing: lpbridge why FILE.pl GOAL")
    if given["goal"] is not None:
        if language_of(files, given) == "clingo":
            raise click.UsageError("--goal is for Prolog (.pl); an atom that begins with -g stands after --")
        from bridge.cli.of_goals import why_goal

        ctx.exit(why_goal(files, given))
    from bridge.analysis.ask import why as reasons_of

    programs, atom = (files, None) if given["cost"] else (files[:-1], files[-1]) if files else ((), None)
    if not programs:
        raise click.UsageError("an atom is missing: lpbridge why FILE... ATOM")
    problem = problem_of(programs, given)
    question = {"rather_than": given["rather_than"], "given": given["given"], "cost": given["cost"]}
    growth = Growth(problem.sources, given)
    limits = growth.within(time_limit_of(given))
    with growth:
        found, pressed = or_partial(reasons_of, problem, atom, limits=limits, holds=not given["negated"], **question)
    if found.status == "unknown":
        growth.name()
    if not drawn(found, given):
        certain, alone = certain_beside(problem, found, growth.endless)
        text = "\n".join([found.text(every=given["every"]), *lines(alone[:REMARKS])])
        print_result(given, found, text, "reasons", certain)
        _which_line(found.status, atom, programs, given)
    ctx.exit(exit_code(found.status != "unknown", interrupted=pressed))


def certain_beside(problem: AspProblem, found: Reasons, endless: bool = False) -> tuple[list[Certain], list[Certain]]:
    """What lint is certain of in a program; apart from that, variables that stand only once."""
    certain = certain_of(problem, found.warnings, endless, _rules(found))
    return [one for one in certain if one.id != SINGLE], [one for one in certain if one.id == SINGLE]


def _rules(found: Reasons) -> list[Place]:
    """The rules that are in question: those of a derivation, and those that lack something."""
    trace, clash = found.trace, found.clash
    several = [] if trace is None else [*trace.steps, *trace.missing, *(trace.support or ())]
    named = [one for premise in (clash.premises if clash else ()) for one in getattr(premise, "statements", ())]
    return [one.place for one in several if one.kind != "fact"] + [one.place for one in named]


def _which_line(status: str, atom: str | None, programs: Sequence[str], given: dict[str, Any]) -> None:
    """The command that names the wrong line, if the atom should not hold; or if it should."""
    machine = given["as_json"] or given["events"] or given["form"] != "text"
    if atom is None or status == "unknown" or machine or given["rather_than"] or given["given"]:
        return
    wish = "missing" if status == "no" else "unwanted"
    constants = [f"-c {constant}" for constant in given["constants"]]
    command = shlex.join(["lpbridge", "debug", *programs]) + " ".join(["", *constants, f"--{wish} {shlex.quote(atom)}"])
    should = "should" if wish == "missing" else "should not"
    click.echo(f"if it {should} hold, this names the wrong line: {command}", err=True)
