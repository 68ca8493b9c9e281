% lists as sets
% goal: subset([a,b], [b,c,a])
% goal: subset([a,d], [a,b])
% goal: union([a,b], [b,c], Z)
% goal: distinct([a,b])
% goal: distinct([a,b,a])
subset([], _).
subset([X|Xs], Ys) :- memberchk(X, Ys), subset(Xs, Ys).
union([], Ys, Ys).
union([X|Xs], Ys, Zs) :- memberchk(X, Ys), union(Xs, Ys, Zs).
union([X|Xs], Ys, [X|Zs]) :- \+ memberchk(X, Ys), union(Xs, Ys, Zs).
distinct([]).
distinct([X|Xs]) :- \+ memberchk(X, Xs), distinct(Xs).
