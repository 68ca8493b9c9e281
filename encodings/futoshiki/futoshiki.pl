:- module(futoshiki,
          [ futoshiki/2         % +Rows, +Less
          ]).
:- use_module('../latin_square/latin_square').
:- reexport(library(clpfd)).        % queries can label, and residual goals print as they are written
:- use_module(library(apply)).
:- use_module(library(lists)).

/** <module> Futoshiki with constraints over finite domains

A Futoshiki is a Latin square in which some cells are said to be less than others. futoshiki/2 states the rules and
searches nothing; labelling is a separate step:

```
?- length(Rows, 3), futoshiki(Rows, [[1, 1, 1, 2], [1, 2, 1, 3], [2, 3, 3, 3]]).
?- length(Rows, 4), futoshiki(Rows, [[1, 1, 4, 4]]), append(Rows, Cells), labeling([ff], Cells).
```
*/

%!  futoshiki(+Rows, +Less) is semidet.
%
%   Rows are a Latin square that satisfies every inequality of Less: [R1, C1, R2, C2] says that the value in row R1 and
%   column C1 is less than that in row R2 and column C2.
%
%   all_distinct pays even where no value is given, because the inequalities leave few values.
%
%   @throws instantiation_error if the number of rows is open

futoshiki(Rows, Less) :-
    latin_square(Rows, all_distinct),
    maplist(less(Rows), Less).

less(Rows, [R1, C1, R2, C2]) :-
    cell(Rows, R1, C1, Smaller),
    cell(Rows, R2, C2, Greater),
    Smaller #< Greater.

cell(Rows, R, C, Cell) :-
    nth1(R, Rows, Row),
    nth1(C, Row, Cell).
