:- module(send_more_money, [puzzle/1]).
:- reexport(cryptarithm).

/** <module> SEND + MORE = MONEY: each letter stands for a digit of its own

H. E. Dudeney, 1924. Sample queries are at the end of the file.
*/

%!  puzzle(?Addition) is semidet.

puzzle([S,E,N,D] + [M,O,R,E] = [M,O,N,E,Y]) :-
    cryptarithm([S,E,N,D,M,O,R,Y], [[S,E,N,D], [M,O,R,E]], [M,O,N,E,Y]).

/** <examples>

?- puzzle(Addition).                                        % propagation alone finds three letters
?- puzzle(Addition), term_variables(Addition, Ls), label(Ls).
Addition = ([9, 5, 6, 7]+[1, 0, 8, 5]=[1, 0, 6, 5, 2]), Ls = [5, 6, 7, 8, 2] ;
false.

?- puzzle([9,5,6,7] + Bs = Cs).                             % the other way round
?- puzzle([9,5,6,8] + Bs = Cs).
false.
*/
