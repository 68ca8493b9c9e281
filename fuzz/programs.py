"""Mutated program texts for clingo and SWI-Prolog, and goals: they load, or a `BridgeError` says why not.

A text for clingo is loaded in this process, so that what ends the process is seen; it is ground, and Prolog is run, in
a process of its own with limits.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bridge.asp import Program
from bridge.errors import BridgeError
from bridge.limits import Limits
from bridge.prolog import Session
from fuzz.campaign import Campaign, Case, Tally, demand
from fuzz.mutation import mutated, pieces

LP = [
    (b"d(1..3). { p(X) : d(X) } 2. q(X) :- p(X), not r(X). r(X) :- d(X), not p(X).\n:- q(1), q(2).\n#show q/1.\n"),
    (
        b"#const n = 3.\n"
        b"node(1..n). edge(1,2). edge(2,3).\n"
        b"{ c(X, red; X, blue) } = 1 :- node(X).\n"
        b":- edge(X, Y), c(X, C), c(Y, C).\n"
    ),
    (
        b'a ; b :- not c. c :- #sum { 1,X : p(X) } > 1. p(1). p("two"). -p(3).\n'
        b"#minimize { 1@2,X : p(X) }.\n"
        b"%* a comment *% :~ a. [1@1, x]\n"
    ),
    (
        b"#external e(1..2). p :- e(1). #program step(t). q(t) :- p.\n"
        b"#defined z/1. x(@f(1)) :- z(1).\n"
        b't((1,),f(a,"b\\n"),#inf,#sup,-1,2**3,7\\2,1?2).\n'
    ),
    (
        b"#theory t { a { - : 1, unary }; &x/0 : a, any }. &x { } :- y. y. "
        b"#heuristic y. [1, true] #edge (1, 2). #project y.\n"
    ),
    "größe(1). größer('ä').\n".encode(),
]
PL = [
    (
        b":- use_module(library(lists)).\n"
        b"p(X) :- member(X, [1,2,3]), X > 1.\n"
        b"q([H|T], H) :- length(T, 2).\n"
        b"r(\"text\", 'Atom', 0'a, 1.5e3).\n"
    ),
    (
        b"nat(0).\n"
        b"nat(s(N)) :- nat(N).\n"
        b":- dynamic f/1.\n"
        b"f(X) :- \\+ X = a, ! ; X == b -> true ; fail.\n"
        b"g --> [a], g.\n"
        b"g --> [].\n"
    ),
    (
        b":- module(m, [p/1]).\n"
        b":- op(700, xfx, ===>).\n"
        b"A ===> B :- p(A), p(B).\n"
        b"/* block */ p(1). % line\n"
        b"p({x, y}).\n"
        b"p(`codes`).\n"
    ),
    (b":- table t/1.\nt(X) :- t(Y), X is Y + 1, X < 5.\nt(1).\n:- if(true).\nu(1).\n:- else.\nu(2).\n:- endif.\n"),
    "größe(Ä) :- Ä = 'ö'.\nλ(1_000, 0xff, 0b101, 1r3).\n".encode(),
]
GOALS = [
    b"p(X), X > 1", b"member(X, [a, \"b\", 'C d', 1.0, f(Y)])", b"X = point{x: 1, y: 2}", b"X is 2 ** 10 + 7 // 2",
    b"length(L, 2), L = [A|B]", b"catch(atom_length(X, Y), error(E, _), true)", b"dif(X, Y), X = f(Y, _Z)",
    b"\\+ fail, ( X = 1 ; X = 2 )", b"X = 'it''s', Y = \"q\\\"\", Z = `abc`",
    b"between(1, 3, X), findall(Y, member(Y, [X]), Ys)",
]  # fmt: skip


class ProgramTexts(Campaign):
    """Texts of programs, and goals."""

    name = "programs"
    unit = "inputs"
    weight = 0.6
    round = 100

    def __init__(self) -> None:
        self._session: Session | None = None

    def make(self, chance: Random) -> Case:
        target = chance.choice(["lp"] * 12 + ["ground", "pl", "goal", "goal"])
        seeds = {"lp": LP, "ground": LP, "pl": PL, "goal": GOALS}[target]
        data = mutated(chance, chance.choice(seeds), [*LP, *PL, *GOALS])
        return {"target": target, "data": data.decode("latin-1")}

    def check(self, case: Case, tally: Tally) -> None:
        target = case["target"]
        text = case["data"].encode("latin-1").decode("utf-8", "replace")
        tally[target] += 1
        try:
            if target == "goal":
                self._ask(text)
            elif target == "pl":
                with Session(text + "\n", output="nowhere", limits=LIMITS) as session:
                    session.exports()
            else:
                ground = target == "ground"
                with Program(text + "\n", isolated=ground, limits=LIMITS if ground else Limits()) as program:
                    if ground:
                        program.first(limits=Limits(seconds=1))
        except BridgeError as error:
            tally["refused"] += 1
            demand(f"{target}: error", bool(error.message.strip()), f"{type(error).__name__} without a message")
            str(error)
            error.to_json()

    def _ask(self, goal: str) -> None:
        if self._session is None:
            self._session = Session("p(1).\np(2).\n", output="nowhere")
        try:
            with self._session.query(goal, limits=Limits(seconds=1, solutions=5)) as answers:
                for answer in answers:
                    str(answer)
                    dict(answer)
        finally:
            # A goal may have ended the process, and its session with it.
            if not self._alive():
                self._session.close()
                self._session = None

    def _alive(self) -> bool:
        assert self._session is not None
        try:
            return self._session.first("p(1)", limits=Limits(seconds=5)) is not None
        except BridgeError:
            return False

    def smaller(self, case: Case) -> Iterator[Case]:
        data = case["data"].encode("latin-1")
        yield from ({**case, "data": piece.decode("latin-1")} for piece in pieces(data))

    def close(self) -> None:
        if self._session is not None:
            self._session.close()


#: For what is run: seconds for one that never ends, and bytes.
LIMITS = Limits(seconds=1, memory=1 << 29)
