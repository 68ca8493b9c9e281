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
test(double_quotes_are_those_of_the_text, Results = [[all, ["X = [a, b]"], _], [all, [], _]]) :-
    Text = ":- set_prolog_flag(double_quotes, chars). p(\"ab\").",
    trial(Text, ["p(X)", "p(\"ab\")"], 5, 10000, Results),
    trial("p(\"ab\").", ["p(\"ab\")"], 5, 10000, [[all, [""], _]]).
test(the_first_goal_that_needs_more_inferences_is_the_last, Results = [[all, [], _], [limit, [], _]]) :-
    trial("p :- p.", ["fail", "p", "fail"], 5, first(10000), Results).
test(clauses_that_goals_enter, Lines == [[2, 5], [7, 4], []]) :-
    spectrum("p([]).\np([_|T]) :-\n  p(T).\ng --> [a], h.\nq(X) :- p(X).\n\nh => true.\n",
             ["q([_|a])", "catch(phrase(g, [a]), _, true), h", "p(a)"], 10000, Lines).
test(what_added_goals_would_do, Effects == [something, failure, nothing, nothing, nothing, nothing, nothing]) :-
    effects("p(X, Y) :- q(X), lpbridge_trials:reached([X, Y]), Y == 2. q(1). q(2). loop :- loop.", ["p(_, _)"], 10000,
            ["X", "Y"], ["Y = 2", "X > 2", "X = X", "Y > 2", "Y is", "loop", "unknown(X)"], Effects).
test(a_place_that_is_not_reached, Effects == [nothing]) :-
    effects("p(X) :- q(X), lpbridge_trials:reached([X]). q(_) :- fail.", ["p(_)"], 10000, ["X"], ["X = 1"], Effects).
test(what_is_used_of_the_library_is_loaded_before, Results = [[all, ["N = a"], _]]) :-
    Text = "p(N) :- vertices_edges_to_ugraph([a], [], G), vertices(G, [N]).",
    prepare(Text, ["p(N)"]),
    trial(Text, ["p(N)"], 5, 2000, Results).
test(memory_is_limited_too, Results = [[limit, [], _]]) :-
    trial("p(X) :- p(f(X, X)), true.", ["p(_)"], 5, 1000000000, Results).
test(not_loaded, Results = [[_, [], -1]]) :-
    trial("write(1).", ["true", "true"], 5, 10000, Results).

test(inferences) :-
    trial("p :- between(1, 100, _), fail. p.", ["p", "true"], 5, 10000, [[all, [_], Many], [all, [_], Few]]),
    Many > Few + 100,
    Few > 0.

:- end_tests(lpbridge_trials).
