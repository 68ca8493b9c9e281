"""How many slips of the pen does `lint` find, with the right suggestion?

    python -m benchmarks.lint [--number 500] [--misses]

A slip is put into a program of `benchmarks/exercises`, at random with a fixed seed, and `lint` reads it together with
the richest instance of the program. It is found where a new finding suggests what stood there before. Findings that the
program had without the slip do not count; how many these are is printed, too.
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
from bridge.asp.edits import Text, atoms, nodes
from bridge.errors import BridgeError
from bridge.linting.lint import Lint, lint

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
    suggested = " ".join(one.suggestion or "" for one in new)
    # Of a name that stands in two places only, either may be the slip: the finding at one names the other.
    slipped = re.split(r"\W", slip.by)[0]
    suggested += "".join(f" {one.sentence}" for one in new if one.suggestion and one.suggestion.startswith(slipped))
    wanted = (re.escape(right).replace(r"\ ", " ?") for right in slip.right)
    return any(re.search(rf"(?<!\w){right}(?!\w)", suggested) is not None for right in wanted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=500)
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
    for kind in number:
        print(f"{kind:10} {found[kind]:4} of {number[kind]:4}")
    print(f"{'all':10} {found.total():4} of {number.total():4} ({found.total() / number.total():.0%})")


if __name__ == "__main__":
    main()
