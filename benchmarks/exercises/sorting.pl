% insertion sort and quicksort
% goal: isort([3,1,2], S)
% goal: isort([2,2], S)
% goal: qsort([3,1,2,3], S)
isort([], []).
isort([X|Xs], S) :- isort(Xs, T), insert(X, T, S).
insert(X, [], [X]).
insert(X, [Y|Ys], [X,Y|Ys]) :- X =< Y.
insert(X, [Y|Ys], [Y|Zs]) :- X > Y, insert(X, Ys, Zs).
qsort([], []).
qsort([X|Xs], S) :- split(X, Xs, A, B), qsort(A, C), qsort(B, D), append(C, [X|D], S).
split(_, [], [], []).
split(X, [Y|Ys], [Y|A], B) :- Y =< X, split(X, Ys, A, B).
split(X, [Y|Ys], A, [Y|B]) :- Y > X, split(X, Ys, A, B).
