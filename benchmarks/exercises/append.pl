% concatenation, members, prefixes
% goal: app(X, Y, [a,b])
% goal: mem(X, [a,b,c])
% goal: prefix(P, [a,b])
app([], L, L).
app([X|Xs], L, [X|Ys]) :- app(Xs, L, Ys).
mem(X, L) :- app(_, [X|_], L).
prefix(P, L) :- app(P, _, L).
