:- module(latin_square,
          [ latin_square/1,     % +Rows
            latin_square/2,     % +Rows, +Distinct
            diagonal/1,         % +Rows
            reduced/1           % +Rows
          ]).
:- reexport(library(clpfd)).        % queries can label, and residual goals print as they are written
:- use_module(library(apply)).
:- use_module(library(error)).
:- use_module(library(lists)).

/** <module> Latin squares with constraints over finite domains

A Latin square is a list of rows, each a list of integers and variables. latin_square/1 states the rules and searches
nothing; diagonal/1 and reduced/1 state a variant on top. Labelling is a separate step:

```
?- length(Rows, 5), latin_square(Rows, all_different), append(Rows, Cells), labeling([ff], Cells).
?- Rows = [[1, _, _], [_, 1, _], [_, _, _]], latin_square(Rows).        % needs no search
?- length(Rows, 4), latin_square(Rows), reduced(Rows), append(Rows, Cells), labeling([ff], Cells).  % four answers
```
*/

%!  latin_square(+Rows) is semidet.
%
%   Rows are a square in which every row and every column holds each of the values from 1 to its order once. The same
%   as latin_square(Rows, all_distinct).
%
%   @throws instantiation_error if the number of rows is open

latin_square(Rows) :-
    latin_square(Rows, all_distinct).

%!  latin_square(+Rows, +Distinct) is semidet.
%
%   The same with Distinct, all_distinct or all_different, for each row and column. all_distinct excludes every value
%   that no way of filling the line has, which decides many squares without search. all_different only excludes the
%   values that are taken, at a fraction of the cost: the better choice where few cells are given, or none, and nearly
%   every choice leads to a solution.
%
%   @throws instantiation_error if the number of rows is open

latin_square(Rows, Distinct) :-
    must_be(list, Rows),
    must_be(oneof([all_distinct, all_different]), Distinct),
    length(Rows, Order),
    maplist(same_length(Rows), Rows),
    append(Rows, Cells),
    Cells ins 1..Order,
    maplist(Distinct, Rows),
    transpose(Rows, Columns),
    maplist(Distinct, Columns).

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
