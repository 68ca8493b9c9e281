% Has anna a grandchild of age? The goal fails, and "Diagnose" shows the
% goals that are enough for that.

grandparent(X, Z) :-
    parent(X, Y),
    parent(Y, Z),
    adult(Z).

parent(anna, ben).
parent(ben, carl).
parent(ben, dora).

adult(X) :-
    age(X, N),
    N >= 18.

age(anna, 70).
age(ben, 44).
age(carl, 12).
age(dora, 9).
