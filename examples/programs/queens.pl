:- module(queens, [n_queens/2]).
:- reexport(library(clpfd)).        % queries can label, and residual goals print as they are written
:- use_module(library(lists)).

/** <module> Queens: N of them on a board of N by N, none of which attacks another

Row by row, a list tells the column of the queen. Sample queries are at the end of the file.
*/

%!  n_queens(?N, ?Qs) is nondet.
%
%   Qs are the columns of N queens that do not attack each other. Nothing is searched: labelling is a separate step.

n_queens(N, Qs) :-
    length(Qs, N),
    Qs ins 1..N,
    safe_queens(Qs).

safe_queens([]).
safe_queens([Q|Qs]) :-
    no_attack(Qs, Q, 1),
    safe_queens(Qs).

%   No queen of the list, the first of which stands D rows below Q, is in the column of Q or in one of its diagonals.
no_attack([], _, _).
no_attack([Q1|Qs], Q, D) :-
    Q1 #\= Q,
    abs(Q1 - Q) #\= D,
    D1 #= D + 1,
    no_attack(Qs, Q, D1).

/** <examples>

?- n_queens(4, Qs).                                         % what propagation alone knows
?- n_queens(4, Qs), label(Qs).
Qs = [2, 4, 1, 3] ;
Qs = [3, 1, 4, 2].

?- aggregate_all(count, ( n_queens(8, Qs), label(Qs) ), Count).
Count = 92.

?- n_queens(N, [2, 4, 1, 3]).                               % the other way round
N = 4.

?- length(Qs, N), N #> 1, n_queens(N, Qs), label(Qs).       % the smallest board above 1 by 1
Qs = [2, 4, 1, 3], N = 4 .
*/
