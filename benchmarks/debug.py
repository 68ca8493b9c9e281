"""`python -m benchmarks.debug`: does `lpbridge debug` name the statement that is wrong, and repair it?

The programs are those of `benchmarks/exercises`, small ones as courses set them, each with a few instances. Faults are
put in by chance: a literal, sign, comparison, bound, argument, variable, constant or predicate changed, a literal
dropped or added, one to three in a program, each in a statement of its own, so that the answers to some instance
change. The unchanged program is the reference. Told are the sort of fault, whether a faulty statement is among the
first three (and among the first), whether a repair was proved on the instances, whether it is also right on instances
near by that `debug` was not given, and the time.

`--by-hand` takes the programs of `benchmarks/by_hand` in place of these, with faults that were made up for them, mostly
parts that are missing: the program is too weak, or a clause is not there. They were written while `debug` learned to
mend them.

`--prices` prints how often each kind of change makes a repair, beside its price (`bridge.debugging.operators`).

`--students FOLDER` does the same with a checkout of RicardoBrancas/formhe: programs of students for five exercises,
with the statements that their authors marked as wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from benchmarks.measure import machine
from bridge.asp.reading.context import Context
from bridge.asp.reading.text import Text
from bridge.debugging.asking import Question
from bridge.debugging.debug import debug, instance_text
from bridge.debugging.edits import changes
from bridge.debugging.goal_edits import EditableProgram
from bridge.debugging.goal_search import GoalCase, GoalTrials
from bridge.debugging.operators import PRICES
from bridge.debugging.result import Debugging
from bridge.debugging.trials import Case, Trials
from bridge.errors import BridgeError, ProgramError
from bridge.limits import Deadline, Limits
from bridge.problem.asp import AspProblem
from bridge.problem.clauses import Reader
from bridge.problem.front import goal

EXERCISES = Path(__file__).parent / "exercises"
BY_HAND = Path(__file__).parent / "by_hand"
PAGE = Path(__file__).parent / "results" / "debug.md"

HEAD = [
    "| faults | programs | named among three | named first | repaired | right near by, too | median s |",
    "|---|--:|--:|--:|--:|--:|--:|",
]

#: Sorts of faults that are put in.
SORTS = ("literal", "negation", "operator", "bound", "variable", "term", "swap", "predicate", "guard", "rule")


@dataclass(frozen=True)
class Fault:
    """A wrong program.

    Attributes
    ----------
    name
        Of the exercise.
    sorts
        What was changed.
    lines
        Where: those of statements that are still there.
    text, reference
        The wrong program, and the right one.
    instances
        Facts as text; of a Prolog program, goals.
    language
        lp or pl.
    """

    name: str
    sorts: tuple[str, ...]
    lines: tuple[int, ...]
    text: str
    reference: str
    instances: tuple[str, ...]
    language: str = "lp"


@dataclass(frozen=True)
class Row:
    """What came of one."""

    fault: Fault
    found: Debugging | None
    named: bool
    first: bool
    repaired: bool
    general: bool
    leaked: bool
    seconds: float


def exercises() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The name, the program and the instances of each exercise."""
    for path in sorted(EXERCISES.glob("*.lp")):
        text = path.read_text(encoding="utf-8")
        yield path.stem, text, tuple(re.findall(r"^% instance: (.*)$", text, re.MULTILINE))


def faults(number: int, seed: int) -> Iterator[Fault]:
    """Wrong programs: of each exercise `number` with one fault, one with two, and of every second one with three."""
    dice = random.Random(seed)
    for at, (name, text, instances) in enumerate(exercises()):
        with Trials([_case(text, one) for one in instances], seconds=2.0) as trials:
            right = [trials.answers(text, i, 500, Limits(seconds=5)).answers for i in range(len(instances))]
            seen = {text}
            for many in [1] * number + [2] + [3] * (at % 2):
                for _ in range(200):
                    made = _injected(dice, text, instances, many)
                    if made is None or made[0] in seen:
                        continue
                    try:
                        now = [trials.answers(made[0], i, 500, Limits(seconds=1)) for i in range(len(instances))]
                    except BridgeError:
                        continue
                    if any(one.how not in ("all", "more") for one in now):
                        continue
                    if all(set(one.answers) == set(two) for one, two in zip(now, right, strict=True)):
                        continue
                    seen.add(made[0])
                    yield Fault(name, made[1], made[2], made[0], text, instances)
                    break


def _case(text: str, instance: str) -> Case:
    show = tuple((name, int(arity)) for name, arity in re.findall(r"#show (\w+)/(\d+)\.", text))
    facts, constants = _split(instance)
    return Case(facts, constants, show, optimal="#minimize" in text or "#maximize" in text)


def _split(instance: str) -> tuple[str, dict[str, str]]:
    constants = dict(re.findall(r"#const\s+(\w+)\s*=\s*(\w+)\s*\.", instance))
    return re.sub(r"#const[^.]*\.", "", instance), constants


def _injected(
    dice: random.Random, text: str, instances: Sequence[str], many: int
) -> tuple[str, tuple[str, ...], tuple[int, ...]] | None:
    program = Text(text)
    given = [
        (name, tuple(part.strip() for part in row.split(",")))
        for one in instances
        for name, row in re.findall(r"\b([a-z]\w*)\(([^()]*)\)", _split(one)[0])
    ]
    constants = sorted({name for one in instances for name in _split(one)[1]})
    context = Context.of(program, given=given, constants=constants)
    some = [one for one in program.statements if str(one.ast_type).endswith(("Rule", "Minimize"))]
    chosen = dice.sample(some, min(many, len(some)))
    sorts, lines = [], []
    for statement in sorted(chosen, key=lambda one: program.span(one)[0], reverse=True):
        by_sort: dict[str, list[Any]] = defaultdict(list)
        for change in changes(statement, program, context):
            if change.kind in SORTS and change.cost <= 1.8:
                by_sort[change.kind].append(change)
        if not by_sort:
            return None
        sort = dice.choice([one for one in SORTS if one in by_sort])
        change = dice.choice(by_sort[sort])
        changed, _ = program.changed(change, statement)
        program = Text(changed)
        sorts.append(sort)
        if sort != "rule":
            lines.append(statement.location.begin.line)
    return program.data.decode(), tuple(sorts), tuple(lines)


def prolog_faults(number: int, seed: int) -> Iterator[Fault]:
    """Wrong Prolog programs: of each exercise `number` with one fault, and one with two."""
    dice = random.Random(seed)
    deadline = Deadline(None)
    for path in sorted(EXERCISES.glob("*.pl")):
        text = path.read_text(encoding="utf-8")
        goals = tuple(re.findall(r"^% goal: (.*)$", text, re.MULTILINE))
        with GoalTrials(goals) as trials, Reader() as reader:
            right = trials.run(text, deadline)
            seen = {text}
            for many in [1] * number + [2]:
                for _ in range(100):
                    made, sorts, lines = text, [], []
                    for _ in range(many):
                        program = EditableProgram(reader.read("<text>", made))
                        clause = dice.choice(
                            [one for one in program.clauses if program.source.place(one.start).line not in lines]
                        )
                        by_sort: dict[str, list[Any]] = defaultdict(list)
                        for change in program.changes(clause):
                            if (
                                change.kind in SORTS
                                and change.cost <= 1.5
                                and "\n" not in made[change.begin : change.end]
                            ):
                                by_sort[change.kind].append(change)
                        sort = dice.choice([one for one in SORTS if one in by_sort and one != "rule"])
                        change = dice.choice(by_sort[sort])
                        made = made[: change.begin] + change.by + made[change.end :]
                        sorts.append(sort)
                        lines.append(program.source.place(clause.start).line or 0)
                        try:
                            reader.read("<text>", made)
                        except ProgramError:
                            break
                    else:
                        now = trials.run(made, deadline)
                        cases = [GoalCase(goal, answers) for goal, answers in zip(goals, right, strict=True)]
                        if made not in seen and not all(
                            case.score(one)[0] for case, one in zip(cases, now, strict=True)
                        ):
                            seen.add(made)
                            yield Fault(path.stem, tuple(sorts), tuple(lines), made, text, goals, "pl")
                            break


def by_hand() -> Iterator[Fault]:
    """Wrong programs of `benchmarks/by_hand`: `% fault: PART => OTHER` is one; \\n in it is the end of a line."""
    for path in sorted(BY_HAND.iterdir()):
        whole, language = path.read_text(encoding="utf-8"), path.suffix[1:]
        text = re.split(r"^% (?:instance|goal): ", whole, maxsplit=1, flags=re.MULTILINE)[0].rstrip() + "\n"
        instances = tuple(re.findall(r"^% (?:instance|goal): ?(.*)$", whole, re.MULTILINE))
        for part, other in re.findall(r"^% fault: (.+?) =>(?: (.*))?$", whole, re.MULTILINE):
            part, other = part.replace("\\n", "\n"), other.replace("\\n", "\n")
            if part not in text:
                raise ValueError(f"{path.name}: {part!r} does not stand in the program")
            before = text[: text.index(part)]
            begun = [number for number, line in enumerate(f"{before}{part}".split("\n"), 1) if line[:1].strip()]
            whole_rule = not other and part.endswith(".\n") and not part[:1].isspace()
            lines = () if whole_rule else tuple(begun[-1:] or [1])
            yield Fault(path.stem, ("by hand",), lines, text.replace(part, other, 1), text, instances, language)


def _debugged(fault: Fault, seconds: float) -> Debugging:
    limits = Limits(seconds=seconds)
    if fault.language == "lp":
        return debug(fault.text, against=fault.reference, instances=list(fault.instances), limits=limits)
    with TemporaryDirectory() as folder:
        mine, right = Path(folder, "mine.pl"), Path(folder, "right.pl")
        mine.write_text(fault.text, encoding="utf-8")
        right.write_text(fault.reference, encoding="utf-8")
        return debug([goal(mine, one) for one in fault.instances], against=right, limits=limits)


def scored(fault: Fault, seconds: float) -> Row:
    """What `debug` says of a wrong program."""
    begun = perf_counter()
    try:
        found = _debugged(fault, seconds)
    except BridgeError as error:
        print(f"{fault.name}: {error}", file=sys.stderr)
        return Row(fault, None, False, False, False, False, False, perf_counter() - begun)
    took = perf_counter() - begun
    lines = [one.place.line for one in found.suspects]
    repaired = found.repair is not None
    general = found.repair is not None and fault.language == "lp" and _general(found.repair.text, fault)
    known = fault.text + "".join(one.repair.text for one in found.suspects if one.repair)
    shown = found.text(verbose=True)
    leaked = any(len(line) > 12 and line in shown and line not in known for line in fault.reference.split("\n"))
    # Of a statement that was left out there is no line: a repair has to bring it back.
    named = any(line in lines for line in fault.lines) if fault.lines else repaired
    first = lines[:1] != [] and (lines[0] in fault.lines if fault.lines else repaired)
    return Row(fault, found, named, first, repaired, general, leaked, took)


def interviewed(fault: Fault, seconds: float) -> tuple[Row, int]:
    """The same without the reference: somebody who knows its answers is asked; and the number of questions."""
    show = ",".join(re.findall(r"#show (\w+/\d+)\.", fault.reference))
    optimal = "#minimize" in fault.reference or "#maximize" in fault.reference
    cases = [_case(fault.reference, one) for one in fault.instances]
    asked: list[Question] = []
    begun = perf_counter()
    with Trials(cases, seconds=2.0) as trials:
        right: dict[str, tuple[tuple[str, ...], ...]] = {}
        for number, case in enumerate(cases):
            right[instance_text(case)] = trials.answers(fault.reference, number, 5000, Limits(seconds=5)).answers

        def oracle(question: Question) -> bool:
            asked.append(question)
            meant = right[question.instance]
            return bool(meant) if question.answer is None else question.answer in meant

        found = debug(
            AspProblem(fault.text, show=show or None, optimal=optimal),
            instances=list(fault.instances),
            oracle=oracle,
            limits=Limits(seconds=seconds),
        )
    repaired = found.repair is not None and _general(found.repair.text, fault)
    lines = [one.place.line for one in found.suspects]
    named = any(line in lines for line in fault.lines) if fault.lines else found.repair is not None
    first = lines[:1] != [] and (lines[0] in fault.lines if fault.lines else found.repair is not None)
    row = Row(fault, found, named, first, found.repair is not None, repaired, False, perf_counter() - begun)
    return row, len(asked)


def _general(repaired: str, fault: Fault) -> bool:
    """Whether a repair is right on instances near by, too: a fact less, a constant one more or less."""
    near: list[Case] = []
    for instance in fault.instances:
        facts, constants = _split(instance)
        atoms = re.findall(r"[^.\s][^.]*(?:\.\.[^.]*)?\.(?!\.)", facts)
        variants = [(" ".join(atoms[:at] + atoms[at + 1 :]), constants) for at in range(len(atoms))]
        for name, value in constants.items():
            if value.isdecimal():
                variants.append((facts, {**constants, name: str(int(value) + 1)}))
        near += [
            Case(one, other, _case(fault.reference, "").show, optimal="#m" in fault.reference)
            for one, other in variants
        ]
    right = total = 0
    with Trials(near[:40], seconds=2.0) as trials:
        for at in range(len(near[:40])):
            try:
                meant = trials.answers(fault.reference, at, 300, Limits(seconds=2))
                now = trials.answers(repaired, at, 300, Limits(seconds=2))
            except BridgeError:
                continue
            if meant.how == "all":
                total += 1
                right += now.how == "all" and set(now.answers) == set(meant.answers)
    return right == total


def students(folder: Path) -> Iterator[Fault]:
    """Wrong programs of students, from a checkout of RicardoBrancas/formhe."""
    problems = {path.stem: path.read_text(encoding="utf-8") for path in sorted((folder / "problems").glob("*.yaml"))}
    for path in sorted((folder / "instances" / "mooshak").rglob("*.lp")):
        text = path.read_text(encoding="utf-8")
        problem = problems[path.stem[0]]
        instances = tuple(
            " ".join(part.split()).replace("e(4,9), ", "e(4,9). ")
            for part in re.findall(r"^  - \|\n((?:    .*\n)+)", problem.split("input_predicates")[0], re.MULTILINE)
        )
        reference = (folder / re.findall(r"canon_implementation: (\S+)", problem)[0]).read_text(encoding="utf-8")
        shown = re.findall(r"output_predicates:\n  - (\w+)/(\d+)", problem)[0]
        marked = re.search(r"selfeval-lines:(.*)", text)
        numbers = [int(one) for one in re.findall(r"\d+", marked[1])] if marked is not None else []
        lines: tuple[int, ...] = ()
        if numbers:
            statements = [one for one in Text(text).statements if str(one.ast_type).endswith(("Rule", "Definition"))]
            lines = tuple(statements[one].location.begin.line for one in numbers if one < len(statements))
        yield Fault(path.stem, ("student",), lines, text, f"{reference}\n#show {shown[0]}/{shown[1]}.\n", instances)


def page(rows: Sequence[Row], prolog: Sequence[Row], more: Sequence[Row]) -> str:
    """The results in Markdown."""
    lines = ["# Wrong programs: is the line named, and repaired?", ""]
    lines += [f"`python -m benchmarks.debug --students FOLDER --save`: {len(rows)} wrong programs. {machine()}", ""]
    lines += HEAD
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        number = len(row.fault.sorts)
        groups[f"**{number}**"].append(row)
        if number == 1:
            groups[row.fault.sorts[0]].append(row)
    for title in [
        *sorted(one for one in groups if one.startswith("**")),
        *sorted(one for one in groups if not one.startswith("**")),
    ]:
        lines.append(_line(title, groups[title]))
    if prolog:
        lines += ["", f"Prolog, {len(prolog)} wrong programs (instances near by are not tried):", "", *lines[4:6]]
        lines += [_line(f"**{many}**", [row for row in prolog if len(row.fault.sorts) == many]) for many in (1, 2)]
        for sort in SORTS:
            if some := [row for row in prolog if row.fault.sorts == (sort,)]:
                lines.append(_line(sort, some))
    if more:
        marked = [row for row in more if row.fault.lines]
        lines += [
            "",
            "Students (RicardoBrancas/formhe, five exercises); the second row: those whose authors marked statements:",
            "",
        ]
        lines += [*lines[4:6], _line("all", more), _line("marked", marked)]
    lines += [
        "",
        f"Printed lines of the reference, but those of repairs: {sum(row.leaked for row in (*rows, *prolog, *more))}.",
        "",
        *_misses([*rows, *prolog, *more]),
    ]
    return "\n".join(lines) + "\n"


def page_by_hand(rows: Sequence[Row]) -> str:
    """The results of programs that were written by hand."""
    programs = len({(row.fault.name, row.fault.language) for row in rows})
    title = f"{len(rows)} faults in {programs} programs. {machine()}"
    lines = ["# Wrong programs, written by hand", ""]
    lines += [f"`python -m benchmarks.debug --by-hand --save FILE`: {title}", "", *HEAD]
    for name, language in (("clingo", "lp"), ("Prolog", "pl")):
        lines.append(_line(name, [row for row in rows if row.fault.language == language]))
    return "\n".join([*lines, "", *_misses(rows)]) + "\n"


def _misses(rows: Sequence[Row]) -> list[str]:
    """What was not named, or not repaired."""
    lines = ["Misses:", ""]
    for row in rows:
        if not (row.named and row.repaired) and (row.fault.lines or not row.repaired):
            what = [word for word, done in (("named", row.named), ("repaired", row.repaired)) if not done]
            lines.append(f"- {row.fault.name}, {', '.join(row.fault.sorts)}: {', '.join(f'not {one}' for one in what)}")
    return lines


def prices(rows: Sequence[Row]) -> str:
    """How often each operator makes a repair, or a part of one, beside its price."""
    numbers: Counter[tuple[str, str]] = Counter()
    for row in rows:
        if row.found is not None and row.found.repair is not None:
            numbers.update((step.operator, row.fault.language) for step in row.found.repair.steps)
    total = Counter[str]()
    for (_, language), number in numbers.items():
        total[language] += number

    def cells(operator: str, language: str) -> str:
        number = numbers[operator, language]
        return f"{number} | {100 * number / max(total[language], 1):.1f} %" if number else "|"

    lines = ["| operator | price | clingo | share | Prolog | share |", "|---|---|--:|--:|--:|--:|"]
    for one, price in PRICES.items():
        both = " / ".join(map(str, price)) if isinstance(price, tuple) else price or ""
        lines.append(f"| {one} | {both} | {cells(one, 'lp')} | {cells(one, 'pl')} |")
    unused = sum(not (numbers[one, "lp"] or numbers[one, "pl"]) for one in PRICES)
    return "\n".join([*lines, "", f"{total['lp']} changes of clingo programs and {total['pl']} of Prolog programs;"
                      f" {unused} of {len(PRICES)} operators make no repair here."])  # fmt: skip


def _line(title: str, rows: Sequence[Row]) -> str:
    def share(of: Sequence[bool]) -> str:
        return f"{sum(of)} ({100 * sum(of) / max(len(of), 1):.0f} %)"

    named, first = [row.named for row in rows], [row.first for row in rows]
    repaired, general = [row.repaired for row in rows], [row.general for row in rows]
    median = statistics.median(row.seconds for row in rows) if rows else 0.0
    shares = " | ".join(map(share, (named, first, repaired)))
    near = "" if rows and rows[0].fault.language == "pl" else share(general)
    return f"| {title} | {len(rows)} | {shares} | {near} | {median:.2f} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.debug", description=__doc__.splitlines()[0])
    parser.add_argument("--number", type=int, default=4, help="programs with one fault of each exercise (4)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-t", "--seconds", type=float, default=20.0, help="for each program (20)")
    parser.add_argument("--students", type=Path, metavar="FOLDER", help="a checkout of RicardoBrancas/formhe")
    parser.add_argument("--by-hand", action="store_true", help="the programs of benchmarks/by_hand")
    parser.add_argument("--ask", action="store_true", help="no reference: somebody is asked who knows the answers")
    parser.add_argument("--only", default="", help="exercises whose names begin like this")
    parser.add_argument("--prices", action="store_true", help="how often each kind of change repairs one of all these")
    parser.add_argument("--json", action="store_true", help="print each result as JSON")
    parser.add_argument("--save", type=Path, nargs="?", const=PAGE, help="write the page of results")
    given = parser.parse_args()

    def tried(some: Iterable[Fault]) -> list[Row]:
        return [_shown(scored(one, given.seconds), given.json) for one in some if one.name.startswith(given.only)]

    if given.ask:
        some = [one for one in faults(given.number, given.seed) if one.name.startswith(given.only)]
        pairs = [interviewed(one, given.seconds) for one in some]
        for row, _ in pairs:
            _shown(row, given.json)
        print(f"{len(pairs)} programs; questions: median {statistics.median(number for _, number in pairs)}")
        print("\n".join([*HEAD, _line("all", [row for row, _ in pairs])]))
        return
    if given.by_hand:
        text = page_by_hand([row for row in tried(by_hand()) if row.found is None or not row.found.right])
        print(text)
        if given.save:
            given.save.write_text(text, encoding="utf-8")
        return
    if given.prices:
        every = [*tried(faults(given.number, given.seed)), *tried(prolog_faults(given.number, given.seed))]
        every += [*tried(by_hand()), *(tried(students(given.students)) if given.students else ())]
        print(prices(every))
        return
    rows = tried(faults(given.number, given.seed))
    prolog = tried(prolog_faults(given.number, given.seed))
    more = tried(students(given.students)) if given.students else []
    text = page(rows, prolog, more)
    print(text)
    if given.save:
        given.save.write_text(text, encoding="utf-8")


def _shown(row: Row, as_json: bool) -> Row:
    if as_json:
        data = {
            "name": row.fault.name,
            "sorts": row.fault.sorts,
            "lines": row.fault.lines,
            "named": row.named,
            "first": row.first,
            "repaired": row.repaired,
            "general": row.general,
            "seconds": round(row.seconds, 2),
            "suspects": [one.place.line for one in row.found.suspects] if row.found else None,
            "diff": row.found.repair.diff if row.found and row.found.repair else None,
            "text": row.fault.text,
        }
        print(json.dumps(data), flush=True)
    return row


if __name__ == "__main__":
    main()
