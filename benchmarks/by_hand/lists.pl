len([], 0).
len([_|T], N) :- len(T, M), N is M + 1.
sum([], 0).
sum([X|Xs], S) :- sum(Xs, S0), S is S0 + X.
maxl([X], X).
maxl([X|Xs], M) :- maxl(Xs, M0), M is max(X, M0).
ins(X, [], [X]).
ins(X, [Y|Ys], [X,Y|Ys]) :- X =< Y.
ins(X, [Y|Ys], [Y|Zs]) :- X > Y, ins(X, Ys, Zs).
isort([], []).
isort([X|Xs], Ys) :- isort(Xs, Zs), ins(X, Zs, Ys).
del(_, [], []).
del(X, [X|Xs], Ys) :- del(X, Xs, Ys).
del(X, [Y|Ys], [Y|Zs]) :- X \== Y, del(X, Ys, Zs).
flat([], []).
flat([X|Xs], Ys) :- is_list(X), !, flat(X, A), flat(Xs, B), append(A, B, Ys).
flat([X|Xs], [X|Ys]) :- flat(Xs, Ys).
every2([], []).
every2([X], [X]).
every2([X,_|Xs], [X|Ys]) :- every2(Xs, Ys).

% goal: len([a,b],N)
% goal: sum([1,2,3],S)
% goal: maxl([3,1,2],M)
% goal: isort([3,1,2],L)
% goal: del(a,[a,b,a,c],L)
% goal: flat([1,[2,[3]],4],L)
% goal: every2([a,b,c],L)
% fault: N is M + 1 => N is M
% fault: S is S0 + X => S is X
% fault: sum(Xs, S0), S is => S is
% fault: maxl([X], X).\n =>
% fault: M is max(X, M0) => M = max(X, M0)
% fault: X =< Y => X < Y, X > 0
% fault: ins(X, [], [X]).\n =>
% fault: [X,Y|Ys]) :- X => [Y,X|Ys]) :- X
% fault: X > Y, ins => ins
% fault: X \== Y, del => del
% fault: del(X, Xs, Ys) => true
% fault: is_list(X), !,  => is_list(X),
% fault: append(A, B, Ys) => append(B, A, Ys)
% fault: flat([X|Xs], [X|Ys]) :- flat(Xs, Ys).\n =>
% fault: every2([X,_|Xs] => every2([X|Xs]
% fault: isort(Xs, Zs), ins(X, Zs, Ys) => isort(Xs, Ys), ins(X, Zs, Ys)
% fault: every2([X], [X]).\n =>
% fault: ins(X, Ys, Zs). => ins(X, Ys, Ys).
% fault: flat([], []).\n =>
