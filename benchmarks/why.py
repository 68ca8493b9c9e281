"""`python -m benchmarks.why [FOLDER...]`: programs with one fault each; does the diagnosis name it?

Each case is a program that has answer sets, and one change after which it has none: a constraint or a fact that
contradicts the rest, or a rule that is broken (a literal of a body left out, a comparison turned round, a bound or a
number changed). The programs are ours, and every `.lp` below the folders that loads alone: for example

    git clone https://github.com/potassco/clingo; git clone https://github.com/potassco/guide
    python -m benchmarks.why clingo/examples guide/examples --cases 400

A case counts as **named** when the changed statement is in the clash. Each clash is checked by plain clingo on a
program that is built here, without `reading.switches`: its rules and facts cannot hold together whatever else holds,
and without any one of them they can.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import clingo
from clingo import ast
from clingo.ast import AST, ASTType

from benchmarks.measure import machine
from bridge.analysis.ask import diagnose
from bridge.analysis.cores import Clash
from bridge.asp.reading.names import Switching
from bridge.asp.types import SWITCH
from bridge.errors import BridgeError, LimitError
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.problem.asp import AspProblem
from bridge.problem.asp_oracle import StatementPremise

ROOT = Path(__file__).parent.parent

#: Seconds for plain clingo on a program, and the most ground rules of a program that is taken.
SECONDS, RULES = 2.0, 50_000
#: How often a kind of fault is tried in a program: most changes leave it satisfiable.
TRIES = 12
#: Seconds for a diagnosis.
PATIENCE = 20.0


@dataclass
class Case:
    """A program with a fault: its text, the line of the fault, and what was done."""

    program: str
    text: str
    line: int
    fault: str


@dataclass
class Score:
    """What became of a case."""

    case: Case
    verdict: str
    named: bool
    size: int
    minimal: bool
    verified: bool | None
    seconds: float
    solving: float
    statements: int
    told: str = ""


def programs(folders: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Names and texts of programs that have an answer set, are ground soon, and need no script and no theory."""
    ours = sorted((ROOT / "examples" / "programs").glob("*.lp"))
    for path in [*ours, *(path for folder in folders for path in sorted(folder.rglob("*.lp")))]:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        if not re.search(r"#script|#include|#theory|#program|&\w", text) and _answer(text) is not None:
            yield str(path), text
    for name, text in _puzzles():
        yield name, text


def _puzzles() -> Iterator[tuple[str, str]]:
    from bridge.puzzles import load
    from bridge.puzzles.kinds.models import models

    for kind, file in (
        ("sudoku", "examples/sudoku/report3-problem1.txt"),
        ("latin-square", "examples/latin_square/quasigroup4.txt"),
        ("futoshiki", "examples/futoshiki/report1-5x5.txt"),
        ("takuzu", "examples/takuzu/six-solutions.txt"),
        ("magic-square", "examples/magic_square/report2-order3.txt"),
    ):
        puzzle = load(kind, ROOT / file)
        form = models(puzzle)
        encoding = ROOT / "encodings" / form.encoding
        text = encoding.read_text(encoding="utf-8")
        includes = re.findall(r'^#include "([^"]+)"\.', text, re.MULTILINE)
        parts = [(encoding.parent / one).read_text(encoding="utf-8") for one in includes]
        yield kind, "\n".join([*parts, re.sub(r"(?m)^#include.*$", "", text), form.facts()])


def _answer(text: str) -> list[clingo.Symbol] | None:
    """The true atoms of an answer set that plain clingo finds in time; None when it does not."""
    control = clingo.Control(["--warn=none"], logger=lambda *_: None)
    counter = _Rules()
    try:
        control.register_observer(counter)
        control.add("base", [], text)
        control.ground()
    except RuntimeError:
        return None
    with control.solve(async_=True, yield_=True) as handle:
        if not handle.wait(SECONDS):
            handle.cancel()
            return None
        model = handle.model()
        return None if model is None else list(model.symbols(atoms=True))


class _Rules(clingo.Observer):
    """Ends a grounding of too many rules."""

    def __init__(self) -> None:
        self.count = 0

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self.count += 1
        if self.count > RULES:
            raise RuntimeError("too large")


def _unsatisfiable(text: str, seconds: float = 5.0) -> bool | None:
    control = clingo.Control(["--warn=none"], logger=lambda *_: None)
    try:
        control.register_observer(_Rules())
        control.add("base", [], text)
        control.ground()
    except RuntimeError:
        return None
    with control.solve(async_=True) as handle:
        if not handle.wait(seconds):
            handle.cancel()
            return None
        return bool(handle.get().unsatisfiable)


# Faults


def cases(name: str, text: str, chance: random.Random, number: int) -> Iterator[Case]:
    """Up to so many faults of a program, each of which leaves it without an answer set."""
    ways = [_constraint, _fact, _literal, _comparison, _number]
    chance.shuffle(ways)
    for way in ways:
        for _ in range(TRIES):
            made = way(text, chance)
            if made is not None and _unsatisfiable(made[0]):
                yield Case(name, *made)
                number -= 1
                break
        if number == 0:
            return


def _constraint(text: str, chance: random.Random) -> tuple[str, int, str] | None:
    """Forbid an atom that is not a fact, or all of its predicate."""
    atoms = _answer(text) or []
    stated = {line.split("(")[0].strip() for line in text.splitlines() if ":-" not in line and "{" not in line}
    atoms = [atom for atom in atoms if atom.name not in stated] or atoms
    if not atoms:
        return None
    atom = chance.choice(atoms)
    body = str(atom)
    if atom.arguments and chance.random() < 0.5:
        body = f"{'' if atom.positive else '-'}{atom.name}({','.join('_' for _ in atom.arguments)})"
    return f"{text}\n:- {body}.\n", text.count("\n") + 2, "a constraint"


def _fact(text: str, chance: random.Random) -> tuple[str, int, str] | None:
    """State an atom like those that hold, with other arguments."""
    atoms = [atom for atom in _answer(text) or [] if atom.arguments]
    if not atoms:
        return None
    one = chance.choice(atoms)
    like = [atom for atom in atoms if (atom.name, len(atom.arguments)) == (one.name, len(one.arguments))]
    arguments = [chance.choice(like).arguments[place] for place in range(len(one.arguments))]
    atom = clingo.Function(one.name, arguments, one.positive)
    return f"{text}\n{atom}.\n", text.count("\n") + 2, "a fact"


def _literal(text: str, chance: random.Random) -> tuple[str, int, str] | None:
    """Leave out a literal of a body."""

    def change(rule: AST, source: str) -> str | None:
        if len(rule.body) < 2:
            return None
        left = list(rule.body)
        left.pop(chance.randrange(len(left)))
        return str(rule.update(body=left))

    return _broken(text, chance, change, "a literal left out")


def _comparison(text: str, chance: random.Random) -> tuple[str, int, str] | None:
    """Turn a comparison round."""
    turned = {"<": ">=", ">": "<=", "=": "!=", "!=": "=", "<=": ">", ">=": "<"}

    def change(rule: AST, source: str) -> str | None:
        signs = list(re.finditer(r"(?<![<>!=:|])(<=|>=|!=|<|>|=)(?![<>=])", source))
        if not signs:
            return None
        sign = chance.choice(signs)
        return source[: sign.start()] + turned[sign[1]] + source[sign.end() :]

    return _broken(text, chance, change, "a comparison turned round")


def _number(text: str, chance: random.Random) -> tuple[str, int, str] | None:
    """Change a number."""

    def change(rule: AST, source: str) -> str | None:
        numbers = list(re.finditer(r"(?<![\w.])\d+(?![\w.])", source))
        if not numbers:
            return None
        number = chance.choice(numbers)
        other = int(number[0]) + chance.choice((-1, 1, 2))
        return f"{source[: number.start()]}{other}{source[number.end() :]}"

    return _broken(text, chance, change, "a number changed")


def _broken(
    text: str, chance: random.Random, change: Callable[[AST, str], str | None], fault: str
) -> tuple[str, int, str] | None:
    """Change one rule, of one line."""
    rules: list[AST] = []
    ast.parse_string(text, lambda node: rules.append(node) if node.ast_type is ASTType.Rule else None)
    rules = [rule for rule in rules if rule.body or rule.head.ast_type is ASTType.Aggregate]
    if not rules:
        return None
    rule = chance.choice(rules)
    begin, end = rule.location.begin, rule.location.end
    lines = text.encode().split(b"\n")
    line = lines[begin.line - 1]
    if begin.line != end.line or _always(text, begin.line):
        return None
    changed = change(rule, line[begin.column - 1 : end.column - 1].decode())
    if changed is None:
        return None
    lines[begin.line - 1] = line[: begin.column - 1] + changed.encode() + line[end.column - 1 :]
    return b"\n".join(lines).decode(), begin.line, fault


# Checked by plain clingo


def verified(text: str, clash: Clash[StatementPremise]) -> bool | None:
    """Whether the clash is one, and minimal; None when clingo does not say so in time."""
    if _holds(text, clash.premises) is not False:
        return False if _holds(text, clash.premises) else None
    for premise in clash.premises:
        holds = _holds(text, [one for one in clash.premises if one is not premise])
        if not holds:
            return holds
    return True


def _holds(text: str, kept: Sequence[StatementPremise]) -> bool | None:
    """Whether the premises can hold together, with any of the rest of the program."""
    by_line: dict[tuple[int, int], list[StatementPremise]] = {}
    for premise in kept:
        for one in premise.statements:
            by_line.setdefault((one.place.line or 0, one.place.column or 0), []).append(premise)
    nodes: list[AST] = []
    ast.parse_string(text, nodes.append)
    built: list[str] = []
    for number, node in enumerate(nodes):
        if node.ast_type is ASTType.Rule:
            begin = node.location.begin
            built += _statement(node, by_line.get((begin.line, begin.column), []), number, text)
        elif node.ast_type is not ASTType.Comment:
            built.append(str(node))
    unsatisfiable = _unsatisfiable("\n".join(built), 20)
    return None if unsatisfiable is None else not unsatisfiable


def _statement(rule: AST, kept: Sequence[StatementPremise], number: int, text: str) -> Iterator[str]:
    """A rule as far as it is kept; the rest of it is free to hold or not."""
    line = str(rule)
    named = _always(text, rule.location.begin.line)
    head = rule.head.ast_type
    if named == "implied":
        return
    if named == "always":
        yield line
    elif not rule.body and head is ASTType.Literal and not line.startswith("#false"):  # a fact
        yield f"{{ {line.rstrip('.')} }}." if not line.startswith("not ") else line
        yield from (str(premise) for premise in kept)
    elif line.startswith(("#false", "not ")):
        yield from (_with(line, premise) for premise in kept)
    elif head is ASTType.Aggregate and (rule.head.left_guard or rule.head.right_guard):
        free = rule.update(head=rule.head.update(left_guard=None, right_guard=None))
        yield str(free)
        for premise in kept:
            body = "; ".join([*map(str, rule.body), f"not {rule.head}"])
            yield _with(f"#false :- {body}.", premise)
    elif head in (ASTType.Aggregate, ASTType.HeadAggregate):
        yield line
    else:
        yield f"{{ __free({number}) }}."
        yield f"{line.rstrip('.')}{'; ' if ':-' in line else ' :- '}__free({number})."
        yield from (_with(line, premise) for premise in kept)


def _with(line: str, premise: StatementPremise) -> str:
    """The instance of a rule that a premise is: the values of the terms in its name's braces."""
    said = premise.statement.name
    if said is None or not said.terms or premise.key[0] != said.pattern:
        return line
    from bridge.asp.decode import encode

    equal = "; ".join(f"{term} = {encode(value)}" for term, value in zip(said.terms, premise.key[1], strict=True))
    return f"{line.rstrip('.')}{'; ' if ':-' in line else ' :- '}{equal}."


def _always(text: str, line: int) -> str:
    """The word `always` or `implied` in the comment above a line, if it is there."""
    above = text.split("\n")[:line]
    for one in reversed(above):
        if not one.strip():
            return ""
        if (found := re.match(r"\s*%!\s+(\w+)", one)) is not None:
            return found[1] if found[1] in ("always", "implied") else ""
    return ""


def score(case: Case) -> Score:
    """Diagnose a case, and check the clash."""
    started = perf_counter()
    _unsatisfiable(case.text, 10)
    solving = perf_counter() - started
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.lp"
        path.write_text(case.text, encoding="utf-8")
        problem = AspProblem(path)
        started = perf_counter()
        found = diagnose(problem, limits=Limits(seconds=PATIENCE), repairs=1, effort=0)
        seconds = perf_counter() - started
    if not found.clashes:
        return Score(case, str(found.verdict), False, 0, False, None, seconds, solving, 0)
    (clash,) = found.clashes
    named = any(one.place.line == case.line for premise in clash.premises for one in premise.statements)
    checked = verified(case.text, clash) if clash.minimal else None
    size, statements = len(clash.premises), problem.outline.size
    told = f"named {named}, verified {checked}, minimal {clash.minimal}, {clash}, {found.fixed}"
    return Score(case, str(found.verdict), named, size, clash.minimal, checked, seconds, solving, statements, told)


# What switches cost


def switches(folders: Sequence[Path]) -> str:
    """Every program that loads alone, with the switches of the first wave and without: verdict and seconds."""
    counted = differ = late = 0
    seconds = {"ground": [0.0, 0.0], "solve": [0.0, 0.0]}
    for path in [path for folder in folders for path in sorted(folder.rglob("*.lp"))]:
        problem, limits = AspProblem(path), Limits(seconds=10)
        try:
            with problem.program(limits=limits) as plain, problem.program(Switching(lenient=True), limits) as switched:
                literals = switched.literals(SWITCH, 2, limits=limits)
                one = plain.solve(limits=limits)
                other = switched.solve(assuming=list(literals.values()), limits=limits)
        except LimitError:
            late += 1
            continue
        except BridgeError:
            continue
        if one.satisfiable is None or other.satisfiable is None:
            late += 1
            continue
        counted += 1
        differ += one.satisfiable != other.satisfiable
        for number, solved in enumerate((one, other)):
            for phase, both in seconds.items():
                both[number] += solved.statistics.seconds.get(phase, 0.0)
    told = ", ".join(
        f"{'grounding' if phase == 'ground' else 'solving'} {plain:.1f} s without switches and {with_:.1f} s with them"
        for phase, (plain, with_) in seconds.items()
    )
    ratios = " and ".join(f"{with_ / plain:.2f}" for plain, with_ in seconds.values())
    verdicts = f"{counted} programs that load alone: {differ} with another verdict, {late} not done in 10 s"
    return f"{verdicts}. In sum {told} (ratios {ratios})."


def main() -> None:
    """Make and score cases, and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--each", type=int, default=3, help="the most cases of a program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print the cases in which the fault is not named")
    parser.add_argument("--switches", action="store_true", help="only what switches cost, on all programs that load")
    given = parser.parse_args()
    if given.switches:
        print(f"{machine()}\n\n{switches(given.folders)}")
        return
    chance = random.Random(given.seed)
    scores: list[Score] = []
    sources = list(programs(given.folders))
    chance.shuffle(sources)
    used = set()
    for name, text in sources:
        for case in cases(name, text, chance, given.each):
            try:
                one = score(case)
            except BridgeError as error:
                one = Score(case, f"error: {error}", False, 0, False, None, 0, 0, 0)
            scores.append(one)
            used.add(name)
            if given.show and not (one.named and one.verified):
                line = case.text.split("\n")[case.line - 1]
                print(f"- {case.program}:{case.line}: {case.fault}: `{line}`: {one.verdict}, {one.told}", flush=True)
        if len(scores) >= given.cases:
            break
    print(f"{machine()}\n\nSeed {given.seed}, {len(scores)} cases of {len(used)} programs.\n")
    print(table(scores))


def table(scores: Sequence[Score]) -> str:
    """The scores, by kind of fault."""
    lines = [
        "| fault | cases | named | said to be minimal | of these verified by plain clingo "
        "| premises of the clash: median, largest | statements of the program: median, largest "
        "| seconds: median, largest | times plain solving: median |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for fault in [*sorted({one.case.fault for one in scores}), "all"]:
        some = [one for one in scores if fault in (one.case.fault, "all")]
        sizes, sought = [one.size for one in some], [one.seconds for one in some]
        statements = [one.statements for one in some]
        lines.append(
            f"| {fault} | {len(some)} | {sum(one.named for one in some)} | {sum(one.minimal for one in some)} | "
            f"{sum(one.verified is True for one in some)} (wrong {sum(one.verified is False for one in some)}, "
            f"not in time {sum(one.minimal and one.verified is None for one in some)}) | "
            f"{statistics.median(sizes):g}, {max(sizes)} | {statistics.median(statements):g}, {max(statements)} | "
            f"{statistics.median(sought):.2f}, {max(sought):.1f} | "
            f"{statistics.median(one.seconds / max(one.solving, 1e-3) for one in some):.0f} |"
        )
    unknown = sum(one.verdict != Verdict.IMPOSSIBLE for one in scores)
    return "\n".join([*lines, "", f"No verdict or no clash in time: {unknown}."])


if __name__ == "__main__":
    main()
