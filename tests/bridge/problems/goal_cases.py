"""Prolog programs with a fault, what a diagnosis must name, and a check of what it says with plain swipl.

    python tests/bridge/problems/goal_cases.py      # the score: named, verified, sizes
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bridge.analysis.cores import clash, shrink
from bridge.errors import UnsupportedError
from bridge.problem.fragments import GoalPremise
from bridge.problem.posted import Posted, PostedConstraint
from bridge.problem.prolog import FragmentOracle, PrologProblem
from bridge.prolog import Term
from bridge.prolog.locate import find

ENCODINGS = Path(__file__).parent.parent.parent.parent / "encodings"


@dataclass(frozen=True)
class Case:
    """A program, a goal that fails, and the text of a goal or constraint that its diagnosis has to name."""

    name: str
    program: str
    goal: str
    named: str


LISTS = """\
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
rev([], []).
rev([X|Xs], Ys) :- rev(Xs, Zs), app(Zs, [X], Ys).
mem(X, [X|_]).
mem(X, [_|Xs]) :- mem(X, Xs).
same([], []).
same([_|Xs], [_|Ys]) :- same(Xs, Ys).
palindrome(Xs) :- same(Xs, Xs), rev(Xs, Xs), mem(_, Xs).
sel(X, [X|Xs], Xs).
sel(X, [Y|Xs], [Y|Ys]) :- sel(X, Xs, Ys).
perm([], []).
perm(Xs, [Y|Ys]) :- sel(Y, Xs, Zs), perm(Zs, Ys).
sorted([]).
sorted([_]).
sorted([X,Y|Xs]) :- X =< Y, sorted([Y|Xs]).
sort_it(Xs, Ys) :- perm(Xs, Ys), sorted(Ys).
"""

FAMILY = """\
parent(ada, bob). parent(bob, cid). parent(bob, dan). parent(cid, eve).
woman(ada). woman(eve).
man(bob). man(cid). man(dan).
mother(X, Y) :- parent(X, Y), woman(X).
father(X, Y) :- parent(X, Y), man(X).
grandmother(X, Z) :- mother(X, Y), parent(Y, Z).
sibling(X, Y) :- parent(Z, X), parent(Z, Y), dif(X, Y).
uncle(X, Z) :- sibling(X, Y), parent(Y, Z), man(X).
"""

GRAPH = """\
edge(a, b). edge(b, c). edge(d, e).
path(X, X, []).
path(X, Z, [X-Y|Es]) :- edge(X, Y), path(Y, Z, Es).
short(X, Z, Es) :- Es = [_], path(X, Z, Es).
colour(red). colour(green).
colouring([A, B, C]) :- colour(A), colour(B), colour(C), dif(A, B), dif(B, C), dif(A, C).
"""

GRAMMAR = """\
sentence --> subject, verb, object.
subject --> [the], noun.
object --> [a], noun.
noun --> [cat].
noun --> [dog].
verb --> [sees].
"""

CLPFD = ":- use_module(library(clpfd)).\n"

QUEENS = CLPFD + """\
n_queens(N, Qs) :- length(Qs, N), Qs ins 1..N, safe_queens(Qs).
safe_queens([]).
safe_queens([Q|Qs]) :- safe_queens(Qs, Q, 1), safe_queens(Qs).
safe_queens([], _, _).
safe_queens([Q|Qs], Q0, D0) :- Q0 #\\= Q, abs(Q0 - Q) #\\= D0, FAULT D1 #= D0 + 1, safe_queens(Qs, Q0, D1).
"""

MONEY = CLPFD + """\
puzzle([S,E,N,D,M,O,R,Y]) :-
    Vars = [S,E,N,D,M,O,R,Y], Vars ins 0..9, all_different(Vars),
    S*1000 + E*100 + N*10 + D + M*1000 + O*100 + R*10 + E #= M*10000 + O*1000 + N*100 + E*10 + Y,
    M #\\= 0, S #\\= 0, FAULT.
"""

SCHEDULE = CLPFD + """\
schedule([A, B, C, D], End) :-
    [A, B, C, D] ins 0..20, End in 0..DEADLINE,
    A + 4 #=< B,            % walls before roof
    A + 4 #=< C,
    B + 5 #=< D,
    C + 2 #=< D,
    B + 5 #=< C #\\/ C + 2 #=< B,
    D + 3 #=< End.
"""

COLOURS = CLPFD + """\
map(Cs) :- Cs = [A, B, C, D], Cs ins 1..3, A #\\= B, A #\\= C, A #\\= D, B #\\= C, B #\\= D, C #\\= D.
"""

CASES = [
    Case("append", LISTS, "app([a,b], Ys, [a,c|Zs])", "app(Xs, Ys, Zs)"),
    Case("reverse", LISTS, "rev([a,b,c], [c,a|Xs])", "app(Zs, [X], Ys)"),
    Case("member", LISTS, "mem(X, [a,b]), mem(X, [c,d])", "mem(X, [c,d])"),
    Case("palindrome", LISTS, "palindrome([a,b])", "rev(Xs, Xs)"),
    Case("palindrome of nothing", LISTS, "palindrome([])", "mem(_, Xs)"),
    Case("permutation", LISTS, "sort_it([2,1], [2,X])", "X =< Y"),
    Case("lengths", LISTS, "same([a,b], [c]), app([a], [b], Zs)", "same(Xs, Ys)"),
    Case("grandmother", FAMILY, "grandmother(bob, X)", "woman(X)"),
    Case("mother", FAMILY, "mother(X, cid)", "woman(X)"),
    Case("uncle", FAMILY, "uncle(X, bob)", "parent(Y, Z)"),
    Case("two fathers", FAMILY, "father(X, cid), father(X, bob)", "father(X, bob)"),
    Case("no path", GRAPH, "path(a, e, Es)", "edge(X, Y)"),
    Case("too long", GRAPH, "short(a, c, Es)", "Es = [_]"),
    Case("two colours", GRAPH, "colouring(Cs)", "dif(A, C)"),
    Case("verb", GRAMMAR, "phrase(sentence, [the,cat,likes,a,dog])", "[sees]"),
    Case("object", GRAMMAR, "phrase(sentence, [the,cat,sees,the,dog])", "[a]"),
    Case("queens of 3", QUEENS.replace("FAULT", ""), "n_queens(3, Qs), label(Qs)", "abs(Q0 - Q) #\\= D0"),
    Case("queens upwards", QUEENS.replace("FAULT", "Q0 #< Q,"), "n_queens(4, Qs), label(Qs)", "Q0 #< Q"),
    Case("queens near", QUEENS.replace("FAULT", "abs(Q0 - Q) #< 3,"), "n_queens(5, Qs), label(Qs)", "abs(Q0 - Q) #< 3"),
    Case("money", MONEY.replace("FAULT", "O #> 0"), "puzzle(Vs), label(Vs)", "O #> 0"),
    Case("money, less", MONEY.replace("FAULT", "S + M #< 10"), "puzzle(Vs), label(Vs)", "S + M #< 10"),
    Case("money, odd", MONEY.replace("FAULT", "Y mod 2 #= 1"), "puzzle(Vs), label(Vs)", "Y mod 2 #= 1"),
    Case("schedule", SCHEDULE.replace("DEADLINE", "11"), "schedule(Ts, End)", "End in 0..11"),
    Case("schedule, tight", SCHEDULE.replace("DEADLINE", "13"), "schedule(Ts, End), label([End|Ts])", "End in 0..13"),
    Case("three colours", COLOURS, "map(Cs), label(Cs)", "C #\\= D"),
    Case("booleans", ":- use_module(library(clpb)).\nb(X, Y) :- sat(X + Y), sat(~X), sat(~Y).\n", "b(X, Y)", "sat(~Y)"),
    Case("rationals", ":- use_module(library(clpq)).\nq(X, Y) :- {X > Y + 1}, {2 * Y = 4}, {X < 3}, {X > 0}.\n", "q(X, Y)", "{X < 3}"),
    Case("different", "d(X, Y) :- dif(X, Y), dif(X, a), X = Y.\n", "d(X, Y)", "X = Y"),
    Case("base: length", "len([],1).\nlen([_|T],N) :- len(T,M), N is M+1.\n", "len([a,b,c],3)", "1 in len([],1)"),
    Case("base: factorial", "f(1,0).\nf(N,F) :- N > 1, M is N-1, f(M,G), F is N*G.\n", "f(3,6)", "0 in f(1,0)"),
    Case("base: list pattern", "tl([_,X],X).\ntl([_|T],X) :- tl(T,X).\n", "tl([a],a)", "[_,X] in tl([_,X],X)"),
    Case("base: structure", "s(leaf(_),1).\ns(n(L,R),N) :- s(L,A), s(R,B), N is A+B.\n", "s(n(leaf,leaf),2)", "leaf(_) in s(leaf(_),1)"),
    Case("base: accumulator", "rev([],[],_).\nrev([H|T],A,R) :- rev(T,[H|A],R).\n", "rev([a,b],[],[b,a])", "[] in rev([],[],_)"),
    Case("base: missing", "sum([X|Xs],S) :- sum(Xs,T), S is X+T.\n", "sum([1,2],3)", "[X|Xs] in sum([X|Xs],S)"),
    Case("base: same variable", "sub(X,X,1).\nsub(X,s(Y),N) :- sub(X,Y,N).\n", "sub(0,s(s(0)),0)", "1 in sub(X,X,1)"),
]  # fmt: skip


@dataclass(frozen=True)
class Result:
    """What was said of a case. `instances` is None without recorded constraints."""

    case: Case
    premises: tuple[GoalPremise, ...]
    minimal: bool
    total: int
    instances: tuple[PostedConstraint, ...] | None

    @property
    def named(self) -> bool:
        texts = [each for premise in self.premises for each in (premise.text, premise.label)]
        return self.case.named in texts or self.case.named in [each.source for each in self.instances or ()]


def diagnosed(case: Case) -> Result:
    problem = PrologProblem([case.program], case.goal)
    with problem.oracle("fails") as oracle:
        reply = oracle.ask(oracle.premises)
        assert reply.satisfiable is False, case
        left, minimal = shrink(oracle, reply.core)
        premises, total = oracle.ordered(left), len(oracle.premises)
    try:
        with Posted(problem) as posted:
            found = clash(posted, posted.premises)
    except UnsupportedError:
        found = None
    return Result(case, premises, minimal, total, found.premises if found else None)


def variants(case: Case, kept: Sequence[GoalPremise]) -> list[tuple[str, str]]:
    """The program and goal with all other goals left out, then with one more left out each: changed as text."""
    problem = PrologProblem([case.program], case.goal)
    with FragmentOracle(problem, "fails") as oracle:
        everything = oracle.premises
        sources = problem.read().sources
    found = []
    for away in [None, *kept]:
        left = [premise for premise in kept if premise != away]
        texts = []
        for number, source in enumerate(sources):
            text = source.text
            dropped = [p for p in everything if p.clause[0] == number and p not in left]
            # Inner ones first do not matter: a goal that is left out hides what it was given.
            outer = [p for p in dropped if not any(q is not p and _inside(p, q) for q in dropped)]
            for premise in sorted(outer, key=lambda premise: -premise.span[0]):
                start, end = premise.span
                grammar = "-->" in text[text.rfind(".", 0, start) + 1 : start]
                mark = "_" if premise.kind in ("given", "head") else "anything" if grammar else "true"
                text = text[:start] + mark + text[end:]
            texts.append(text)
        found.append((texts[0] + "anything(_, _).\n", texts[1].partition(":-")[2].strip().rstrip(".")))
    return found


def _inside(one: GoalPremise, other: GoalPremise) -> bool:
    return one.clause == other.clause and other.span[0] <= one.span[0] and one.span[1] <= other.span[1]


def instance_goals(found: Sequence[PostedConstraint]) -> list[str]:
    """All instances as a goal, then without one each."""
    goals = []
    for away in [None, *found]:
        left = [instance for instance in found if instance is not away]
        names: dict[str, str] = {}
        texts = []
        for instance in left:
            for name in sorted(_names(instance.term), key=len, reverse=True):
                names.setdefault(name, f"V_{len(names)}_")
            text = instance.text
            for name in sorted(names, key=len, reverse=True):
                end = r"(?!\[)" if name.endswith("]") else r"(?![\w\[])"
                text = re.sub(r"(?<![\w\]])" + re.escape(name) + end, names[name], text)
            texts.append(text)
        variables = ", ".join(names.values())
        goals.append(f"{', '.join(texts) or 'true'}, bound([{variables}])")
    return goals


def _names(term: object) -> Iterable[str]:
    if isinstance(term, Term):
        if term.name == "$variable":
            yield str(term.arguments[0])
        for argument in term.arguments:
            yield from _names(argument)
    elif isinstance(term, list):
        for item in term:
            yield from _names(item)


BOUND = """
bound(_) :- \\+ current_module(clpfd), !.
bound(Vs) :- finite(Vs), clpfd:labeling([ff], Vs), !.
finite([]).
finite([V|Vs]) :- ( integer(V) -> true ; clpfd:fd_var(V) -> clpfd:in(V, '..'(-1000, 1000)) ; true ), finite(Vs).
"""


def outcomes(programs: Sequence[tuple[str, str]], folder: Path) -> list[str]:
    """For each program and goal `fails`, or how it ended otherwise: by one swipl, each in a module of its own."""
    lines = [":- style_check(-singleton).\n"]
    for number, (program, goal) in enumerate(programs):
        (folder / f"p{number}.pl").write_text(f":- style_check(-singleton).\n{program}\nq{number} :- {goal}.\n")
        lines.append(
            f":- catch(load_files(m{number}:'p{number}.pl', [silent(true)]), E, (print_message(error, E))).\n"
            f":- ( catch(call_with_inference_limit(m{number}:q{number}, 3000000, R), E, R = raised) -> true ; R = fails ),"
            f" writeln({number}-R).\n"
        )
    (folder / "main.pl").write_text("".join(lines))
    installation = find()
    assert installation is not None
    command = [str(installation.swipl), "-q", "-g", "halt", "main.pl"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert "rror" not in done.stderr, done.stderr + "".join(
        (folder / name).read_text() for name in re.findall(r"(p\d+\.pl)", done.stderr)[:2]
    )
    found = dict(re.findall(r"^(\d+)-(\S+)$", done.stdout, re.MULTILINE))
    return [found[str(number)] for number in range(len(programs))]


def verified(results: Sequence[Result], folder: Path) -> list[str]:
    """What plain swipl does not confirm: a fragment that does not fail, or a goal that can be left out."""
    programs: list[tuple[str, str]] = []
    meanings: list[tuple[str, bool]] = []
    for result in results:
        for number, variant in enumerate(variants(result.case, result.premises)):
            programs.append(variant)
            meanings.append((f"{result.case.name}: fragment {number}", number == 0))
        if result.instances:
            for number, goal in enumerate(instance_goals(result.instances)):
                head = "".join(re.findall(r":- use_module.*\n", result.case.program))
                programs.append((head + BOUND, goal))
                meanings.append((f"{result.case.name}: instances {number}", number == 0))
    found = outcomes(programs, folder)
    return [
        f"{meaning} {outcome}"
        for (meaning, fails), outcome in zip(meanings, found, strict=True)
        if (outcome == "fails") is not fails
    ]


def main() -> int:
    results = [diagnosed(case) for case in CASES]
    with tempfile.TemporaryDirectory() as folder:
        wrong = verified(results, Path(folder))
    for result in results:
        instances = "" if result.instances is None else f", {len(result.instances)} constraints"
        named = "named" if result.named else "NOT NAMED"
        print(f"{result.case.name:24} {named}: {len(result.premises)} of {result.total} goals{instances}")
    named = sum(result.named for result in results)
    print(f"{named} of {len(results)} named; not confirmed by swipl: {wrong or 'none'}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
