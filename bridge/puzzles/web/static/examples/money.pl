% SEND + MORE = MONEY: each letter is a digit. The answer of the goal
%   puzzle([S,E,N,D,M,O,R,Y])
% is what propagation leaves open: residual constraints. The goal
%   puzzle(Ls), label(Ls)
% searches, too.

:- use_module(library(clpfd)).

puzzle([S, E, N, D, M, O, R, Y]) :-
    Letters = [S, E, N, D, M, O, R, Y],
    Letters ins 0..9,
    all_different(Letters),
              1000*S + 100*E + 10*N + D
            + 1000*M + 100*O + 10*R + E
    #= 10000*M + 1000*O + 100*N + 10*E + Y,
    M #\= 0,
    S #\= 0.
