:- module(sudoku,
          [ sudoku/1,           % +Rows
            sudoku/2            % ?Rows, +Box
          ]).
:- reexport(library(clpfd)).        % queries can label, and residual goals print as they are written
:- use_module(library(apply)).
:- use_module(library(error)).
:- use_module(library(lists)).

/** <module> Sudoku with constraints over finite domains

A Sudoku is a list of rows, each a list of integers and variables. sudoku/1 states the rules and searches nothing: what
propagation decides is bound, and what it does not is left open, with the constraints that hold it. Labelling is a
separate step:

```
?- problem(1, Rows), sudoku(Rows), maplist(portray_clause, Rows).
?- problem(8, Rows), sudoku(Rows), maplist(labeling([ff]), Rows), maplist(portray_clause, Rows).
```

problem/2 is in report3.pl. The sizes 4, 6, 8, 9, 10, 12, 16, 25, ... all work; sudoku/2 takes boxes of any shape.

@see <https://www.swi-prolog.org/pldoc/man?section=clpfd-sudoku>, the 9x9 original by M. Triska
*/

%!  sudoku(+Rows) is semidet.
%
%   Rows are a Sudoku. The boxes are as square as the size allows, and wider than high where it does not: 3x3 for
%   size 9, 2x3 for size 6.
%
%   @throws instantiation_error if the number of rows is open

sudoku(Rows) :-
    must_be(list, Rows),
    length(Rows, Size),
    squarest_box(Size, Box),
    sudoku(Rows, Box).

%!  sudoku(?Rows, +Box) is semidet.
%
%   Rows are a Sudoku with boxes of H rows and W columns, where Box is H-W. Its size is H*W.

sudoku(Rows, H-W) :-
    must_be(positive_integer, H),
    must_be(positive_integer, W),
    Size #= H * W,
    length(Rows, Size),
    maplist(same_length(Rows), Rows),
    append(Rows, Cells),
    Cells ins 1..Size,
    maplist(all_distinct, Rows),
    transpose(Rows, Columns),
    maplist(all_distinct, Columns),
    boxes(Rows, H-W, Boxes),
    maplist(all_distinct, Boxes).

%!  boxes(+Rows, +Box, -Boxes) is det.
%
%   Boxes are the cells of each box, row by row, the boxes from left to right and then down.

boxes([], _, []).
boxes(Rows, H-W, Boxes) :-
    Rows = [_|_],
    length(Band, H),
    append(Band, Rows1, Rows),
    band_boxes(Band, W, Boxes, Boxes1),
    boxes(Rows1, H-W, Boxes1).

band_boxes([[]|_], _, Boxes, Boxes) :- !.
band_boxes(Band, W, [Box|Boxes0], Boxes) :-
    maplist(split_at(W), Band, Parts, Rests),
    append(Parts, Box),
    band_boxes(Rests, W, Boxes0, Boxes).

split_at(W, Row, Part, Rest) :-
    length(Part, W),
    append(Part, Rest, Row).

%!  squarest_box(+Size, -Box) is semidet.
%
%   Box is H-W with H*W = Size, H =< W, and H as large as can be.

squarest_box(Size, H-W) :-
    Size #= H * W,
    1 #=< H, H #=< W,
    once(labeling([max(H)], [H, W])).
