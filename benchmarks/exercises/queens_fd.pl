% queens, by constraints
% goal: queens(4, Qs)
% goal: queens(5, Qs)
% goal: queens(1, Qs)
:- use_module(library(clpfd)).
queens(N, Qs) :- length(Qs, N), Qs ins 1..N, safe(Qs), label(Qs).
safe([]).
safe([Q|Qs]) :- no_attack(Q, Qs, 1), safe(Qs).
no_attack(_, [], _).
no_attack(Q, [P|Ps], D) :- Q #\= P, abs(Q - P) #\= D, E is D + 1, no_attack(Q, Ps, E).
