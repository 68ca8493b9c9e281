"""SWI-Prolog: loading, queries, answers with residual constraints, limits, interrupts, errors."""

from __future__ import annotations

import subprocess
import sys
import threading
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE, ends, given_time, interrupted, until
from prolog.toplevel import printed

from bridge.errors import BridgeError, InputError, ProgramError
from bridge.limits import Limits
from bridge.prolog import Answer, Atom, Domain, Session, String, Term, Variable

PROGRAM = """
:- use_module(library(clpfd)).
p(X, Y) :- X in 1..5, X #\\= 3, Y #> X, Y #< 9.
value(1). value(2.5). value(abc). value("text"). value([1, [a]]). value(f(x, "y")). value(1r3).
value(123456789012345678901234567890). value('Two Words'). value([]). value({a}).
loop :- repeat, catch(spin, _, true), fail.
spin :- spin.
"""


@pytest.fixture(scope="module")
def session(process: str) -> Any:
    with Session(PROGRAM) as opened:
        yield opened


def only(session: Session, goal: str, **inputs: Any) -> Answer:
    (answer,) = session.query(goal, inputs)
    return answer


def test_values_arrive_as_python_values(session: Session) -> None:
    values = [answer["X"] for answer in session.query("value(X)")]
    expected = [1, 2.5, Atom("abc"), String("text"), [1, [Atom("a")]], Term("f", (Atom("x"), String("y"))), Fraction(1, 3),
                123456789012345678901234567890, Atom("Two Words"), [], Term("{}", (Atom("a"),))]  # fmt: skip
    assert values == expected
    assert [type(value) for value in values] == [type(value) for value in expected]


def test_values_go_in_as_they_come_out(session: Session) -> None:
    given = [1, -2.5, Atom("a b"), "text", [[Atom("x")], 2**100], Term("f", (1, Term("g", ([],)))), Fraction(-2, 7), "é\n\"q\""]
    assert only(session, "Y = X", X=given)["Y"] == given
    assert only(session, "X = true, Y = false", X=True)["Y"] == Atom("false")


def test_atoms_and_strings_are_told_apart(session: Session) -> None:
    assert len(session.query("atom(X)", X=Atom("a")).collect().solutions) == 1
    assert len(session.query("string(X)", X="a").collect().solutions) == 1
    assert only(session, "X = a")["X"] == "a"


@pytest.mark.parametrize("wrong", [(1, 2), {2.5: 1}, object(), {1}])
def test_what_is_no_term_is_refused(session: Session, wrong: object) -> None:
    with pytest.raises(InputError):
        session.query("X = 1", X=wrong).collect()


def test_an_input_without_a_variable_is_refused(session: Session) -> None:
    with pytest.raises(InputError, match="no variable 'Z'"):
        session.query("X = 1", Z=1).collect()


def test_residual_constraints_are_data(session: Session) -> None:
    answer = only(session, "p(X, Y)")
    x, y = answer["X"], answer["Y"]
    assert isinstance(x, Variable)
    assert (x.name, x.domain, y.domain) == ("X", Domain(((1, 2), (4, 5))), Domain(((2, 8),)))
    assert [str(goal) for goal in answer.residual] == ["X in 1..2\\/4..5", "X#=<Y+ -1", "Y in 2..8"]
    assert answer.residual[1] == Term("#=<", (x, Term("+", (y, -1))))
    assert x.constraints == answer.residual[:2]
    assert y.constraints == answer.residual[1:]
    assert list(x.domain) == [1, 2, 4, 5]
    assert 3 not in x.domain
    assert str(answer) == "X in 1..2\\/4..5,\nX#=<Y+ -1,\nY in 2..8."


def test_a_definite_answer_has_no_residual(session: Session) -> None:
    answer = only(session, "p(X, Y)", X=5, Y=7)
    assert (dict(answer), answer.residual) == ({"X": 5, "Y": 7}, [])


def test_named_variables_name_the_residual(session: Session) -> None:
    rows = [[Variable("r1c1"), None], [Variable("r1c1"), Variable("r2c2")]]
    answer = only(session, "append(Rows, [A, _B, C, D]), A in 0..3, A #< D, D in 0..9", Rows=rows)
    assert answer["Rows"][0][0] is answer["Rows"][1][0], "the same name is the same variable"
    assert answer["Rows"][0][0] is answer["A"] is answer["C"]
    assert answer["A"].name == "r1c1"
    assert [str(goal) for goal in answer.residual] == ["r1c1 in 0..3", "r1c1#=<r2c2+ -1", "r2c2 in 1..9"]


@pytest.mark.parametrize(
    ("goal", "residual"),
    [
        ("dif(X, a)", [Term("dif", (Variable("X"), Atom("a")))]),
        ("X #> 3", [Term("in", (Variable("X"), Term("..", (4, Atom("sup")))))]),
        ("when(nonvar(X), true)", None),
        ("freeze(X, true)", None),
        ("tuples_in([[X, Y]], [[1, 2], [1, 3], [2, 3]])", None),
    ],
)
def test_other_constraints(session: Session, goal: str, residual: list[Term] | None) -> None:
    answer = only(session, goal)
    assert answer["X"].constraints
    assert set(map(str, answer["X"].constraints)) <= set(map(str, answer.residual))
    if residual is not None:
        assert answer.residual == residual


def test_domains_without_bounds(session: Session) -> None:
    domain = only(session, "X #> 3")["X"].domain
    assert domain == Domain(((4, None),))
    assert 10**30 in domain
    with pytest.raises(InputError, match="not finite"):
        list(domain)


PRINTED = (
    "X in 1..5, X #\\= 3, Y #> X, Z = f(X, W, W, _)",
    "X = [A, B, c, \"s\", 'Q q'], A #< B, B in 1..3",
    "X = Y, Y in 1..2",
    "length(L, 12), L ins 1..12, all_distinct(L)",
    "dif(X, Y), X = f(_)",
    "X = 1, Y = \"a\"",
    "X = f(A, B, A)",
    "true",
    "X #= 2",
)


@pytest.mark.parametrize("goal", PRINTED)
def test_text_is_what_the_toplevel_prints(session: Session, goal: str) -> None:
    assert str(only(session, goal)) == printed(PRINTED)[goal]


@pytest.mark.parametrize("untrusted", [False, True])
def test_an_answer_is_printed_while_its_query_is_open(untrusted: bool) -> None:
    """By another worker, with the program's own operators: added ones, changed ones, and one taken away."""
    program = ":- op(700, xfx, beats). :- op(200, xfx, +). :- op(0, xfx, =>). p(a beats b). p('=>'(a + b, c)). p(c)."
    with Session(program, untrusted=untrusted) as session, session.query("p(X)") as answers:
        printed = [str(answer) for answer in answers if answers.found < 3]
    assert printed == ["X = (a beats b).", "X = =>(a+b, c)."]


def test_answers_are_streamed_and_counted(session: Session) -> None:
    with session.query("between(1, inf, X)") as answers:
        assert [next(answers)["X"] for _ in range(3)] == [1, 2, 3]
    assert not answers.complete
    outcome = session.query("between(1, 2000, X)").collect()
    assert [answer["X"] for answer in outcome.solutions] == list(range(1, 2001))
    assert outcome.complete
    assert outcome.statistics.counters["inferences"] > 2000
    assert {"load", "solve", "cpu"} <= outcome.statistics.seconds.keys()
    few = session.query("between(1, inf, X)", limits=Limits(solutions=5)).collect()
    assert (len(few.solutions), few.complete, few.limit) == (5, False, "solutions")


def test_a_goal_that_fails_or_tells_nothing(session: Session) -> None:
    assert session.query("fail").collect().solutions == ()
    assert dict(only(session, "true")) == {}
    assert dict(only(session, "_Hidden = 1")) == {}


def test_phases_are_told_apart(session: Session) -> None:
    with Session(":- use_module(library(clpfd)).\n:- import(lpbridge:phase/2).\n") as fresh:
        goal = "phase(post, (length(L, 6), L ins 1..6, all_distinct(L))), labeling([ff], L)"
        statistics = fresh.query(goal, limits=Limits(solutions=2)).collect().statistics
        assert 0 < statistics.counters["post_inferences"] < statistics.counters["inferences"]
        assert statistics.seconds["post"] > 0
        assert statistics.seconds["solve"] > 0
        failing = fresh.query("phase(post, (X in 1..2, X #> 5))").collect()
        assert (failing.solutions, failing.complete) == ((), True)
        assert failing.statistics.counters["post_inferences"] > 0


def test_inner_queries(session: Session) -> None:
    pairs = [(a["X"], b["Y"]) for a in session.query("between(1, 3, X)") for b in session.query("between(1, X, Y)", X=a["X"])]
    assert pairs == [(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3)]


@pytest.mark.local
def test_queries_in_the_wrong_order(session: Session) -> None:
    outer, inner = session.query("between(1, 3, X)"), session.query("between(1, 3, Y)")
    next(outer), next(inner)
    with pytest.raises(BridgeError, match="a later query"):
        next(outer)
    # Closed out of order: nothing breaks, and the next query works.
    assert next(inner)["Y"] == 2
    inner.close()
    assert len(session.query("between(1, 3, X)").collect().solutions) == 3
    first, second = session.query("between(1, 3, X)"), session.query("between(1, 3, Y)")
    next(first), next(second)
    first.close()
    assert next(second)["Y"] == 2
    second.close()
    assert len(session.query("between(1, 3, X)").collect().solutions) == 3


@pytest.mark.local
def test_a_query_belongs_to_its_thread(session: Session) -> None:
    answers = session.query("between(1, 3, X)")
    next(answers)
    caught: list[BaseException] = []

    def steal() -> None:
        try:
            next(answers)
        except BaseException as error:
            caught.append(error)

    thread = threading.Thread(target=steal)
    thread.start()
    thread.join(10)
    assert len(caught) == 1
    assert isinstance(caught[0], InputError)
    answers.close()
    assert len(session.query("between(1, 3, X)").collect().solutions) == 3


def test_sessions_in_other_threads(session: Session) -> None:
    found: list[object] = []

    def work() -> None:
        with Session("q(1). q(2).") as other:
            found.append([answer["X"] for answer in other.query("q(X)")])
            found.append(other.query("repeat, fail", limits=Limits(seconds=0.2)).collect().limit)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert sorted(map(str, found)) == ["[1, 2]", "[1, 2]", "seconds", "seconds"]


def test_threads_may_start_prolog_at_once() -> None:
    code = """
import sys, threading
from bridge.prolog import Session

together = threading.Barrier(8)
found = []

def work():
    together.wait()
    with Session("q(1). q(2).", isolated=False) as session:
        found.append([answer["X"] for answer in session.query("q(X)")])

threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
sys.exit(found != [[1, 2]] * 8)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert run.returncode == 0, run.stderr


def test_a_query_is_closed_from_another_thread(session: Session) -> None:
    answers = session.query("repeat, fail")
    waiting = threading.Thread(target=answers.collect)
    waiting.start()
    until(lambda: not answers._iterating.acquire(blocking=False) or answers._iterating.release())
    with ends():
        answers.close()
        waiting.join(PATIENCE)
    assert only(session, "X = 1")["X"] == 1


def test_sessions_do_not_see_each_other() -> None:
    with Session("mine(1).") as one, Session("yours(2).") as other:
        assert only(one, "mine(X)")["X"] == 1
        assert only(other, "yours(X)")["X"] == 2
        with pytest.raises(ProgramError, match="Unknown procedure: mine/1"):
            other.query("mine(X)").collect()


@pytest.mark.parametrize("goal", ["loop", "repeat, fail", "spin", "catch((repeat, fail), _, (repeat, fail))"])
def test_the_time_limit_stops_anything(session: Session, goal: str) -> None:
    with ends():
        outcome = session.query(goal, limits=Limits(seconds=0.2)).collect()
    assert (outcome.solutions, outcome.complete, outcome.limit) == ((), False, "seconds")
    assert only(session, "X = 1")["X"] == 1


def test_the_time_limit_keeps_what_was_found(session: Session) -> None:
    outcome = given_time(
        lambda seconds: session.query("between(1, 3, X) ; loop", limits=Limits(seconds=seconds)).collect(),
        lambda outcome: len(outcome.solutions) == 3,
    )
    assert ([answer["X"] for answer in outcome.solutions], outcome.limit) == ([1, 2, 3], "seconds")


def test_ctrl_c_stops_a_query_and_keeps_what_was_found(session: Session) -> None:
    for _ in range(2):
        partial = given_time(
            lambda seconds: interrupted(lambda: session.query("between(1, 3, X) ; loop").collect(), seconds),
            lambda partial: len(partial.solutions) == 3,
        )
        assert partial.limit == "interrupt"
    assert only(session, "X = 1")["X"] == 1


def test_an_error_in_the_program_names_its_place(tmp_path: Path) -> None:
    file = tmp_path / "wrong.pl"
    file.write_text(":- module(wrong, [half/2]).\n\nhalf(X, Y) :-\n    atom_length(a, _),\n    Y is X / two,\n    true(Y).\n")
    with Session(file) as session:
        with pytest.raises(ProgramError, match="`two/0' is not a function") as raised:
            session.query("half(3, Y)").collect()
        assert str(raised.value).startswith(f"{file}:5")
        # The session goes on.
        assert only(session, "X = 1")["X"] == 1


@pytest.mark.parametrize(
    ("goal", "message"),
    [
        ("foo(", "syntax error in"),
        ("X = ", "syntax error in"),
        ("no_such_thing(X)", "Unknown procedure: no_such_thing/1"),
        ("X is foo + 1", "is not a function"),
        ("atom_length(X, Y)", "not sufficiently instantiated"),
        ("throw(my_ball)", "my_ball"),
        ("42", "it is a number; only an atom or a compound term can be called"),
        ("?- p", r"^not a goal: `\?- p`: `\?-` is the prompt"),
        (":- p", "^not a goal: "),
        ("p :- q", "^not a goal: "),
        ("p --> q", "^not a goal: "),
    ],
)
def test_an_error_in_the_goal(session: Session, goal: str, message: str) -> None:
    with pytest.raises(ProgramError, match=message):
        session.query(goal).collect()


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("p(1).\np(2) p(3).\n", "2:6", "Operator expected"),
        ("p(1).\n:- foo(.\n", "2:8", "Syntax error"),
        (":- use_module(library(no_such_library)).\n", "1", "no_such_library"),
    ],
)
def test_an_error_while_loading_names_its_place(tmp_path: Path, text: str, where: str, message: str) -> None:
    file = tmp_path / "wrong.pl"
    file.write_text(text)
    with pytest.raises(ProgramError, match=message) as raised:
        Session(file, strict=True)
    assert str(raised.value).startswith(f"{file}:{where}")
    with pytest.raises(ProgramError, match=message) as raised:
        Session(text, strict=True)
    assert str(raised.value).startswith(f"<text>:{where}")


def test_warnings_while_loading_are_kept(capfd: pytest.CaptureFixture[str]) -> None:
    with Session("p(X).\n:- fail.\n") as session:
        assert any("Singleton variables: [X]" in warning for warning in session.warnings)
        assert any(warning.startswith("<text>:2") for warning in session.warnings)
    assert capfd.readouterr().err == ""


def test_a_missing_file() -> None:
    with pytest.raises(InputError, match="no such file"):
        Session("nowhere.pl")


def test_closing_a_session_closes_its_queries() -> None:
    with Session("q(1). q(2).") as session:
        answers = session.query("q(X)")
        next(answers)
    assert list(answers) == []


@pytest.mark.parametrize("isolated", [True, False])
def test_a_program_may_redefine_what_the_bridge_uses(process: str, isolated: bool) -> None:
    """Every predicate of the system and of libraries that is not ISO, defined by the program: the answers are the same."""
    visible = (
        "( M = system ; member(M, [lists, apply, error, assoc, debug, strings, option, aggregate]), "
        "use_module(library(M)) ), predicate_property(M:H, defined), \\+ predicate_property(M:H, imported_from(_)), "
        "functor(H, N, A), atom(N), \\+ sub_atom(N, 0, _, _, $), \\+ memberchk(N/A, [import/1, use_module/1]), "
        "\\+ (M == system, predicate_property(M:H, iso)), \\+ predicate_property(M:H, multifile), "
        "\\+ predicate_property(user:H, multifile), format(atom(Q), '~q', [N])"
    )
    with Session("t.") as session:
        heads = {(str(answer["Q"]), answer["A"]) for answer in session.query(visible)}
    assert len(heads) > 500
    redefined = "".join(
        f"{name}{'(' + ','.join('_' * arity) + ')' if arity else ''} :- throw(redefined).\n"
        for name, arity in sorted(heads)
    )
    program = (
        'val(1). val(f(_, [a|_], "s")). val([a, b|_]). val(X) :- dif(X, 1). val(X) :- freeze(X, true). val(X) :- X = f(X).\n'
        "bad :- _ is foo + 1.\n"
    )
    replies = []
    for text in (program, f":- style_check(-discontiguous).\n{redefined}{program}"):
        with Session(text, isolated=isolated) as session:
            assert session.warnings == []
            reply = [str(answer) for answer in session.query("val(X)")]
            reply += [str(answer) for answer in session.query("val(X), Z = Y", Y=[1, "a", {"k": 2}])]
            for goal in ("bad", "nope(X)", "X = ["):
                with pytest.raises(ProgramError) as raised:
                    session.query(goal).collect()
                reply.append(f"{raised.value.where} {raised.value.message}")  # the hint names what the program has
        replies.append(reply)
    assert replies[0] == replies[1]


def test_a_partial_list_crosses_as_it_is_where_the_program_defines_is_list(process: str) -> None:
    text = "is_list([]). is_list([_|_]). suff(X, X) :- is_list(X). suff(X, [_|L]) :- suff(X, L).\n"
    with Session(text) as session:
        answers = session.query("suff(A, B)", limits=Limits(solutions=2)).collect().solutions
    assert [str(answer) for answer in answers] == ["A = B, B = [].", "A = B, B = [_|_]."]


@pytest.mark.local
def test_libraries_are_linked_before_the_first_query(tmp_path: Path) -> None:
    """A limit in the middle of autoloading would leave an unknown procedure, in this process for good."""
    # Modules are those of the whole process: no other test has these.
    (tmp_path / "linked.pl").write_text(":- module(linked, [q/0]).\nq.\n")
    (tmp_path / "linking.pl").write_text(":- module(linking, [p/0]).\n:- autoload(linked, [q/0]).\np :- q.\n")
    text = f":- use_module('{tmp_path}/linked').\n:- use_module('{tmp_path}/linking').\n"
    with Session(text, isolated=False) as session:
        assert session.first("'$c_current_predicate'(_, linking:q)") is not None
        assert session.first("p") is not None


def test_a_goal_that_is_a_variable_is_no_syntax_error() -> None:
    with Session("p.") as session, pytest.raises(ProgramError, match=r"^not a goal: `X`: it is only a variable"):
        session.query("X").collect()


def test_operators_that_the_program_does_not_load() -> None:
    with Session("p.") as session:
        for goal in ("X in 1..3, X #> 1", "X #\\= 3"):
            with pytest.raises(ProgramError, match=r"the program has to load .* `:- use_module\(library\(clpfd\)\)\.`"):
                session.query(goal).collect()
        with pytest.raises(ProgramError, match="write the goal as at the toplevel"):
            session.query("X inside 3").collect()


@pytest.mark.parametrize("goal", ["undo(throw(x))", "X = 1, undo(X)", "undo(atom_length(_, _))"])
def test_what_is_undone_fails_as_the_program_does(goal: str) -> None:
    with Session("p(1).") as session:
        with pytest.raises(ProgramError, match="breaks what the bridge asks"):
            str(session.query(goal).collect().solutions)
        assert len(session.query("p(X)").collect().solutions) == 1


def test_answers_are_printed_before_and_after_their_session_is_closed() -> None:
    session = Session("p(X) :- between(1, inf, X).")
    answers = session.query("p(X)")
    first, second = next(answers), next(answers)
    assert str(first) == "X = 1."  # by another process: this one is at its answers
    session.close()
    assert str(second) == "X = 2."
