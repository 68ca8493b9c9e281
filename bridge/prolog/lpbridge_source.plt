% Run: swipl -g run_tests -t halt lpbridge_source.plt

:- use_module(library(plunit)).
:- use_module(lpbridge_source).

% The goals of each clause: kind and text.
goals(Text, Goals) :-
    source(Text, [], [], [Clauses|_]),
    findall(Kind-Goal,
            ( member([_, _, _, _, _, _, _, Found|_], Clauses),
              member([Kind, From, To|_], Found),
              Length is To - From,
              sub_string(Text, From, Length, _, Goal)
            ),
            Goals).

:- begin_tests(source).

test(conjunction, Goals == [goal-"q(X)", goal-"r"]) :- goals("p(X) :- q(X), r.", Goals).

test(disjunction, Goals == [goal-"q", goal-"r", goal-"s"]) :- goals("p :- ( q ; r, s ).", Goals).

test(negation_is_a_test, Goals == [goal-"q", test-"\\+ r"]) :- goals("p :- q, \\+ r.", Goals).

test(before_a_cut_all_is_fixed, Goals == [fixed-"q", fixed-"!", goal-"r"]) :- goals("p :- q, !, r.", Goals).

test(a_branch_is_inner, Depths == [0, 1, 1]) :-
    source("p :- ( a -> b ; c ).", [], [], [[[_, _, _, _, _, _, _, Goals|_]]|_]),
    findall(Depth, member([_, _, _, _, _, _, _, Depth|_], Goals), Depths).

test(constraints_need_their_library, Goals == [goal-"sum(A, B, C)"]) :- goals("p(A, B, C) :- sum(A, B, C).", Goals).

test(operators_of_a_library, Goals == [constraint-"X #> Y", search-"label([X])"]) :-
    goals(":- use_module(library(clpfd)).\np(X, Y) :- X #> Y, label([X]).", Goals).

test(operators_of_the_text, Goals == [goal-"a ==> b"]) :- goals(":- op(700, xfx, ==>).\np :- a ==> b.", Goals).

test(defined_here_is_no_constraint, [nondet, Kind == goal]) :-
    goals(":- use_module(library(clpfd)).\nlabel(_).\np(X) :- label(X).", [Kind-_]).

test(grammar, Goals == [terminal-"\"a\"", goal-"b", goal-"X = 1"]) :- goals("s(X) --> \"a\", b, { X = 1 }.", Goals).

test(effects, Effects == true) :- source("p :- assertz(q).", [], [], [_, _, Effects, _]).

test(module, Module == m) :- source(":- module(m, []).\np.", [], [], [_, _, _, Module]).

test(nothing_runs, Clauses == []) :- source(":- initialization(halt).\n:- halt.", [], [], [Clauses|_]).

test(syntax, error(syntax_error(_))) :- source("p :- .", [], [], _).

test(leaves, Paths == ['1[2]'-"5", '1[3].1'-"a"]) :-
    source("p :- q([_, 5, f(a)]).", [], [], [[[_, _, _, _, _, _, _, [Goal]|_]]|_]),
    nth0(6, Goal, Parts),
    findall(Path-Text, member([leaf, _, _, Path, Text], Parts), Paths).

:- end_tests(source).
