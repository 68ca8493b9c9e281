"""Random small `.lp` programs through `asp.Program`, here and in a process of its own, and through a plain Control.

The reference enumerates all answer sets once; consequences, optima, counts and cores follow from these by definition.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import clingo

from bridge.asp import Program
from bridge.errors import InputError, UnsupportedError
from bridge.outcome import Verdict
from fuzz.campaign import Campaign, Case, Skipped, Tally, demand, expect

#: Answer sets, beyond which a program is skipped.
MOST_MODELS = 500

CHECKS = ("models", "projected", "count", "count all", "brave", "cautious", "optimal", "core", "first", "verdict")

#: What may get an odd name, such as one that begins with `_`.
ODD = "pqrtsuefk"

Model = tuple[str, ...]

#: By the number of answer sets that show different things.
_VERDICTS = (Verdict.IMPOSSIBLE, Verdict.UNIQUE, Verdict.AMBIGUOUS)

_ATOM = re.compile(r'(?:[^\s"]|"(?:[^"\\]|\\.)*")+')


class AspPrograms(Campaign):
    """Facts, choices, negation, disjunction, aggregates, optimisation, externals and assumptions."""

    name = "asp"
    weight = 1.0
    round = 15

    def make(self, chance: Random) -> Case:
        statements = [f"d(1..{chance.randint(1, 3)})."]
        makers = [statement] * 6 + [assigning]
        statements += [chance.choice(makers)(chance) for _ in range(chance.randint(1, 8))]
        if chance.random() < 0.35:
            statements += [minimize(chance) for _ in range(chance.randint(1, 2))]
        if chance.random() < 0.5:
            statements += [show(chance) for _ in range(chance.randint(1, 3))]
        if chance.random() < 0.1:  # a constant and a string of one text
            alike = ['{ p(c); p("c") }.', 'p(c). p("c").', '{ u("c", X) : d(X) } 1. u(c, 1) :- s.']
            statements.append(chance.choice(alike))
        if chance.random() < 0.15:
            statements += [f"#const k = {chance.randint(0, 3)}.", "p(k)."]
        externals: list[list[Any]] = []
        if chance.random() < 0.35:
            statements.append(
                chance.choice(["#external e(X) : d(X).", "#external e(1). [free]", "#external e(2). [true]"])
            )
            statements.append(chance.choice(["p(X) :- e(X).", ":- e(X), q(X).", "s :- not e(1)."]))
            said = [f"e({n})" for n in range(1, 4)]
            externals = [
                [atom, chance.choice([True, False, None, "release"])] for atom in said if chance.random() < 0.6
            ]
        assuming = []
        if chance.random() < 0.6:
            number = chance.randint(1, 5)
            assuming = [chance.choice(["", "", "not "]) + _ground_atom(chance) for _ in range(number)]
        if chance.random() < 0.15:
            statements.append(chance.choice(["#project p/1.", "#project s.", "#project q(X) : d(X)."]))
        if chance.random() < 0.3:
            odd = {name: chance.choice(["_{}", "_{}", "__{}", "{}'", "_'{}"]).format(name) for name in ODD}
            odd = {name: odd[name] for name in chance.sample(ODD, chance.randint(1, 4))}
            statements, assuming = _renamed(statements, odd), _renamed(assuming, odd)
            externals = [[*_renamed([atom], odd), value] for atom, value in externals]
        checks = chance.sample(CHECKS, chance.randint(2, 5))
        return {
            "statements": statements, "externals": externals, "assuming": assuming, "checks": checks,
            "isolated": chance.random() < 0.25,
        }  # fmt: skip

    def check(self, case: Case, tally: Tally) -> None:
        reference = _Reference(case)
        tally["answer sets"] += len(reference.models)
        text = "\n".join(case["statements"]) + "\n"
        with Program(text, isolated=case["isolated"]) as program:
            program.ground()
            for atom, value in case["externals"]:
                refused = False
                try:
                    if value == "release":
                        program.release_external(atom)
                    else:
                        program.assign_external(atom, value)
                except InputError:
                    refused = True
                expect("external", atom not in reference.externals, refused, f"whether {atom} is refused")
            for check in case["checks"]:
                tally[check] += 1
                try:
                    _check(check, program, case["assuming"], reference)
                except UnsupportedError as error:
                    demand(check, "#project" in text and "_" in text, str(error))
        tally["isolated" if case["isolated"] else "in process"] += 1

    def smaller(self, case: Case) -> Iterator[Case]:
        if len(case["checks"]) > 1:
            yield from ({**case, "checks": [check]} for check in case["checks"])
        if case["isolated"]:
            yield {**case, "isolated": False}
        for name in ("assuming", "externals", "statements"):
            for index in range(len(case[name])):
                yield {**case, name: case[name][:index] + case[name][index + 1 :]}


class _Reference:
    """All answer sets under the assumptions, by a Control of its own: the shown atoms and the cost of each."""

    def __init__(self, case: Case) -> None:
        self._case = case
        #: Those of the atoms to be set that are external in the ground program.
        self.externals: set[str] = set()
        self.models: list[tuple[Model, tuple[int, ...]]] = self._enumerated(case["assuming"])
        self.shown = Counter(shown for shown, _ in self.models)

    def _enumerated(self, assuming: list[str]) -> list[tuple[Model, tuple[int, ...]]]:
        control = clingo.Control(["0", "--opt-mode=enum"], logger=lambda code, message: None)
        control.add("base", [], "\n".join(self._case["statements"]))
        control.ground([("base", [])])
        for atom, value in self._case["externals"]:
            symbol = clingo.parse_term(atom)
            known = control.symbolic_atoms[symbol]
            if known is None or not known.is_external:
                continue
            self.externals.add(atom)
            if value == "release":
                control.release_external(symbol)
            else:
                control.assign_external(symbol, value)
        assumed = [(clingo.parse_term(one.removeprefix("not ")), not one.startswith("not ")) for one in assuming]
        found: list[tuple[Model, tuple[int, ...]]] = []
        for symbol, holds in assumed:
            # clingo does not heed an assumption on an atom that no rule defines, which gringo gives the literal 0.
            if holds and ((atom := control.symbolic_atoms[symbol]) is None or atom.literal == 0):
                return found
        with control.solve(yield_=True, assumptions=assumed) as handle:
            for model in handle:
                found.append((tuple(sorted(map(str, model.symbols(shown=True)))), tuple(model.cost)))
                if len(found) > MOST_MODELS:
                    raise Skipped
        return found

    def satisfiable(self, assuming: list[str]) -> bool:
        return bool(self._enumerated(assuming))


def _check(check: str, program: Program, assuming: list[str], reference: _Reference) -> None:
    sets = [set(shown) for shown in reference.shown]
    if check == "models":
        outcome = program.models(assuming=assuming).collect()
        expect(check, reference.shown, Counter(map(shown_of, outcome.solutions)))
        expect(check, (True, None), (outcome.complete, outcome.limit), "complete, limit")
    elif check == "projected":
        outcome = program.models(assuming=assuming, project="show").collect()
        expect(check, dict.fromkeys(reference.shown, 1), dict(Counter(map(shown_of, outcome.solutions))))
    elif check in ("count", "count all"):
        number = len(reference.shown) if check == "count" else len(reference.models)
        counted = program.count(assuming=assuming, project="show" if check == "count" else False)
        expect(check, (number, True), (counted.number, counted.complete))
    elif check in ("brave", "cautious"):
        outcome = (program.brave if check == "brave" else program.cautious)(assuming=assuming)
        together = set[str].union if check == "brave" else set[str].intersection
        expected = [tuple(sorted(together(*sets)))] if sets else []
        expect(check, (expected, True), ([shown_of(model) for model in outcome.solutions], outcome.complete))
    elif check == "optimal":
        outcome = program.optimal(assuming=assuming)
        least = min((cost for _, cost in reference.models), default=())
        expected_models = Counter((shown, cost) for shown, cost in reference.models if cost == least)
        expect(check, expected_models, Counter((shown_of(model), tuple(model.cost)) for model in outcome.solutions))
        expect(check, True, outcome.complete, "complete")
    elif check == "verdict":
        if not assuming:
            # Of a program with externals, as they are assigned.
            verdict = program.diagnose(optimal=False).verdict
            expect(check, _VERDICTS[min(len(reference.shown), 2)], verdict)
    elif check == "first":
        first = program.first(assuming=assuming)
        expect(check, bool(reference.models), first is not None, "whether there is one")
        demand(check, first is None or shown_of(first) in reference.shown, f"{first} is not an answer set")
    else:
        solved = program.solve(assuming=assuming)
        expect(check, bool(reference.models), solved.satisfiable, "satisfiable")
        core = list(map(str, solved.core))
        demand(check, set(core) <= set(assuming), f"{core} is not assumed")
        demand(check, solved.satisfiable is True or not reference.satisfiable(core), f"{core} is not a core")


def shown_of(model: Any) -> Model:
    """The atoms as clingo writes them, which has no blanks in an atom but between quotes."""
    return tuple(sorted(_ATOM.findall(str(model))))


def _renamed(texts: list[str], names: dict[str, str]) -> list[str]:
    """Texts with other names."""
    name = re.compile(rf"(?<![\w'#@])({'|'.join(names)})(?![\w'])")
    return [name.sub(lambda found: names[found[1]], text) for text in texts]


# Statements.

UNARY, BINARY, PLAIN = ("p", "q", "t"), ("r",), ("s", "u")


def _atom(chance: Random, variables: str) -> str:
    """An atom over some variables and small constants."""

    terms = [*variables, *variables, "1", "2", "3", f"{variables[0]}+1" if variables else "2"]

    def term() -> str:
        return str(chance.choice(terms))

    kind = chance.random()
    if kind < 0.2:
        return chance.choice(PLAIN)
    if kind < 0.4:
        return f"{BINARY[0]}({term()},{term()})"
    return f"{'-' if kind > 0.95 else ''}{chance.choice(UNARY)}({term()})"


def _ground_atom(chance: Random) -> str:
    return _atom(chance, "")


def _body(chance: Random, variables: str) -> str:
    literals = [f"d({variable})" for variable in variables]
    signs = ["", "", "not ", "not ", "not not "]
    number = chance.randint(0 if literals else 1, 2)
    literals += [chance.choice(signs) + _atom(chance, variables) for _ in range(number)]
    if variables and chance.random() < 0.2:
        literals.append(f"{variables[0]} {chance.choice(['<', '!=', '>='])} {chance.choice([*variables, '2'])}")
    return ", ".join(literals)


def statement(chance: Random) -> str:
    variables = chance.choice(["", "X", "X", "XY"])
    kind = chance.random()
    if kind < 0.2:
        bounds = chance.choice([("", ""), ("1 ", ""), ("", " 1"), ("1 ", " 2"), ("", " = 1")])
        elements = "; ".join(
            f"{_atom(chance, 'X')} : d(X)" if chance.random() < 0.7 else _atom(chance, "")
            for _ in range(chance.randint(1, 2))
        )
        body = f" :- {_body(chance, '')}" if chance.random() < 0.3 else ""
        return f"{bounds[0]}{{ {elements} }}{bounds[1]}{body}."
    if kind < 0.3:
        return f"{_atom(chance, variables)} ; {_atom(chance, variables)} :- {_body(chance, variables)}."
    if kind < 0.45:
        return f":- {_body(chance, variables)}."
    if kind < 0.6:
        return f"{_ground_atom(chance)}."
    if kind < 0.75:
        function = chance.choice(["#count", "#sum", "#min", "#max", "#sum+"])
        inner = chance.choice([f"X : {_atom(chance, 'X')}, d(X)", f"X,Y : {_atom(chance, 'XY')}, d(X), d(Y)"])
        compared = f"{function} {{ {inner} }} {chance.choice(['<', '<=', '=', '!=', '>='])} {chance.randint(0, 4)}"
        head = chance.choice(["", *PLAIN, "p(1)", "q(2)"])
        return f"{head} :- {chance.choice(['', '', 'not '])}{compared}."
    if kind < 0.8:
        return f"{_atom(chance, variables)} :- {_atom(chance, '')} : {_atom(chance, '')}; {_body(chance, variables)}."
    return f"{_atom(chance, variables)} :- {_body(chance, variables)}."


def assigning(chance: Random) -> str:
    """A rule whose aggregate gives a variable its value; bounded, or a recursive one would not end."""
    function = chance.choice(["#count", "#sum", "#min", "#max", "#sum+"])
    inner = chance.choice([f"X : {_atom(chance, 'X')}, d(X)", f"X,Y : {_atom(chance, 'XY')}, d(X), d(Y)"])
    body = [f"N = {function} {{ {inner} }}", f"{chance.choice([-1, 0, 1])} < N", "N < 5"]
    if chance.random() < 0.4:
        body.append(_body(chance, ""))
    head = chance.choice(["p(N)", "q(N)", "t(N+1)", "r(N,1)", "p(N) ; s", "{ q(N) }", ""])
    return f"{head} :- {', '.join(body)}."


def minimize(chance: Random) -> str:
    kind, level = chance.choice(["#minimize", "#maximize"]), chance.randint(1, 2)
    if chance.random() < 0.3:
        return f":~ {_body(chance, 'X')}. [{chance.randint(-2, 3)}@{level}, X]"
    return f"{kind} {{ {chance.choice(['X', '1', '-1', 'X*2'])}@{level},X : {_body(chance, 'X')} }}."


def show(chance: Random) -> str:
    return chance.choice(
        ["#show p/1.", "#show q/1.", "#show r/2.", "#show s/0.", "#show.", "#show X : p(X).", "#show f(X,Y) : r(X,Y).",
         "#show -p/1.", '#show "a b" : s.', "#show (X,) : q(X).", "#show (X,Y) : r(X,Y).", "#show -X : p(X).",
         "#show g((X,\"c\")) : q(X)."]
    )  # fmt: skip
