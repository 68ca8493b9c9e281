"""`python -m benchmarks.size FOLDER...`: is the wrong line of a large program named?

The programs are public ones, in folders: files of 60 lines of code and 20 rules and more that have no script, and of
which clingo finds an answer in ten seconds, alone or with facts beside them; at most two of a folder. A fault is put
into each by chance (as in `benchmarks.debug`), such that the answers change. The right program is the reference, once
as it is and once written otherwise: its own predicates and variables are renamed, its statements and bodies are in
another order. Told are whether the faulty statement is among the first three, whether it is the first, and whether a
repair was proved on the instance.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from clingo.ast import AST, ASTType, Transformer

from benchmarks.debug import _injected
from benchmarks.measure import machine
from bridge.asp.program import Program
from bridge.asp.text import Text
from bridge.comparison.compare import compare
from bridge.debugging.cases import joined_text
from bridge.debugging.debug import debug
from bridge.errors import BridgeError
from bridge.limits import Limits
from bridge.problem.asp import AspProblem

PAGE = Path(__file__).parent / "results" / "size.md"

#: Lines of code of the smallest program.
LEAST = 60

#: And rules.
RULES = 20

_SUFFIXES = (".lp", ".asp", ".cl")

_COMMENT = re.compile(r"%\*.*?\*%|%[^\n]*", re.DOTALL)


@dataclass(frozen=True)
class Large:
    """A wrong program."""

    path: Path
    text: str
    reference: str
    sort: str
    line: int | None  #: None where a whole rule was left out.
    show: tuple[str, ...]
    facts: tuple[str, ...]


@dataclass(frozen=True)
class Tried:
    """What came of it."""

    of: Large
    named: bool
    first: bool
    repaired: bool
    seconds: float
    why: str


def programs(folders: Sequence[Path], least: int) -> Iterator[tuple[Path, str, tuple[str, ...]]]:
    """Programs that run alone, or with facts of a file that stands with them; and these facts."""
    several = Counter[Path]()
    for path in sorted(one for folder in folders for one in folder.rglob("*") if one.suffix in _SUFFIXES):
        if not path.is_file() or path.stat().st_size > 60_000 or several[path.parent] == 2:
            continue
        text = joined_text([path])
        code = [line for line in _COMMENT.sub("", text).split("\n") if line.strip()]
        try:
            rules = len(AspProblem(text).outline.statements)
        except BridgeError:
            continue
        if len(code) < least or rules < RULES or re.search(r"#(script|program|theory|external)|&\w", text):
            continue
        for facts in ((), *((joined_text([one]),) for one in _facts(path))):
            if _answers(text, facts):
                several[path.parent] += 1
                yield path, text, facts
                break


def _answers(text: str, facts: tuple[str, ...]) -> bool:
    """Whether clingo has an answer soon that is not empty."""
    try:
        with Program(text, *facts, limits=Limits(seconds=10)) as program:
            found = program.models(limits=Limits(seconds=10, solutions=1)).collect()
            return bool(found.solutions and found.solutions[0])
    except BridgeError:
        return False


def _facts(path: Path) -> list[Path]:
    """Files of facts beside a program, in folders there, and in those beside its own: the smallest ones first."""
    found = []
    for one in {*path.parent.rglob("*"), *path.parent.parent.glob("*/*")}:
        if one.suffix in _SUFFIXES and one.is_file() and one != path and one.stat().st_size < 100_000:
            try:
                outline = AspProblem(one).outline
            except BridgeError:
                continue
            if not outline.statements and outline.facts:
                found.append(one)
    return sorted(found, key=lambda one: (one.stat().st_size, one))[:8]


def shown(text: str) -> set[tuple[str, int]]:
    """The predicates of an answer: those that are shown; or are chosen, or that no other rule reads."""
    outline = AspProblem(text).outline
    heads = {one for statement in outline.statements for one in statement.heads}
    chosen = {one for statement in outline.statements if statement.kind == "choice" for one in statement.heads}
    read = {one for statement in outline.statements for one in statement.body - statement.heads}
    return heads & outline.shown if outline.shown else chosen | (heads - read)


def wrong(path: Path, text: str, facts: tuple[str, ...], dice: random.Random, number: int) -> Iterator[Large]:
    """Programs with one fault each, by which the answers change."""
    seen, show = {text}, tuple(f"{name}/{arity}" for name, arity in sorted(shown(text)))
    for _ in range(40):
        made = _injected(dice, text, facts, 1)
        if made is None or made[0] in seen:
            continue
        seen.add(made[0])
        try:
            few = Limits(seconds=10, solutions=200)
            pair = AspProblem(made[0]), AspProblem(text)
            found = compare(*pair, instances=facts or None, show=",".join(show), deadline=20, limits=few)
        except BridgeError:
            continue
        if found.difference is not None:
            yield Large(path, made[0], text, made[1][0], next(iter(made[2]), None), show, facts)
            number -= 1
        if not number:
            return


class _Otherwise(Transformer):
    """The same program in other words: predicates that rules derive and nothing shows, and variables, are renamed."""

    def __init__(self, own: dict[tuple[str, int], str]) -> None:
        self._own = own

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


def otherwise(text: str, kept: frozenset[tuple[str, int]], dice: random.Random) -> str:
    """A program written otherwise: of the predicates only those that are kept have their names."""
    parsed = Text(text)
    outline = AspProblem(text).outline
    own = {one for statement in outline.statements for one in statement.heads} - kept
    written = _Otherwise({(name, arity): f"own_{name}" for name, arity in own})
    lines = []
    for one in parsed.statements:
        if one.ast_type is ASTType.Program:
            continue
        changed = written.visit(one)
        if one.ast_type is ASTType.Rule:
            body = list(changed.body)
            dice.shuffle(body)
            changed = changed.update(body=body)
        lines.append(str(changed))
    dice.shuffle(lines)
    return "\n".join(lines) + "\n"


def tried(of: Large, reference: str, seconds: float) -> Tried:
    """What `debug` says."""
    begun = perf_counter()
    try:
        limits = Limits(seconds=seconds)
        found = debug(of.text, against=reference, instances=of.facts or None, show=of.show, limits=limits)
    except BridgeError as error:
        return Tried(of, False, False, False, perf_counter() - begun, str(error).split("\n")[0])
    lines = [one.place.line for one in found.suspects]
    repaired = found.repair is not None
    named = of.line in lines if of.line is not None else repaired
    first = lines[:1] == [of.line] if of.line is not None else repaired
    return Tried(of, named, first, repaired, perf_counter() - begun, "" if named else f"suspects in lines {lines}")


def line(title: str, some: Sequence[Tried]) -> str:
    """A row of the table."""

    def share(of: Sequence[bool]) -> str:
        return f"{sum(of)} ({100 * sum(of) / max(len(of), 1):.0f} %)"

    shares = " | ".join(share([getattr(one, what) for one in some]) for what in ("named", "first", "repaired"))
    median = statistics.median(one.seconds for one in some) if some else 0.0
    return f"| {title} | {len(some)} | {shares} | {median:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.size", description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--number", type=int, default=1, help="faults of each program (1)")
    parser.add_argument("--least", type=int, default=LEAST, help=f"lines of code, at least ({LEAST})")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-t", "--seconds", type=float, default=60.0, help="for each (60)")
    parser.add_argument("--same", action="store_true", help="only with the reference as it is")
    parser.add_argument("--save", action="store_true", help="write the page of results")
    given = parser.parse_args()
    as_it_is: list[Tried] = []
    other: list[Tried] = []
    count = 0
    for path, text, facts in programs(given.folders, given.least):
        count += 1
        dice = random.Random(given.seed)
        for one in wrong(path, text, facts, dice, given.number):
            kept = shown(text) | AspProblem(text).outline.given
            as_it_is.append(tried(one, one.reference, given.seconds))
            if not given.same:
                other.append(tried(one, otherwise(text, frozenset(kept), dice), given.seconds))
            for what, found in (("same", as_it_is), ("otherwise", other)):
                if found and found[-1].of is one:
                    last = found[-1]
                    print(path, one.sort, one.line, what, *(
                        word for word in ("named", "first", "repaired") if getattr(last, word)
                    ), f"{last.seconds:.1f} s", last.why, flush=True)
    lines = ["# Large programs: is the wrong line named?", ""]
    command = f"python -m benchmarks.size FOLDER... -t {given.seconds:.0f} --save"
    lines += [f"`{command}`: {count} public programs. {machine()}", ""]
    lines += ["| reference | faults | named among three | named first | repaired | median s |"]
    lines += ["|---|--:|--:|--:|--:|--:|"]
    lines += [line("the same text", as_it_is)] + ([line("written otherwise", other)] if other else [])
    missed = [one for one in (*as_it_is, *other) if not one.named]
    lines += ["", "Not named:", "", *(f"- {one.of.path.name}, {one.of.sort}: {one.why}" for one in missed)]
    page = "\n".join(lines) + "\n"
    print(page)
    if given.save:
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
