% meetings in one room, with what is left open
% goal: early(X)
% goal: meetings([A,B,C]), label([A,B,C])
:- use_module(library(clpfd)).
apart(A, B) :- A + 2 #=< B #\/ B + 2 #=< A.
meetings([A, B, C]) :- [A, B, C] ins 9..13, apart(A, B), apart(B, C), apart(A, C), A #< C.
early(X) :- X in 9..13, X #< 11.
