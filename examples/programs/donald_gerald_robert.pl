:- module(donald_gerald_robert, [puzzle/1]).
:- reexport(cryptarithm).

/** <module> DONALD + GERALD = ROBERT: each letter stands for a digit of its own

All ten digits occur. A. Newell and H. A. Simon watched people solve it. Sample queries are at the end of the file.
*/

%!  puzzle(?Addition) is semidet.

puzzle([D,O,N,A,L,D] + [G,E,R,A,L,D] = [R,O,B,E,R,T]) :-
    cryptarithm([D,O,N,A,L,G,E,R,B,T], [[D,O,N,A,L,D], [G,E,R,A,L,D]], [R,O,B,E,R,T]).

/** <examples>

?- puzzle(Addition), term_variables(Addition, Ls), labeling([ff], Ls).
Addition = ([5, 2, 6, 4, 8, 5]+[1, 9, 7, 4, 8, 5]=[7, 2, 3, 9, 7, 0]), Ls = [5, 2, 6, 4, 8, 1, 9, 7, 3, 0] ;
false.

?- puzzle([5|_] + Bs = Cs), term_variables(Bs-Cs, Ls), labeling([ff], Ls).      % with the classic hint, D = 5
*/
