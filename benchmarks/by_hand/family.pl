parent(tom, bob). parent(tom, liz). parent(bob, ann). parent(bob, pat). parent(pat, jim). parent(pam, bob).
male(tom). male(bob). male(jim). female(liz). female(ann). female(pat). female(pam).
sister(X, Y) :- parent(P, X), parent(P, Y), female(X), X \= Y.
ancestor(X, Y) :- parent(X, Y).
ancestor(X, Z) :- parent(X, Y), ancestor(Y, Z).
grandmother(X, Z) :- female(X), parent(X, Y), parent(Y, Z).
uncle(X, Y) :- parent(P, Y), parent(G, P), parent(G, X), male(X), X \= P.
childless(X) :- male(X), \+ parent(X, _).
childless(X) :- female(X), \+ parent(X, _).

% goal: sister(X,ann)
% goal: ancestor(tom,Y)
% goal: grandmother(X,Y)
% goal: uncle(X,Y)
% goal: childless(X)
% goal: sister(liz,Y)
% fault: , X \= Y. => .
% fault: parent(X, Y), ancestor(Y, Z) => parent(X, Y), ancestor(X, Z)
% fault: ancestor(X, Y) :- parent(X, Y).\n =>
% fault: female(X), parent(X, Y), parent(Y, Z) => parent(X, Y), parent(Y, Z)
% fault: X \= P. => X \= Y.
% fault: parent(G, P), parent(G, X) => parent(P, G), parent(G, X)
% fault: female(X), \+ parent(X, _) => female(X), \+ parent(_, X)
% fault: \+ parent(X, _).\nchildless(X) :- f => parent(X, _).\nchildless(X) :- f
% fault: parent(P, X), parent(P, Y), female(X) => parent(P, X), parent(P, Y), female(Y)
% fault: ancestor(Y, Z) => ancestor(Z, Y)
