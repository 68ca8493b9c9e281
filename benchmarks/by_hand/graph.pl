edge(a,b). edge(b,c). edge(c,d). edge(a,d).
conn(X, Y) :- edge(X, Y).
conn(X, Y) :- edge(Y, X).
path(X, X, _, [X]).
path(X, Y, Seen, [X|P]) :- conn(X, Z), \+ memberchk(Z, Seen), path(Z, Y, [Z|Seen], P).
route(X, Y, P) :- path(X, Y, [X], P).
hops(X, Y, N) :- route(X, Y, P), length(P, L), N is L - 1.
shortest(X, Y, N) :- findall(H, hops(X, Y, H), Hs), min_list(Hs, N).

% goal: route(a,c,P)
% goal: hops(a,d,N)
% goal: shortest(a,c,N)
% goal: shortest(a,d,N)
% fault: conn(X, Y) :- edge(Y, X).\n =>
% fault: \+ memberchk(Z, Seen),  =>
% fault: path(X, X, _, [X]).\n =>
% fault: [Z|Seen], P). => Seen, P).
% fault: N is L - 1 => N is L
% fault: min_list => max_list
% fault: , \+ memberchk(Z, Seen) => , memberchk(Z, Seen)
