"""What a search costs, and which constraints take part in its conflicts.

Of each conflict clasp learns a lemma, and can write it down over the atoms of the program: `--lemma-out`, which only
the application `clingo` has. So each constraint gets a literal `not lpbridge_off(N)`, which is assumed: where the
constraint was used to derive a lemma, the literal is in it.

That is approximate. The program is searched with these atoms, not as it is. A constraint whose effect is settled before
the search begins, as one literal, is in no lemma. And lemmas are of different use, but each counts as one.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from math import isfinite
from time import perf_counter
from typing import Any, Literal

import clingo
from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp import _cffi
from bridge.asp.by_rule import LONGEST, only_facts
from bridge.asp.messages import Messages
from bridge.asp.parsed import SourceText
from bridge.asp.source import TEXT, check, read_file
from bridge.asp.trees import is_constraint
from bridge.asp.types import Source
from bridge.isolation.watchdog import Watch
from bridge.limits import LEAST, Limits

#: The predicate of the atoms that switch constraints off; it is not a name of a program's own.
OFF = "lpbridge_off"

#: Lemmas that are written down.
LEMMAS = 20_000

_LITERAL = re.compile(r"(?:^:- |, )(?:not )?(-?_*[a-z][\w']*)(?:\((\d+)\))?")

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


def search(sources: Sequence[Source], options: Sequence[str], lemmas: bool, limits: Limits) -> list[Any]:
    """Ground and solve a program up to its first answer set, or the best one.

    Returns
    -------
    The result (`sat`, `unsat` or `unknown`), the seconds of grounding and of solving, `NUMBERS`, the costs, their lower
    bounds; with `lemmas` how many there are, those that each constraint is in (file, line, column, text and number),
    and each predicate.

    Raises
    ------
    ProgramError
        When the program cannot be ground.
    """
    searching, found = _Search(sources, lemmas, limits), Counter[str]()
    arguments = ["--stats=2", *options]
    if lemmas:
        with tempfile.TemporaryDirectory(prefix="lpbridge-") as folder:
            file = os.path.join(folder, "lemmas")
            arguments += ["--outf=3", f"--lemma-out={file}", "--lemma-out-txt", "--lemma-out-dom=input"]
            arguments += [f"--lemma-out-max={LEMMAS}"]
            with _cffi.logging():
                clingo.clingo_main(searching, arguments)
            if os.path.exists(file):
                found = _read(file)
    else:
        try:
            with _cffi.logging():
                control = clingo.Control(arguments, logger=searching.messages.log, message_limit=10_000)
        except RuntimeError as error:
            raise searching.messages.error(str(error)) from None
        searching.main(control, ())
    if searching.error is not None:
        raise searching.error
    if searching.answer is None:
        raise searching.messages.error("the program cannot be solved")
    own = [[*place, found[f"{OFF}({number})"]] for number, place in enumerate(searching.constraints)]
    names = {name: number for name, number in found.items() if name and "(" not in name and name != OFF}
    return [*searching.answer, found[""], own, names]


def _read(file: str) -> Counter[str]:
    """How many lemmas each predicate is in, and each switch; the empty name counts all."""
    found = Counter[str]()
    with open(file, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith(":-"):
                literals = {f"{OFF}({number})" if name == OFF else name for name, number in _LITERAL.findall(line)}
                found.update(("", *(name for name in literals if name != "__atom")))
    return found


class _Search(clingo.Application):
    program_name = "lpbridge"

    def __init__(self, sources: Sequence[Source], switched: bool, limits: Limits) -> None:
        self._sources, self._switched, self._limits = sources, switched, limits
        self.messages = Messages()
        self.constraints: list[list[Any]] = []
        self.answer: list[Any] | None = None
        self.error: Exception | None = None

    def logger(self, code: clingo.MessageCode, message: str) -> None:
        self.messages.log(code, message)

    def main(self, control: clingo.Control, files: Sequence[str]) -> None:
        try:
            with _cffi.logging():
                self._solve(control)
        except Exception as error:  # clingo would print it
            self.error = self.messages.error(str(error)) if isinstance(error, RuntimeError) else error

    def _solve(self, control: clingo.Control) -> None:
        began = perf_counter()
        for kind, source in self._sources:
            self._load(control, kind, source)
        if self.constraints:
            control.add("base", [], f"{{ {OFF}(0..{len(self.constraints) - 1}) }}.")
        control.ground([("base", [])])
        ground = perf_counter()
        assumed = [-atom.literal for atom in control.symbolic_atoms.by_signature(OFF, 1)]
        left = None if self._limits.seconds is None else max(self._limits.seconds - (ground - began), LEAST)
        with Watch(control.interrupt, left) as watch:
            watch.arm()
            result = _cffi.ended(control.solve(assumptions=assumed))
            watch.disarm()
        ended = perf_counter()
        complete = result.exhausted or bool(result.satisfiable and not result.interrupted)
        verdict = "unknown" if not complete else "sat" if result.satisfiable else "unsat"
        statistics: Any = control.statistics
        numbers = {name: int(_at(statistics, path)) for name, path in NUMBERS.items()}
        costs, lower = (_whole(statistics["summary"][name]) for name in ("costs", "lower"))
        self.answer = [verdict, ground - began, ended - ground, numbers, costs, lower]

    def _load(self, control: clingo.Control, kind: Literal["file", "text"], source: str) -> None:
        text = source if kind == "text" else read_file(source)
        check(text, TEXT if kind == "text" else source)
        if not self._switched or only_facts(text) is not None:
            self.messages.load(control, kind, source, ("base", ()))
            return
        texts = SourceText(text)
        with ast.ProgramBuilder(control) as builder:

            def take(statement: AST) -> None:
                builder.add(self._with_switch(statement, texts))

            if kind == "file":
                ast.parse_files([source], take, control, self.messages.log)
            else:
                ast.parse_string(text, take, control, self.messages.log)

    def _with_switch(self, statement: AST, texts: SourceText) -> AST:
        if statement.ast_type is not ASTType.Rule or not is_constraint(statement):
            return statement
        begin, shown = statement.location.begin, " ".join(texts.of(statement).split())
        file = TEXT if begin.filename == "<string>" else begin.filename
        number = ast.SymbolicTerm(statement.location, clingo.Number(len(self.constraints)))
        self.constraints.append([file, begin.line, begin.column, shown[:LONGEST]])
        atom = ast.SymbolicAtom(ast.Function(statement.location, OFF, [number], False))
        return statement.update(body=[*statement.body, ast.Literal(statement.location, ast.Sign.Negation, atom)])


def _whole(numbers: Sequence[float]) -> list[int]:
    """Numbers up to the first that is not known yet."""
    return [int(one) for one in takewhile(isfinite, numbers)]


def _at(tree: Any, path: Sequence[str]) -> float:
    for name in path:
        tree = tree[name]
    return float(tree)
