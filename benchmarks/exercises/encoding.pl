% runs of equal elements
% goal: runs([a,a,b], R)
% goal: runs([], R)
% goal: runs([a,b,b,b], R)
runs([], []).
runs([X|Xs], [N-X|Rs]) :- take(X, Xs, Rest, 1, N), runs(Rest, Rs).
take(_, [], [], N, N).
take(X, [X|Xs], Rest, N0, N) :- N1 is N0 + 1, take(X, Xs, Rest, N1, N).
take(X, [Y|Ys], [Y|Ys], N, N) :- X \== Y.
