"""How many slips of the pen does `lint` find, with the right suggestion?

    python -m benchmarks.lint [--number 500] [--prolog 200] [--misses]

A slip is put into a program of `benchmarks/exercises`, at random with a fixed seed, and `lint` reads it, a clingo
program together with its richest instance. It is found where a new finding suggests what stood there before. Findings
that the program had without the slip do not count; how many these are is printed, too.

The slips of Prolog programs: a name or a variable misspelt, an argument too many, `=` for `is` or `#=`, a goal that
evaluates put before those that bind its variables, a recursive goal put first, a clause that stands twice or apart from
the others, a character left out. Of those that have no suggestion it counts that their check finds something new.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from clingo import ast
from clingo.ast import AST, ASTType

import bridge
from bridge.asp.reading.context import atoms
from bridge.asp.reading.text import Text
from bridge.asp.reading.trees import nodes
from bridge.errors import BridgeError
from bridge.linting.lint import lint
from bridge.linting.prolog import lint_prolog
from bridge.linting.result import Lint
from bridge.problem.clauses import Clause, Reader, Source

EXERCISES = Path(__file__).parent / "exercises"


@dataclass(frozen=True)
class Slip:
    """A slip: bytes that are replaced, and what a suggestion has to have for it to be right."""

    kind: str
    begin: int
    end: int
    by: str
    right: tuple[str, ...]


def misspelt(name: str, chance: random.Random) -> str:
    """A name with a letter less, twice, other, or two letters swapped."""
    at = chance.randrange(1, len(name))
    kind = chance.randrange(4)
    if kind == 0:
        return name[:at] + name[at + 1 :]
    if kind == 1:
        return name[:at] + name[at] + name[at:]
    if kind == 2 or at + 1 >= len(name) or name[at] == name[at + 1]:
        return name[:at] + chance.choice("abcdefghijklmnopqrstuvwxyz".replace(name[at], "")) + name[at + 1 :]
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]


def functions(text: Text) -> Iterator[tuple[AST, AST]]:
    for statement in text.statements:
        for atom in atoms(statement):
            if atom.symbol.ast_type is ASTType.Function:
                yield statement, atom.symbol


def predicates(text: Text, instance: Text, chance: random.Random) -> Iterator[Slip]:
    for _, one in functions(text):
        if len(one.name) > 3:
            begin = text.span(one)[0]
            yield Slip("predicate", begin, begin + len(one.name), misspelt(one.name, chance), (one.name,))


def constants(text: Text, instance: Text, chance: random.Random) -> Iterator[Slip]:
    for _, one in functions(text):
        for term in one.arguments:
            for node in nodes(term):
                if node.ast_type is ASTType.SymbolicTerm and len(name := text.of(node)) > 3 and name.isalpha():
                    yield Slip("constant", *text.span(node), misspelt(name, chance), (name,))
                    yield Slip("string", *text.span(node), f'"{name}"', (name,))


def variables(text: Text, instance: Text, chance: random.Random) -> Iterator[Slip]:
    for statement in text.statements:
        names = [node for node in nodes(statement) if node.ast_type is ASTType.Variable and node.name != "_"]
        for node in names:
            times = sum(other.name == node.name for other in names)
            if times > 1:
                yield Slip("variable", *text.span(node), f"{node.name}{chance.choice('abx')}", (node.name,))


def arities(text: Text, instance: Text, chance: random.Random) -> Iterator[Slip]:
    for _, one in functions(text):
        texts = [text.of(term) for term in one.arguments]
        if texts:
            at = chance.randrange(len(texts))
            fewer, more = [*texts[:at], *texts[at + 1 :]], [*texts[:at], "_", *texts[at:]]
            right = (f"{one.name}/{len(texts)}",)
            if fewer:
                yield Slip("arity", *text.span(one), f"{one.name}({', '.join(fewer)})", right)
            yield Slip("arity", *text.span(one), f"{one.name}({', '.join(more)})", right)


def orders(text: Text, instance: Text, chance: random.Random) -> Iterator[Slip]:
    """Two arguments that are swapped, in an atom whose facts have other values in one column than in the other."""
    columns: dict[tuple[str, int], set[str]] = {}
    for _, one in functions(instance):
        for place, term in enumerate(one.arguments):
            columns.setdefault((one.name, place), set()).add(str(term))
    for _, one in functions(text):
        texts = [text.of(term) for term in one.arguments]
        for place in range(len(texts) - 1):
            first, second = (columns.get((one.name, at), set()) for at in (place, place + 1))
            if min(len(first), len(second)) > 1 and not first & second and texts[place] != texts[place + 1]:
                order = [*texts[:place], texts[place + 1], texts[place], *texts[place + 2 :]]
                yield Slip("order", *text.span(one), f"{one.name}({', '.join(order)})", (", ".join(texts),))


def tuples(text: Text, instance: Text, chance: random.Random) -> Iterator[Slip]:
    """The items of a tuple of a sum that are forgotten."""
    for statement in text.statements:
        lists = [(statement.weight, statement.terms)] if statement.ast_type is ASTType.Minimize else []
        for node in nodes(statement):
            if node.ast_type is ASTType.BodyAggregate and node.function in (
                ast.AggregateFunction.Sum,
                ast.AggregateFunction.SumPlus,
            ):
                lists += [(one.terms[0], one.terms[1:]) for one in node.elements if len(one.terms) > 1]
        for weight, terms in lists:
            if len(terms):
                begin, end = text.span(weight)[1], text.span(terms[-1])[1]
                if b"@" not in text.data[begin:end]:
                    yield Slip("tuple", begin, end, "", tuple(text.of(term) for term in terms))


def unsafe(text: Text, instance: Text, chance: random.Random) -> Iterator[Slip]:
    """A literal of a body without `not` that gets one, or goes: only those that make a variable unsafe count."""
    for statement in text.statements:
        body = list(statement.body) if statement.ast_type is ASTType.Rule else []
        for literal in body:
            if (
                literal.ast_type is ASTType.Literal
                and literal.sign == 0
                and literal.atom.ast_type is ASTType.SymbolicAtom
            ):
                begin, _ = text.span(literal)
                names = {node.name for node in nodes(literal) if node.ast_type is ASTType.Variable}
                if names:
                    yield Slip("unsafe", begin, begin, "not ", tuple(sorted(names - {"_"})))


def shows(text: Text, instance: Text, chance: random.Random) -> Iterator[Slip]:
    for statement in text.statements:
        if statement.ast_type is ASTType.ShowSignature and len(statement.name) > 3:
            begin = text.data.index(statement.name.encode(), text.span(statement)[0])
            name = statement.name
            yield Slip("show", begin, begin + len(name), misspelt(name, chance), (name,))


# Prolog


def with_slip(text: str, begin: int, end: int, by: str) -> tuple[int, int, str]:
    return len(text[:begin].encode()), len(text[:end].encode()), by


def in_prolog(source: Source, chance: random.Random) -> Iterator[Slip]:
    """Slips in a Prolog program. Where `right` is an id of a check, that check has to find something."""
    text = source.text

    def slip(kind: str, begin: int, end: int, by: str, *right: str) -> Slip:
        return Slip(kind, *with_slip(text, begin, end, by), right)

    several = {name for name, number in Counter(one.predicate for one in source.clauses).items() if number > 1}
    for clause in source.clauses:
        whole = source.of(clause)
        for goal in clause.goals:
            written = source.of(goal)
            if not written.startswith(goal.name):
                continue
            if len(goal.name) > 3:
                yield slip("predicate", goal.start, goal.start + len(goal.name), misspelt(goal.name, chance), goal.name)
            if goal.arity and written.endswith(")"):
                slashes = "//" if clause.kind == "grammar" else "/"
                yield slip("arity", goal.end - 1, goal.end - 1, ", _", f"{goal.name}{slashes}{goal.arity}")
        for found in re.finditer(r"\b[A-Z]\w*", whole):
            if len(re.findall(rf"\b{found[0]}\b", whole)) > 1:
                at = clause.start + found.start()
                yield slip("variable", at, at + len(found[0]), f"{found[0]}{chance.choice('abx')}", found[0])
        for found in re.finditer(r"(?<= )(is|#=)(?= )", whole):
            at = clause.start + found.start()
            yield slip("equation", at, at + len(found[0]), "=", found[0])
        if clause.body is not None and clause.kind == "clause":
            yield from _moved(source, clause, slip)
            yield slip("twice", clause.end + 1, clause.end + 1, f" {whole}.", "PL007")
        if clause.predicate in several and clause.predicate != source.clauses[-1].predicate:
            yield slip("apart", len(text), len(text), f"\n{whole}.\n", "PL005")
        for found in re.finditer(r"[)\](]|\.$", f"{whole}."):
            at = clause.start + found.start()
            yield slip("syntax", at, at + 1, "", "PL001")


def _moved(source: Source, clause: Clause, slip: Callable[..., Slip]) -> Iterator[Slip]:
    """A goal that evaluates, and a recursive goal, put first."""
    assert clause.body is not None
    begin, end = clause.body
    head = source.text[clause.start : begin]
    for goal in clause.goals[1:]:
        written = source.of(goal)
        others = source.text[begin : goal.start].rstrip().removesuffix(",")
        rest = source.text[goal.end : end]
        evaluated = re.split(r" is | =< | >= | < | > | =:= ", written)
        needed = set(re.findall(r"\b[A-Z]\w*", evaluated[-1] if " is " in written else written))
        if len(evaluated) > 1 and any(not re.search(rf"\b{name}\b", head) for name in needed):
            yield slip("order", begin, end, f"{written}, {others}{rest}", "PL009")
        if goal.predicate == clause.predicate and re.fullmatch(r"\w+\((?:[A-Z]\w*,? ?)+\) :-\s*", head):
            yield slip("recursion", begin, end, f"{written}, {others}{rest}", "PL008")


def prolog(number: int, chance: random.Random, misses: bool) -> None:
    """Measure the slips of Prolog programs."""
    slips: dict[str, list[tuple[str, Slip]]] = {}
    clean: dict[str, Lint] = {}
    alarms: Counter[str] = Counter()
    with Reader() as reader:
        for path in sorted(EXERCISES.glob("*.pl")):
            text = path.read_text(encoding="utf-8")
            clean[text] = lint_prolog([text], whole=True)
            alarms.update(one.id for one in clean[text].certain)
            for slip in in_prolog(reader.read(path.name, text), chance):
                slips.setdefault(slip.kind, []).append((text, slip))
    print(f"{len(clean)} Prolog programs without a slip: {alarms.total()} warnings {dict(alarms)}")
    tried: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for several in slips.values():
        chance.shuffle(several)
    while tried.total() < number and any(slips.values()):
        kind = chance.choice([kind for kind, several in slips.items() if several])
        text, slip = slips[kind].pop()
        data = text.encode()
        changed = (data[: slip.begin] + slip.by.encode() + data[slip.end :]).decode()
        after = lint_prolog([changed], whole=True)
        right = is_found(slip, clean[text], after)
        tried[kind] += 1
        found[kind] += bool(right)
        if not right and misses:
            line = data.count(b"\n", 0, slip.begin)
            ids = " ".join(f"{one.id}:{one.suggestion}" for one in after.findings)
            print(f"  {kind}: {changed.splitlines()[line]}   ({ids})")
    report(tried, found)


def report(number: Counter[str], found: Counter[str]) -> None:
    for kind in number:
        print(f"{kind:10} {found[kind]:4} of {number[kind]:4}")
    print(f"{'all':10} {found.total():4} of {number.total():4} ({found.total() / number.total():.0%})")


SLIPS: tuple[Callable[[Text, Text, random.Random], Iterator[Slip]], ...] = (
    predicates, constants, variables, arities, orders, tuples, unsafe, shows,
)  # fmt: skip


def instance_of(source: str) -> str:
    """The instance of a program with the most predicates."""
    found: list[str] = re.findall(r"^% instance: (.*)$", source, re.MULTILINE)
    return max(found, key=lambda one: (len(set(re.findall(r"\w+(?=\()", one))), len(one)))


def found_in(program: str, instance: str) -> Lint:
    return lint(bridge.program(program + "\n", instance + "\n"))


def is_found(slip: Slip, before: Lint, after: Lint) -> bool | None:
    """Whether a finding that is new suggests the right thing; None where the slip is not one: nothing is unsafe."""
    old = Counter((one.id, one.sentence, one.suggestion) for one in before.findings)
    new = [one for one in after.findings if not old[one.id, one.sentence, one.suggestion]]
    if slip.kind == "unsafe":
        unsafe = [one for one in new if one.id == "LP002"]
        return any(one.suggestion for one in unsafe) if unsafe else None
    if slip.right and slip.right[0].startswith("PL0"):
        return any(one.id == slip.right[0] for one in new)
    suggested = " ".join(one.suggestion or "" for one in new)
    # Of a name that stands in two places only, either may be the slip: the finding at one names the other.
    slipped = re.split(r"\W", slip.by)[0]
    suggested += "".join(f" {one.sentence}" for one in new if one.suggestion and one.suggestion.startswith(slipped))
    wanted = (re.escape(right).replace(r"\ ", " ?") for right in slip.right)
    return any(re.search(rf"(?<!\w){right}(?!\w)", suggested) is not None for right in wanted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=500)
    parser.add_argument("--prolog", type=int, default=200, help="Slips in Prolog programs.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--misses", action="store_true", help="Print the slips that are not found.")
    given = parser.parse_args()
    chance = random.Random(given.seed)
    slips: dict[str, list[tuple[Path, Slip]]] = {}
    clean: dict[Path, Lint] = {}
    for path in sorted(EXERCISES.glob("*.lp")):
        source = path.read_text(encoding="utf-8")
        instance = instance_of(source)
        text = Text(source)
        clean[path] = found_in(source, instance)
        every = Text("\n".join(re.findall(r"^% instance: (.*)$", source, re.MULTILINE)))
        for make in SLIPS:
            for slip in make(text, every, chance):
                slips.setdefault(slip.kind, []).append((path, slip))
    alarms = Counter(one.id for each in clean.values() for one in each.certain)
    print(f"{len(clean)} programs without a slip: {alarms.total()} warnings {dict(alarms)}")
    number: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for several in slips.values():
        chance.shuffle(several)
    while number.total() < given.number and any(slips.values()):
        kind = chance.choice([kind for kind, several in slips.items() if several])
        path, slip = slips[kind].pop()
        source = path.read_text(encoding="utf-8")
        data = source.encode()
        changed = (data[: slip.begin] + slip.by.encode() + data[slip.end :]).decode()
        instance = instance_of(source)
        try:
            after = found_in(changed, instance)
        except BridgeError as error:
            print(f"{path.name}: {error}")
            continue
        right = is_found(slip, clean[path], after)
        if right is None:
            continue
        number[kind] += 1
        found[kind] += right
        if not right and given.misses:
            line = data.count(b"\n", 0, slip.begin)
            ids = " ".join(f"{one.id}:{one.suggestion}" for one in after.findings)
            print(f"  {kind}: {path.name}: {changed.splitlines()[line]}   ({ids})")
    report(number, found)
    prolog(given.prolog, random.Random(given.seed), given.misses)


if __name__ == "__main__":
    main()
