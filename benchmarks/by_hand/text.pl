palin(L) :- reverse(L, L).
count(_, [], 0).
count(X, [X|T], N) :- !, count(X, T, M), N is M + 1.
count(X, [_|T], N) :- count(X, T, N).
dedup([], []).
dedup([X|Xs], Ys) :- memberchk(X, Xs), !, dedup(Xs, Ys).
dedup([X|Xs], [X|Ys]) :- dedup(Xs, Ys).
zip([], [], []).
zip([X|Xs], [Y|Ys], [X-Y|Zs]) :- zip(Xs, Ys, Zs).
prefixes(L, P) :- append(P, _, L).
take(0, _, []) :- !.
take(_, [], []) :- !.
take(N, [X|Xs], [X|Ys]) :- M is N - 1, take(M, Xs, Ys).

% goal: palin([a,b,a])
% goal: count(a,[a,b,a],N)
% goal: dedup([a,b,a],L)
% goal: zip([1,2],[a,b],L)
% goal: prefixes([a,b],P)
% goal: take(2,[a,b,c],L)
% goal: take(3,[a],L)
% fault: count(_, [], 0).\n =>
% fault: N is M + 1 => N is M
% fault: count(X, [_|T], N) :- count(X, T, N).\n =>
% fault: dedup([X|Xs], [X|Ys]) :- dedup(Xs, Ys).\n =>
% fault: [X-Y|Zs] => [Y-X|Zs]
% fault: append(P, _, L) => append(_, P, L)
% fault: take(_, [], []) :- !.\n =>
% fault: M is N - 1 => M is N + 1
% fault: memberchk(X, Xs), !,  => memberchk(X, Xs),
% fault: zip(Xs, Ys, Zs) => zip(Ys, Xs, Zs)
