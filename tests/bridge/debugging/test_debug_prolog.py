"""`bridge.debug` of Prolog programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import called
from patience import PATIENCE, given_time

import bridge
from bridge.debugging.goal_edits import EditableProgram
from bridge.debugging.goals import near_goals
from bridge.errors import InputError, ProgramError
from bridge.problem.clauses import Reader

LISTS = """app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).
rev([], []).
rev([H|T], R) :- rev(T, S), app(S, [H], R).
len([], 0).
len([_|T], N) :- len(T, M), N is M+1.
max([X], X).
max([X|Xs], Y) :- max(Xs, Y), Y >= X.
max([X|Xs], X) :- max(Xs, Y), X > Y.
"""
QUEENS = """:- use_module(library(clpfd)).
queens(N, Qs) :- length(Qs, N), Qs ins 1..N, safe(Qs), label(Qs).
safe([]).
safe([Q|Qs]) :- none(Q, Qs, 1), safe(Qs).
none(_, [], _).
none(Q, [P|Ps], D) :- Q #\\= P, abs(Q - P) #\\= D, E is D+1, none(Q, Ps, E).
"""
FAMILY = """parent(a, b). parent(b, c). parent(c, d).
ancestor(X, Y) :- parent(X, Y).
ancestor(X, Z) :- parent(X, Y), ancestor(Y, Z).
"""
GOALS = {
    LISTS: ["app(X, Y, [a,b])", "rev([a,b,c], R)", "len([a,b], N)", "max([1,3,2], M)", "max([2,1], M)"],
    QUEENS: ["queens(4, Qs)", "queens(5, Qs)"],
    FAMILY: ["ancestor(a, X)", "ancestor(X, d)"],
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "right", "wrong", "line"),
    [
        (LISTS, "[H|R]) :-", "[R|H]) :-", 2),  # list pattern
        (LISTS, "app(S, [H], R)", "app([H], S, R)", 4),  # arguments swapped
        (LISTS, "rev(T, S)", "revers(T, S)", 4),  # a misspelt name
        (LISTS, "len([], 0)", "len([], 1)", 5),  # a wrong base case
        (LISTS, "N is M+1", "N is M", 6),  # off by one
        (LISTS, "N is M+1", "N = M+1", 6),  # = for is
        (LISTS, "X > Y", "X < Y", 9),  # a comparison
        (QUEENS, "Q #\\= P", "Q #= P", 6),
        (QUEENS, "none(Q, Qs, 1)", "none(Q, Qs, 0)", 4),
        (QUEENS, ", label(Qs)", "", 2),  # residual constraints differ
        (FAMILY, "parent(X, Y), ancestor(Y, Z)", "ancestor(X, Y), parent(Y, Z)", 3),  # does not end
    ],
)
def test_the_clause_is_named_and_repaired(program: str, right: str, wrong: str, line: int, tmp_path: Path) -> None:
    (tmp_path / "mine.pl").write_text(program.replace(right, wrong, 1))
    (tmp_path / "right.pl").write_text(program)
    found = bridge.debug([bridge.goal(tmp_path / "mine.pl", one) for one in GOALS[program]], against=tmp_path / "right.pl")
    assert found.repair is not None
    assert line in [one.place.line for one in found.suspects]
    # By the toplevel's own answers, without a line of the code that is tested.
    (tmp_path / "repaired.pl").write_text(found.repair.text)
    answers = []
    for name in ("repaired.pl", "right.pl"):
        with bridge.prolog.Session(tmp_path / name) as session:
            streams = [session.query(goal, limits=bridge.Limits(seconds=20, solutions=60)) for goal in GOALS[program]]
            answers.append([sorted(str(answer) for answer in stream.collect().solutions) for stream in streams])
    assert answers[0] == answers[1], found.repair.diff


def test_a_missing_base_case_comes_back(tmp_path: Path) -> None:
    (tmp_path / "mine.pl").write_text(LISTS.replace("len([], 0).\n", ""))
    (tmp_path / "right.pl").write_text(LISTS)
    found = bridge.debug([bridge.goal(tmp_path / "mine.pl", one) for one in ["len([a,b], N)", "len([], N)"]], against=tmp_path / "right.pl")
    assert found.repair is not None
    assert "len([], 0)." in found.repair.text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "wrong", "goal"),
    [
        ("pairs([], _, []).\n", "", "pairs([a, b], [1, 2], L)"),
        ("X @=< Y", "X @>= Y", "ordered([a, b, b, c])"),
    ],
)
def test_a_base_case_with_a_result_and_standard_order(right: str, wrong: str, goal: str, tmp_path: Path) -> None:
    program = (
        "pairs([], _, []).\npairs([X|Xs], Ys, Zs) :- with(Ys, X, Z), pairs(Xs, Ys, R), append(Z, R, Zs).\n"
        "with([], _, []).\nwith([Y|Ys], X, [X-Y|Zs]) :- with(Ys, X, Zs).\n"
        "ordered([_]).\nordered([X,Y|Zs]) :- X @=< Y, ordered([Y|Zs]).\n"
    )
    (tmp_path / "right.pl").write_text(program)
    (tmp_path / "mine.pl").write_text(program.replace(right, wrong, 1))
    found = bridge.debug(bridge.goal(tmp_path / "mine.pl", goal), against=tmp_path / "right.pl")
    assert found.repair is not None
    assert right.strip() in found.repair.text


def test_goals_that_should_succeed_and_should_not(tmp_path: Path) -> None:
    (tmp_path / "mine.pl").write_text(LISTS.replace("M+1", "M"))
    found = bridge.debug(tmp_path / "mine.pl", missing=["len([a,b], 2)", "len([a], 1)"], unwanted="len([a], 0)")
    assert found.suspects[0].place.line == 6
    assert found.repair is not None
    assert found.repair.proved_by == "does what was asked for"


def test_what_is_wrong_is_said_as_it_is(tmp_path: Path) -> None:
    member = "m(X, [X|_]).\nm(X, [_|T]) :- m(X, T).\n"
    (tmp_path / "right.pl").write_text(member)
    (tmp_path / "mine.pl").write_text(f"{member}m(X, [X]).\n")
    often = bridge.debug(bridge.goal(tmp_path / "mine.pl", "m(X, [a,b])"), against=tmp_path / "right.pl")
    assert "does not give the answers that are meant" in often.suspects[0].sentence
    # More answers than are compared: it ends all the same.
    (tmp_path / "few.pl").write_text("p(X) :- between(1, 3, X).\n")
    (tmp_path / "many.pl").write_text("p(X) :- between(1, 300, X).\n")
    many = bridge.debug(bridge.goal(tmp_path / "many.pl", "p(X)"), against=tmp_path / "few.pl")
    assert "allows an answer that is not meant" in many.suspects[0].sentence


def test_a_reference_that_does_not_know_the_goal(tmp_path: Path) -> None:
    (tmp_path / "mine.pl").write_text(":- module(lists2, [p/1]).\np(1).\n")
    (tmp_path / "right.pl").write_text(":- module(lists2, [p/1]).\np(2).\n")
    with pytest.raises(InputError, match="unknown procedure"):
        bridge.debug(bridge.goal(tmp_path / "mine.pl", "lists2:p(X)"), against=tmp_path / "right.pl")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("clause", "lost", "goal"),
    [
        ("p(Xs) :- Xs = [_, _, _], Xs ins 1..3, all_different(Xs), label(Xs).", "all_different(Xs), ", "p(Xs)"),
        ("q(X, Y) :- [X, Y] ins 0..3, X + Y #= 3, Y #\\= 0.", ", Y #\\= 0", "q(X, Y), label([X, Y])"),
    ],
)
def test_a_missing_constraint_comes_back(clause: str, lost: str, goal: str, tmp_path: Path) -> None:
    (tmp_path / "right.pl").write_text(f":- use_module(library(clpfd)).\n{clause}\n")
    (tmp_path / "mine.pl").write_text(f":- use_module(library(clpfd)).\n{clause.replace(lost, '')}\n")
    found = bridge.debug(bridge.goal(tmp_path / "mine.pl", goal), against=tmp_path / "right.pl")
    assert found.repair is not None
    assert lost.strip(", ") in found.repair.diff or "#> 0" in found.repair.diff


def test_nothing_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "mine.pl").write_text(LISTS)
    assert bridge.debug(tmp_path / "mine.pl", missing="len([a], 1)").right
    assert bridge.debug(bridge.goal(tmp_path / "mine.pl", "len([a], N)"), against=tmp_path / "mine.pl").right


@pytest.mark.parametrize("declared", ["discontiguous", "multifile", "dynamic"])
def test_what_is_declared_is_compared(declared: str) -> None:
    text = f":- {declared} p/1, q/1.\np(1).\np(2).\n"
    wrong = bridge.debug([bridge.goal(text.replace("p(2)", "p(3)"), one) for one in ["p(X)", "q(X)"]], against=text)
    assert (wrong.right, wrong.surplus, wrong.missing) == (False, ("X = 3",), ("X = 2",))
    assert bridge.debug([bridge.goal(text, one) for one in ["p(X)", "q(X)"]], against=text).right


def test_errors_are_compared_by_what_they_are() -> None:
    text = "p(X) :- X is Y + 1.\n"
    assert bridge.debug(bridge.goal(text, "p(X)"), against=text).right
    assert not bridge.debug(bridge.goal("p(X) :- X is foo + 1.\n", "p(X)"), against=text).right


def test_a_reference_that_cannot_be_loaded() -> None:
    with pytest.raises(InputError, match="the reference cannot be read"):
        bridge.debug(bridge.goal("p(1).", "p(X)"), against="write(1). p(2).")


def test_wrong_questions(tmp_path: Path) -> None:
    mine = tmp_path / "mine.pl"
    mine.write_text("p(1.\n")
    with pytest.raises(ProgramError, match=r"mine\.pl"):
        bridge.debug(mine, missing="p(1)")
    mine.write_text("p(1).\n")
    with pytest.raises(InputError, match="not said what is wrong"):
        bridge.debug(mine)
    with pytest.raises(InputError, match="which goals"):
        bridge.debug(mine, against=mine)


@pytest.mark.slow
def test_an_untrusted_program_is_confined(tmp_path: Path) -> None:
    """In a class, too: each change is tried behind the walls, and the same line is found."""
    written = tmp_path / "written"
    attack = f':- initialization((open("{written}", write, S), close(S))).\n'
    goals = [bridge.goal(tmp_path / "right.pl", one) for one in ("len([a,b], N)", "len([], N)")]
    for name, text in {"right": LISTS, "wrong": LISTS.replace("M+1", "M"), "evil": attack + LISTS}.items():
        (tmp_path / f"{name}.pl").write_text(text)
    (tmp_path / "shell.pl").write_text(f'len(L, N) :- shell("touch {written}"), length(L, N).\n')
    found = bridge.submissions([tmp_path / f"{name}.pl" for name in ("right", "wrong", "evil", "shell")], against=goals)
    assert [one.status for one in found.rows] == ["right", "wrong", "error", "wrong"]
    wrong, _, shell = (row.found for row in found.rows[1:])
    assert wrong is not None
    assert wrong.repair is not None
    assert "M+1" in wrong.repair.diff
    assert "evil.pl:1" in str(found.rows[2].error)
    assert shell is not None
    assert shell.repair is not None
    assert "shell" not in shell.repair.text
    assert not written.exists()
    with pytest.raises(InputError, match=r"the reference cannot be read: .*open"):
        bridge.debug(bridge.goal(tmp_path / "wrong.pl", "len([a,b], N)", untrusted=True), against=tmp_path / "evil.pl")
    trusted = bridge.debug(tmp_path / "wrong.pl", against=goals)
    assert trusted.repair is not None
    assert trusted.repair.diff == wrong.repair.diff


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "mine.pl").write_text(LISTS.replace("M+1", "M"))
    (tmp_path / "right.pl").write_text(LISTS)
    run = called("debug", "mine.pl", "--against", "right.pl", "-g", "len([a,b], N)", folder=tmp_path)
    assert run.returncode == 0
    assert run.stdout.startswith("mine.pl:6:1: ")
    assert "+len([_|T], N) :- len(T, M), N is M+1." in run.stdout
    assert "an answer that is missing: N = 2" in run.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "right", "goals", "line", "after"),
    [
        (
            "ins(X, [], [X]).\nins(X, [Y|Ys], [X,Y|Ys]) :- X =< Y.\nins(X, [Y|Ys], [Y|Zs]) :- ins(X, Ys, Zs).\n",
            "ins(X, L, M) :- msort([X|L], M).\n",
            ["ins(1, [0,2], L)", "ins(2, [2], L)", "ins(1, [], L)"],
            3,
            "ins(X, [Y|Ys], [Y|Zs]) :- X > Y, ins(X, Ys, Zs).",
        ),
        (
            "e(a,b). e(b,a). e(b,c).\nconn(X, Y) :- e(X, Y).\nconn(X, Y) :- e(X, Z), conn(Z, Y).\n",
            ":- table way/2.\nway(X, Y) :- e(X, Y).\nway(X, Y) :- way(X, Z), e(Z, Y).\n"
            "conn(X, Y) :- way(X, Y).\ne(a,b). e(b,a). e(b,c).\n",
            ["conn(a, X)"],
            2,
            ":- table conn/2. conn(X, Y) :- e(X, Y).",
        ),
        (
            ":- use_module(library(clpfd)).\napart(S, T) :- S + 2 #=< T #/\\ T + 2 #=< S.\n",
            ":- use_module(library(clpfd)).\napart(S, T) :- abs(S - T) #>= 2.\n",
            ["S = 1, T in 0..4, apart(S, T), label([T])"],
            2,
            "apart(S, T) :- S + 2 #=< T #\\/ T + 2 #=< S.",
        ),
        (
            "cost(L, N) :- sum_list(L, S), N is 100 * S + 10 * 7.\n",
            "cost(L, N) :- sum_list(L, S), N is 10 * (S + 7).\n",
            ["cost([1,2], N)", "cost([], N)"],
            1,
            "N is 10 * S + 10 * 7.",
        ),
        (
            "len([_], 1).\nlen([_|T], N) :- len(T, M), N is M + 1.\n",
            "len(L, N) :- length(L, N).\n",
            ["len([a,b], N)", "len([], N)"],
            1,
            "len([], 0).",
        ),
        (
            "vp --> v, np.\nnp --> [cats].\nv --> [see].\nv --> [run].\n",
            "vp --> v.\nvp --> v, np.\nnp --> [cats].\nv --> [see].\nv --> [run].\n",
            ["phrase(vp, [run])", "phrase(vp, [see,cats])"],
            1,
            "vp --> v, np. vp --> v.",
        ),
        (
            "prime(N) :- N > 1, \\+ div(N, 2).\ndiv(N, D) :- N mod D =:= 0.\ndiv(N, D) :- D * D < N, E is D + 1, div(N, E).\n",
            "prime(N) :- N > 1, M is N - 1, forall(between(2, M, D), N mod D =\\= 0).\n",
            ["prime(7)", "prime(9)", "prime(2)", "prime(1)"],
            2,
            "div(N, D) :- N mod D =:= 0, D \\= N.",
        ),
        (
            "del(_, [], []).\ndel(X, [X|T], T) :- !.\ndel(X, [H|T], [H|R]) :- del(X, T, R).\n",
            "del(X, L, R) :- exclude(==(X), L, R).\n",
            ["del(a, [a,b,a], L)", "del(c, [a], L)", "del(a, [], L)"],
            2,
            "del(X, [X|T], R) :- !, del(X, T, R).",
        ),
        (
            "sub([], []).\nsub([H|T], [H|S]) :- sub(T, S).\n",
            "sub([], []).\nsub([H|T], [H|S]) :- sub(T, S).\nsub([_|T], S) :- sub(T, S), true.\n",
            ["findall(S, sub([a,b], S), L)"],
            2,
            "sub(T, S). sub([_|T], S) :- sub(T, S).",
        ),
        (
            "pal([]).\npal([H|T]) :- append(M, [H], T), pal(M).\n",
            "pal(L) :- reverse(L, L).\n",
            ["pal([a,b,a])", "pal([a,b])", "pal([])", "pal([a])"],
            2,
            "pal(M). pal([X]).",
        ),
        (
            "total([], 0).\ntotal([X|Xs], S) :- total(Xs, T), S is T.\n",
            "total(L, S) :- sum_list(L, S).\n",
            ["total([3,4], S)", "total([5], S)", "total([], S)"],
            2,
            "S is T + X.",
        ),
        (
            "f(a,b). f(b,c). f(c,d).\ngrand(X, Z) :- f(X, Z), f(X, Z).\n",
            "f(a,b). f(b,c). f(c,d).\ngrand(X, Z) :- f(X, Y), f(Y, Z).\n",
            ["grand(a, Z)", "grand(X, d)", "grand(c, Z)"],
            2,
            "f(X, V1), f(V1, Z).",
        ),
        (
            "halve([], [], []).\nhalve([X], [X], []).\nhalve([X,Y|T], [Y|A], [X|B]) :- halve(T, A, B).\n",
            "halve([], [], []).\nhalve([X], [X], []).\nhalve([X,Y|T], [X|A], [Y|B]) :- halve(T, A, B).\n",
            ["halve([a,b,c], A, B)", "halve([a,b], A, B)", "halve([a,b,c,d], A, B)"],
            3,
            "halve([Y,X|T], [Y|A], [X|B])",
        ),
        (
            "edge(a,b). edge(b,c).\nwalk(X, X, P, P).\nwalk(X, Y, V, P) :- edge(X, Z), walk(Z, Y, [Z|V], P).\n"
            "path(X, Y, P) :- walk(X, Y, [X], R).\n",
            "edge(a,b). edge(b,c).\npath(X, X, [X]).\npath(X, Y, [X|P]) :- edge(X, Z), path(Z, Y, P).\n",
            ["path(a, c, P)", "path(b, b, P)"],
            4,
            "walk(X, Y, [X], R), reverse(R, P)",
        ),
        (
            "size(nil, 0).\nsize(t(L,_,R), N) :- size(L, A), size(R, B), N is A + B + 1.\n"
            "depth(1, 0).\ndepth(t(L,_,R), N) :- depth(L, A), depth(R, B), N is max(A, B) + 1.\n",
            "depth(nil, 0).\ndepth(t(L,_,R), N) :- depth(L, A), depth(R, B), N is max(A, B) + 1.\n",
            ["depth(t(t(nil,1,nil),2,nil), N)", "depth(t(nil,1,nil), N)"],
            3,
            "depth(nil, 0).",
        ),
        (
            "s --> d, n.\nd --> the.\nn --> [cat].\n",
            "s --> [the], [cat].\n",
            ["phrase(s, [the,cat])", "phrase(s, [cat])"],
            2,
            "d --> [the].",
        ),
    ],
    ids=[
        "overlap", "cycle", "reified", "number", "base case", "grammar", "goals near by", "going on", "passed over",
        "right near by first", "counts", "two variables", "exchanged in a list", "a result that is dropped",
        "another constant", "a terminal",
    ],
)  # fmt: skip
def test_faults_that_students_make(
    program: str, right: str, goals: list[str], line: int, after: str, tmp_path: Path
) -> None:
    (tmp_path / "mine.pl").write_text(program)
    (tmp_path / "right.pl").write_text(right)
    found = bridge.debug([bridge.goal(tmp_path / "mine.pl", one) for one in goals], against=tmp_path / "right.pl")
    assert found.suspects[0].place.line == line
    assert found.repair is not None
    assert after in found.repair.text


QUEENS = """:- use_module(library(clpfd)).
queens(N, Qs) :- length(Qs, N), Qs ins 1..N, safe(Qs), label(Qs).
safe([]).
safe([Q|Qs]) :- apart(Q, Qs, 1), safe(Qs).
apart(_, [], _).
apart(Q, [P|Ps], D) :- Q #\\= P, abs(Q - P) #\\= D, E is D + 1, apart(Q, Ps, E).
"""
TASKS = """:- use_module(library(clpfd)).
task(a, 2). task(b, 3).
starts(Ss) :- Ss = [a-A, b-B], A in 0..4, B in 0..4, ordered(Ss), A + B #< 4, label([A, B]).
ordered([X-S, Y-T]) :- task(X, D), S + D #=< T, task(Y, _).
"""
ITEMS = """:- use_module(library(clpfd)).
pack(Cap, Xs, V) :- Ws = [3,4,2], Xs = [_,_,_], Xs ins 0..1, scalar_product(Ws, Xs, #=<, Cap), sum(Xs, #=, V), label(Xs).
"""
INSERT = """insert(X, [], [X]).
insert(X, [Y|Ys], [X,Y|Ys]) :- X =< Y.
insert(X, [Y|Ys], [Y|Zs]) :- X > Y, insert(X, Ys, Zs).
"""
FLAT = """flat([], []).
flat([X|Xs], Ys) :- is_list(X), !, flat(X, A), flat(Xs, B), append(A, B, Ys).
flat([X|Xs], [X|Ys]) :- flat(Xs, Ys).
"""
ABOVE = """parent(a, b). parent(b, c).
above(X, Y) :- parent(X, Y).
above(X, Z) :- parent(X, Y), above(Y, Z).
"""
SHARED = """shared(X, [X|_], k).
shared(X, [_|Ys], N) :- shared(X, Ys, N).
pair(p(A, B), [A-B,A]).
"""
GROWN = """grown(nil, X, t(nil,X,nil)).
grown(t(L,Y,R), X, t(L1,Y,R)) :- X < Y, grown(L, X, L1).
"""
TOUR = """parent(a, b). parent(b, c).
near(X, Y) :- parent(X, Y).
near(X, Y) :- parent(Y, X).
tour(X, X, _, [X]).
tour(X, Y, Seen, [X|P]) :- near(X, Z), \\+ memberchk(Z, Seen), tour(Z, Y, [Z|Seen], P).
"""
NUMBERS = """number([D|Ds]) --> digit(D), number(Ds).
number([D]) --> digit(D).
digit(D) --> [D], { code_type(D, digit) }.
"""
INSERTED = ["insert(2, [1,3], L)", "insert(4, [], L)"]
TOURS = ["near(b, X)", "tour(a, c, [a], P)", "tour(b, a, [b], P)", "tour(c, a, [c], P)"]
READ = ["phrase(number(L), [0'1,0'2])", "phrase(number(L), [0'a])"]


@pytest.mark.parametrize(
    ("right", "goals", "part", "without", "after"),
    [
        (QUEENS, ["queens(4, Qs)", "queens(3, Qs)"], "Qs ins 1..N, ", "", "Qs ins 1..N"),
        (QUEENS, ["queens(4, Qs)", "queens(3, Qs)"], "length(Qs, N), ", "", "length(Qs, N)"),
        (QUEENS, ["queens(4, Qs)", "queens(5, Qs)"], "abs(Q - P) #\\= D, ", "", "abs(Q - P) #\\= D"),
        (QUEENS, ["queens(4, Qs)", "queens(3, Qs)"], "ins 1..N", "ins 1..9", "ins 1..N"),
        (TASKS, ["starts(Ss)"], "S + D #=< T", "S #=< T", "S + D #=< T"),
        (TASKS, ["starts(Ss)"], "ordered(Ss), ", "", "ordered(Ss)"),
        (ITEMS, ["pack(5, Xs, V)", "pack(4, Xs, V)"], "scalar_product(Ws, Xs, #=<, Cap), ", "", "scalar_product(Ws, Xs, #=<, Cap)"),
        (ITEMS, ["pack(5, Xs, V)"], "Xs ins 0..1, ", "", "Xs ins 0..1"),
        (INSERT, INSERTED, "insert(X, [], [X]).\n", "", "insert(X, [], [X])."),
        (FLAT, ["flat([1,[2],3], L)"], "flat([X|Xs], [X|Ys]) :- flat(Xs, Ys).\n", "", "flat([E1|Xs], [E1|B]) :- flat(Xs, B)."),
        (ABOVE, ["above(a, X)"], "above(X, Y) :- parent(X, Y).\n", "", "above(X, Y) :- parent(X, Y)."),
        (SHARED, ["shared(b, [a,b], k)", "pair(p(1, 2), L)"], ":- shared(X, Ys, N)", ":- M is N - 1, shared(X, Ys, M)", "shared(X, Ys, N)."),
        (GROWN, ["grown(t(nil,3,nil), 2, T)"], "grown(nil, X, t(nil,X,nil)).\n", "", "grown(nil, X, t(nil,X,nil))."),
        (TOUR, TOURS, "near(X, Y) :- parent(Y, X).\n", "", "near(Y, X) :- parent(X, Y)."),
        (TOUR, TOURS, "\\+ memberchk(Z, Seen), ", "", "\\+ memberchk(Z, Seen)"),
        (SHARED, ["shared(b, [a,b], k)", "pair(p(1, 2), L)"], "[A-B,A]", "[B-A,A]", "[A-B,A]"),
        (NUMBERS, READ, "number([D]) --> digit(D).\n", "number([D]) --> digit(D), digit(_).\n", "number([D]) --> digit(D)."),
        (NUMBERS, READ, ", { code_type(D, digit) }", "", "{ code_type(D, digit) }"),
    ],
    ids=[
        "a domain", "a length", "a diagonal", "a bound", "a duration", "a goal that nothing calls", "a capacity", "a domain of 0 and 1",
        "a base case", "an element that is kept", "a step to the end", "a step too many",
        "a leaf", "the other way round", "what was seen", "operands", "a goal too many", "a sort of character",
    ],
)  # fmt: skip
def test_programs_that_are_too_weak(
    right: str, goals: list[str], part: str, without: str, after: str, tmp_path: Path
) -> None:
    assert right.count(part) == 1
    (tmp_path / "mine.pl").write_text(right.replace(part, without))
    (tmp_path / "right.pl").write_text(right)


    def text(seconds: float) -> str:
        limits = bridge.Limits(seconds=seconds)
        repair = bridge.debug([bridge.goal(tmp_path / "mine.pl", one) for one in goals], against=tmp_path / "right.pl", limits=limits).repair
        return repair.text.replace("S+D", "S + D") if repair else ""

    given_time(text, lambda found: after in found, 10.0)


def test_goals_near_by() -> None:
    found = near_goals(["len([a, b], N)", "f(1, X)", "p(c)"])
    assert {"f(2, X)", "f(0, X)", "len([b], N)", "len([a, a, b], N)", "len([c, b], N)", "p(a)"} <= set(found)
    assert "len([a, b], N)" not in found
    assert near_goals(["f(0, [], x)"]) == ["f(1, [], x)"]


def test_a_clause_that_is_missing_beside_others_is_not_said_to_be_undefined(tmp_path: Path) -> None:
    (tmp_path / "a.pl").write_text("len([_|T], N) :- len(T, M), N is M + 1.\n")
    done = called("debug", "a.pl", "--missing", "len([a,b], 2)", folder=tmp_path)
    assert "a rule is missing beside this" in done.stdout
    assert "nothing defines" not in done.stdout
    (tmp_path / "b.pl").write_text("p(1).\nq :- p(2).\n")
    done = called("debug", "b.pl", "--unwanted", "p(1)", folder=tmp_path)
    assert "an answer that is not meant: true" in done.stdout


def test_blocks_without_a_test_say_nothing() -> None:
    with pytest.raises(InputError, match="there is no test"):
        bridge.debug("p(X) :- X is 1.", tests=[":- begin_tests(p).\n:- end_tests(p).\n"])


@pytest.mark.parametrize("goal", ["X", "X.", "?- g", ":- g", "p :- q", "p --> q", "p(1", "3", ""])
def test_what_is_no_goal_is_refused(tmp_path: Path, goal: str) -> None:
    file = tmp_path / "p.pl"
    file.write_text("p(1).\np(X) :- q(X).\nq(2).\n")
    for more in ({"missing": [goal]}, {"unwanted": [goal]}):
        with pytest.raises(InputError, match=r"^`.*` is not a goal; write it as in"):
            bridge.debug(file, **more)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"^`.*` is not a goal; write it as in|the goal is empty"):
        bridge.debug([bridge.goal(file, one) for one in ("p(X)", goal)], against=file)
    found = called("debug", str(file), "--missing", goal)
    assert (found.returncode, found.stdout) == (2, "")


def test_a_goal_is_read_with_the_operators_of_the_program(tmp_path: Path) -> None:
    (tmp_path / "op.pl").write_text(":- op(700, xfx, ===>).\na ===> b.\n")
    (tmp_path / "none.pl").write_text("p(1).\n")
    assert bridge.debug(tmp_path / "op.pl", missing="a ===> b").right
    (tmp_path / "clause.pl").write_text("p((a :- b)).\n")
    assert bridge.debug(tmp_path / "clause.pl", missing="p((a :- b))").right
    with pytest.raises(InputError, match="is not a goal"):
        bridge.debug(tmp_path / "none.pl", missing="a ===> b")


DOWN = "down(0).\ndown(N) :- M is N - 1, down(M).\n"


def test_a_goal_that_does_not_end_after_its_answers_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "f.pl").write_text(DOWN)
    limits = bridge.Limits(seconds=PATIENCE)
    found = bridge.debug(bridge.goal(tmp_path / "f.pl", "down(1)"), limits=limits)
    assert (found.right, found.instance, found.surplus) == (False, "?- down(1).", ("(it does not end)",))
    assert [one.place.line for one in found.suspects][:1] == [2]
    found = bridge.debug(tmp_path / "f.pl", missing="down(1)", limits=limits)
    assert not found.right
    assert found.notes == ("?- down(1). has an answer, and does not end after its answers",)
    (tmp_path / "f.pl").write_text(DOWN.replace(":- M", ":- N > 0, M"))
    assert bridge.debug(bridge.goal(tmp_path / "f.pl", "down(1)"), missing="down(1)", limits=limits).right


def test_a_goal_with_the_same_answer_again_and_again_does_not_end(tmp_path: Path) -> None:
    (tmp_path / "n.pl").write_text("n(0).\nn(X) :- n(X).\n")
    found = bridge.debug(tmp_path / "n.pl", missing="n(0)", limits=bridge.Limits(seconds=PATIENCE))
    assert not found.right
    assert found.notes == ("?- n(0). has an answer, and does not end after its answers",)


@pytest.mark.parametrize(
    ("program", "goal", "clause"),
    [
        ("evens([], []).\nevens([H|T], [H|R]) :- 0 is H mod 2, !, evens(T, R).\n", "evens([1,2,3,4], [2,4])",
         "evens([_|T], R) :- evens(T, R)."),
        ("part([], _, [], []).\npart([H|T], P, [H|L], R) :- H =< P, !, part(T, P, L, R).\n",
         "part([1,5,2], 3, [1,2], [5])", "part([E1|T], P, L, [E1|R]) :- part(T, P, L, R)."),
    ],
)
def test_the_clause_for_elements_that_fail_a_test(program: str, goal: str, clause: str, tmp_path: Path) -> None:
    (tmp_path / "f.pl").write_text(program)
    found = bridge.debug(tmp_path / "f.pl", missing=goal, limits=bridge.Limits(seconds=PATIENCE))
    assert found.repair is not None
    assert found.repair.steps[0].after == clause


def test_several_clauses_one_of_which_is_wrong(tmp_path: Path) -> None:
    worth = "".join(f"v({name}, V) :- V = {value}.\n" for name, value in (("a", 1), ("b", 2), ("c", 3)))
    (tmp_path / "s.pl").write_text(f"{worth}s([], 0).\ns([X|Xs], S) :- v(X, V), s(Xs, T), S is T + V.\n")
    found = bridge.debug(tmp_path / "s.pl", missing="s([a,b,c], 7)", limits=bridge.Limits(seconds=PATIENCE))
    assert found.repair is not None
    assert "this may be wrong, or one of " in found.suspects[0].sentence
    assert any(note.startswith("what is meant? ?- s(") for note in found.notes)


@pytest.mark.parametrize(
    ("text", "number", "changed"),
    [
        ("ys(Ys) :- setof(Y, p(X, Y), Ys).", 0, "ys(Ys) :- setof(Y, X^p(X, Y), Ys)"),
        ("del(X, [X|T], T).\nsame(X, X, yes).\nsame(X, Y, no).", 2, "same(X, Y, no) :- X \\== Y"),
        ("p(X) :- ( X > 3 -> write(X) ), nl.", 0, "p(X) :- ( X > 3 -> write(X)  ; true), nl"),
        ("even(N) :- q(N).\nd(X, Y) :- X > 0.", 1, "d(X, Y) :- X > 0, Y is X + 1"),
        ("s(A, B) :- atom_length(A, B).\nt(X, L) :- X = _.", 1, "t(X, L) :- X = _, atom_length(X, L)"),
        ("w(X, Y) :- Y is 2*X.\nall(Xs, Ys) :- Xs = [_|_].", 1, "all(Xs, Ys) :- Xs = [_|_], maplist(w, Xs, Ys)"),
        ("r(_, [], _, []).\nr(A, [B|Bs], X, [C|Cs]) :- Y is X + A, q(B, C).", 1,
         "r(A, [B|Bs], X, [C|Cs]) :- Y is X + A, q(B, C), r(A, Bs, Y, Cs)"),
        ("a --> [x].\nb --> [y].\nc --> a.", 2, "c --> a, b"),
        ("rev([], R, R).\nrev([X|Xs], A, R) :- rev(Xs, [X|A], R).\nr(Xs, Ys) :- true.", 2,
         "r(Xs, Ys) :- true, rev(Xs, [], Ys)"),
        ("p(A, B) :- A = f(B, _).\nq(C, D) :- true.", 1, "q(C, D) :- true, C = f(_, D)"),
        ("p(A, B, C) :- include(A, B, C).\nq(A, B, C) :- true.", 1, "q(A, B, C) :- true, exclude(A, B, C)"),
        ("two([_, _]).\ntwo([X, Y|T]) :- X \\= Y.", 1, "two([X, Y|T]) :- X \\= Y, two([Y|T])"),
        ("p(L, S) :- true.", 0, "p(L, S) :- true, string_chars(S, L)"),
        ("p(X) :- ( q(X) -> r ; s ).", 0, "p(X) :- ( q(X) *-> r ; s )"),
    ],
)
def test_changes_that_add_what_is_absent(text: str, number: int, changed: str) -> None:
    with Reader() as reader:
        program = EditableProgram(reader.read("<text>", text))
    clause = program.clauses[number]
    assert changed in {program.changed(change, clause)[1] for change in program.changes(clause)}


@pytest.mark.parametrize(
    ("program", "goal", "after"),
    [
        ("len([], 0).\nlen([_|T], N) :- N is M+1, len(T, M).\n", "len([a], N)", "len([_|T], N) :- len(T, M), N is M+1"),
        ("p(1).\np(2).\nq(X) :- X > 1, p(X).\n", "q(X)", "q(X) :- p(X), X > 1"),
        ("age(ann, 20).\ntwice(N, M) :- M is 2*N.\nq(X) :- twice(A, M), M > 30, age(X, A).\n", "q(X)",
         "q(X) :- age(X, A), twice(A, M), M > 30"),
        ("add(X, Y, Z) :- Z is X+Y.\n", "add(1, Y, 3)", None),  # leaving out the goal also ends without an error
    ],
)  # fmt: skip
def test_of_an_open_variable_only_the_order_of_goals_is_changed(
    program: str, goal: str, after: str | None, tmp_path: Path
) -> None:
    (tmp_path / "p.pl").write_text(program)
    found = bridge.debug(bridge.goal(tmp_path / "p.pl", goal))
    assert "Arguments are not sufficiently instantiated" in found.because[0]
    assert [None if found.repair is None else found.repair.steps[0].after] == [after]


def test_the_error_of_a_goal_that_should_succeed(tmp_path: Path) -> None:
    """It is said, and a clause that did not run is not suspected."""
    (tmp_path / "p.pl").write_text("not_in(_, []).\nnot_in(X, [Y|Ys]) :- X =\\= Y, not_in(X, Ys).\n")
    found = bridge.debug(bridge.goal(tmp_path / "p.pl", "true"), missing=["not_in(d, [a])"])
    assert "`=\\=` compares numbers" in found.because[0]
    assert [one.place.line for one in found.suspects] == [2]


def test_numbers_are_compared_and_terms_were_meant(tmp_path: Path) -> None:
    (tmp_path / "p.pl").write_text("first(X, Y, X) :- X =< Y.\nfirst(X, Y, Y) :- X > Y.\n")
    found = bridge.debug(bridge.goal(tmp_path / "p.pl", "true"), missing=["first(a, b, a)"])
    assert found.repair is not None
    assert found.repair.diff.endswith("+first(X, Y, X) :- X @=< Y.")


def test_a_goal_that_is_left_out_takes_its_line_with_it(tmp_path: Path) -> None:
    (tmp_path / "p.pl").write_text("p(X, Y) :-\n    X > Y,\n    q(X),\n    q(Y).\nq(1).\nq(2).\n")
    found = bridge.debug(bridge.goal(tmp_path / "p.pl", "true"), missing=["p(1, 1)", "p(1, 2)", "p(2, 1)"])
    assert found.repair is not None
    assert found.repair.diff == "-    X > Y,\n+"
