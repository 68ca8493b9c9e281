"""What `lint` is certain of in a program, as it is printed by commands that were asked for something else."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bridge.cli.findings import of_warnings
from bridge.cli.programs import confinement, source_of
from bridge.errors import BridgeError, Place

if TYPE_CHECKING:
    from bridge.linting.findings import Finding
    from bridge.problem.asp import AspProblem
    from bridge.problem.prolog import PrologProblem

#: The most lines, and the most bytes of a program that `run` has looked at.
LINES, BYTES = 3, 50_000

#: The check of variables that stand only once.
SINGLE = "LP007"

#: Facts of so many predicates, and no rule, are probably an instance.
PREDICATES = 3


def certain_of(
    problem: AspProblem,
    warnings: Sequence[str],
    endless: bool = False,
    rules: Collection[Place] = (),
    running: bool = False,
) -> list[Finding]:
    """What is certainly wrong by the text of a program, and what explains a remark of clingo.

    `endless`: that its grounding never ends has been said. Of `rules`, which are in question, also what they mean;
    `running`: of a program that is run, also what its options leave out.
    """
    from bridge.linting.endless import ENDLESS
    from bridge.linting.lint import certain

    remarked = {one.place for one in of_warnings([" ".join(one.split()) for one in warnings])}
    found = certain(problem, remarked, rules, running)
    said = ((ENDLESS,) if endless else ()), ("LP003", "LP004")
    return [one for one in found if one.id not in said[0] and not (one.place in remarked and one.id in said[1])]


def certain_of_goal(problem: PrologProblem) -> list[Finding]:
    """What is certainly wrong by the text with the clauses that a goal reaches."""
    from bridge.linting.prolog import noticed

    here, _ = noticed(problem.sources, [problem.goal], alone=problem.untrusted)
    return [one for one in here if one.level != "info"]


def lines(found: Sequence[Finding]) -> list[str]:
    """Findings as lines."""
    return [f"{one.place}: {one.level}: {one} [{one.id}]" for one in found]


def first_of(found: Sequence[Finding]) -> list[str]:
    """The first findings, as lines."""
    more = len(found) - LINES
    return lines(found[:LINES]) + ([f"lpbridge lint says {more} more of this kind"] if more > 0 else [])


def is_small(files: Sequence[str]) -> bool:
    """Whether the files of a program are so short that `run` looks at their text."""
    return sum(Path(file).stat().st_size for file in files if file != "-") <= BYTES


def after_run(files: Sequence[str], warnings: Sequence[str], given: dict[str, Any], endless: bool) -> list[str]:
    """The same for `run`, of a program that is small: its answers have been printed."""
    from bridge.problem.asp import AspProblem

    if not is_small(files):
        return []
    options = [*(f"--const={constant}" for constant in given["constants"]), *given["rest"]]
    try:
        problem = AspProblem(*map(source_of, files), options=options, theory=given["theory"], **confinement(given))
        outline = problem.outline
        stated = outline.given.union(*(one.heads for one in outline.statements if one.kind == "fact"))
        rules = outline.scripts or outline.shown or any(one.kind != "fact" for one in outline.statements)
        if len(stated) >= PREDICATES and not rules:
            return ["there are only facts here, and no rule: is the encoding missing, as a further file?"]
        return first_of(certain_of(problem, warnings, endless, running=True))
    except BridgeError:  # the program ran: what its text says is no reason to fail
        return []
