:- module(test_lpbridge_trials, []).

:- use_module(library(plunit)).
:- use_module(lpbridge_trials).

:- begin_tests(lpbridge_trials).

test(answers, Results == [[all, ["N = 2"]], [more, ["X = [], Y = 0", "X = [A], Y = 1"]]]) :-
    trial("len([],0). len([_|T],N) :- len(T,M), N is M+1.", ["len([a,b],N)", "len(X,Y)"], 2, 100000, Results).
test(residual, Results == [[all, ["X = A, A in 2..3"]]]) :-
    trial(":- use_module(library(clpfd)). c(X) :- X in 1..3, X #> 1.", ["c(X)"], 5, 100000, Results).
test(endless, Results == [[limit, []]]) :-
    trial("p :- p.", ["p"], 5, 10000, Results).
test(unknown, Results == [["error: unknown procedure q/1", []]]) :-
    trial("p(1).", ["q(1)"], 5, 10000, Results).
test(grammar, Results == [[all, [""]], [all, []]]) :-
    trial("g --> [a], h. h --> [b].", ["phrase(g, [a,b])", "phrase(g, [a])"], 5, 10000, Results).
test(unreadable) :-
    trial("p(1. q(2).", ["p(X)"], 5, 10000, [[Message, []]]),
    sub_string(Message, 0, _, _, "error: syntax_error").
test(no_other_directive_is_run, Results == [[all, []]]) :-
    trial(":- dynamic(p/1). :- assertz(p(1)). :- halt.", ["p(X)"], 5, 10000, Results).

:- end_tests(lpbridge_trials).
