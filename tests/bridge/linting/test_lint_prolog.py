"""`bridge.lint` of Prolog programs: what it finds, and where it is silent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import called

import bridge
from bridge.linting.lint import lint
from bridge.linting.result import Lint


def linted(program: str) -> Lint:
    """Of a program that is the whole."""
    return bridge.lint(bridge.goal(program, "true"))


def found(program: str) -> list[tuple[str, int, str | None]]:
    return [(one.id, one.place.line or 0, one.suggestion) for one in linted(program).findings]


def certain(program: str) -> list[str]:
    return [f"{one.place.line} {one.id}" for one in linted(program).certain]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("size(L, N) :- lenght(L, N).\n", ("PL003", 1, "length")),
        ("edge(a,b).\nreach(X, Y) :- edgee(X, Y).\n", ("PL003", 2, "edge")),
        ("edge(a,b).\nreach(X, Y) :- edge(X, Y, _).\n", ("PL004", 2, "edge/2")),
        ("all(L) :- maplist(evn, L).\neven(2).\n", ("PL003", 1, "even")),
        ("all(L) :- maplist([X]>>evn(X), L).\neven(2).\n", ("PL003", 1, "even")),
        ("big(L) :- findall(X, (member(X, L), hugee(X)), [_|_]).\nhuge(2).\n", ("PL003", 1, "huge")),
        ("s --> np, vpp.\nnp --> [a].\nvp --> [b].\n", ("PL003", 1, "vp")),
        ("s --> np(a).\nnp --> [a].\n", ("PL004", 1, "np//0")),
        ("s(X) --> { foldd(X) }.\nfold(1).\n", ("PL003", 1, "fold")),
        ("p(X) :- ( q(X) -> far(X) ; true ).\nq(1).\nr(1).\n", ("PL003", 1, None)),
        ("p(X) :- X > 2, all_different([X]).\n", ("PL003", 1, ":- use_module(library(clpfd)).")),
        ("p(X) :- X #> 2.\n", ("PL001", 1, ":- use_module(library(clpfd)).")),
        (":- initialization(mian).\nmain :- true.\n", ("PL003", 1, "main")),
        (":- dynamc(p/1).\nq :- p(1).\n", ("PL003", 1, "dynamic")),
        ("p(Result) :- q(Reslut), r(Result).\nq(1).\nr(1).\n", ("PL002", 1, "Result")),
        ("p(X, Y) :- q(X).\nq(1).\n", ("PL002", 1, "_")),
        ("final([_|Rest], X) :- final(Rets, X).\nfinal([X], X).\n", ("PL002", 1, "Rest")),  # both stand once
        ("p(X, Y) :- p(X, Z), q(Z, Y).\np(X, Y) :- q(X, Y).\nq(1, 2).\n", ("PL008", 1, ":- table p/2.")),
        ("e --> e, [+], [x].\ne --> [x].\n", ("PL008", 1, ":- table e//0.")),
        ("p(X, Y) :- p(Y, X).\n", ("PL008", 1, ":- table p/2.")),
        ("p(L) :- p([a|L]).\n", ("PL008", 1, None)),  # a table does not end it
        ("nat(0).\nnat(N) :- nat(M), N is M + 1.\n", ("PL008", 2, None)),
        ("wife(a, b).\nwife(X, Y) :- man(Y, X).\nman(X, Y) :- wife(Y, X).\n", ("PL008", 2, ":- table wife/2.")),
        ("e --> t, [x].\nt --> f.\nf --> e, [y].\n", ("PL008", 1, ":- table e//0.")),
        ("p(N, M) :- M1 is M2 + 1, M = M1, M2 = N.\n", ("PL009", 1, None)),
        ("p(X) :- ( X > 1 ; Y > 2, q(Y) ).\nq(1).\n", ("PL009", 1, None)),
        ("c(N) --> { N > M }, [M].\n", ("PL009", 1, None)),
        ("p(X) :- X mod 2 == 0.\n", ("PL010", 1, "X mod 2 =:= 0")),
        ("p(X) :- X mod 2 \\= 0.\n", ("PL010", 1, "X mod 2 =\\= 0")),
        ("p(0).\np(N) :- N > 0, M = N - 1, p(M).\n", ("PL010", 2, "M is N - 1")),
        ("p(X, Y) :- X*2 + Y = Y*3 + X.\n", ("PL010", 1, "X*2 + Y =:= Y*3 + X")),
        (":- use_module(library(clpfd)).\ns(X, Y) :- X + Y = Y + X, X in 1..3.\n", ("PL010", 2, "X + Y #= Y + X")),
        ("len([], 0).\nlen([_|T], N) :- len(T, M), N = M + 1.\n", ("PL010", 2, "N is M + 1")),
        ("go(L) :- run(L, 1).\nrun([], 9).\nrun([_|T], N) :- M = N + 1, run(T, M).\n", ("PL010", 3, "M is N + 1")),
        (":- use_module(library(clpfd)).\np(X, Y) :- [X, Y] ins 1..3, X = Y + 1.\n", ("PL010", 2, "X #= Y + 1")),
        (":- use_module(library(clpfd)).\np(Vs) :- Vs = [X, Y], X = Y + 1, label(Vs).\n", ("PL010", 2, "X #= Y + 1")),
        ("p(X) => q(X).\np(1) => true.\nq(1).\n", ("PL006", 2, None)),
        ("s --> !, [a].\ns --> [b].\n", ("PL006", 2, None)),
        ("p(1) :- true\nq(2).\n", ("PL001", 1, None)),
        ("p(X) :- if (X > 3) -> true ; fail.\n", ("PL001", 1, None)),
        ("len([], 0).\nlength([], 0).\n", ("PL013", 2, None)),
        ("safe([Q|Qs]) :- noatt(Q, Qs).\nno_att(_, []).\n", ("PL003", 1, "no_att")),
        ("fact(0, 1).\nfact(N, F) :- M is N - 1, fact(M, G), F is g * N.\n", ("PL014", 2, "G")),
        ("p(X) :- X is twice(2).\ntwice(X, Y) :- Y is 2 * X.\n", ("PL014", 1, None)),
        ("p(1). p(X) :- q(X) . , r(X).\nq(1).\n", ("PL001", 1, None)),
    ],
)  # fmt: skip
def test_what_is_found(program: str, expected: tuple[str, int, str | None]) -> None:
    assert expected in found(program)


@pytest.mark.slow
@pytest.mark.parametrize(
    "program",
    [
        ":- use_module(library(clpfd)).\np(X, Y) :- X #= Y + 1, Y in 1..3, label([X]).\n",
        ":- use_module(library(clpfd)).\np(P, A, B) :- [A, B] ins 1..3, P = A-B, A-B = B-_.\n",
        "same(X + Y, Z) :- Z = Y + X.\n",
        ":- op(700, xfx, ===>).\na ===> b.\nq(X) :- X ===> b.\n",
        ":- dynamic counter/1.\nnext(N) :- counter(N).\n",
        "p(X, Y) :- Y is pi * X + e + max(X, 2) + random(5) + cputime, X =:= \"a\", X is [3].\n",
        "remember(X) :- assertz(seen(X)).\nknown(X) :- seen(X).\n",
        ":- table path/2.\npath(X, Y) :- path(X, Z), edge(Z, Y).\npath(X, Y) :- edge(X, Y).\nedge(a, b).\n",
        "nat(0).\nnat(N) :- nat(M), N is M + 1.\n",  # that it enumerates may be meant
        "try(X) :- random_between(1, 9, X).\ntry(X) :- try(X).\n",
        "even(0).\neven(N) :- odd(M), N is M + 1.\nodd(s(N)) :- even(N).\n",
        "even(0).\neven(s(N)) :- odd(N).\nodd(s(N)) :- even(N).\n",
        ":- table wife/2.\nwife(X, Y) :- man(Y, X).\nman(X, Y) :- wife(Y, X).\n",
        "p(0) :- !.\np(X) :- p(Y), X is Y + 1.\n",  # the first clause ends it
        ":- discontiguous p/1.\np(1).\nq(1).\np(2).\n",
        "p(1).\np(1, 2).\n",
        "opt(M, _) --> M, !.\nopt(_, D) --> D.\n",
        "neg(G) :- G, !, fail.\nneg(_).\n",
        "p(X) :- !, q(X).\np(_, 1).\nq(1).\n",
        "p(1) :- !.\np(_).\n",
        "pair(X-Y, S) :- X-Y = S.\n",
        "sum([], T, R) :- R is T.\nsum([X|Xs], T, R) :- S = T + X, sum(Xs, S, R).\nrun(L, R) :- sum(L, 0, R).\n",
        "poly([], 0).\npoly([X|Xs], E) :- poly(Xs, F), E = X + F.\n",
        "db.\nload(X) :- X = 1 + 2, db.\n",
        "d(X, X, 1).\nd(U + V, X, D) :- d(U, X, A), d(V, X, B), D = A + B.\n",
        "value(1, 1).\nvalue(E, V) :- E = A + B, value(A, X), value(B, Y), V is X + Y.\n",
        "simplify(X + 0, X).\nsimplify(T, T) :- T = _ + _.\n",
        "p(X) :- Y = X + 1, Z is Y * 2, print(Z).\n",
        "p(X, Y) :- ( X = 1 -> Y = 2 ; Y = 3 ), Z is X + Y, print(Z).\n",
        "p(L, S) :- foldl([X, A, B]>>(B is A + X), L, 0, S).\n",
        "p(X) :- freeze(Y, Y > 2), q(X, Y).\nq(1, 3).\n",
        ":- use_module(library(plunit)).\n:- begin_tests(a).\ntest(a) :- true.\ntest(b, X == 1) :- X = 1.\ntest(c).\n:- end_tests(a).\n",
        ":- if(current_prolog_flag(dialect, yap)).\np(1) :- foo(1).\n:- else.\np(1).\n:- endif.\nq(1).\n",
        "term_expansion(a, b).\np(1).\nq(1).\np(2) :- foo(1).\n",
        ":- use_module(library(chr)).\n:- chr_constraint leq(?any, ?any).\nreflexivity @ leq(X, X) <=> true.\n",
        "#!/usr/bin/env swipl\n:- initialization(main, main).\nmain :- writeln(hello).\n",
        "user:portray(secret(_)) :- write(hidden).\n",
        ":- use_module(library(record)).\n:- record point(x:integer = 0, y:integer = 0).\np(X) :- default_point(P), point_x(P, X).\n",
        "p(X, Y) :- Y = X.get(a).\n",
        "foo() :- true.\np :- bar().\nbar() :- true.\n",
        ":- set_prolog_flag(double_quotes, codes).\ngreeting --> \"hello\", digits(_).\ndigits([]) --> [].\n",
        "p(X) :- current_predicate(q/1), q(X).\n",
        "p(_Head, _Heads, _Tail, _Tial).\n",
        "p(Term, Terms1) :- q(Term, Terms1, Terms).\nq(_, _, _).\n",
        "p(X) :- X = \"a % b\", q(X). % lint: off\nq(_).\n",
        "h(X) :- html({|html(X)||<p>X</p>|}).\nhtml(_).\n",
        "area(D, X) :- X is D.width * D.height, X > D.least.\n",
    ],
)  # fmt: skip
def test_no_warning_where_nothing_is_wrong(program: str) -> None:
    assert certain(program) == []


@pytest.mark.slow
def test_what_may_be_defined_elsewhere_is_a_remark(tmp_path: Path) -> None:
    path = tmp_path / "part.pl"
    path.write_text("p(X) :- elsewhere(X).\np(X) :- elsewhere(X), p(X).\n")
    (one,) = [one for one in lint(path).findings if one.id == "PL003"]
    assert (one.level, one.place.line) == ("info", 1)  # once
    path.write_text(":- module(part, [p/1]).\np(X) :- elsewhere(X).\n")
    assert [one.level for one in lint(path).findings] == ["warning"]
    path.write_text(":- module(part, [p/1]).\n:- use_module(library(not_there)).\np(X) :- elsewhere(X).\n")
    assert [one.level for one in lint(path).findings] == ["info"]
    path.write_text(":- module(part, [p/1, q/2]).\np(1).\n")
    assert [(one.id, one.place.column) for one in lint(path).certain] == [("PL003", 23)]


@pytest.mark.slow
def test_files_that_it_loads_are_read_and_not_run(tmp_path: Path) -> None:
    (tmp_path / "ops.pl").write_text(":- module(ops, [op(700, xfx, ===>), twice/2]).\ntwice(X, Y) :- Y is 2 * X.\n")
    (tmp_path / "plain.pl").write_text(f":- open('{tmp_path}/written', write, S), close(S).\nfact(1).\nbad(.\n")
    (tmp_path / "part.pl").write_text("included(X) :- factt(X).\n")
    path = tmp_path / "main.pl"
    path.write_text(
        ":- use_module(ops).\n:- ensure_loaded(plain).\n:- include(part).\n:- halt.\n"
        "a ===> b.\nmain :- included(_), twice(1, _), fact(_).\n"
    )
    result = lint(path)
    assert not (tmp_path / "written").exists()
    assert [(Path(one.place.file or "").name, one.id, one.level, one.suggestion) for one in result.findings] == [
        ("part.pl", "PL003", "info", "fact")  # a clause of plain.pl cannot be read: it may be defined there
    ]
    (tmp_path / "plain.pl").write_text("fact(1).\n")
    assert [(one.level, one.suggestion) for one in lint(path).findings] == [("warning", "fact")]


def test_all_syntax_errors_are_found() -> None:
    result = linted("p(1 :- q.\nr(2).\ns(3) t.\nu(X) :- v(X.\nw(1).\n")
    assert [(one.id, one.place.line) for one in result.findings if one.id == "PL001"] == [("PL001", 1), ("PL001", 3), ("PL001", 4)]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    "program",
    ["", "%", "/* open", "'open", "p(", ".", ":- .", "a:-b:-c.", "\x00", "p(\"\\x\").", ":- module(_, _).", ":- module(a, [b/c|_]).",
     ":- op(a, b, c).", ":- dynamic X.", ":- include(_).", ":- use_module(_).", ":- [X|Y].", ":- else. :- endif.", "X :- Y.", "X.",
     "X --> Y.", "_:p.", "p :- _:q.", "(a :- b) :- c.", "[a] --> b.", "a, [b] --> c.", "1.", "\"text\".", "[].", "f().", "p :- f()(X).",
     ":- if(a).", ":- table p(_, min).", "p(X) :- maplist(X, Y, Z).", "- (1).", "p :- a -> b.", "é(ü) :- 'ñ'.", "p(0'a, 0''', 0'').",
     ":- use_module('../x').", ":- use_module(library(_)).", ":- use_module(library(a/b/c)).", "p :- \\+ .", "p :- {a}, [b], {}.",
     ":- initialization main.", ":- set_prolog_flag(double_quotes, wrong).", "end_of_file.\np(", "p(X), q(X) :- r.", "?- p.", "?- X.",
     ":- style_check(-singleton).\np(X).", ":- use_module(library(lists), [append/3 as app]).\np :- app(_, _, _).", "\ufeffp(1)."],
)  # fmt: skip
def test_it_never_raises(program: str) -> None:
    result = linted(program + "\n")
    assert result.notes == ()


def test_text_that_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "a.pl"
    path.write_bytes("name('é').\nq(X) :- nme(X).\n".encode("latin-1"))
    assert [(one.id, one.place.line, one.place.column) for one in lint(path).certain] == [("PL003", 2, 9)]


def test_a_circle_of_links_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "one.pl").symlink_to("one.pl")
    run = called("lint", "one.pl", folder=tmp_path)
    assert (run.returncode, "a bug in lpbridge" in run.stderr) == (2, False)


def test_a_comment_is_for_the_next_clause_only() -> None:
    program = "q(1).\n% lint: off PL003\np(X) :-\n    qq(X).\nr(X) :- qqq(X).\n"
    assert [line for id, line, _ in found(program) if id == "PL003"] == [5]


def test_places_are_in_characters_and_underline_the_part() -> None:
    result = linted("name('é'). node(1). p :- name('é'), noode(1).\n")
    (one,) = result.findings
    assert (one.place.column, one.end) == (37, (1, 45))
    assert list(result.underlined(one))[1] == " " * 40 + "^~~~~~~~"


def test_fix_writes_the_blank_variable(tmp_path: Path) -> None:
    path = tmp_path / "a.pl"
    path.write_text("name('é', Long) :- node(Longer, 1).\nnode(_, _).\n")
    called("lint", str(path), "--fix")
    assert path.read_text() == "name('é', _) :- node(_, 1).\nnode(_, _).\n"


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "a.pl"
    path.write_text("size(L, N) :-\n    lenght(L, N).\n")
    run = called("lint", str(path))
    assert run.returncode == 1
    assert run.stdout.splitlines()[:3] == [
        f"{path}:2:5: warning: nothing defines lenght/2 (did you mean length?) [PL003]",
        "    " + "    lenght(L, N).",
        "    " + "    ^~~~~~~~~~~~",
    ]
    data = json.loads(called("lint", str(path), "--json").stdout)
    assert data["findings"][0] == {
        "id": "PL003", "name": "prolog-undefined-predicate", "level": "warning", "file": str(path), "line": 2, "column": 5,
        "end": {"line": 2, "column": 17}, "sentence": "nothing defines lenght/2", "suggestion": "length",
    }  # fmt: skip
    assert called("lint", str(path), "--format", "gcc").stdout.startswith(f"{path}:2:5: warning: nothing defines")
    sarif = json.loads(called("lint", str(path), "--format", "sarif").stdout)
    assert sarif["runs"][0]["results"][0]["ruleId"] == "PL003"
    path.write_text("size(L, N) :- length(L, N).\n")
    assert called("lint", str(path)).returncode == 0
    assert called("lint", str(path), "--instances").returncode == 2
    assert called("lint", str(tmp_path / "nowhere.pl")).returncode == 2


@pytest.mark.slow
def test_diagnose_and_debug_begin_with_what_is_certain(tmp_path: Path) -> None:
    path = tmp_path / "a.pl"
    path.write_text("len([], 0).\nlen([_|T], N) :- lenn(T, M), N is M + 1.\n")
    first = f"{path}:2:18: warning: nothing defines lenn/2 (did you mean len?) [PL003]"
    error, _, second, *_ = called("debug", str(path), "--missing", "len([a], 1)").stdout.splitlines()
    assert (error[: len(f"{path}:2:18: ")], second) == (f"{path}:2:18: ", first)
    path.write_text("p(X) :- X = 1, X = 2.\np(X) :- X mod 2 = 0.\n")
    assert called("diagnose", str(path), "--goal", "p(3)").stdout.splitlines()[0].endswith("[PL010]")
    found = json.loads(called("diagnose", str(path), "--goal", "p(3)", "--json").stdout)
    assert [one["id"] for one in found["lint"]] == ["PL010"]
    path.write_text("p(X) :- lenght(X, 2).\n")
    refused = called("diagnose", str(path), "--goal", "p([a, b])")
    assert refused.returncode == 2
    assert "did you mean length/2?" in refused.stderr


@pytest.mark.parametrize(
    ("clause", "meant"),
    [
        ("p(X) :- X <= 3.", "=<"), ("p(X) :- X != 3.", "\\="), ("p(X) :- q(X) && r(X).", ","), ("p(X) :- q(X) or r(X).", ";"),
        ("p(X) <= q(X).", ":-"), ("p(X) if q(X).", ":-"), ("p(X) :- q(X) r(X).", None),
    ],
)  # fmt: skip
def test_operators_of_other_languages(clause: str, meant: str | None, tmp_path: Path) -> None:
    (tmp_path / "a.pl").write_text(f"{clause}\n")
    first = bridge.lint(tmp_path / "a.pl").findings[0]
    assert (first.id, first.suggestion) == ("PL001", meant)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("q(1).\n\té(X) :- é X.\n", (2, 12)),
        ("p(X) :-\n\tX in 1..5.\n", (2, 4)),
        ("p(1,,2).\n", (1, 5)),
        ("p :- é(1) é é.\n", (1, 11)),
    ],
)
def test_columns_of_syntax_errors_count_characters_as_in_run(text: str, place: tuple[int, int], tmp_path: Path) -> None:
    (tmp_path / "p.pl").write_text(text)
    found = bridge.lint(tmp_path / "p.pl").findings[0].place
    assert (found.line, found.column) == place
