:- module(send_most_money, [puzzle/1, puzzle/2]).
:- reexport(cryptarithm).

/** <module> SEND + MOST = MONEY: each letter stands for a digit of its own

There are 16 answers, which makes it a question how much money can be had. Sample queries are at the end of the file.
*/

%!  puzzle(?Addition) is semidet.
%!  puzzle(?Addition, ?Money) is semidet.
%
%   Money is the sum as a number.

puzzle(Addition) :- puzzle(Addition, _).

puzzle([S,E,N,D] + [M,O,S,T] = [M,O,N,E,Y], Money) :-
    cryptarithm([S,E,N,D,M,O,T,Y], [[S,E,N,D], [M,O,S,T]], [M,O,N,E,Y]),
    Money #= 10000 * M + 1000 * O + 100 * N + 10 * E + Y.

/** <examples>

?- aggregate_all(count, ( puzzle(A), term_variables(A, Ls), label(Ls) ), Count).
Count = 16.

?- puzzle(Addition, Money), term_variables(Addition, Ls), labeling([max(Money)], Ls).       % the best of it first
Addition = ([9, 7, 8, 2]+[1, 0, 9, 4]=[1, 0, 8, 7, 6]), Money = 10876, Ls = [7, 8, 2, 4, 6] .

?- puzzle(Addition, 10876), term_variables(Addition, Ls), label(Ls).
*/
