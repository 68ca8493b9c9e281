"""`why`: the reasons of an atom, of its absence, of a cost; of an answer of Prolog."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from bridge.cli.findings import FORMATS, Finding, print_findings
from bridge.cli.of_programs import clash_lines, problem_of, program_options
from bridge.cli.options import print_json
from bridge.cli.programs import limits_of
from bridge.cli.results import exit_code
from bridge.cli.show import LIMITS
from bridge.limits import Limits
from bridge.outcome import Interrupted

if TYPE_CHECKING:
    from bridge.analysis.why import Reasons
    from bridge.asp.outline import Why

#: Steps of a derivation that are shown; the JSON has all.
STEPS = 60


@click.command()
@program_options(10.0)
@click.option("--not", "negated", is_flag=True, help="Why does the atom not hold?")
@click.option("--rather-than", metavar="ATOM", help="Why this atom and not that one, all other choices as they are?")
@click.option("--given", multiple=True, metavar="LITERAL", help="Only answer sets with it: 'at(art,2)', 'not open(1)'.")
@click.option("--cost", is_flag=True, help="Why is the lowest cost no lower? Without ATOM.")
@click.option(
    "-F",
    "--format",
    "form",
    type=click.Choice((*FORMATS, "dot")),
    default="text",
    help="text for people, gcc for editors, sarif for CI, dot for Graphviz: the derivation as a graph.",
)
@click.pass_context
def why(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """Why does an ATOM hold, or not? FILES are a program, and the ATOM comes last.

    Of an atom in every answer set: the rules and facts that force it. Of one in none: those that forbid it, and what
    each rule for it lacks. Of one in some: a derivation in one of them. For Prolog: the proof of an answer to --goal.

    \b
    lpbridge why timetable.lp monday.lp 'at(math,1)'
    lpbridge why timetable.lp monday.lp 'at(math,1)' --not
    lpbridge why routes.lp --cost
    lpbridge why family.pl --goal 'ancestor(X, tom)'
    """
    if given["goal"] is not None:
        from bridge.cli.of_goals import why_goal

        ctx.exit(why_goal(files, given))
    from bridge.analysis.why import why as why_atom
    from bridge.analysis.why import why_cost

    *programs, atom = (*files, "") if given["cost"] else files
    if not programs:
        raise click.UsageError("an atom is missing: lpbridge why FILE... ATOM")
    problem = problem_of(programs, given)
    limits = Limits(seconds=limits_of(given["time_limit"], given["memory"], given["untrusted"]).seconds)
    pressed = False
    try:
        if given["cost"]:
            found = why_cost(problem, limits=limits)
        else:
            found = why_atom(
                problem,
                atom,
                limits=limits,
                holds=not given["negated"],
                rather_than=given["rather_than"],
                given=given["given"],
            )
    except Interrupted as interrupted:
        found, pressed = interrupted.partial, True
    if given["as_json"]:
        print_json(found.to_json())
    elif given["form"] == "dot":
        click.echo("\n".join(dot(found)))
    elif given["form"] != "text":
        print_findings(given["form"], list(findings(found)))
    else:
        click.echo("\n".join(show_reasons(found, holds=not given["negated"])))
    ctx.exit(exit_code(found.status != "unknown", interrupted=pressed))


def show_reasons(found: Reasons, *, holds: bool = True) -> Iterator[str]:
    """Reasons in words."""
    yield _status(found)
    if found.trace is not None and found.trace.steps and found.rather_than is None:
        yield "derived in an answer set:" if found.status == "some" else "derived:"
        yield from tree(found.trace.steps)
    if found.clash is not None and found.clash.premises:
        yield _head(found)
        yield from clash_lines(found.clash)
    if found.trace is not None and found.trace.model is not None and not found.trace.steps:
        yield from _missing(found)
    if found.limit is not None:
        yield f"stopped by {LIMITS[found.limit]}: this is what was known by then"
    yield from (f"note: {note}" for note in found.notes)


def _status(found: Reasons) -> str:
    atom = found.question.removeprefix("not ")
    if found.cost is not None:
        return f"the lowest cost is {', '.join(map(str, found.cost))}"
    if found.rather_than is not None:
        return f"{atom} and not {found.rather_than}"
    return {
        "every": f"{atom} is in every answer set",
        "some": f"{atom} is in some answer sets, not in all",
        "no": f"{atom} is in no answer set",
        "unknown": f"{atom}: not known",
    }[found.status]


def _head(found: Reasons) -> str:
    if found.cost is not None:
        return "these rule out a lower one:"
    if found.rather_than is not None:
        return f"with {found.rather_than}, these cannot hold together:"
    return "these force it:" if found.status == "every" else "these forbid it:"


def _missing(found: Reasons) -> Iterator[str]:
    trace = found.trace
    assert trace is not None
    atom = found.question.removeprefix("not ")
    if not trace.missing:
        yield f"no rule has {atom} in its head"
        return
    forbidden = found.clash is not None and bool(found.clash.premises)
    lines = [one for one in trace.missing if one.lacking or not forbidden]
    if lines:
        yield "the rules for it:" if found.status == "no" else "the rules for it, in an answer set without it:"
    for one in lines:
        values = ", ".join(f"{name} = {value}" for name, value in one.bindings)
        head = f"  {one.place.file}:{one.place.line}{f' with {values}' if values else ''}"
        if one.lacking:
            yield f"{head}: {one.lacking} does not hold"
        elif one.kind in ("choice", "disjunction"):
            yield f"{head}: the {one.kind} is free to make it true"
        else:
            yield f"{head}: its body can hold as far as gringo sees"


def tree(steps: tuple[Why, ...]) -> Iterator[str]:
    """A derivation as a tree, the atom in question first; an atom that was told before is not told again."""
    by_atom = {one.atom: one for one in steps}
    told: set[str] = set()
    waiting = [(steps[-1].atom, 0)]
    lines = 0
    while waiting:
        atom, depth = waiting.pop()
        one = by_atom.get(atom)
        lines += 1
        if lines > STEPS:
            yield f"  ... {len(steps) - len(told)} more; --json has all"
            return
        if one is None or atom in told:
            yield f"  {'  ' * depth}{atom}{'  (see above)' if one and one.positive else ''}"
            continue
        told.add(atom)
        missing = f", not {', not '.join(one.negative)}" if one.negative else ""
        how = {"fact": "fact", "choice": "chosen", "disjunction": "chosen"}.get(one.kind, "by")
        values = ", ".join(f"{name} = {value}" for name, value in one.bindings)
        where = f"{one.place.file}:{one.place.line}{f' with {values}' if values else ''}"
        yield f"  {'  ' * depth}{atom}  ({how} {where}{missing})"
        waiting += [(other, depth + 1) for other in reversed((*one.positive, *one.inside))]


def dot(found: Reasons) -> Iterator[str]:
    """The derivation as a graph for Graphviz: an arrow leads from each atom to those that it needs."""
    yield f"digraph {_quoted(found.question)} {{"
    yield "  node [shape=box, fontname=monospace];"
    for one in found.trace.steps if found.trace else ():
        where = f"{one.place.file}:{one.place.line}"
        style = ', style="rounded"' if one.kind in ("choice", "disjunction") else ""
        yield f"  {_quoted(one.atom)} [tooltip={_quoted(where)}{style}];"
        for other in dict.fromkeys((*one.positive, *one.inside)):
            yield f"  {_quoted(one.atom)} -> {_quoted(other)};"
        for other in one.negative:
            yield f"  {_quoted(one.atom)} -> {_quoted(f'not {other}')} [style=dashed];"
    yield "}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def findings(found: Reasons) -> Iterator[Finding]:
    """The rules and facts behind the answer, each with its place."""
    what = _status(found)
    for premise in found.clash.premises if found.clash else ():
        if hasattr(premise, "place"):
            yield Finding(premise.place, "note", f"{what}: {premise.sentence or premise.text}", "why")
    for one in found.trace.steps if found.trace else ():
        yield Finding(one.place, "note", f"{what}: derives {one.atom}", "derivation")
    for one in found.trace.missing if found.trace else ():
        yield Finding(one.place, "note", f"{what}: {one.lacking or 'free'} does not hold", "missing")
