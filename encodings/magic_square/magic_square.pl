:- module(magic_square,
          [ magic_square/1,         % +Rows
            semi_magic_square/1,    % +Rows
            reduced/1,              % +Rows
            permuted/1,             % +Rows
            semi_permuted/1,        % +Rows
            diagonals_first/2       % +Rows, -Cells
          ]).
:- reexport(library(clpfd)).        % queries can label, and residual goals print as they are written
:- use_module(library(apply)).
:- use_module(library(error)).
:- use_module(library(lists)).

/** <module> Magic squares with constraints over finite domains

A magic square of order N is a list of rows that holds each of the numbers from 1 to N*N once, so that every row, every
column and both diagonals have the same sum, N*(N*N + 1)/2. The predicates state what holds and search nothing;
labelling is a separate step:

```
?- length(Rows, 4), magic_square(Rows), diagonals_first(Rows, Cells), labeling([ff], Cells).
Rows = [[1, 2, 15, 16], [12, 14, 3, 5], [13, 7, 10, 4], [8, 11, 6, 9]] .

?- length(Rows, 3), magic_square(Rows), reduced(Rows), diagonals_first(Rows, Cells), labeling([ff], Cells).
Rows = [[2, 9, 4], [7, 5, 3], [6, 1, 8]] ;
false.
```
*/

%!  magic_square(+Rows) is semidet.
%
%   Rows, columns and both diagonals have the same sum.
%
%   @throws instantiation_error if the number of rows is open

magic_square(Rows) :-
    semi_magic_square(Rows),
    magic_sum(Rows, Sum),
    diagonals(Rows, Diagonals),
    maplist(adds_up_to(Sum), Diagonals),
    implied(Rows, Sum).

%!  semi_magic_square(+Rows) is semidet.
%
%   Rows and columns have the same sum; the diagonals may have any.
%
%   @throws instantiation_error if the number of rows is open

semi_magic_square(Rows) :-
    must_be(list, Rows),
    maplist(same_length(Rows), Rows),
    append(Rows, Cells),
    length(Cells, Greatest),
    Cells ins 1..Greatest,
    all_different(Cells),
    magic_sum(Rows, Sum),
    transpose(Rows, Columns),
    maplist(adds_up_to(Sum), Rows),
    maplist(adds_up_to(Sum), Columns).

%!  reduced(+Rows) is semidet.
%
%   Rows are the one of the 8 squares that turning and mirroring make of each other in which the corner at the top left
%   is the least of the four, and that at the top right is less than that at the bottom left.

reduced([[_]]) :- !.
reduced([Top|Rows]) :-
    Top = [Corner1|_],
    last(Top, Corner2),
    last(Rows, Bottom),
    Bottom = [Corner3|_],
    last(Bottom, Corner4),
    Corner1 #< Corner2,
    Corner2 #< Corner3,
    Corner1 #< Corner4.

%!  permuted(+Rows) is semidet.
%
%   Rows are the one of those magic squares that mirroring and permuting make of each other, rows and columns alike and so
%   that the diagonals stay diagonals. The first cell has the least value of both diagonals; the next one has that of the
%   first diagonal between it and the last but one, and so on.

permuted([[_]]) :- !.
permuted(Rows) :-
    diagonals(Rows, [Falling, Rising]),
    least_outside(Falling),
    Falling = [First|_],
    without_middle(Rising, Others),
    maplist(#<(First), Others),
    Rising = [Corner2|_],
    last(Rising, Corner3),
    Corner2 #< Corner3.

%!  least_outside(+Cells) is semidet.
%
%   The first of Cells is less than all others but the one in the middle; and so on for what is between first and last.

least_outside([First|Cells]) :-
    append(Inner, [Last], Cells),
    !,
    First #< Last,
    without_middle(Inner, Others),
    maplist(#<(First), Others),
    least_outside(Inner).
least_outside(_).

without_middle(Cells, Others) :-
    length(Cells, N),
    N mod 2 =:= 1,
    !,
    Half is N // 2,
    length(Before, Half),
    append(Before, [_|After], Cells),
    append(Before, After, Others).
without_middle(Cells, Cells).

%!  semi_permuted(+Rows) is semidet.
%
%   Rows are the one of those semi-magic squares that permuting rows and columns and mirroring make of each other in which
%   the first cell has the least value, and the first row and the first column are in order.

semi_permuted([[_]]) :- !.
semi_permuted(Rows) :-
    Rows = [Top|Below],
    transpose(Rows, [Left|_]),
    chain(Top, #<),
    chain(Left, #<),
    Top = [First, Right|_],
    Left = [_, Down|_],
    Right #< Down,
    maplist(rest, Below, Inner),
    append(Inner, Others),
    maplist(#<(First), Others).

%!  implied(+Rows, +Sum) is semidet.
%
%   Redundant (implied): in order 4, the corners have the same sum, and so has the middle. Propagation alone does not
%   find that.

implied([[A, _, _, B], [_, C, D, _], [_, E, F, _], [G, _, _, H]], Sum) :-
    !,
    A + B + G + H #= Sum,
    C + D + E + F #= Sum.
implied(_, _).

%!  magic_sum(+Rows, -Sum) is det.
%
%   Sum is what each row of as many rows has.

magic_sum(Rows, Sum) :-
    length(Rows, N),
    Sum #= N * (N * N + 1) // 2.

adds_up_to(Sum, Cells) :-
    sum(Cells, #=, Sum).

%!  diagonals_first(+Rows, -Cells) is det.
%
%   Cells are those of Rows in an order that is good for labelling: the diagonals, which meet every row and column, come
%   first, and again in their rows.

diagonals_first(Rows, Cells) :-
    diagonals(Rows, Diagonals),
    append(Diagonals, Cells1),
    append(Rows, Cells2),
    append(Cells1, Cells2, Cells).

diagonals(Rows, [Falling, Rising]) :-
    diagonal(Rows, Falling),
    maplist(reverse, Rows, Mirrored),
    diagonal(Mirrored, Rising).

%!  diagonal(+Rows, -Cells) is det.
%
%   Cells are the first cell of the first row, the second of the second, and so on.

diagonal([], []).
diagonal([[Cell|_]|Rows], [Cell|Cells]) :-
    maplist(rest, Rows, Rows1),
    diagonal(Rows1, Cells).

rest([_|Cells], Cells).
