:- use_module(library(clpfd)).
colours([WA,NT,SA,Q,NSW,V,T]) :-
    Vs = [WA,NT,SA,Q,NSW,V,T],
    Vs ins 1..3,
    WA #\= NT, WA #\= SA, NT #\= SA, NT #\= Q, SA #\= Q,
    SA #\= NSW, SA #\= V, Q #\= NSW, NSW #\= V,
    WA #= 1, NT #= 2, T #= 1.

% goal: colours(L), label(L)
% fault: SA #\= V,  =>
% fault: , NSW #\= V =>
% fault: Q #\= NSW => Q #\= V
% fault: Vs ins 1..3 => Vs ins 1..4
% fault: WA #\= NT => WA #= NT
% fault: Vs ins 1..3, =>
