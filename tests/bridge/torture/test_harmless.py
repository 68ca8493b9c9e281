"""What programs that machines write do, and no harm comes of, runs confined as it does unconfined; what is near to it is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from patience import PATIENCE

import bridge
from bridge.errors import ProgramError
from bridge.limits import Limits

LIMITS = Limits(seconds=PATIENCE, memory=1 << 30)
_, *PARTS = re.split(r"^%% (.*)\n", Path(__file__).with_name("harmless.pl").read_text(), flags=re.MULTILINE)
NAMES, TEXTS = PARTS[::2], PARTS[1::2]


def test_what_is_harmless_runs() -> None:
    """But for what docs/prolog.md says, of which there is one each."""
    trusted, confined = (list(bridge.judge("", TEXTS, ["solve(X)"], untrusted=one, limits=LIMITS)) for one in (False, True))
    for name, here, there in zip(NAMES, trusted, confined, strict=True):
        refused = name.startswith("refused: ")
        assert here.verdict == ("unbound" if name.endswith("chr") else "answered"), name
        assert there.verdict == ("refused" if refused else here.verdict), (name, str(there))
        assert refused or there.goals[0].texts == here.goals[0].texts, name


HOSTILE = [
    "solve(1) :- nb_setval('$term', x).", "solve(1) :- nb_setval(lpbridge_looking, true).", "solve(1) :- b_setval(lpbridge_silent, true).", "solve(1) :- nb_setval(sandbox_last_error, x).",
    "solve(1) :- X = '$term', nb_setval(X, 1).", "solve(1) :- atom_concat('$', term, X), nb_setval(X, 1).", "solve(1) :- nb_linkval(k, x).", "solve(1) :- flag('$gs_x', _, 7).",
    "solve(1) :- atom_concat(lpbridge, x, K), flag(K, _, 1).", "solve(X) :- recorded(X, _).", "solve(1) :- recorda('$x', 1).", "solve(1) :- recorda(k, 1, R), erase(R).",
    "solve(1) :- recorded(_, _, R), erase(R).", "solve(1) :- nb_setval(k, shell(true)), nb_getval(k, G), call(G).", "solve(1) :- b_setval(k, G), G = shell(true), b_getval(k, H), H.",
    "solve(1) :- recorda(k, shell(true)), recorded(k, G), G.", "p(_, _) :- shell(true).\nsolve(1) :- write_term(x, [portray_goal(p)]).",
    "p(_, _) :- shell(true).\nsolve(1) :- O = [portray_goal(p)], write_term(x, O).", "solve(1) :- q(O), write_term(x, O).\nq([portray_goal(p)]).\np(_,_).",
    "solve(1) :- write_term(x, [quoted(true)|T]), T = [portray_goal(p)].", "solve(1) :- write_term(user_error, x, [portray_goal(p)]).",
    "solve(1) :- read_term_from_atom('f(X)', _, [backquoted_string(true), term_expand(p)]).", "solve(X) :- read_term(X, [syntax_errors(dec10)]), open(x, read, _).",
    "solve(X) :- read_term(S, X, []), S = user_input.", "solve(1) :- write(S, x), S = user_output.", "solve(1) :- stream_property(S, fd(_)), nl(S).", "solve(1) :- nl('$stream'(3)).",
    "solve(1) :- nl(4).", "solve(1) :- format(user_error, '~@', [shell(true)]).", "solve(1) :- format(user_error, \"~W\", [x, [portray_goal(p)]]).",
    "solve(1) :- format(S, x, []), S = user_error.", "solve(X) :- use_module(library(strings)), interpolate_string(\"{a}\", X, [a = 1], []).",
    "solve(X) :- use_module(library(strings), [interpolate_string/4 as harmless]), harmless(\"{a}\", X, [a=1], []).",
    "solve(1) :- use_module(library(strings), all), interpolate_string(\"\", _, [], []).", "solve(1) :- use_module(library(lists), except([append/3 as foo])), foo([], [], _).",
    "solve(1) :- L = [interpolate_string/4 as harmless], use_module(library(strings), L), harmless(\"\", _, [], []).", "solve(1) :- use_module(library(shell)), ls.",
    "solve(1) :- import(sandbox:safe_call/1), safe_call(true).", "solve(1) :- lpbridge_untrusted:import(system:shell/1).",
    "solve(1) :- add_import_module(lpbridge_untrusted, lpbridge_sandbox, start), decide(x).", "solve(1) :- assertz((foo :- shell(true))), foo.",
    "solve(1) :- assertz(foo --> {shell(true)}), foo.", "solve(1) :- process_create(path(true), [], []).", "solve(1) :- call_with_time_limit(1, shell(true)).", "solve(1) :- user:foo.",
    "solve(1) :- lists:foo.", "solve(1) :- other:foo.", ":- dynamic foo/0.\nsolve(1) :- assertz(user:portray(_)), print(x).",
    "solve(1) :- assertz(lpbridge_untrusted:(foo :- shell(true))), foo.", "solve(1) :- assertz(system:foo(1)), foo(1).", ":- initialization(shell(true), now).\nsolve(1).",
    "solve(1) :- listing(lpbridge_sandbox:_).", "solve(1) :- listing(_).", "solve(1) :- listing.", "solve(1) :- listing([solve, foo]).", "solve(1) :- listing(solve/1, [source(true)]).",
    "solve(1) :- X = m:y, listing(X).", ":- use_module(library(dcg/high_order)).\nx(1, _, _) :- shell(true).\nsolve(1) :- phrase(sequence(x, _), `a`).",
    ":- use_module(library(dcg/high_order)).\nx(_, _) :- shell(true).\nsolve(1) :- phrase(optional(x, []), `a`).",
    ":- use_module(library(dcg/high_order)).\nsolve(1) :- phrase(foreach(shell(true), []), `a`, _).",
    ":- use_module(library(dcg/high_order)).\nsolve(1) :- phrase(sequence(X, _), `a`), X = shell.",
    ":- use_module(library(dcg/high_order)).\nsolve(1) :- phrase(sequence(digit, {shell(true)}, _), `a`).",
    ":- use_module(library(dcg/high_order)).\nsolve(1) :- phrase(sequence([], shell, {shell(true)}, [], _), `a`).", "solve(1) :- dcg_high_order:sequence_([], shell, a, b, c).",
    "solve(1) :- dynamic(user:portray/1).", "solve(1) :- dynamic(lists:evil/1).", "solve(1) :- lists:dynamic(evil/1).", "solve(1) :- D = user:portray/1, dynamic(D).", "solve(1) :- dynamic((foo/1, system:foo/1)).",
    "solve(X) :- get_char(S, X), S = user_input.", "solve(X) :- read_line_to_string(S, X), S = user_input.", "solve(X) :- read_string(user_error, _, X).", "solve(1) :- portray_clause(user_error, x), open(x, read, _).",
    "portray(_) :- shell(true).\nattribute_goals(_) --> { shell(true) }.\nsolve(1) :- put_attr(X, lpbridge_untrusted, 1), portray_clause(X).",
    "solve(1) :- assertz((foo(G) :- call(G))), foo(shell(true)).", "solve(1) :- assertz((foo :- G)), G = shell(true).", "solve(1) :- C = (foo :- shell(true)), assertz(C), foo.",
    "solve(1) :- B = shell(true), assertz((foo :- B)), foo.", "solve(1) :- atom_to_term('foo :- shell(true)', C, _), assertz(C), foo.", "add(C) :- assert(C).\nsolve(1) :- add((foo :- shell(true))), foo.",
    "solve(1) :- asserta(((foo :- true) :- shell(true))).", "solve(1) :- assertz(('$x'(_, _) :- true)).", "solve(1) :- assertz((user:foo :- true)).", "solve(1) :- assertz((foo :- user:foo)).",
    "solve(1) :- assertz((portray(_) :- shell(true))), print(x).", "solve(1) :- assertz((foo(F, A) :- format(F, A))), foo('~@', [shell(true)]).", "solve(1) :- assertz((foo => shell(true))), foo.",
    "solve(1) :- assertz((foo :- bar)), bar.\nbar :- shell(true).", "bar(G) :- call(G).\nsolve(1) :- assertz((foo(G) :- bar(G))), foo(shell(true)).",
    "solve(1) :- assertz((attr_unify_hook(_, _) :- shell(true))), put_attr(X, lpbridge_untrusted, 1), X = 2.", "solve(1) :- assertz((goal_expansion(_, _) :- shell(true))).",
    "solve(1) :- assertz((foo :- assertz((bar :- shell(true))))), foo, bar.", "solve(1) :- T = (foo :- true), setarg(2, T, shell(true)), assertz(T), foo.", "solve(1) :- halt(X), X = 1, shell(true).",
    "solve(1) :- system:halt, shell(true).", "solve(1) :- lpbridge_errors:halt_asked(0).", ":- at_halt(shell(true)).\n:- halt.", "solve(1) :- prolog_main:halt(shell(true)), shell(true).", "solve(1) :- main, shell(true).",
    "main(_) :- shell(true).\nsolve(1) :- main.", "solve(1) :- argv_options([], _, _), cli_debug_opt_type(_, _, _), shell(true).",
    "foo(_) :- true.\n:- freeze(X, foo(X)), nb_setval(k, X).\n:- discontiguous foo/1.\nfoo(_) :- shell(true).\nsolve(1) :- nb_getval(k, X), X = 1.",
    ":- freeze(X, foo(X)), nb_setval(k, f(X)).\nfoo(_) :- shell(true).\nsolve(1) :- nb_getval(k, f(X)), X = 1.",
]  # fmt: skip


def test_what_is_near_to_it_is_refused() -> None:
    for text, one in zip(HOSTILE, bridge.judge("", [text + "\n" for text in HOSTILE], ["solve(X)"], untrusted=True, limits=LIMITS), strict=True):
        assert one.verdict == "refused", (text, str(one))


def test_what_is_nowhere_is_an_error_when_it_is_called() -> None:
    texts = ["solve(X) :- member(X, [1, 2]), ( X == 1 -> true ; foo ).\n", "solve(_) :- foo.\n", "solve(_) :- shell_(true).\n"]
    found = list(bridge.judge("", texts, {"solve(X)": [1, 2]}, untrusted=True, limits=LIMITS))
    assert [(one.verdict, one.right, one.goals[0].reason) for one in found] == [("error", 1, "unknown predicate"), ("error", 0, "unknown predicate"), ("error", 0, "unknown predicate")]


def test_main_is_run_as_a_goal() -> None:
    with bridge.prolog.Session(":- initialization(shell(true), main).\na.\n", untrusted=True) as session:
        goal = session.main()
        assert goal == "shell(true)"
        with pytest.raises(ProgramError, match="not safe"):
            session.first(goal)
