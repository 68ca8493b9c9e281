% Who wins? A position is won if a move leads to one that is not. Tabling
% ends where positions repeat, and leaves a draw undefined (well-founded
% semantics).

:- table win/1.

win(X) :-
    move(X, Y),
    tnot(win(Y)).

move(a, b).
move(b, a).
move(b, c).
move(c, d).
move(e, f).
move(f, e).
