% a family tree
% goal: father(X, Y)
% goal: grandparent(X, Y)
% goal: sibling(X, Y)
% goal: ancestor(ann, X)
parent(ann, bob). parent(bob, cat). parent(bob, dan). parent(cat, eve).
male(bob). male(dan).
father(X, Y) :- parent(X, Y), male(X).
grandparent(X, Z) :- parent(X, Y), parent(Y, Z).
sibling(X, Y) :- parent(P, X), parent(P, Y), X \= Y.
ancestor(X, Y) :- parent(X, Y).
ancestor(X, Z) :- parent(X, Y), ancestor(Y, Z).
