:- use_module(library(clpfd)).
houses([Eng,Spa,Jap,Red,Blue,Green]) :-
    Nat = [Eng,Spa,Jap], Col = [Red,Blue,Green],
    Nat ins 1..3, Col ins 1..3,
    all_different(Nat),
    all_different(Col),
    Eng #= Red,
    next(Spa, Green),
    Jap #\= 2,
    Blue #< Red,
    append(Nat, Col, Vs), label(Vs).
next(X, Y) :- X #= Y + 1 #\/ Y #= X + 1.

% goal: houses(L)
% fault:     all_different(Col),\n =>
% fault:     Eng #= Red,\n =>
% fault:     next(Spa, Green),\n =>
% fault:  #\/ Y #= X + 1 =>
% fault:     Blue #< Red,\n =>
% fault: , Col ins 1..3 =>
