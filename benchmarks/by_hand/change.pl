:- use_module(library(clpfd)).
change(S, [Q,D,N]) :-
    [Q,D,N] ins 0..S,
    S #= 25*Q + 10*D + 5*N,
    N #=< 3,
    label([Q,D,N]).
total([], 0).
total([C-N|Cs], S) :- S #= C*N + S0, total(Cs, S0).

% goal: change(30, L)
% goal: change(50,L)
% goal: total([5-2,10-1],S)
% fault:     N #=< 3,\n =>
% fault:     [Q,D,N] ins 0..S,\n =>
% fault: C*N + S0 => C + N + S0
% fault: 10*D => 5*D
% fault: total([], 0).\n =>
