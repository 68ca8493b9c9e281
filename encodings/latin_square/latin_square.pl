:- module(latin_square,
          [ latin_square/1,     % ?Rows
            latin_square/2,     % ?Rows, +Distinct
            diagonal/1,         % +Rows
            reduced/1           % +Rows
          ]).
:- reexport(library(clpfd)).        % queries can label, and residual goals print as they are written
:- use_module(library(apply)).
:- use_module(library(lists)).

/** <module> Latin squares with constraints over finite domains

A Latin square is a list of rows, each a list of integers and variables. latin_square/1 states the rules and searches
nothing; diagonal/1 and reduced/1 state a variant on top. Labelling is a separate step:

```
?- length(Rows, 5), latin_square(Rows), append(Rows, Cells), labeling([ff], Cells), maplist(portray_clause, Rows).
?- Rows = [[1, _, _], [_, 1, _], [_, _, _]], latin_square(Rows).        % needs no search
?- length(Rows, 4), latin_square(Rows), reduced(Rows), append(Rows, Cells), labeling([ff], Cells).  % four answers
```
*/

%!  latin_square(?Rows) is semidet.
%
%   Rows are a square in which every row and every column holds each of the values from 1 to its order once. Where
%   clues are scarce, propagation finds little, and strong propagation costs more than it finds.

latin_square(Rows) :-
    maplist(same_length(Rows), Rows),
    (   scarce(Rows)
    ->  latin_square(Rows, all_different)
    ;   latin_square(Rows, all_distinct)
    ).

%!  latin_square(?Rows, +Distinct) is semidet.
%
%   The same with all_distinct or all_different for each row and column. The first solution of an empty square of
%   order 20 takes 0.3 s with all_different and 3.6 s with all_distinct, of order 30 0.7 s and more than 20; a square of
%   order 10 with 15 clues in its diagonals takes 0.1 s with all_distinct and more than 20 with all_different.

latin_square(Rows, Distinct) :-
    length(Rows, Order),
    maplist(same_length(Rows), Rows),
    append(Rows, Cells),
    Cells ins 1..Order,
    maplist(Distinct, Rows),
    transpose(Rows, Columns),
    maplist(Distinct, Columns).

%   Not one cell in ten is given.
scarce(Rows) :-
    append(Rows, Cells),
    include(integer, Cells, Given),
    length(Cells, All),
    length(Given, Few),
    Few * 10 < All.

%!  diagonal(+Rows) is semidet.
%
%   Both long diagonals of Rows hold each value once.

diagonal(Rows) :-
    long_diagonal(Rows, Falling),
    reverse(Rows, Upwards),
    long_diagonal(Upwards, Rising),
    all_distinct(Falling),
    all_distinct(Rising).

long_diagonal(Rows, Diagonal) :-
    length(Rows, Order),
    numlist(1, Order, Places),
    maplist(nth1, Places, Rows, Diagonal).

%!  reduced(+Rows) is semidet.
%
%   The first row and the first column of Rows are 1, 2, 3, ...

reduced(Rows) :-
    length(Rows, Order),
    numlist(1, Order, Values),
    Rows = [Values|_],
    transpose(Rows, [Values|_]).
