"""Errors of Prolog programs: the term, the place, the goals that were running, and the message of swipl."""

from __future__ import annotations

import pickle
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bridge.errors import BridgeError, ProgramError
from bridge.prolog import Atom, Blob, Session, Term, Variable
from bridge.prolog.locate import current

PROGRAM = """sum(X, Y) :- Y is X + foo, true.
outer(X) :- inner(f(X)), true.
inner(Y) :- atom_length(_, Y), true.
missing :- not_there(1), true.
needs(X) :- must_be(integer, X), true.
ball(X) :- throw(my(X, "text", 1r3, [a|_])).
:- multifile prolog:message//1, prolog:error_message//1.
prolog:message(my(X, _, _, _)) --> ['it is about ~w'-[X]].
prolog:error_message(own_error(X)) --> ['an error of ~w'-[X]].
own :- throw(error(own_error(me), _)).
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "program.pl"
    file.write_text(PROGRAM)
    return file


def raised(session: Session, goal: str) -> ProgramError:
    errors = []
    for ask in (lambda: session.first(goal), lambda: session.query(goal).collect()):
        with pytest.raises(ProgramError) as caught:
            ask()
        errors.append(caught.value)
    one, other = errors
    assert str(one) == str(other) or "_" in str(one)
    return one


def test_the_term_is_a_value(file: Path) -> None:
    with Session(file) as session:
        term = raised(session, "sum(1, Y)").term
        formal, context = term.arguments
        assert (term.name, formal) == ("error", Term("type_error", (Atom("evaluable"), Term("/", (Atom("foo"), 0)))))
        assert type(formal.arguments[0]) is Atom
        assert context.arguments[0] == Term(":", (Atom("system"), Term("/", (Atom("is"), 2))))
        assert raised(session, "throw(oops)").term == Atom("oops")
        assert raised(session, "throw([])").term == []
        name, *arguments = (my := raised(session, "ball(X)").term).name, *my.arguments
        assert (name, arguments[1]) == ("my", "text")
        assert isinstance(arguments[0], Variable)
        assert isinstance(arguments[2], session.first("X = 1r3")["X"].__class__)  # type: ignore[index]
        assert arguments[3].name == "[|]"
        assert isinstance(raised(session, "current_output(S), throw(s(S))").term.arguments[0], Blob)
        shared = raised(session, "throw(f(X, Y, X))").term
        assert shared.arguments[0] is shared.arguments[2]
        assert shared.arguments[0] != shared.arguments[1]
        cyclic = raised(session, "X = f(X), throw(X)").term
        assert [str(goal) for goal in cyclic.constraints] == [f"{cyclic}=f({cyclic})"]
        open_one = raised(session, "dif(X, a), throw(g(X))").term
        assert [goal.name for goal in open_one.arguments[0].constraints] == ["dif"]


def test_what_is_thrown_calls_nothing(file: Path, tmp_path: Path) -> None:
    """janus evaluates a term eval(Call) that it is given; none of the program's is."""
    called = f"eval(os:mkdir('{tmp_path}/called'))"
    with Session(file) as session:
        for goal in (f"throw({called})", f"throw(error({called}, {called}))", f"throw(error(type_error(a, {called}), context({called}, {called})))",
                     f"throw(error(a, context(prolog_stack([{called}, frame(1, {called}, {called})]), _)))", f"throw(error(a, file({called}, 1, 2, 3)))"):  # fmt: skip
            assert raised(session, goal).term is not None
            Session(f":- {goal}.\n").close()
    assert not (tmp_path / "called").exists()


def test_a_term_that_is_too_large_is_left_out(file: Path) -> None:
    with Session(file) as session:
        error = raised(session, "numlist(1, 60000, L), throw(L)")
        assert error.term is None
        with pytest.raises(ProgramError) as caught:
            session.first("foo(")
        assert caught.value.term is None, "a syntax error of the goal is found before it runs"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("goal", "line", "backtrace"),
    [
        ("sum(1, Y)", 1, ["is 1+foo", "sum(1, ", "at {file}:1"]),
        ("outer(1)", 3, ["atom_length(", "inner(f(1)) at {file}:3", "outer(1) at {file}:2"]),
        ("missing", 4, ["missing at {file}:4"]),
        ("needs(a)", 5, ["needs(a) at {file}:5"]),
        ("catch(outer(1), nothing, true)", 3, ["inner(f(1)) at {file}:3"]),
        ("findall(X, outer(X), _)", 3, ["outer("]),
        ("X is foo + 1", None, ["is foo+1"]),
    ],
)
def test_place_and_goals(file: Path, goal: str, line: int | None, backtrace: list[str]) -> None:
    with Session(file) as session:
        error = raised(session, goal)
        assert (error.where.line if error.where else None) == line
        told = "\n".join(error.backtrace)
        for part in backtrace:
            assert part.replace("{file}", str(file)) in told
        assert "lpbridge" not in told
        assert str(current().home) not in told


@pytest.mark.slow
@pytest.mark.local
def test_the_message_is_that_of_swipl(file: Path) -> None:
    goals = [
        "sum(1, _)", "outer(1)", "missing", "needs(a)", "own", "ball(x)", "X is foo + 1", "atom_length(X, Y)", "not_there", "true, not_there(1), true",
        "open('/not/there', read, _)", "throw(oops)", "number_codes(X, [0'a])", "call(1)", "arg(x, f(a), _)", "succ(X, a)", "X is 1/0", "functor(T, foo, -1)",
    ]  # fmt: skip
    told = {}
    for goal in goals:
        run = subprocess.run(
            [str(current().swipl), "-g", goal, "-t", "halt", str(file)], capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL
        )
        prefix, _, message = run.stderr.rpartition(f"-g {goal}: ")
        assert prefix, run.stderr
        told[goal] = " ".join(message.replace("\nERROR:", "\n").split())
    with Session(file) as session:
        assert {goal: raised(session, goal).message for goal in goals} == told


def test_errors_can_be_packed_and_pickled(file: Path) -> None:
    with Session(file) as session:
        error = raised(session, "outer(1)")
    again = pickle.loads(pickle.dumps(error))
    assert (again.term.name, again.backtrace, str(again)) == ("error", error.backtrace, str(error))
    plain = ProgramError("wrong", term=["l"], backtrace=["a", "b"])
    packed: Any = BridgeError.unpack(plain.pack())
    assert (packed.term, packed.backtrace, packed.message) == (["l"], ("a", "b"), "wrong")
    assert plain.to_json()["error"]["backtrace"] == ["a", "b"]
    with pytest.raises(ValueError, match="no backtrace"):
        BridgeError.unpack((*BridgeError("x").pack()[:0], "program", "x", None, None, None, [1]))


@pytest.mark.parametrize("untrusted", [False, True])
def test_a_goal_that_cannot_be_undone_is_the_programs_fault(untrusted: bool) -> None:
    with Session("a :- undo((undo(true))).", untrusted=untrusted) as session:
        with pytest.raises(ProgramError):
            str(session.query("a").collect().solutions)  # undone where its text is made
        assert session.query("X = 1").collect().solutions  # the session goes on


def test_a_clause_that_cannot_be_read_is_why_its_predicate_is_unknown() -> None:
    with Session("p(1).\np(X) :- q(X\nr(2).\n") as session:
        for ask in (session.first, lambda goal: session.query(goal).collect()):
            with pytest.raises(ProgramError, match=r"Unknown procedure: r/1; the program defines no r/1, but p/1; not all of the program could be read: .*:2:\d+: error: "):
                ask("r(X)")
        with pytest.raises(ProgramError) as error:
            session.first("X is foo")
        assert "could be read" not in (error.value.hint or "")
