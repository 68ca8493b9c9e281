"""`diagnose`: why has a program no answer, or several?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal

import click

from bridge.asp.reading.outline import Signature
from bridge.cli.certain import SINGLE, certain_of
from bridge.cli.findings import PlacedMessage, of_lint, of_warnings
from bridge.cli.growth import Growth
from bridge.cli.programs import format_option, language_of, problem_of, program_options, time_limit_of
from bridge.cli.shared import brief_option, exit_code, jsonl_option, or_partial
from bridge.cli.writers import events_option, print_result
from bridge.outcome import Verdict

if TYPE_CHECKING:
    from bridge.analysis.program_diagnosis import ProgramDiagnosis
    from bridge.errors import Place
    from bridge.linting.findings import Finding as Certain


@click.command()
@program_options(10.0)
@click.option("--clashes", type=click.IntRange(min=1), default=1, show_default=True,
              help="How many clashes, pairwise disjoint.")
@click.option("--smallest", is_flag=True, help="Find a clash of the fewest rules and facts, however long it takes.")
@click.option("--instances", is_flag=True, help="Say which instances of the rules clash.")
@click.option("--try", "variants", multiple=True, metavar="CHANGE",
              help="A change to try when there is no answer set: slots=3 for a constant, or the name or file:line of a "
              "rule to leave out. The fewest are shown.")
@click.option("--most-facts", type=click.IntRange(min=1), default=4, show_default=True, help="The most facts to add.")
@click.option("--repairs", type=click.IntRange(min=1), default=100, show_default=True, help="The most repairs to find.")
@click.option("--optimal", is_flag=True, help="Only answer sets of least cost count, as with `run --optimal` (.lp).")
@click.option("--only", type=click.Choice(["verdict", "open"]), help="Only the verdict, or only what is open (.lp).")
@click.option("--expect", type=click.Choice([str(v) for v in Verdict]), help="Exit with 1 on any other verdict.")
@format_option
@brief_option
@jsonl_option("one JSON object per line: the verdict, each clash, each change, each repair.")
@events_option
@click.pass_context
def diagnose(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """Why has a program no answer set, or several, and what to change?

    No answer set: a minimal set of rules and facts that cannot hold together, and the fewest to take away. Several:
    the open atoms with the number of answer sets of each value, those that vary together, and the fewest facts to add.
    Nothing in the program has to be prepared. A comment `%! NAME: SENTENCE` names the rules below it.

    \b
    lpbridge diagnose timetable.lp monday.lp
    lpbridge diagnose timetable.lp monday.lp --instances --try slots=6
    lpbridge diagnose --only verdict --expect unique rules.lp instance.lp
    lpbridge diagnose rooms.pl --goal 'rooms(X, Y)'
    """
    if language_of(files, given) == "prolog":
        from bridge.cli.of_goals import diagnose_goal

        ctx.exit(diagnose_goal(files, given))
    from bridge.analysis.ask import EFFORT, check
    from bridge.analysis.ask import diagnose as diagnosis_of

    problem, limits, only = problem_of(files, given), time_limit_of(given), given["only"]

    def diagnosed() -> object:
        if only is not None:
            return check(problem, limits=limits, residual="none" if only == "verdict" else "exact")
        return diagnosis_of(problem, limits=limits, clashes=given["clashes"],
                            effort=None if given["smallest"] else EFFORT, repairs=given["repairs"],
                            most_clues=given["most_facts"], instances=given["instances"], variants=given["variants"])

    growth = Growth(problem.sources, given)
    limits = growth.within(limits)
    with growth:
        found, pressed = or_partial(diagnosed)
    expected = given["expect"] in (None, str(found.verdict))
    known = found.verdict is not Verdict.UNKNOWN or bool(found.solutions)
    if not known:
        growth.name()
    text = found.open_text if only == "open" else str(found)
    certain = certain_beside(found, growth.endless)
    print_result(given, found, text, "diagnosis", certain, findings(found, certain))
    ctx.exit(exit_code(expected and known, interrupted=pressed))


def certain_beside(found: ProgramDiagnosis, endless: bool = False) -> list[Certain]:
    """What lint is certain of in a program, and the diagnosis does not say."""
    impossible = found.verdict is Verdict.IMPOSSIBLE
    certain = certain_of(found.problem, found.warnings, endless, _rules(found), unsatisfiable=impossible)
    said = {SINGLE} | ({"LP048"} if found.unsupported is not None else set())
    return [one for one in certain if one.id not in said]


def _rules(found: ProgramDiagnosis) -> list[Place]:
    """The rules that are in question: those of a clash, and those for the atoms that these need."""
    named = [one for clash in found.clashes or () for premise in clash.premises for one in premise.statements]
    needed = frozenset[Signature]().union(*(one.body for one in named))
    others = [one for one in found.problem.outline.statements if one.heads & needed and one.kind != "fact"]
    return [one.place for one in (*named, *(others if named else ()))]


# For editors and CI


def findings(found: ProgramDiagnosis, certain: Iterable[Certain] = ()) -> Iterator[PlacedMessage]:
    """Warnings; the rules and facts of a clash, each with its place; of other verdicts one line about the program."""
    yield from of_warnings(found.warnings)
    yield from of_lint(certain)
    for number, clash in enumerate(found.clashes or (), 1):
        of = f"clash {number}" if len(found.clashes or ()) > 1 else "clash"
        proved = "" if clash.minimal else " (not proved to be minimal)"
        for premise in clash.premises:
            for one in premise.statements:
                message = premise.sentence or (str(premise) if premise.is_fact else one.text)
                yield PlacedMessage(one.place, "error", f"{of}{proved}: {message}", "clash")
    if not found.clashes:
        level: Literal["error", "note"] = "note" if found.verdict is not Verdict.IMPOSSIBLE else "error"
        first = next(found.problem.outline.every(), None)
        if first is not None:
            yield PlacedMessage(first.place, level, found.sentence, "verdict")
