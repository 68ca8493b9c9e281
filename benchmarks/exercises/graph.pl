% paths in a graph, without circles
% goal: path(a, d, P)
% goal: path(a, a, P)
% goal: reachable(a, Y)
edge(a, b). edge(b, c). edge(c, a). edge(c, d).
path(X, Y, P) :- walk(X, Y, [X], R), reverse(R, P).
walk(X, X, P, P).
walk(X, Y, V, P) :- edge(X, Z), \+ member(Z, V), walk(Z, Y, [Z|V], P).
reachable(X, Y) :- path(X, Y, _), X \== Y.
