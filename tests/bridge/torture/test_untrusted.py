"""Attacks of untrusted programs, and that they fail."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE, given_time

from bridge.asp import Program
from bridge.errors import BridgeError, LimitError, ProgramError
from bridge.isolation.landlock import version as landlock_version
from bridge.isolation.worker import Worker
from bridge.limits import Limits
from bridge.outcome import Outcome, Progress
from bridge.prolog import Session
from torture.harness import within

LIMITS = Limits(seconds=PATIENCE)
LOADING = Limits(seconds=PATIENCE)


@pytest.fixture
def trap(tmp_path: Path) -> str:
    """A command that leaves a trace."""
    return f"shell('touch {tmp_path}/trace')"


@pytest.fixture
def secret(tmp_path: Path) -> str:
    """A file that was not given."""
    file = tmp_path / "secret.pl"
    file.write_text("secret(1).\n")
    return str(file)


REFUSED = [
        "TRAP", "call((TRAP))", "G = TRAP, call(G)", "catch(TRAP, _, true)", "findall(x, TRAP, _)", "\\+ TRAP", "forall(true, TRAP)",
        "term_to_atom(G, 'halt'), call(G)", "assertz((t :- TRAP)), t", "user:TRAP", "system:TRAP", "@(TRAP, user)",
        "process:process_create(path(id), [], [])", "setup_call_cleanup(true, true, TRAP)", "freeze(X, TRAP), X = 1",
        "maplist([X]>>TRAP, [1])", "apply(shell, [ls])", "thread_create(TRAP)", "format('~@', [TRAP])",
        "open('SECRET', read, S)", "open('SECRET', write, S)", "see('SECRET')", "tell('SECRET')", "read_file_to_string('SECRET', T, [])",
        "read_file_to_terms('SECRET', T, [])", "exists_file('SECRET')", "delete_file('SECRET')", "directory_files('/', F)",
        "consult('SECRET')", "['SECRET']", "load_files('SECRET', [])", "use_module('SECRET')", "ensure_loaded('SECRET')", "include('SECRET')",
        "py_call(os:getcwd(), X)", "janus:py_call(os:getcwd(), X)", "py_iter(os:listdir('.'), X)", "py_func(os, getcwd(), X)",
        "tcp_connect(localhost:80, S, [])", "socket:tcp_socket(S)", "http_open('http://localhost', S, [])", "use_foreign_library('x.so')",
        "prolog", "setenv(a, b)", "getenv('HOME', X)", "working_directory(D, '/')", "tmp_file(a, F)",
        "set_prolog_flag(sandboxed_load, false)", "assertz(sandbox:safe_primitive(system:shell(_)))", "lpbridge_worker:limit_memory(1, T)",
        "lpbridge_load:load(user, 'SECRET', M)", "prolog_load_context(module, M)", "set_stream(user_input, tty(true))", "nb_setval('$a', 1)",
    ]  # fmt: skip


def test_goals_that_are_refused(trap: str, secret: str, tmp_path: Path) -> None:
    """All of them in one session, which none of them harms."""
    with Session("a(1).\n", untrusted=True, limits=LOADING) as session:
        for goal in REFUSED:
            with within(LIMITS.seconds), pytest.raises(ProgramError, match="not safe|not exist|Unknown procedure"):  # noqa: RUF043
                session.query(goal.replace("TRAP", trap).replace("SECRET", secret), limits=LIMITS).collect()
            assert session.first("a(X)")["X"] == 1, goal
    assert os.listdir(tmp_path) == ["secret.pl"]


@pytest.mark.parametrize(
    "text",
    [
        ":- TRAP.", "?- TRAP.", ":- initialization(TRAP).", ":- initialization(TRAP, main).", ":- initialization(TRAP, now).",
        ":- if(TRAP).\n:- endif.", ":- if(fail).\n:- elif(TRAP).\n:- endif.", "goal_expansion(x, TRAP).\n:- if(x).\n:- endif.",
        "goal_expansion(x, TRAP).\n:- x.", "goal_expansion(x, y) :- TRAP.\nt :- x.", "term_expansion(a, (:- TRAP)).\na.",
        "term_expansion(a, b) :- TRAP.\na.", "user:term_expansion(a, b) :- TRAP.\na.", "system:goal_expansion(a, b) :- TRAP.\nt :- a.",
        "user:portray(_) :- TRAP.", "user:message_hook(_, _, _) :- TRAP.", "user:prolog_load_file(_, _) :- TRAP.",
        "user:exception(_, _, _) :- TRAP.", "prolog:message(_) --> {TRAP}.", "term_expansion(a, (user:portray(_) :- TRAP)).\na.",
        ":- module(user, []).\nportray(_) :- TRAP.", ":- module(prolog, []).\nmessage(_) --> {TRAP}.", ":- module(sandbox, []).\nsafe_goal(_).",
        ":- module(lpbridge_worker, []).\nsafe(_, \"\").", ":- module(lpbridge, []).\nx.", ":- module(user).\nportray(_) :- TRAP.",
        ":- '$set_source_module'(user).", ":- set_prolog_flag(sandboxed_load, false).\n:- TRAP.",
        ":- multifile sandbox:safe_primitive/1.\nsandbox:safe_primitive(system:shell(_)).", "sandbox:safe_primitive(system:shell(_)).",
        ":- dynamic sandbox:safe_primitive/1.", ":- use_module(library(process)).", ":- use_module(library(socket)).", ":- at_halt(TRAP).",
        ":- use_foreign_library('x.so').", ":- load_foreign_library(foreign(process)).", ":- halt.", ":- initialization(halt).",
        ":- consult('SECRET').", ":- ['SECRET'].", ":- include('SECRET').", ":- include(secret).", ":- use_module('SECRET').",
        ":- ensure_loaded('SECRET').", ":- load_files('SECRET', []).", ":- reexport('SECRET').", ":- autoload('SECRET').\nt :- secret(_).",
        ":- open('SECRET', read, S), read(S, X).", ":- initialization((open('SECRET', read, S), read(S, _))).", ":- open('SECRET', write, _).",
        "term_expansion(a, B) :- read_file_to_terms('SECRET', B, []).\na.", ":- py_call(os:getcwd(), _).", ":- setenv(a, b).",
    ],
)  # fmt: skip
def test_a_program_that_is_refused(text: str, trap: str, secret: str, tmp_path: Path) -> None:
    try:
        with within(5), Session(text.replace("TRAP", trap).replace("SECRET", secret) + "\n", untrusted=True, limits=LOADING) as session:  # noqa: SIM117
            with pytest.raises(ProgramError):
                session.query("t ; secret(_) ; x", limits=LIMITS).collect()
    except BridgeError as error:
        assert isinstance(error, ProgramError), error  # noqa: PT017
    assert sorted(os.listdir(tmp_path)) == ["secret.pl"], "a trace"
    assert Path(secret).read_text() == "secret(1).\n"


@pytest.mark.parametrize("goal", ["x", "y", "(true, x)", "findall(a, x, _)"])
def test_the_goal_that_is_run_is_the_one_that_was_looked_at(goal: str, trap: str, tmp_path: Path) -> None:
    """The program's goal expansion comes before."""
    text = f"goal_expansion(x, {trap}).\ngoal_expansion(y, G) :- atom_to_term('shell(true)', G, _).\n"
    with Session(text, untrusted=True, limits=LOADING) as session, pytest.raises(ProgramError, match="not safe"):
        session.query(goal, limits=LIMITS).collect()
    assert os.listdir(tmp_path) == []


#: Ways around library(sandbox): a program, and a goal where there is one. Each calls TRAP unless it is refused.
AROUND = [
    ("run(G, S) :- setarg(1, G, S), call(G).", "run(call(true), TRAP)"),
    ("run(G, S) :- nb_setarg(1, G, S), call(G).", "run(call(true), TRAP)"),
    ("run(G, S) :- nb_linkarg(1, G, S), call(G).", "run(call(true), TRAP)"),
    ("run(G, S) :- maplist(setarg(1, G), [S]), call(G).", "run(call(true), TRAP)"),
    ("run(G, S) :- lists:setarg(1, G, S), call(G).", "run(call(true), TRAP)"),
    ("run(D, S) :- b_set_dict(a, D, S), go(D).\ngo(_{a: G}) :- call(G).", "run(_{a: true}, TRAP)"),
    ("run(D, S) :- nb_set_dict(a, D, S), go(D).\ngo(_{a: G}) :- call(G).", "run(_{a: true}, TRAP)"),
    (":- dynamic p/0.\nrun :- assertz((p => TRAP)), p.", "run"),
    (":- dynamic p/0.\nrun :- asserta((p => TRAP)), p.", "run"),
    ("p(G) :- call(G).\n'$VAR'(_).", "p('$VAR'(0)), X = TRAP, p(X)"),
    ("a.", "print_message(error, format('~@', [TRAP]))"),
    ("a.", "message_to_string(format('~@', [TRAP]), _)"),
    ("a.", "print_message(query, query(if_tty(['~@'-[TRAP]])))"),
    ("a.", "M = format('~@', [TRAP]), print_message(error, M)"),
    ("p(_, _) :- TRAP.", "format('~W', [x, [portray(true), portray_goal(p)]])"),
    ("p(_, _) :- TRAP.", "format(atom(_), 'text ~w ~`-t~30|~W', [a, x, [portray(true), portray_goal(p)]])"),
    ("p(_, _) :- TRAP.", "print_message(error, format('~W', [x, [portray(true), portray_goal(p)]]))"),
    ("p(_, _) :- TRAP.", "term_string(_, x, [portray(true), portray_goal(p)])"),
    ("p(_, _) :- TRAP.", "O = [portray(true), portray_goal(p)], term_string(_, x, O)"),
    ("attr_portray_hook(_, _) :- TRAP.", "set_prolog_flag(write_attributes, portray), put_attr(X, lpbridge_untrusted, 1), writeln(X)"),
    (":- set_prolog_flag(write_attributes, portray).\nattr_portray_hook(_, _) :- TRAP.", "put_attr(X, lpbridge_untrusted, 1), writeln(X)"),
    (":- table p(_, po(q/2)).\np(1, 1).\np(1, 2).\nq(_, _) :- TRAP.", "p(1, _)"),
    (":- table p(_, lattice(q/3)).\np(1, 1).\np(1, 2).\nq(_, _, _) :- TRAP.", "p(1, _)"),
    (":- table p(_, lattice(system:shell/3)).\np(1, 'touch x').\np(1, 'touch y').\n", "p(1, _)"),
    (":- table p(_, max).\n'$table_update'(_, _, _, _) :- TRAP.\np(1, 1).\np(1, 2).", "p(1, _)"),
    (":- table p/0, q/0.\n'$table_mode'(_, _, _) :- TRAP.\np :- tnot(q).\nq :- tnot(p).", "p"),
    (":- lpbridge_untrusted:'$moded_wrap_tabled'(lpbridge_untrusted:p(_), #{}, TRAP, lpbridge_untrusted:p(1), 1).\np(1).", "p(1)"),
    ("a.", "put_attr(X, freeze, lpbridge_untrusted:TRAP), X = 1"),
    ("attribute_goals(_) --> { TRAP }.", "put_attr(_, lpbridge_untrusted, 1)"),
    ("attribute_goals(_) --> { TRAP }.", "X = 1"),
    ("project_attributes(_, _) :- TRAP.", "put_attr(_, lpbridge_untrusted, 1)"),
    (":- residual_goals(evil).\nevil --> { TRAP }.", "true"),
    (":- module(md5, [md5_hash/3]).\n:- module(wfs, [call_delays/2]).\ncall_delays(_, _) :- TRAP.", "wfs:call_delays(true, _)"),
    (":- module(pengines, []).\na.\n:- module(thread, []).", "use_module(library(process))"),
    ("a.", "maplist([G]>>call(G), [TRAP])"),
    ("a.", "foldl([G, A, A]>>G, [TRAP], x, _)"),
    ("a.", "predsort([_, _, _]>>TRAP, [b, a], _)"),
    ("a.", "limit(1, TRAP)"),
    ("a.", "order_by([asc(X)], (X = 1, TRAP))"),
    ("a.", "call_time(TRAP, _)"),
    ("p(G) --> call(G).", "phrase(p([_, _]>>TRAP), [], _)"),
    ("a.", "freeze(X, X), X = TRAP"),
    ("a.", "undo(TRAP)"),
    ("a.", "catch(throw(TRAP), G, G)"),
    ("a.", "thread_create(TRAP, _, [])"),
    ("a.", "engine_create(x, TRAP, E), engine_next(E, _)"),
    ("a.", "b_setval(a, TRAP), b_getval(a, G), call(G)"),
    ("a.", "prolog_listen(abort, TRAP)"),
    ("a.", "on_signal(int, _, TRAP)"),
    ("a.", "'$toplevel':assertz((residual_goal_collector(x) :- TRAP))"),
    (":- use_module(library(chr)).", "true"),
    (":- use_module(library(process)).", "true"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "goal"), AROUND, ids=range(len(AROUND)))
def test_ways_around_the_static_check_are_refused(text: str, goal: str, tmp_path: Path) -> None:
    """Refused before it runs, and not denied by the second wall while it does."""
    trap = f"shell('touch {tmp_path}/trace')"
    with within(5), pytest.raises(ProgramError, match=r"refused|sandboxed|safe|Sandbox|not exist|to create module|to load|to redefine|Unknown procedure") as error:  # noqa: SIM117
        with Session(text.replace("TRAP", trap) + "\n", untrusted=True, limits=LOADING) as session:
            session.query(goal.replace("TRAP", trap), limits=LIMITS).collect()
    assert "untrusted `" not in str(error.value), "it was run, and denied"
    assert os.listdir(tmp_path) == []


#: Programs, and a goal, by which the first wall alone was got round: each adds to what is not the program's own, or loads
#: a library anew, unless it is refused. After `||` a goal.
CHANGING = [
    ":- load_files(library(sandbox), []).\ngoal_expansion(zz, true) :- sandbox:assertz((safe_goal(_) :- true)).\nq :- zz.\n||TRAP",
    ":- load_files(library(lists), []).", ":- true, load_files(library(apply), []).", "t :- load_files(library(lists), [if(changed)]).||t",
    ":- load_files(library(lists), [if(true)]).", ":- use_module(library(sandbox)).||safe_goal(true)", "a.||load_files(library(sandbox), [])",
    "user:portray(_) => TRAP.||X = f(Y)", "user:portray(_), true => TRAP.||X = f(Y)", "prolog:sandbox_allowed_clause(_) => true.\nuser:portray(_) :- TRAP.",
    "lpbridge_untrusted:(user:portray(_) :- TRAP).||X = f(Y)", "lpbridge_untrusted:user:portray(_) :- TRAP.||X = f(Y)",
    "lpbridge_untrusted:user:portray(_).", "lpbridge_untrusted:(user:portray(_), true => TRAP).", "user:(:- TRAP).", "lpbridge_untrusted:user:portray, [x] --> { TRAP }.",
    "term_expansion(a, '$source_location'(f, 1):lpbridge_untrusted:(user:portray(_) :- TRAP)).\na.||X = f(Y)",
    ":- dynamic([sandbox:x/1]).", ":- dynamic lpbridge_untrusted:(sandbox:x/1).", ":- dynamic((sandbox:x/1) as incremental).", ":- dynamic((x/1, sandbox:x/1)).",
    ":- multifile([user:prolog_load_file/2]).", ":- discontiguous([sandbox:safe_goal/1]).", ":- op(700, xfx, user:canary).", ":- op(700, xfx, [a, user:canary]).",
    ":- op(200, xfy, lpbridge_untrusted:(:-)).\nsystem:(lpbridge_untrusted:a :- b, c).", "user:(lpbridge_untrusted:a, b) :- TRAP.",
    "user:(lpbridge_untrusted:a :- D = _{a: 1}, call(D.a)).||X = f(Y)", "user:(lpbridge_untrusted:a :- b) :- c.",
    "goal_expansion(x, _) :- TRAP.||lpbridge_sandbox:assertz(trusted(lpbridge_untrusted))", "a.||lpbridge_sandbox:retractall(seal(_, _))", "a.||lists:assertz(evil)",
    "a.||lpbridge_denied:assertz(given('/etc/passwd', x))", "a.||user:assertz(portray(_))", "a.||user:retract(file_search_path(_, _))", "a.||lists:(true, assertz(evil))",
    "t :- lists:asserta(evil).||t", "a.||call(lists:assertz, evil)", "a.||lists:clause(append(_, _, _), _)", ":- lists:assertz(evil).",
    ":- module(fresh, []).\nfresh:'$exported_op'(_, _, _) => TRAP.", ":- module(fresh, []).\n'$exported_op'(_, _, _) :- TRAP.",
    ":- module(fresh, []).\n'$exported_op'(700, xfx, user:canary).", "'$autoload'(_, _, _) :- TRAP.", "'$pred_option'(_, _, _, _) --> { TRAP }.",
    ":- expects_dialect(sicstus).", ":- use_module('/etc/passwd').", "a.||lpbridge_load:load_text(user, x, \"portray(_).\", _)",
]  # fmt: skip


def ask(worker: Worker, *call: Any) -> Any:
    (answer,) = worker.ask(call, Progress(), LOADING)
    return answer


@pytest.mark.parametrize("case", CHANGING, ids=range(len(CHANGING)))
def test_the_first_wall_alone_keeps_the_system_as_it_was(case: str, tmp_path: Path) -> None:
    """No second wall, no third, and each mistake is a message only, after which the rest of the program is loaded."""
    text, _, goal = case.replace("TRAP", f"shell('touch {tmp_path}/trace')").partition("||")
    with closing(Worker("fuzz.first_wall_job")) as worker:
        messages = ask(worker, "open", [(text + "\n", True)], False)[0]
        refused = any(kind == "error" for kind, *_ in messages)
        try:
            ask(worker, "run", goal or "true", [], None, True)
        except ProgramError:
            refused = True
        assert ask(worker, "reached") == []
    assert os.listdir(tmp_path) == []
    assert refused


def test_what_a_program_hooks_into_unification_is_its_own_mistake() -> None:
    hook = "undo((freeze(F, (dif(A, 1), put_attr(A, lpbridge_untrusted, x), A = 2)), F = 1))"
    text = f"term_expansion(a, _, '$source_location'(f, 1):(lpbridge_untrusted:goal_expansion(_, _) :- {hook}), _).\na.\n"
    goal = "setenv(canary, 1), string_code(1, \"a\", _), char_conversion(a, b), foldl([_, Z, Z]>>(assertz(user:portray(canary))), [1], 0, _)"

    def opened_and_run(worker: Worker) -> None:
        ask(worker, "open", [(text, True)], False)
        ask(worker, "run", goal, [], None, True)

    with closing(Worker("fuzz.first_wall_job")) as worker:
        with pytest.raises(ProgramError, match="breaks what the bridge asks of it"):
            opened_and_run(worker)
        assert ask(worker, "reached") == []


def test_a_check_that_was_changed_allows_nothing() -> None:
    with closing(Worker("torture.changed_first_wall")) as worker:
        messages = ask(worker, "open", [("a.\n", True)], False)[0]
        assert any("was changed" in text for *_, text in messages)
        for goal in ("true", "X = 1", "a"):
            with pytest.raises(ProgramError, match="was changed"):
                ask(worker, "run", goal, [], None, True)


#: An error is any term, and its text may be made of a format that calls. It is never called.
THROWN = [
    "format('~@', [TRAP])", "error(format('~@', [TRAP]), _)", "format('~W', [x, [portray(true), portray_goal([_, _]>>TRAP)]])",
    "error(x, context(foo/1, '~@'-[TRAP]))", "message_lines(['~@'-[TRAP]])", "query(if_tty(['~@'-[TRAP]]))",
    "error(x, file(eval(os:system('COMMAND')), 1, 1, x))", "error(x, file(a, eval(os:system('COMMAND')), 1, x))",
    "error(x, context(prolog_stack([frame(1, pred_line(x, eval(os:system('COMMAND')):1), y)]), _))",
]  # fmt: skip


@pytest.mark.parametrize("thrown", THROWN)
@pytest.mark.parametrize("where", ["goal", "directive", "initialization", "cleanup"])
def test_the_text_of_an_error_calls_nothing(thrown: str, where: str, tmp_path: Path) -> None:
    command = f"touch {tmp_path}/trace"
    thrown = thrown.replace("TRAP", f"shell('{command}')").replace("COMMAND", command)
    texts = {"directive": f":- throw({thrown}).\n", "initialization": f":- initialization(throw({thrown})).\n"}
    goals = {"goal": f"throw({thrown})", "cleanup": f"setup_call_cleanup(true, member(_, [1, 2]), throw({thrown}))"}
    calls = (("open", [(texts.get(where, "a.\n"), True)]), ("run", goals.get(where, "true"), [], None, False))
    worker = Worker("torture.without_second_wall")  # nothing would deny it there, and no other wall stands
    errors = []
    for call in calls:
        try:
            list(worker.ask(call, Progress(), LOADING))
        except ProgramError as error:
            errors.append(error)
    worker.close()
    assert errors
    assert os.listdir(tmp_path) == [], "it was called"


def test_what_is_safe_and_looks_similar_runs() -> None:
    text = (
        ":- use_module(library(lists)).\n:- table path(_, _, lattice(shortest/3)).\nedge(a, b). edge(b, c). edge(a, c).\n"
        "path(X, Y, [X, Y]) :- edge(X, Y).\npath(X, Y, P) :- path(X, Z, P0), edge(Z, Y), append(P0, [Y], P).\n"
        "shortest(P1, P2, P) :- length(P1, N1), length(P2, N2), ( N1 =< N2 -> P = P1 ; P = P2 ).\n"
        ":- table cost(_, min).\ncost(x, 3). cost(x, 1).\n"
        "domain(X, D) :- put_attr(X, lpbridge_untrusted, D).\nattr_unify_hook(D, Y) :- memberchk(Y, D).\n"
        "attribute_goals(X) --> { get_attr(X, lpbridge_untrusted, D) }, [domain(X, D)].\n:- dynamic seen/1.\n"
    )
    goals = {
        "path(a, c, P)": ["P = [a, c]."],
        "cost(x, C)": ["C = 1."],
        "domain(X, [a, b])": ["domain(X, [a, b])."],
        "domain(X, [a, b]), X = b": ["X = b."],
        "domain(X, [a, b]), X = c": [],
        "format(atom(A), '~w ~q~t~8|~d~n', [a, 'B', 3])": ["A = 'a \\'B\\'   3\\n'."],
        "format(atom(A), '~@', [writeln(x)])": ["A = 'x\\n'."],
        "message_to_string(format('~w', [x]), S)": ['S = "x".'],
        'term_string(X, "f(a)", [syntax_errors(error)])': ["X = f(a)."],
        "assertz(seen(1)), seen(X)": ["X = 1."],
        "aggregate_all(count, member(_, [a, b]), C)": ["C = 2."],
        "limit(2, member(X, [a, b, c]))": ["X = a.", "X = b."],
        "order_by([desc(X)], member(X, [1, 3, 2]))": ["X = 3.", "X = 2.", "X = 1."],
        "findall(X, distinct(X, member(X, [a, b, a])), L)": ["L = [a, b]."],
        "time(X = 1)": ["X = 1."],
        "occurrences_of_term(a, f(a, a), N)": ["N = 2."],
        "predsort([O, A, B]>>compare(O, A, B), [b, a], L)": ["L = [a, b]."],
        "freeze(X, Y = 1), X = 2": ["X = 2,\nY = 1."],
        "X = '$VAR'('A')": None,
        "set_prolog_flag(double_quotes, atom)": ["true."],
        "nth0(I, [a, b], b), sumlist([1, 2], S), last([1, 2], L)": ["I = 1,\nS = 3,\nL = 2."],
    }
    with Session(text, untrusted=True, limits=LOADING) as session:
        for goal, expected in goals.items():
            found = [str(answer) for answer in session.query(goal, limits=LIMITS).collect().solutions]
            assert expected is None or found == expected, goal


def test_what_is_safe_runs() -> None:
    text = (
        ":- use_module(library(clpfd)).\n:- use_module(library(lists)).\n:- dynamic seen/1.\n:- op(700, xfx, ===>).\n"
        ":- if(true).\nq(Qs) :- length(Qs, 4), Qs ins 1..4, all_distinct(Qs).\n:- endif.\n"
        "rule(a ===> b).\nremember(X) :- assertz(seen(X)).\ngoal_expansion(short, true).\nok :- short.\n"
    )
    with Session(text, untrusted=True, limits=LOADING) as session:
        assert len(session.query("q(Qs), label(Qs)", limits=LIMITS).collect().solutions) == 24
        for answer in session.query("q(Qs), rule(R)"):
            assert "ins 1..4" in str(answer) or "in 1..4" in str(answer)
            assert "a===>b" in str(answer), "printed with the program's operators, while it is at work"
        session.first("remember(7)")
        assert session.first("ok, seen(X)")["X"] == 7


def test_a_file_that_was_given_is_read(tmp_path: Path) -> None:
    file, module = tmp_path / "given.pl", tmp_path / "module.pl"
    module.write_text("\ufeff:- module(m, [exported/1]).\nexported('☃').\nhidden(2).\n")
    file.write_text(":- use_module(module).\n:- use_module(library(lists)).\ngiven(1).\nboth(X) :- given(X) ; exported(X).\nwrong(X) :-\n  X is foo + 1,\n  given(X).\n")
    with Session(module, file, untrusted=True, limits=LOADING) as session:
        assert session.first("given(X)")["X"] == 1
        assert [answer["X"] for answer in session.query("both(X)")] == [1, "☃"]
        assert session.exports() == [("both", 1), ("exported", 1), ("given", 1), ("wrong", 1)]
        with pytest.raises(ProgramError, match=r"given\.pl:6"):
            session.first("wrong(X)")
    latin = tmp_path / "latin.pl"
    latin.write_bytes("% ä\n:- encoding(iso_latin_1).\np('ö'). p(X) :- p(Y).\nq(.\n".encode("latin-1"))
    with pytest.raises(ProgramError, match=r"latin\.pl:4:3: Syntax error"):
        Session(latin, untrusted=True, limits=LOADING)
    latin.write_bytes(latin.read_bytes().removesuffix(b"q(.\n"))
    with Session(latin, untrusted=True, limits=LOADING) as session:
        assert session.first("p(X)")["X"] == "ö"
        assert "Singleton" in session.warnings[0]
    inner, outer = tmp_path / "inner.lp", tmp_path / "outer.lp"
    inner.write_text("a.\n")
    outer.write_text('#include "inner.lp".\n')
    with Program(outer, inner, untrusted=True, limits=LOADING) as program:
        assert "a" in program.first(limits=LIMITS)


@pytest.mark.parametrize(
    "text",
    [
        '#include "SECRET".', '#include"SECRET".', '#include  \n "SECRET" .', '% #include "SECRET".\n#include "SECRET".',
        '#include %* why *% "SECRET".', '#include %\n"SECRET".', 'a. #include "/proc/self/environ".', '#include "/dev/stdin".',
        '#include <SECRET>.', '#include "../secret.pl".', '#include "\\SECRET".', '%*\n*% #include "SECRET".', 'p("#include"). #include "SECRET".', '#include "a\0b".',
        "#script (python) import os; os.system('TRAP') #end.", "#script(lua) os.execute('TRAP') #end.", "#script %* *% (python) #end.",
        "%* *% #script(python) #end.", "#script\n(python)\n#end.", "# script (python) #end.",
    ],
)  # fmt: skip
def test_what_clingo_is_not_told(text: str, secret: str, tmp_path: Path) -> None:
    text = text.replace("SECRET", secret).replace("TRAP", f"touch {tmp_path}/trace")
    with within(None), pytest.raises(ProgramError):
        Program(text + "\n", untrusted=True, limits=LOADING)
    file = tmp_path / "program.lp"
    file.write_text(text)
    with within(None), pytest.raises(ProgramError):
        Program(file, untrusted=True, limits=LOADING)
    with Program("b.\n", untrusted=True, limits=LOADING) as program:
        with pytest.raises(ProgramError):
            program.add(text)
        assert "b" in program.first(limits=LIMITS)
    assert sorted(os.listdir(tmp_path)) == ["program.lp", "secret.pl"]


def test_options_that_name_files_are_refused(tmp_path: Path) -> None:
    for option in (f"--outf={tmp_path}/x", f"--share={tmp_path}", f"--lemma-out={tmp_path}/x", "--pre", "--mode=gringo"):
        with pytest.raises(BridgeError):
            Program("a.\n", options=[option], untrusted=True, limits=LOADING)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("goal", ["r(0)", "f(0)", "length(L, 100000000)", "repeat, fail", "c(0)", "X is 7 ^ 7 ^ 9"])
def test_floods_and_loops(goal: str) -> None:
    text = "r(N) :- N1 is N + 1, r(N1), true.\nc(N) :- N1 is N + 1, c(N1).\nf(N) :- assertz(g(N)), N1 is N + 1, f(N1).\n:- dynamic g/1.\n"
    with Session(text, untrusted=True, limits=LOADING) as session:

        def ask(seconds: float) -> Outcome[Any]:
            with within(seconds):
                limits = Limits(seconds=seconds, memory=100 << 20)
                return session.query(f"member(T, [1, 2]), (T == 1 ; {goal})", limits=limits).collect()

        outcome = given_time(ask, lambda outcome: outcome.solutions, 1.0)
        assert outcome.solutions[0]["T"] == 1
        assert not outcome.complete


def test_a_directive_that_does_not_end() -> None:
    with within(0.8), pytest.raises(LimitError):
        Session(":- repeat, fail.\n", untrusted=True, limits=Limits(seconds=0.8))


def test_its_output_goes_nowhere(capfd: pytest.CaptureFixture[str]) -> None:
    with Session(":- writeln(loud).\n", untrusted=True, limits=LOADING) as session:
        session.query("writeln(loud), print_message(error, format(loud, []))", limits=LIMITS).collect()
    assert "loud" not in "".join(capfd.readouterr())


# What holds when the solver's own rules do not: a job that runs any Python in a confined process.


def attempt(expression: str, readable: tuple[str, ...] = ()) -> Any:
    worker = Worker("torture.any_python", untrusted=True, readable=readable)
    try:
        (result,) = worker.ask(("run", expression), Progress(), LIMITS)
        return result
    finally:
        worker.close()


needs_landlock = pytest.mark.skipif(landlock_version() < 1, reason="this kernel has no Landlock")


@needs_landlock
@pytest.mark.parametrize(
    "expression",
    [
        "open('SECRET').read()", "open('/etc/passwd').read()", "os.listdir('/')", "os.listdir('.')", "open('SECRET', 'w')", "os.mkdir('x')",
        "open('x', 'w')", "os.remove('SECRET')", "os.rename('SECRET', 'SECRET2')", "os.truncate('SECRET', 0)", "os.symlink('a', '/tmp/b')",
        "in_thread(lambda: open('SECRET').read())", "open(f'/proc/{os.getppid()}/environ').read()",
        "subprocess.run(['/bin/true'])", "os.execv('/bin/true', ['true'])", "[open('/dev/null') for _ in range(200)]",
    ],
)  # fmt: skip
def test_landlock_takes_files_away(expression: str, secret: str) -> None:
    assert attempt(expression.replace("SECRET", secret)).startswith("OSError"), "it was allowed"
    assert Path(secret).read_text() == "secret(1).\n"


@needs_landlock
def test_what_was_given_can_be_read(secret: str) -> None:
    assert "secret(1)" in attempt(f"open('{secret}').read()", (secret,))
    assert attempt(f"open('{secret}', 'a')", (secret,)).startswith("OSError")


@pytest.mark.skipif(os.uname().machine not in ("x86_64", "aarch64"), reason="the filter is written for these")
@pytest.mark.parametrize(
    "expression",
    [
        "os.fork()", "os.posix_spawn('/bin/true', ['true'], {})", "subprocess.run(['/bin/true'])", "socket.socket(socket.AF_INET, socket.SOCK_STREAM)",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)", "socket.socket(socket.AF_UNIX)", "in_thread(lambda: socket.socket(socket.AF_INET6))",
        "in_thread(os.fork)",
    ],
)  # fmt: skip
def test_seccomp_takes_processes_and_sockets_away(expression: str) -> None:
    assert attempt(expression).startswith("OSError"), "it was allowed"


def test_open_files_are_not_inherited(secret: str) -> None:
    with open(secret) as file:
        os.set_inheritable(file.fileno(), True)
        assert "secret.pl" not in attempt("[os.readlink(f'/proc/self/fd/{fd}') for fd in os.listdir('/proc/self/fd')[:-1]]")


# What holds when the static check does not: no goal is looked at, and the operating system forbids nothing.

#: Each is to fail or to raise an error, and to leave no TRACE.
DENIED = [
    # processes and threads
    "shell('touch TRACE')", "shell('touch TRACE', S)", "system:shell('touch TRACE', S)", "process:process_create(path(touch), ['TRACE'], [])",
    "use_module(library(process)), process:process_create(path(touch), ['TRACE'], [])", "open(pipe('touch TRACE'), read, S)", "thread_create(true, X)",
    "thread_create(true, X, [])", "concurrent(2, [true, true], [])", "engine_create(X, true, E)", "'$engine_create'(E, X, [])", "on_signal(int, X, ignore)",
    "prolog_alert_signal(X, 0)", "alarm(1, true, X)",
    # files
    "open('SECRET', read, S)", "open('SECRET', read, S, [alias(x)])", "open('TRACE', write, S)", "open('TRACE', append, S)", "open('TRACE', update, S)",
    "open('TRACE', write, S, [encoding(utf8)])", "see('SECRET')", "tell('TRACE')", "append('TRACE')", "consult('SECRET'), secret(X)", "['SECRET'], secret(X)",
    "load_files('SECRET', []), secret(X)", "ensure_loaded('SECRET'), secret(X)", "use_module('SECRET'), secret(X)", "read_file_to_string('SECRET', X, [])",
    "read_file_to_terms('SECRET', X, [])", "exists_file('SECRET')", "exists_directory('/')", "access_file('SECRET', read)", "directory_files('/', F)",
    "delete_file('SECRET')", "rename_file('SECRET', 'TRACE')", "make_directory('TRACE')", "delete_directory('FOLDER')", "size_file('SECRET', X)",
    "time_file('SECRET', X)", "tmp_file(a, X)", "tmp_file_stream(utf8, X, S)", "'$tmp_file_stream'(x, utf8, X, S)", "working_directory(_, '/'), working_directory(X, X)",
    "'$chdir'('/')", "read_link('/proc/self/exe', X, Y)", "expand_file_name('/*', X), X \\= ['/*']", "expand_file_name('~', X), X \\= [~]", "protocol('TRACE')",
    "qcompile('SECRET')", "'$qlf_open'('TRACE')", "'$qlf_load'(user:x, X)", "'$open_wic'('TRACE', [])", "use_module(library(qsave)), qsave:qsave_program('TRACE', [])",
    "'$mark_executable'('SECRET')", "open_string(\"x\", S), zip_open_stream(S, X, [])", "set_prolog_IO(user_input, user_output, user_error)",
    # the environment, foreign code, sockets
    "getenv('PATH', X)", "setenv(a, b)", "unsetenv('PATH')", "open_shared_object('libc.so.6', X)", "open_shared_object('libc.so.6', X, [])",
    "load_foreign_library(foreign(process))", "use_foreign_library(foreign(process)), process:process_create(path(touch), ['TRACE'], [])",
    "call_shared_object_function(1, system)", "use_module(library(socket)), socket:tcp_socket(X)",
    # Python
    "py_call(os:system('touch TRACE'), X)", "janus:py_call(os:system('touch TRACE'))", "janus:py_call(os:system('touch TRACE'), X)", "janus:py_call(os:getcwd(), X, [])",
    "janus:py_iter(os:listdir('/'), X)", "janus:py_iter(os:listdir('/'), X, [])", "janus:py_func(os, getcwd(), X)", "janus:py_dot(os, getcwd(), X)",
    "janus:py_run(\"import os\", a, b, X, c)", "janus:py_import_(os, X)", "janus:py_setattr(os, a, b)", "janus:py_str(a, X)", "janus:py_with_gil(true)",
    "janus:py_call_string(\"py_call(os:getcwd(), X)\", _{}, X)", "janus:py_module(m, \"import os; os.system('touch TRACE')\")", "janus:py_shell",
    "janus:py_initialize_(a, [], [])", "janus:py_finalize",
    # getting it back
    "unwrap_predicate(system:set_prolog_flag/2, lpbridge_denied)", "'$wrapped_predicate'(system:set_prolog_flag(_, _), X)",
    "'$wrapped_implementation'(system:set_prolog_flag(_, _), lpbridge_denied, X)", "'$c_wrap_predicate'(system:set_prolog_flag(_, _), lpbridge_denied, X, Y, true)",
    "prolog_wrap:wrap_predicate(system:set_prolog_flag(_, _), lpbridge_denied, W, W)", "current_blob(X, closure)", "set_prolog_flag(access_level, system)",
    "set_prolog_flag(home, '/')", "set_prolog_flag(toplevel_goal, halt)", "create_prolog_flag(access_level, system, [])", "redefine_system_predicate(system:shell(_, _))",
    "abolish(system:shell/2), shell('touch TRACE', X)", "copy_predicate_clauses(system:shell/2, foo/2)", "'$vm_assert'(a/0, [], X)", "'$fetch_vm'(lists:append/3, 0, X, Y)",
    "open_string(\"x\", S), fast_read(S, X)", "'$set_predicate_attribute'(system:shell(_, _), foreign, true), shell('touch TRACE', X)",
    "'$set_predicate_attribute'(system:shell(_, _), system, false), retractall(system:shell(_, _)), shell('touch TRACE', X)",
    "'$set_predicate_attribute'(system:open(_, _, _), system, false), retractall(system:open(_, _, _)), open('TRACE', write, X)",
    "lpbridge_denied:assertz(given('SECRET', \"secret(0).\")), consult('SECRET'), secret(1)",
]  # fmt: skip


@pytest.fixture
def unlooked_at() -> Iterator[Callable[[str], list[Any]]]:
    """Ask an untrusted session in whose process only the second wall stands."""
    worker = Worker("torture.without_first_wall")

    def ask(goal: str) -> list[Any]:
        progress = Progress()
        found = list(worker.ask(("run", goal, [], None, False), progress, LOADING))
        assert progress.limit is None, f"{goal}: {progress.limit}"
        return found

    list(worker.ask(("open", [("a(1).\n", True)]), Progress(), LOADING))
    try:
        yield ask
    finally:
        worker.close()


def test_what_matters_is_denied_at_run_time(unlooked_at: Callable[[str], list[Any]], secret: str, tmp_path: Path) -> None:
    for goal in DENIED:
        found: list[Any] = []
        with suppress(ProgramError):
            found = unlooked_at(goal.replace("TRACE", f"{tmp_path}/trace").replace("SECRET", secret).replace("FOLDER", str(tmp_path)))
        assert found == [], goal
        assert os.listdir(tmp_path) == ["secret.pl"], goal
        assert Path(secret).read_text() == "secret(1).\n", goal
        assert unlooked_at("a(X)") == [1], goal


def test_the_errors_say_what_is_denied(unlooked_at: Callable[[str], list[Any]]) -> None:
    for goal, message in {"shell(ls, _)": "shell/2", "open('/etc/passwd', read, _)": "open", "setenv(a, b)": "setenv/2"}.items():
        with pytest.raises(ProgramError, match=f"No permission to .*{message}"):
            unlooked_at(goal)


#: Definitions that a program puts in the place of the bridge's own: a term eval(...) that janus converts calls Python.
CALLED = "eval(os:system('touch TRACE'))"
REPLACED = [
    ("lpbridge:chunks(_, _, _, _, _, X)", f"X = [1, complete, 0, [], [{CALLED}], []]"), ("lpbridge:chunks(_, _, _, _, _, X)", f"X = {CALLED}"),
    ("lpbridge:chunks(_, _, _, _, _, _)", f"throw({CALLED})"), ("lpbridge:stop(_)", f"throw({CALLED})"), ("lpbridge_line:chunk(X)", f"X = {CALLED}"),
    ("lpbridge_line:result(X)", f"X = {CALLED}"), ("lpbridge_line:put(_, _, _)", f"throw({CALLED})"), ("lpbridge_line:ask(_)", f"throw({CALLED})"),
    ("lpbridge_errors:told(_, X)", f"X = {CALLED}"), ("lpbridge_errors:told(_, X)", f"X = [{CALLED}, a, 1, 1]"), ("lpbridge_errors:halted(X)", f"X = {CALLED}"),
    ("janus:py_call_string(_, _, X)", f"X = _{{truth: {CALLED}}}"), ("lpbridge_line:chunk(X)", "X = \"[[[1\""), ("lpbridge_line:chunk(X)", f"X = \"{'[' * 99999}\""),
    ("lpbridge_errors:told(_, X)", f"X = [t, '', 0, 0, {CALLED}, [{CALLED}]]"), ("lpbridge_answers:term_value(_, X)", f"X = {CALLED}"),
    ("lpbridge_answers:answer(_, _, _, X)", f"X = {CALLED}"), ("lpbridge_terms:encode(_, X)", f"X = {CALLED}"),
]  # fmt: skip


@pytest.mark.parametrize(("head", "body"), REPLACED)
def test_nothing_that_prolog_returns_calls_python(
    head: str, body: str, unlooked_at: Callable[[str], list[Any]], tmp_path: Path
) -> None:
    module, _, plain = head.partition(":")
    arity = plain.count(",") + 1
    define = f"'$set_predicate_attribute'({head}, system, false), abolish({module}:{plain.partition('(')[0]}/{arity}), assertz(({head} :- {body}))"
    for goal in (define.replace("TRACE", f"{tmp_path}/trace"), "a(_)", "a(X)", "X = f(Y)", "throw(x)", "abort", "foo("):
        with suppress(BridgeError):
            unlooked_at(goal)
    assert os.listdir(tmp_path) == [], "it was called"


@pytest.mark.parametrize("name", ["program.pl", "program.lp"])
def test_the_command_line(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    bad = ":- shell('touch trace').\na.\n" if name.endswith(".pl") else '#include "/etc/hostname".\na.\n'
    for text, code in ((bad, 2), ("a.\n", 0)):
        file.write_text(text)
        goal = ["--goal", "a"] if name.endswith(".pl") else []
        with within(20):  # Python and SWI-Prolog start first
            run = subprocess.run(
                [sys.executable, "-m", "bridge", "run", name, *goal, "--untrusted", "-t", "2"], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE
            )
        assert run.returncode == code, run.stderr
    assert os.listdir(tmp_path) == [name]
