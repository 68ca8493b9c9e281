"""Terms between Python and Prolog: every kind of value, however large and however deep."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date, datetime
from enum import Enum, StrEnum
from fractions import Fraction
from typing import Any

import pytest
from prolog.toplevel import printed

from bridge.errors import InputError, ProgramError
from bridge.prolog import Answer, Atom, Blob, Dict, Domain, Session, String, Term, Variable
from bridge.prolog.packing import Decoder, encode

PROGRAM = """
deep(0, a) :- !.
deep(N, f(X)) :- M is N - 1, deep(M, X).
partial(0, _) :- !.
partial(N, [N|T]) :- M is N - 1, partial(M, T).
bad:attribute_goals(_) --> { throw(oops) }.
none:attribute_goals(_) --> { fail }.
:- use_module(library(clpfd)).
:- use_module(library(clpb)).
"""


@pytest.fixture(scope="module")
def session(process: str) -> Iterator[Session]:
    with Session(PROGRAM) as opened:
        yield opened


def only(session: Session, goal: str, **inputs: Any) -> Answer:
    answer = session.first(goal, inputs)
    assert answer is not None
    return answer


def nested(depth: int, wrap: Any) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = wrap(value)
    return value


@pytest.mark.slow
@pytest.mark.parametrize(
    "value",
    [
        0, -1, 2**60, -(2**63), 2**64, 7**3000, -(7**5000), 1.5, float("inf"), Fraction(-1, 3), Fraction(2**5000, 3**4000),
        "", "text", 'q"\n\\é☃', "a\0b", Atom(""), Atom("a b"), Atom("☃"), Atom("😀\0"), Atom("[]"), Atom("true"), [], [[]], [1, [2.0, ["x"]]],
        Term("f", (1,)), Term("f", ()), Term("☃", (1,)), Term("-", (1, Term("+", (2, Atom("a"))))), Term("[|]", (1, Atom("x"))), Term("$VAR", (Atom("X"),)),
        Dict(), Dict({2: 1, "a": [Atom("b")]}), Dict({"x": Dict({"y": "s"}, "inner")}, "outer"),
    ],
)  # fmt: skip
def test_what_goes_in_comes_out(session: Session, value: Any) -> None:
    back = only(session, "Y = X", X=value)["Y"]
    assert back == value
    assert repr(back) == repr(value)
    assert type(back) is (String if type(value) is str else type(value))


class Day(StrEnum):
    MON, ODD = "mon", "Not a name"


class Kind(Enum):
    RED, SEVEN = "red", 7


def test_members_of_enums_dates_and_integers_of_numpy_go_in(session: Session) -> None:
    numpy = pytest.importorskip("numpy")
    given = [Day.MON, Day.ODD, Kind.RED, Kind.SEVEN, date(2024, 2, 29), datetime(2024, 1, 2, 3, 4), numpy.int64(2**40), numpy.uint8(3)]
    answer = session.first("X = Y", Y=given)
    assert answer is not None
    assert answer["X"] == [Atom("mon"), Atom("Not a name"), Atom("red"), 7, "2024-02-29", "2024-01-02T03:04:00", 2**40, 3]
    assert [type(one) for one in answer["X"]] == [Atom, Atom, Atom, int, String, String, int, int]


def test_a_plain_dict_goes_in(session: Session) -> None:
    answer = only(session, "get_dict(a, D, X), D.b = Y", D={"a": 1, "b": [None]})
    assert answer["X"] == 1
    assert answer["D"].tag is None
    assert isinstance(answer["Y"][0], Variable)


@pytest.mark.slow
def test_a_million_digits(session: Session) -> None:
    number = 7**1200000
    answer = only(session, "Y is -X, Z is 7**1200000", X=number)
    assert answer["Y"] == -number
    assert answer["Z"] == number


def test_blobs_are_text_that_cannot_go_back(session: Session) -> None:
    stream = only(session, "current_output(S)")
    assert isinstance(stream["S"], Blob)
    assert str(stream) == f"S = {stream['S']}."
    with pytest.raises(InputError, match="cannot go back"):
        session.first("X = S", S=stream["S"])


@pytest.mark.parametrize("wrap", [lambda v: Term("f", (v, 0)), lambda v: [v], lambda v: {"k": v}, lambda v: ["s", v]])
@pytest.mark.parametrize("depth", [99, 100, 101, 250])
def test_nested_values(session: Session, wrap: Any, depth: int) -> None:
    value = nested(depth, wrap)
    assert only(session, "Y = X", X=value)["Y"] == value


@pytest.mark.slow
def test_a_term_far_deeper_than_any_recursion(session: Session) -> None:
    term = only(session, "deep(30000, X)")["X"]
    again = only(session, "Y = _X", _X=term)["Y"]
    assert term == again
    assert hash(term) == hash(again)
    assert str(term) == "f(" * 30_000 + "a" + ")" * 30_000
    assert repr(term).startswith("Term('f', (Term('f', (")
    assert term != again.arguments[0]
    assert [a["Y"] for a in session.query("deep(5000, X), member(Y, [1, 2])")] == [1, 2]
    assert "f(f(f(" in str(only(session, "deep(5000, X)"))


@pytest.mark.slow
def test_a_long_partial_list(session: Session) -> None:
    term = only(session, "partial(20000, L)")["L"]
    for number in range(20000, 0, -1):
        assert (term.name, term.arguments[0]) == ("[|]", number)
        term = term.arguments[1]
    assert isinstance(term, Variable)


def test_a_list_in_itself_is_refused(session: Session) -> None:
    endless: list[Any] = [1]
    endless.append(endless)
    with pytest.raises(InputError, match="contains itself"):
        session.first("X = 1", X=endless)
    shared = [1]
    assert only(session, "Y = X", X=[shared] * 3)["Y"] == [[1]] * 3


@pytest.mark.parametrize(
    ("goal", "residual"),
    [
        ("X = f(X)", ["X=f(X)"]),
        ("X = [a|X]", ["X=[a|X]"]),
        ("X = f(X, Y), Y = g(X)", ["X=f(X, g(X))"]),
        ("Y = g(f(Z)), Z = h(Z, 1), X = 1", ["Z=h(Z, 1)"]),
        ("X = f(_Y), _Y = g(_Y)", ["_S1=g(_S1)"]),
        ("X = f(X), dif(Y, X)", ["dif(Y, X)", "X=f(X)"]),
    ],
)
def test_cyclic_terms_are_residual_goals(session: Session, goal: str, residual: list[str]) -> None:
    answer = only(session, goal)
    assert [str(goal) for goal in answer.residual] == residual
    assert str(answer)


@pytest.mark.local
def test_terms_are_values() -> None:
    one, other = Term("f", (1, [Term("g", ())])), Term("f", (1, [Term("g", ())]))
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other}) == 1
    assert one != Term("f", (1, [Term("h", ())]))
    assert one != Term("f", (1,))
    assert one != 1
    assert str(one) == "f(1, [g()])"
    assert repr(one) == "Term('f', (1, [Term('g', ())]))"
    match one:
        case Term("f", (1, rest)):
            assert rest == [Term("g", ())]


@pytest.mark.local
def test_plain_data_crosses() -> None:
    value = [1, Term("f", ("s", Atom("a"), None)), Fraction(1, 3), Dict({"a": 1}, "t"), True]
    packed = encode(value)
    within = [[3, "f"], [None, "s"], "a", [True, "v", "_"], [True, "q", 1, 3], [-3, "t", "a"], 1, "true"]
    assert packed == [True, "t", [[-1, 5], 1, *within]]
    assert Decoder().value(packed)[2:] == [Fraction(1, 3), Dict({"a": 1}), Atom("true")]


@pytest.mark.local
@pytest.mark.parametrize("wrong", [object(), {1}, b"bytes", 1j, {None: 1}, {True: 1}, "\ud800", Atom("\udfff"), Term("\ud800", (1,))])
def test_what_has_no_counterpart(wrong: Any) -> None:
    with pytest.raises(InputError):
        encode(wrong)


def test_half_a_surrogate_pair(session: Session) -> None:
    """Prolog's text may have it, and the other answers come all the same."""
    half = "atom_codes(_H, [0'a, 0xD800])"
    goal = f"{half}, string_codes(_S, [0xDC00]), dict_pairs(_D, _H, [_H-1]), _F =.. [_H, 1], member(X, [1, _H, _S, _D, _F, Y, 2])"
    for texts in (False, True):
        answers = list(session.query(goal, texts=texts))
        found = [answer["X"] for answer in answers]
        assert found == [1, "a\ud800", "\udc00", {"a\ud800": 1}, Term("a\ud800", (1,)), Variable("Y"), 2]
        assert [type(value) for value in found[1:3]] == [Atom, String]
        assert found[3].tag == "a\ud800"
        assert str(answers[1]) == "X = 'a\\uD800'."
        assert str(answers[2]) == 'X = "\\uDC00".'
    deep = f"{half}, numlist(1, 200, _L), foldl([_, A, f(A)]>>true, _L, _H, X)"
    assert str(only(session, deep)["X"]).count("f(") == 200
    with pytest.raises(ProgramError, match="does not exist"):
        session.first(f"{half}, throw(error(existence_error(thing, _H), _))")


# Copies.


@pytest.mark.slow
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_copies_are_equal(session: Session, copied: Callable[[Any], Any]) -> None:
    variable = Variable()
    values = [
        Atom("x"), Blob("<stream>"), Dict({"a": [1, variable], 2: Atom("b")}, "tag"), Domain(((None, 3),)), variable, Variable("X"),
        Term("f", (variable, [variable, Term("g", ())], {"k": Dict({}, "t")}, Fraction(1, 3), "s"), "its text"),
    ]  # fmt: skip
    for value in values:
        other = copied(value)
        assert other == value
        assert type(other) is type(value)
        assert (repr(other), str(other)) == (repr(value), str(value))
    assert copied(values[2]).tag == "tag"
    assert copied(variable) != Variable()
    for goal in ["true", "X = 1", "X = f(Y, _, \"s\", [a|_])", "X in 1..3, Y #> X, Z = f(_, Y)", "X = p{a: _}", "X = f(X)", "current_output(S)", "deep(5000, X)"]:
        for texts in (False, True):
            answer = next(session.query(goal, texts=texts))
            other = copied(answer)
            assert other == answer
            assert (str(other), [*map(str, other.residual)], list(other)) == (str(answer), [*map(str, answer.residual)], list(answer))
    outcome = session.query("X in 1..2, member(Y, [a, b])").collect()
    assert copied(outcome) == outcome


def test_a_copied_variable_keeps_its_constraints(session: Session) -> None:
    answer = only(session, "X in 1..3, X #< Y")
    for other in (copy.deepcopy(answer["X"]), pickle.loads(pickle.dumps(answer["X"]))):
        assert other is not answer["X"]
        assert (other.domain, other.constraints) == (answer["X"].domain, answer["X"].constraints)
        assert other.constraints[0].arguments[0] is other, "the constraints are about the copy"


@pytest.mark.slow
@pytest.mark.local
def test_terms_are_copied_without_recursion() -> None:
    deep: Any = 1
    for _ in range(10_000):
        deep = Term("f", (deep,))
    wide: Any = 1
    for _ in range(100):  # 2**100 leaves
        wide = Term("f", (wide, [wide]))
    for term in (deep, wide):
        for other in (copy.deepcopy(term), pickle.loads(pickle.dumps(term))):
            assert (other.name, len(other.arguments)) == ("f", len(term.arguments))
            if term is deep:
                assert other == term
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(InputError, match="contains itself"):
        pickle.dumps(Term("f", (endless,)))


def test_answers_are_compared_with_what_constrains_them(session: Session) -> None:
    assert only(session, "X in 1..3") != only(session, "X in 1..4")
    assert only(session, "X = f(_)") == only(session, "X = f(_)")
    assert only(session, "X = f(_)") != only(session, "X = f(Y)")
    assert only(session, "X = 1") == {"X": 1}


# Residual goals.


PRINTED = (
    "freeze(X, writeln(X))",
    "when(?=(X, Y), true)",
    "dif(f(X, Y), f(1, 2))",
    "sat(X + Y), sat(X =:= Z)",
    "X #> 3, X #< Y, Y in 0..10",
    "X in 1..3, freeze(X, true), dif(X, 2)",
    "put_attr(X, nobody, value)",
    "X = Y, Z = f(X, _, W, W)",
    "X = f(X, _)",
    "X = _{a: 1, b: \"s\"}",
    "X = 0'a, Y = \"b\", Z = `c`",
    "X = (a :- b, c ; d), Y = - 1, Z = -(1), W = 1 - -1, V = [a|T]",
    "X = '$VAR'('Foo'), Y = '$VAR'(3)",
    "X = (:- dynamic Y), Z = +(dynamic(W):'Q'), V = dynamic(f(V1, dynamic(_))), T = table(V, - V1)",
    "Y = @(1), Z = @(@(X)), X = #(1)",
    "Y = f([f(-3)|[_|Z]], Y, []), X = [Y, f([])|(X = X)]",
    "Y = g(_, X), T = [Y|T], U = [T, _]",
    "T = point(g(X)), X = _{a: 1}",
    "X = _{a: Y}, Z = [X, _{a: 1}, X], U = T{b: 1}, V = W{c: W}",
    "D = _{a: 1}, length(L, 150), foldl([_, A, f(A)]>>true, L, D, Y)",
    "(Y + X) #>= Z, (Y #>= 3) #\\/ (abs(X) #= Z)",
    "(Z + X + Y) #>= W, (W #>= 3) #\\/ (abs(X) #= Z)",
)  # fmt: skip


@pytest.mark.parametrize("goal", PRINTED)
def test_text_is_what_the_toplevel_prints(session: Session, goal: str) -> None:
    expected = printed(PRINTED, libraries=("clpfd", "clpb"))[goal]
    assert str(only(session, goal)) == expected
    assert str(next(session.query(goal, texts=True))) == expected


@pytest.mark.parametrize("how", [{}, {"untrusted": True}])
def test_operators_of_janus_are_not_those_of_programs(how: dict[str, Any]) -> None:
    with Session("p(X) :- X = f(@(a)).\n", **how) as session:
        for goal in ("X = @a", "X = # 1", "X = @ @ a"):
            with pytest.raises(ProgramError, match="syntax error"):
                session.first(goal)
        assert str(only(session, "p(X), Y = #(1)")) == "X = f(@(a)),\nY = #(1)."
        assert str(next(session.query("p(X), Y = #(Z)", texts=True))) == "X = f(@(a)),\nY = #(Z)."
    with pytest.raises(ProgramError, match=r"[Ss]yntax error"):
        Session("p(@a).\n", strict=True, **how)


def test_clpr_where_it_is_installed() -> None:
    with Session(":- use_module(library(clpr)).\n") as session:
        answer = only(session, "{X = 2 * Y + 1, Y >= 2}")
        assert answer["Y"].constraints
        assert {goal.name for goal in answer.residual} == {"{}"}


@pytest.mark.parametrize("module", ["bad", "none"])
def test_attribute_goals_that_do_not_work_harm_nothing(session: Session, module: str) -> None:
    answers = list(session.query(f"Y = 0 ; put_attr(X, {module}, 1), Y = 1 ; Y = 2"))
    assert [answer["Y"] for answer in answers] == [0, 1, 2]
    assert [str(goal) for goal in answers[1].residual] == [f"put_attr(X, {module}, 1)"]
    assert str(answers[1]) == f"Y = 1,\nput_attr(X, {module}, 1)."


def test_one_variable_of_several_names(session: Session) -> None:
    answer = only(session, "X = Y, Y in 1..2")
    assert answer["X"] is answer["Y"]
    assert answer["X"].name == "Y"
    assert answer["X"].domain == Domain(((1, 2),))


@pytest.mark.slow
@pytest.mark.local
def test_values_of_deep_terms_end_no_process() -> None:
    """In a process of its own: what must not happen here would end this one."""
    code = (
        "from bridge.prolog import Session, Term\n"
        "t = 1\n"
        "for _ in range(100_000): t = Term('f', (t,))\n"
        "u = Term('f', (t,))\n"
        "assert t != u and t == t and hash(t) != hash(u) and len(str(t)) == 300_001\n"
        "l = []\n"
        "for _ in range(50_000): l = [l]\n"
        "a = Session().first('Y = [X]', X=l)\n"
        "d = 0; y = a['Y']\n"
        "while y: y = y[0]; d += 1\n"
        "assert d == 50_001, d\n"
        "print(len(str(a)) < 50_000)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False)
    assert (run.returncode, run.stdout.strip()) == (0, "True"), run.stderr
