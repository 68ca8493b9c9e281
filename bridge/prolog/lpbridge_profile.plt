:- module(test_lpbridge_profile, []).

:- use_module(library(clpfd)).
:- use_module(library(lists)).
:- use_module(library(plunit)).
:- use_module(lpbridge_profile).

:- begin_tests(lpbridge_profile).

test(counts, [Enters, Exits, Goals] == [1, 1, [[1, 4], [4, 1]]]) :-
    counted(test_lpbridge_profile:some(_), 10, [labeling/2], [1, Inferences, 0]),
    Inferences > 5,
    clauses(Clauses),
    memberchk([File, Line, some, 1, Nth, test_lpbridge_profile, Enters, Exits], Clauses),
    goals(File, Line, some, 1, Nth, Counted),
    sort(Counted, Sorted),
    findall([Calls, Answers], member([_, _, _, Calls, Answers], Sorted), Goals).
test(search) :-
    counted(test_lpbridge_profile:labelled(_), 10, [labeling/2], [6, Inferences, Searched]),
    Searched > Inferences//2,
    Searched =< Inferences,
    propagators([[_, Runs]|_]),
    Runs > 0.
test(patterns, Numbers == [25, 7]) :-
    patterns(test_lpbridge_profile, fib, 2, test_lpbridge_profile:fib(6, _), Numbers).
test(as_many_as_are_looked_for, Answers == 2) :-
    counted(member(_, [a, b, c]), 2, [], [Answers|_]).

test(expanded_clauses, Labels == [[-1, label, 1, 1, 6]]) :-
    counted(test_lpbridge_profile:labelled(_), 10, [], [6|_]),
    clauses(Clauses),
    memberchk([File, Line, labelled, 1, Nth|_], Clauses),
    goals(File, Line, labelled, 1, Nth, Goals),
    findall([-1, label|Rest], member([_, label|Rest], Goals), Labels).

:- end_tests(lpbridge_profile).

some(X) :- member(X, [1, 2, 3, 4]), X > 3.

labelled(Xs) :- Xs = [_, _, _], Xs ins 1..3, all_different(Xs), label(Xs).

fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, FA), fib(B, FB), F is FA+FB.
