:- module(latin_square,
          [ latin_square/1,     % ?Rows
            diagonal/1,         % +Rows
            reduced/1           % +Rows
          ]).
:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).

/** <module> Latin squares with constraints over finite domains

A Latin square is a list of rows, each a list of integers and variables. latin_square/1 states the rules and searches
nothing; labelling is a separate step:

```
?- length(Rows, 5), latin_square(Rows), append(Rows, Cells), labeling([ff], Cells), maplist(portray_clause, Rows).
?- length(Rows, 4), latin_square(Rows), reduced(Rows), append(Rows, Cells), findall(., label(Cells), Squares).
```

diagonal/1 and reduced/1 state the variants of these names on top.
*/

%!  latin_square(?Rows) is semidet.
%
%   Rows are a square in which every row and every column holds each of the values from 1 to its order once.

latin_square(Rows) :-
    length(Rows, Order),
    maplist(same_length(Rows), Rows),
    append(Rows, Cells),
    Cells ins 1..Order,
    transpose(Rows, Columns),
    append(Rows, Columns, Lines),
    distinction(Cells, Distinct),
    maplist(Distinct, Lines).

%!  diagonal(+Rows) is semidet.
%
%   Both long diagonals of Rows hold each value once.

diagonal(Rows) :-
    long_diagonal(Rows, Falling),
    reverse(Rows, Upwards),
    long_diagonal(Upwards, Rising),
    maplist(all_distinct, [Falling, Rising]).

long_diagonal(Rows, Diagonal) :- foldl(nth_of_row, Rows, Diagonal, 1, _).

nth_of_row(Row, Cell, I, I1) :-
    nth1(I, Row, Cell),
    I1 #= I + 1.

%!  reduced(+Rows) is semidet.
%
%   The first row and the first column of Rows are 1, 2, 3, ...

reduced(Rows) :-
    transpose(Rows, Columns),
    [Row|_] = Rows,
    [Column|_] = Columns,
    length(Rows, Order),
    numlist(1, Order, Row),
    Column = Row.
