:- use_module(library(clpfd)).
fact(0, 1).
fact(N, F) :-
    N #> 0,
    N1 #= N - 1,
    F #= N * F1,
    fact(N1, F1).
fib(0, 0).
fib(1, 1).
fib(N, F) :-
    N #> 1,
    N1 #= N - 1,
    N2 #= N - 2,
    F #= F1 + F2,
    fib(N1, F1),
    fib(N2, F2).

% goal: fact(5,F)
% goal: fact(0,F)
% goal: fib(7,F)
% goal: fib(2,F)
% fault:     N #> 0,\n =>
% fault: F #= N * F1 => F #= N1 * F1
% fault: fact(0, 1) => fact(0, 0)
% fault: fact(0, 1) => fact(1, 1)
% fault: N #> 1 => N #> 0
% fault: N2 #= N - 2 => N2 #= N - 1
% fault: F #= F1 + F2 => F #= F1 * F2
% fault: fib(1, 1).\n =>
% fault: N1 #= N - 1,\n    F => N1 #= N + 1,\n    F
