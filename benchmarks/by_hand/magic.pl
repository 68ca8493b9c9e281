:- use_module(library(clpfd)).
magic([A,B,C,D,E,F,G,H,I]) :-
    Vs = [A,B,C,D,E,F,G,H,I],
    Vs ins 1..9,
    all_different(Vs),
    A+B+C #= 15, D+E+F #= 15, G+H+I #= 15,
    A+D+G #= 15, B+E+H #= 15, C+F+I #= 15,
    A+E+I #= 15, C+E+G #= 15,
    A #< C, A #< G, C #< G,
    label(Vs).

% goal: magic(L)
% fault:     all_different(Vs),\n =>
% fault:     Vs ins 1..9,\n =>
% fault: , C #< G =>
% fault: A+E+I #= 15,  =>
% fault: B+E+H #= 15 => B+E+G #= 15
