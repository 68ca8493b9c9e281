"""`lint` of mutated programs, against the solvers' own loading: an error where they refuse, and only there.

clingo gets the text in this process, and grounds nothing of it; SWI-Prolog loads it in a process of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import clingo
from clingo.script import enable_python

import bridge
from bridge.asp import internals
from bridge.errors import BridgeError
from bridge.limits import Limits
from bridge.prolog import Session
from fuzz.campaign import Campaign, Case, Tally, demand
from fuzz.mutation import mutated, pieces
from fuzz.programs import LP, PL

#: What clingo is good for but mutation seldom finds: unsafe variables of each kind, constants, theories, scripts.
MORE = [
    b"q(1). p(X') :- q(X'). r(X_1, _Y) :- q(X_1), q(_Y), not s(X_1). s(X) :- X = Y + 1, q(Y).\n",
    b"#const n = 1. #const m = n. p(n..m). { p(X) : q(X) } = Y :- q(Y). #show p(X) : q(X). #show q/1.\n",
    b"#theory t { a { - : 1, unary }; &x/0 : a, any }. &x { X : q(X) } :- q(1). q(1..2).\n"
    b"#program w(k). v(k, X) :- q(X).\n",
    b"q(1..2). a :- #sum { X, Y : q(X), q(Y) } > Z, q(Z). :~ q(X). [X@1, X]\n"
    b"#edge (X, Y) : q(X), q(Y). #external e(X) : q(X).\n",
    b"#script (python)\ndef f(x):\n    return x\n#end.\np(@f(X)) :- q(X). q(1).\n",
]

#: What SWI-Prolog says of what it refuses when it reads.
_REFUSED = ("Syntax error", "No permission to modify static procedure", "Full stop in clause-body")


class _RaisedError(Exception):
    """A script raised an exception when it ran."""


class Linted(Campaign):
    """Programs that the solvers read or refuse, and what `lint` says of them."""

    name = "lint"
    unit = "inputs"
    weight = 0.4
    round = 60

    def make(self, chance: Random) -> Case:
        target = chance.choice(["lp"] * 5 + ["pl"])
        seeds = [*LP, *MORE] if target == "lp" else PL
        data = mutated(chance, chance.choice(seeds), seeds)
        return {"target": target, "data": data.decode("latin-1")}

    def check(self, case: Case, tally: Tally) -> None:
        text = case["data"].encode("latin-1").decode("utf-8", "replace") + "\n"
        if (
            "\0" in text
            or "#include" in text
            or (":- " in text and any(word in text for word in ("consult", "load_files")))
        ):
            tally["other files, or a NUL"] += 1  # which lpbridge refuses
            return
        tally[case["target"]] += 1
        try:
            refused = _refused_by_clingo(text) if case["target"] == "lp" else _refused_by_prolog(text)
            problem = bridge.program(text) if case["target"] == "lp" else bridge.goal(text, "true")
            found = bridge.lint(problem, limits=Limits(seconds=60))
        except (BridgeError, _RaisedError) as error:
            tally[f"refused: {type(error).__name__}"] += 1
            return
        if any("does not fit in clingo's 32-bit integers" in one.sentence for one in found.findings):
            tally["a number that clingo would wrap"] += 1  # and that lpbridge refuses
            return
        errors = [str(one) for one in found.findings if one.level == "error"]
        tally["refused"] += bool(refused)
        demand("lint: refused", bool(found.findings) or not refused, f"nothing was found, but: {refused}")
        demand(
            "lint: error", bool(errors) or not refused or case["target"] == "pl", f"no error was found, but: {refused}"
        )
        if case["target"] == "pl" and not refused:
            refused = _said_by_prolog(text)  # it may end before what is wrong, for something else
        demand("lint: not refused", not errors or bool(refused), f"the solver takes what has the errors {errors}")

    def smaller(self, case: Case) -> Iterator[Case]:
        data = case["data"].encode("latin-1")
        yield from ({**case, "data": piece.decode("latin-1")} for piece in pieces(data))


def _refused_by_clingo(text: str) -> str:
    """What clingo says when it refuses a text; empty when it takes it."""
    logged: list[str] = []

    def log(code: clingo.MessageCode, message: str) -> None:
        if code is clingo.MessageCode.RuntimeError:
            logged.append(message)

    with internals.logging():
        enable_python()
        control = clingo.Control(logger=log)
        try:
            control.add("base", [], text)
            control.ground([])
        except RuntimeError as error:
            said = " ".join(logged) or str(error)
            if "Traceback" in said and "SyntaxError" not in said:
                raise _RaisedError from None
            return said
    return ""


def _refused_by_prolog(text: str) -> str:
    """What SWI-Prolog says of clauses that it refuses."""
    return " ".join(one for one in _said_by_prolog(text).split("\n") if any(words in one for words in _REFUSED))


def _said_by_prolog(text: str) -> str:
    """The errors of loading, a line each."""
    with Session(text, output="nowhere", limits=Limits(seconds=5, memory=1 << 29)) as session:
        return "\n".join(" ".join(str(one).split()) for one in session.warnings if one.kind == "error")
