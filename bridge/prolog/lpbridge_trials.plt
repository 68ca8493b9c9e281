:- module(test_lpbridge_trials, []).

:- use_module(library(plunit)).
:- use_module(lpbridge_trials).

:- begin_tests(lpbridge_trials).

test(answers, Results = [[all, ["N = 2"], _], [more, ["X = [], Y = 0", "X = [A], Y = 1"], _]]) :-
    trial("len([],0). len([_|T],N) :- len(T,M), N is M+1.", ["len([a,b],N)", "len(X,Y)"], 2, 100000, Results).
test(residual, Results = [[all, ["X = A, A in 2..3"], _]]) :-
    trial(":- use_module(library(clpfd)). c(X) :- X in 1..3, X #> 1.", ["c(X)"], 5, 100000, Results).
test(endless, Results = [[limit, [], _]]) :-
    trial("p :- p.", ["p"], 5, 10000, Results).
test(unknown, Results = [["error: unknown procedure q/1", [], _]]) :-
    trial("p(1).", ["q(1)"], 5, 10000, Results).
test(no_goal, Results = [["not a goal", [], _], ["not a goal", [], _], ["not a goal", [], _], [all, [], _]]) :-
    trial(":- op(700, xfx, ===>). p(1) ===> q.", ["X", "?- p(1)", "p(1", "p(2) ===> q"], 5, 10000, Results).
test(grammar, Results = [[all, [""], _], [all, [], _]]) :-
    trial("g --> [a], h. h --> [b].", ["phrase(g, [a,b])", "phrase(g, [a])"], 5, 10000, Results).
test(unreadable) :-
    trial("p(1. q(2).", ["p(X)"], 5, 10000, [[Message, [], _]]),
    sub_string(Message, 0, _, _, "error: syntax_error").
test(no_other_directive_is_run, Results = [[all, [], _]]) :-
    trial(":- dynamic(p/1). :- assertz(p(1)). :- halt.", ["p(X)"], 5, 10000, Results).

test(declared, Results = [[all, ["X = 1", "X = 2"], _], [all, [], _]]) :-
    trial(":- discontiguous p/1, r/1. :- multifile p/1. p(1). q(1). p(2).", ["p(X)", "r(X)"], 5, 10000, Results).
test(not_loaded, Results = [[_, [], -1]]) :-
    trial("write(1).", ["true", "true"], 5, 10000, Results).

test(inferences) :-
    trial("p :- between(1, 100, _), fail. p.", ["p", "true"], 5, 10000, [[all, [_], Many], [all, [_], Few]]),
    Many > Few + 100,
    Few > 0.

:- end_tests(lpbridge_trials).
