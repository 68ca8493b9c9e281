"""What a search costs, and which constraints take part in its conflicts.

Of each conflict clasp learns a lemma, and can write it down over the atoms of the program: `--lemma-out`, which only
the application `clingo` has. So each constraint gets a literal `not lpbridge_off(N)`, which is assumed: where the
constraint was used to derive a lemma, the literal is in it.

A ground constraint with one literal beside its switch (`:- #count { ... } < 2` for a day) settles that literal before
the search begins: lemmas have the literal in place of the switch, and it counts as the switch.

That is approximate. The program is searched with these atoms, not as it is. What follows from such literals before the
search begins is in no lemma. And lemmas are of different use, but each counts as one.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice, takewhile
from math import isfinite
from time import perf_counter
from typing import Any, Literal

import clingo
from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp import internals
from bridge.asp.reading import TEXT, Messages, Source, SourceText, atom_of, check, is_constraint, number_of, read_file
from bridge.errors import Place
from bridge.isolation import Watch
from bridge.limits import LEAST, Limits
from bridge.profiling.by_rule import load_changed, only_facts, shown_statement
from bridge.profiling.grounding_profile import ConstraintProfile, Result, SearchProfile

#: The predicate of the atoms that switch constraints off; it is not a name of a program's own.
OFF = "lpbridge_off"

#: The share of the time for the search; the rest is for reading its lemmas.
SEARCHING = 0.8

#: Ground constraints and atoms that are looked at for settled literals.
SETTLED = 300_000

#: Lemmas that are written down.
LEMMAS = 20_000

#: Between two literals of a lemma; also in a string, whose parts are no literals that stand for a constraint.
_BETWEEN = re.compile(r", (?=(?:not )?-?[_']*[a-z])")

#: What is read of clasp's statistics: the path, and the name here.
NUMBERS = {
    "choices": ("solving", "solvers", "choices"),
    "conflicts": ("solving", "solvers", "conflicts"),
    "restarts": ("solving", "solvers", "restarts"),
    "lemmas": ("solving", "solvers", "extra", "lemmas"),
    "atoms": ("problem", "lp", "atoms"),
    "bodies": ("problem", "lp", "bodies"),
    "rules": ("problem", "lp", "rules"),
    "equal": ("problem", "lp", "eqs"),
    "variables": ("problem", "generator", "vars"),
    "eliminated": ("problem", "generator", "vars_eliminated"),
    "constraints": ("problem", "generator", "constraints"),
    "binary": ("problem", "generator", "constraints_binary"),
    "ternary": ("problem", "generator", "constraints_ternary"),
}


def search(sources: Sequence[Source], options: Sequence[str], lemmas: bool, limits: Limits) -> SearchProfile:
    """Ground and solve a program up to its first answer set, or the best one; without `lemmas`, none are looked at."""
    searching = _Search(sources, lemmas, limits)
    number, found = 0, Counter[int]()
    arguments = ["--stats=2", *options]
    if lemmas:
        with tempfile.TemporaryDirectory(prefix="lpbridge-") as folder:
            file = os.path.join(folder, "lemmas")
            arguments += ["--outf=3", f"--lemma-out={file}", "--lemma-out-txt", "--lemma-out-dom=input"]
            arguments += [f"--lemma-out-max={LEMMAS}"]
            with internals.logging():
                clingo.clingo_main(searching, arguments)
            if os.path.exists(file):
                number, found = _read(file, searching.literals)
    else:
        searching.main(searching.messages.control(arguments), ())
    if searching.error is not None:
        raise searching.error
    if searching.answer is None:
        raise searching.messages.error("the program cannot be solved")
    own = [ConstraintProfile(place, text, found[at]) for at, (place, text) in enumerate(searching.constraints)]
    return replace(searching.answer, lemmas=number, constraints=tuple(sorted(own, key=lambda one: -one.lemmas)))


def _read(file: str, literals: Mapping[str, int]) -> tuple[int, Counter[int]]:
    """The number of lemmas, and in how many of them each constraint is, by the literals that stand for one."""
    lemmas, found = 0, Counter[int]()
    with open(file, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith(":-"):
                lemmas += 1
                parts = _BETWEEN.split(line[3:].partition("%lbd")[0].rstrip(" .\n"))
                found.update({literals[one] for one in parts if one in literals})
    return lemmas, found


class _Constraints(clingo.Observer):
    """The ground constraints of two literals, and the rules of one, such as gringo's for `works(ann,D,_)`."""

    def __init__(self) -> None:
        self.pairs: list[tuple[int, int]] = []
        self.rules: dict[int, list[int]] = {}

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        if len(self.pairs) == SETTLED or len(self.rules) == SETTLED or choice:
            return
        if len(body) == 2 and not head:
            self.pairs.append((body[0], body[1]))
        elif len(body) == 1 and len(head) == 1:
            self.rules.setdefault(head[0], []).append(body[0])


class _Search(clingo.Application):
    program_name = "lpbridge"

    def __init__(self, sources: Sequence[Source], switched: bool, limits: Limits) -> None:
        self._sources, self._switched, self._limits = sources, switched, limits
        self.messages = Messages()
        self.constraints: list[tuple[Place, str]] = []
        self.literals: dict[str, int] = {}  # those that stand for a constraint, as lemmas have them
        self.answer: SearchProfile | None = None
        self.error: Exception | None = None

    def logger(self, code: clingo.MessageCode, message: str) -> None:
        self.messages.log(code, message)

    def main(self, control: clingo.Control, files: Sequence[str]) -> None:
        try:
            with internals.logging():
                self._solve(control)
        except Exception as error:  # clingo would print it
            self.error = self.messages.error(str(error)) if isinstance(error, RuntimeError) else error

    def _loaded(self, control: clingo.Control, more: str = "") -> None:
        """Ground the program with its switches."""
        for kind, source in self._sources:
            self._load(control, kind, source)
        if self.constraints:
            more += f"{{ {OFF}(0..{len(self.constraints) - 1}) }}."
        control.add("base", [], more)
        control.ground([("base", [])])

    def _solve(self, control: clingo.Control) -> None:
        began, constraints = perf_counter(), _Constraints()
        if self._switched:
            control.register_observer(constraints)
        self._loaded(control)
        ground = perf_counter()
        switches = {one.literal: one.symbol.arguments[0].number for one in control.symbolic_atoms.by_signature(OFF, 1)}
        assumed = [-literal for literal in switches]
        self._settle(control, {-literal: number for literal, number in switches.items()}, constraints)
        left = None if self._limits.seconds is None else max(self._limits.seconds - (ground - began), LEAST)
        if left is not None and self._switched:
            left *= SEARCHING
        result = _ended(control, assumed, left)
        ended = perf_counter()
        complete = result.exhausted or bool(result.satisfiable and not result.interrupted)
        verdict: Result = "unknown" if not complete else "sat" if result.satisfiable else "unsat"
        statistics: Any = control.statistics
        numbers = {name: int(_at(statistics, path)) for name, path in NUMBERS.items()}
        costs, lower = (_whole(statistics["summary"][name]) for name in ("costs", "lower"))
        self.answer = SearchProfile(verdict, ground - began, ended - ground, numbers, costs, lower)

    def _settle(self, control: clingo.Control, switches: Mapping[int, int], constraints: _Constraints) -> None:
        """Note the switches, and the literals that a constraint makes true by itself."""
        for number in switches.values():
            self.literals |= {f"{OFF}({number})": number, f"not {OFF}({number})": number}
        settled = {
            -other: switches[switch]
            for pair in constraints.pairs
            for switch, other in (pair, pair[::-1])
            if switch in switches and other not in switches
        }
        for literal, number in list(settled.items()):  # where a head is false, so is a body that is one literal
            settled.update(dict.fromkeys((-one for one in constraints.rules.get(-literal, ())), number))
        named = {} if not settled else {
            one.literal: str(one.symbol)
            for one in islice(control.symbolic_atoms, SETTLED)
            if one.literal in settled or -one.literal in settled
        }  # fmt: skip
        for literal, number in settled.items():
            name = named.get(abs(literal), f"__atom({abs(literal)})")
            self.literals[name if literal > 0 else f"not {name}"] = number

    def _load(self, control: clingo.Control, kind: Literal["file", "text"], source: str) -> None:
        text = source if kind == "text" else read_file(source)
        check(text, TEXT if kind == "text" else source)
        if not self._switched or only_facts(text) is not None:
            self.messages.load(control, kind, source, ("base", ()))
            return
        load_changed(self.messages, control, kind, source, text, self._with_switch)

    def _with_switch(self, statement: AST, texts: SourceText) -> AST:
        if statement.ast_type is not ASTType.Rule or not is_constraint(statement):
            return statement
        number = number_of(statement.location, len(self.constraints))
        self.constraints.append(shown_statement(statement, texts))
        switch = atom_of(statement.location, OFF, [number], ast.Sign.Negation)
        return statement.update(body=[*statement.body, switch])


def _ended(control: clingo.Control, assumed: Sequence[int], seconds: float | None) -> internals.Ended:
    """How a search of so many seconds ends."""
    with Watch(control.interrupt, seconds) as watch, watch.armed():
        return internals.ended(control.solve(assumptions=assumed))


def _whole(numbers: Sequence[float]) -> tuple[int, ...]:
    """Numbers up to the first that is not known yet."""
    return tuple(int(one) for one in takewhile(isfinite, numbers))


def _at(tree: Any, path: Sequence[str]) -> float:
    for name in path:
        tree = tree[name]
    return float(tree)
