:- use_module(library(clpfd)).
task(a, 3). task(b, 2). task(c, 4).
before(a, c).
schedule(Starts, End) :-
    findall(T-D, task(T, D), Tasks),
    starts(Tasks, Starts),
    pairs_values(Starts, Ss), Ss ins 0..9,
    End in 0..9,
    ends(Tasks, Starts, End),
    orders(Starts),
    apart(Tasks, Starts),
    labeling([min(End)], [End|Ss]).
starts([], []).
starts([T-_|Ts], [T-_|Ss]) :- starts(Ts, Ss).
ends([], [], _).
ends([T-D|Ts], [T-S|Ss], End) :- S + D #=< End, ends(Ts, Ss, End).
orders(Starts) :-
    forall(before(A, B), (memberchk(A-_, Starts), memberchk(B-_, Starts))),
    findall(A-B, before(A, B), Ps),
    orders(Ps, Starts).
orders([], _).
orders([A-B|Ps], Starts) :-
    memberchk(A-SA, Starts), memberchk(B-SB, Starts), task(A, D),
    SA + D #=< SB,
    orders(Ps, Starts).
apart([a-DA,b-DB|_], Starts) :-
    memberchk(a-SA, Starts), memberchk(b-SB, Starts),
    SA + DA #=< SB #\/ SB + DB #=< SA.

% goal: schedule(S, End)
% fault: SA + D #=< SB, => SA #=< SB,
% fault: S + D #=< End => S #=< End
% fault: #\/ => #/\
% fault: SB + DB #=< SA => SB + DA #=< SA
% fault:     orders(Starts),\n =>
% fault: before(a, c) => before(c, a)
% fault: SA + D #=< SB => SB + D #=< SA
% fault:     apart(Tasks, Starts),\n =>
