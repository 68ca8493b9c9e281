"""What libraries give untrusted programs: those that work, and attacks through each of them that the first wall stops.

There is no second and no third wall here: what is not refused, or of no effect, leaves a trace.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import closing, suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE

from bridge.errors import LimitError, ProgramError
from bridge.isolation.worker import Worker
from bridge.limits import Limits
from bridge.outcome import Progress
from bridge.prolog import Session
from torture.harness import within

LIMITS = Limits(seconds=PATIENCE)

#: A goal by library, and what its answers are: each library does its work confined.
WORKS = {
    "aggregate": ("aggregate_all(max(X), member(X, [1, 3]), M)", ["M = 3."]),
    "apply": ("foldl([X, S0, S]>>(S is S0 + X), [1, 2], 0, S)", ["S = 3."]),
    "apply_macros": ("maplist([X, Y]>>(Y is X + 1), [1], L)", ["L = [2]."]),
    "assoc": ("list_to_assoc([a-1], A), map_assoc([X, Y]>>(Y is X + 1), A, B), get_assoc(a, B, V)", None),
    "clpb": ("sat(X * Y)", ["X = Y, Y = 1."]),
    "clpfd": ("X in 1..3, X #> 2", ["X = 3."]),
    "clpq": ("{2 * X + Y = 5, X - Y = 1}, {Z >= X / 3}", ["X = 2,\nY = 1,\n{Z>=2r3}."]),
    "clpr": ("{X * X = 4.0}", ["X = 2.0.", "X = -2.0."]),
    "date": ("parse_time('2020-01-01', T)", ["T = 1577836800.0."]),
    "dcg/basics": ("atom_codes('12 ab', C), phrase((integer(X), blanks, remainder(_)), C)", None),
    "dcg/high_order": ("phrase(sequence(digit, L), `12`)", ["L = [49, 50]."]),
    "gensym": ("gensym(a, X), reset_gensym(a), gensym(a, X), reset_gensym", ["X = a1."]),
    "heaps": ("list_to_heap([2-b, 1-a], H), get_from_heap(H, _, K, _)", None),
    "option": ("select_option(a(X), [a(1), b], R)", ["X = 1,\nR = [b]."]),
    "ordsets": ("list_to_ord_set([b, a, b], S), ord_union(S, [c], U)", ["S = [a, b],\nU = [a, b, c]."]),
    "pairs": ("map_list_to_pairs(atom_length, [ab, c], P)", ["P = [2-ab, 1-c]."]),
    "random": ("set_random(seed(7)), X is random(9), set_random(seed(7)), Y is random(9), X == Y", None),
    "rbtrees": ("list_to_rbtree([a-1], T), rb_insert(T, b, 2, U), rb_keys(U, K)", None),
    "simplex": (
        "gen_state(A), constraint([2*x, y] =< 5, A, B), constraint([y] =< 3, B, C), maximize([3*x, 2*y], C, D), "
        "variable_value(D, x, V), objective(D, O), gen_state_clpr(E), constraint([x] =< 1.5, E, F), maximize([x], F, G), "
        "objective(G, 1.5)", None,
    ),
    "solution_sequences": ("order_by([desc(X)], distinct(X, member(X, [1, 2, 1])))", ["X = 2.", "X = 1."]),
    "strings": ("dedent_lines(\"  a\\n  b\", L, [])", ['L = "a\\nb".']),
    "tabling": ("path(a, X)", ["X = b."]),
    "ugraphs": ("vertices_edges_to_ugraph([], [a-b, b-c], G), top_sort(G, L)", None),
    "yall": ("F = 2, maplist({F}/[X, Y]>>(Y is X * F), [1, 2], L)", ["F = 2,\nL = [2, 4]."]),
}  # fmt: skip


@pytest.mark.parametrize("library", WORKS)
def test_a_library_works_confined(library: str) -> None:
    goal, expected = WORKS[library]
    text = f":- use_module(library({library})).\n:- table path/2.\npath(X, Y) :- path(X, Z), edge(Z, Y).\npath(X, Y) :- edge(X, Y).\nedge(a, b).\n"
    if library != "dcg/basics":
        text += "digit(D) --> [D], { code_type(D, digit) }.\n"
    with Session(text, untrusted=True, limits=LIMITS) as session:
        found = [str(answer) for answer in session.query(goal, limits=LIMITS).collect().solutions]
        assert found
        assert found == (expected or found)


def test_programs_of_sums_run_confined() -> None:
    text = """
        :- use_module([library(clpq), library(lists)]).
        solve(X) :- {X = 3*4+5}.
        share(X) :- {3 * X = 1}.
        mixture(A, B) :- {A + B = 10, 0.2 * A + 0.5 * B = 0.3 * 10}.
        best(P) :- {2*X + Y =< 16, X + 2*Y =< 11, X >= 0, Y >= 0, P = 30*X + 50*Y}, sup(P, S), {P = S}.
        whole(X, Least) :- {X >= 5r2}, bb_inf([X], X, Least).
        open(X) :- {X > 3}, entailed(X > 2), dump([X], [x], [x > 3]).
    """
    with Session(text, untrusted=True, limits=LIMITS) as session:

        def value(goal: str, name: str = "X") -> Any:
            answer = session.first(goal, limits=LIMITS)
            return None if answer is None else answer[name]

        assert value("solve(X)") == 17
        assert value("share(X)") == Fraction(1, 3)
        assert value("mixture(A, B)", "A") == Fraction(20, 3)
        assert value("best(P)", "P") == 310
        assert value("whole(X, L)", "L") == 3
        assert [str(answer) for answer in session.query("open(X)")] == ["{X>3}."]


#: Attacks: a library, a program and a goal. Those marked `!` run TRAP where no wall stands.
ATTACKS = [
    ("aggregate!", "", "aggregate_all(count, TRAP, _)"),
    ("aggregate!", "", "foreach(member(_, [1]), TRAP)"),
    ("aggregate!", "", "aggregate(count, X^(X = 1, TRAP), _)"),
    ("apply!", "", "foldl([_, A, A]>>(TRAP), [x], 0, _)"),
    ("apply!", "", "partition([_]>>(TRAP), [x], _, _)"),
    ("apply_macros!", "t :- maplist([_]>>(TRAP), [1]).", "t"),
    ("apply_macros!", "t :- ignore(TRAP), once(TRAP), forall(true, TRAP).", "t"),
    ("apply!", "portray(_) :- TRAP.", "put_attr(X, lpbridge_untrusted, a), print(X), writeq(X), TRAP"),
    ("apply", "portray(_) :- TRAP.", "print(f(_)), print('$VAR'(1)), write_canonical(f(_)), writeq({TRAP}), write(x), nl, tab(2), put_char(x)"),
    ("apply", "attr_portray_hook(_, _) :- TRAP.", "put_attr(X, dif, a), print(X), write(X)"),
    ("apply", "", "tab(TRAP)"),
    ("apply", "", "put_char(TRAP)"),
    ("apply!", "", "write_term(x, [portray(true), portray_goal([_, _]>>(TRAP))])"),
    ("apply", "", "print(user_error, TRAP), write(user_output, TRAP)"),
    ("assoc!", "", "list_to_assoc([a-1], A), map_assoc([_]>>(TRAP), A)"),
    ("clpb", "", "sat(TRAP)"),
    ("clpb", "", "put_attr(X, clpb, TRAP), X = 1"),
    ("clpb", "", "put_attr(X, clpb_bdd, TRAP), X = 1"),
    ("clpfd", "", "put_attr(X, clpfd, clpfd_attr(-, -, TRAP, -, -)), X = 1"),
    ("clpfd", "", "X #= TRAP"),
    ("clpfd", "", "clpfd:trigger_once(propagator(TRAP, _))"),
    ("clpfd", "", "b_setval('$clpfd_queue', TRAP), X #> 1"),
    ("clpfd", "clpfd:run_propagator(evil, _) :- TRAP.", "clpfd:run_propagator(evil, _)"),
    *[
        (one[0].replace("Q", q), one[1], one[2].replace("Q", q).replace("RARG", ", 0.1" if q == "r" else ""))
        for q in "qr"
        for one in [
            ("clpQ!", "", "put_attr(X, clpqr_geler, g(clpQ, goals(run(_, TRAP)), n)), X = 1"),
            ("clpQ!", "", "clpqr_geler:geler(clpQ, [X], TRAP), X = 1"),
            ("clpQ!", "", "clpqr_geler:run(_, TRAP)"),
            ("clpQ!", "", "nf_Q:wait_linear(1, _, TRAP)"),
            ("clpQ!", "", "nf_Q:wait_linear(X * X, _, TRAP), X = 1"),
            ("clpQ!", "", "{X * Y = 2}, get_attr(X, clpqr_geler, A), arg(2, A, G), setarg(1, G, run(_, TRAP)), X = 1"),
            ("clpQ", "", "{X * Y = 2}, get_attr(X, clpqr_geler, A), A = g(_, goals(run(M, _)), _), M = TRAP, Y = 1"),
            ("clpQ", "", "{X > 1}, get_attr(X, clpqr_itf, A), put_attr(Z, clpqr_itf, A), Z = TRAP"),
            ("clpQ", "", "put_attr(X, clpqr_itf, t(clpQ, TRAP, n, n, n, n, n, n, n, n, n)), X = 1"),
            ("clpQ", "", "put_attr(X, clpqr_itf, t(TRAP)), copy_term(X, _, _)"),
            ("clpQ", "", "put_attr(X, clpqr_class, TRAP), X = 1"),
            ("clpQ", "", "{TRAP}"),
            ("clpQ", "", "{X = TRAP}"),
            ("clpQ", "", "{call(TRAP)}"),
            ("clpQ", "", "G = {X = 1, TRAP}, call(G)"),
            ("clpQ", "", "entailed(TRAP)"),
            ("clpQ", "", "inf(TRAP, _)"),
            ("clpQ", "", "sup(X, _, [TRAP], _)"),
            ("clpQ", "", "maximize(TRAP)"),
            ("clpQ", "", "bb_inf([TRAP], X, _, _RARG)"),
            ("clpQ", "", "ordering(TRAP)"),
            ("clpQ", "", "ordering([A, TRAP, B])"),
            ("clpQ", "", "{X > 1}, dump([X], [TRAP], Cs), maplist(call, Cs)"),
            ("clpQ", "", "dump([X], TRAP, [_])"),
            ("clpQ", "", "clpqr_dump:projecting_assert((user:portray(_) :- TRAP)), print(x)"),
            ("clpQ", "", "clpqr_dump:projecting_assert((evil :- TRAP)), evil"),
            ("clpQ", "", "{X > 1}, clpqr_dump:projecting_assert((evil(X) :- TRAP)), evil(2)"),
            ("clpQ", "", "nb_setval(prov_opt, TRAP), {X >= 1}, bb_inf([X], X, _, _RARG)"),
            ("clpQ", "", "nb_setval(inf, [TRAP]), {X >= 1}, inf(X, _)"),
            ("clpQ!", "goal_expansion({_}, TRAP).\nt :- {_ = 1}.", "t"),
            ("clpQ!", "attr_unify_hook(_, _) :- TRAP.", "{X > 1}, put_attr(X, lpbridge_untrusted, a), {X = 2}"),
            ("clpQ!", "attribute_goals(_) --> {TRAP}.", "{X > 1}, put_attr(X, lpbridge_untrusted, a), copy_term(X, _, _)"),
            ("clpQ", "nf_Q:({_} :- TRAP).", "{X = 1}"),
            ("clpQ", "clpQ:{_} :- TRAP.", "{X = 1}"),
            ("clpQ", ":- multifile nf_Q:submit_eq/1.\nnf_Q:submit_eq(_) :- TRAP.", "{X = 1}"),
            ("clpQ", "clpqr_geler:transg(_, _, _) :- TRAP.", "{X * Y = 2}, dump([X, Y], _, _)"),
            ("clpQ", "prolog:message(query(_, _)) --> {TRAP}.", "throw(query(yes, ['X' = _]))"),
            ("clpQ", "", "{X > 1}, throw(query(yes, ['~@'-[TRAP] = X]))"),
            ("clpQ", ":- module(nf_Q, [{}/1]).\n{_} :- TRAP.", "{X = 1}"),
            ("clpQ", ":- module(itf_Q, []).\ndo_checks(_, _, _, _, _, _, _, [TRAP]).", "{X > 1}, X = 2"),
        ]
    ],
    ("clpq", "", "itf_q:do_checks(1, TRAP, _, _, _, _, _, L), maplist(call, L)"),
    ("date", "", "format_time(atom(_), TRAP, 0)"),
    ("date", "", "format_time(user_output, '%Y', TRAP)"),
    ("dcg/basics!", "evil --> {TRAP}.", "phrase((blanks, evil), [], _)"),
    ("dcg/high_order!", "evil(_) --> {TRAP}.", "phrase(sequence(evil, [x]), [], _)"),
    ("dcg/high_order!", "", "phrase(foreach(TRAP, []), _)"),
    ("dcg/high_order!", "evil --> {TRAP}.", "phrase(optional(evil, []), [], _)"),
    ("gensym", "", "set_flag('$gs_x', TRAP), gensym(x, _)"),
    ("gensym", "", "recordz('$gensym', TRAP), reset_gensym"),
    ("gensym", "", "with_mutex('$gensym', TRAP)"),
    ("option!", "", "option(a(G), [a(TRAP)]), call(G)"),
    ("option!", "", "dict_options(_{a: TRAP}, [a(G)]), call(G)"),
    ("ordsets!", "", "ord_union([TRAP], [], [G]), call(G)"),
    ("pairs!", "", "map_list_to_pairs([_, _]>>(TRAP), [a], _)"),
    ("random", "", "set_random(state(TRAP))"),
    ("random", "", "O = state(3), set_random(O)"),
    ("random!", "", "random_member(G, [TRAP]), call(G)"),
    ("rbtrees!", "", "list_to_rbtree([a-1], T), rb_map(T, [_, _]>>(TRAP), _)"),
    ("simplex", "", "gen_state(A), constraint([TRAP] =< 3, A, B), maximize([TRAP], B, _)"),
    ("simplex", "", "maximize([x], state(0, [], [c(0, [TRAP], call, TRAP)], []), _)"),
    ("simplex", "", "maximize([x], clpr_state([eps=TRAP], [c(0, [1*x], =<, TRAP)], [x]), _)"),
    ("simplex", "", "maximize([x], clpr_state([eps=1], [c(0, [1*x], ;, TRAP)], []), _)"),
    ("simplex", "", "variable_value(clpr_solved(0, [x-TRAP], [], []), x, _)"),
    ("simplex", "", "transportation([TRAP], [1], [[1]], _)"),
    ("simplex", "", "put_attr(X, edges, TRAP), put_attr(X, parent, TRAP), assignment([[1, 2], [2, 1]], _), X = 1"),
    ("simplex!", "", "pure_input:phrase_from_file([_, _]>>(TRAP), '/dev/null')"),
    ("simplex!", "", "lazy_lists:lazy_list([_, _]>>(TRAP), L), L = [_|_]"),
    ("solution_sequences!", "", "distinct(X, (X = 1, TRAP))"),
    ("solution_sequences!", "", "call_nth(TRAP, 1)"),
    ("solution_sequences!", "", "group_by(X, X, (X = 1, TRAP), _)"),
    ("strings!", "", "interpolate_string(\"{@TRAP}\", _, [], [goals(true)])"),
    ("strings", "", "dedent_lines(\"a\", _, [tab(TRAP)])"),
    ("tabling!", ":- table p(_, lattice(evil/3)).\np(1, 1).\np(1, 2).\nevil(_, _, _) :- TRAP.", "p(1, _)"),
    ("tabling!", ":- table p/0.\np :- TRAP.", "p"),
    ("ugraphs", "", "vertices_edges_to_ugraph([TRAP], [TRAP-b], G), transitive_closure(G, _)"),
    ("yall!", "", "F = [X]>>call(X), call(F, TRAP)"),
    ("yall!", "", "call({}/[]>>(TRAP))"),
]  # fmt: skip


def asked(worker: Worker, *call: Any) -> Any:
    (answer,) = worker.ask(call, Progress(), LIMITS)
    return answer


@pytest.mark.parametrize(("library", "text", "goal"), ATTACKS, ids=[f"{one[0]}-{n}" for n, one in enumerate(ATTACKS)])
def test_an_attack_through_a_library_has_no_effect(library: str, text: str, goal: str, tmp_path: Path) -> None:
    trap = f"system:shell('touch {tmp_path}/trace')"
    text = f":- use_module(library({library.removesuffix('!')})).\n" + text.replace("TRAP", trap) + "\n"
    goal = goal.replace("TRAP", trap)
    with closing(Worker("fuzz.first_wall_job")) as worker:
        texts = [message[-1] for message in asked(worker, "open", [(text, True)], False)[0] if message[0] == "error"]
        try:
            asked(worker, "run", goal, [], None, True)
        except (ProgramError, ValueError) as error:  # the latter: no answer
            texts.append(str(error))
        assert asked(worker, "reached") == []
    assert os.listdir(tmp_path) == []
    assert not any("yntax error" in one for one in texts), texts
    if library.endswith("!"):
        assert any(re.search(r"safe|sandboxed|refused", one) for one in texts), texts


@pytest.mark.parametrize(("library", "text", "goal"), [one for one in ATTACKS if one[0].endswith("!")])
def test_the_same_attack_without_walls(library: str, text: str, goal: str, tmp_path: Path) -> None:
    """That it has an effect there is why it is one."""
    text = f":- use_module(library({library.removesuffix('!')})).\n{text}\n".replace("lpbridge_untrusted", "user")
    trap = f"system:shell('touch {tmp_path}/trace')"
    with Session(text.replace("TRAP", trap), output="nowhere", strict=False, limits=LIMITS) as session:
        try:
            session.query(goal.replace("TRAP", trap).replace("lpbridge_untrusted", "user"), limits=LIMITS).collect()
        except ProgramError:
            assert os.listdir(tmp_path) == ["trace"]
    assert os.listdir(tmp_path) == ["trace"]


#: Goals and clauses that would be called, or added, in a module of a library.
WITHIN = ("M:call(TRAP)", "M:apply(shell, ['touch TRACE'])", "@(TRAP, M)", "M:assertz((evil :- TRAP)), M:evil", "M:assertz(evil)", "M:dynamic(evil/1)", "M:op(700, xfx, evil)", "M:TRAP", "M:(true, TRAP)")


def modules() -> Iterator[str]:
    yield from ("clpq", "clpr", "nf_q", "nf_r", "bv_q", "bb_q", "itf_q", "clpqr_itf", "clpqr_geler", "clpqr_dump", "clpqr_class", "simplex", "clpfd", "clpb")
    yield from ("aggregate", "apply", "apply_macros", "assoc", "dcg_basics", "dcg_high_order", "gensym", "option", "ordsets", "pairs")
    yield from ("random", "rbtrees", "solution_sequences", "strings", "ugraphs", "yall", "date", "pure_input", "lazy_lists", "nb_set")


def test_nothing_runs_in_the_modules_of_libraries(tmp_path: Path) -> None:
    trap = f"shell('touch {tmp_path}/trace')"
    with closing(Worker("fuzz.first_wall_job")) as worker:
        asked(worker, "open", [("a.\n", True)], False)
        for module in modules():
            for goal in WITHIN:
                filled = re.sub(r"\bM\b", module, goal).replace("TRAP", trap).replace("TRACE", f"{tmp_path}/trace")
                with pytest.raises(ProgramError, match=r"safe|refused"):
                    asked(worker, "run", filled, [], None, True)
        assert asked(worker, "reached") == []
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("library", "why"),
    [("chr", "in place"), ("nb_set", "in place"), ("process", "programs"), ("csv", "files"), ("janus", "Python"), ("http/http_open", "network"), ("no_such", "not for untrusted")],
)
def test_a_library_that_is_refused_is_said_with_its_place(library: str, why: str) -> None:
    for loading in (f"use_module(library({library}))", f"use_module([library(lists), library({library})])", f"ensure_loaded(library({library}))"):
        with pytest.raises(ProgramError, match=rf"<text>:2: library\({library}\) is refused: .*{why}"):
            Session(f"a.\n:- {loading}.\n", untrusted=True, limits=LIMITS)


#: Each is ended by its limit, or by an error of the program.
ENDLESS = [
    (":- use_module(library(clpq)).", "{X = 10 ^ (10 ^ 10)}"),
    (":- use_module(library(clpq)).\nl(X) :- {Y = X * 2 + 1}, l(Y).", "l(1)"),
    (":- use_module(library(clpq)).\nl(X) :- {X > Y}, l(Y).", "l(_)"),
    (":- use_module(library(clpr)).\nl(X) :- {Y =:= X * 1.1}, l(Y).", "l(1.0)"),
    (":- use_module(library(simplex)).\nl(N, S0) :- constraint([x] =< N, S0, S), N1 is N + 1, l(N1, S).", "gen_state(S), l(0, S)"),
    (":- use_module(library(gensym)).", "repeat, gensym(a, _), fail"),
    (":- use_module(library(clpq)).\n:- {X = 1}, repeat, {X = 2}.", "true"),
]


@pytest.mark.parametrize(("text", "goal"), ENDLESS)
def test_what_does_not_end_in_a_library_is_ended(text: str, goal: str) -> None:
    limits = Limits(seconds=0.3, memory=200 << 20)
    with within(2), suppress(ProgramError, LimitError), Session(f"{text}\n", untrusted=True, limits=limits) as session:
        assert not session.query(goal, limits=limits).collect().complete
