% Run: swipl -g run_tests -t halt lpbridge_proof.plt

:- use_module(library(plunit)).
:- use_module(lpbridge_proof).

n(0) :- enter(1, n(0)), leave(1).
n(s(X)) :- enter(2, n(s(X))), called(3, n(X)), n(X), done(3), leave(2).

q(['X'=X]) :- enter(4, query), called(5, n(s(X))), n(s(X)), done(5), leave(4).

:- dynamic fact/1.
fact(1) :- lpbridge_proof:enter(6, fact(1)), lpbridge_proof:leave(6).
fact(X) :- lpbridge_proof:enter(7, fact(X)), ( lpbridge_proof:called(8, n(X)), (n(X)), lpbridge_proof:done(8) ;
    lpbridge_proof:called(9, true), (true), lpbridge_proof:done(9), fail ), lpbridge_proof:leave(7).

:- begin_tests(proof).

test(events, Events == [ [entered, 4, "query"], [called, 5, "n(s(0))"], [entered, 2, "n(s(0))"], [called, 3, "n(0)"],
                         [entered, 1, "n(0)"], [left, 1, ""], [done, 3, ""], [left, 2, ""], [done, 5, ""],
                         [left, 4, ""] ]) :-
    prove(q(_), 1, 1000, [proved, Events, _]).

test(second, Text == "n(s(s(0)))") :- prove(q(_), 2, 1000, [_, [_, [_, _, Text]|_], _]).

test(fails, Reply = [fails, [], _]) :- prove(member(_, []), 1, 1000, Reply).

test(limit, Word == inferences) :- prove((repeat, fail), 1, 1000, [Word|_]).

test(raises, Word == raises) :- prove(throw(x), 1, 1000, [Word|_]).

test(clause, Bodies == [(n(x) ; true, fail)]) :- findall(Body, clause_(fact(x), Body), Bodies).

test(retract, [nondet]) :- retract_(fact(1)), \+ clause_(fact(1), true).

test(leaves, true(memberchk(["fact/1", dynamic], Leaves))) :- prove(q(_), 1, 1000, [_, _, Leaves]).

:- end_tests(proof).
