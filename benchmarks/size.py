"""`python -m benchmarks.size FOLDER`: is the wrong line of a large program named, and repaired?

The programs are those of `size.json`, of public repositories, each with the instance that its author gives: FOLDER has
a clone of each repository, called `owner+name`. (The instance of Spack's concretizer is what `spack solve --show asp
mpileaks` writes with the packages of Spack's own tests.) A fault is put into the first file of each by chance (as in
`benchmarks.debug`), not into a fact, such that the answers change. The right program is the reference, once as it is
and once written otherwise: its own predicates and variables are renamed, its statements and bodies are in another
order, and of each body of three literals and more, two are the rule of a new predicate. Told are whether the faulty
statement is among the first three, whether it is the first, and whether a repair was proved on the instance.

With `--times`, what `lint`, `diagnose`, `why` and `profile` take on these programs as they are, to the first words of
the answer and to its end.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from clingo.ast import AST, ASTType, Rule, Transformer, Variable

from benchmarks.debug import _injected
from benchmarks.measure import machine
from bridge.asp.decode import written
from bridge.asp.reading.context import Context, is_data
from bridge.asp.reading.outline import Signature
from bridge.asp.reading.text import Text
from bridge.asp.reading.trees import atom_of, is_atom, names_in
from bridge.comparison.compare import compare
from bridge.debugging.cases import joined_text
from bridge.debugging.debug import debug
from bridge.errors import BridgeError
from bridge.limits import Limits
from bridge.problem.asp import AspProblem

PAGE = Path(__file__).parent / "results" / "size.md"

LIST = Path(__file__).with_name("size.json")

COMMANDS = ("lint", "diagnose", "why", "profile")

LPBRIDGE = [sys.executable, "-m", "bridge"]

#: Seconds in which a fault of a program is looked for by which its answers change.
MAKING = 60.0

#: Rules of the smallest program.
LEAST = 30


@dataclass(frozen=True)
class Public:
    """A program: the text with the fault to be, and those that belong to it."""

    name: str
    text: str
    others: str
    instance: tuple[str, ...]
    constants: dict[str, Any]
    rules: int  #: Statements that are no plain facts, those of all its files.


@dataclass(frozen=True)
class Large:
    """A wrong program."""

    of: Public
    text: str
    sort: str
    line: int | None  #: None where a whole rule was left out.
    signatures: frozenset[Signature]  #: Those that an answer consists of.

    @property
    def show(self) -> tuple[str, ...]:
        """The same as text."""
        return tuple(f"{name}/{arity}" for name, arity in sorted(self.signatures))


@dataclass(frozen=True)
class Tried:
    """What came of it."""

    of: Large
    named: bool
    first: bool
    repaired: bool
    seconds: float
    why: str


def programs(folder: Path, least: int) -> Iterator[Public]:
    """The programs of the list that stand in a folder."""
    for one in json.loads(LIST.read_text(encoding="utf-8")):
        where = folder / one["repository"].replace("/", "+")
        files = [where / name for name in one["files"]]
        if not all(map(Path.is_file, files)):
            print(f"{one['repository']}: not in the folder", flush=True)
            continue
        text, others = joined_text(files[:1]), joined_text(files[1:])
        statements = (part for source in (text, others) for part in Text(source).statements)
        rules = sum(part.ast_type in (ASTType.Rule, ASTType.Minimize) and not is_data(part) for part in statements)
        instance = tuple(joined_text([where / name]) for name in one["instance"])
        if rules >= least:
            yield Public(f"{one['repository']}: {one['files'][0]}", text, others, instance, one["constants"], rules)


def shown(of: AspProblem) -> set[Signature]:
    """The predicates of an answer: those that are shown; or are chosen, or that no other rule reads."""
    outline = of.outline
    heads = {one for statement in outline.statements for one in statement.heads}
    chosen = {one for statement in outline.statements if statement.kind == "choice" for one in statement.heads}
    read = {one for statement in outline.statements for one in statement.body - statement.heads}
    return heads & outline.shown if outline.shown else chosen | (heads - read)


def wrong(of: Public, dice: random.Random, number: int) -> Iterator[Large]:
    """Programs with one fault each, by which the answers change."""
    # An instance that has rules of its own is none for `compare`: it is part of both programs.
    rest = (of.others, *of.instance)
    right = AspProblem(of.text, *rest)
    seen, own = {of.text}, frozenset(shown(right))
    show = ",".join(f"{name}/{arity}" for name, arity in sorted(own))
    like: dict[str, Any] = {"constants": of.constants, "optimal": bool(right.outline.costs)}
    facts = {one.location.begin.line for one in Text(of.text).statements if is_data(one)}
    begun = perf_counter()
    while perf_counter() - begun < MAKING:
        made = _injected(dice, of.text, of.instance, 1)
        if made is None or made[0] in seen or facts & {*made[2]}:
            continue
        seen.add(made[0])
        try:
            few = Limits(seconds=10, solutions=200)
            programs = (AspProblem(one, *rest, **like) for one in (made[0], of.text))
            found = compare(*programs, show=show, limits=few, deadline=20)
        except BridgeError:
            continue
        if found.difference is not None:
            yield Large(of, made[0], made[1][0], next(iter(made[2]), None), own)
            number -= 1
        if not number:
            return


class _Otherwise(Transformer):
    """The same program in other words: predicates that rules derive and nothing shows, and variables, are renamed."""

    def __init__(self, own: dict[tuple[str, int], str]) -> None:
        self._own = own
        self._parts = 0

    def in_parts(self, rule: AST) -> list[AST]:
        """A rule as two: of a body of three literals and more, two atoms are derived by a rule of their own."""
        two = [one for one in rule.body if is_atom(one)][:2] if rule.ast_type is ASTType.Rule else []
        if len(two) < 2 or len(rule.body) < 3:
            return [rule]
        self._parts += 1
        place = rule.location
        names = [Variable(place, name) for name in sorted(names_in(two))]
        part = atom_of(place, f"own_part_{self._parts}", names)
        rest = [one for one in rule.body if one not in two]
        return [rule.update(body=[*rest, part]), Rule(place, part, two)]

    def visit_Variable(self, node: AST) -> AST:
        return node if node.name == "_" else node.update(name=f"V{node.name}")

    def visit_SymbolicAtom(self, node: AST) -> AST:
        return node.update(symbol=self._renamed(self.visit(node.symbol)))

    def _renamed(self, symbol: Any) -> Any:
        if symbol.ast_type is ASTType.UnaryOperation:
            return symbol.update(argument=self._renamed(symbol.argument))
        if symbol.ast_type is ASTType.Pool:
            return symbol.update(arguments=list(map(self._renamed, symbol.arguments)))
        name = self._own.get((symbol.name, len(symbol.arguments)))
        return symbol.update(name=name) if name else symbol


def otherwise(text: str, kept: frozenset[Signature], dice: random.Random) -> str:
    """A program written otherwise: of the predicates only those that are kept have their names."""
    parsed = Text(text)
    outline = AspProblem(text).outline
    own = {one for statement in outline.statements for one in statement.heads} - kept
    written = _Otherwise({(name, arity): f"own_{name}" for name, arity in own})
    lines: list[str] = []
    for one in parsed.statements:
        if one.ast_type is ASTType.Program:
            continue
        changed = written.visit(one)
        if one.ast_type is ASTType.Rule:
            body = list(changed.body)
            dice.shuffle(body)
            changed = changed.update(body=body)
        lines += map(str, written.in_parts(changed))
    dice.shuffle(lines)
    return "\n".join(lines) + "\n"


def tried(one: Large, reference: str, seconds: float) -> Tried:
    """What `debug` says."""
    begun = perf_counter()
    try:
        problem = AspProblem(one.text, one.of.others, show=one.show, constants=one.of.constants)
        limits = Limits(seconds=seconds)
        found = debug(problem, against=reference, instances=one.of.instance or None, limits=limits)
    except BridgeError as error:
        return Tried(one, False, False, False, perf_counter() - begun, str(error).split("\n")[0])
    lines = [suspect.place.line for suspect in found.suspects]
    repaired = found.repair is not None
    named = one.line in lines if one.line is not None else repaired
    first = lines[:1] == [one.line] if one.line is not None else repaired
    return Tried(one, named, first, repaired, perf_counter() - begun, "" if named else f"suspects in lines {lines}")


def line(title: str, some: Sequence[Tried]) -> str:
    """A row of the table."""

    def share(of: Sequence[bool]) -> str:
        return f"{sum(of)} ({100 * sum(of) / max(len(of), 1):.0f} %)"

    shares = " | ".join(share([getattr(one, what) for one in some]) for what in ("named", "first", "repaired"))
    median = statistics.median(one.seconds for one in some) if some else 0.0
    return f"| {title} | {len(some)} | {shares} | {median:.1f} |"


def word(one: Tried) -> str:
    """What came of it, in a word or two, and the seconds."""
    said = "first" if one.first else "named" if one.named else "not named"
    return f"{said}{', repaired' if one.repaired else ''}, {one.seconds:.1f} s"


def times(of: Public, seconds: float) -> str:
    """A row: seconds to the first words and to the end of each command, on the program and its instance in a file."""
    constants = [word for name, value in of.constants.items() for word in ("-c", f"{name}={value}")]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "program.lp")
        file.write_text("\n".join((of.text, of.others, *of.instance)), encoding="utf-8")
        with AspProblem(file).with_instance(constants=of.constants).program() as program:
            models = program.models(limits=Limits(seconds=seconds, solutions=1)).collect().solutions
        atom = next((written((name, row)) for model in models for name in model for row in model[name]), None)
        cells = []
        for command in COMMANDS:
            words = [*LPBRIDGE, command, str(file), *([atom] if command == "why" and atom else []), *constants]
            begun, first = perf_counter(), 0.0
            limit = [] if command == "lint" else ["-t", f"{seconds:.0f}"]
            with subprocess.Popen([*words, *limit], stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as running:
                assert running.stdout is not None
                while os.read(running.stdout.fileno(), 65_536):
                    first = first or perf_counter() - begun
            cells.append(f"{first:.1f} / {perf_counter() - begun:.1f}")
    return f"| {of.name} | {of.rules} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.size", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--number", type=int, default=1, help="faults of each program (1)")
    parser.add_argument("--least", type=int, default=LEAST, help=f"rules, at least ({LEAST})")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-t", "--seconds", type=float, default=60.0, help="for each (60)")
    parser.add_argument("--only", default="", help="of a repository whose name has this in it")
    parser.add_argument("--save", action="store_true", help=f"write {PAGE.name}")
    parser.add_argument("--limit", type=float, default=7200.0, metavar="SECONDS", help="of all of it")
    parser.add_argument("--times", action="store_true", help="what other commands take")
    given = parser.parse_args()
    if given.times:
        rows = [times(one, given.seconds) for one in programs(given.folder, given.least) if given.only in one.name]
        command = f"`python -m benchmarks.size FOLDER --times -t {given.seconds:.0f} --least {given.least}`"
        lines = ["# Large programs: seconds to the first words, and to the end", "", f"{command}, {machine()}", ""]
        lines += [f"| program | rules | {' | '.join(COMMANDS)} |", f"|---|--:|{'--:|' * len(COMMANDS)}", *rows]
        print("\n".join(lines))
        if given.save:
            PAGE.with_name("size_times.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return
    tries: dict[str, list[Tried]] = {"the same text": [], "written otherwise": []}
    rows = ["| program | rules | fault | the same text | written otherwise |", "|---|--:|---|---|---|"]
    several, begun, late, harmless = set[str](), perf_counter(), 0, 0
    for one in (each for each in programs(given.folder, given.least) if given.only in each.name):
        left = given.limit - (perf_counter() - begun)
        if left < MAKING + 2 * given.seconds:
            late += 1
            continue
        dice = random.Random(given.seed)
        whole = AspProblem(one.text, one.others)
        faults = list(wrong(one, dice, given.number))
        harmless += not faults
        for fault in faults:
            several.add(one.name)
            inputs = Context.of(*map(Text, one.instance)).predicates
            kept = fault.signatures.union(whole.outline.given, inputs)
            text = f"{one.text}\n{one.others}"
            references = dict(zip(tries, (text, otherwise(text, kept, dice)), strict=True))
            for how, reference in references.items():
                tries[how].append(tried(fault, reference, given.seconds))
            last = [some[-1] for some in tries.values()]
            rows.append(f"| {one.name} | {one.rules} | {fault.sort} | {' | '.join(map(word, last))} |")
            print(rows[-1], fault.line, *(each.why for each in last), flush=True)
    command = f"python -m benchmarks.size FOLDER -t {given.seconds:.0f} --least {given.least} --seed {given.seed}"
    command += f" --limit {given.limit:.0f} --save"
    lines = ["# Large programs: is the wrong line named?", ""]
    lines += [f"`{command}`: {len(several)} public programs, {machine()}", ""]
    lines += [f"Not reached within the limit: {late}; no fault by which the answers change was made: {harmless}.", ""]
    lines += ["| reference | faults | named among three | named first | repaired | median s |"]
    lines += ["|---|--:|--:|--:|--:|--:|"]
    for least, words in ((100, ", of 100 rules and more"), (0, "")):
        for how, some in tries.items():
            lines.append(line(how + words, [one for one in some if one.of.of.rules >= least]))
    page = "\n".join([*lines, "", *rows]) + "\n"
    print(page)
    if given.save:
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
